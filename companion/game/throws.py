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


class Tally(msgspec.Struct, frozen=True):
    """The throws of one kind of die from one source; `faces` in the order in which the die has them."""

    source: str
    kind: str
    faces: list[str]
    counts: dict[str, int]


def tallies(tables: Iterable[Table]) -> list[Tally]:
    """Every throw that counted, of dice whose sides are all different. What was entered by hand is told apart."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    names: dict[str, list[str]] = {}
    for table in tables:
        with table.mutex:
            for source, kind, sides, face in _throws(table):
                counts.setdefault((source, kind), Counter())[face] += 1
                names[kind] = sides
    return [Tally(source, kind, names[kind], dict(found)) for (source, kind), found in sorted(counts.items())]


def _throws(table: Table) -> Iterator[tuple[str, str, list[str], str]]:
    for record in table.records:
        dice = _dice(table, record) if record.sources else {}
        for address, by_slot in record.sources.items():
            for slot in dice[address].slots if address in dice else ():
                face, source = record.answers.get(address, {}).get(slot.name), by_slot.get(slot.name, BY_HAND)
                sides = [f.name for f in slot.die.faces]
                if face in sides and source != KEPT and len(set(sides)) == len(sides):
                    yield source, slot.die.kind, sides, face


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
