"""Live pages: each change of a table is told as a version number, and a beat says that the line still stands."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable

from companion.game.table import Table
from companion.web.wishes import Wishes

BEAT = 5.0
"""Seconds between beats; a page that misses two is not live."""

MOST = 400
"""Pages that may follow at once."""

Told = tuple[int, int]
"""The version of a table and that of its pages."""

_END: Told = (-1, -1)


class Hub:
    """Tells followers that a table has a new version. `publish` may be called from any thread."""

    def __init__(self) -> None:
        self._followers: dict[str, set[asyncio.Queue[Told]]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self.count = 0
        self._news = 0
        self.wishes = Wishes(self.publish)

    def bind(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def publish(self, table: Table) -> None:
        """Tell the followers of a table to read it again."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._tell, table.key, (table.version, self.pages(table)))

    def pages(self, table: Table) -> int:
        """The version of the pages: it also rises with what waits for an agreement, and with news of the machine."""
        return table.version + self.besides(table)

    def besides(self, table: Table) -> int:
        """What the version of the pages has beyond that of the table."""
        return self.wishes.count(table) + self._news

    def renew(self, tables: Iterable[Table]) -> None:
        """Have the pages of these tables read again, though nothing happened there."""
        self._news += 1
        for table in tables:
            self.publish(table)

    def end(self) -> None:
        """The daemon stops: every stream ends, so that no open page keeps it waiting. Call it in the loop."""
        for key in self._followers:
            self._tell(key, _END)

    def _tell(self, key: str, told: Told) -> None:
        for queue in self._followers.get(key, ()):
            if queue.full():  # only the newest version matters
                queue.get_nowait()
            queue.put_nowait(told)

    async def follow(self, table: Table, build: str) -> AsyncIterator[str]:
        """Server-sent events: the version now, then each new one, and a beat in between."""
        queue: asyncio.Queue[Told] = asyncio.Queue(1)
        self._followers.setdefault(table.key, set()).add(queue)
        self.count += 1
        try:
            yield _event((table.version, self.pages(table)), build)
            while True:
                try:
                    told = await asyncio.wait_for(queue.get(), BEAT)
                    if told == _END:
                        return
                    yield _event(told, build)
                except TimeoutError:
                    yield ": beat\nevent: beat\ndata: 1\n\n"
        finally:
            self.count -= 1
            followers = self._followers[table.key]
            followers.discard(queue)
            if not followers:
                del self._followers[table.key]


def _event(told: Told, build: str) -> str:
    version, page = told
    return f'retry: 2000\ndata: {{"version": {version}, "page": {page}, "build": "{build}"}}\n\n'
