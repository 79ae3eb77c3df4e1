"""Who holds a device: told from /proc, as far as this user may look."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path


def holders(place: str, proc: Path = Path("/proc")) -> list[str]:
    """Each other process that has `place` open or is a login console on it, as "minicom (PID 812)"."""
    node = os.path.realpath(place)
    return [
        f"{_read(process, 'comm').strip() or 'a program'} (PID {process.name})"
        for process in _others(proc)
        if _has_open(process, node) or _is_console(process, node)
    ]


def _others(proc: Path) -> Iterator[Path]:
    mine = str(os.getpid())
    return (process for process in sorted(proc.glob("[0-9]*")) if process.name != mine)


def _has_open(process: Path, node: str) -> bool:
    try:
        return any(os.readlink(link.path) == node for link in os.scandir(process / "fd"))
    except OSError:  # not ours to look into, or gone meanwhile
        return False


def _is_console(process: Path, node: str) -> bool:
    return "getty" in _read(process, "comm") and os.path.basename(node) in _read(process, "cmdline").split("\0")


def _read(process: Path, what: str) -> str:
    try:
        return (process / what).read_text(errors="replace")
    except OSError:
        return ""
