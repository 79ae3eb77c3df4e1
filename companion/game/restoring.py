"""A backup put back in place: checked first, and nothing that was there is lost."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

from companion.game.errors import FolderInUse, JournalDamaged, StorageFailed
from companion.game.journal import Journal, link

FILE = "companion.db"


def restore(folder: Path, backup: Path) -> str:
    """Put a backup in place; the name that the old journal is kept under, '' if there was none.

    Raises JournalDamaged for a file that is no sound backup, FolderInUse while a Companion runs.
    """
    check(backup)
    new = folder / f"{FILE}.new"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        had = (folder / FILE).exists()
        Journal(folder).close()  # takes the lock for a moment, and writes the log back into the file
        shutil.copyfile(backup, new)
        aside = _aside(folder) if had else ""
        for old in (FILE, f"{FILE}-wal", f"{FILE}-shm"):
            if (folder / old).exists():
                (folder / old).rename(folder / (aside + old.removeprefix(FILE))) if aside else (folder / old).unlink()
        new.replace(folder / FILE)
    except (FolderInUse, StorageFailed):
        raise
    except OSError as error:
        raise StorageFailed(f"The data folder {folder} cannot be written ({error.strerror}).") from None
    return aside


def check(backup: Path) -> None:
    """Raise where a file is no backup, or a table's chain in it does not hold."""
    if not backup.is_file():
        raise JournalDamaged(f"{backup} cannot be restored: there is no such file.")
    try:
        with closing(sqlite3.connect(f"{backup.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as db:
            sound = db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
            broken = _broken(db) if sound else ""
    except sqlite3.Error as error:
        raise JournalDamaged(f"{backup} is no backup of Companion ({error}).") from None
    if not sound:
        raise JournalDamaged(f"{backup} is damaged; take another backup.")
    if broken:
        raise JournalDamaged(f"{backup} was changed: {broken} does not follow from the one before it.")


def _broken(db: sqlite3.Connection) -> str:
    """The first entry that does not fit its chain; '' where all do."""
    last: dict[str, tuple[int, bytes]] = {}
    for stream, n, kind, body, wall, digest in db.execute(
        "SELECT stream, n, kind, body, wall, hash FROM entries ORDER BY stream, n"
    ):
        before, previous = last.get(stream, (0, b""))
        if n != before + 1 or not isinstance(body, bytes) or digest != link(previous, stream, n, kind, body, wall):
            return f"entry {n} of table {stream}"
        last[stream] = n, digest
    return ""


def _aside(folder: Path) -> str:
    stem = f"companion-before-restore-{date.today().isoformat()}"
    names = [f"{stem}.db", *(f"{stem}-{n}.db" for n in range(2, 1000))]
    return next(name for name in names if not (folder / name).exists())
