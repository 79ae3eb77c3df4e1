"""What a club owns beside its tables: packs, settings, whatever else lies in the data folder. Part of every backup."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import date
from hashlib import sha256
from pathlib import Path, PurePosixPath

from companion.game.errors import JournalDamaged
from companion.game.journal import Journal
from companion.keeping import write_safely

SETTINGS = "settings.toml"
"""The settings file in a backup, wherever it lay."""

MOST_FILES = 500
LARGEST = 4_000_000
"""Bytes of one file."""

_IN = "files/"
_NOT = ("lock", "companion.sock", "clock.json")
"""What holds for this process or this start of the machine alone."""
_NOT_ENDS = (".db", ".db-wal", ".db-shm", ".part", ".fresh", ".new")
_BEFORE = "before-restore-"
_TABLE = "CREATE TABLE files (name TEXT PRIMARY KEY, body BLOB NOT NULL, sha256 BLOB NOT NULL)"


def back_up(journal: Journal, target: Path, settings: Path | None = None) -> list[str]:
    """Write journal, packs and settings into one file; sentences about what could not be taken along."""
    draft = target.with_name(f"{target.name}.fresh")
    try:
        journal.backup(draft)
        files, said = gather(journal.folder, settings)
        with closing(sqlite3.connect(draft)) as db, db:
            db.execute(_TABLE)
            db.executemany(
                "INSERT INTO files VALUES (?, ?, ?)", [(n, body, sha256(body).digest()) for n, body in files.items()]
            )
        with draft.open("rb") as file:
            os.fsync(file.fileno())
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
    return said


def gather(folder: Path, settings: Path | None = None) -> tuple[dict[str, bytes], list[str]]:
    """The files by the name that they have in a backup, and why some are left out."""
    found: dict[str, bytes] = {}
    said: list[str] = []
    for name, file in (*_files(folder), *([(SETTINGS, settings)] if settings else [])):
        try:
            if file.stat().st_size > LARGEST or len(found) >= MOST_FILES:
                said.append(f"{file} is not in the backup: it is too large, or there are too many files.")
            else:
                found[name] = file.read_bytes()
        except OSError as error:
            said.append(f"{file} is not in the backup: {error.strerror}.")
    return found, said


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Plain files, of this folder and those in it; neither databases nor what a restore has put aside."""
    for file in sorted(folder.rglob("*")):
        parts = file.relative_to(folder).parts
        hidden = any(part.startswith((".", _BEFORE)) for part in parts)
        passing = file.name in _NOT or file.name.endswith(_NOT_ENDS)
        if not hidden and not passing and file.is_file() and not file.is_symlink():
            yield _IN + "/".join(parts), file


def named(backup: Path) -> str:
    """What a backup holds beside the tables, in words."""
    names = [name.removeprefix(_IN) for name in read(backup)]
    return ", ".join(names) or "no pack and no settings file, for there are none"


def read(backup: Path) -> dict[str, bytes]:
    """The files of a backup, none for one of an older version; raises JournalDamaged where one is not whole."""
    with closing(sqlite3.connect(f"{backup.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as db:
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'files'").fetchone():
            return {}
        rows = db.execute("SELECT name, body, sha256 FROM files ORDER BY name").fetchall()
    for name, body, digest in rows:
        if not (isinstance(body, bytes) and sha256(body).digest() == digest and _safe(name)):
            raise JournalDamaged(f"{backup} was changed: {name!r} in it is not what was put there.")
    return {name: body for name, body, _ in rows}


def _safe(name: str) -> bool:
    """A name of ours: it stays in the data folder."""
    path = PurePosixPath(name)
    return name == SETTINGS or (name.startswith(_IN) and ".." not in path.parts and "\x00" not in name)


def put_back(folder: Path, files: Mapping[str, bytes], settings: Path | None = None) -> list[str]:
    """Each file in its place, one that is there and differs kept aside; a sentence for everything that was done."""
    aside = _unused(folder / f"{_BEFORE}{date.today().isoformat()}")
    return [
        sentence
        for name, body in files.items()
        for sentence in (
            _settings(folder, body, settings, aside)
            if name == SETTINGS
            else _put(folder / name.removeprefix(_IN), body, aside / name.removeprefix(_IN))
        )
    ]


def _put(target: Path, body: bytes, aside: Path) -> Iterator[str]:
    try:
        if target.is_file() and target.read_bytes() == body:
            return
        kept = ""
        if target.exists():
            aside.parent.mkdir(parents=True, exist_ok=True)
            target.rename(aside)
            kept = f" The one that was there is kept as {aside}."
        target.parent.mkdir(parents=True, exist_ok=True)
        write_safely(target, body)
    except OSError as error:
        yield f"{target} could not be put back: {error.strerror}."
    else:
        yield f"{target} is back.{kept}"


def _settings(folder: Path, body: bytes, settings: Path | None, aside: Path) -> Iterator[str]:
    """The settings file may lie where this user may not write, or its place is not known: then beside the tables."""
    if settings is not None and settings.is_file() and settings.read_bytes() == body:
        return
    if settings is not None and _writable(settings):
        yield from _put(settings, body, aside / settings.name)
        return
    beside = folder / "settings-from-backup.toml"
    yield from _put(beside, body, aside / beside.name)
    why = f"{settings} cannot be written" if settings else "no settings file was named with --config"
    yield f"The settings of the backup are not in use, since {why}: copy them from {beside} yourself."


def _writable(file: Path) -> bool:
    return os.access(file.parent, os.W_OK) and (not file.exists() or os.access(file, os.W_OK))


def _unused(path: Path) -> Path:
    return next(p for p in (path, *(path.with_name(f"{path.name}-{n}") for n in range(2, 1000))) if not p.exists())
