"""The command line. Errors are one plain sentence; the exit status says what kind."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from companion.cli.version import version


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(version(), prog_name="companion")
def main() -> None:
    """Dice in, rules run, slips out: the Raspberry Pi beside an air-combat game."""


@main.command()
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="Settings, a TOML file.")
@click.option("--data", help="Folder for tables and settings.")
@click.option("--port", type=click.IntRange(1, 65535), help="Port of the pages.")
@click.option("--demo", is_flag=True, help="A virtual tower and printer, and a table to try.")
@click.option("--faults", default="", help="Faults to rehearse, such as tower.noise,printer.paper=out.")
def serve(config_file: Path | None, data: str | None, port: int | None, demo: bool, faults: str) -> None:
    """Run the kiosk, the phones and the printers."""
    from companion.cli.serving import run

    sys.exit(run(config_file, data, port, demo, faults))
