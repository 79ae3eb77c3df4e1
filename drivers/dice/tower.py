"""The host's side of the talk with a reference tower: hello, ARM, OK, and no throw twice. Pure."""

from collections import deque
from dataclasses import replace

from drivers.dice import Face
from drivers.dice.formats import Hello, Reading

HELLO_AGAIN_S = 1.0
SILENT_AFTER_S = 5.0
CHECK_AFTER_S = 10.0
REMEMBERED = 1000
BEFORE_THE_ASK_S = 1.0


class TowerTalk:
    """Remembers what was heard by (id, boot, number), across unplugging."""

    def __init__(self) -> None:
        self.silent = False
        self._who: Hello | None = None
        self._greeted = False
        self._heard: deque[tuple[str, str, int, str]] = deque(maxlen=REMEMBERED)
        self._kept: deque[tuple[str, str, int]] = deque(maxlen=REMEMBERED)
        self._last = 0
        self._armed: tuple[int, float] | None = None
        self._asks = 0  # the number of the last ask, which no later ask has again
        self._sending: deque[bytes] = deque(maxlen=16)
        self._asked_at = 0.0
        self._heard_at = 0.0

    def opened(self, at: float) -> None:
        """The port is open: who is there? Until the tower says so, its throws cannot be told apart."""
        self._greeted = self.silent = False
        self._heard_at = at
        self._sending.clear()
        self._ask_who(at)

    def tick(self, at: float) -> str:
        """Ask while there is no answer, or after a long quiet; returns the sentence to say once it has lasted."""
        overdue = at - self._heard_at - (CHECK_AFTER_S if self._greeted else 0.0)
        if overdue >= 0 and at - self._asked_at >= HELLO_AGAIN_S:
            self._ask_who(at)
        if self.silent or overdue < SILENT_AFTER_S:
            return ""
        self.silent = True
        return "The tower does not answer: check its power, its program and that this is its data port."

    def hear(self, reading: Reading, at: float) -> tuple[Reading, float] | str:
        """The reading with its due time, or why it is not used; "" when it was heard before."""
        self._heard_at = at
        if reading.hello:
            return self._greet(reading, reading.hello, at)
        if not self._who or not self._greeted or reading.number is None:
            return "The tower has not said who it is; it will send this again."
        key = (self._who.id, self._who.boot, reading.number)
        if key in self._kept:
            self._say(f"OK {reading.number}")
        if (*key, reading.kind) in self._heard:
            return ""
        self._heard.append((*key, reading.kind))
        self._last = max(self._last, reading.number)
        return replace(reading, faces=self._with_kinds(reading)), self._time_of(reading.number, at)

    def arm(self, wanted: bool, at: float) -> None:
        """A new ask has a number of its own: the tower drops what was thrown for another."""
        if wanted:
            self._asks = max(self._last, self._asks) + 1
        self._armed = (self._asks, at) if wanted else None
        self._say_arm()

    def acknowledge(self, number: int) -> None:
        if self._who:
            self._kept.append((self._who.id, self._who.boot, number))
            self._say(f"OK {number}")

    def to_send(self) -> bytes:
        lines = b"".join(self._sending)
        self._sending.clear()
        return lines

    def _greet(self, reading: Reading, hello: Hello, at: float) -> tuple[Reading, float] | str:
        if self._greeted and hello == self._who and not self.silent:
            return ""
        is_same = self._who is not None and (self._who.id, self._who.boot) == (hello.id, hello.boot)
        self._who, self._greeted, self.silent = hello, True, False
        if not is_same:
            self._count_from(hello)
        self._say_arm()
        return reading, at

    def _count_from(self, hello: Hello) -> None:
        """Another boot counts from the start, or from where it was when it was last here; the ask still stands."""
        self._last = max((key[2] for key in self._heard if key[:2] == (hello.id, hello.boot)), default=0)
        self._asks = self._last + (self._armed is not None)
        self._armed = (self._asks, self._armed[1]) if self._armed else None

    def _with_kinds(self, reading: Reading) -> tuple[Face, ...]:
        kinds = dict(self._who.dice) if self._who else {}
        return tuple(replace(face, kind=face.kind or kinds.get(face.die)) for face in reading.faces)

    def _time_of(self, number: int, at: float) -> float:
        """A throw with a number under the one asked for was made before, however late it arrives."""
        if self._armed and number < self._armed[0]:
            return min(at, self._armed[1] - BEFORE_THE_ASK_S)
        return at

    def _ask_who(self, at: float) -> None:
        self._asked_at = at
        self._say("?")

    def _say_arm(self) -> None:
        """Said again after each greeting: the tower knows the number, or has been without power meanwhile."""
        if self._greeted:
            self._say(f"ARM {self._armed[0] if self._armed else 0}")

    def _say(self, line: str) -> None:
        self._sending.append(line.encode() + b"\n")
