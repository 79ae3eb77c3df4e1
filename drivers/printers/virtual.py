"""A printer that is not there, with faults as switches: for trying out, for the demo and for the tests.

It can be written to directly, and it offers itself over TCP and over a pseudo-terminal, so that the real
drivers can be tried on it. One device, however it is reached: an open command survives a hang-up.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields

from drivers.printers import (
    Paper as PaperState,
)
from drivers.printers import (
    PrinterCancelled,
    PrinterOff,
    PrinterStalled,
    Progress,
    Status,
    UnknownPrinter,
)
from drivers.printers.commands import Command, Reader
from drivers.printers.paper import EPSON_PAGES, Paper, Slip
from drivers.printers.realtime import status_of

WIDTHS = {58: 384, 80: 576}
"""Dots across the head (8 a millimetre) by the width of the roll in millimetres."""
_BUFFER = 4096
"""What a printer without paper still takes before it stops listening."""
_PIECE = 256
_COUNTED = ("slow", "pause_every", "pause_ms", "stall_at", "reset_at")


@dataclass(slots=True)
class Faults:
    """The switches; all may be moved while printing. `slow` is bytes a second, 0 for no limit."""

    slow: int = 0
    pause_every: int = 0
    pause_ms: int = 0
    stall_at: int | None = None
    reset_at: int | None = None
    paper: PaperState = "ok"
    cover_open: bool = False
    silent: bool = False
    without_qr: bool = False
    forgets_page: bool = False
    off: bool = False

    @classmethod
    def parse(cls, words: str) -> Faults:
        """Read a list such as "slow=960,paper=out,silent"; raises UnknownPrinter on a word it lacks."""
        faults = cls()
        for word in filter(None, words.replace(" ", ",").split(",")):
            name, _, value = word.partition("=")
            faults.switch(name.replace("-", "_"), value)
        return faults

    def switch(self, name: str, value: str = "") -> None:
        known = [field.name for field in fields(self)]
        if name not in known:
            raise UnknownPrinter(f"{name!r} is no printer fault; choose from {', '.join(known)}.")
        if name == "paper" and value in ("ok", "low", "out", "unknown"):
            self.paper = value  # type: ignore[assignment]
        elif name in _COUNTED and value.isdecimal():
            setattr(self, name, int(value))
        elif name not in ("paper", *_COUNTED):
            setattr(self, name, value in ("", "on", "yes", "true", "1"))
        else:
            raise UnknownPrinter(f"Printer fault {name!r} cannot be {value!r}.")

    @property
    def blocked(self) -> bool:
        return self.cover_open or self.paper == "out"


class VirtualPrinter:
    """A printer for rolls of 58 or 80 mm; what it printed is in `slips` and `tape`."""

    def __init__(
        self,
        roll_mm: int = 58,
        *,
        name: str = "",
        faults: Faults | None = None,
        pages: Mapping[int, str] = EPSON_PAGES,
        cutter: bool = True,
    ) -> None:
        if roll_mm not in WIDTHS:
            raise UnknownPrinter(f"There is no virtual printer of {roll_mm} mm; choose 58 or 80.")
        self.name = name or f"virtual {roll_mm} mm"
        self.faults = faults or Faults()
        self.received = 0
        self.hang_ups = 0
        self.paper = Paper(
            WIDTHS[roll_mm],
            pages=pages,
            cutter=cutter,
            has_qr=lambda: not self.faults.without_qr,
            forgets_page=lambda: self.faults.forgets_page,
        )
        self._reader = Reader()
        self._held: list[Command] = []
        self._ready_at = 0.0
        self._changed = threading.Condition(threading.RLock())
        self._cancelled = threading.Event()

    # what came out

    @property
    def bytes_per_second(self) -> int:
        return self.faults.slow or 1000

    @property
    def slips(self) -> list[Slip]:
        with self._changed:
            return list(self.paper.slips)

    @property
    def tape(self) -> Slip:
        with self._changed:
            return self.paper.tape()

    @property
    def text(self) -> str:
        """All that was ever printed and is still remembered, one line each."""
        return "\n".join([*(slip.text for slip in self.slips), self.tape.text])

    def until(self, happened: Callable[[], bool], deadline_s: float = 30.0) -> bool:
        """Wait until `happened` says so; whether it did in time."""
        with self._changed:
            return self._changed.wait_for(happened, deadline_s)

    def set(self, **switches: object) -> None:
        """Move switches, and print what waited for paper where that is now possible."""
        with self._changed:
            for name, value in switches.items():
                setattr(self.faults, name, value)
            if self.faults.off:
                self._power_cut()
            self._work_off()
            self._changed.notify_all()

    # the device

    def room(self) -> int:
        """How many bytes it would take at this moment."""
        with self._changed:
            faults = self.faults
            if time.monotonic() < self._ready_at:
                return 0
            if faults.blocked and sum(len(command.raw) for command in self._held) >= _BUFFER:
                return 0
            limits = [_PIECE]
            for mark in (faults.stall_at, faults.reset_at):
                if mark is not None:
                    limits.append(max(0, mark - self.received))
            if faults.slow:
                limits.append(max(1, faults.slow // 20))
            return min(limits)

    def take(self, data: bytes) -> bytes:
        """Receive bytes and give the answers. Raises PrinterOff where its power fails."""
        with self._changed:
            if self.faults.off:
                raise PrinterOff(f"{self.name}: the printer is off; switch it on.")
            self._count(len(data))
            answers = b"".join(self._accept(command) for command in self._reader.feed(data))
            self._work_off()
            self._changed.notify_all()
            if self.faults.reset_at is not None and self.received >= self.faults.reset_at:
                self.faults.reset_at = None
                self._power_cut()
                raise PrinterOff(f"{self.name}: the printer was switched off and on.")
            return answers

    def _count(self, size: int) -> None:
        faults, before = self.faults, self.received
        self.received += size
        wait = size / faults.slow if faults.slow else 0.0
        if faults.pause_every and before // faults.pause_every != self.received // faults.pause_every:
            wait += faults.pause_ms / 1000
        self._ready_at = time.monotonic() + wait

    def _accept(self, command: Command) -> bytes:
        if command.name == "DLE EOT":
            return self._answer(command.data[0])
        self._held.append(command)
        return b""

    def _answer(self, n: int) -> bytes:
        faults = self.faults
        if faults.silent:
            return b""
        out, low = faults.paper == "out", faults.paper in ("out", "low")
        answers = {
            1: 0x12 | (0x08 if faults.blocked else 0),
            2: 0x12 | (0x04 if faults.cover_open else 0) | (0x20 if out else 0),
            3: 0x12,
            4: 0x12 | (0x0C if low else 0) | (0x60 if out else 0),
        }
        return bytes([answers[n]]) if n in answers else b""

    def _work_off(self) -> None:
        while self._held and not self.faults.blocked:
            self.paper.carry_out(self._held.pop(0))

    def _power_cut(self) -> None:
        self.hang_ups += 1
        self._held.clear()
        self._reader.forget()
        self.paper.start()

    # as a Printer of its own

    def open(self) -> None:
        self._cancelled.clear()
        if self.faults.off:
            raise PrinterOff(f"{self.name}: the printer is off; switch it on.")

    def close(self) -> None:
        pass

    def cancel(self) -> None:
        self._cancelled.set()
        with self._changed:
            self._changed.notify_all()

    def status(self, deadline_s: float) -> Status:
        if self.faults.off:
            raise PrinterOff(f"{self.name}: the printer is off; switch it on.")
        answers = [self._answer(n) for n in (1, 2, 4)]
        if self.faults.silent:
            self._pause(time.monotonic() + deadline_s, 0)
        return status_of(*(answer[0] if answer else None for answer in answers))

    def write(self, data: bytes, deadline_s: float, progress: Progress | None = None) -> None:
        end, sent = time.monotonic() + deadline_s, 0
        while sent < len(data):
            room = self.room()
            if room:
                sent += self._send(data[sent : sent + room], sent)
            else:
                self._pause(min(end, time.monotonic() + 0.05), sent)
            if time.monotonic() >= end and sent < len(data):
                raise PrinterStalled(f"{self.name}: the printer takes no more data; look at it.", sent)
            if progress:
                progress(sent)

    def _send(self, some: bytes, sent: int) -> int:
        try:
            self.take(some)
        except PrinterOff as error:
            raise PrinterOff(str(error), sent + len(some)) from error
        return len(some)

    def _pause(self, end: float, sent: int) -> None:
        with self._changed:
            self._changed.wait_for(self._cancelled.is_set, max(0.0, end - time.monotonic()))
        if self._cancelled.is_set():
            raise PrinterCancelled(f"{self.name}: stopped by hand after {sent} bytes.", sent)
