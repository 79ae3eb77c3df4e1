"""Last good copies: of the journal and of the settings, written so that a power cut leaves the old or the new one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.game.journal import Journal


def write_safely(target: Path, data: bytes) -> None:
    """Beside it, onto the disk, then in its place: a name never leads to half a file. Raises OSError."""
    part = target.with_name(f"{target.name}.part")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _put_in_place(part, target)
    finally:
        part.unlink(missing_ok=True)


def copy_journal(journal: Journal) -> None:
    """Renew the copy that a damaged journal falls back on; a damaged one never replaces it.

    Raises JournalDamaged, or OSError or sqlite3.Error where there is no room.
    """
    from companion.game.commands import COPY
    from companion.game.restoring import check

    fresh = journal.folder / f"{COPY}.fresh"
    try:
        journal.backup(fresh)
        check(fresh)
        _put_in_place(fresh, journal.folder / COPY)
    finally:
        for left in (fresh, fresh.with_name(f"{fresh.name}.part")):
            left.unlink(missing_ok=True)


def _put_in_place(part: Path, target: Path) -> None:
    part.replace(target)
    folder = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
