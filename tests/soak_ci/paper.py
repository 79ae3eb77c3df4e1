"""What came out of the printer, compared with the journal: every slip and every line of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from companion.game.slip import slip
from companion.game.table import Table
from drivers.printers.virtual import VirtualPrinter
from printouts import thermal

_MARK = re.compile(r"VOID|COPY of|REPRINT of|LATE of")


@dataclass(frozen=True)
class Piece:
    """A slip as it lies there, or as much of it as came before the power went. `marks` are what stands over it."""

    marks: str
    lines: tuple[str, ...]

    @property
    def number(self) -> tuple[str, str] | None:
        """Table and number, as they stand on the paper."""
        text = "\n".join(self.lines)
        table, number = re.search(r"Table (\w+)$", text, re.MULTILINE), re.search(r"No (\d{4})$", text, re.MULTILINE)
        return (table[1], number[1]) if table and number else None

    @property
    def whole(self) -> bool:
        return bool(re.match(r"chain \d{6}$", self.lines[-1])) if self.lines else False

    @property
    def plain(self) -> bool:
        """Neither a second paper nor one that takes another back."""
        return not re.search("VOID|COPY|REPRINT", self.marks)


def pieces(texts: Iterable[str], heading: str) -> list[Piece]:
    """The slips of all papers; two may hang together where the power went before the cut."""
    return [piece for text in texts for piece in _pieces([line.strip() for line in text.splitlines()], heading)]


def _pieces(lines: list[str], heading: str) -> Iterator[Piece]:
    starts = [n for n, line in enumerate(lines) if line.startswith(heading)]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        above = lines[max(0, start - 2) : start]
        body = lines[start:end]
        chain = next((n for n, line in enumerate(body) if re.match(r"chain \d{6}$", line)), None)
        cut = body[: chain + 1] if chain is not None else _without_marks(body)
        yield Piece(" ".join(line for line in above if _MARK.search(line)), tuple(line for line in cut if line))


def _without_marks(body: list[str]) -> list[str]:
    """What broke off ends where the marks of the next slip begin."""
    return body[: next((n for n, line in enumerate(body) if _MARK.search(line)), len(body))]


def expected(table: Table, number: int, link: str) -> tuple[str, ...]:
    """The lines of a slip as the journal has it, without the digits of the chain at its foot."""
    printer = VirtualPrinter(58)
    document = replace(slip(table, number, link=link), void=False)
    printer.write(thermal.render(document, thermal.Profile("till", width_dots=384, columns=32)).data, 10.0)
    (found,) = pieces([printer.text], table.game.title.upper())
    return found.lines[:-1]


def differs(piece: Piece, lines: tuple[str, ...]) -> str:
    """The first line that is not as the journal has it; '' where all are. A torn piece may end anywhere."""
    said = piece.lines[:-1]
    if piece.whole and len(said) != len(lines):
        return f"{len(said)} lines instead of {len(lines)}"
    return next((f"{a!r} instead of {b!r}" for a, b in zip(said, lines, strict=False) if a != b), "")
