"""A document as PDF, drawn straight on the canvas: true size, embedded fonts, the same bytes every time."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from printouts import PrintError, sheets
from printouts.document import Document, Sheet
from printouts.flow import Flow
from printouts.marks import banners, feet, rules_beside
from printouts.pen import MM, Pen, width
from printouts.strips import Strip, paged
from printouts.words import clean


class UnknownPaper(PrintError, ValueError):
    """Which paper name is not known."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper in millimetres; a roll has no height of its own."""

    wide: float
    high: float = 0.0
    margin: float = 12.0
    size: float = 3.6

    @property
    def roll(self) -> bool:
        return not self.high


PAPERS = {
    "a4": Paper(210, 297),
    "letter": Paper(215.9, 279.4),
    "a5": Paper(148, 210, 8, 3.2),
    "80": Paper(80, 0, 5.5, 3.1),
    "58": Paper(58, 0, 5.5, 2.8),
}
OWN = {"slip": "80", "page": "a4", "a5": "a5"}
SLIP_MM = 84.0  # a slip on a page stays as narrow as it reads well
FOOT_MM = 6.0
ROLL_MM = 4800.0  # viewers refuse pages of more than 200 inches


def paper_named(name: str, landscape: bool = False) -> Paper:
    """The paper of that name, turned where a document asks for it."""
    try:
        paper = PAPERS[name.lower()]
    except KeyError:
        raise UnknownPaper(f"There is no paper {name!r}: choose one of {', '.join(PAPERS)}.") from None
    if landscape and not paper.roll:
        return Paper(paper.high, paper.wide, paper.margin, paper.size)
    return paper


def render(doc: Document, paper: str = "", *, offset_mm: tuple[float, float] = (0.0, 0.0), banner: str = "") -> bytes:
    """The document on the named paper, or on what it was made for.

    `offset_mm` moves the backs of sheets to suit a duplex printer; `banner` is a word across the head.
    """
    size = paper_named(paper or OWN[doc.paper], doc.landscape)
    return _Book(doc, size, offset_mm, banner).bytes()


class _Book:
    def __init__(self, doc: Document, paper: Paper, offset: tuple[float, float], banner: str) -> None:
        self.doc, self.paper, self.offset = doc, paper, offset
        self.banners = banners(doc, clean(banner))
        self.foot = "   ".join(map(clean, feet(doc)))
        across = paper.wide - 2 * paper.margin
        self.wide = min(across, SLIP_MM) if doc.paper == "slip" else across
        self.limit = ROLL_MM if paper.roll else paper.high - 2 * paper.margin - FOOT_MM
        self.flow = Flow(paper.size, self.limit, _inset(doc, paper.size))

    def bytes(self) -> bytes:
        out = io.BytesIO()
        self.canvas = self._canvas(out)
        pages = list(self._pages())
        for number, page in enumerate(pages, 1):
            page(f"{number} / {len(pages)}" if len(pages) > 1 else "")
            self.canvas.showPage()
        self.canvas.save()
        return out.getvalue()

    def _canvas(self, out: io.BytesIO) -> Any:
        from reportlab.pdfgen.canvas import Canvas

        canvas = Canvas(out, pageCompression=1, invariant=1)
        canvas.setTitle(clean(self.doc.title))
        canvas.setCreator("Companion")
        canvas.setViewerPreference("PrintScaling", "None")
        return canvas

    def _pages(self) -> Iterator[Any]:
        """Functions that draw a page each, given its number in words."""
        for whole, group in groupby(self.doc.blocks, lambda b: isinstance(b, Sheet) and not self.paper.roll):
            blocks = tuple(group)
            if whole:
                for sheet in blocks:
                    yield from self._sheet(sheet)  # type: ignore[arg-type]
                continue
            strips = [*self._banner(), *self.flow.strips(blocks, self.wide), *self._roll_foot()]
            for page in paged(strips, self.limit):
                yield lambda number, page=page: self._flowed(page, number)
        if not self.doc.blocks:
            yield lambda number: self._flowed([], number)

    def _banner(self) -> Iterator[Strip]:
        """White words on a black bar across the head."""
        size = self.paper.size * 2
        for word in self.banners:

            def draw(pen: Pen, x: float, y: float, word: str = word) -> None:
                pen.rectangle(x, y, self.wide, size * 1.2, 0, "black")
                middle = x + (self.wide - width(word, size, True)) / 2
                pen.text(middle, y + size * 0.95, word, size, bold=True, ink="white")

            yield Strip(size * 1.3, draw)

    def _roll_foot(self) -> list[Strip]:
        if not (self.paper.roll and self.foot):
            return []
        return list(self.flow.paragraph(self.foot, self.wide, "left", self.paper.size * 0.9))

    def _flowed(self, strips: list[Strip], number: str) -> None:
        paper = self.paper
        high = paper.high or max(sum(strip.height for strip in strips) + 2 * paper.margin, 20.0)
        pen = self._pen(high)
        y = paper.margin
        for strip in strips:
            strip.draw(pen, paper.margin, y)
            y += strip.height
        if not paper.roll:
            self._foot(pen, number)

    def _foot(self, pen: Pen, number: str) -> None:
        paper, size = self.paper, self.paper.size * 0.75
        y = paper.high - paper.margin + 1
        pen.text(paper.margin, y, self.foot, size)
        pen.text(paper.wide - paper.margin - width(number, size), y, number, size)

    def _sheet(self, sheet: Sheet) -> Iterator[Any]:
        for page in sheets.pages(sheet, self.paper.wide, self.paper.high):
            yield lambda _, page=page: self._side(page, back=False)
            if sheet.backs and any(piece.back for field in page for piece in field.pieces):
                yield lambda _, page=page: self._side(page, back=True)

    def _side(self, page: list[sheets.Field], back: bool) -> None:
        pen = self._pen(self.paper.high)
        if back:
            self.canvas.translate(self.offset[0] * MM, -self.offset[1] * MM)
        sheets.draw(pen, page, self.paper.wide, self.paper.high, back)

    def _pen(self, high: float) -> Pen:
        self.canvas.setPageSize((self.paper.wide * MM, high * MM))
        return Pen(self.canvas, high)


def _inset(doc: Document, size: float) -> float:
    """Room for the rule numbers that share a line with a value, the same in every sum."""
    return max((width(clean(rule), size, True) + size for rule in rules_beside(doc)), default=size)
