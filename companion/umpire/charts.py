"""Charts as data: written once, read by the resolver, the look-up page and the printed aid."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

import msgspec
from msgspec.structs import force_setattr

from companion.umpire.dice import Face
from companion.umpire.errors import CompanionError

Cell: TypeAlias = str | int

FAR = 10**9
"""Beyond every number of a chart."""

_RANGE = re.compile(r"(<=)?(-?\d+)(?:(\+)|(?:-|\.\.)(-?\d+))?")


class NoCell(CompanionError, LookupError):
    """A chart has no such row or column."""


class Row(msgspec.Struct, frozen=True):
    """A line of a chart: its printed key, the numbers it covers (None, None for a named row), its cells."""

    key: str
    cells: tuple[Cell, ...]
    low: int | None = None
    high: int | None = None

    span: tuple[int, int] = (1, 0)
    """The lowest and the highest number that it covers; nothing at all for a named row."""

    def __post_init__(self) -> None:
        if (self.low, self.high) != (None, None):
            low, high = -FAR if self.low is None else self.low, FAR if self.high is None else self.high
            force_setattr(self, "span", (low, high))

    def covers(self, number: int) -> bool:
        low, high = self.span
        return low <= number <= high


def row(key: Cell, cells: Sequence[Cell]) -> Row:
    """A row from its printed key: `<=6`, `7-10`, `13+`, `2` or a name."""
    text = str(key)
    match = _RANGE.fullmatch(text)
    if not match:
        return Row(text, tuple(cells))
    first = int(match[2])
    low = None if match[1] else first
    high = None if match[3] else int(match[4]) if match[4] else first
    if low is not None and high is not None and low > high:  # a code such as 3-2
        return Row(text, tuple(cells))
    return Row(text, tuple(cells), low, high)


def natural_names(names: str, count: int) -> list[str]:
    """The faces that a natural entry such as `1+1` means, sorted; a single face may have a plus in its name."""
    return [names] if count == 1 else sorted(names.split("+"))


class Chart(msgspec.Struct, frozen=True, eq=False):
    """A printed chart. `natural` overrides by exact faces (`1+1`); `house` lists cells that no rulebook prints."""

    key: str
    title: str
    rule: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    dice: str = ""
    natural: dict[str, Cell] = {}
    words: tuple[str, ...] = ()
    source: str = "text"
    house: frozenset[tuple[str, str]] = frozenset()
    game: str = ""
    note: str = ""

    def at(self, key: Cell, column: str = "") -> Cell:
        """The cell in the row that covers a number or has this name; the first column unless one is named."""
        return _cell(self, key, column)

    def read(self, faces: Sequence[Face], total: int, column: str = "") -> Cell:
        """The label for a throw: what the natural faces say, else the row of the modified total."""
        if self.natural:
            lying = sorted(f.name for f in faces)
            for names, label in self.natural.items():
                if natural_names(names, len(faces)) == lying:
                    return label
        return self.at(total, column)

    def weigh(self, low: int, ways: Sequence[int], column: str = "") -> list[tuple[Cell, int]]:
        """How many of the ways to each number, from `low` on, lead to a cell."""
        place, left = self._column(column), list(ways)
        counts: list[tuple[Cell, int]] = []
        for row in self.rows:  # the first row that covers a number counts
            first, last = row.span
            here = slice(first - low if first > low else 0, last - low + 1 if last >= low else 0)
            covered = left[here]
            if n := sum(covered):
                counts.append((row.cells[place], n))
                left[here] = bytes(len(covered))
        if any(left):
            counts += [(self.at(number, column), n) for number, n in enumerate(left, low) if n]
        return counts

    def row_key(self, key: Cell) -> str:
        return self._row(key).key

    def _row(self, key: Cell) -> Row:
        text, number = str(key), isinstance(key, int)
        for candidate in self.rows:
            if candidate.key == text or (number and candidate.covers(key)):  # type: ignore[arg-type]
                return candidate
        raise NoCell(f"The chart {self.title!r} [{self.rule}] has no row for {key}.")

    def _column(self, column: str) -> int:
        if not column:
            return 0
        try:
            return self.columns.index(column)
        except ValueError:
            raise NoCell(
                f"The chart {self.title!r} [{self.rule}] has no column {column!r}; it has {', '.join(self.columns)}."
            ) from None


@lru_cache(8192)
def _cell(chart: Chart, key: Cell, column: str) -> Cell:
    return chart._row(key).cells[chart._column(column)]
