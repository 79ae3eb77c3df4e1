"""Phones that follow one table as the script of the pages does, and some that are loaded anew in the middle of it."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from statistics import median
from urllib.parse import quote

from tests.e2e.daemon import Daemon
from tests.e2e.touch import four_against_four, seat_keys

PATIENCE = 60.0
"""Seconds until a phone that is not right counts as starved."""

STATIC = ("companion.css", "companion.js", "charts.js", "icon.svg")
_ONCE = re.compile(r'name="once" value="[^"]*"')


class Phone:
    """One follower. `shown` is the version of the page that it has, `pages` how many it has read."""

    def __init__(self, daemon: Daemon, table: str, key: str = "") -> None:
        self.port, self.table, self.key = daemon.port, table, key
        self.shown = self.told = -1
        self.html, self.pages, self.at = "", 0, 0.0
        self.news = asyncio.Event()

    async def live(self) -> None:
        """Load the page and follow the table until cancelled."""
        await self.load()
        await asyncio.gather(self._listen(), self._read_on())

    async def load(self) -> None:
        """As a browser that is opened: the page, then what it names."""
        await self.read()
        for name in STATIC:
            await self._get(f"/static/{name}")

    async def read(self) -> None:
        head, body = await self._get(f"/e/{self.table}", "X-Part: main")
        assert head.startswith("HTTP/1.1 200"), head
        found = re.search(r"x-version: (\d+)", head, re.IGNORECASE)
        assert found is not None
        self.shown, self.html, self.at = int(found[1]), _ONCE.sub("", body), time.monotonic()
        self.pages += 1

    async def _listen(self) -> None:
        reader, writer = await self._ask(f"/api/tables/{self.table}/events")
        try:
            async for line in reader:
                if line.startswith(b"data: {"):
                    self.told = json.loads(line[6:])["page"]
                    self.news.set()
        finally:
            writer.close()

    async def _read_on(self) -> None:
        while True:
            await self.news.wait()
            self.news.clear()
            while self.shown < self.told:
                await self.read()

    async def _get(self, path: str, *headers: str) -> tuple[str, str]:
        reader, writer = await self._ask(path, "Connection: close", *headers)
        try:
            head, _, body = (await reader.read()).decode().partition("\r\n\r\n")
            return head, body
        finally:
            writer.close()

    async def _ask(self, path: str, *headers: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        seat = [f"Cookie: seat_{self.table}={self.key}"] if self.key else []
        lines = [f"GET {path} HTTP/1.1", f"Host: phone.localhost:{self.port}", *seat, *headers]
        writer.write("\r\n".join([*lines, "", ""]).encode())
        return reader, writer


@dataclass
class Trial:
    """What many phones went through. `late` is by burst how long each phone took to have the last page of it."""

    phones: int
    late: list[list[float]] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    """Seconds that each answer took at the kiosk while all the phones read."""
    pages: list[int] = field(default_factory=list)
    loads: int = 0

    def __str__(self) -> str:
        each = [seconds for burst in self.late for seconds in burst]
        return (
            f"{self.phones} phones, {len(self.late)} bursts, {sum(self.pages)} pages read, {self.loads} loaded anew: "
            f"after a burst a phone is right in {1000 * median(each):.0f} ms, the last of all in "
            f"{1000 * max(each):.0f}; an answer at the kiosk takes {1000 * median(self.answers):.0f} ms (at most "
            f"{1000 * max(self.answers):.0f}); every phone read at least {min(self.pages)} pages"
        )


async def trial(daemon: Daemon, count: int, bursts: int) -> Trial:
    """Phones follow a table through bursts, two of them in seats; after each burst every page is compared."""
    table = four_against_four(daemon)
    keys = [*seat_keys(daemon, table).values()]
    phones = [Phone(daemon, table, keys[n] if n < len(keys) else "") for n in range(count)]
    found = Trial(count)
    lives = [asyncio.create_task(phone.live()) for phone in phones]
    try:
        await _until(lambda: all(phone.told >= 0 for phone in phones), phones, lives)
        for n in range(bursts):
            again = phones[len(keys) + n :: 5]
            found.loads += len(again)
            fought = asyncio.create_task(asyncio.to_thread(lambda n=n: list(_burst(daemon, table, n))))  # type: ignore[misc]
            await asyncio.gather(*(phone.load() for phone in again))
            found.answers += await fought
            found.late.append(await _right(daemon, table, keys, phones, lives))
    finally:
        for life in lives:
            life.cancel()
        await asyncio.gather(*lives, return_exceptions=True)
    found.pages = [phone.pages for phone in phones]
    return found


def _burst(daemon: Daemon, table: str, n: int) -> Iterator[float]:
    """The burst before is taken back, an aircraft fires, its dice fall as fast as they are taken; what each took."""
    fires = f"fire:{n % 4 + 1}:{n % 4 + 5}"
    todo = [("undo", {"fresh": True})] if n else []
    todo.append(("acts", {"act": fires}))
    while todo:
        where, body = todo.pop(0)
        began = time.monotonic()
        status, said = daemon.ask("POST", f"/api/tables/{table}/{where}", body)
        assert status in (200, 201), said
        yield time.monotonic() - began
        asks = daemon.ask("GET", f"/api/tables/{table}/asks")[1]
        if not todo and asks:
            given = {"roll": True} if asks[0]["dice"] else {"choice": asks[0]["space"]["options"][0]["key"]}
            todo.append((f"asks/{quote(asks[0]['address'])}", given))


async def _right(
    daemon: Daemon, table: str, keys: list[str], phones: list[Phone], lives: list[asyncio.Task[None]]
) -> list[float]:
    """Wait until every phone has the newest page; seconds that each took; compare it with one that is read now."""
    over = time.monotonic()
    fresh = {key: Phone(daemon, table, key) for key in ("", *keys)}
    await asyncio.gather(*(phone.read() for phone in fresh.values()))
    last = fresh[""].shown
    await _until(lambda: all(phone.shown >= last for phone in phones), phones, lives)
    wrong = [n for n, phone in enumerate(phones) if phone.html != fresh[phone.key].html]
    assert wrong == [], f"phones {wrong} show another page"
    return [max(0.0, phone.at - over) for phone in phones]


async def _until(right, phones: list[Phone], lives: list[asyncio.Task[None]]) -> None:  # type: ignore[no-untyped-def]
    end = time.monotonic() + PATIENCE
    while not right():
        assert time.monotonic() < end, f"starved: {sorted((p.shown, p.told) for p in phones)[:5]}"
        for life in lives:
            if life.done():
                life.result()
        await asyncio.sleep(0.01)
