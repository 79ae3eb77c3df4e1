"""What every printer on a file descriptor has in common: no read and no write without a deadline."""

from __future__ import annotations

import errno
import fcntl
import os
import select
import struct
import termios
import threading
import time
from abc import ABC, abstractmethod

from drivers.holders import holders
from drivers.printers import (
    PaperOut,
    PrinterBusy,
    PrinterCancelled,
    PrinterError,
    PrinterOff,
    PrinterRefused,
    PrinterStalled,
    Progress,
    Status,
)
from drivers.printers.realtime import is_reply, request, status_of

_SLICE_S = 0.2
"""The longest single wait: a cancel is noticed and progress is told this often."""
_RETRY_S = 0.02
_NEXT_ANSWER_S = 0.5
_BROKEN = select.POLLERR | select.POLLHUP | select.POLLNVAL


class Line(ABC):
    """A printer behind a non-blocking descriptor; the kinds differ only in how they open it."""

    chunk = 4096
    eof_is_silence = False
    """Whether reading nothing means "no answer yet" (usblp) instead of "gone" (TCP, a tty)."""

    def __init__(self, name: str, bytes_per_second: int) -> None:
        self.name = name
        self.bytes_per_second = bytes_per_second
        self._fd = -1
        self._clean = True
        self._cancelled = threading.Event()

    @abstractmethod
    def _open(self) -> int:
        """Take the line and return its non-blocking descriptor; OSError where that fails."""

    @abstractmethod
    def _release(self, clean: bool) -> None:
        """Let go of the line; unless `clean`, throw away what the kernel still holds for it."""

    def open(self) -> None:
        self.close()
        self._cancelled.clear()
        try:
            self._fd = self._open()
        except PrinterError:
            self.close()
            raise
        except OSError as error:
            self.close()
            raise self._trouble(error, 0) from error
        self._clean = True

    def close(self) -> None:
        try:
            self._release(self._clean)
        except OSError:  # a line that is gone already is let go of all the same
            pass
        finally:
            self._fd = -1

    def cancel(self) -> None:
        self._cancelled.set()

    def status(self, deadline_s: float) -> Status:
        paper = self._ask(4, 0.7 * deadline_s)  # first, for the worst printers answer nothing else
        rest = min(_NEXT_ANSWER_S, 0.15 * deadline_s)
        return status_of(self._ask(1, rest), self._ask(2, rest), paper)

    def write(self, data: bytes, deadline_s: float, progress: Progress | None = None) -> None:
        end = time.monotonic() + deadline_s
        self._clean = False
        view, sent = memoryview(data), 0
        while sent < len(view):
            self._wait(select.POLLOUT, end, sent, progress)
            sent += self._put(view[sent : sent + self.chunk], sent)
            if progress:
                progress(sent)
        self._drain(end, sent, progress)
        self._clean = True

    def _put(self, some: memoryview, sent: int) -> int:
        try:
            return os.write(self._fd, some)
        except BlockingIOError:
            time.sleep(_RETRY_S)  # usblp may call itself writable and then not be
            return 0
        except OSError as error:
            raise self._trouble(error, sent) from error

    def _drain(self, end: float, sent: int, progress: Progress | None) -> None:
        """Wait until the kernel has passed everything on: a line closed earlier loses its tail."""
        self._wait(select.POLLOUT, end, sent, progress)
        while self._waiting_bytes():
            self._check(end, sent)
            if progress:
                progress(sent)
            self._poll(0, _RETRY_S, sent)
        self._poll(0, 0, sent)

    def _waiting_bytes(self) -> int:
        try:  # on Linux this one request serves a tty and a TCP socket alike
            return int(struct.unpack("i", fcntl.ioctl(self._fd, termios.TIOCOUTQ, b"\0\0\0\0"))[0])
        except OSError:  # usblp has no such count; being writable again is its "done"
            return 0

    def _ask(self, n: int, deadline_s: float) -> int | None:
        """One real-time request; None where no answer comes in time."""
        end = time.monotonic() + deadline_s
        try:
            self._flush_input(end)
            self._wait(select.POLLOUT, end, 0)
            self._put(memoryview(request(n)), 0)
            while True:
                self._wait(select.POLLIN, end, 0)
                for byte in self._get():
                    if is_reply(byte):
                        return byte
        except PrinterStalled:
            return None

    def _flush_input(self, end: float) -> None:
        while self._poll(select.POLLIN, 0, 0) and self._get():
            self._check(end, 0)

    def _get(self) -> bytes:
        try:
            some = os.read(self._fd, 64)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise self._trouble(error, 0) from error
        if not some and not self.eof_is_silence:
            raise PrinterOff(f"{self.name}: the printer hung up; switch it on.")
        if not some:
            time.sleep(_RETRY_S)  # usblp reads as ready though it has nothing to say
        return some

    def _wait(self, what: int, end: float, sent: int, progress: Progress | None = None) -> None:
        while not self._poll(what, min(_SLICE_S, max(0.0, end - time.monotonic())), sent):
            self._check(end, sent)
            if progress:
                progress(sent)
        self._check(end, sent)

    def _poll(self, what: int, seconds: float, sent: int) -> bool:
        if self._fd < 0:
            raise PrinterOff(f"{self.name}: the printer is not open; open it first.", sent)
        poller = select.poll()
        poller.register(self._fd, what)
        events = sum(event for _, event in poller.poll(seconds * 1000))
        if events & _BROKEN and (self.eof_is_silence or not events & select.POLLIN):
            raise self._trouble(self._cause(), sent)
        return bool(events & what)

    def _cause(self) -> OSError:
        """Why poll calls the line broken."""
        return OSError(errno.EIO, "the line broke")

    def _check(self, end: float, sent: int) -> None:
        if self._cancelled.is_set():
            raise PrinterCancelled(f"{self.name}: stopped by hand after {sent} bytes.", sent)
        if time.monotonic() >= end:
            raise PrinterStalled(
                f"{self.name}: the printer takes no more data after {sent} bytes; "
                "look at paper and cover, then switch it off and on.",
                sent,
            )

    def _trouble(self, error: OSError, sent: int) -> PrinterError:
        why = error.strerror or str(error)
        if error.errno in (errno.EBUSY, errno.EWOULDBLOCK):
            who = ", ".join(holders(self._place())) or "another program (often CUPS)"
            return PrinterBusy(
                f"{self.name}: the printer is in use by {who}; stop that program "
                "(CUPS: sudo systemctl stop cups), or give Companion another line to it.",
                sent,
            )
        if error.errno in (errno.EACCES, errno.EPERM):
            return PrinterRefused(
                f"{self.name}: no right to use {self._place()}; add this user to the group "
                "that owns it (lp or dialout) and start again.",
                sent,
            )
        if error.errno == errno.ENOSPC:  # usblp's word for it
            return PaperOut(f"{self.name}: no paper: put in a new roll.", sent)
        return PrinterOff(f"{self.name}: the printer is off or unplugged ({why}); switch it on.", sent)

    def _place(self) -> str:
        return self.name
