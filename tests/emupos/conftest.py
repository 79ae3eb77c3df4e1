"""The second judge: emupos, a receipt printer on the wire that nobody here wrote."""

import json
import os
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest
from PIL import Image

from tests.spool.rig import until

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / ".venv/emupos/bin/emupos"
DEVICE = "till"


@dataclass(frozen=True)
class Emupos:
    """A running emupos: where its printer listens, and what it has printed."""

    tcp: str
    serial: str
    api: str

    def fault(self, name: str, on: bool) -> None:
        self._ask(f"devices/{DEVICE}/faults/{name}", "PUT" if on else "DELETE")

    def receipts(self) -> list[dict[str, Any]]:
        """All receipts, the oldest first."""
        return list(reversed(json.loads(self._ask(f"devices/{DEVICE}/receipts"))))

    def text(self, receipt: str) -> str:
        return self._ask(f"devices/{DEVICE}/receipts/{receipt}/text").decode()

    def picture(self, receipt: str) -> Image.Image:
        return Image.open(BytesIO(self._ask(f"devices/{DEVICE}/receipts/{receipt}/image"))).convert("L")

    def answers(self) -> bool:
        try:
            return bool(self._ask("health"))
        except URLError:
            return False

    def _ask(self, path: str, method: str = "GET") -> bytes:
        with urlopen(Request(f"{self.api}/{path}", method=method), timeout=5) as answer:
            return bytes(answer.read())


def _free_port() -> int:
    with socket.socket() as some:
        some.bind(("127.0.0.1", 0))
        return int(some.getsockname()[1])


@pytest.fixture
def emupos(tmp_path: Path) -> Iterator[Emupos]:
    """A fresh printer for each test; without the program a test is reported as not run, but not in CI."""
    if not PROGRAM.exists() and os.environ.get("CI") != "true":
        pytest.skip("not run: emupos is not installed (tests/run --setup installs it on Python 3.13)")
    assert PROGRAM.exists(), "emupos is required in CI: tests/run --setup installs it on Python 3.13"
    port, api = _free_port(), _free_port()
    (tmp_path / "emupos.yaml").write_text(
        f"schema: 1\napi: {{host: 127.0.0.1, port: {api}}}\ndevices:\n"
        f"  - {{id: {DEVICE}, type: printer, profile: epson-tm-t20iii, job_idle_timeout_ms: 60000,\n"
        f"     connections: [{{tcp: {{host: 127.0.0.1, port: {port}}}}}, {{serial: {{pty: true}}}}]}}\n"
    )
    log = (tmp_path / "emupos.log").open("wb")
    process = subprocess.Popen(
        [PROGRAM, "run"],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=log,
        stderr=log,
        stdin=subprocess.DEVNULL,
    )
    printer = Emupos(
        f"tcp://127.0.0.1:{port}", f"serial:{tmp_path}/emupos/{DEVICE}@9600", f"http://127.0.0.1:{api}/api/v1"
    )
    try:
        assert until(printer.answers, 30), (tmp_path / "emupos.log").read_text()
        yield printer
    finally:
        process.terminate()
        process.wait(10)
        log.close()
