"""Charts looked up by words, by rule number or by situation, in one game or in all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from companion.game import registry
from companion.umpire import Cell, Chart

DAGGER = "†"
HOUSE = f"{DAGGER} house value: no rulebook prints it"
_WORD = re.compile(r"[\w.+-]+")


def search(words: Sequence[str] | str, game: str = "") -> list[Chart]:
    """The charts that have every word, the best first; all of them without words. Raises NoGame."""
    wanted = _split(words if isinstance(words, str) else " ".join(words))
    keys = [game] if game else list(registry.keys())
    charts = [chart for key in keys for chart in registry.game(key).charts.values()]
    ranked = [(score, chart) for chart in charts if (score := _score(chart, wanted)) > 0]
    return [chart for _, chart in sorted(ranked, key=lambda pair: -pair[0])]


def _split(text: str) -> list[str]:
    return _WORD.findall(text[:200].lower().replace("_", " "))


def _score(chart: Chart, wanted: Sequence[str]) -> int:
    """0 where a word is nowhere in the chart."""
    layers = _layers(chart)
    total = 1
    for word in wanted:
        best = _rule_score(chart.rule, word) or max(
            (weight for weight, have in layers if any(_fits(word, w) for w in have)), default=0
        )
        if not best:
            return 0
        total += best
    return total


def _rule_score(rule: str, word: str) -> int:
    """A rule number finds its own chart first, then those below it."""
    number = rule.split(":")[-1].lower()
    if word == number:
        return 20
    return 12 if word[0].isdigit() and number.startswith(word + ".") else 0


def _layers(chart: Chart) -> tuple[tuple[int, list[str]], ...]:
    inside = " ".join([*chart.columns, *(row.key for row in chart.rows)])
    cells = " ".join(str(cell) for row in chart.rows for cell in row.cells)
    return (
        (10, _split(f"{chart.key} {chart.title}")),
        (8, _split(" ".join(chart.words))),
        (4, _split(f"{chart.rule.split(':')[-1]} {inside}")),
        (2, _split(f"{cells} {chart.note}")),
    )


def _fits(word: str, have: str) -> bool:
    """The same word, its beginning, or its plural."""
    return have.startswith(word) or (len(word) > 3 and word.rstrip("s") == have.rstrip("s"))


def cell_text(chart: Chart, key: str, column: str, cell: Cell) -> str:
    """A cell as a reader sees it: house values carry the dagger."""
    return f"{cell}{DAGGER}" if (key, column) in chart.house else str(cell)


def text(chart: Chart) -> Iterator[str]:
    """A chart as lines of plain text, its columns aligned."""
    yield f"{chart.title} [{chart.rule}]" + (f"  {chart.dice}" if chart.dice else "")
    table = [["", *chart.columns]] + [
        [row.key, *(cell_text(chart, row.key, c, v) for c, v in zip(chart.columns, row.cells, strict=True))]
        for row in chart.rows
    ]
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    for row in table:
        yield "  " + "  ".join(cell.ljust(wide) for cell, wide in zip(row, widths, strict=True)).rstrip()
    for faces, label in chart.natural.items():
        yield f"  natural {faces}: {label}"
    if chart.note:
        yield f"  {chart.note}"
    if chart.house:
        yield f"  {HOUSE}"
