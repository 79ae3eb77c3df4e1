"""A sheet of 60 control panels as PDF, against 60 dense pages of a grid by reportlab itself.

The rival's page is an A4 grid of 12 columns and 40 rows, a short text in each cell, drawn by reportlab's own table; its
fonts are the built-in ones, which need no embedding. Ours embeds its type and lays out figures, rosettes and tracks.
"""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from time import process_time

from companion.rules.aod import GAME
from companion.rules.aod.figures import types
from printouts import document as doc
from printouts import pdf
from tests.benches.figure import Figure, faster

PANELS = 60
COLUMNS, ROWS = 12, 40
MOST_TIMES = 3.0
ROUNDS = 5


def panels() -> doc.Document:
    """Sixty aircraft, a panel each, through all the types of the box."""
    kinds = list(types())
    pages: list[doc.Block] = []
    for number in range(PANELS):
        pages += [doc.Cut()] if pages else []
        made = GAME.papers["panel"].make(None, "", aircraft=kinds[number % len(kinds)], numbers=str(number + 1))
        pages += made.blocks
    return doc.Document("Control panels", tuple(pages), "a5")


def ours() -> bytes:
    return pdf.render(panels())


def rival() -> bytes:
    from reportlab.lib import colors
    from reportlab.lib.pagesizes import A4
    from reportlab.platypus import PageBreak, SimpleDocTemplate, Table, TableStyle

    style = TableStyle([("GRID", (0, 0), (-1, -1), 0.25, colors.black), ("FONTSIZE", (0, 0), (-1, -1), 7)])
    story: list[object] = []
    for page in range(PANELS):
        cells = [[f"{page}.{row}.{column}" for column in range(COLUMNS)] for row in range(ROWS)]
        story += [Table(cells, style=style, rowHeights=[17] * ROWS), PageBreak()]
    out = BytesIO()
    SimpleDocTemplate(out, pagesize=A4, invariant=1).build(story)
    return out.getvalue()


def taken(do: Callable[[], bytes]) -> float:
    begin = process_time()
    do()
    return process_time() - begin


def measure() -> list[Figure]:
    assert ours() == ours(), "the sheet differs on a second run"
    assert rival()
    times = [(taken(ours), taken(rival)) for _ in range(ROUNDS)]
    mine, theirs = min(t for t, _ in times), min(t for _, t in times)
    return [faster(f"{PANELS} control panels as PDF, against {PANELS} dense grids", mine, theirs, 1 / MOST_TIMES, "s")]
