"""`companion doctor`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from companion.cli.folder import folder_options
from companion.cli.version import version
from companion.game.errors import UsageError
from companion.game.statuses import DEVICE, DONE


@click.command()
@click.option("--bundle", "file", type=click.Path(path_type=Path, dir_okay=False), help="Write a file for a helper.")
@folder_options
def doctor(file: Path | None, config_file: Path | None, data: str | None) -> int:
    """Look for what is wrong with this machine, and say what to do about it."""
    from companion.config import data_folder, in_effect
    from companion.doctor import Facts, bundle, examine
    from companion.keeping import write_safely

    config, facts = in_effect(config_file, data), Facts()
    folder = data_folder(config, data)
    findings, running = examine(facts, config, str(folder)), _running(folder)
    for state in running["states"]:
        click.echo(f"{state['name']}: {state['text']}")
    for notice in running["notices"]:
        click.echo(notice)
    for finding in findings:
        click.echo(f"{finding.rank}: {finding.cause}\n    {finding.fix}   [{finding.trap}]")
    if not findings:
        click.echo("Nothing is wrong that software can see.")
    if file is not None:
        try:
            write_safely(file, bundle(facts, config, findings, running["states"], version()).encode())
        except OSError as error:
            raise UsageError(f"{file} cannot be written: {error.strerror}.") from None
        click.echo(f"{file} is scrubbed of keys, addresses and names; read it before you send it.")
    return DEVICE if any(finding.rank == "trouble" for finding in findings) else DONE


def _running(folder: Path) -> dict[str, Any]:
    """What the daemon says of its parts, where one runs."""
    from companion import local

    try:
        found: dict[str, Any] = local.ask(folder, "machine.states", {})
    except (local.NotRunning, local.Refused):
        return {"states": [], "notices": []}
    return found
