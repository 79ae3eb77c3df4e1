"""The player aid: the charts themselves in columns, by chapter (1.1.16)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.rules.aod.charts import charts
from companion.umpire import Chart
from printouts import document as doc

CHAPTERS = {
    "3": "Aircraft movement",
    "4": "Air-to-air firing",
    "5": "Air-to-surface attacks",
    "6": "Surface-to-air firing",
    "7": "Other rules",
}
ABREAST = 3


def blocks() -> Iterator[doc.Block]:
    for chapter, title in CHAPTERS.items():
        found = [chart for chart in charts().values() if chart.rule.split(".")[0] == chapter]
        columns = tuple(tuple(b for chart in column for b in _chart(chart)) for column in _shared_out(found))
        yield doc.Keep((doc.Heading(title, 2, right=chapter), doc.Columns(columns, (1,) * ABREAST)))


def _shared_out(found: Sequence[Chart]) -> list[list[Chart]]:
    """In order, so that the columns end about level."""
    columns: list[list[Chart]] = [[] for _ in range(ABREAST)]
    heights = [0.0] * ABREAST
    for chart in found:
        shortest = heights.index(min(heights))
        columns[shortest].append(chart)
        heights[shortest] += len(chart.rows) + len(chart.natural) + 2.5
    return columns


def _chart(chart: Chart) -> Iterator[doc.Block]:
    dagger = "†" if chart.house else ""
    yield doc.Heading(f"{chart.title}{dagger}", 3, right=chart.rule)
    titles = chart.columns if len(chart.columns) > 1 else ("",)
    columns = (doc.Column(chart.dice), *(doc.Column(title, "right") for title in titles))
    rows = tuple((row.key, *map(_cell, row.cells)) for row in chart.rows)
    yield doc.Table(columns, (*rows, *((f"natural {faces}", _cell(cell)) for faces, cell in chart.natural.items())))


def _cell(cell: str | int) -> str:
    return "no" if cell == "not permitted" else str(cell)
