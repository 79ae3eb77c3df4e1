"""The time of day on a Pi without a clock: the system's, or that of the host's phone until the next restart.

Order never hangs on it: entries have numbers, and durations go by the monotonic clock.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.game.errors import UsageError
from companion.keeping import write_safely

NAME = "clock.json"
_BOOT = Path("/proc/sys/kernel/random/boot_id")
_SYNCED = Path("/run/systemd/timesync/synchronized")
_SANE = (1_700_000_000.0, 4_000_000_000.0)
"""Before the first the phone has no clock either."""

TRIES, PAUSE = 4, 0.5

Run = Callable[[Sequence[str]], str]
"""Runs a command; says why it failed, or ''."""


class Wall:
    """Seconds since 1970 as slips and journal show them."""

    def __init__(
        self,
        folder: Path,
        *,
        system: Callable[[], float] = time.time,
        steady: Callable[[], float] = lambda: time.clock_gettime(time.CLOCK_BOOTTIME),
        run: Run | None = None,
        pause: Callable[[float], None] = time.sleep,
        boot: Path = _BOOT,
        synced: Path = _SYNCED,
    ) -> None:
        """`steady` goes on from the start of the machine whatever is done to its clock."""
        self._file, self._system, self._steady = folder / NAME, system, steady
        self._run, self._pause, self._boot, self._synced = run or _run, pause, boot, synced
        self._ahead: float | None = self._remembered()

    def now(self) -> float:
        """A clock that the network has set is right; else the phone's is, if the host has lent it."""
        if self._ahead is None or self.is_set:
            return self._system()
        return self._ahead + self._steady()

    @property
    def is_set(self) -> bool:
        """Whether the system's clock was set from the network since the start."""
        return self._synced.exists()

    def set(self, to: float) -> str:
        """Set the system's clock where this service may, else go by that time from now on; says which."""
        if not _SANE[0] < to < _SANE[1]:
            raise UsageError("That phone does not say a time that can be right; look at its own clock.")
        if self.is_set:
            return "The network has set this Pi's clock already; it stays as it is."
        if not (why := self._set_system(to)):
            self._forget()
            return "The clock of the Pi is set."
        self._ahead = to - self._steady()
        self._remember()
        return (
            f"The Pi's own clock may not be set from here ({why}). Journal and slips go by the time of your phone"
            " until the Pi is restarted."
        )

    def _set_system(self, to: float) -> str:
        """By systemd's own service, which does not set a clock that it would set from the network itself."""
        self._run(["timedatectl", "set-ntp", "false", "--no-ask-password"])
        for _ in range(TRIES):
            why = self._run(["timedatectl", "set-time", f"@{int(to)}", "--no-ask-password"])
            if "synchronization" not in why:
                break
            self._pause(PAUSE)  # the program that asks the network takes a moment to stop
        self._run(["timedatectl", "set-ntp", "true", "--no-ask-password"])
        return why

    def _remembered(self) -> float | None:
        try:
            kept = json.loads(self._file.read_text())
            return float(kept["ahead"]) if kept["boot"] == self._boot.read_text().strip() else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _remember(self) -> None:
        with contextlib.suppress(OSError):  # then it holds until this process ends
            kept = {"boot": self._boot.read_text().strip(), "ahead": self._ahead}
            write_safely(self._file, json.dumps(kept).encode())

    def _forget(self) -> None:
        self._ahead = None
        self._file.unlink(missing_ok=True)


def _run(command: Sequence[str]) -> str:
    """Only where systemd has started this process: on a laptop nobody wants its clock set by a page."""
    if not os.environ.get("INVOCATION_ID") or not shutil.which(command[0]):
        return "Companion does not run as a service here"
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.SubprocessError) as error:
        return type(error).__name__
    said = (done.stderr.strip().splitlines() or [f"{command[0]} failed"])[-1][:200]
    return said.rstrip(".") if done.returncode else ""
