"""Live pages: each change of a table is told as a version number, and a beat says that the line still stands.

Who acts hears at once. Who only watches hears when the table has come to rest for a moment, a few at a time: fifty
phones that read the same page must not keep a slip from its printer, or a die from the kiosk.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable

from companion.game.table import Table

BEAT = 5.0
"""Seconds between beats; a page that misses two is not live."""

MOST = 400
"""Pages that may follow at once."""

REST, LATEST = 0.1, 0.5
"""Seconds for which nothing may have happened before watchers are told, and after which they are told all the same."""

GROUP, GAP = 8, 0.015
"""So many watchers are told at once, and the next after so many seconds."""

Told = tuple[int, int]
"""The version of a table and that of its pages."""

_END: Told = (-1, -1)

Line = asyncio.Queue[Told]


class _Following:
    """Who follows one table, and what watchers have not been told yet."""

    def __init__(self) -> None:
        self.acting: set[Line] = set()
        self.watching: set[Line] = set()
        self.told: Told = (0, 0)
        self.since: float | None = None
        self.timer: asyncio.TimerHandle | None = None

    def tell(self, told: Told, loop: asyncio.AbstractEventLoop) -> None:
        self.told = told
        _put(self.acting, told)
        if not self.watching:
            return
        now = loop.time()
        self.since = now if self.since is None else self.since
        if self.timer:
            self.timer.cancel()
        self.timer = loop.call_at(min(now + REST, self.since + LATEST), self._rested, loop)

    def _rested(self, loop: asyncio.AbstractEventLoop) -> None:
        self.since = self.timer = None
        watching = list(self.watching)
        for n in range(0, len(watching), GROUP):
            loop.call_later(n // GROUP * GAP, self._group, watching[n : n + GROUP])

    def _group(self, lines: Iterable[Line]) -> None:
        _put(self.watching.intersection(lines), self.told)

    def end(self) -> None:
        _put(self.acting | self.watching, _END)


def _put(lines: Iterable[Line], told: Told) -> None:
    for line in lines:
        if line.full():  # only the newest version matters
            line.get_nowait()
        line.put_nowait(told)


class Hub:
    """Tells followers that a table has a new version. `publish` may be called from any thread."""

    def __init__(self) -> None:
        self._followers: dict[str, _Following] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self.count = 0
        self.news = 0
        """How often there was news of the machine."""

    def bind(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def publish(self, table: Table) -> None:
        """Tell the followers of a table to read it again."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._tell, table.key, (table.version, self.pages(table)))

    def pages(self, table: Table) -> int:
        """The version of the pages: it also rises with news of the machine."""
        return table.version + self.news

    def renew(self, tables: Iterable[Table]) -> None:
        """Have the pages of these tables read again, though nothing happened there."""
        self.news += 1
        for table in tables:
            self.publish(table)

    def end(self) -> None:
        """The daemon stops: every stream ends, so that no open page keeps it waiting. Call it in the loop."""
        for following in self._followers.values():
            following.end()

    def _tell(self, key: str, told: Told) -> None:
        if self._loop is not None and key in self._followers:
            self._followers[key].tell(told, self._loop)

    async def follow(self, table: Table, build: str, *, watches: bool = False) -> AsyncIterator[str]:
        """Server-sent events: the version now, then each new one, and a beat in between."""
        line: Line = asyncio.Queue(1)
        following = self._followers.setdefault(table.key, _Following())
        lines = following.watching if watches else following.acting
        lines.add(line)
        self.count += 1
        try:
            yield _event((table.version, self.pages(table)), build)
            while True:
                try:
                    told = await asyncio.wait_for(line.get(), BEAT)
                    if told == _END:
                        return
                    yield _event(told, build)
                except TimeoutError:
                    yield ": beat\nevent: beat\ndata: 1\n\n"
        finally:
            self.count -= 1
            lines.discard(line)
            if not following.acting and not following.watching:
                self._followers.pop(table.key, None)


def _event(told: Told, build: str) -> str:
    version, page = told
    return f'retry: 2000\ndata: {{"version": {version}, "page": {page}, "build": "{build}"}}\n\n'
