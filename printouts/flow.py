"""Lays blocks out for a page, as strips."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest

from printouts import boxes, qr
from printouts.document import (
    QR,
    Align,
    Big,
    Block,
    Card,
    Chit,
    Columns,
    Cut,
    Drawing,
    Grid,
    Heading,
    Keep,
    Line,
    Pair,
    Panel,
    Picture,
    Rule,
    Run,
    Sheet,
    Space,
    Sum,
    Table,
    Text,
    Track,
    Words,
    plain,
    runs,
)
from printouts.marks import label_of
from printouts.pen import Pen, width
from printouts.strips import (
    LEADING,
    PAD,
    Draw,
    Strip,
    beside,
    framed,
    glued,
    many,
    measured,
    nothing,
    paged,
    rule,
    stacked,
    text_strip,
)
from printouts.words import before, clean, wrap_runs

NARROW = 90.0  # paper on which columns stand one below the other
SLICE = 12  # lines of a tall table row that stay on one page


@dataclass(frozen=True, slots=True)
class Flow:
    """Turns blocks into strips; `size` is the font size and `limit` the height of a page, in millimetres."""

    size: float
    limit: float
    value_inset: float = 0.0  # from the right edge of a sum to where its values end

    def strips(self, blocks: Iterable[Block], wide: float) -> Iterator[Strip]:
        for block in blocks:
            yield from self.block(block, wide)

    def block(self, block: Block, wide: float) -> Iterable[Strip]:
        match block:
            case Heading():
                return self.heading(block, wide)
            case Text(words, align, small):
                return self.paragraph(words, wide, align, self.size * (0.8 if small else 1))
            case Big(text, note):
                return self.big(text, note, wide)
            case Rule(heavy):
                return [Strip(self.size * 0.6, lambda pen, x, y: rule(pen, x, y, wide, self.size, heavy), True)]
            case Space(mm):
                return [Strip(mm, nothing)]
            case Pair(left, right, bold):
                return self.row(left, right, wide, wide, bold=bold)
            case Sum():
                return self.sum(block, min(wide, self.size * 32))
            case Table():
                return self.table(block, wide)
            case Grid():
                return [self.drawn(each, wide) for each in boxes.grid(block)]
            case Track():
                return [self.drawn(each, wide) for each in boxes.track(block, wide)] + [Strip(1.0, nothing)]
            case Drawing():
                return [self.drawn(block, wide)]
            case Picture():
                return [self.picture(block, wide)]
            case QR():
                return self.qr(block, wide)
            case Columns():
                return self.columns(block, wide)
            case Panel():
                return self.panel(block, wide)
            case Keep(blocks):
                return glued(self.strips(blocks, wide))
            case Cut():
                return [Strip(0, nothing, glued=True, breaks=True)]
            case Chit() | Sheet():
                return self.pieces((block,) if isinstance(block, Chit) else block.pieces, wide)

    # --- words ---

    def lines(self, words: Words, wide: float, size: float, bold: bool = False) -> list[list[Run]]:
        parts = [replace(run, text=clean(run.text), bold=run.bold or bold) for run in runs(words)]
        return wrap_runs(parts, wide, lambda run: measured(run, size))

    def paragraph(
        self, words: Words, wide: float, align: Align = "left", size: float = 0.0, bold: bool = False
    ) -> Iterator[Strip]:
        size = size or self.size
        for line in self.lines(words, wide, size, bold):
            room = wide - sum(measured(run, size) for run in line)
            yield text_strip(line, size, before(align, room))

    def heading(self, it: Heading, wide: float) -> Iterator[Strip]:
        largest = 1.5 if wide > 70 else 1.2
        size = self.size * {1: largest, 2: 1.2}.get(it.level, 1.0)
        yield from glued(self.row(it.text, it.right, wide, wide, bold=True, size=size), last=True)
        yield Strip(self.size * 0.3, nothing, glued=True)

    def big(self, text: str, note: str, wide: float) -> Iterator[Strip]:
        natural = width(clean(text), 1.0, True) or 1.0
        size = max(self.size * 1.5, min(14.0, self.size * 4, wide / natural))
        yield from self.paragraph(text, wide, "centre", size, bold=True)
        if note:
            yield from self.paragraph(note, wide, "centre")

    def row(
        self, left: Words, right: str, wide: float, edge: float, rule: str = "", *, indent: float = 0.0,
        bold: bool = False, size: float = 0.0,
    ) -> Iterator[Strip]:  # fmt: skip
        """Words at the left, a value that ends at `edge`, perhaps a rule number at the right edge."""
        size = size or self.size
        ends = [(edge, clean(right)), (wide, clean(rule))]
        tails = [(end - width(text, size, bold), text) for end, text in ends if text]
        room = min([at for at, _ in tails], default=wide) - size * 0.8 - indent
        if room < wide / 4:  # too long to share the line
            yield from glued(self.row(left, "", wide, wide, indent=indent, bold=bold, size=size), last=True)
            yield from self.paragraph(f"{right} {rule}".strip(), wide, "right", size, bold)
            return
        first, *more = self.lines(left, room if tails else wide - indent, size, bold)
        parts = [(indent, first), *((at, [Run(text, bold=bold)]) for at, text in tails)]
        yield many(parts, size)
        for line in more:
            yield text_strip(line, size, indent)

    def sum(self, it: Sum, wide: float) -> Iterator[Strip]:
        strips: list[Strip] = []
        if it.title or it.rule:
            strips += self.row(it.title, "", wide, wide, it.rule, bold=True)
        for line in it.lines:
            strips += self.sum_line(line, wide)
        yield from glued(strips)

    def sum_line(self, it: Line, wide: float) -> Iterable[Strip]:
        result = it.role == "result"
        label = label_of(it)
        indent = 0.0 if result else self.size
        bold = result or it.role == "total"
        edge = wide - self.value_inset
        if it.value and width(it.rule, self.size) > self.value_inset:
            yield from self.row(label, it.value, wide, edge, indent=indent, bold=bold)
            yield from self.paragraph(it.rule, wide, "right") if it.rule else ()
        else:
            yield from self.row(label, it.value, wide, edge, it.rule, indent=indent, bold=bold)

    # --- tables ---

    def table(self, it: Table, wide: float) -> Iterator[Strip]:
        widths = self.widths(it, wide)
        caption = list(self.paragraph(it.caption, wide, bold=True)) if it.caption else []
        titles = tuple(column.title for column in it.columns)
        heads = list(self.cells(it, titles, widths, head=True)) if any(titles) else []
        yield from glued([*caption, *heads], last=True)
        for number, row in enumerate(it.rows):
            for strip in self.cells(it, row, widths, marked=number in it.marked):
                yield replace(strip, heads=tuple(heads))
        yield Strip(self.size * 0.5, nothing)

    def widths(self, it: Table, wide: float) -> list[float]:
        """Fixed widths as given, the others by content; all shrink where the page is too narrow."""
        found = []
        for n, column in enumerate(it.columns):
            texts = [column.title, *(plain(row[n]) for row in it.rows if n < len(row))]
            longest = max(width(clean(text), self.size, True) for text in texts)
            found.append(column.mm if column.mm is not None else longest + 2 * PAD + 0.3)
        free = [n for n, column in enumerate(it.columns) if column.mm is None]
        over = sum(found) - wide
        while over > 0.01 and free:  # the widest give way first
            top = max(found[n] for n in free)
            widest = [n for n in free if found[n] > top - 0.01]
            below = max([found[n] for n in free if n not in widest], default=self.size * 3)
            cut = min(over / len(widest), top - max(below, self.size * 3))
            if cut <= 0.01:
                break
            for n in widest:
                found[n] -= cut
            over -= cut * len(widest)
        return [each * min(1.0, wide / sum(found)) for each in found]

    def cells(
        self, it: Table, row: tuple[Words, ...], widths: list[float], *, marked: bool = False, head: bool = False
    ) -> Iterator[Strip]:
        """One table row as slices of a few lines each, so that even a very tall one fits on pages."""
        wrapped = [
            self.lines(words, wide - 2 * PAD, self.size, head or marked)
            for words, wide in zip(row, widths, strict=False)
        ]
        count = max(map(len, wrapped), default=1)
        least = max(it.row_mm, 0.0) if not head else 0.0
        for start in range(0, count, SLICE):
            part = [lines[start : start + SLICE] for lines in wrapped]
            rows = min(SLICE, count - start)
            height = max(least if not start else 0.0, rows * self.size * LEADING + PAD)
            ends = start == 0, start + SLICE >= count
            yield Strip(height, self.cell_slice(it, part, widths, height, ends, marked, head))

    def cell_slice(
        self, it: Table, part: list[list[list[Run]]], widths: list[float], height: float,
        ends: tuple[bool, bool], marked: bool, head: bool,
    ) -> Draw:  # fmt: skip
        total, size = sum(widths), self.size

        def draw(pen: Pen, x: float, y: float) -> None:
            if marked or head:
                pen.rectangle(x, y, total, height, 0, "grey" if marked else "light")
            for shown, at in zip(ends, (y, y + height), strict=True):
                if shown:
                    pen.line(x, at, x + total, at)
            left = x
            pen.line(left, y, left, y + height, 1.0 if marked else 0.15)
            for n, wide in enumerate(widths):
                lines = part[n] if n < len(part) else []
                above = (height - len(lines) * size * LEADING) / 2 if all(ends) else PAD / 2
                for number, line in enumerate(lines):
                    room = wide - 2 * PAD - sum(measured(run, size) for run in line)
                    first = left + PAD + before(it.columns[n].align, room)
                    pen.words(first, y + above + size * (0.95 + number * LEADING), line, size)
                left += wide
                pen.line(left, y, left, y + height)

        return draw

    # --- drawn things ---

    def drawn(self, it: Drawing, wide: float) -> Strip:
        scale = min(1.0, wide / it.width_mm, self.limit / it.height_mm)
        first = before(it.align, wide - it.width_mm * scale)
        return Strip(it.height_mm * scale, lambda pen, x, y: pen.drawing(x + first, y, it, scale))

    def picture(self, it: Picture, wide: float) -> Strip:
        from printouts.raster import opened

        image = opened(it)
        across = min(wide, it.width_mm, self.limit * image.width / image.height)
        high = across * image.height / image.width
        return Strip(high, lambda pen, x, y: pen.picture(x, y, across, high, it))

    def qr(self, it: QR, wide: float) -> Iterator[Strip]:
        words = it.caption or qr.address(it.link)
        try:
            qr.matrix(it.link)
        except qr.LinkTooLong:
            yield from self.paragraph("Link too long for a code; type:", wide)
            yield from self.paragraph(words, wide)
            return
        size = min(it.size_mm, wide)
        if wide < size + self.size * 18:
            yield Strip(size, lambda pen, x, y: pen.code(x + (wide - size) / 2, y, size, it.link), glued=True)
            yield from self.paragraph(words, wide, "centre", self.size * 0.9)
            return
        text = stacked(self.paragraph(words, wide - size - 1, "left", self.size * 0.9))

        def draw(pen: Pen, x: float, y: float) -> None:
            pen.code(x, y, size, it.link)
            text.draw(pen, x + size + 1, y + (size - text.height) / 2)

        yield Strip(max(size, text.height), draw)

    def pieces(self, pieces: Iterable[Chit | Card], wide: float) -> Iterator[Strip]:
        for piece in pieces:
            if isinstance(piece, Chit):
                for face in filter(None, (piece.front, piece.back)):
                    yield self.drawn(boxes.chit(face, piece), wide)
            else:
                for side in filter(None, (piece.front, piece.back)):
                    yield from self.panel(Panel(side), min(wide, piece.width_mm))
            yield Strip(2.0, nothing)

    # --- frames ---

    def columns(self, it: Columns, wide: float) -> Iterator[Strip]:
        if wide < NARROW:
            yield from self.strips((block for column in it.columns for block in column), wide)
            return
        shares = it.shares or (1.0,) * len(it.columns)
        room = wide - it.gap_mm * (len(it.columns) - 1)
        widths = [room * share / sum(shares) for share in shares]
        chunks = [
            [stacked(page) for page in paged(self.strips(blocks, each), self.limit)]
            for blocks, each in zip(it.columns, widths, strict=False)
        ]
        for side_by_side in zip_longest(*chunks):
            yield beside(side_by_side, [each + it.gap_mm for each in widths])

    def panel(self, it: Panel, wide: float) -> Iterator[Strip]:
        inner = wide - 2 * PAD - 2
        title = [Heading(it.title, 2)] if it.title else []
        for page in paged(self.strips((*title, *it.blocks), inner), self.limit - 2 * PAD - 2):
            yield framed(stacked(page), wide, 0.9 if it.heavy else 0.25)
