"""The lattice under both maps: the points of a triangular grid are the centres of pointy-topped hexes.

A vector is (q, r): q steps east and r steps north-east. All is whole numbers: nothing is nearly in line.
"""

from collections.abc import Sequence

Vector = tuple[int, int]

SIX: tuple[Vector, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""One step east, and on counter-clockwise, sixty degrees apart."""


def add(a: Vector, b: Vector) -> Vector:
    return a[0] + b[0], a[1] + b[1]


def minus(a: Vector, b: Vector) -> Vector:
    return a[0] - b[0], a[1] - b[1]


def times(a: Vector, n: int) -> Vector:
    return a[0] * n, a[1] * n


def length(a: Vector) -> int:
    """How many steps long it is."""
    return (abs(a[0]) + abs(a[1]) + abs(a[0] + a[1])) // 2


def turned(a: Vector, sixths: int) -> Vector:
    """The same vector turned counter-clockwise by so many times sixty degrees."""
    for _ in range(sixths % 6):
        a = -a[1], a[0] + a[1]
    return a


TWELVE: tuple[Vector, ...] = tuple(ray for k in range(6) for ray in (SIX[k], add(SIX[k], SIX[(k + 1) % 6])))
"""East, and on counter-clockwise, thirty degrees apart; every second one runs along a hexside."""


def bearing(a: Vector, rays: Sequence[Vector]) -> tuple[int, bool] | None:
    """Which of the rays it follows (True), or after which one, counter-clockwise, it lies (False)."""
    for k, ray in enumerate(rays):
        beyond = rays[(k + 1) % len(rays)]
        if _cross(ray, a) >= 0 and _cross(a, beyond) > 0:
            return k, _cross(ray, a) == 0
    return None


def _cross(a: Vector, b: Vector) -> int:
    return a[0] * b[1] - a[1] * b[0]
