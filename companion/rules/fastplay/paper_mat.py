"""The hex mat to print: every hex with its name, of true size, on sheets to cut and glue together.

The rulebook prints no mat. Its size in hexes and that of a hex are house values that a table may choose; 45 mm take
the foot of a paper aircraft, and 24 by 18 hexes of them lie on 18 sheets.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin, sqrt

from companion.grid.hexes import Side
from companion.rules.fastplay.mat import Mat
from companion.rules.fastplay.state import State
from companion.umpire import UsageError
from printouts import document as doc
from printouts import tiles

HEX_MM = 45
"""Between two opposite sides."""

LEAST_MM, MOST_MM = 20, 90
MOST_SHEETS = 120
HOUSE = "The rulebook prints no mat: number and size of its hexes are house values of Companion"

Point = tuple[float, float]


def mat(state: State | None, seat: str = "", *, hex_mm: str = "", columns: str = "", rows: str = "") -> doc.Document:
    """The table's mat, or one of the size that is asked for."""
    known = (state.mat if state else None) or Mat()
    size = Mat(_whole("columns", columns, known.columns, 8, 60), _whole("rows", rows, known.rows, 8, 60))
    flat = _whole("hex_mm", hex_mm, HEX_MM, LEAST_MM, MOST_MM)
    drawn = drawing(size, flat)
    across, down = tiles.split(drawn)
    if across * down > MOST_SHEETS:
        raise UsageError(f"That mat needs {across * down} sheets; choose fewer or smaller hexes.")
    title = f"hex mat {size.columns} by {size.rows}"
    pages = [block for sheet in tiles.sheets(drawn, title) for block in (doc.Cut(), sheet)]
    return doc.Document("Hex mat", (*_first_page(size, drawn, flat), *pages), "page", footer=HOUSE)


def _whole(field: str, given: str, otherwise: int, least: int, most: int) -> int:
    if not given:
        return otherwise
    if not given.isdecimal() or not least <= int(given[:4]) <= most:
        raise UsageError(f"{field} is {given[:20]!r}; give a whole number from {least} to {most}.")
    return int(given)


def _first_page(size: Mat, drawn: doc.Drawing, flat: int) -> Iterator[doc.Block]:
    across, down = tiles.split(drawn)
    yield doc.Heading("Hex mat")
    yield doc.Text(
        f"{size.columns} by {size.rows} hexes†, {flat} mm† between two opposite sides: "
        f"{drawn.width_mm / 10:.0f} by {drawn.height_mm / 10:.0f} cm on {across * down} sheets."
    )
    yield doc.Space(2)
    yield doc.Text(
        "Print at 100 %. Cut each sheet along its dashed lines, at the right and at the lower edge, and glue it on "
        "the sheets that its edges name, so that the hexes go on. Begin at the lower right. "
        "Half hexes at the sides belong to the mat, but no plane enters there."
    )
    yield doc.Space(4)
    yield doc.Columns(((tiles.overview(drawn, min(100.0, 25.0 * across)),), (rose(), _check_bar())), (1.6, 1.0))


def _check_bar() -> doc.Drawing:
    bar = doc.Path(((2, 3), (2, 6), (52, 6), (52, 3)), width_mm=0.2)
    return doc.Drawing(58, 13, (bar, doc.Label(27, 11, "50 mm: measure it", 3)), "a line of 50 mm")


# --- the whole mat as one drawing


def drawing(size: Mat, hex_mm: float = HEX_MM) -> doc.Drawing:
    """All hexes; the half ones end at the edge of the mat."""
    radius = hex_mm / sqrt(3)
    wide, high = size.columns * hex_mm, (1.5 * (size.rows - 1) + 2) * radius
    lines: dict[frozenset[tuple[int, int]], doc.Path] = {}
    labels = []
    for at in size.hexes():
        x, y = (at.q + at.r / 2 + 0.5) * hex_mm, high - (1.5 * at.r + 1) * radius
        for a, b in _edges(x, y, radius, wide):
            lines.setdefault(frozenset((_near(a), _near(b))), doc.Path((a, b), width_mm=0.25))
        aside = hex_mm / 4 * (1 if x <= 0 else -1)
        labels.append(doc.Label(x + aside, y + radius * 0.1, size.name(at), min(3.4, hex_mm * 0.08)))
    alt = f"a mat of {size.columns} by {size.rows} hexes"
    return doc.Drawing(wide, high, (*lines.values(), *labels), alt)


def _near(point: Point) -> tuple[int, int]:
    """Hexes beside each other reckon their common corner alike but for the last digits."""
    return round(point[0] * 100), round(point[1] * 100)


def _edges(x: float, y: float, radius: float, wide: float) -> Iterator[tuple[Point, Point]]:
    """The sides of a hex inside the mat; of half a hex also the edge of the mat."""
    corners = [(x + radius * sin(pi * n / 3), y - radius * cos(pi * n / 3)) for n in range(6)]
    for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
        if all(-0.01 < end[0] < wide + 0.01 for end in (a, b)):
            yield a, b
    if abs(x) < 0.01 or abs(x - wide) < 0.01:
        yield corners[0], corners[3]


def rose(size_mm: float = 46.0) -> doc.Drawing:
    """The six ways a nose may point, by the names that Companion gives them."""
    middle, reach = size_mm / 2, size_mm * 0.27
    corners = [_polar(middle, reach, 30 + 60 * n) for n in range(6)]
    shapes: list[doc.Shape] = [doc.Path(tuple(corners), True, 0.4)]
    for side in Side:
        tip = _polar(middle, reach * 0.7, 60 * side)
        x, y = _polar(middle, reach * 1.35, 60 * side)
        shapes += [doc.Path(((middle, middle), tip), width_mm=0.3), doc.Label(x, y + 1.3, side.name, 3.6, bold=True)]
    return doc.Drawing(size_mm, size_mm, tuple(shapes), "where a nose points: E, NE, NW, W, SW, SE", "centre")


def _polar(middle: float, reach: float, degrees: float) -> Point:
    """Counter-clockwise from the right, as the facings are counted."""
    turn = degrees * pi / 180
    return middle + reach * cos(turn), middle - reach * sin(turn)
