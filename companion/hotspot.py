"""The Pi's own Wi-Fi: NetworkManager's profile `companion-hotspot`, switched on from a page."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Sequence

from companion.game.errors import UsageError

PROFILE = "companion-hotspot"

Run = Callable[[Sequence[str]], tuple[int, str]]
"""Runs a command; its status and what it said."""


def state(run: Run | None = None) -> str:
    """`none` where there is no such profile or no NetworkManager, else `off` or `on`."""
    status, said = (run or _run)(["nmcli", "-t", "-f", "NAME,DEVICE", "connection", "show"])
    found = [line.rpartition(":") for line in said.splitlines()] if status == 0 else []
    device = next((device for name, _, device in found if name == PROFILE), None)
    return "none" if device is None else "on" if device else "off"


def switch_on(run: Run | None = None) -> str:
    """Says what happens; raises UsageError with the reason where it may not be or fails."""
    status, said = (run or _run)(["nmcli", "--wait", "20", "connection", "up", PROFILE])
    if status:
        why = (said.strip().splitlines() or ["no reason given"])[-1][:200].rstrip(".")
        raise UsageError(f"The Pi's own Wi-Fi could not be switched on ({why}); install the polkit rule of Companion.")
    return "The Pi's own Wi-Fi is on. A phone that was in another network joins it by the code."


def _run(command: Sequence[str]) -> tuple[int, str]:
    if not shutil.which(command[0]):
        return 127, f"{command[0]} is not installed"
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.SubprocessError) as error:
        return 1, type(error).__name__
    return done.returncode, done.stdout if done.returncode == 0 else done.stderr or done.stdout
