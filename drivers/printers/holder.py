"""Who holds a device: told from /proc, as far as this user may look."""

from __future__ import annotations

import os
from pathlib import Path


def holder_of(place: str) -> str:
    """Words to follow "in use": the holder where it is known, and two ways out of it."""
    names = holders(place)
    who = f" by {', '.join(names)}" if names else " by another program (often CUPS)"
    return f"{who}; stop that program (CUPS: sudo systemctl stop cups), or give Companion another line to it"


def holders(place: str, proc: Path = Path("/proc")) -> list[str]:
    """Each other process that has `place` open, as name (pid n)."""
    target = os.path.realpath(place)
    mine = str(os.getpid())
    return [
        f"{_name(process)} (pid {process.name})"
        for process in sorted(proc.glob("[0-9]*"))
        if process.name != mine and _has_open(process, target)
    ]


def _has_open(process: Path, target: str) -> bool:
    try:
        return any(os.readlink(link) == target for link in (process / "fd").iterdir())
    except OSError:  # gone meanwhile, or somebody else's
        return False


def _name(process: Path) -> str:
    try:
        return (process / "comm").read_text().strip()
    except OSError:
        return "a program"
