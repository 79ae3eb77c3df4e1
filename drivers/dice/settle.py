"""For dice that report every face they roll over: only what lies still for a while is a throw."""

from collections.abc import Iterable
from dataclasses import replace

from drivers.dice import Event

ANY = ""  # a die without a name, which may be any


class Settler:
    """Holds each throw until its dice have said nothing else for `settle_s` seconds.

    With `needs_rolling`, a face that comes without a die having been seen to roll is only shown: the die was
    picked up or nudged. With `settle_s` 0 everything passes untouched.
    """

    def __init__(self, settle_s: float = 0.0, needs_rolling: bool = False) -> None:
        self._settle_s = settle_s
        self._needs_rolling = needs_rolling
        self._rolling: set[str] = set()
        self._held: dict[frozenset[str], Event] = {}

    def pass_on(self, events: Iterable[Event]) -> list[Event]:
        return [out for event in events for out in self._one(event)]

    def tick(self, at: float) -> list[Event]:
        """The throws that have lain still long enough; their time is when they were last seen to move."""
        ripe = [dice for dice, event in self._held.items() if at - event.at >= self._settle_s]
        if ripe:
            self._rolling.difference_update({ANY}, *ripe)
        return [self._held.pop(dice) for dice in ripe]

    def restart(self) -> None:
        """The device went away: what was rolling then is void."""
        self._held.clear()
        self._rolling.clear()

    def _one(self, event: Event) -> list[Event]:
        if not self._settle_s or event.kind not in ("throw", "moving", "cocked"):
            return [event]
        out, dice = self.tick(event.at), frozenset(face.die for face in event.faces) or frozenset({ANY})
        if event.kind == "throw":
            return out + self._hold(dice, event)
        if event.kind == "moving":
            self._rolling |= dice
        self._held = {held: it for held, it in self._held.items() if not (held & dice or ANY in dice)}
        return [*out, event]

    def _hold(self, dice: frozenset[str], event: Event) -> list[Event]:
        if self._needs_rolling and ANY not in self._rolling and not dice <= self._rolling:
            return [replace(event, kind="moving", text=f"{event.text} It was not seen to roll, so it is not a throw.")]
        held = self._held.get(dice)
        if not held or held.faces != event.faces:
            self._held[dice] = event
        return []
