"""What is said over one port: from bytes to events, with the noise counted and floods stopped. Pure."""

from collections import deque
from collections.abc import Iterable

from drivers.dice import Event, EventKind, Face, shown
from drivers.dice.formats import Format, Parsed, Reference, Refused
from drivers.dice.lines import Line, LineAssembler
from drivers.dice.settle import Settler
from drivers.dice.tower import TowerTalk

BAD_LINES_BEFORE_HINT = 8
QUIET_AFTER_NOISE_S = 0.5
EVENTS_PER_SECOND = 40
CALM_S = 2.0

_FAULTS = {
    "partial": "This may be half a line, because it began before the port was opened; throw again.",
    "long": "This line is too long for a result; it is thrown away up to its end.",
    "late": "This line was not ended in time; it is thrown away.",
}


class Session:
    """One source's side of the talk. Bytes come in, events and bytes to send go out; it reads no clock."""

    def __init__(self, name: str, form: Format, settler: Settler | None = None) -> None:
        self.name = name
        self.noise = 0
        self.trouble = ""
        self._format = form
        self._assembler = LineAssembler()
        self._settler = settler or Settler()
        self._tower = TowerTalk() if isinstance(form, Reference) else None
        self._flood = _Flood()
        self._bad_in_a_row = 0
        self._garbled_at = float("-inf")

    @property
    def is_proven(self) -> bool:
        """Whether each line carries a proof of being whole."""
        return self._tower is not None

    def opened(self, at: float) -> None:
        self._assembler.restart()
        self._settler.restart()
        self._bad_in_a_row, self.trouble = 0, ""
        if self._tower:
            self._tower.opened(at)

    def feed(self, data: bytes, at: float) -> list[Event]:
        return self._settler.pass_on(self._read(self._assembler.feed(data, at), at))

    def tick(self, at: float) -> list[Event]:
        """What time alone brings: lines never ended, dice that lie still, a tower that does not answer."""
        events = self._read(self._assembler.tick(at), at) + self._settler.tick(at)
        if self._tower and (trouble := self._tower.tick(at)):
            events.append(self._event("hint", at, trouble))
        return events

    def arm(self, dice: int, unread: bytes, unread_at: float, at: float) -> list[Event]:
        """Ask for this many dice. What lay unread is read as having come before; half a line is dropped."""
        early = self.feed(unread, unread_at)
        self._assembler.drop_open()
        if self._tower:
            self._tower.arm(dice > 0, at)
        return early

    def acknowledge(self, number: int) -> None:
        if self._tower:
            self._tower.acknowledge(number)

    def to_send(self) -> bytes:
        return self._tower.to_send() if self._tower else b""

    @property
    def silent(self) -> bool:
        """A tower that should answer and does not."""
        return bool(self._tower and self._tower.silent)

    def _read(self, lines: Iterable[Line], at: float) -> list[Event]:
        events: list[Event] = []
        for line in lines:
            if self._flood.is_on(at):
                events += self._stop_flood(at)
            else:
                events += self._flood.counted(self._line(line), at)
        return events

    def _stop_flood(self, at: float) -> list[Event]:
        """The line is not even looked at: a tower says it again, and a sketch gone wild means nothing by it."""
        if not self._flood.is_news(at):
            return []
        return [
            self._event("noise", at, f"{self.name} sends more than {EVENTS_PER_SECOND} a second; they are not used.")
        ]

    def _line(self, line: Line) -> list[Event]:
        parsed = self._parse(line)
        if isinstance(parsed, Refused):
            return self._bad(line, parsed.reason)
        at = line.at
        if self._comes_out_of_noise(at):
            return [self._event("noise", at, "This came in the midst of noise, so it is not used.", raw=line.raw)]
        if self._tower:
            heard = self._tower.hear(parsed, at)
            if isinstance(heard, str):
                return [self._event("noise", at, heard, raw=line.raw)] if heard else []
            parsed, at = heard
        return [self._event(parsed.kind, at, parsed.text, parsed.faces, parsed.number, line.raw)]

    def _comes_out_of_noise(self, at: float) -> bool:
        """At a wrong speed some noise looks like a line in the end: the first after much of it must stand alone."""
        was_noisy = self._bad_in_a_row >= BAD_LINES_BEFORE_HINT and at - self._garbled_at < QUIET_AFTER_NOISE_S
        self._bad_in_a_row, self.trouble = 0, ""
        return was_noisy and not self.is_proven

    def _parse(self, line: Line) -> Parsed:
        # A reference line carries its own proof of being whole, so it may be the first after opening.
        if line.fault and not (line.fault == "partial" and self._tower):
            return Refused(_FAULTS[line.fault])
        if not line.raw.isascii():
            return Refused("This line holds bytes that no die sends.")
        return self._format.parse(line.raw.decode("ascii"))

    def _bad(self, line: Line, reason: str) -> list[Event]:
        """Bad lines are told ever more rarely (the 1st, 2nd, 4th, 8th ... in a row), and counted."""
        self.noise += 1
        self._bad_in_a_row += 1
        self._garbled_at = float("-inf") if line.raw.isascii() else line.at
        row = self._bad_in_a_row
        events = [self._event("noise", line.at, reason, raw=line.raw)] if row & (row - 1) == 0 else []
        if row == BAD_LINES_BEFORE_HINT:
            self.trouble = self._advice(line.raw)
            events.append(self._event("hint", line.at, self.trouble, raw=line.raw))
        return events

    def _advice(self, raw: bytes) -> str:
        if raw.rstrip().lower().endswith((b"login:", b"password:")):
            return f"A login console runs on the port of {self.name}: switch the serial console off."
        return f"{self.name} sends nothing that can be read: check baud rate and dice format."

    def _event(
        self,
        kind: EventKind,
        at: float,
        text: str,
        faces: tuple[Face, ...] = (),
        number: int | None = None,
        raw: bytes = b"",
    ) -> Event:
        return Event(kind, self.name, faces, number, at, shown(raw), text)


class _Flood:
    """So many events are let through in a second. That it stopped some is news once, until it has been calm."""

    def __init__(self) -> None:
        self._times: deque[float] = deque(maxlen=EVENTS_PER_SECOND)
        self._stopped_at = float("-inf")

    def is_on(self, at: float) -> bool:
        return len(self._times) == EVENTS_PER_SECOND and at - self._times[0] < 1.0

    def is_news(self, at: float) -> bool:
        is_news = at - self._stopped_at >= CALM_S
        self._stopped_at = at
        return is_news

    def counted(self, events: list[Event], at: float) -> list[Event]:
        self._times.extend(at for _ in events)
        return events
