"""The data folder: its owner is the daemon where one runs, else this command for as long as it takes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec

import click

P = ParamSpec("P")


config_option = click.option("--config", "config_file", type=click.Path(path_type=Path), help="Settings, a TOML file.")


def folder_options(command: Callable[P, Any]) -> Callable[P, Any]:
    """`--config` and `--data`."""
    return config_option(click.option("--data", help="Folder for tables and settings.")(command))


def where(config_file: Path | None, data: str | None) -> Path:
    from companion.config import data_folder, load

    return data_folder(load(config_file), data)


def do(folder: Path, command: str, *, begins: bool = False, **args: Any) -> Any:
    """Have a command done by whoever owns the folder; one that does not begin anything needs a folder in use."""
    from companion import local

    try:
        return local.ask(folder, command, args)
    except local.NotRunning:
        return _alone(folder, command, begins, args)


def _alone(folder: Path, command: str, begins: bool, args: dict[str, Any]) -> Any:
    from companion import papers
    from companion.game.tables import Tables

    if not begins and not (folder / "companion.db").exists():
        raise click.ClickException(f"There are no tables in {folder}; choose a folder with --data.")
    tables = Tables(folder)
    try:
        for notice in tables.journal.notices:
            click.echo(notice, err=True)
        return papers.run(tables, command, args)
    finally:
        tables.close()
