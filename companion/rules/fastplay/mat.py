"""The hex mat: which hexes it has, what they are called, where a card takes a plane.

Every second row is shifted by half a hex, so it has half hexes at both ends: they belong to the mat, but a plane
may not enter there. The rulebook prints no mat; its size is a house value.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from string import ascii_uppercase
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.grid.hexes import Hex, Side
from companion.umpire import UsageError

Facing = Literal["E", "NE", "NW", "W", "SW", "SE"]
FACINGS: tuple[Facing, ...] = ("E", "NE", "NW", "W", "SW", "SE")

_NAME = re.compile(r"([A-Z]{1,2})([1-9]\d?)")


class Mat(msgspec.Struct, frozen=True):
    """`columns` whole hexes in the first, third, ... row from below; one less, and two halves, in the others."""

    columns: Annotated[int, Meta(ge=8, le=60)] = 24
    rows: Annotated[int, Meta(ge=8, le=60)] = 18

    def holds(self, at: Hex) -> bool:
        return 0 <= at.r < self.rows and 0 <= self._column(at) < self.columns + at.r % 2

    def is_whole(self, at: Hex) -> bool:
        return self.holds(at) and not (at.r % 2 and self._column(at) in (0, self.columns))

    def is_edge(self, at: Hex) -> bool:
        """The outermost whole hexes of each row, and all of the lowest and the highest row."""
        first, last = at.r % 2, self.columns - 1
        return self.is_whole(at) and (at.r in (0, self.rows - 1) or self._column(at) in (first, last))

    def edges(self) -> tuple[Hex, ...]:
        """Every whole hex on an edge."""
        return _edges(self)

    def hexes(self) -> Iterator[Hex]:
        """All hexes, from the lower left one."""
        for r in range(self.rows):
            yield from (self._hex(column, r) for column in range(self.columns + r % 2))

    def name(self, at: Hex) -> str:
        """`C7`: the column from the left, the row from below."""
        high, low = divmod(self._column(at), 26)
        return (ascii_uppercase[high - 1] if high else "") + f"{ascii_uppercase[low]}{at.r + 1}"

    def hex(self, name: str) -> Hex:
        match = _NAME.fullmatch(name.strip().upper())
        if match:
            at = self._hex(_number(match[1]), int(match[2]) - 1)
            if self.holds(at):
                return at
        last = self.name(self._hex(self.columns - 1, self.rows - 1))
        raise UsageError(f"{name[:20]!r} is no hex of this mat; they are called A1 to {last}.")

    @staticmethod
    def _column(at: Hex) -> int:
        return at.q + (at.r + 1) // 2

    @staticmethod
    def _hex(column: int, r: int) -> Hex:
        return Hex(column - (r + 1) // 2, r)


@lru_cache(16)
def _edges(mat: Mat) -> tuple[Hex, ...]:
    return tuple(at for at in mat.hexes() if mat.is_edge(at))


def _number(letters: str) -> int:
    low = ascii_uppercase.index(letters[-1])
    return low + 26 * (ascii_uppercase.index(letters[0]) + 1) if len(letters) > 1 else low


def flown(at: Hex, facing: Side, path: str) -> tuple[Hex, Side]:
    """Where the steps of a card end."""
    for step in path.split():
        match step:
            case "F":
                at = at.ahead(facing)
            case "TL":
                facing = facing.left()
            case "TR":
                facing = facing.right()
            case "SL":
                at = at.ahead(facing.left())
            case _:  # SR
                at = at.ahead(facing.right())
    return at, facing
