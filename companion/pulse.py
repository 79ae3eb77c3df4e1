"""Proof of life for the watchdog: a hang is not a crash, so it is fed only while every part moves."""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Callable, Mapping

PATIENCE = 20.0
"""Seconds that a print worker may stand still: a network printer is waited for, and a first slip takes long to draw."""


class Pulse:
    """Tells workers that are busy or kept waiting from one that is dead: their counts grow, if slowly."""

    def __init__(self, patience: float = PATIENCE, clock: Callable[[], float] = time.monotonic) -> None:
        self._patience, self._clock = patience, clock
        self._seen: dict[str, tuple[int, float]] = {}

    def beats(self, ticks: Mapping[str, int]) -> bool:
        """Whether each of these counts has moved within the patience."""
        now = self._clock()
        for name, tick in ticks.items():
            if self._seen.get(name, (-1, now))[0] != tick:
                self._seen[name] = tick, now
        return all(now - self._seen[name][1] <= self._patience for name in ticks)


def watchdog_seconds() -> float:
    """How often systemd wants to hear from this process; 0 where nobody watches."""
    with contextlib.suppress(ValueError):
        return int(os.environ.get("WATCHDOG_USEC", "0")) / 1_000_000
    return 0.0


def tell_systemd(message: str) -> None:
    """`sd_notify` without a library; nothing where systemd did not start this process."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    path = "\0" + address[1:] if address.startswith("@") else address
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        notify.settimeout(0.5)  # whoever does not listen must not hold up the loop
        notify.sendto(message.encode(), path)
