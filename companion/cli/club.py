"""`companion club`: the pilots who live on from game to game, by the owner of the data folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec

import click

from companion.cli.folder import do, folder_options, where
from companion.cli.streams import say
from companion.game.statuses import DONE

P = ParamSpec("P")


def _options(command: Callable[P, Any]) -> Callable[P, Any]:
    return click.option("--out", "target", metavar="FILE|-", help="Write JSON there.")(folder_options(command))


_game = click.argument("game")


@click.group()
def club() -> None:
    """Pilots with their licences, from game to game."""


@club.command(name="list")
@_game
@_options
def list_(game: str, target: str | None, config_file: Path | None, data: str | None) -> int:
    """Every pilot of a game, most victories first."""
    return _say(do(where(config_file, data), "club.list", game=game), target)


@club.command()
@_game
@click.argument("name")
@click.argument("to")
@_options
def rename(game: str, name: str, to: str, target: str | None, config_file: Path | None, data: str | None) -> int:
    """Call the pilot NAME otherwise; the licence stays."""
    return _say(do(where(config_file, data), "club.rename", game=game, name=name, to=to), target)


@club.command()
@_game
@click.argument("name")
@_options
def forget(game: str, name: str, target: str | None, config_file: Path | None, data: str | None) -> int:
    """Strike the pilot NAME off; the next licence is a first one."""
    return _say(do(where(config_file, data), "club.forget", game=game, name=name), target)


@club.command()
@_game
@click.argument("file", metavar="FILE.csv|-", default="-")
@folder_options
def export(game: str, file: str, config_file: Path | None, data: str | None) -> int:
    """The list for a spreadsheet, as CSV."""
    from companion.cli.streams import written
    from companion.game.club import as_csv

    pilots = do(where(config_file, data), "club.list", game=game)
    with written(file) as out:
        out.write(as_csv(pilots).encode())
    return DONE


def _say(pilots: list[dict[str, Any]], target: str | None) -> int:
    rows = (f"{p['name']:24} {p['aircraft']:12} licence {p['licence']}, {p['victories']} victories" for p in pilots)
    return say(pilots, target, *(rows if pilots else ("No pilot has a licence yet: none has ended a game.",)))
