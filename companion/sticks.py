"""USB sticks that are plugged in: where a copy of everything may be put from the kiosk."""

from __future__ import annotations

import os
from pathlib import Path

PLACES = ("/media/", "/run/media/")
"""Where removable storage is mounted."""


def sticks(mounts: Path = Path("/proc/mounts")) -> list[Path]:
    """The mounted ones that can be written to."""
    try:
        rows = [line.split(" ") for line in mounts.read_text(errors="replace").splitlines()]
    except OSError:
        return []
    found = [Path(_spelt(row[1])) for row in rows if len(row) > 1 and row[1].startswith(PLACES)]
    return [place for place in found if os.access(place, os.W_OK)]


def _spelt(place: str) -> str:
    """The kernel writes a blank in a name as `\\040`."""
    return place.replace("\\040", " ")
