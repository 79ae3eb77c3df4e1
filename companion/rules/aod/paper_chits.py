"""The chits and markers that the rules name, to cut out (1.1.7 to 1.1.14), as many as lie in the box (1.1).

Shapes are the rulebook's where it names them (round chits, hexagons, angles); it gives no sizes, so those are house
sizes. What lies across points of the board follows the spacing of the points, which players measure on theirs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from companion.rules.aod.craft import COLOURS
from printouts import document as doc
from printouts.document import Circle, Drawing, Face, Ink, Label, Path, Shape

SPACING = 28.0
"""Millimetres between two points of the board, where players give none."""

DISC = 16.0
ROUND: tuple[tuple[str, str, int], ...] = (
    ("BOMB", "5.1", 24), ("ROCKET", "5.1", 24), ("TORPEDO", "5.1", 8), ("TANK", "7.2.3", 16), ("MISSION", "7.1", 10),
    ("STEEP DIVE", "3.4.2", 8), ("EVADING", "4.5.8", 10), ("RE-SLIDE", "4.2.1", 8),
    ("AA FIRED", "6.1.1", 12), ("MOVED", "1.1.9", 14), ("START", "1.1.9", 8),
)  # fmt: skip
"""Round chits: the word, the rule that needs it, how many."""

SIGNS = {"triangle": 3, "square": 4, "circle": 24}
"""What a photo chit and the zone that was photographed have in common (7.1.1), by the corners it is drawn with."""

PHOTOS, ZONES = 4, 2
"""Of each sign."""

POWER: Mapping[str, tuple[str, str]] = {"ROCKET": ("25", "15"), "TORPEDO": ("50", "50")}
"""What their two sides say besides; the powers of bombs are for players to write (5.1)."""

DAMAGE_MARKERS = {"wings": 16, "tail": 10, "engine": 10, "guns": 10}
SPEEDS: tuple[tuple[int, Ink], ...] = ((2, "white"), (7, "yellow"), (12, "green"), (17, "blue"))
"""Four kinds of speed indicator by their first number, five numbers each (3.6)."""

PILOTS: tuple[tuple[str, str, Ink], ...] = (
    ("ACE", "7.5", "red"), ("ROOKIE", "7.5", "green"), ("SOLO", "7.9", "blue"), ("SOLO", "7.9", "yellow"),
)  # fmt: skip
SHIPS = (4, 5, 6)


def chits(spacing: float = SPACING) -> Iterator[doc.Chit]:
    """All of them, grouped by size."""
    for make, count in _all(spacing).values():
        yield from [make()] * count


def named(name: str, spacing: float = SPACING) -> doc.Chit | None:
    """One chit by its name, as `kinds` lists them."""
    found = _all(spacing).get(name.strip().lower())
    return found[0]() if found else None


def kinds() -> list[str]:
    return [*_all(SPACING), BARRAGE]


def _all(spacing: float) -> Mapping[str, tuple[partial[doc.Chit], int]]:
    found = {word.lower(): (partial(_disc, word, rule), n) for word, rule, n in ROUND}
    for sign in SIGNS:
        found[f"photo {sign}"] = (partial(_photo, sign), PHOTOS)
        found[f"zone {sign}"] = (partial(_zone, sign, spacing), ZONES)
    for damage, n in DAMAGE_MARKERS.items():
        found[f"damage {damage}"] = (partial(_damage, damage), n)
    for first, ink in SPEEDS:
        found[f"speed {first}-{first + 4}"] = (partial(_speed, first, ink), 9)
    for word, rule, ink in PILOTS:
        found[f"{word} {ink}".lower()] = (partial(_pilot, word, rule, ink), 10)
    found["point"] = (partial(_hexagon, "POINT", "1.1.10", hollow=False), 18)
    found["aa gun"] = (partial(_hexagon, "AA", "6.1", hollow=True), 18)
    found["corner"] = (partial(_corner), 26)
    found["cloud"] = (partial(_weather, "CLOUD", "7.6.3", "grey"), 10)
    found["sun"] = (partial(_weather, "SUN", "7.6.2", "yellow"), 1)
    found["wind"] = (partial(_weather, "WIND", "7.6.1", "blue"), 1)
    for points in SHIPS:
        found[f"ship {points}"] = (partial(_across, "SHIP", points, 1, spacing), 2)
    found["speed calculator"] = (partial(_calculator), 2)
    return found


# --- shapes


def _piece(size: float, *shapes: Shape, alt: str, high: float = 0.0) -> doc.Chit:
    """A shape to be cut along its line, with the same on its back."""
    face = Face(symbol=Drawing(size, high or size, shapes, alt))
    return doc.Chit(face, face, size + 4, (high or size) + 4)


def _two_sided(front: doc.Chit, back: doc.Chit) -> doc.Chit:
    return replace(front, back=back.front)


def _words(middle: float, y: float, text: str, rule: str, wide: float, size: float = 4.6) -> Iterator[Shape]:
    """A long word on two lines, its rule below."""
    lines = text.split(" ")
    for n, line in enumerate(lines):
        yield Label(middle, y + (n - (len(lines) - 1) / 2) * 3.6, line, size, bold=True, fit_mm=wide)
    if rule:
        yield Label(middle, y + 2.6 + 1.8 * (len(lines) - 1), rule, 2.2)


def _disc(word: str, rule: str) -> doc.Chit:
    if word in POWER:
        return _two_sided(*(_round(f"{word} {power}", rule) for power in POWER[word]))
    return _round(word, rule)


def _round(word: str, rule: str) -> doc.Chit:
    half = DISC / 2
    arrow = [Path(((half, 1), (half - 2, 4), (half + 2, 4)), True, fill="black")] if word == "START" else []
    return _piece(DISC, Circle(half, half, half), *_words(half, half + 0.8, word, rule, 12.6), *arrow, alt=word.lower())


def _photo(sign: str) -> doc.Chit:
    half = DISC / 2
    words = _words(half, half + 3.4, "PHOTO", "7.1.1", 12.6, 4.0)
    return _piece(DISC, Circle(half, half, half), _sign(sign, half, 5.2, 2.9), *words, alt=f"photo {sign}")


def _sign(sign: str, x: float, y: float, radius: float) -> Path:
    corners = SIGNS[sign]
    return Path(_ring(corners, radius, x, y, math.pi / 4 if corners == 4 else 0.0), True, 0.4, fill="black")


def _damage(damage: str) -> doc.Chit:
    ink = COLOURS[damage]  # type: ignore[index]
    face = Face(damage[0].upper(), damage, fill=ink)  # type: ignore[arg-type]
    return doc.Chit(face, face, 10, 10)


def _pilot(word: str, rule: str, ink: Ink) -> doc.Chit:
    face = Face(word, f"{ink} {rule}", fill=ink)
    return doc.Chit(face, face, 14, 10)


def _ring(corners: int, radius: float, x: float, y: float, turned: float = 0.0) -> tuple[tuple[float, float], ...]:
    angles = [2 * math.pi * (n / corners) - math.pi / 2 + turned for n in range(corners)]
    return tuple((x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles)


def _speed(first: int, ink: Ink) -> doc.Chit:
    """Five sides with a number each; the one in force points ahead."""
    size = 22.0
    half = size / 2
    sides = Path(_ring(5, half, half, half + 1, math.pi / 5), True, fill=ink)
    numbers = [
        Label(x, y + 1.5, str(first + n), 4.2, bold=True)
        for n, (x, y) in enumerate(_ring(5, half * 0.58, half, half + 1))
    ]
    middle = Label(half, half + 1.8, "speed", 2.4)
    return _piece(size, sides, *numbers, middle, alt=f"speed {first} to {first + 4}")


def _hexagon(word: str, rule: str, *, hollow: bool) -> doc.Chit:
    size = 26.0 if hollow else 16.0
    half = size / 2
    outline = Path(_ring(6, half, half, half), True, 0.5, fill="light" if hollow else "none")
    inner = [Path(_ring(6, half * 0.5, half, half), True, 0.25, fill="white")] if hollow else []
    return _piece(size, outline, *inner, *_words(half, half + 0.6, word, rule, size * 0.42 if hollow else 12), alt=word)


def _corner() -> doc.Chit:
    """An angle as at the corner of a zone of six sides."""
    outer, inner = _ring(6, 11, 11, 11), _ring(6, 7.5, 11, 11)
    arm = Path((outer[5], outer[0], outer[1], inner[1], inner[0], inner[5]), True, 0.4, fill="light")
    return _piece(22, arm, Label(11, 8.2, "1.1.10", 2.2), alt="corner of an area", high=9)


def _weather(word: str, rule: str, ink: Ink) -> doc.Chit:
    size, half = 30.0, 15.0
    shape: Shape = Circle(half, half, half, fill=ink)
    if word == "WIND":
        shape = Path(
            ((half, 0), (size, half), (20, half), (20, size), (10, size), (10, half), (0, half)), True, fill=ink
        )
    return _piece(size, shape, *_words(half, half + 1, word, rule, 18 if word == "WIND" else 24, 5.5), alt=word.lower())


def _across(word: str, points: int, rows: int, spacing: float) -> doc.Chit:
    """What lies across adjacent points: a dot for each, as far apart as on the board."""
    wide, high = (points - 1 + (rows - 1) / 2) * spacing + 14, (rows - 1) * spacing * 0.866 + 14
    hull: tuple[tuple[float, float], ...] = ((0, 0), (wide, 0), (wide, high), (0, high))
    if rows == 1:
        hull = ((0, 3), (wide - 8, 0), (wide, high / 2), (wide - 8, high), (0, high - 3), (0, 3))
    places = [(n + row / 2, row * 0.866) for n in range(points) for row in range(rows)]
    dots = [Circle(7 + x * spacing, 7 + y * spacing, 1.2, fill="black") for x, y in places]
    beside = (spacing / 4, 4.6) if rows == 1 else (0.0, 0.0)  # off the line of the dots
    words = Label(wide / 2 + beside[0], high / 2 + beside[1], f"{word} {points * rows}", 3.6)
    return _piece(wide, Path(hull, True, 0.5, fill="light"), *dots, words, alt=f"{word.lower()} {points}", high=high)


def _zone(sign: str, spacing: float) -> doc.Chit:
    plain = _across("ZONE", 3, 2, spacing)
    drawing = plain.front.symbol
    assert isinstance(drawing, Drawing)
    mark = _sign(sign, drawing.width_mm / 2, drawing.height_mm / 2 - 7, 3.2)
    return _piece(drawing.width_mm, *drawing.shapes, mark, alt=f"zone {sign}", high=drawing.height_mm)


def _calculator() -> doc.Chit:
    """Every speed in a row under its colour; a slider of 7 mm shows where the sum stands (1.1.7)."""
    step, high = 8.0, 14.0
    inks = [ink for _, ink in SPEEDS for _ in range(5)]
    boxes = [doc.rectangle(n * step, 0, step, high, fill=ink) for n, ink in enumerate(inks)]
    numbers = [Label((n + 0.5) * step, 9, str(n + 2), 4.4, bold=True) for n in range(len(inks))]
    return _piece(step * len(inks), *boxes, *numbers, alt="speed calculator", high=high)


BARRAGE = "barrage sector"


def between_rows(spacing: float = SPACING) -> tuple[float, ...]:
    """Heights at which a barrage sector may be cut."""
    return tuple(7 + (row + 0.5) * spacing * 0.866 for row in range(5))


def barrage(spacing: float = SPACING) -> Drawing:
    """The 36 points A1 to F6, as far apart as the points of the board (1.1.12, 6.2)."""
    rise = spacing * 0.866
    wide, high = 5.5 * spacing + 14, 5 * rise + 14
    shapes: list[Shape] = [doc.rectangle(0, 0, wide, high, width_mm=0.5)]
    for row, letter in enumerate("ABCDEF"):
        for column in range(6):
            x, y = 7 + column * spacing + (row % 2) * spacing / 2, 7 + row * rise
            shapes += [Path(_ring(8, 3.4, x, y), True, 0.3), Label(x, y + 1.1, f"{letter}{column + 1}", 3.0, bold=True)]
    return Drawing(wide, high, tuple(shapes), "barrage sector, points A1 to F6")
