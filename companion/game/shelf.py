"""The charts of each book as pages, kept in the user's cache so that a look-up need not load the rules.

Nothing is lost without the cache, and nothing stale is read from it: it counts only while every file that the
charts come from is the same.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from companion.game.lookup import DAGGER, Page

if TYPE_CHECKING:
    from companion.umpire import Chart

Stamp = list[list[str | int]]
"""Path, time of change and size of each file."""

_ROOM = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_MAKERS = (os.path.join(_ROOM, "game"), os.path.join(_ROOM, "packs"), os.path.join(_ROOM, "umpire"))
"""The rooms that turn a game's files into pages."""


def pages(game: str = "") -> list[Page]:
    """Every chart of a game or another book, or of all; raises NoGame."""
    if game:
        kept = _kept(game)
        return _fresh(game) if kept is None else kept
    from companion.game import registry

    return [page for key in registry.books() for page in pages(key)]


def title(game: str) -> str:
    """What a game is called that has charts here."""
    from companion.game import registry

    return registry.title(game)


def _fresh(key: str) -> list[Page]:
    from companion.game import registry

    made = [_page(chart, key) for chart in registry.book(key).charts.values()]
    folder = registry.folder(key)
    with suppress(OSError):
        _keep(key, [*_MAKERS, folder], made)
    return made


def _page(chart: Chart, game: str) -> Page:
    def cell(row: str, column: str, value: object) -> str:
        return f"{value}{DAGGER}" if (row, column) in chart.house else str(value)

    rows = [
        [row.key, *(cell(row.key, column, v) for column, v in zip(chart.columns, row.cells, strict=True))]
        for row in chart.rows
    ]
    natural = [[faces, str(label)] for faces, label in chart.natural.items()]
    return Page(
        game, chart.key, chart.title, chart.rule, chart.dice, chart.columns, rows, natural, chart.words, chart.note,
        bool(chart.house),
    )  # fmt: skip


# --- the cache


def _file(game: str) -> str:
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "companion", f"charts-{game}.json")


def _kept(game: str) -> list[Page] | None:
    """The pages as they were kept, or None where there are none or a file has changed since."""
    if not game.isidentifier():
        return None
    try:
        with open(_file(game), encoding="utf-8") as file:
            kept = json.load(file)
        if kept["folders"][: len(_MAKERS)] != [*_MAKERS] or kept["stamp"] != _stamp(kept["folders"]):
            return None  # of another installation, or older than a file of this one
        return [Page(*page) for page in kept["pages"]]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _keep(game: str, folders: Sequence[str], made: Sequence[Page]) -> None:
    target = _file(game)
    os.makedirs(os.path.dirname(target), mode=0o700, exist_ok=True)
    part = f"{target}.{os.getpid()}"
    with open(part, "w", encoding="utf-8") as file:
        json.dump({"folders": folders, "stamp": _stamp(folders), "pages": made}, file)
    os.replace(part, target)


def _stamp(folders: Sequence[str]) -> Stamp:
    return sorted(entry for folder in folders for entry in _files(folder))


def _files(folder: str) -> Iterator[list[str | int]]:
    with os.scandir(folder) as inside:
        for entry in inside:
            if entry.is_dir():
                if entry.name != "__pycache__":
                    yield from _files(entry.path)
            elif not entry.name.startswith("."):
                found = entry.stat()
                yield [entry.path, found.st_mtime_ns, found.st_size]
