"""The player aid: the charts themselves in columns, air combat on its front, the rest on its back (1.1.16)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from companion.rules.aod.charts import charts
from companion.umpire import Chart
from printouts import document as doc

SIDES = {"Movement and air-to-air firing": "34", "Surface attacks, anti-aircraft fire, other rules": "567"}
"""The two sides of the sheet and the chapters on each."""

SHARES = (62.4, 38.6, 38.6, 38.6)
"""Widths of the columns; charts that would break words in a narrow one stand in the first."""

GAP_MM = 2.6
LETTER, PADDING = 1.9, 3.2
"""Millimetres that a letter takes on the page, and a cell besides its words: near enough to fill columns evenly."""


def blocks() -> Iterator[doc.Block]:
    for n, (title, chapters) in enumerate(SIDES.items()):
        if n:
            yield doc.Cut()
        found = [chart for chart in charts().values() if chart.rule[0] in chapters]
        columns = tuple(tuple(b for chart in column for b in _chart(chart)) for column in _shared_out(found))
        yield doc.Heading(title, 2, right=" ".join(chapters))
        yield doc.Columns(columns, SHARES, GAP_MM)


def _shared_out(found: Sequence[Chart]) -> list[list[Chart]]:
    """The widest charts first into the widest column while it has room, the tallest of the rest where most is left."""
    columns: list[list[Chart]] = [[] for _ in SHARES]
    heights = [0.0 for _ in SHARES]
    wide, narrow = SHARES[0], SHARES[-1]
    level = sum(_height(chart, narrow) for chart in found) / len(SHARES)
    first = []
    for chart in sorted(found, key=lambda chart: (-_unbroken(chart), -_width(chart))):
        if heights[0] + _height(chart, wide) <= level and _width(chart) > narrow:
            first.append(chart)
            heights[0] += _height(chart, wide)
    for chart in sorted(found, key=lambda chart: -_height(chart, narrow)):
        at = 0 if chart in first else heights.index(min(heights))
        columns[at].append(chart)
        heights[at] += 0 if chart in first else _height(chart, SHARES[at])
    return [sorted(column, key=found.index) for column in columns]


def _width(chart: Chart) -> float:
    """With no cell on two lines."""
    return sum(max(map(len, column)) * LETTER + PADDING for column in _columns(chart))


def _unbroken(chart: Chart) -> float:
    """With no word on two lines."""
    words = [[word for cell in column for word in cell.split(" ")] for column in _columns(chart)]
    return sum(max(map(len, column)) * LETTER + PADDING for column in words)


def _columns(chart: Chart) -> Iterator[tuple[str, ...]]:
    titles = ("",) if len(chart.columns) == 1 else chart.columns
    return zip(("", *titles), *((row.key, *map(_cell, row.cells)) for row in chart.rows), strict=True)


def _height(chart: Chart, wide: float) -> float:
    """In lines of a table; a heading and a row that are too long take two."""
    heading = math.ceil((len(chart.title) + len(chart.dice)) * LETTER * 1.1 / (wide - 12)) * 0.87 + 0.46
    over = _width(chart) - wide
    broken = sum(len(row.key) * LETTER > wide - 16 for row in chart.rows) if over > 0 else 0
    return heading + len(chart.rows) + len(chart.natural) + (len(chart.columns) > 1) + 0.8 * broken


def _chart(chart: Chart) -> Iterator[doc.Block]:
    """A chart of one column names its dice in its heading, which saves it a line."""
    one = len(chart.columns) == 1
    dice = f" ({chart.dice})" if chart.dice and one else ""
    yield doc.Heading(f"{chart.title}{'†' if chart.house else ''}{dice}", 3, right=chart.rule)
    titles = ("",) if one else chart.columns
    columns = (doc.Column("" if one else chart.dice), *(doc.Column(title, "right") for title in titles))
    signed = one and any(isinstance(cell, int) and cell < 0 for row in chart.rows for cell in row.cells)
    rows = tuple((row.key, *(_cell(cell, signed) for cell in row.cells)) for row in chart.rows)
    yield doc.Table(columns, (*rows, *((f"natural {faces}", _cell(cell)) for faces, cell in chart.natural.items())))


def _cell(cell: str | int, signed: bool = False) -> str:
    """What is added to a die is shown with its sign."""
    if signed and isinstance(cell, int) and cell > 0:
        return f"+{cell}"
    return "no" if cell == "not permitted" else str(cell)
