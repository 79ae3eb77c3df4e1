"""The games that are installed, found by entry point and loaded when first asked for.

A book that cannot be played yet can still be looked up and resolved: it stands in the group `companion.books`, and is
never among the games.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points

from companion.game.errors import NoGame
from companion.umpire import Book, Game, Procedure, UsageError

GROUP = "companion.games"
BOOKS = "companion.books"


@cache
def _points(group: str = GROUP) -> tuple[EntryPoint, ...]:
    """Looked up once: it reads the records of every package that is installed."""
    return tuple(entry_points(group=group))


@cache
def keys() -> tuple[str, ...]:
    """The games that can be played."""
    return tuple(sorted({point.name for point in _points()}))


def books() -> tuple[str, ...]:
    """The games, and the books that cannot be played."""
    return tuple(sorted({*keys(), *(point.name for point in _points(BOOKS))}))


@cache
def game(key: str) -> Game:
    """A game by its key; raises NoGame with the keys that exist."""
    for point in _points():
        if point.name == key:
            found: Game = point.load()
            return found
    if key in books():
        raise NoGame(f"{title(key)} cannot be played yet; there are {', '.join(keys())}.")
    raise NoGame(f"There is no game {key!r}; there are {', '.join(keys())}.")


def book(key: str) -> Book:
    """A game or another book by its key; raises NoGame."""
    for point in _points(BOOKS):
        if point.name == key:
            found: Book = point.load()
            return found
    return game(key)


@cache
def title(key: str) -> str:
    """The title of a game or a book, without loading its rules."""
    return str(import_module(_first(key).module).TITLE)


def _first(key: str) -> EntryPoint:
    """Where a game or a book is from."""
    return next(point for group in (GROUP, BOOKS) for point in _points(group) if point.name == key)


def games() -> tuple[Game, ...]:
    return tuple(game(key) for key in keys())


def procedure(name: str) -> Procedure[object, object]:
    """A procedure by its full name, `aod.fire`."""
    owner = book(name.split(".", 1)[0])
    try:
        return owner.procedures[name]
    except KeyError:
        known = ", ".join(sorted(owner.procedures))
        raise UsageError(f"{owner.title} has no procedure {name!r}; it has {known}.") from None


def folder(key: str) -> str:
    """The folder that the files of a game or a book stand in."""
    import sys
    from pathlib import Path

    return str(Path(sys.modules[_first(key).module].__file__ or "").parent)
