"""The games that are installed, found by entry point and loaded when first asked for."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points

from companion.game.errors import NoGame
from companion.umpire import Game, Procedure, UsageError

GROUP = "companion.games"


@cache
def _points() -> tuple[EntryPoint, ...]:
    """Looked up once: it reads the records of every package that is installed."""
    return tuple(entry_points(group=GROUP))


@cache
def keys() -> tuple[str, ...]:
    return tuple(sorted({point.name for point in _points()}))


@cache
def game(key: str) -> Game:
    """A game by its key; raises NoGame with the keys that exist."""
    for point in _points():
        if point.name == key:
            found: Game = point.load()
            return found
    raise NoGame(f"There is no game {key!r}; there are {', '.join(keys())}.")


@cache
def title(key: str) -> str:
    """A game's title, without loading its rules."""
    point = next(point for point in _points() if point.name == key)
    return str(import_module(point.module).TITLE)


def games() -> tuple[Game, ...]:
    return tuple(game(key) for key in keys())


def procedure(name: str) -> Procedure[object, object]:
    """A procedure by its full name, `aod.fire`."""
    owner = game(name.split(".", 1)[0])
    try:
        return owner.procedures[name]
    except KeyError:
        known = ", ".join(sorted(owner.procedures))
        raise UsageError(f"{owner.title} has no procedure {name!r}; it has {known}.") from None


def folder(key: str) -> str:
    """The folder that a game's files stand in."""
    import sys
    from pathlib import Path

    module = next(point.module for point in _points() if point.name == key)
    return str(Path(sys.modules[module].__file__ or "").parent)
