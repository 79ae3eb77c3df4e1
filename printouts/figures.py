"""Figures that several games draw: aircraft from above, and the rosette of six directions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from printouts.document import Circle, Drawing, Label, Path, Shape

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Plane:
    """An aircraft's plan in metres, nose at (0, 0), tail at (0, length).

    What is left at 0 follows from span and length. `engines` are distances from the middle line to one
    side, mirrored; 0 is an engine in the nose. `sweep` is how far the wing tip's leading edge lies behind
    the root's.
    """

    span: float
    length: float
    engines: tuple[float, ...] = (0.0,)
    root: float = 0.0
    tip: float = 0.0
    sweep: float = 0.0
    wing_at: float = 0.0
    tail_span: float = 0.0
    body: float = 0.0
    elliptical: bool = False
    twin_boom: bool = False
    jet: bool = False

    @property
    def chord(self) -> float:
        """The wing's depth at its root."""
        return self.root or self.span * 0.21

    @property
    def lead(self) -> float:
        """Where the wing's leading edge meets the body."""
        return self.wing_at or self.length * 0.27


def plan_view(it: Plane, width_mm: float, alt: str = "") -> Drawing:
    """The aircraft from above, nose up, its span as wide as asked."""
    scale = width_mm / it.span

    def at(points: Iterator[Point] | list[Point]) -> tuple[Point, ...]:
        return tuple((width_mm / 2 + x * scale, 1.0 + y * scale) for x, y in points)

    shapes: list[Shape] = [Path(at(part), True, 0.3, fill="white") for part in _surfaces(it)]
    shapes += [Path(at(part), True, 0.3, fill="white") for part in _bodies(it)]
    if not it.jet:
        shapes += [Path(at(blade), False, 0.5) for blade in _propellers(it)]
    shapes.append(Path(at(_ellipse(0, it.length * 0.36, _body(it) * 0.3, it.length * 0.07)), True, 0.2, fill="grey"))
    return Drawing(width_mm, it.length * scale + 2.0, tuple(shapes), alt or "the aircraft from above")


def _body(it: Plane) -> float:
    return it.body or max(1.0, it.length * 0.115)


def _surfaces(it: Plane) -> Iterator[list[Point]]:
    lead, root, half = it.lead, it.chord, it.span / 2
    tip = it.tip or root * 0.5
    sweep = it.sweep or (root - tip) * 0.4
    if it.elliptical:
        yield [(x, lead + root * 0.4 + y * (1.0 if y > 0 else 0.66)) for x, y in _ellipse(0, 0, half, root * 0.6)]
    else:
        yield _wing(half, lead, root, tip, sweep)
    tail = (it.tail_span or it.span * 0.34) / 2
    yield _wing(tail, it.length * 0.84, root * 0.52, root * 0.3, root * 0.1)


def _wing(half: float, lead: float, root: float, tip: float, sweep: float) -> list[Point]:
    """A trapezoid on both sides whose tips are rounded off a little."""
    inner = half * 0.96
    side = [(0.0, lead), (inner, lead + sweep), (half, lead + sweep + tip * 0.3), (half, lead + sweep + tip * 0.8)]
    side += [(inner, lead + sweep + tip), (0.0, lead + root)]
    return side + [(-x, y) for x, y in reversed(side)]


def _bodies(it: Plane) -> Iterator[list[Point]]:
    lead, root = it.lead, it.chord
    for x in _both_sides(it):
        ahead = _nose(it, x)
        behind = it.length if it.twin_boom else lead + root * (1.1 if it.jet else 0.85)
        yield _spindle(x, ahead, behind, _body(it) * (0.75 if it.jet else 0.6))
    end = lead + root * 1.15 if it.twin_boom else it.length
    yield _spindle(0, 0, end, _body(it))


def _both_sides(it: Plane) -> list[float]:
    return [side * x for x in it.engines if x for side in (-1, 1)]


def _nose(it: Plane, x: float) -> float:
    return it.lead - it.length * 0.1 + abs(x) * 0.02 if x else 0.0


def _propellers(it: Plane) -> Iterator[list[Point]]:
    reach = min(it.length * 0.16, 1.75)
    for x in [0.0] * (0 in it.engines) + _both_sides(it):
        yield [(x - reach, _nose(it, x) + 0.12), (x + reach, _nose(it, x) + 0.12)]


def _spindle(x: float, start: float, end: float, wide: float) -> list[Point]:
    """A round-nosed body that tapers to its tail."""
    profile = [(0.0, 0.1), (0.02, 0.55), (0.08, 0.9), (0.2, 1.0), (0.45, 0.95), (0.7, 0.6), (0.9, 0.3), (1.0, 0.08)]
    side = [(wide / 2 * part, start + (end - start) * along) for along, part in profile]
    return [(x + half, y) for half, y in side] + [(x - half, y) for half, y in reversed(side)]


def _ellipse(x: float, y: float, rx: float, ry: float, count: int = 36) -> list[Point]:
    turns = [2 * math.pi * n / count for n in range(count)]
    return [(x + rx * math.sin(t), y - ry * math.cos(t)) for t in turns]


def rosette(fields: tuple[tuple[str, str, str], ...], size_mm: float = 40.0, alt: str = "") -> Drawing:
    """Six directions, clockwise from ahead, each with its value above, on and below the line.

    An empty value stays blank; the middle value is the large one.
    """
    middle, reach = size_mm / 2, size_mm / 2 - 0.5
    corners = [_polar(middle, reach, 60 * n + 30) for n in range(6)]
    shapes: list[Shape] = [Path(tuple(corners), True, 0.4)]
    shapes += [Path((_polar(middle, reach * 0.2, 60 * n + 30), corners[n]), False, 0.25) for n in range(6)]
    shapes.append(Circle(middle, middle, reach * 0.2, 0.25))
    nose = [_polar(middle, reach * 0.16, turn) for turn in (0, 145, 215)]
    shapes.append(Path(tuple(nose), True, 0.1, fill="black"))
    for number, (above, on, below) in enumerate(fields):
        x, y = _polar(middle, reach * 0.58, 60 * number)
        large, small = size_mm * 0.12, size_mm * 0.075
        shapes += [Label(x, y + large * 0.36, on, large, bold=True)] if on else []
        shapes += [Label(x, y - large * 0.62, above, small)] if above else []
        shapes += [Label(x, y + large * 0.62 + small * 0.72, below, small)] if below else []
    return Drawing(size_mm, size_mm, tuple(shapes), alt or _said(fields))


def _polar(middle: float, radius: float, degrees: float) -> Point:
    turn = math.radians(degrees)
    return middle + radius * math.sin(turn), middle - radius * math.cos(turn)


def _said(fields: tuple[tuple[str, str, str], ...]) -> str:
    return "firepower clockwise from ahead: " + "; ".join("/".join(part or "-" for part in field) for field in fields)
