"""Manoeuvre cards to print: each shows its move on hexes, the nose towards the top of the card."""

from __future__ import annotations

from math import cos, pi, sin, sqrt

from companion.grid.hexes import Hex, Side
from companion.rules.fastplay import cards
from companion.rules.fastplay.mat import flown
from companion.umpire import Context
from printouts.document import Card, Circle, Drawing, Label, Path, Shape

Point = tuple[float, float]

WIDE, HIGH = 55.0, 79.5
"""Of the field inside a card's frame."""

DAGGER = "†"


def deck_cards(craft: str, context: Context | None = None) -> tuple[Card, ...]:
    """A card for each copy in the deck of an aircraft, as this table plays them."""
    context = context or Context()
    held = cards.deck(context, cards.known_copies(context), craft)
    return tuple(card(code, craft, context) for code, count in held for _ in range(count))


def card(code: str, craft: str, context: Context | None = None) -> Card:
    return Card(front=(_front(code, craft, context or Context()),), back=(_back(craft),))


def _front(code: str, craft: str, context: Context) -> Drawing:
    manoeuvre, (path, house) = cards.manoeuvres()[code], cards.known_path(context, code)
    shapes = [
        Label(0, 10, code, 13, "start", bold=True),
        Label(WIDE, 3.5, craft, 3.4, "end", fit_mm=26),
        Label(WIDE / 2, HIGH - 6, manoeuvre.title, 5, bold=True, fit_mm=WIDE),
        Label(WIDE / 2, HIGH - 1, f"{said(path)}{f' ({DAGGER} house value)' if house else ''}", 2.8, fit_mm=WIDE),
        *move_shapes(path, (4.0, 13.0), (WIDE - 8, HIGH - 26)),
    ]
    return Drawing(WIDE, HIGH, tuple(shapes), f"{code}, {manoeuvre.title}: {path}")


def _back(craft: str) -> Drawing:
    rings: list[Shape] = [Circle(WIDE / 2, HIGH / 2, r, 0.4, ink="grey") for r in (24, 20, 16)]
    name = Label(WIDE / 2, HIGH / 2 + 2, craft, 6, bold=True, fit_mm=30)
    return Drawing(
        WIDE, HIGH, (*rings, name, Label(WIDE / 2, HIGH - 2, "Fast-Play WWII", 3)), f"back of a {craft} card"
    )


# --- the move

_WORDS = {
    "F": "ahead",
    "TL": "turn left",
    "TR": "turn right",
    "SL": "slip left",
    "SR": "slip right",
}


def said(path: str) -> str:
    """A path in words: `ahead, turn left, ahead`."""
    return ", ".join(_WORDS[step] for step in path.split())


def move_shapes(path: str, corner: Point, room: Point) -> list[Shape]:
    """Hexes, way and planes of a move, as large as the room allows and in its middle."""
    way = _way(path)
    ends = [point for at, _ in way for point in _corners(_centre(at), 1.0)]
    low, high = _bounds(ends)
    scale = min(room[0] / (high[0] - low[0]), room[1] / (high[1] - low[1]), 14.0)
    shift = tuple(c + (r - scale * (h + w)) / 2 for c, r, h, w in zip(corner, room, high, low, strict=True))

    def put(point: Point) -> Point:
        return shift[0] + scale * point[0], shift[1] + scale * point[1]

    hexes = dict.fromkeys(at for at, _ in way)
    shapes: list[Shape] = [Path(tuple(put(p) for p in _corners(_centre(at), 1.0)), True, 0.35) for at in hexes]
    shapes.append(Path(tuple(put(_centre(at)) for at in hexes), width_mm=0.7, dashed=True))
    shapes.append(Path(tuple(put(p) for p in _plane(*way[0])), True, 0.4, fill="white"))
    shapes.append(Path(tuple(put(p) for p in _plane(*way[-1])), True, 0.4, fill="black"))
    return shapes


def _way(path: str) -> list[tuple[Hex, Side]]:
    """Every hex and facing on the way, the start first."""
    way = [(Hex(0, 0), Side.E)]
    for step in path.split():
        way.append(flown(*way[-1], step))
    return way


def _centre(at: Hex) -> Point:
    """On the card ahead is up: the grid's east."""
    return -at.r * sqrt(3) / 2, -(at.q + at.r / 2)


def _corners(centre: Point, size: float) -> list[Point]:
    radius = size / sqrt(3)
    return [(centre[0] + radius * cos(pi * n / 3), centre[1] + radius * sin(pi * n / 3)) for n in range(6)]


def _plane(at: Hex, facing: Side) -> list[Point]:
    """An arrowhead that points where the nose points."""
    x, y = _centre(at)
    turn = pi / 3 * facing  # counter-clockwise from up
    outline = ((0.0, -0.36), (0.26, 0.26), (0.0, 0.12), (-0.26, 0.26))
    return [(x + a * cos(turn) + b * sin(turn), y - a * sin(turn) + b * cos(turn)) for a, b in outline]


def _bounds(points: list[Point]) -> tuple[Point, Point]:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return (min(xs), min(ys)), (max(xs), max(ys))
