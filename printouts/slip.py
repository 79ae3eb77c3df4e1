"""Lays a document out for a slip: rows of styled cells, and what must be drawn between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from printouts import boxes
from printouts.document import (
    QR,
    Align,
    Big,
    Block,
    Card,
    Chit,
    Columns,
    Cut,
    Document,
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
from printouts.marks import RULE_CELLS, banners, feet, label_of, rules_beside
from printouts.words import before, cells, clean, in_cells, pad, width_of, wrap_runs

INSET = 3  # how far values stand from the right edge when no rule number shares their lines
Fit: TypeAlias = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of cells."""

    spans: tuple[Run, ...] = ()

    def __str__(self) -> str:
        return "".join(span.text for span in self.spans).rstrip()


Item: TypeAlias = Row | Track | Drawing | Picture | QR | Space | Cut


def lay_out(doc: Document, columns: int, *, fit: Fit = clean, large: int = 2, banner: str = "") -> list[Item]:
    """The slip from head to foot. `fit` replaces what the printer lacks; a large cell counts `large` cells."""
    return list(_Layout(columns, fit, large, columns - _inset(doc)).document(doc, banner))


def _inset(doc: Document) -> int:
    """How far all values of the document stand from the right edge, so that rule numbers have room."""
    return max((cells(rule) + 2 for rule in rules_beside(doc)), default=INSET)


