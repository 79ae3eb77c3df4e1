"""Hex mats: the centres and hexsides of pointy-topped hexes, six facings or twelve (Over the Reich)."""

from enum import IntEnum
from typing import Annotated

from msgspec import Meta, Struct

from companion.grid import lattice

Coordinate = Annotated[int, Meta(ge=-500, le=500)]


class Side(IntEnum):
    """The hexside that a model faces, counter-clockwise from east."""

    E = 0
    NE = 1
    NW = 2
    W = 3
    SW = 4
    SE = 5

    def left(self, times: int = 1) -> "Side":
        return Side((self + times) % 6)

    def right(self, times: int = 1) -> "Side":
        return Side((self - times) % 6)


class Hex(Struct, frozen=True, array_like=True, order=True):
    q: Coordinate
    r: Coordinate

    def ahead(self, side: Side, hexes: int = 1) -> "Hex":
        return Hex(*lattice.add((self.q, self.r), lattice.times(lattice.SIX[side], hexes)))

    def distance(self, other: "Hex") -> int:
        return lattice.length(self._to(other))

    def line_to(self, other: "Hex") -> Side | None:
        """The side through which a straight line of flight runs to the other hex."""
        found = lattice.bearing(self._to(other), lattice.SIX)
        return Side(found[0]) if found and found[1] else None

    def line_of_flight(self, side: Side, hexes: int) -> "tuple[Hex, ...]":
        """The hexes straight ahead, nearest first."""
        return tuple(self.ahead(side, n) for n in range(1, hexes + 1))

    def _to(self, other: "Hex") -> lattice.Vector:
        return other.q - self.q, other.r - self.r


class Compass(IntEnum):
    """The twelve facings of Over the Reich, clockwise; the even ones run along hexsides."""

    N = 0
    NNE = 1
    NE = 2
    E = 3
    SE = 4
    SSE = 5
    S = 6
    SSW = 7
    SW = 8
    W = 9
    NW = 10
    NNW = 11

    def right(self, times: int = 1) -> "Compass":
        return Compass((self + times) % 12)

    def left(self, times: int = 1) -> "Compass":
        return Compass((self - times) % 12)

    @property
    def along_hexsides(self) -> bool:
        return self % 2 == 0


class Place(Struct, frozen=True, array_like=True, order=True):
    """A hex centre, or a hexside halfway between two, counted in half hexes."""

    q: Coordinate
    r: Coordinate

    @classmethod
    def of(cls, centre: Hex) -> "Place":
        return cls(2 * centre.q, 2 * centre.r)

    @property
    def on_hexside(self) -> bool:
        return bool(self.q % 2 or self.r % 2)

    def hexes(self) -> tuple[Hex, ...]:
        """The hex it is in, or the two that its hexside borders."""
        low = Hex(self.q // 2, self.r // 2)
        if not self.on_hexside:
            return (low,)
        if self.q % 2 and self.r % 2:  # a hexside between the east and the north-east neighbour
            return Hex(low.q + 1, low.r), Hex(low.q, low.r + 1)
        return low, Hex(low.q + self.q % 2, low.r + self.r % 2)

    def may_face(self, facing: Compass) -> bool:
        """A counter on a hexside faces along it."""
        if not self.on_hexside:
            return True
        first, second = self.hexes()
        across = first.line_to(second)
        assert across is not None
        return facing in (_compass(2 * across + 3), _compass(2 * across + 9))

    def ahead(self, facing: Compass, steps: int = 1) -> "Place":
        """Into the next hex, or along a hexside facing alternately onto a hexside and into a hex."""
        step = lattice.TWELVE[_ray(facing)]
        size = steps if facing.along_hexsides else 2 * steps
        return Place(*lattice.add((self.q, self.r), lattice.times(step, size)))

    def distance(self, other: "Place") -> int:
        """In hexes, each on a hexside counted in whichever of its hexes is nearer."""
        return min(a.distance(b) for a in self.hexes() for b in other.hexes())

    def clock(self, facing: Compass, other: "Place") -> tuple[int, bool] | None:
        """The hour of the other, and whether exactly; if not, it lies between that hour and the one before."""
        found = lattice.bearing((other.q - self.q, other.r - self.r), lattice.TWELVE)
        if found is None:
            return None
        ray, exactly = found
        return (_compass(ray) - facing) % 12 or 12, exactly


def _ray(facing: Compass) -> int:
    return (3 - facing) % 12


def _compass(ray: int) -> Compass:
    return Compass((3 - ray) % 12)
