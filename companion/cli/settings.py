"""`companion config`."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.folder import folder_options
from companion.game.statuses import DONE


@click.command()
@folder_options
def config(config_file: Path | None, data: str | None) -> int:
    """The settings in effect, with what was touched in on pages; secrets masked."""
    import msgspec

    from companion.config import data_folder, in_effect, shown

    settings = in_effect(config_file, data)
    click.echo(shown(msgspec.structs.replace(settings, data=str(data_folder(settings, data)))))
    return DONE
