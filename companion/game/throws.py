"""How often each face came, source by source and die by die: what the fairness of dice is judged by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from companion.game.fold import Record
from companion.game.table import BY_HAND, KEPT, Table
from companion.umpire import Answer, CompanionError, Context, Dice, Recorded
from companion.umpire.base import AskAt

SOFTWARE = "software"
SLICE = 50
"""Acts of a table that are looked through at a time, so that its dice need not wait."""


class Tally(msgspec.Struct, frozen=True):
    """The throws of one die from one source, or of one kind of die where the source does not tell them apart.

    `faces` in the order in which the die has them.
    """

    source: str
    die: str
    kind: str
    faces: list[str]
    counts: dict[str, int]


def tallies(tables: Iterable[Table]) -> list[Tally]:
    """Every throw that counted, of dice whose sides are all different. What was entered by hand is told apart."""
    return merged(tally for table in tables for tally in of_records(table, 0, len(table.records)))


def of_records(table: Table, first: int, most: int) -> list[Tally]:
    """Those of so many acts of a table."""
    with table.mutex:
        thrown = [throw for record in table.records[first : first + most] for throw in _throws(table, record)]
    return merged(Tally(source, die, kind, sides, {face: 1}) for source, die, kind, sides, face in thrown)


def merged(many: Iterable[Tally]) -> list[Tally]:
    """One tally for each die."""
    counts: dict[tuple[str, str, str], Counter[str]] = {}
    sides: dict[str, list[str]] = {}
    for tally in many:
        counts.setdefault((tally.source, tally.die, tally.kind), Counter()).update(tally.counts)
        sides[tally.kind] = tally.faces
    return [Tally(*which, sides[which[2]], dict(found)) for which, found in sorted(counts.items())]


def _throws(table: Table, record: Record) -> Iterator[tuple[str, str, str, list[str], str]]:
    dice = _dice(table, record) if record.sources else {}
    for address, by_slot in record.sources.items():
        for slot in dice[address].slots if address in dice else ():
            face, source = record.answers.get(address, {}).get(slot.name), by_slot.get(slot.name, BY_HAND)
            die = "" if source in (BY_HAND, SOFTWARE) else record.dies.get(address, {}).get(slot.name, "")
            sides = [f.name for f in slot.die.faces]
            if face in sides and source != KEPT and len(set(sides)) == len(sides):
                yield source, die, slot.die.kind, sides, face


class _Seen(Recorded):
    """Keeps which dice lie at each address."""

    def __init__(self, context: Context, answers: tuple[Answer, ...]) -> None:
        super().__init__(context, answers)
        self.dice: dict[str, Dice] = {}

    def _faces(self, address: str, dice: Dice, ask: AskAt) -> Any:
        self.dice[address] = dice
        return super()._faces(address, dice, ask)


def _dice(table: Table, record: Record) -> dict[str, Dice]:
    """The journal keeps names of dice and not their kinds: the act is run again to see which they were."""
    seen = _Seen(table.context, record.given())
    try:
        procedure = table.game.procedures[record.procedure]
        procedure(seen, procedure.inputs(record.inputs))
    except (CompanionError, KeyError):
        pass  # an open act, or one of older rules: what was seen up to there counts
    return seen.dice
