"""Paper aircraft to cut out and fold, with markings of our own.

The aircraft from above is split along its middle line, and a strip between the halves folds down to a stand: two
sides and a foot. From above the halves meet again.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import cos, pi, sin, sqrt
from pathlib import Path as File

import msgspec

from companion.packs.source import read_source
from companion.rules.fastplay.aircraft import aircraft
from printouts.document import Circle, Drawing, Label, Path, Shape
from printouts.figures import Plane, plan_view

Point = tuple[float, float]

SCALE = 1000 / 144
"""Millimetres on paper for a metre."""
SIDE, FOOT = 11.0, 12.0
STRIP = 2 * SIDE + FOOT


@cache
def planforms() -> dict[str, Plane]:
    source = read_source(File(__file__).with_name("planforms.toml"))
    return msgspec.convert(source.data["planform"], dict[str, Plane])


def seen_from_above(craft: str, width_mm: float) -> Drawing:
    return plan_view(planforms()[craft], width_mm, f"{craft} from above")


def net(craft: str, pilot: str = "") -> Drawing:
    """The aircraft to cut out in a scale of 1:144; cut along the lines, fold along the dashes."""
    form = planforms()[craft]
    above = seen_from_above(craft, form.span * SCALE)
    middle = above.width_mm / 2
    stand = above.height_mm * 0.2, above.height_mm * (0.6 if form.twin_boom else 0.72)
    marked = (*above.shapes, *_markings(form, aircraft(craft).nation, middle))
    shapes: list[Shape] = []
    for left in (True, False):
        shapes += [part for shape in marked for part in _half(shape, middle, stand, left)]
    shapes += _stand(middle, stand, craft, pilot)
    return Drawing(above.width_mm + STRIP, above.height_mm, tuple(shapes), f"{craft} to cut out and fold", "centre")


def folded() -> Drawing:
    """Seen from the front when it is done: a triangle under flat wings."""
    (left, middle, right), wing, foot = (4.0, 38.0, 72.0), 7.0, 7.0 + sqrt(SIDE**2 - (FOOT / 2) ** 2)
    shapes: list[Shape] = [
        Path(((left, wing), (middle - 0.4, wing)), width_mm=0.7),
        Path(((middle + 0.4, wing), (right, wing)), width_mm=0.7),
        Path(((middle - 0.4, wing), (middle - FOOT / 2, foot), (middle + FOOT / 2, foot), (middle + 0.4, wing))),
        Label(middle, wing - 2, "tape along the top", 2.8),
        *(Label(x, wing + 4, "wing", 2.8) for x in (left + 12, right - 12)),
        *(Label(middle + x, foot - 4, "side", 2.6) for x in (-10, 10)),
        Label(middle, foot + 3.4, "foot", 2.8),
    ]
    return Drawing(76, 22, tuple(shapes), "from the front: flat wings on a stand of two sides and a foot", "centre")


# --- the halves


def _half(shape: Shape, middle: float, stand: Point, left: bool) -> list[Shape]:
    """What lies on one side of the middle line, moved aside by the strip."""
    move = 0.0 if left else STRIP
    if isinstance(shape, Circle):
        return [replace(shape, x=shape.x + move)] if (shape.x < middle) == left else []
    if not isinstance(shape, Path) or not shape.closed:
        return []  # propeller blades: nobody cuts them out
    points = tuple((x + move, y) for x, y in _clipped(shape.points, middle, left))
    if not points:
        return []
    return [replace(shape, points=points, width_mm=0.0), *_outline(points, middle + move, stand, shape.width_mm)]


def _clipped(points: tuple[Point, ...], middle: float, left: bool) -> list[Point]:
    """The part of a polygon on one side of the middle line."""
    kept: list[Point] = []
    for (x, y), (u, v) in zip(points, points[1:] + points[:1], strict=True):
        inside, next_inside = (x <= middle) == left or x == middle, (u <= middle) == left or u == middle
        if inside:
            kept.append((x, y))
        if inside != next_inside:
            kept.append((middle, y + (v - y) * (middle - x) / (u - x)))
    return kept


def _outline(points: tuple[Point, ...], middle: float, stand: Point, width_mm: float) -> list[Shape]:
    """The edges of a half; along the middle line only where no stand is joined to it."""
    shapes: list[Shape] = []
    for a, b in zip(points, points[1:] + points[:1], strict=True):
        along = abs(a[0] - middle) + abs(b[0] - middle) < 1e-6
        parts = _without(a, b, stand) if along else [(a, b)]
        shapes += [Path(part, width_mm=width_mm) for part in parts]
    return shapes


def _without(a: Point, b: Point, stand: Point) -> list[tuple[Point, Point]]:
    """A level-sided line less the part beside the stand."""
    x, (low, high) = a[0], sorted((a[1], b[1]))
    parts = ((low, min(high, stand[0])), (max(low, stand[1]), high))
    return [((x, start), (x, end)) for start, end in parts if start < end]


# --- the stand


def _stand(middle: float, ends: Point, craft: str, pilot: str) -> list[Shape]:
    """Two sides and a foot between the halves: a triangle under the aircraft when it is folded."""
    left, right, (top, bottom) = middle, middle + STRIP, ends
    shapes: list[Shape] = [Path(((left, y), (right, y)), width_mm=0.3) for y in (top, bottom)]
    for x in (left, left + SIDE, right - SIDE, right):
        shapes.append(Path(((x, top), (x, bottom)), width_mm=0.25, dashed=True))
    centre, half = (top + bottom) / 2, bottom - top - 2
    for x, text in ((left + SIDE / 2, pilot or craft), (right - SIDE / 2, pilot or craft)):
        shapes.append(Label(x + 1.2, centre, text, 4.0, bold=True, angle=90, fit_mm=half))
    shapes.append(Label(middle + STRIP / 2 + 1, centre, f"{craft}: foot", 3.0, angle=90, fit_mm=half))
    return shapes


# --- markings


def _markings(form: Plane, nation: str, middle: float) -> list[Shape]:
    """One on each wing, drawn plainly in the manner of the nation."""
    radius = form.chord * 0.2 * SCALE
    y = 1.0 + (form.lead + form.sweep * 0.6 + form.chord * 0.47) * SCALE
    out = form.span * 0.32 * SCALE
    draw = {"Britain": _roundel, "United States": _star, "Germany": _cross, "Japan": _disc}[nation]
    return [shape for side in (-1, 1) for shape in draw(middle + side * out, y, radius)]


def _roundel(x: float, y: float, radius: float) -> list[Shape]:
    parts = ((1.0, "blue"), (0.7, "white"), (0.38, "red"))
    return [Circle(x, y, radius * size, 0.2, fill=ink) for size, ink in parts]  # type: ignore[arg-type]


def _star(x: float, y: float, radius: float) -> list[Shape]:
    reach = (0.92, 0.36)
    points = tuple(
        (x + radius * reach[n % 2] * sin(n * pi / 5), y - radius * reach[n % 2] * cos(n * pi / 5)) for n in range(10)
    )
    return [Circle(x, y, radius, 0.2, fill="blue"), Path(points, True, 0.2, fill="white")]


def _cross(x: float, y: float, radius: float) -> list[Shape]:
    return [
        Path(_plus(x, y, radius, 0.36), True, 0.2, fill="white"),
        Path(_plus(x, y, radius * 0.95, 0.22), True, 0.0, fill="black"),
    ]


def _plus(x: float, y: float, reach: float, thick: float) -> tuple[Point, ...]:
    arm = reach * thick
    quarter = [(arm, -reach), (arm, -arm), (reach, -arm)]
    points: list[Point] = []
    for turn in range(4):
        for a, b in quarter:
            for _ in range(turn):
                a, b = -b, a
            points.append((x + a, y + b))
    return tuple(points)


def _disc(x: float, y: float, radius: float) -> list[Shape]:
    return [Circle(x, y, radius, 0.2, fill="red")]
