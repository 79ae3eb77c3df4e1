"""`companion backup` and `companion restore`: everything that a club would miss, in one file."""

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
    """Write every table, pack and setting to one FILE, while games go on."""
    settings = str(config_file.resolve()) if config_file else ""
    made = do(where(config_file, data), "backup", settings=settings)
    part = file.with_name(file.name + ".part")
    try:
        shutil.copyfile(made["file"], part)
        part.replace(file)
    except OSError as error:
        raise click.ClickException(f"{file} cannot be written: {error.strerror}.") from None
    click.echo(f"{file} holds every table, and {made['holds']}.")
    for sentence in made["said"]:
        click.echo(sentence, err=True)
    return DONE


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@folder_options
def restore(file: Path, config_file: Path | None, data: str | None) -> int:
    """Put the tables, packs and settings of a backup FILE in place; what was there is kept beside them."""
    from companion.game.restoring import restore as put_back

    for sentence in put_back(where(config_file, data), file, config_file):
        click.echo(sentence)
    return DONE
