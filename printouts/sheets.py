"""Sheets of chits and cards: true size, cut marks outside the bleed, backs that register in duplex."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from printouts import PrintError, boxes
from printouts.document import Block, Card, Chit, Drawing, Face, Sheet, rectangle
from printouts.flow import Flow
from printouts.pen import Pen
from printouts.strips import stacked

Piece = Chit | Card
MARK, GAP = 3.0, 0.7  # length of a cut mark, and its distance from the bleed
BAR = 50.0
EDGE = 6.0  # nothing is printed nearer to the paper's edge than 5 mm
FOOT = 5.0


class PieceTooLarge(PrintError, ValueError):
    """Which piece does not fit on the paper."""


@dataclass(frozen=True, slots=True)
class Field:
    """Rows of pieces of one size on one page; one straight cut goes through all of them."""

    pieces: tuple[Piece, ...]
    across: int
    left: float
    top: float
    bleed: float

    @property
    def rows(self) -> int:
        return -(-len(self.pieces) // self.across)

    def xs(self) -> list[float]:
        """Left edges of the columns."""
        return [self.left + n * (self.pieces[0].width_mm + 2 * self.bleed) for n in range(self.across)]

    def ys(self) -> list[float]:
        """Upper edges of the rows."""
        return [self.top + n * (self.pieces[0].height_mm + 2 * self.bleed) for n in range(self.rows)]


def pages(sheet: Sheet, wide: float, high: float) -> Iterator[list[Field]]:
    """The sheet's fields, page by page."""
    around = sheet.bleed_mm + GAP + MARK
    first, bottom = EDGE + around, high - EDGE - FOOT - around
    page: list[Field] = []
    y = first
    for (width, height), group in groupby(sheet.pieces, lambda piece: (piece.width_mm, piece.height_mm)):
        across = _count(wide - 2 * first, width, sheet.bleed_mm)
        left = list(group)
        if not across or not _count(bottom - first, height, sheet.bleed_mm):
            raise PieceTooLarge(f"A piece of {width:g} x {height:g} mm does not fit: choose a larger paper.")
        while left:
            rows = _count(bottom - y, height, sheet.bleed_mm)
            if not rows:
                yield page
                page, y = [], first
                continue
            pieces, left = tuple(left[: rows * across]), left[rows * across :]
            page.append(_field(pieces, min(across, len(pieces)), wide, y, sheet.bleed_mm))
            y = page[-1].ys()[-1] + height + 2 * around
    if page:
        yield page


def _count(room: float, size: float, bleed: float) -> int:
    """How many pieces of a size stand in a row where the bleed of the outer ones has room beside it."""
    return int((room + 2 * bleed) / (size + 2 * bleed) + 1e-6)


def _field(pieces: tuple[Piece, ...], across: int, wide: float, y: float, bleed: float) -> Field:
    """A field in the middle of the page, so that its backs lie behind it when mirrored."""
    taken = across * pieces[0].width_mm + (across - 1) * 2 * bleed
    return Field(pieces, across, (wide - taken) / 2, y, bleed)


def draw(pen: Pen, page: list[Field], wide: float, high: float, back: bool = False) -> None:
    """One side of a page; backs are mirrored for a flip on the long edge."""
    for field in page:
        xs = list(reversed(field.xs())) if back else field.xs()
        for number, piece in enumerate(field.pieces):
            row, column = divmod(number, field.across)
            _piece(pen, piece, xs[column], field.ys()[row], field.bleed, back)
        if not back:
            _marks(pen, field)
    if not back:
        _check_bar(pen, (wide - BAR) / 2, high - EDGE - 3)


def _piece(pen: Pen, piece: Piece, x: float, y: float, bleed: float, back: bool) -> None:
    side = piece.back if back else piece.front
    if isinstance(side, Face):
        pen.drawing(x - bleed, y - bleed, _bordered(side, piece, bleed))
    elif side:
        _card(pen, piece, side, x, y)


def _bordered(side: Face, piece: Piece, bleed: float) -> Drawing:
    drawing = boxes.face(side, piece.width_mm, piece.height_mm, bleed)
    if side.fill != "none" or side.heavy:
        return drawing
    outline = rectangle(bleed, bleed, piece.width_mm, piece.height_mm, width_mm=0.1)  # a white one shows its cut
    return replace(drawing, shapes=(*drawing.shapes, outline))


def _card(pen: Pen, piece: Piece, blocks: tuple[Block, ...], x: float, y: float) -> None:
    pen.rectangle(x + 1.5, y + 1.5, piece.width_mm - 3, piece.height_mm - 3, 0.4)
    inner_wide, inner_high = piece.width_mm - 8, piece.height_mm - 8
    size = 3.2
    inner = stacked(Flow(size, inner_high).strips(blocks, inner_wide))
    while inner.height > inner_high and size > 1.6:
        size -= 0.2
        inner = stacked(Flow(size, inner_high).strips(blocks, inner_wide))
    inner.draw(pen, x + 4, y + 4)


def _marks(pen: Pen, field: Field) -> None:
    """Cut marks in the white around a field: they start beyond the bleed and never touch a piece."""
    wide, tall = field.pieces[0].width_mm, field.pieces[0].height_mm
    clear = field.bleed + GAP
    xs, ys = field.xs(), field.ys()
    top, bottom, left, right = ys[0] - clear, ys[-1] + tall + clear, xs[0] - clear, xs[-1] + wide + clear
    for x in sorted({round(edge, 6) for start in xs for edge in (start, start + wide)}):
        pen.line(x, top - MARK, x, top, 0.1)
        pen.line(x, bottom, x, bottom + MARK, 0.1)
    for y in sorted({round(edge, 6) for start in ys for edge in (start, start + tall)}):
        pen.line(left - MARK, y, left, y, 0.1)
        pen.line(right, y, right + MARK, y, 0.1)


def _check_bar(pen: Pen, x: float, y: float) -> None:
    """A bar of exactly 50.0 mm from outer edge to outer edge."""
    thin = 0.2
    pen.rectangle(x, y - thin, BAR, thin, 0, "black")
    for n in range(6):
        tall = 2.0 if n in (0, 5) else 1.2
        pen.rectangle(x + n * (BAR - thin) / 5, y - tall, thin, tall, 0, "black")
    pen.text(x + BAR + 2, y, "50.0 mm: print at 100 %", 2.4)
