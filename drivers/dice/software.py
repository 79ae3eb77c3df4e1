"""Dice drawn by the operating system: for a table without towers, and said to be so."""

import os
import re
import time
from collections import deque
from collections.abc import Callable, Sequence

from drivers import BadSetting
from drivers.dice import Event, Face, Slot
from drivers.dice.worker import Worker

Bytes = Callable[[int], bytes]
"""Gives that many random bytes."""


def draw(sides: int, source: Bytes = os.urandom) -> int:
    """A face from 1 to `sides` (256 at most), each exactly as likely.

    A byte past the last whole multiple of `sides` is thrown away: with `% 6` alone, 1 to 4 would come more often.
    """
    if not 1 <= sides <= 256:
        raise BadSetting(f"A die of {sides} sides cannot be drawn; 1 to 256 can.")
    fair = 256 - 256 % sides
    while (byte := source(1)[0]) >= fair:
        pass
    return byte % sides + 1


def sides_of(kind: str) -> int:
    """The sides of a d6, d10, d100 and so on; raises BadSetting for dice that are not numbered."""
    numbered = re.fullmatch(r"d([0-9]{1,3})", kind)
    if not numbered or not 1 <= int(numbered[1]) <= 256:
        raise BadSetting(f"The system cannot draw a {kind!r}; ask for a numbered die such as d6.")
    return int(numbered[1])


def draw_kind(kind: str, source: Bytes = os.urandom) -> int:
    """What a die of this kind shows; the tens of a d100 (d00) are 0, 10 ... 90, as they are printed."""
    return (draw(10, source) - 1) * 10 if kind == "d00" else draw(sides_of(kind), source)


class SoftwareDice(Worker):
    """Draws when asked: by `throw`, or with `at_once` as soon as it is armed. Nothing is ever drawn ahead."""

    def __init__(
        self,
        name: str = "software",
        *,
        at_once: bool = False,
        source: Bytes = os.urandom,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(name)
        self._at_once, self._source, self._clock = at_once, source, clock
        self._slots: tuple[Slot, ...] = ()
        self._asked: deque[tuple[Slot, ...]] = deque(maxlen=16)

    def arm(self, slots: Sequence[Slot]) -> None:
        for _, kind in slots:
            kind == "d00" or sides_of(kind)
        self._asked.clear()
        self._slots = tuple(slots)
        if self._at_once:
            self.throw()

    def throw(self) -> None:
        """Somebody pressed the button: draw what is asked for now, once."""
        if self._slots:
            self._asked.append(self._slots)
            self._slots = ()
            self._ring()

    def acknowledge(self, number: int) -> None:
        """Nothing is sent again, so there is nothing to acknowledge."""

    def _run(self) -> None:
        self._set_status("ready", "Dice are drawn by the operating system, not thrown.")
        while not self._stopping.is_set():
            while self._asked:
                self._emit(throw_of(self._name, self._asked.popleft(), self._source, self._clock()))
            self._wait(None)


def throw_of(name: str, slots: Sequence[Slot], source: Bytes, at: float) -> Event:
    """One throw of these slots, as any source would report it; the die goes by its slot's name."""
    faces = tuple(Face(slot, draw_kind(kind, source), kind) for slot, kind in slots)
    said = ", ".join(f"{face.die} {face.value}" for face in faces)
    return Event("throw", name, faces, None, at, "", f"Drawn by the operating system, not thrown: {said}.")
