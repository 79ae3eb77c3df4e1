"""From the acceptance of the last die to the complete slip at the printer: 1,000 bursts, 50 phones following.

A real daemon in its own process with a durable journal; the printer is a TCP socket that answers status and notes when
the cut has come. Every phone follows over server-sent events and reads its page again at each new version.
"""

from __future__ import annotations

import contextlib
import http.client
import math
import os
import queue
import socket
import tempfile
import threading
import time
from pathlib import Path
from statistics import median, quantiles

from tests.benches.figure import Figure, within
from tests.e2e.daemon import Daemon, running

BURSTS, PHONES = 1000, 50
MEDIAN_MS, SLOWEST_MS = 25.0, 100.0
CUT = b"\x1dV"


class Sink:
    """A printer that is always ready; `cuts` gets the time of each cut."""

    def __init__(self) -> None:
        self.cuts: queue.Queue[float] = queue.Queue()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"tcp://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            line, _ = self._listener.accept()
            threading.Thread(target=self._take, args=(line,), daemon=True).start()

    def _take(self, line: socket.socket) -> None:
        with contextlib.suppress(OSError), line:
            while data := line.recv(65536):
                asked = data.count(b"\x10\x04")
                if asked:
                    line.sendall(b"\x12" * asked)
                for _ in range(data.count(CUT)):
                    self.cuts.put(time.perf_counter())


class Phone:
    """Follows a table and reads the page again whenever it changed."""

    def __init__(self, daemon: Daemon, table: str, stop: threading.Event) -> None:
        self.daemon, self.table, self.stop, self.reads = daemon, table, stop, 0
        self.thread = threading.Thread(target=self._follow, daemon=True)
        self.thread.start()

    def _follow(self) -> None:
        host = {"Host": f"phone.localhost:{self.daemon.port}"}
        events = http.client.HTTPConnection("127.0.0.1", self.daemon.port, timeout=60)
        pages = http.client.HTTPConnection("127.0.0.1", self.daemon.port, timeout=60)
        with contextlib.suppress(OSError, http.client.HTTPException):
            events.request("GET", f"/api/tables/{self.table}/events", headers=host)
            stream = events.getresponse()
            while not self.stop.is_set():
                if b'"version"' in stream.readline():
                    pages.request("GET", f"/e/{self.table}", headers={**host, "X-Part": "main"})
                    pages.getresponse().read()
                    self.reads += 1


def measure() -> list[Figure]:
    sink = Sink()
    settings = f'[[printers]]\nname = "till"\naddress = "{sink.address}"\ncutter = "partial"\n'
    with tempfile.TemporaryDirectory() as folder, running(Path(folder), settings) as daemon:
        table = daemon.ask("POST", "/api/tables", {"game": "aod"})[1]["table"]
        stop = threading.Event()
        assert daemon.process is not None
        worked = _worked(daemon.process.pid)
        phones = [Phone(daemon, table, stop) for _ in range(PHONES)]
        taken = [_burst(daemon, table, sink) for _ in range(BURSTS)]
        worked = (_worked(daemon.process.pid) - worked) * 1000 / BURSTS
        stop.set()
        assert all(phone.reads > 10 for phone in phones), "a phone did not follow"
    slowest = quantiles(taken, n=100)[98]
    return [
        within("last die to complete slip, median", median(taken), MEDIAN_MS, "ms"),
        within("last die to complete slip, 99th percentile", slowest, SLOWEST_MS, "ms"),
        within("the daemon's own time for a burst fired, taken back and followed", worked, math.inf, "ms"),
    ]


def _worked(process: int) -> float:
    """Seconds of processor that it has used so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _burst(daemon: Daemon, table: str, sink: Sink) -> float:
    """One miss, fired and then taken back with the other side's word, so that the next one is the same."""
    assert daemon.ask("POST", f"/api/tables/{table}/acts", {"act": "fire:3:11"})[0] == 201
    _answer(daemon, table, {"choice": "normal"})
    begin = time.perf_counter()
    _answer(daemon, table, {"faces": [1]})
    taken = (sink.cuts.get(timeout=30) - begin) * 1000
    assert daemon.ask("POST", f"/api/tables/{table}/undo", {"fresh": True})[0] == 200
    sink.cuts.get(timeout=30)  # the void slip
    return taken


def _answer(daemon: Daemon, table: str, given: dict[str, object]) -> None:
    address = daemon.asked(table)
    assert daemon.ask("POST", f"/api/tables/{table}/asks/{address}", given)[0] == 200, address
