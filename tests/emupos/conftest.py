"""The second judge: emupos, a receipt printer on the wire that nobody here wrote."""

import json
import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
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
TILLS = 24
"""At least one for each test that asks for one."""


@dataclass(frozen=True)
class Emupos:
    """A printer of the running emupos: where it listens, and what it has printed."""

    name: str
    tcp: str
    serial: str
    port: int

    def fault(self, name: str, on: bool) -> None:
        self._ask(f"devices/{self.name}/faults/{name}", "PUT" if on else "DELETE")

    def receipts(self) -> list[dict[str, Any]]:
        """All receipts, the oldest first."""
        return list(reversed(json.loads(self._ask(f"devices/{self.name}/receipts"))))

    def text(self, receipt: str) -> str:
        return self._ask(f"devices/{self.name}/receipts/{receipt}/text").decode()

    def picture(self, receipt: str) -> Image.Image:
        return Image.open(BytesIO(self._ask(f"devices/{self.name}/receipts/{receipt}/image"))).convert("L")

    def answers(self) -> bool:
        try:
            return bool(self._ask("health"))
        except URLError:
            return False

    def _ask(self, path: str, method: str = "GET") -> bytes:
        with urlopen(Request(f"http://127.0.0.1:{self.port}/api/v1/{path}", method=method), timeout=30) as answer:
            return bytes(answer.read())


def _free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        some = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [int(each.getsockname()[1]) for each in some]


@pytest.fixture(scope="session")
def _tills(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Iterator[Emupos]]:
    """Fresh printers, all in one process, because it takes seconds to start."""
    if not PROGRAM.exists() and os.environ.get("CI") != "true":
        pytest.skip("not run: emupos is not installed (tests/run --setup installs it on Python 3.13)")
    assert PROGRAM.exists(), "emupos is required in CI: tests/run --setup installs it on Python 3.13"
    folder = tmp_path_factory.mktemp("emupos")
    api, *ports = _free_ports(1 + TILLS)
    devices = "".join(
        f"  - {{id: till-{n}, type: printer, profile: epson-tm-t20iii, job_idle_timeout_ms: 60000,\n"
        f"     connections: [{{tcp: {{host: 127.0.0.1, port: {port}}}}}, {{serial: {{pty: true}}}}]}}\n"
        for n, port in enumerate(ports)
    )
    (folder / "emupos.yaml").write_text(f"schema: 1\napi: {{host: 127.0.0.1, port: {api}}}\ndevices:\n{devices}")
    tills = [
        Emupos(f"till-{n}", f"tcp://127.0.0.1:{port}", f"serial:{folder}/emupos/till-{n}@9600", api)
        for n, port in enumerate(ports)
    ]
    with (folder / "emupos.log").open("wb") as log:
        process = subprocess.Popen(
            [PROGRAM, "run"],
            cwd=folder,
            env={**os.environ, "TMPDIR": str(folder)},
            stdout=log,
            stderr=log,
            stdin=subprocess.DEVNULL,
        )
        try:
            assert until(tills[0].answers, 60), (folder / "emupos.log").read_text()
            yield iter(tills)
        finally:
            process.kill()  # how it would end by itself is not ours to prove
            process.wait()


@pytest.fixture
def emupos(_tills: Iterator[Emupos]) -> Emupos:
    """A printer that no test has used; without the program a test is reported as not run, but not in CI."""
    return next(_tills)
