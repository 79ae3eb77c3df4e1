"""`companion serve`."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.folder import folder_options
from companion.cli.version import version
from companion.game.statuses import DEVICE, DONE


@click.command()
@folder_options
@click.option("--port", type=click.IntRange(1, 65535), help="Port of the pages.")
@click.option("--demo", is_flag=True, help="A virtual tower and printer, and a table to try.")
@click.option("--faults", default="", help="Faults to rehearse, such as tower.noise,printer.paper=out.")
def serve(config_file: Path | None, data: str | None, port: int | None, demo: bool, faults: str) -> int:
    """Run the kiosk, the phones and the printers."""
    import msgspec

    from companion import daemon
    from companion.config import data_folder, load_or_last_good

    loaded = load_or_last_good(config_file, data)
    config = loaded.config
    if port:
        config = msgspec.structs.replace(config, port=port)
    try:
        daemon.serve(
            config, data_folder(config, data), version=version(), demo=demo, faults=faults, notices=loaded.notices,
            settings=config_file,
        )  # fmt: skip
    except daemon.PortTaken as error:
        click.echo(error, err=True)
        return DEVICE
    return DONE
