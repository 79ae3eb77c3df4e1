"""Dice drawn by the operating system: for a table without towers, and said to be so."""

import os
import time
from collections import deque
from collections.abc import Callable, Sequence

from drivers import BadSetting
from drivers.dice import Event, Face, Slot
from drivers.dice.kinds import faces_of
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


def draw_kind(kind: str, source: Bytes = os.urandom) -> int:
    """What a die of this kind shows, as it is printed; raises BadSetting for dice that are not numbered."""
    faces = faces_of(kind)
    if not faces or len(faces) > 256:
        raise BadSetting(f"The system cannot draw a {kind!r}: throw it, or type what it shows.")
    return faces[draw(len(faces), source) - 1]


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
                self._emit(drawn(self._name, self._asked.popleft(), self._source, self._clock()))
            self._wait(None)


def drawn(name: str, slots: Sequence[Slot], source: Bytes, at: float) -> Event:
    """One throw of these slots, each die by its slot's name; a hint when one of them cannot be drawn."""
    try:
        faces = tuple(Face(slot, draw_kind(kind, source), kind) for slot, kind in slots)
    except BadSetting as problem:
        return Event("hint", name, (), None, at, "", str(problem))
    said = ", ".join(f"{face.die} {face.value}" for face in faces)
    text = f"Drawn by the operating system, not thrown: {said}."
    return Event("throw", name, faces, None, at, "", text, drawn=True)
