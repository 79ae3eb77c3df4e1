"""A loop of events for a test, apart from that which a browser of another test may hold in this thread."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def in_own_loop(doing: Coroutine[Any, Any, T]) -> T:
    with ThreadPoolExecutor(1) as other:
        return other.submit(asyncio.run, doing).result(300)
