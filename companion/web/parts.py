"""What the pages need of the rest, put together by the wiring."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar

from companion.config import Config
from companion.game.table import Table
from companion.game.tables import Tables

T = TypeVar("T")


class Hosting(Protocol):
    """What the host does on the page of the first evening; a lesson's doings may take seconds."""

    @property
    def wall(self) -> Clock: ...

    def slip_asks(self, printer: str) -> Mapping[str, Any]:
        """What can be read off the calibration slip of a printer, and what was read off so far."""

    def read_off(self, printer: str, what: str, value: str) -> None:
        """Store one thing that was read on it."""

    def loose_printers(self) -> list[str]:
        """USB printers that are plugged in and that no setting names."""

    def keep_printer(self, address: str) -> None:
        """Use the printer at this address from now on."""

    def keep_backs(self, right: float, down: float) -> None:
        """Store where the test page showed the cross of the back."""

    def keep_wifi(self, name: str, password: str) -> None:
        """Store what the code to join holds."""

    def make_pin(self) -> str:
        """Store a new PIN for the host's phone and say it."""

    def hotspot(self) -> str:
        """`none`, `off` or `on`."""

    def switch_hotspot_on(self) -> str:
        """Says what happens."""

    def ports(self) -> list[str]:
        """Where dice may be plugged in."""

    def begin_lesson(self, port: str, name: str, baud: int) -> None:
        """Listen to that port, and to nothing else there."""

    def lesson(self) -> Mapping[str, Any] | None:
        """How it stands."""

    def lesson_face(self, face: str) -> None:
        """This face lies there."""

    def lesson_kind(self, kind: str) -> None:
        """The next die is of this kind."""

    def keep_lesson(self) -> None:
        """Store what was learned."""

    def end_lesson(self) -> None:
        """Forget it."""


class Clock(Protocol):
    """The time of day."""

    @property
    def is_set(self) -> bool: ...

    def now(self) -> float: ...

    def set(self, to: float) -> str:
        """Says what was set."""


class Rehearsing(Protocol):
    """The virtual tower and printer of a demonstration."""

    def throw(self, faces: Mapping[str, int] | None = None, *, asked: int = 2) -> None:
        """Throw the tower."""

    def switch(self, faults: str) -> None:
        """Have these faults from now on."""


class Printing(Protocol):
    """What pages may ask of the printers."""

    def slip(self, table: Table, number: int, *, copy: bool = False) -> str:
        """Queue the slip of an act; what happens to it, in words."""

    def states(self, table: str = "") -> Sequence[Mapping[str, Any]]:
        """Each printer's name and state in words."""

    def paper(self, printer: str, kind: str, fields: Mapping[str, str]) -> int:
        """Queue any paper; the number of its job."""

    def jobs(self) -> Sequence[Mapping[str, Any]]:
        """The latest jobs, newest first."""

    def settle(self, job: int, answer: str, key: str = "") -> None:
        """What became of a held job: `yes` it is on paper, `no`, `again`; or `cancel` one that waits."""


@dataclass
class Parts:
    """One daemon's parts. Tables are only touched in the `worker` thread, so that a slow card never stops a page."""

    config: Config
    tables: Tables
    base_url: Callable[[], str]
    roll: Callable[[int], int]
    printing: Printing
    dice: Callable[[str], Sequence[Mapping[str, Any]]]
    version: str = ""
    rehearsal: Rehearsing | None = None
    host: Hosting | None = None
    switch_off: Callable[[], str] | None = None
    notices: Callable[[], Sequence[str]] = list
    """What everybody must know of the machine: storage, damage, settings."""
    doctor: Callable[[], Sequence[Mapping[str, Any]]] = list
    """What is wrong with the machine: trap, rank, cause, fix. It takes seconds: never call it in the `worker`."""
    settings: Path | None = None
    """The settings file, which goes into a backup."""
    sticks: Callable[[], Sequence[Path]] = list
    """USB sticks that a copy may be put on."""
    no_voice: Callable[[], str] = str
    """Why nothing can be spoken here; '' where it can."""
    bundle: Callable[[], str] = str
    """What the machine says of itself, without keys, addresses and names; slow as the doctor."""
    news: list[Callable[[], None]] = field(default_factory=list)
    """Called when notices or the address have changed."""
    worker: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, thread_name_prefix="table"))
    painter: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, thread_name_prefix="paper"))
    """Draws what is known: a book of charts takes seconds, in which dice must count and pages must answer."""

    async def draw(self, do: Callable[..., T], *args: Any) -> T:
        """Off the thread of the tables; give it only what cannot change meanwhile."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.painter, lambda: _ended(do, *args))

    async def run(self, do: Callable[..., T], *args: Any, **kw: Any) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.worker, lambda: _ended(do, *args, **kw))


def _ended(do: Callable[..., T], *args: Any, **kw: Any) -> T:
    """A future cannot carry StopIteration: a page that waits for one would wait for ever."""
    try:
        return do(*args, **kw)
    except StopIteration as error:
        raise RuntimeError(f"{do!r} ran out of something: {error!r}") from error
