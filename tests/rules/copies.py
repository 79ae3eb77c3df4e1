"""Second copies of charts: text files whose blocks copy a chart each, typed from the rulebook by itself.

A head names chart, rule, dice and columns; a line is a row: its key, an equals sign, its cells.
"""

from pathlib import Path

from companion.game import lookup, shelf
from companion.umpire import Chart


def copied(file: Path) -> dict[str, str]:
    """The blocks of a copy by the chart that they copy; the first block is about the file."""
    blocks = file.read_text("utf-8").strip().split("\n\n")[1:]
    return {block.split(" | ")[0]: block for block in blocks}


def laid_out(chart: Chart) -> str:
    """A chart in the layout of a copy."""
    head = " | ".join([chart.key, chart.rule, chart.dice, *chart.columns])
    rows = [f"{row.key} = {' | '.join(map(str, row.cells))}" for row in chart.rows]
    return "\n".join([head.replace("  ", " "), *rows])


def found_by_its_words(chart: Chart, game: str) -> None:
    """Its title, its rule and each of its words find it."""
    alone = lookup.Index([shelf._page(chart, game)])
    for words in (chart.title, chart.rule, *chart.words):
        assert alone.find(words), (chart.key, words)
