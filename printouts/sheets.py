"""Sheets of chits and cards: true size, cut marks outside the bleed, backs that register in duplex."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from printouts import PrintError, boxes
from printouts.document import Card, Chit, Drawing, Face, Sheet, rectangle
from printouts.flow import Flow, stacked
from printouts.pen import Pen

Piece = Chit | Card
MARK, GAP = 3.0, 0.7  # length of a cut mark, and its distance from the bleed
BAR = 50.0
EDGE = 6.0  # nothing is printed nearer to the paper's edge than 5 mm
FOOT = 9.0


class PieceTooLarge(PrintError, ValueError):
    """Which piece does not fit on the paper."""


@dataclass(frozen=True, slots=True)
class Row:
    """Pieces of one size side by side."""

    pieces: tuple[Piece, ...]
    y: float


def pages(sheet: Sheet, wide: float, high: float) -> Iterator[list[Row]]:
    """The sheet's rows, page by page."""
    around = sheet.bleed_mm + GAP + MARK
    page: list[Row] = []
    y = EDGE + around
    for row in _rows(sheet, wide - 2 * (EDGE + around)):
        tall = row[0].height_mm
        if page and y + tall + around > high - EDGE - FOOT:
            yield page
            page, y = [], EDGE + around
        if y + tall + around > high - EDGE - FOOT:
            raise PieceTooLarge(f"A piece of {tall:g} mm does not fit on this paper: choose a larger one.")
        page.append(Row(row, y))
        y += tall + 2 * sheet.bleed_mm + 2 * GAP + MARK
    if page:
        yield page


def _rows(sheet: Sheet, wide: float) -> Iterator[tuple[Piece, ...]]:
    for (width, _), group in groupby(sheet.pieces, lambda piece: (piece.width_mm, piece.height_mm)):
        count = int((wide + 2 * sheet.bleed_mm) / (width + 2 * sheet.bleed_mm) + 1e-6)
        if count < 1:
            raise PieceTooLarge(f"A piece of {width:g} mm does not fit on this paper: choose a larger one.")
        pieces = list(group)
        for start in range(0, len(pieces), count):
            yield tuple(pieces[start : start + count])


def places(row: Row, sheet: Sheet, wide: float) -> list[float]:
    """Left edges of a row's pieces, the row standing in the middle of the page so that backs can mirror it."""
    pitch = row.pieces[0].width_mm + 2 * sheet.bleed_mm
    left = (wide - pitch * len(row.pieces)) / 2 + sheet.bleed_mm
    return [left + pitch * n for n in range(len(row.pieces))]


def draw(pen: Pen, page: list[Row], sheet: Sheet, wide: float, high: float, back: bool = False) -> None:
    """One side of a page; backs are mirrored for a flip on the long edge."""
    for row in page:
        at = places(row, sheet, wide)
        for piece, x in zip(row.pieces, reversed(at) if back else at, strict=True):
            _piece(pen, piece, x, row.y, sheet.bleed_mm, back)
        if not back:
            _marks(pen, row, at, sheet.bleed_mm)
    if not back:
        _check_bar(pen, (wide - BAR) / 2, high - EDGE - 3)


def _piece(pen: Pen, piece: Piece, x: float, y: float, bleed: float, back: bool) -> None:
    side = piece.back if back else piece.front
    if not side:
        return
    if isinstance(side, Face):
        pen.drawing(x - bleed, y - bleed, _bordered(side, piece, bleed))
    else:
        _card(pen, piece, side if isinstance(side, tuple) else (), x, y)


def _bordered(side: Face, piece: Piece, bleed: float) -> Drawing:
    drawing = boxes.face(side, piece.width_mm, piece.height_mm, bleed)
    if side.fill != "none" or side.heavy:
        return drawing
    # A white chit shows where it ends, a hair inside the cut.
    outline = rectangle(bleed + 0.4, bleed + 0.4, piece.width_mm - 0.8, piece.height_mm - 0.8, width_mm=0.15)
    return replace(drawing, shapes=(*drawing.shapes, outline))


def _card(pen: Pen, piece: Piece, blocks: tuple, x: float, y: float) -> None:  # type: ignore[type-arg]
    pen.rectangle(x + 1.5, y + 1.5, piece.width_mm - 3, piece.height_mm - 3, 0.4)
    inner_wide, inner_high = piece.width_mm - 8, piece.height_mm - 8
    size = 3.2
    inner = stacked(Flow(size, inner_high).strips(blocks, inner_wide))
    while inner.height > inner_high and size > 1.6:
        size -= 0.2
        inner = stacked(Flow(size, inner_high).strips(blocks, inner_wide))
    inner.draw(pen, x + 4, y + 4)


def _marks(pen: Pen, row: Row, at: list[float], bleed: float) -> None:
    """Cut marks in the white around a row: they start beyond the bleed and never touch a piece."""
    wide, tall = row.pieces[0].width_mm, row.pieces[0].height_mm
    top, bottom = row.y - bleed - GAP, row.y + tall + bleed + GAP
    for x in [edge for left in at for edge in (left, left + wide)]:
        pen.line(x, top - MARK, x, top, 0.1)
        pen.line(x, bottom, x, bottom + MARK, 0.1)
    left, right = at[0] - bleed - GAP, at[-1] + wide + bleed + GAP
    for y in (row.y, row.y + tall):
        pen.line(left - MARK, y, left, y, 0.1)
        pen.line(right, y, right + MARK, y, 0.1)


def _check_bar(pen: Pen, x: float, y: float) -> None:
    pen.line(x, y, x + BAR, y, 0.3)
    for n in range(6):
        pen.line(x + n * 10, y - (2 if n in (0, 5) else 1.2), x + n * 10, y, 0.3)
    pen.text(x + BAR + 2, y, "50.0 mm: print at 100 %", 2.4)
