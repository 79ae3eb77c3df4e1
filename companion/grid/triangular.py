"""The triangular board of Age of Dogfights: points, six yaws, poses, distances in d and the clock."""

from enum import IntEnum
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.grid import lattice

Coordinate = Annotated[int, Meta(ge=-500, le=500)]
Level = Annotated[int, Meta(ge=0, le=14)]
"""0 is LL, 1 is L1; 14 is reached only above a ceiling of L13 (3.3.5)."""
Pitch = Literal[-1, 0, 1]
"""-1 nose down, 1 nose up."""
Roll = Literal[-1, 0, 1]
"""-1 banked left, 1 banked right."""


class Yaw(IntEnum):
    """Where a nose points, counter-clockwise from east."""

    E = 0
    NE = 1
    NW = 2
    W = 3
    SW = 4
    SE = 5

    def left(self, times: int = 1) -> "Yaw":
        return Yaw((self + times) % 6)

    def right(self, times: int = 1) -> "Yaw":
        return Yaw((self - times) % 6)

    @property
    def opposite(self) -> "Yaw":
        return self.left(3)


class Point(Struct, frozen=True, array_like=True, order=True):
    """A point of the board: q steps east and r steps north-east of the origin."""

    q: Coordinate
    r: Coordinate

    def ahead(self, yaw: Yaw, steps: int = 1) -> "Point":
        return Point(*lattice.add(self._vector, lattice.times(lattice.SIX[yaw], steps)))

    def distance(self, other: "Point") -> int:
        """In d, the unit of the board."""
        return lattice.length(self._to(other))

    def line_to(self, other: "Point") -> Yaw | None:
        """The yaw from here straight to the other point; None if it is on none of the six lines, or here."""
        found = lattice.bearing(self._to(other), lattice.SIX)
        return Yaw(found[0]) if found and found[1] else None

    def between(self, other: "Point") -> "tuple[Point, ...]":
        """The points passed on a straight line to the other, without the ends; none off the six lines."""
        yaw = self.line_to(other)
        if yaw is None:
            return ()
        return tuple(self.ahead(yaw, n) for n in range(1, self.distance(other)))

    def clock(self, facing: Yaw, other: "Point") -> int | None:
        """At what o'clock the other point is seen: even hours on a line, odd ones between."""
        found = lattice.bearing(self._to(other), lattice.SIX)
        if found is None:
            return None
        ray, on_line = found
        hour = -2 * ((ray - facing) % 6) - (not on_line)
        return hour % 12 or 12

    @property
    def _vector(self) -> lattice.Vector:
        return self.q, self.r

    def _to(self, other: "Point") -> lattice.Vector:
        return lattice.minus(other._vector, self._vector)


class Pose(Struct, frozen=True):
    """How an aircraft stands on the board."""

    point: Point
    yaw: Yaw
    level: Level = 0
    pitch: Pitch = 0
    roll: Roll = 0

    def ahead(self, steps: int = 1) -> "Pose":
        return replace(self, point=self.point.ahead(self.yaw, steps))

    def left(self) -> "Pose":
        """One step sixty degrees to the left, the nose following (3.2)."""
        return replace(self, yaw=self.yaw.left()).ahead()

    def right(self) -> "Pose":
        """One step sixty degrees to the right, the nose following (3.2)."""
        return replace(self, yaw=self.yaw.right()).ahead()

    def clock(self, point: Point) -> int | None:
        """At what o'clock a point is seen from here, whatever the tilt and the level."""
        return self.point.clock(self.yaw, point)

    @property
    def untilted(self) -> bool:
        return self.pitch == 0 and self.roll == 0
