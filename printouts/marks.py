"""What every renderer shows alike: the dagger of house values, banners at the head, lines at the foot."""

from __future__ import annotations

from printouts.document import Block, Document, Grid, Line, Pair, Sum, Table, Text, Track, plain, walk
from printouts.words import cells

DAGGER = "†"
RULE_CELLS = 7  # a longer rule name (a heading instead of a number) stands on a line of its own


def label_of(line: Line) -> str:
    """What a line of a sum says at its left."""
    return (">> " if line.role == "result" else "") + line.label + (f" {DAGGER}" if line.house else "")


def rules_beside(doc: Document) -> list[str]:
    """The rule numbers that share a line with a value: they set one edge for the values of all sums."""
    lines = [line for block in walk(doc.blocks) if isinstance(block, Sum) for line in block.lines]
    return [line.rule for line in lines if line.value and 0 < cells(line.rule) <= RULE_CELLS]


def banners(doc: Document, banner: str) -> list[str]:
    """The words across the head."""
    return [word for word in ("VOID" if doc.void else "", banner) if word]


def feet(doc: Document) -> list[str]:
    """The lines at the foot."""
    return [line for line in (_house_note(doc), doc.footer) if line]


def _house_note(doc: Document) -> str:
    """The line that explains the dagger, where one is used and the document does not explain it."""
    blocks = list(walk(doc.blocks))
    explained = any(isinstance(block, Text) and plain(block.words).startswith(DAGGER) for block in blocks)
    return f"{DAGGER} house value" if any(map(_has_dagger, blocks)) and not explained else ""


def _has_dagger(block: Block) -> bool:
    match block:
        case Sum(lines):
            return any(line.house or DAGGER in line.label + line.value for line in lines)
        case Table(_, rows, caption):
            return DAGGER in caption or any(DAGGER in plain(each) for row in rows for each in row)
        case Text(words):
            return DAGGER in plain(words)
        case Pair(words, right):
            return DAGGER in plain(words) + right
        case Grid(rows):
            return any(DAGGER in box.value + box.label for row in rows for box in row)
        case Track(label, row):
            return DAGGER in label or any(DAGGER in box.value + box.label for box in row)
        case _:
            return False