def uncut(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """The blocks without a cut at the end, since every job ends with one."""
    while blocks and isinstance(blocks[-1], Cut):
        blocks = blocks[:-1]
    return blocks


@dataclass(frozen=True, slots=True)
class _Layout:
    columns: int
    fit: Fit
    large: int
    value_edge: int

    def document(self, doc: Document, banner: str) -> Iterator[Item]:
        for word in banners(doc, banner):
            yield self.banner(word)
        yield from self.blocks(uncut(doc.blocks))
        for foot in feet(doc):
            yield from self.paragraph((Run(foot),))

    def banner(self, word: str) -> Row:
        width = self.columns // self.large
        return Row((Run(pad(self.fit(word)[:width], width, "centre"), bold=True, large=True, inverse=True),))

    def blocks(self, blocks: Iterable[Block]) -> Iterator[Item]:
        for block in blocks:
            yield from self.block(block)

    def block(self, block: Block) -> Iterable[Item]:
        match block:
            case Heading(text, _, right):
                return self.pair((Run(text, bold=True),), right, bold=True)
            case Text(words, align):
                return self.paragraph(runs(words), align)
            case Big(text, note):
                return self.big(text, note)
            case Rule(heavy):
                return [Row((Run(("=" if heavy else "-") * self.columns),))]
            case Pair(left, right, bold):
                return self.pair(runs(left), right, bold)
            case Sum():
                return self.sum(block)
            case Table():
                return self.table(block)
            case Panel(blocks, title):
                return self.panel(blocks, title)
            case Keep(blocks):
                return self.blocks(blocks)
            case Columns(columns):
                return self.blocks(each for column in columns for each in column)
            case Grid():
                return boxes.grid(block)
            case Chit() | Sheet():
                return self.pieces((block,) if isinstance(block, Chit) else block.pieces)
            case _:
                return [block]

    # --- words ---

    def spans(self, words: Words, bold: bool = False) -> tuple[Run, ...]:
        return tuple(self.span(run, bold) for run in runs(words))

    def span(self, run: Run, bold: bool) -> Run:
        text, bold = self.fit(run.text), run.bold or bold
        return run if (text, bold) == (run.text, run.bold) else replace(run, text=text, bold=bold)

    def lines(self, words: Words, width: int, bold: bool = False) -> list[list[Run]]:
        return wrap_runs(self.spans(words, bold), width, in_cells(self.large))

    def paragraph(self, words: Words, align: Align = "left", bold: bool = False) -> Iterator[Row]:
        for line in self.lines(words, self.columns, bold):
            room = self.columns - width_of(line, self.large)
            first = int(before(align, room))
            yield Row((*([Run(" " * first)] if first else []), *line))

    def big(self, text: str, note: str) -> Iterator[Row]:
        """Twice the size on one line where it fits, else twice the height alone: paper is short."""
        fits = cells(self.fit(text)) * self.large <= self.columns
        yield from self.paragraph((Run(text, bold=True, large=fits, tall=not fits),), "centre")
        if note:
            yield from self.paragraph((Run(note),), "centre")

    def pair(self, left: tuple[Run, ...], right: str, bold: bool) -> Iterator[Row]:
        yield from self.row(left, self.fit(right), self.columns, bold=bold)

    def row(
        self, left: Words, right: str, edge: int, rule: str = "", *, indent: int = 0, bold: bool = False
    ) -> Iterator[Row]:
        """Words at the left, one value that ends at `edge`, perhaps a rule at the right edge."""
        taken = cells(right) + 1 if right else (cells(rule) + 1 if rule else 0)
        end = edge if right else self.columns
        if taken > end * 2 // 3:  # too long to share the line
            yield from self.row(left, "", end, indent=indent, bold=bold)
            words = f"{right} {rule}".strip()
            yield from self.paragraph((Run(words, bold=bold),), "right")
            return
        first, *more = self.lines(left, end - taken - indent, bold)
        tail = pad(right, end - indent - width_of(first, self.large), "right") if right else ""
        used = indent + width_of(first, self.large) + cells(tail)
        tail += pad(rule, self.columns - used, "right") if rule else ""
        yield Row((Run(" " * indent), *first, Run(tail, bold=bold)))
        for line in more:
            yield Row((Run(" " * (indent + (2 if right else 0))), *line))

    # --- arithmetic ---

    def sum(self, block: Sum) -> Iterator[Row]:
        if block.title or block.rule:
            yield from self.row(block.title, "", self.columns, self.fit(block.rule), bold=True)
        for line in block.lines:
            yield from self.line(line)

    def line(self, line: Line) -> Iterator[Row]:
        result = line.role == "result"
        value, rule = self.fit(line.value), self.fit(line.rule)
        bold = result or line.role == "total"
        edge, indent = self.value_edge, 0 if result else 2
        crowded = indent + cells(label_of(line)) + 1 + cells(rule) > self.columns
        alone = cells(rule) > RULE_CELLS and (bool(value) or crowded)
        yield from self.row(label_of(line), value, edge, "" if alone else rule, indent=indent, bold=bold)
        if alone:
            yield from self.paragraph((Run(line.rule),), "right")

    # --- tables ---

    def table(self, table: Table) -> Iterator[Item]:
        if table.caption:
            yield from self.paragraph((Run(table.caption, bold=True),))
        widths = self.widths(table)
        if widths is None:
            yield from self.records(table)
            return
        if any(column.title for column in table.columns):
            yield from self.cells(table, tuple(c.title for c in table.columns), widths, bold=True)
            yield Row((Run("-" * self.columns),))
        for number, row in enumerate(table.rows):
            yield from self.cells(table, row, widths, marked=number in table.marked)

    def widths(self, table: Table) -> list[int] | None:
        """Cells of each column, the widest ones narrowed until all fit; None where they cannot."""
        texts = [[self.fit(c.title) for c in table.columns], *([self.fit(plain(w)) for w in r] for r in table.rows)]
        count = len(table.columns)
        widths = [max((cells(row[n]) for row in texts if n < len(row)), default=1) or 1 for n in range(count)]
        room = self.columns - (count - 1) - (2 if table.marked else 0)
        if room < 4 * count and sum(widths) > room:
            return None
        while sum(widths) > room:
            widths[widths.index(max(widths))] -= 1
        return widths

    def cells(
        self, table: Table, row: tuple[Words, ...], widths: list[int], *, marked: bool = False, bold: bool = False
    ) -> Iterator[Row]:
        wrapped = [self.lines(words, width, bold or marked) for words, width in zip(row, widths, strict=False)]
        for n in range(max(map(len, wrapped), default=0)):
            spans = [Run("> " if marked and not n else "  ")] if table.marked else []
            for number, (column, width, lines) in enumerate(zip(table.columns, widths, wrapped, strict=False)):
                line = lines[n] if n < len(lines) else []
                room = width - width_of(line, self.large)
                first = int(before(column.align, room))
                spans += [Run(" " * (first + (number > 0))), *line, Run(" " * (room - first))]
            yield Row(tuple(spans))

    def records(self, table: Table) -> Iterator[Row]:
        """A table too wide for the paper: one short paragraph a row."""
        for number, row in enumerate(table.rows):
            mark = "> " if number in table.marked else ""
            named = [(c.title, plain(w)) for c, w in zip(table.columns, row, strict=False) if plain(w)]
            words = "; ".join(f"{title} {text}".strip() for title, text in named)
            yield from self.paragraph((Run(mark + words),), bold=bool(mark))

    # --- frames and pieces ---

    def panel(self, blocks: tuple[Block, ...], title: str) -> Iterator[Item]:
        yield Row((Run("-" * self.columns),))
        if title:
            yield from self.paragraph((Run(title, bold=True),))
        yield from self.blocks(blocks)
        yield Row((Run("-" * self.columns),))

    def pieces(self, pieces: Iterable[Chit | Card]) -> Iterator[Item]:
        for piece in pieces:
            if isinstance(piece, Chit):
                yield from (boxes.chit(face, piece) for face in (piece.front, piece.back) if face)
            else:
                for side in filter(None, (piece.front, piece.back)):
                    yield from self.panel(side, "")
