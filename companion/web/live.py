"""Live pages: each change of a table is told as a version number, and a beat says that the line still stands."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from companion.game.table import Table

BEAT = 5.0
"""Seconds between beats; a page that misses two is not live."""

MOST = 400
"""Pages that may follow at once."""


class Hub:
    """Tells followers that a table has a new version. `publish` may be called from any thread."""

    def __init__(self) -> None:
        self._followers: dict[str, set[asyncio.Queue[int]]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self.count = 0

    def bind(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def publish(self, table: Table) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._tell, table.key, table.version)

    def _tell(self, key: str, version: int) -> None:
        for queue in self._followers.get(key, ()):
            if queue.full():  # only the newest version matters
                queue.get_nowait()
            queue.put_nowait(version)

    async def follow(self, key: str, version: int, build: str) -> AsyncIterator[str]:
        """Server-sent events: the version now, then each new one, and a beat in between."""
        queue: asyncio.Queue[int] = asyncio.Queue(1)
        self._followers.setdefault(key, set()).add(queue)
        self.count += 1
        try:
            yield _event(version, build)
            while True:
                try:
                    version = await asyncio.wait_for(queue.get(), BEAT)
                    yield _event(version, build)
                except TimeoutError:
                    yield ": beat\nevent: beat\ndata: 1\n\n"
        finally:
            self.count -= 1
            self._followers[key].discard(queue)


def _event(version: int, build: str) -> str:
    return f'retry: 2000\ndata: {{"version": {version}, "build": "{build}"}}\n\n'
