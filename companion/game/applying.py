"""The rows of a chart that apply now: what the open act has come to, else the last result.

A row is marked only where the arithmetic names it; where two could be meant, none is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from companion.game.lines import line_data
from companion.game.lookup import DAGGER, Page, number_of
from companion.game.table import Table
from companion.umpire import row

Line = Mapping[str, Any]
Marks = Mapping[str, str]
"""By the key of a row (or the faces of a natural throw): the cell in it that counts, '' for the whole row."""


class Now(NamedTuple):
    """What a table has come to: its arithmetic, and the charts and rules by which a throw is asked."""

    lines: Sequence[Line]
    asked: frozenset[str]

    def asks(self, page: Page) -> bool:
        return page.key in self.asked or number_of(page) in self.asked


def now(table: Table) -> Now:
    """The open act with what it asks; with none open, the last result that counts."""
    with table.mutex:
        if table.current is not None:
            asks = [
                {"title": a.text, "rule": a.rule, "needs": a.needs, "faces": [], "total": None, "verdict": "",
                 "mods": [{"value": m.value, "text": m.text, "rule": m.rule} for m in a.mods]}
                for a in table.asks
            ]  # fmt: skip
            by = {name.lower() for a in table.asks if a.dice for name in (a.chart, a.rule) if name}
            return Now([*map(line_data, table.open_lines), *asks], frozenset(by))
        last = next((r for r in reversed(table.records) if r.slip), None)
        return Now([] if last is None or last.undone or last.ruled else last.lines, frozenset())


def marks(page: Page, lines: Sequence[Line]) -> Marks:
    """The rows of a chart that these lines name."""
    found: dict[str, str] = {}
    for line in lines:
        found |= dict(_counted(page, line["mods"]))
        if line["rule"].lower() == number_of(page):
            found |= dict([*_thrown(page, line), *_needed(page, line), *_noted(page, line)])
    return found


def _counted(page: Page, mods: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Rows whose modifier counts: by its name (`distance 2d`), or by a number (`faster by 5`)."""
    for mod in mods:
        words, _, number = mod["text"].rpartition(" ")
        covered = words and page.title.endswith(words) and mod["rule"].lower() == number_of(page)
        for key, *cells in page.rows:
            cell = next((c for c in cells if _plain(c) == str(mod["value"])), None)
            if cell is not None and (key == mod["text"] or (covered and _covers(key, number))):
                yield key, cell


def _thrown(page: Page, line: Line) -> Iterator[tuple[str, str]]:
    """The row that a throw has come to: a natural one, the sum's, or the one that is named as the die or the result."""
    faces, total, verdict = "+".join(sorted(line["faces"])), line["total"], line["verdict"]
    for natural, label in page.natural:
        if verdict == label and faces == natural:
            yield natural, label
            return
    for key, *cells in page.rows:
        cell = next((c for c in cells if _plain(c) == verdict), None)
        if total is not None and cell is not None and _covers(key, str(total)):
            yield key, cell
            return
        if key in (verdict, *line["faces"]):
            yield key, ""


def _needed(page: Page, line: Line) -> Iterator[tuple[str, str]]:
    """The one cell that says what the throw needs."""
    number = line["needs"].rstrip("+-")
    cells = [(key, cell) for key, *values in page.rows for cell in values if _plain(cell).rstrip("+-") == number]
    if number and len(cells) == 1:
        yield cells[0]


def _noted(page: Page, line: Line) -> Iterator[tuple[str, str]]:
    """What a note says was read: `range 2: 4 dice`, `ace with 6 victories`, `level A+1 = B: Damaged`."""
    said = "" if line["faces"] or line["needs"] else line["verdict"]
    number = next(iter(re.findall(r"\b\d+\b", said)), "")
    others = f" {said.replace(number, '', 1).replace(':', ' ')} "
    for key, *cells in page.rows:
        covered = _covers(key, number)
        for cell in cells:
            if said.endswith(f"= {key}: {cell}") or (covered and f" {_plain(cell)} " in others):
                yield key, cell
                break


def _plain(cell: str) -> str:
    return cell.removesuffix(DAGGER)


def _covers(key: str, number: str) -> bool:
    whole = number.removeprefix("-")
    return whole.isascii() and whole.isdecimal() and row(key, ()).covers(int(number))
