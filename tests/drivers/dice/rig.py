"""Pretend cables for the dice tests: a pseudo terminal behind a by-id link, and an ear that waits."""

import os
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from drivers.dice import DiceSource, Event

DEADLINE_S = 30.0


def wait_until(true: Callable[[], object], what: str, within_s: float = DEADLINE_S) -> None:
    end = time.monotonic() + within_s
    while not true():
        assert time.monotonic() < end, f"waited {within_s} s for: {what}"
        time.sleep(0.002)


class Heard:
    """A sink that can be waited for."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._news = threading.Condition()

    def __call__(self, event: Event) -> None:
        with self._news:
            self.events.append(event)
            self._news.notify_all()

    def of(self, *kinds: str) -> list[Event]:
        return [event for event in self.events if event.kind in kinds]

    def throws(self) -> list[tuple[int | str, ...]]:
        return [tuple(face.value for face in event.faces) for event in self.of("throw")]

    def wait(self, kind: str, count: int = 1, within_s: float = DEADLINE_S) -> Event:
        """The `count`th event of this kind, once it is there."""
        with self._news:
            came = self._news.wait_for(lambda: len(self.of(kind)) >= count, within_s)
        assert came, f"no {kind} number {count} within {within_s} s; heard {self.events}"
        return self.of(kind)[count - 1]


class Cable:
    """The device end of a serial line, plugged in under a link as in /dev/serial/by-id."""

    def __init__(self, link: Path) -> None:
        self.link = link
        self.node = ""
        self._master = -1

    def plug(self) -> None:
        self._master, slave = os.openpty()
        tty.setraw(slave)
        self.node = os.ttyname(slave)
        os.close(slave)
        self.link.unlink(missing_ok=True)
        self.link.symlink_to(self.node)

    def unplug(self) -> None:
        if self._master >= 0:
            self.link.unlink(missing_ok=True)
            os.close(self._master)
            self._master = -1

    def send(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._master, data) :]

    def received(self) -> bytes:
        os.set_blocking(self._master, False)
        try:
            return os.read(self._master, 4096)
        except (BlockingIOError, OSError):
            return b""
        finally:
            os.set_blocking(self._master, True)


@contextmanager
def running(source: DiceSource) -> Iterator[Heard]:
    heard = Heard()
    source.start(heard)
    try:
        yield heard
    finally:
        source.stop()


def is_ready(source: DiceSource) -> bool:
    return source.status().state == "ready"


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))
