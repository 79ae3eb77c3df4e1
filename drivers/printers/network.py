"""A printer on the network: raw TCP, port 9100."""

from __future__ import annotations

import errno
import os
import select
import socket
import struct
import threading
import time
from typing import Any

from drivers.printers import PrinterOff
from drivers.printers.line import Line

_SEND_BUFFER = 8192
"""Small, so that what counts as handed over is nearly what the printer has."""
_DROP = struct.pack("ii", 1, 0)


class NetworkPrinter(Line):
    """`host:port`. The slow speed is that of the slowest print server met, not of the network."""

    def __init__(
        self,
        host: str,
        port: int = 9100,
        *,
        name: str = "",
        bytes_per_second: int = 1000,
        connect_s: float = 5.0,
    ) -> None:
        super().__init__(name or f"{host}:{port}", bytes_per_second)
        self.host, self.port, self.connect_s = host, port, connect_s
        self._socket: socket.socket | None = None

    def _open(self) -> int:
        end = time.monotonic() + self.connect_s
        family, address = self._resolve(end)
        sock = self._socket = socket.socket(family, socket.SOCK_STREAM)
        sock.setblocking(False)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # or the end of a slip waits 40 ms for an ACK
        self._fd = sock.fileno()
        code = sock.connect_ex(address)
        if code == errno.EINPROGRESS:
            self._connected(end)
            code = sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if code:
            raise OSError(code, os.strerror(code))
        return self._fd

    def _connected(self, end: float) -> None:
        try:
            self._wait(select.POLLOUT, end, 0)
        except TimeoutError:
            raise PrinterOff(
                f"{self.name}: no answer within {self.connect_s:g} s; check that the printer is on and in this network."
            ) from None

    def _resolve(self, end: float) -> tuple[int, Any]:
        """The resolver has no deadline of its own, so it works in a thread that may be left behind."""
        found: list[tuple[int, Any]] = []
        thread = threading.Thread(target=self._look_up, args=(found,), daemon=True)
        thread.start()
        while thread.is_alive() and time.monotonic() < end and not self._cancelled.is_set():
            thread.join(0.1)
        if not found:
            raise PrinterOff(f"{self.name}: no such host; give the printer's address in numbers.")
        return found[0]

    def _look_up(self, found: list[tuple[int, Any]]) -> None:
        try:
            for family, _, _, _, address in socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM):
                found.append((family, address))
        except OSError:
            pass

    def _cause(self) -> OSError:
        assert self._socket is not None
        code = self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) or errno.ECONNRESET
        return OSError(code, os.strerror(code))

    def _release(self, clean: bool) -> None:
        sock, self._socket = self._socket, None
        if sock is None:
            return
        if clean:
            _say_goodbye(sock)
        else:  # else the kernel would go on feeding the rest of a slip that was given up
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _DROP)
        sock.close()


def _say_goodbye(sock: socket.socket) -> None:
    """Close with nothing unread: the kernel would reset the line, and the printer lose what it still holds."""
    try:
        sock.shutdown(socket.SHUT_WR)
        for _ in range(64):
            if not sock.recv(64):
                break
    except OSError:  # nothing more to read, or gone already
        pass
