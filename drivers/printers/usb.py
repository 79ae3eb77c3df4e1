"""A USB printer through the kernel's usblp driver: data and status on the one descriptor of /dev/usb/lpN."""

from __future__ import annotations

import errno
import fcntl
import glob
import os

from drivers.printers import PrinterOff
from drivers.printers.line import Line

ANY = "/dev/usb/lp*"


class UsbPrinter(Line):
    """A node, or a pattern of which the first free node is taken: after a re-plug the number may differ."""

    eof_is_silence = True

    def __init__(self, node: str = ANY, *, name: str = "", bytes_per_second: int = 2000) -> None:
        super().__init__(name or f"usb {node}", bytes_per_second)
        self.node = node
        self._node = node

    def _open(self) -> int:
        nodes = sorted(glob.glob(self.node))
        if not nodes:
            raise PrinterOff(self._missing())
        for node in nodes[:-1]:
            try:
                return self._take(node)
            except OSError:
                continue
        return self._take(nodes[-1])

    def _take(self, node: str) -> int:
        self._node = node
        fd = os.open(node, os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY)
        try:  # usblp opens once only; the lock says the same of anything else behind the name
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(fd)
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY)) from error
        return fd

    def _missing(self) -> str:
        others = sorted(glob.glob(os.path.join(os.path.dirname(self.node), "lp*")))
        if others:
            return f"{self.name}: no printer at {self.node}, but {others[0]} is there: set usb:{others[0]}."
        return f"{self.name}: no printer at {self.node}; switch it on, or check its USB cable."

    def _release(self, clean: bool) -> None:
        if self._fd >= 0:
            os.close(self._fd)

    def _place(self) -> str:
        return self._node
