"""Printers: what the spool may expect of one, what can go wrong, and how one is found by its description."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from drivers import DriverError

Paper = Literal["ok", "low", "out", "unknown"]
Progress = Callable[[int], None]


class PrinterError(DriverError):
    """Root of all printer troubles; `sent` says how many bytes had been handed over before it."""

    def __init__(self, message: str, sent: int = 0) -> None:
        super().__init__(message)
        self.sent = sent


class PrinterOff(PrinterError, ConnectionError): ...


class PrinterBusy(PrinterError, OSError): ...


class PrinterStalled(PrinterError, TimeoutError): ...


class PrinterCancelled(PrinterError, InterruptedError): ...


class PrinterRefused(PrinterError, PermissionError): ...


class PaperOut(PrinterError, OSError): ...


class CoverOpen(PrinterError, OSError): ...


class StorageFull(PrinterError, OSError): ...


class UnknownPrinter(PrinterError, ValueError): ...


@dataclass(frozen=True, slots=True)
class Status:
    """What a printer says of itself; None and "unknown" where it does not answer."""

    online: bool | None
    paper: Paper
    cover_open: bool | None
    text: str

    @property
    def answered(self) -> bool:
        return self.online is not None or self.paper != "unknown" or self.cover_open is not None

    def demand_ready(self) -> None:
        """Raise CoverOpen, PaperOut or PrinterOff where the printer says that it cannot print."""
        sentence = f"{self.text[:1].upper()}{self.text[1:]}."
        if self.cover_open:
            raise CoverOpen(sentence)
        if self.paper == "out":
            raise PaperOut(sentence)
        if self.online is False:
            raise PrinterOff(sentence)


class Printer(Protocol):
    """One printer. Only one thread uses it, but any thread may `cancel`."""

    @property
    def name(self) -> str: ...

    @property
    def bytes_per_second(self) -> int:
        """The slowest speed at which it may still be healthy; deadlines are scaled by it."""

    def open(self) -> None:
        """Take the line, for this process alone. Raises PrinterOff, PrinterBusy, PrinterRefused."""

    def close(self) -> None:
        """Let go of the line; never raises and never waits."""

    def status(self, deadline_s: float) -> Status:
        """Ask for paper, cover and readiness; a printer that does not answer in time is unknown."""

    def write(self, data: bytes, deadline_s: float, progress: Progress | None = None) -> None:
        """Hand over all of `data` and wait until the line has taken it.

        `progress` hears the bytes handed over, at least once a second even when none were. Every
        PrinterError that is raised carries the count in `sent`: 0 is "nothing sent".
        """

    def cancel(self) -> None:
        """Unblock whatever another thread waits for, within a second; holds until the next `open`."""


def deadline_for(size: int, bytes_per_second: int) -> float:
    """Seconds to allow for `size` bytes: thrice the time at the slow speed, and twenty for the mechanics."""
    return 20.0 + 3.0 * size / max(1, bytes_per_second)


def printer_from(description: str, name: str = "") -> Printer:
    """Find a printer by its description.

    `tcp://host:9100`, `usb:` (the first /dev/usb/lp*) or `usb:/dev/usb/lp0`,
    `serial:/dev/serial/by-id/...@19200` (then `,rtscts` or `,xonxoff`), `file:FOLDER`, `virtual:58` or
    `virtual:80` (then faults, as in `virtual:58,slow=960,silent`). Raises UnknownPrinter.
    """
    from drivers.printers.locate import locate

    return locate(description.strip(), name)
