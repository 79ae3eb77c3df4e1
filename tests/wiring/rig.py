"""A machine of the daemon's in this process, with a loop of its own, and places that can be filled or closed."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion.config import Config
from companion.game.table import Table
from companion.wiring import Machine

NORMAL = "normal"


@contextmanager
def looping() -> Iterator[asyncio.AbstractEventLoop]:
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="test loop")
    thread.start()
    try:
        yield loop
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


@contextmanager
def working(folder: Path, config: Config, **more: Any) -> Iterator[Machine]:
    """Started, and closed at the end."""
    machine = Machine(config, folder, **more)
    with looping() as loop:
        in_worker(machine, lambda: machine.start(loop))
        try:
            yield machine
        finally:
            machine.close()


def in_worker(machine: Machine, do: Callable[[], Any]) -> Any:
    """In the thread that owns the tables, as pages do."""
    return machine.parts.worker.submit(do).result(20)


def burst(machine: Machine) -> Table:
    """A table of Age of Dogfights that waits for its first white die."""

    def begin() -> Table:
        table = machine.tables.latest() or machine.tables.new("aod")
        table.open("fire:3:11", seat="host")
        table.answer("announce/burst", NORMAL, seat="host")
        return table

    found: Table = in_worker(machine, begin)
    return found


class Disk:
    """A place of one MiB where this user may mount one; else the journal is told to be full."""

    def __init__(self, place: Path) -> None:
        self.place = place
        place.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)]
        self.real = os.geteuid() == 0 and subprocess.run(command, capture_output=True, check=False).returncode == 0
        self._ballast = place / "ballast"

    def fill(self, machine: Machine) -> None:
        if not self.real:
            db = machine.tables.journal._db
            db.execute(f"PRAGMA max_page_count = {db.execute('PRAGMA page_count').fetchone()[0]}")
            return
        with contextlib.suppress(OSError), self._ballast.open("wb", buffering=0) as file:
            while True:
                file.write(b"x" * 4096)
        assert os.statvfs(self.place).f_bavail == 0

    def free(self, machine: Machine) -> None:
        if self.real:
            self._ballast.unlink()
        else:
            machine.tables.journal._db.execute("PRAGMA max_page_count = 1000000")

    def close(self) -> None:
        if self.real:
            subprocess.run(["umount", "-l", str(self.place)], check=True)
