"""The watchdog hears of life only while loop, store and print workers move; and the daemon stops in time."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.config import Config, PrinterConfig
from companion.daemon import _beat
from companion.pulse import Pulse
from companion.wiring import Machine
from drivers.printers.offer import TcpOffer
from drivers.printers.virtual import VirtualPrinter
from tests.e2e.daemon import ROOT, Daemon, until
from tests.wiring.rig import burst, in_worker, working


class Ears:
    """What systemd would hear."""

    def __init__(self, path: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(str(path))

    def hears(self, seconds: float) -> list[str]:
        """All that is said until that time is over."""
        end, heard = time.monotonic() + seconds, []
        while (left := end - time.monotonic()) > 0:
            self.socket.settimeout(left)
            try:
                heard.append(self.socket.recv(4096).decode())
            except TimeoutError:
                break
        return heard

    def empty(self) -> None:
        self.hears(0.01)


@pytest.fixture
def ears(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ears]:
    made = Ears(tmp_path / "notify")
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    monkeypatch.setenv("WATCHDOG_USEC", "300000")
    yield made
    made.socket.close()


@pytest.fixture
def offer() -> Iterator[TcpOffer]:
    with TcpOffer(VirtualPrinter(58)) as offered:
        yield offered  # type: ignore[misc]


def beating(machine: Machine, patience: float) -> None:
    """Start the heart in the machine's loop."""
    assert machine._loop is not None
    machine._loop.call_soon_threadsafe(
        lambda: asyncio.ensure_future(_beat(machine, Pulse(patience)), loop=machine._loop)
    )


@pytest.mark.field(15)
def test_a_stuck_printer_does_not_starve_the_watchdog(tmp_path: Path, ears: Ears, offer: TcpOffer) -> None:
    config = Config(printers=[PrinterConfig("till", offer.description)])
    offer.printer.set(stall_at=600)
    with working(tmp_path / "data", config) as machine:
        table = burst(machine)
        in_worker(machine, lambda: table.answer("first/targeting", [1], seat="host"))
        until(lambda: machine.printing.states()[0]["sent"] > 0, what="the printer to be in the middle of a slip")
        beating(machine, 3.0)
        assert len(ears.hears(4.0)) > 10
        assert machine.printing.jobs()[0]["state"] == "sending"


def test_a_dead_print_worker_starves_it_though_others_live(tmp_path: Path, ears: Ears) -> None:
    config = Config(printers=[PrinterConfig(n, f"file:{tmp_path / n}") for n in ("a", "b")])
    with working(tmp_path / "data", config) as machine:
        beating(machine, 2.5)
        assert "WATCHDOG=1" in ears.hears(1.0)
        assert machine.printing.spool is not None
        worker = machine.printing.spool._workers["a"]
        worker._stopping = True  # its thread ends, as if it had died
        worker.ring()
        worker._thread.join(5)
        until(lambda: (ears.empty(), not ears.hears(0.8))[1], 10, what="silence")
        assert machine.printing.spool._workers["b"]._thread.is_alive()


def test_a_stalled_loop_starves_it(tmp_path: Path, ears: Ears) -> None:
    with working(tmp_path / "data", Config()) as machine:
        beating(machine, 2.0)
        assert "WATCHDOG=1" in ears.hears(1.0)
        go_on = threading.Event()
        assert machine._loop is not None
        machine._loop.call_soon_threadsafe(go_on.wait, 10)
        time.sleep(0.2)
        ears.empty()
        assert ears.hears(1.0) == []
        go_on.set()
        assert "WATCHDOG=1" in ears.hears(2.0)


def test_a_stalled_store_starves_it(tmp_path: Path, ears: Ears) -> None:
    with working(tmp_path / "data", Config()) as machine:
        beating(machine, 2.0)
        assert "WATCHDOG=1" in ears.hears(1.0)
        go_on = threading.Event()
        machine.parts.worker.submit(go_on.wait, 10)
        time.sleep(0.2)
        ears.empty()
        assert ears.hears(1.0) == []
        go_on.set()
        assert "WATCHDOG=1" in ears.hears(2.0)


def test_a_worker_that_is_only_slow_is_alive() -> None:
    now = [0.0]
    pulse = Pulse(20.0, lambda: now[0])
    assert pulse.beats({"a": 1, "b": 5})
    now[0] = 19.0
    assert pulse.beats({"a": 1, "b": 6})
    now[0] = 21.0
    assert not pulse.beats({"a": 1, "b": 7})
    assert pulse.beats({"a": 2, "b": 7})


@pytest.mark.field(15)
def test_the_daemon_says_ready_and_stops_in_ten_seconds_with_a_stalled_printer_and_an_open_page(
    tmp_path: Path, ears: Ears, offer: TcpOffer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WATCHDOG_USEC")
    offer.printer.set(stall_at=600)
    daemon = Daemon(tmp_path / "d", f'[[printers]]\nname = "till"\naddress = "{offer.description}"\n')
    daemon.start()
    assert any("READY=1" in said for said in ears.hears(1.0))
    _, made = daemon.ask("POST", "/api/tables", {"game": "aod"})
    table = made["table"]
    daemon.ask("POST", f"/api/tables/{table}/acts", {"act": "fire:3:11"})
    daemon.ask("POST", f"/api/tables/{table}/asks/announce/burst", {"choice": "normal"})
    daemon.ask("POST", f"/api/tables/{table}/asks/first/targeting", {"faces": [1]})
    until(lambda: daemon.ask("GET", "/api/printers")[1][0]["sent"] > 0, what="the slip to be under way")
    with socket.create_connection(("127.0.0.1", daemon.port)) as page:
        page.sendall(f"GET /api/tables/{table}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        assert b"event-stream" in page.recv(4096)
        assert daemon.process is not None
        began = time.monotonic()
        daemon.process.send_signal(signal.SIGTERM)
        daemon.process.wait(20)
        assert time.monotonic() - began < 10
    assert any("STOPPING=1" in said for said in ears.hears(0.5))
    assert "Traceback" not in (daemon.folder / "daemon.log").read_text()


def test_a_program_that_systemd_did_not_start_is_silent(tmp_path: Path) -> None:
    env = {k: v for k, v in os.environ.items() if k != "NOTIFY_SOCKET"}
    code = "from companion.pulse import tell_systemd; tell_systemd('READY=1')"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, check=True)
    assert done.stderr == b""
