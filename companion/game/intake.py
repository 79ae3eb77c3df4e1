"""Dice that arrive by themselves: matched to the slots that are open, held for a moment, then used."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from companion.game.table import HOST, Table
from companion.umpire import Ask, CompanionError, Die


class ArrivedFace(Protocol):
    """A face as a source read it: the die's name on the wire, what it shows, its kind where the source tells."""

    @property
    def die(self) -> str: ...
    @property
    def value(self) -> int | str: ...
    @property
    def kind(self) -> str | None: ...


NAME = 40
"""Letters of a die's name that are kept."""

Later = Callable[[float, Callable[[], None]], object]
"""Runs a function after so many seconds, in the thread that owns the table."""


@dataclass(frozen=True, slots=True)
class Taken:
    """Which open slot each face goes to, and the faces that nothing asks for."""

    address: str
    faces: dict[str, str]
    left: tuple[ArrivedFace, ...]
    dice: dict[str, str] = field(default_factory=dict)
    """The die of each slot, where its source names it."""


def match(asks: Sequence[Ask], faces: Sequence[ArrivedFace]) -> Taken:
    """Faces to the open slots of the first throw that is asked: by the die's name, then by kind, then any six-sided.

    The order in which a tower reports its dice is never trusted where their names or kinds tell them apart.
    """
    ask = next((a for a in asks if a.dice is not None), None)
    if ask is None or ask.dice is None:
        return Taken("", {}, tuple(faces))
    open_slots = {s.name: s.die for s in ask.dice.slots if s.name in ask.open_slots}
    taken: dict[str, str] = {}
    dice: dict[str, str] = {}
    left = list(faces)
    for fits in (_same_name, _same_kind, _same_shape):
        for face in list(left):
            slot = next((n for n, d in open_slots.items() if n not in taken and fits(n, d, face)), None)
            if slot is not None:
                taken[slot] = _face(open_slots[slot], face)
                dice |= {slot: face.die[:NAME]} if face.die else {}
                left.remove(face)
    return Taken(ask.address, taken, tuple(left), dice)


def _face(die: Die, face: ArrivedFace) -> str:
    value = face.value
    if die.kind == "d10 units" and value in (10, "10"):
        value = 0
    if die.kind in ("d10", "d5") and value in (0, "0"):
        value = 10
    return die.face(value).name


def _readable(die: Die, face: ArrivedFace) -> bool:
    try:
        _face(die, face)
    except CompanionError:
        return False
    return True


def _same_name(slot: str, die: Die, face: ArrivedFace) -> bool:
    short = slot.split(" ")[0]
    return (
        bool(face.die) and face.die.lower() in (slot.lower(), short.lower(), short[:1].lower()) and _readable(die, face)
    )


def _same_kind(_slot: str, die: Die, face: ArrivedFace) -> bool:
    return face.kind is not None and die.kind.split(" ")[0] == face.kind and _readable(die, face)


def _same_shape(_slot: str, die: Die, face: ArrivedFace) -> bool:
    """A plain six-sided die serves any six-sided one: its pips are face numbers. Others must be read as they are."""
    kind_fits = face.kind in (None, "d6") if len(die.faces) == 6 else face.kind in (None, die.kind.split(" ")[0])
    return kind_fits and _readable(die, face)


class Intake:
    """One table's way in for dice. `hold` in seconds is how long a face waits with a VOID button before it counts."""

    def __init__(self, table: Table, later: Later, *, hold: float = 1.5) -> None:
        self.table, self.hold, self._later = table, hold, later
        for number in list(table.arrived):
            self._schedule(number)

    def arrive(self, source: str, faces: Sequence[ArrivedFace], *, at: float) -> bool:
        """Take a throw; whether any face of it was asked for. `at` on the monotonic clock."""
        table = self.table
        with table.mutex:
            if at < table.asked_at:
                table.aside(source, f"{_words(faces)} came before it was asked for")
                return False
            taken = match(table.open_asks(), faces)
            if not taken.faces:
                table.aside(source, f"{_words(faces)} came while nothing was asked that it fits")
                return False
            if taken.left:
                table.aside(source, f"{_words(taken.left)} came beside the dice that were asked for")
            if self.hold <= 0:
                table.answer(taken.address, taken.faces, seat=HOST, source=source, dice=taken.dice)
            else:
                self._schedule(table.arrive(taken.address, taken.faces, source=source, dice=taken.dice))
            return True

    def _schedule(self, number: int) -> None:
        self._later(self.hold, lambda: self.table.settle(number))


def _words(faces: Sequence[ArrivedFace]) -> str:
    return ", ".join(f"{f.die + ' ' if f.die else ''}{f.value}" for f in faces)[:100]
