"""Whoever listens to the dice beside the game, while the daemon holds their ports."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from typing import Any

from drivers.dice import Event

MOST_UNREAD = 1000
PULSE = 2.0
"""Seconds after which a listener is told that there is nothing to tell, so that one who has gone is noticed."""


class Ears:
    """Passes on what sources report, to any number of listeners; one that does not keep up loses some."""

    def __init__(self) -> None:
        self._open: dict[asyncio.Queue[Event], asyncio.AbstractEventLoop] = {}

    def hear(self, event: Event) -> None:
        """From any thread."""
        for queue, loop in list(self._open.items()):
            with contextlib.suppress(RuntimeError):  # the loop is being closed
                loop.call_soon_threadsafe(_put, queue, event)

    async def follow(self, name: str = "") -> AsyncIterator[Mapping[str, Any] | None]:
        """What this source says from now on, or what all say; None now and then."""
        queue: asyncio.Queue[Event] = asyncio.Queue(MOST_UNREAD)
        self._open[queue] = asyncio.get_running_loop()
        try:
            while True:
                try:
                    event = await asyncio.wait_for(queue.get(), PULSE)
                except TimeoutError:
                    yield None
                    continue
                if name in ("", event.source):
                    yield {"source": event.source, "text": event.text, "raw": event.raw}
        finally:
            del self._open[queue]


def _put(queue: asyncio.Queue[Event], event: Event) -> None:
    with contextlib.suppress(asyncio.QueueFull):
        queue.put_nowait(event)
