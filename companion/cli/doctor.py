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
    from companion.doctor import Facts, Finding, bundle, examine
    from companion.keeping import write_safely

    config, facts = in_effect(config_file, data), Facts()
    folder = data_folder(config, data)
    running = _asked(folder, "machine.states") or {"states": [], "notices": []}
    told = _asked(folder, "machine.findings")  # by the process that must open the ports: its rights are what counts
    findings = [Finding(**one) for one in told] if told is not None else examine(facts, config, str(folder))
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


def _asked(folder: Path, what: str) -> Any:
    """What the daemon says, where one runs; else None."""
    from companion import local

    try:
        return local.ask(folder, what, {})
    except (local.NotRunning, local.Refused):
        return None
