"""Puts lines together from the bits and pieces that a port hands over."""

import re
from dataclasses import dataclass
from typing import Literal

LINE_LIMIT = 256
PATIENCE_S = 5.0

Fault = Literal["partial", "long", "late"]
_END = re.compile(rb"[\r\n]+")


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its end. With a fault it must not be read as a result.

    "partial" began before anybody listened, "long" broke the limit, "late" stayed open for too long.
    """

    raw: bytes
    at: float
    fault: Fault | None = None


class LineAssembler:
    """Bounded: keeps at most one line, throws the rest of a faulty one away up to its end."""

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        self._patience_s = patience_s
        self.restart()

    def restart(self) -> None:
        """The port was opened: what comes up to the first line end may be half a line."""
        self._open = b""
        self._since = 0.0
        self._skipping = False
        self._heard_an_end = False

    def feed(self, data: bytes, at: float) -> list[Line]:
        lines = self.tick(at)
        *ended, rest = _END.split(data)
        for piece in ended:
            lines += self._add(piece, at) + self._end(at)
        return lines + self._add(rest, at)

    def tick(self, at: float) -> list[Line]:
        """Give up a line that has been open for too long; call it now and then."""
        if not self._open or at - self._since <= self._patience_s:
            return []
        return self._give_up("late", at)

    def drop_open(self) -> None:
        """Forget a line that is half here, with the half that is still to come."""
        self._skipping = self._skipping or bool(self._open)
        self._open = b""

    def _add(self, piece: bytes, at: float) -> list[Line]:
        """Also what is thrown away is looked at, a stretch at a time: a stream without ends must not go unnoticed."""
        lines: list[Line] = []
        while piece:
            if not self._open:
                self._since = at
            room = LINE_LIMIT + 1 - len(self._open)
            self._open, piece = self._open + piece[:room], piece[room:]
            if len(self._open) > LINE_LIMIT:
                lines += self._give_up("long", at)
        return lines

    def _end(self, at: float) -> list[Line]:
        raw, fault = self._open, None if self._heard_an_end else "partial"
        skipped = self._skipping
        self._open, self._skipping, self._heard_an_end = b"", False, True
        return [Line(raw, at, fault)] if raw and not skipped else []  # type: ignore[arg-type]

    def _give_up(self, fault: Fault, at: float) -> list[Line]:
        raw = self._open
        self.drop_open()
        return [Line(raw, at, fault)]
