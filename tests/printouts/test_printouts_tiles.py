"""A drawing on several sheets: nothing of it is lost or drawn twice, and every sheet fits on A4 and on Letter."""

from __future__ import annotations

from itertools import pairwise
from math import dist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from printouts import document as doc
from printouts import pdf, tiles

points = st.tuples(st.floats(0, 700), st.floats(0, 900))


def drawn(*shapes: doc.Shape, wide: float = 700, high: float = 900) -> doc.Drawing:
    return doc.Drawing(wide, high, shapes, "some lines")


def length(shapes: list[doc.Path]) -> float:
    return sum(dist(a, b) for shape in shapes for a, b in pairwise(shape.points))


def paths(sheet: doc.Drawing) -> list[doc.Path]:
    """The lines of the drawing on a sheet, without its frame."""
    return [s for s in sheet.shapes if isinstance(s, doc.Path) and s.width_mm == 0.5]


@given(st.lists(points, min_size=2, max_size=8, unique=True))
def test_the_sheets_together_have_every_bit_of_a_line_once(corners: list[tuple[float, float]]) -> None:
    line = doc.Path(tuple(corners), width_mm=0.5)
    sheets = list(tiles.sheets(drawn(line)))
    on_sheets = sum(length(paths(sheet)) for sheet in sheets)
    along_edges = sum(  # what runs along the edge of two sheets is on both
        dist(a, b)
        for a, b in pairwise(corners)
        if (abs(a[0] - b[0]) < 1e-6 and abs(a[0] % tiles.WIDE) < 1e-6)
        or (abs(a[1] - b[1]) < 1e-6 and abs(a[1] % tiles.HIGH) < 1e-6)
    )
    assert length([line]) - 0.01 <= on_sheets <= length([line]) + along_edges + 0.01


@given(st.lists(points, min_size=2, max_size=8, unique=True))
def test_no_line_of_the_drawing_leaves_its_sheet(corners: list[tuple[float, float]]) -> None:
    for sheet in tiles.sheets(drawn(doc.Path(tuple(corners), closed=True, width_mm=0.5, fill="red"))):
        for path in paths(sheet):
            assert path.fill == "none"
            assert all(3 - 1e-6 <= x <= 183 + 1e-6 and 5 - 1e-6 <= y <= 245 + 1e-6 for x, y in path.points)


def test_words_and_rings_across_an_edge_are_on_both_sheets_and_others_on_one() -> None:
    shapes = (doc.Label(180, 50, "edge"), doc.Circle(50, 240, 4), doc.Label(300, 300, "B"), doc.Circle(20, 20, 4))
    sheets = list(tiles.sheets(drawn(*shapes, wide=360, high=480)))
    words = [[s.text for s in sheet.shapes if isinstance(s, doc.Label) and s.size_mm == 3.0] for sheet in sheets]
    assert words == [["edge"], ["edge"], [], ["B"]]
    assert [sum(isinstance(s, doc.Circle) for s in sheet.shapes) for sheet in sheets] == [2, 0, 1, 0]


@pytest.mark.parametrize(("wide", "high", "split"), [(180, 240, (1, 1)), (180.1, 240, (2, 1)), (1080, 714.5, (6, 3))])
def test_no_sheet_more_than_the_drawing_needs(wide: float, high: float, split: tuple[int, int]) -> None:
    whole = drawn(wide=wide, high=high)
    assert tiles.split(whole) == split
    assert len(list(tiles.sheets(whole))) == split[0] * split[1]
    assert sum(isinstance(s, doc.Label) for s in tiles.overview(whole, 100).shapes) == split[0] * split[1]


def test_a_sheet_says_which_ones_are_joined_to_it() -> None:
    sheets = list(tiles.sheets(drawn(wide=360, high=480), "some mat"))
    words = [[s.text for s in sheet.shapes if isinstance(s, doc.Label)] for sheet in sheets]
    assert words == [
        ["Sheet 1 of 4   some mat", "cut here, glue on sheet 2", "cut here, glue on sheet 3"],
        ["Sheet 2 of 4   some mat", "cut here, glue on sheet 4"],
        ["Sheet 3 of 4   some mat", "cut here, glue on sheet 4"],
        ["Sheet 4 of 4   some mat"],
    ]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_sheet_fits_on_the_paper(paper: str) -> None:
    (sheet,) = tiles.sheets(drawn(wide=100, high=100))
    page = pdf.PAPERS[paper]
    assert sheet.width_mm <= page.wide - 2 * page.margin
    assert sheet.height_mm <= page.high - 2 * page.margin - pdf.FOOT_MM
