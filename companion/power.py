"""Switching the Pi off from a page, so that nobody has to pull the plug."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable

from companion.umpire import CompanionError


class NotSwitchedOff(CompanionError, RuntimeError):
    """The Pi stays on."""


def switch_off_hook() -> Callable[[], str] | None:
    """What a page may call; None where systemd did not start this process, as on a laptop."""
    return switch_off if os.environ.get("INVOCATION_ID") and shutil.which("systemctl") else None


def switch_off() -> str:
    """Ask systemd to switch the machine off, by the one right that the polkit rule gives; says what happens."""
    done = subprocess.run(
        ["systemctl", "poweroff", "--no-ask-password"], capture_output=True, text=True, timeout=10, check=False
    )
    if done.returncode:
        why = (done.stderr.strip().splitlines() or ["no reason given"])[-1][:200]
        raise NotSwitchedOff(f"The Pi cannot be switched off from here ({why}); install the polkit rule of Companion.")
    return "The Pi switches itself off. Wait until its green light stays dark before you pull the plug."
