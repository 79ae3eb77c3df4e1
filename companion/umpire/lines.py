"""The arithmetic that players see, and what it changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from companion.umpire.errors import CompanionError


class DuplicateModifier(CompanionError, ValueError):
    """The same modifier was counted twice."""


class Modifier(msgspec.Struct, frozen=True):
    """One step of a sum: its value, a stable code, the words on the slip, the rule that grants it."""

    value: int
    code: str
    text: str
    rule: str
    house: bool = False


def add(mods: Sequence[Modifier]) -> int:
    """The sum; each modifier counts once, so a repeated code is a fault of the rule."""
    total, codes = 0, set()
    for m in mods:
        if m.code in codes:
            raise DuplicateModifier(f"The modifier {m.code!r} is counted twice; each may count once.")
        codes.add(m.code)
        total += m.value
    return total


class Line(msgspec.Struct, frozen=True):
    """One piece of arithmetic. `faces` is empty where no die was thrown (odds, automatic results, notes)."""

    title: str
    rule: str
    dice: str = ""
    faces: tuple[str, ...] = ()
    mods: tuple[Modifier, ...] = ()
    total: int | None = None
    needs: str = ""
    verdict: str = ""
    address: str = ""

    @property
    def text(self) -> str:
        """`Targeting: 5 white d6 -1 distance 2d [4.5.1] = 4, needs 2+: hit`"""
        parts = [f"{'+'.join(self.faces)} {self.dice}"] if self.faces else []
        parts += [f"{m.value:+d} {m.text} [{m.rule}]{'†' if m.house else ''}" for m in self.mods]
        body = " ".join(parts)
        if self.total is not None and (self.mods or len(self.faces) > 1):
            body += f" = {self.total}"
        tail = ", ".join(p for p in (body, f"needs {self.needs}" if self.needs else "") if p)
        return ": ".join(p for p in (self.title, tail, self.verdict) if p)

    @property
    def house(self) -> bool:
        return any(m.house for m in self.mods)


class Change(msgspec.Struct, frozen=True):
    """What a result does to the table, as data.

    `kind` is a word of the game (`damage`, `ammunition`), `target` whom it concerns, `when` the moment it falls
    due: `now`, `step` (the end of the step), or a moment that the game names.
    """

    kind: str
    target: str
    value: Any = None
    when: str = "now"
    text: str = ""
    rule: str = ""
