"""The printed mat: every hex of the table's own, by its name, and true to size."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import dist, sqrt
from typing import Any

import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.fastplay import GAME
from companion.rules.fastplay.mat import Mat
from companion.rules.fastplay.paper_mat import HEX_MM, drawing, rose
from companion.umpire import UsageError
from printouts import document as doc
from printouts import pdf, text, tiles
from tests.rules.fastplay.rig import Play, pilot

DOTS = 8
"""A millimetre in the pictures that are measured."""


def made(state: Any = None, **fields: str) -> doc.Document:
    document: doc.Document = GAME.papers["mat"].make(state, "", **fields)
    return document


def sheets(document: doc.Document) -> list[doc.Drawing]:
    return [b for b in document.blocks if isinstance(b, doc.Drawing) and b.alt.startswith("sheet")]


def table(mat: tuple[int, int]) -> Play:
    return Play(pilot("Anna", "Allies"), pilot("Karl", "Axis"), mat=mat)


@given(st.integers(8, 20), st.integers(8, 20))
def test_every_hex_of_the_mat_is_on_it_once_by_its_name(columns: int, rows: int) -> None:
    size = Mat(columns, rows)
    whole = drawing(size)
    names = [s.text for s in whole.shapes if isinstance(s, doc.Label)]
    assert Counter(names) == Counter(size.name(at) for at in size.hexes())
    labels = [(s.x, s.y) for s in whole.shapes if isinstance(s, doc.Label)]
    assert all(0 < x < whole.width_mm and 0 < y < whole.height_mm for x, y in labels)


def test_every_side_of_a_hex_is_drawn_once_and_is_as_long_as_it_should_be() -> None:
    whole = drawing(Mat(8, 9), 30)
    lines = [s.points for s in whole.shapes if isinstance(s, doc.Path)]
    side = 30 / sqrt(3)
    lengths = Counter(round(dist(*line) / side, 3) for line in lines)
    assert lengths == {1.0: len(lines) - 8, 2.0: 8}, "four rows have half hexes at both ends, cut at the mat's edge"
    middles = {tuple(round((a + b) / 2, 2) for a, b in zip(*line, strict=True)) for line in lines}
    assert len(middles) == len(lines)
    assert (whole.width_mm, whole.height_mm) == (240, pytest.approx((1.5 * 8 + 2) * side))


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_hexes_on_paper_measure_what_they_should(paper: str) -> None:
    """In the row of A17, whose hexes lie whole on the first sheet, from upright side to upright side."""
    with pypdfium2.PdfDocument(pdf.render(made(), paper)) as book:
        assert len(book) == 19
        picture = book[1].render(scale=DOTS * 25.4 / 72).to_pil().convert("L")
    middle = 12 + 5 + (2 + 0.5) * HEX_MM / sqrt(3)  # margin, head, then a row and a half of hexes
    line = [picture.getpixel((x, int(middle * DOTS))) for x in range(picture.width)]
    dark = [n / DOTS for n, (left, dot) in enumerate(pairwise(line)) if dot < 200 <= left]
    gaps = [b - a for a, b in pairwise(dark) if b - a > 20]
    assert len(gaps) == 4
    assert all(abs(gap - HEX_MM) < 0.2 for gap in gaps)


def test_a_table_gets_its_own_mat_and_others_the_size_that_they_ask_for() -> None:
    assert len(sheets(made())) == 18
    assert len(sheets(made(table((16, 14)).state))) == 4 * 3
    assert "16 by 14 hexes†, 45 mm†" in text.render(made(table((16, 14)).state), 80)
    assert len(sheets(made(table((16, 14)).state, columns="8", rows="8", hex_mm="22"))) == 1
    without = Play(pilot("Anna", "Allies"), pilot("Karl", "Axis"), keeps_hexes=False)
    assert len(sheets(made(without.state))) == 18


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"hex_mm": "15"}, "hex_mm is '15'; give a whole number from 20 to 90"),
        ({"hex_mm": "4.5"}, "hex_mm"),
        ({"columns": "61"}, "columns is '61'; give a whole number from 8 to 60"),
        ({"rows": "7"}, "rows"),
        ({"columns": "60", "rows": "60", "hex_mm": "90"}, "needs 600 sheets; choose fewer or smaller hexes"),
    ],
)
def test_a_mat_that_cannot_be_printed_is_refused_with_what_to_do(fields: dict[str, str], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        made(**fields)


def test_the_mat_says_that_it_is_a_house_value_and_how_noses_are_called() -> None:
    assert "house values" in made().footer
    assert [s.text for s in rose().shapes if isinstance(s, doc.Label)] == ["E", "NE", "NW", "W", "SW", "SE"]
    across, down = tiles.split(drawing(Mat()))
    assert (across, down) == (6, 3)
