"""A drawing larger than the paper, on sheets of true size with lines and marks by which they are cut and joined.

A sheet has the same size on A4 and on Letter, so that a drawing begun on one may go on on the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import ceil

from printouts.document import Circle, Drawing, Label, Path, Shape, rectangle

WIDE, HIGH = 180.0, 240.0
"""Of the drawing, on one sheet."""

_LEFT, _TOP, _RIGHT, _FOOT = 3.0, 5.0, 3.0, 3.5
_TICK = 2.5
_SLACK = 1e-6

Point = tuple[float, float]


def split(drawing: Drawing) -> tuple[int, int]:
    """How many sheets lie beside each other, and how many below each other."""
    return _count(drawing.width_mm, WIDE), _count(drawing.height_mm, HIGH)


def _count(mm: float, sheet: float) -> int:
    return max(1, ceil(mm / sheet - _SLACK))


def sheets(drawing: Drawing, title: str = "") -> Iterator[Drawing]:
    """Every sheet in reading order; its head says which one it is, its edges which one is joined there."""
    across, down = split(drawing)
    for number in range(1, across * down + 1):
        row, column = divmod(number - 1, across)
        beside = (number + 1 if column < across - 1 else 0, number + across if row < down - 1 else 0)
        head = f"Sheet {number} of {across * down}   {title}".rstrip()
        shapes = [*_frame(head, *beside), *_part(drawing, column * WIDE, row * HIGH)]
        wide, high = WIDE + _LEFT + _RIGHT, HIGH + _TOP + _FOOT
        yield Drawing(wide, high, tuple(shapes), f"sheet {number}: {drawing.alt}")


def overview(drawing: Drawing, wide: float) -> Drawing:
    """How the sheets lie, by number."""
    across, down = split(drawing)
    x, y = wide / across, wide / across * HIGH / WIDE
    shapes: list[Shape] = []
    for number in range(across * down):
        row, column = divmod(number, across)
        shapes.append(rectangle(column * x, row * y, x, y))
        shapes.append(Label((column + 0.5) * x, (row + 0.5) * y + x * 0.12, str(number + 1), x * 0.35, bold=True))
    return Drawing(wide, y * down, tuple(shapes), f"{across} sheets beside each other, {down} below each other")


def _frame(head: str, right: int, below: int) -> Iterator[Shape]:
    """The sheet's name, its corners, and lines to cut along where another one is joined."""
    yield Label(_LEFT, _TOP - 1.6, head, 2.8, "start")
    low, high = (_LEFT, _TOP), (_LEFT + WIDE, _TOP + HIGH)
    for x, out in ((low[0], -_TICK), (high[0], _TICK)):
        for y in (low[1], high[1]):
            yield Path(((x, y), (x + out, y)), width_mm=0.1)
    for y, out in ((low[1], -1.0), (high[1], _TICK)):
        for x in (low[0], high[0]):
            yield Path(((x, y), (x, y + out)), width_mm=0.1)
    if right:
        yield Path(((high[0], low[1]), high), width_mm=0.1, dashed=True)
        yield Label(high[0] + 1.2, (low[1] + high[1]) / 2, f"cut here, glue on sheet {right}", 2.2, angle=90)
    if below:
        yield Path(((low[0], high[1]), high), width_mm=0.1, dashed=True)
        yield Label((low[0] + high[0]) / 2, high[1] + 2.6, f"cut here, glue on sheet {below}", 2.2)


def _part(drawing: Drawing, left: float, top: float) -> Iterator[Shape]:
    """What of the drawing lies on this sheet."""
    move = _LEFT - left, _TOP - top
    for shape in drawing.shapes:
        if isinstance(shape, Path):
            yield from _lines(shape, (left, top), move)
        elif isinstance(shape, (Circle, Label)) and _touches(shape, left, top):
            yield replace(shape, x=shape.x + move[0], y=shape.y + move[1])


def _touches(shape: Circle | Label, left: float, top: float) -> bool:
    """Whether a bit of it may lie on the sheet; what crosses its edge is drawn on both sheets."""
    reach = shape.radius if isinstance(shape, Circle) else shape.size_mm * max(1.0, len(shape.text) * 0.4)
    return left - reach < shape.x < left + WIDE + reach and top - reach < shape.y < top + HIGH + reach


def _lines(path: Path, corner: Point, move: Point) -> Iterator[Path]:
    ends = path.points[1:] + path.points[:1] if path.closed else path.points[1:]
    for a, b in zip(path.points, ends, strict=False):
        if found := _clipped(a, b, corner):
            points = tuple((x + move[0], y + move[1]) for x, y in found)
            yield replace(path, points=points, closed=False, fill="none")


def _clipped(a: Point, b: Point, corner: Point) -> tuple[Point, Point] | None:
    """The part of a line on the sheet, None where it has none (Liang and Barsky)."""
    begin, end = 0.0, 1.0
    for axis, size in enumerate((WIDE, HIGH)):
        way, off = b[axis] - a[axis], a[axis] - corner[axis]
        if abs(way) < _SLACK:
            if not -_SLACK <= off <= size + _SLACK:
                return None
            continue
        first, last = sorted((-off / way, (size - off) / way))
        begin, end = max(begin, first), min(end, last)
    if end - begin < _SLACK:
        return None
    return _along(a, b, begin), _along(a, b, end)


def _along(a: Point, b: Point, part: float) -> Point:
    return a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part
