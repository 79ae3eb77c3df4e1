"""Offers a virtual printer to the real drivers: over TCP as a print server, over a pty as a serial or USB line."""

from __future__ import annotations

import os
import select
import socket
import struct
import threading
import time
import tty
from pathlib import Path
from types import TracebackType

from drivers.printers import PrinterOff
from drivers.printers.virtual import VirtualPrinter

_DROP = struct.pack("ii", 1, 0)


class _Offer:
    """A thread that carries bytes between a descriptor and the device, one caller at a time."""

    def __init__(self, printer: VirtualPrinter) -> None:
        self.printer = printer
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"offer {printer.name}", daemon=True)

    def _run(self) -> None:
        raise NotImplementedError

    def close(self) -> None:
        self._stop.set()
        self._thread.join(5)

    def __enter__(self) -> _Offer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _carry(self, fd: int) -> None:
        """Until the caller hangs up (ends) or the printer's power fails (raises PrinterOff)."""
        while not self._stop.is_set():
            if self.printer.faults.off:
                raise PrinterOff("switched off")
            room = self.printer.room()
            if not room:
                if _broken(fd):
                    return
                time.sleep(0.005)
                continue
            ready, _, _ = select.select([fd], [], [], 0.05)
            if ready:
                some = os.read(fd, room)
                if not some:
                    return
                if answers := self.printer.take(some):
                    os.write(fd, answers)


def _broken(fd: int) -> bool:
    poller = select.poll()
    poller.register(fd, 0)
    return bool(poller.poll(0))


class TcpOffer(_Offer):
    """`host:port` with a small receive buffer; while the printer is off the port refuses."""

    def __init__(self, printer: VirtualPrinter, host: str = "127.0.0.1", port: int = 0) -> None:
        super().__init__(printer)
        self.host = host
        self._listener: socket.socket | None = None
        self.port = port
        self._listen()
        self._thread.start()

    @property
    def description(self) -> str:
        return f"tcp://{self.host}:{self.port}"

    def _listen(self) -> None:
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        listener.bind((self.host, self.port))
        listener.listen(4)
        listener.settimeout(0.05)
        self.port = listener.getsockname()[1]
        self._listener = listener

    def _run(self) -> None:
        while not self._stop.is_set():
            if self.printer.faults.off:
                self._hush()
                time.sleep(0.01)
            elif self._listener is None:
                self._listen()
            else:
                self._serve(self._listener)
        self._hush()

    def _hush(self) -> None:
        if self._listener is not None:
            self._listener.close()
            self._listener = None

    def _serve(self, listener: socket.socket) -> None:
        try:
            caller, _ = listener.accept()
        except TimeoutError:
            return
        with caller:
            try:
                self._carry(caller.fileno())
            except PrinterOff:
                caller.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _DROP)
            except OSError:
                pass


class PtyOffer(_Offer):
    """A pseudo-terminal behind a link; switched off it vanishes, switched on it comes back as another."""

    def __init__(self, printer: VirtualPrinter, link: Path) -> None:
        super().__init__(printer)
        self.link = link
        self._master = self._slave = -1
        self._plug()
        self._thread.start()

    def _plug(self) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        new = self.link.with_name(self.link.name + ".new")
        new.symlink_to(os.ttyname(self._slave))
        new.rename(self.link)

    def _unplug(self) -> None:
        if self._master >= 0:
            self.link.unlink(missing_ok=True)
            os.close(self._slave)
            os.close(self._master)
            self._master = self._slave = -1

    def _run(self) -> None:
        while not self._stop.is_set():
            if self._master < 0 and not self.printer.faults.off:
                self._plug()
            if self._master < 0:
                time.sleep(0.01)
                continue
            try:
                self._carry(self._master)
            except (PrinterOff, OSError):
                self._unplug()
        self._unplug()
