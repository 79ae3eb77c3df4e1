"""`companion serve` to its first page, and its memory at rest, against a bare starlette and uvicorn application.

Both run from compiled modules, as an installed package does: the first start, which compiles, is not counted.
"""

from __future__ import annotations

import http.client
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from tests.benches.figure import Figure, within
from tests.e2e.daemon import ROOT, free_port

MOST, MEMORY_MIB, ROUNDS = 2.0, 60.0, 9

_BARE = """
import sys, uvicorn
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Route
async def home(request): return HTMLResponse("<!doctype html><title>home</title><p>home")
app = Starlette(routes=[Route("/", home)])
uvicorn.run(app, port=int(sys.argv[1]), log_level="warning", http="h11", loop="asyncio")
"""


def measure() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        ours, rival, memory = [], [], []
        _ours(Path(folder))  # a first start fills the page cache
        for _ in range(ROUNDS):
            ours.append(_ours(Path(folder))[0])
            rival.append(_timed([sys.executable, "-c", _BARE])[0])
        memory = [_ours(Path(folder), rest=1.0)[1]]
    ratio = median(ours) / median(rival)
    first = Figure("serve to first page", median(ours), median(rival), ratio, MOST, "ms", ratio <= MOST)
    return [first, within("serve, resident at rest", memory[0], MEMORY_MIB, "MiB")]


def _ours(folder: Path, rest: float = 0.0) -> tuple[float, float]:
    command = [sys.executable, "-m", "companion", "serve", "--data", str(folder / "data"), "--port"]
    return _timed(command, rest)


def _timed(command: list[str], rest: float = 0.0) -> tuple[float, float]:
    """Milliseconds from the start of the process to the first whole page, and MiB resident after a rest."""
    port = free_port()
    begin = time.perf_counter()
    process = subprocess.Popen([*command, str(port)], cwd=ROOT, stderr=subprocess.DEVNULL, env=_compiled())
    try:
        while not _page(port):
            assert process.poll() is None, f"{command} ended"
            time.sleep(0.001)
        taken = (time.perf_counter() - begin) * 1000
        time.sleep(rest)
        return taken, _resident(process.pid)
    finally:
        process.terminate()
        process.wait(15)


def _compiled() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _page(port: int) -> bool:
    line = http.client.HTTPConnection("localhost", port, timeout=5)
    try:
        line.request("GET", "/")
        return line.getresponse().read().startswith(b"<!doctype html>")
    except OSError:
        return False
    finally:
        line.close()


def _resident(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
