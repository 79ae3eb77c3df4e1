"""`companion doctor`."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.folder import folder_options
from companion.cli.version import version
from companion.game.errors import UsageError

DEVICE = 5


@click.command()
@click.option("--bundle", "file", type=click.Path(path_type=Path, dir_okay=False), help="Write a file for a helper.")
@folder_options
def doctor(file: Path | None, config_file: Path | None, data: str | None) -> int:
    """Look for what is wrong with this machine, and say what to do about it."""
    from companion.config import data_folder, load
    from companion.doctor import Facts, bundle, examine
    from companion.keeping import write_safely

    config, facts = load(config_file), Facts()
    findings = examine(facts, config, str(data_folder(config, data)))
    for finding in findings:
        click.echo(f"{finding.rank}: {finding.cause}\n    {finding.fix}   [{finding.trap}]")
    if not findings:
        click.echo("Nothing is wrong that software can see.")
    if file is not None:
        try:
            write_safely(file, bundle(facts, config, findings, version=version()).encode())
        except OSError as error:
            raise UsageError(f"{file} cannot be written: {error.strerror}.") from None
        click.echo(f"{file} is scrubbed of keys, addresses and names; read it before you send it.")
    return DEVICE if any(finding.rank == "trouble" for finding in findings) else 0
