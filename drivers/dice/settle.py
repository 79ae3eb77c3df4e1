"""For dice that report every face they roll over: only what lies still for a while is a throw."""

from collections.abc import Iterable
from dataclasses import replace

from drivers.dice import Event

Dice = tuple[str, ...]


class Settler:
    """Holds each throw until its dice have said nothing else for `settle_s` seconds.

    With `needs_rolling`, a face that comes without a die having been seen to roll is only shown: the die was
    picked up or nudged. With `settle_s` 0 everything passes untouched.
    """

    def __init__(self, settle_s: float = 0.0, needs_rolling: bool = False) -> None:
        self._settle_s = settle_s
        self._needs_rolling = needs_rolling
        self._rolling = False
        self._held: dict[Dice, Event] = {}

    def pass_on(self, events: Iterable[Event]) -> list[Event]:
        return [out for event in events for out in self._one(event)]

    def tick(self, at: float) -> list[Event]:
        """The throws that have lain still long enough; their time is when they were last seen to move."""
        ripe = [dice for dice, event in self._held.items() if at - event.at >= self._settle_s]
        self._rolling = self._rolling and not ripe
        return [self._held.pop(dice) for dice in ripe]

    def restart(self) -> None:
        """The device went away: what was rolling then is void."""
        self._held.clear()
        self._rolling = False

    def _one(self, event: Event) -> list[Event]:
        if not self._settle_s or event.kind not in ("throw", "moving", "cocked"):
            return [event]
        out = self.tick(event.at)
        if event.kind == "throw":
            return out + self._hold(event)
        self._rolling = self._rolling or event.kind == "moving"
        self._held.clear()
        return [*out, event]

    def _hold(self, event: Event) -> list[Event]:
        if self._needs_rolling and not self._rolling:
            return [replace(event, kind="moving", text=f"{event.text} It was not seen to roll, so it is not a throw.")]
        dice = tuple(face.die for face in event.faces)
        held = self._held.get(dice)
        if not held or held.faces != event.faces:
            self._held[dice] = event
        return []
