"""A backup put back in place: checked first, and nothing that was there is lost."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

from companion.game import belongings
from companion.game.errors import FolderInUse, JournalDamaged, StorageFailed
from companion.game.journal import Journal, columns, first_broken

FILE = "companion.db"
JOBS = "spool.db"


def restore(folder: Path, backup: Path, settings: Path | None = None) -> list[str]:
    """Put a backup in place; a sentence for everything that was done, and for what could not be.

    Raises JournalDamaged for a file that is no sound backup, FolderInUse while a Companion runs.
    """
    check(backup)
    files = belongings.read(backup)
    new = folder / f"{FILE}.new"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        had = (folder / FILE).exists()
        Journal(folder).close()  # takes the lock for a moment, and writes the log back into the file
        shutil.copyfile(backup, new)
        said = [f"The tables of {backup} are in place in {folder}."]
        aside = _put_aside(folder, FILE)
        if had:
            said.append(f"The old ones are kept as {aside}.")
        elif aside:
            (folder / aside).unlink()
        if kept := _put_aside(folder, JOBS):  # jobs go by a table's numbers, which mean something else from now on
            said.append(f"The print jobs that were there are kept as {kept}; what still waited in them is not printed.")
        new.replace(folder / FILE)
    except (FolderInUse, StorageFailed):
        raise
    except OSError as error:
        raise StorageFailed(f"The data folder {folder} cannot be written ({error.strerror}).") from None
    return said + belongings.put_back(folder, files, settings)


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
    clock = "clock_synced" if "clock_synced" in columns(db) else "NULL"
    found = first_broken(
        db.execute(f"SELECT stream, n, kind, body, wall, hash, {clock} FROM entries ORDER BY stream, n")
    )
    return f"entry {found[1]} of table {found[0]}" if found else ""


def _put_aside(folder: Path, file: str) -> str:
    """Rename a database with its log; its new name, '' where there is none."""
    if not (folder / file).exists():
        return ""
    aside = _aside(folder, file.removesuffix(".db"))
    for end in ("", "-wal", "-shm"):
        if (old := folder / f"{file}{end}").exists():
            old.rename(folder / f"{aside}{end}")
    return aside


def _aside(folder: Path, what: str) -> str:
    stem = f"{what}-before-restore-{date.today().isoformat()}"
    names = [f"{stem}.db", *(f"{stem}-{n}.db" for n in range(2, 1000))]
    return next(name for name in names if not (folder / name).exists())
