"""What switches mean, from edges with their times: no clock, no thread, no hardware. Pure."""

from collections import deque
from dataclasses import dataclass

SETTLE_S = 0.012
STUCK_S = 10.0
FLOATING_EDGES, FLOATING_WITHIN_S = 40, 0.5
CALM_S = 1.0


@dataclass(frozen=True, slots=True)
class Change:
    """A switch was pressed or let go, at the time of its first edge."""

    pressed: bool
    at: float


class Contact:
    """One push button. A level counts once it has stayed for `settle_s`.

    The default lets a tap of 15 ms pass, and nothing that an open pin picks up from 50 or 60 Hz mains.
    """

    def __init__(self, settle_s: float = SETTLE_S, pressed: bool = False) -> None:
        self._settle_s = settle_s
        self._pressed = self._level = pressed
        self._since = float("-inf")
        self._edges: deque[float] = deque(maxlen=FLOATING_EDGES)
        self.floating = False

    def edge(self, level: bool, at: float) -> list[Change]:
        changes = self.due(at)
        if level != self._level:
            self._level, self._since = level, at
        self._edges.append(at)
        if len(self._edges) == FLOATING_EDGES and at - self._edges[0] < FLOATING_WITHIN_S:
            self.floating = True
        return changes

    def due(self, at: float) -> list[Change]:
        """What time alone has settled."""
        if self.floating and at - self._edges[-1] >= CALM_S:
            self.floating = False
            self._pressed = self._level
        if self.floating or not self.pending or at - self._since < self._settle_s:
            return []
        self._pressed = self._level
        return [Change(self._pressed, self._since)]

    @property
    def pending(self) -> bool:
        return self._level != self._pressed or self.floating

    @property
    def pressed(self) -> bool:
        return self._pressed

    def is_stuck(self, at: float) -> bool:
        return self._pressed and not self.floating and at - self._since >= STUCK_S


class Quadrature:
    """A rotary encoder of two contacts. Counts only whole clicks, so bounce adds and takes away the same."""

    _STEPS = {(0, 1): 1, (1, 3): 1, (3, 2): 1, (2, 0): 1, (1, 0): -1, (3, 1): -1, (2, 3): -1, (0, 2): -1}

    def __init__(self) -> None:
        self._state = 0
        self._steps = 0

    def edge(self, contact: str, level: bool) -> int:
        """+1 for a click to the right, -1 to the left, 0 while between clicks; `contact` is "a" or "b"."""
        bit = 1 if contact == "a" else 2
        state = self._state | bit if level else self._state & ~bit
        self._steps += self._STEPS.get((self._state, state), 0)
        self._state = state
        if state:
            return 0
        steps, self._steps = self._steps, 0
        return (steps > 2) - (steps < -2)


class Trigger:
    """A vibration switch: one shock for all its rattling, until it has been quiet for a while."""

    def __init__(self, quiet_s: float = 1.5) -> None:
        self._quiet_s = quiet_s
        self._last = float("-inf")

    def edge(self, at: float) -> bool:
        is_new = at - self._last >= self._quiet_s
        self._last = at
        return is_new
