"""Dice on a serial port: one thread that opens, reads, loses and finds again."""

import contextlib
import fcntl
import os
import select
import termios
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from drivers import BadSetting, DeviceLost, DriverError
from drivers.dice import Event, EventKind, Slot, Status
from drivers.dice.formats import Format
from drivers.dice.ports import Lister, check_port, find_port, open_port
from drivers.dice.session import Session
from drivers.dice.settle import Settler
from drivers.dice.worker import Worker
from drivers.holders import holders

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.05, 2.0
TICK_S = 0.1
FLUSH_READS = 4
HEALTHY_AFTER_S = 5.0
LOOK_FOR_OTHERS_S = 5.0


class SerialDice(Worker):
    """Any die or tower on a serial port. See `check_port` for `port`, `format_named` for formats.

    `settle_s` and `needs_rolling` are for dice that report every face they roll over.
    """

    def __init__(
        self,
        name: str,
        port: str,
        form: Format,
        baud: int = 115200,
        *,
        settle_s: float = 0.0,
        needs_rolling: bool = False,
        clock: Callable[[], float] = time.monotonic,
        lister: Lister | None = None,
    ) -> None:
        super().__init__(name)
        if not 50 <= baud <= 4_000_000:
            raise BadSetting(f"A baud rate of {baud} for {name} cannot be right; 9600 and 115200 are usual.")
        self._where, self._baud, self._lister = check_port(port), baud, lister
        self._session = Session(name, form, Settler(settle_s, needs_rolling))
        self._clock = clock
        self._port: Any = None
        self._lock = threading.Lock()  # guards the port and the session
        self._early: deque[Event] = deque()
        self._was_here = self._is_lost = False
        self._pause_s = FIRST_PAUSE_S
        self._path = ""
        self._others: list[str] = []  # programs that read the same port and take a part of what comes
        self._asked_for_others = 0.0
        self._looked_at = 0.0  # when the port was last found empty: what lies there came later than this

    def arm(self, slots: Sequence[Slot]) -> None:
        with self._lock:
            unread = self._unread()
            self._early.extend(self._session.arm(len(slots), unread, self._looked_at, self._clock()))
        self._ring()

    def acknowledge(self, number: int) -> None:
        with self._lock:
            self._session.acknowledge(number)
        self._ring()

    def status(self) -> Status:
        status, noise = super().status(), self._session.noise
        if status.state == "ready" and self._session.silent:
            return Status("trouble", f"{self._name} is plugged in but does not answer; check its program.")
        if status.state == "ready" and self._others:
            return Status("trouble", self._shared())
        if status.state == "ready" and self._session.trouble:
            return Status("trouble", f"{self._session.trouble} {noise} lines could not be read so far.")
        if status.state == "ready" and noise:
            return Status("ready", f"{status.text} {noise} lines could not be read so far.")
        return status

    def _run(self) -> None:
        self._set_status("waiting", f"{self._name} is being opened.")
        while not self._stopping.is_set():
            try:
                self._open()
                self._listen()
            except DriverError as problem:
                self._lose(str(problem))
                self._stopping.wait(self._pause_s)
                self._pause_s = min(LONGEST_PAUSE_S, self._pause_s * 1.5)
            finally:
                self._close()

    def _open(self) -> None:
        path = find_port(self._where, self._lister)
        port = open_port(path, self._baud)
        with self._lock:
            self._port = port
            self._looked_at = self._clock()
            self._session.opened(self._looked_at)
        self._path, self._others = path, []
        self._set_status("ready", f"{self._name} is connected at {path}.")
        self._was_here = True
        if self._is_lost:
            self._is_lost = False
            self._report("back", f"{self._name} is back at {path}.")

    def _close(self) -> None:
        with self._lock:
            port, self._port = self._port, None
        if port:
            with contextlib.suppress(OSError):
                fcntl.ioctl(port.fileno(), termios.TIOCNXCL)
            port.close()

    def _lose(self, why: str) -> None:
        self._set_status("lost" if self._was_here else "waiting", why)
        if not self._is_lost:
            self._is_lost = True
            self._report("lost", why)

    def _listen(self) -> None:
        ears = select.poll()
        ears.register(self._port.fileno(), select.POLLIN)
        ears.register(self._bell, select.POLLIN)
        opened = self._clock()
        while not self._stopping.is_set():
            ears.poll(TICK_S * 1000)
            for event in self._unshared(self._turn()):
                self._emit(event)
            if self._clock() - opened > HEALTHY_AFTER_S:
                self._pause_s = FIRST_PAUSE_S

    def _turn(self) -> list[Event]:
        """Read, think and send, once."""
        with self._lock:
            self._quiet_bell()
            data, now = self._read(), self._clock()
            self._looked_at = now
            events = [*self._early, *self._session.feed(data, now), *self._session.tick(now)]
            self._early.clear()
            self._write(self._session.to_send())
        if any(event.kind == "throw" for event in events):
            self._pause_s = FIRST_PAUSE_S
        return events

    def _unshared(self, events: list[Event]) -> list[Event]:
        """A program that came later, and may (root may), takes a part of the bytes: the rest can look like a throw."""
        now, is_proven = self._clock(), self._session.is_proven
        in_doubt = not is_proven and any(event.kind == "throw" for event in events)
        if in_doubt or now - self._asked_for_others >= LOOK_FOR_OTHERS_S:
            self._asked_for_others = now
            before, self._others = self._others, holders(self._path)
            if self._others and not before:
                self._report("hint", self._shared())
        if not self._others or is_proven:
            return events
        return [self._doubted(event) if event.kind == "throw" else event for event in events]

    def _shared(self) -> str:
        return f"{self._path} is read by {self._others[0]} too, which takes a part of the throws; close that program."

    def _doubted(self, event: Event) -> Event:
        text = f"{event.text} {self._others[0]} reads the same port, so this may be a part of a line and is not used."
        return replace(event, kind="noise", text=text)

    def _read(self) -> bytes:
        """What is there now. A terminal also answers b"" when it is merely empty, so it is asked first."""
        fd = self._port.fileno()
        now = select.poll()
        now.register(fd, select.POLLIN)
        if not now.poll(0):
            return b""
        try:
            data = os.read(fd, 4096)
        except OSError:
            data = b""
        if not data:
            raise DeviceLost(f"{self._name} was unplugged or switched off; what it was sending is void.")
        return data

    def _unread(self) -> bytes:
        """What lies in the port unread, within reason: a device that floods is stopped elsewhere."""
        unread = b""
        with contextlib.suppress(DeviceLost):  # the thread will find out and say so
            for _ in range(FLUSH_READS if self._port else 0):
                unread += (data := self._read())
                if not data:
                    break
        return unread

    def _write(self, data: bytes) -> None:
        """Never waits: what a device does not take now is said again when it greets or repeats itself."""
        if data:
            with contextlib.suppress(OSError):  # if it has gone, the next read says so
                os.write(self._port.fileno(), data)

    def _report(self, kind: EventKind, text: str) -> None:
        self._emit(Event(kind, self._name, (), None, self._clock(), "", text))
