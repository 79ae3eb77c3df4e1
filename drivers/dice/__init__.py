"""Sources of dice: what each one reports, and what the game may ask of it.

A source reports everything that comes, with the time at which it came. Whether a throw counts is decided
by the game: the source neither holds back early throws nor mends broken ones.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

EventKind = Literal["throw", "cocked", "moving", "hello", "noise", "lost", "back", "hint"]
State = Literal["ready", "waiting", "trouble", "off", "lost"]
"""`waiting` has never been there, `lost` has gone, `trouble` is there and cannot be used as it is."""
Slot = tuple[str, str]
"""A slot that waits for a die and the die's kind, as ("white", "d6")."""

RAW_LIMIT = 80
UNREADABLE = "?"


@dataclass(frozen=True, slots=True)
class Face:
    """One die as the source read it.

    `die` is the die's name on the wire, "" when it has none. `value` is a number or a face name ("blue",
    "C") as the die shows it: a d10 that shows 0 says 0. In a "cocked" event it is `UNREADABLE`.
    `kind` is there only when the source tells it.
    """

    die: str
    value: int | str
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """Something that a source has to say.

    `number` is the throw's own number when the source counts throws. `at` is in seconds of the monotonic
    clock; a line that is sent again keeps a time before the ask that it is too old for. `raw` is what came,
    cut to `RAW_LIMIT` and without control bytes. `text` is one plain sentence. In a "moving" event, faces
    say which die moves or what a dial shows now; they are not a throw. `drawn` is a throw that no hand made:
    it came from a random generator, and every slip must say so.
    """

    kind: EventKind
    source: str
    faces: tuple[Face, ...]
    number: int | None
    at: float
    raw: str
    text: str
    drawn: bool = False


@dataclass(frozen=True, slots=True)
class Status:
    """How a source is; `text` is one plain sentence that says what to do when it is not ready."""

    state: State
    text: str


Sink = Callable[[Event], None]


class DiceSource(Protocol):
    """Anything that dice come from."""

    @property
    def name(self) -> str: ...

    def start(self, sink: Sink) -> None:
        """Begin to report; `sink` is called from the source's own thread, one event at a time.

        A device that is missing is not an error here: the source waits for it and says so.
        """

    def stop(self) -> None:
        """End within 2 seconds: the thread is joined, every descriptor closed. May be called twice."""

    def arm(self, slots: Sequence[Slot]) -> None:
        """Ask for these dice and throw away what lies unread; `arm(())` asks for nothing any more.

        When this returns, all that is reported with a later time came after the ask.
        """

    def acknowledge(self, number: int) -> None:
        """Say that the throw is safely kept, so that it need not be sent again. May be repeated."""

    def status(self) -> Status: ...


def shown(raw: bytes | str) -> str:
    """What came, fit for a page or a slip: bounded, every control or strange byte as a dot."""
    text = raw.decode("latin-1") if isinstance(raw, bytes) else raw
    cut = text[:RAW_LIMIT] + ("…" if len(text) > RAW_LIMIT else "")
    return "".join(c if c.isprintable() and c != "\xad" else "·" for c in cut)
