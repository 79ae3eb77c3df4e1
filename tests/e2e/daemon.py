"""A real daemon in its own process, spoken to over HTTP."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

ROOT = Path(__file__).parents[2]
T = TypeVar("T")


def free_port() -> int:
    with socket.socket() as some:
        some.bind(("127.0.0.1", 0))
        return int(some.getsockname()[1])


def until(look: Callable[[], T], seconds: float = 60.0, what: str = "") -> T:
    """What `look` gives as soon as it is true."""
    end = time.monotonic() + seconds
    while True:
        found = look()
        if found:
            return found
        assert time.monotonic() < end, f"waited {seconds} s for {what or look}"
        time.sleep(0.02)


class Daemon:
    """`companion serve` on a port of its own; `spectator` is an address that is not the kiosk's."""

    def __init__(self, folder: Path, config: str = "", *args: str) -> None:
        self.folder, self.args = folder, args
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.spectator = f"http://phone.localhost:{self.port}"
        self.config = folder / "companion.toml"
        folder.mkdir(parents=True, exist_ok=True)
        self.config.write_text(f'public_url = "{self.spectator}"\nhold = 0.2\n{config}')
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "companion", "serve", "--config", str(self.config)]
        command += ["--data", str(self.folder / "data"), "--port", str(self.port), *self.args]
        log = (self.folder / "daemon.log").open("ab")
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)
        until(self._answers, what="the daemon to answer")

    def _answers(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, (self.folder / "daemon.log").read_text()
        try:
            return self.ask("GET", "/api/tables")[0] == 200
        except OSError:
            return False

    def kill(self) -> None:
        """As if somebody pulled the plug."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        assert self.process is not None
        self.process.terminate()
        return self.process.wait(30)

    def ask(
        self, method: str, path: str, body: Any = None, *, seat: str = "", headers: Mapping[str, str] | None = None
    ) -> tuple[int, Any]:
        """Status and JSON. With `seat`, a key: asked as that seat from a phone, else as the kiosk."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        host = f"phone.localhost:{self.port}" if seat else f"localhost:{self.port}"
        given = {"Host": host, **({"Authorization": f"Bearer {seat}"} if seat else {}), **(headers or {})}
        line.request(method, path, json.dumps(body) if body is not None else None, given)
        answer = line.getresponse()
        raw = answer.read()
        line.close()
        return answer.status, json.loads(raw) if raw and "json" in answer.headers.get("content-type", "") else raw

    def form(self, path: str, **fields: str) -> str:
        """The page that comes after a form was sent from the kiosk."""
        body = urllib.parse.urlencode(fields).encode()
        with urllib.request.urlopen(f"{self.url}{path}", body, 30) as answer:
            return str(answer.read().decode())

    def table(self) -> str:
        return str(self.ask("GET", "/api/tables")[1][0]["table"])

    def view(self, table: str) -> dict[str, Any]:
        found: dict[str, Any] = self.ask("GET", f"/api/tables/{table}")[1]
        return found

    def asked(self, table: str) -> str:
        """The address of what is asked first, or ''."""
        asks = self.ask("GET", f"/api/tables/{table}/asks")[1]
        return str(asks[0]["address"]) if asks else ""


@contextmanager
def running(folder: Path, config: str = "", *args: str) -> Iterator[Daemon]:
    daemon = Daemon(folder, config, *args)
    daemon.start()
    try:
        yield daemon
    finally:
        if daemon.process is not None and daemon.process.poll() is None:
            daemon.stop()
