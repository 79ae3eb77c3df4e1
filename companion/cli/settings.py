"""`companion config`."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.folder import folder_options
from companion.game.statuses import DONE


@click.command()
@folder_options
def config(config_file: Path | None, data: str | None) -> int:
    """The settings in effect, secrets masked."""
    import msgspec

    from companion.config import data_folder, load, shown

    settings = load(config_file)
    click.echo(shown(msgspec.structs.replace(settings, data=str(data_folder(settings, data)))))
    return DONE
