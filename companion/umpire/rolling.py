"""The random umpire: rolls, and picks at random among what is allowed."""

from __future__ import annotations

from collections.abc import Callable
from random import Random, SystemRandom
from typing import Any

from companion.umpire.base import AskAt, Context, LineOf, Umpire
from companion.umpire.errors import Missing
from companion.umpire.readings import AGAIN, Reading

Decide = Callable[[Any], Any]


class Rolling(Umpire):
    """`seed` makes a repeatable game; without one the operating system rolls. `decide` answers asks by hand."""

    def __init__(self, context: Context | None = None, seed: int | None = None, decide: Decide | None = None) -> None:
        super().__init__(context)
        self.rng: Random = SystemRandom() if seed is None else Random(seed)
        self._decide = decide

    def _throw(self, address: str, reading: Reading, ask: AskAt, line: LineOf) -> Any:
        while True:
            faces = tuple(self.rng.choice(slot.die.faces) for slot in reading.dice.slots)
            label = reading.of(faces)
            if label is not AGAIN:
                self._record(address, reading.dice, faces)
                self.lines.append(line(label, faces))
                return label

    def _answer(self, address: str, ask: AskAt) -> Any:
        asked = ask(address)
        given = self._decide(asked) if self._decide else None
        if given is None and asked.space:
            given = asked.space.pick(self.rng)
        if given is None:
            raise Missing((asked,))
        return given
