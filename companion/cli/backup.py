"""`companion backup` and `companion restore`: the whole journal, one file."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from companion.cli.folder import do, folder_options, where
from companion.game.statuses import DONE


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@folder_options
def backup(file: Path, config_file: Path | None, data: str | None) -> int:
    """Write every table to one FILE, while games go on."""
    copy = do(where(config_file, data), "backup")
    part = file.with_name(file.name + ".part")
    try:
        shutil.copyfile(copy, part)
        part.replace(file)
    except OSError as error:
        raise click.ClickException(f"{file} cannot be written: {error.strerror}.") from None
    click.echo(f"{file} holds every table.")
    return DONE


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@folder_options
def restore(file: Path, config_file: Path | None, data: str | None) -> int:
    """Put the tables of a backup FILE in place; what was there is kept beside them under its date."""
    from companion.game.restoring import restore as put_back

    folder = where(config_file, data)
    aside = put_back(folder, file)
    click.echo(
        f"The tables of {file} are in place in {folder}." + (f" The old ones are kept as {aside}." if aside else "")
    )
    return DONE
