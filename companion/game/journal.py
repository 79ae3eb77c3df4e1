"""The journal: append-only, on disk before anything is shown, one hash chain per table, one owner per folder."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from companion.game.errors import FolderInUse, JournalDamaged, StorageFailed

Row: TypeAlias = tuple[str, int, str, bytes | str, float, bytes, int | None]
"""An entry as it lies in the file."""

CLUB = "club"
"""The stream that belongs to no table: rosters, licences, learned cells, settings."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS entries (
  seq INTEGER PRIMARY KEY, stream TEXT NOT NULL, n INTEGER NOT NULL, kind TEXT NOT NULL, body BLOB NOT NULL,
  wall REAL NOT NULL, hash BLOB NOT NULL, clock_synced INTEGER, UNIQUE (stream, n)
);
"""
_COLUMNS = "stream, n, kind, body, wall, hash, clock_synced"
_INSERT = f"INSERT INTO entries ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)"


class Entry(msgspec.Struct, frozen=True):
    """One line of a stream. `n` counts from 1; `wall` is the clock of a Pi without a clock: only for showing.

    `clock_synced` is whether a time server had set that clock; None in entries of older versions, which did not ask.
    """

    stream: str
    n: int
    kind: str
    body: dict[str, Any]
    wall: float
    hash: bytes
    clock_synced: bool | None = None


encode = msgspec.json.Encoder(order="sorted").encode


def link(
    previous: bytes, stream: str, n: int, kind: str, body: bytes, wall: float, clock_synced: bool | None = None
) -> bytes:
    """The hash of an entry: over the one before it and all that it says."""
    clock = "" if clock_synced is None else f"{int(clock_synced)}\x00"
    head = f"{stream}\x00{n}\x00{kind}\x00{wall!r}\x00{clock}".encode()
    return hashlib.sha256(previous + head + body).digest()


def clock_synced() -> bool:
    """Whether a time server has set the clock since the start; a Pi without one has a wrong hour until then."""
    return os.path.exists("/run/systemd/timesync/synchronized")


class Journal:
    """One SQLite file, WAL and synchronous FULL. Opening takes the folder's lock until `close`."""

    def __init__(self, folder: Path, synced: Callable[[], bool] = clock_synced) -> None:
        self.folder, self._synced = folder, synced
        self.now: Callable[[], float] = time.time
        self.notices: list[str] = []
        self._mutex = threading.RLock()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = _take_lock(folder)
        except FolderInUse:
            raise
        except OSError as error:
            raise StorageFailed(
                f"The data folder {folder} cannot be used ({error.strerror}); choose another."
            ) from None
        self.path = folder / "companion.db"
        self._db = self._open()
        self._heads: dict[str, tuple[int, bytes]] = {}

    def _open(self) -> sqlite3.Connection:
        try:
            db = _connect(self.path)
            if _healthy(db):
                return db
            db.close()
        except sqlite3.DatabaseError as error:
            if _is_storage(error):
                raise _storage(error) from None
        return self._set_aside()

    def _set_aside(self) -> sqlite3.Connection:
        """Keep a damaged file under its date, take the last good copy if there is one, and say so."""
        aside = _unused(self.path.with_name(f"companion-damaged-{date.today().isoformat()}.db"))
        for suffix in ("", "-wal", "-shm"):
            old = self.path.with_name(self.path.name + suffix)
            if old.exists():
                old.rename(aside.with_name(aside.name + suffix))
        backup = self.folder / "companion-backup.db"
        found = "no copy was found, so the tables start anew"
        if backup.exists() and _sound(backup):
            part = self.path.with_name(f"{self.path.name}.part")
            shutil.copyfile(backup, part)
            with part.open("rb") as file:
                os.fsync(file.fileno())
            part.replace(self.path)
            found = "the last good copy is in use, so look what it lacks"
        self.notices.append(f"The journal was damaged and is kept as {aside.name}; {found}.")
        return _connect(self.path)

    def append(self, stream: str, *entries: tuple[str, Mapping[str, Any]]) -> list[Entry]:
        """Write entries in one transaction; when this returns they are on the disk."""
        with self._mutex:
            n, previous = self.head(stream)
            wall, synced, made = self.now(), self._synced(), []
            rows = []
            for kind, content in entries:
                n += 1
                body = encode(content)
                previous = link(previous, stream, n, kind, body, wall, synced)
                rows.append((stream, n, kind, body, wall, previous, synced))
                made.append(Entry(stream, n, kind, msgspec.json.decode(body), wall, previous, synced))
            self._write(rows)
            self._heads[stream] = n, previous
            return made

    def _write(self, rows: Sequence[tuple[Any, ...]]) -> None:
        try:
            if len(rows) == 1:
                self._db.execute(_INSERT, rows[0])  # autocommit: one statement is one transaction
                return
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self._db.executemany(_INSERT, rows)
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise _storage(error) from None

    def head(self, stream: str) -> tuple[int, bytes]:
        """Number and hash of the last entry; 0 and nothing for a new stream."""
        with self._mutex:
            known = self._heads.get(stream)
            if known is None:
                found = self._db.execute(
                    "SELECT n, hash FROM entries WHERE stream = ? ORDER BY n DESC LIMIT 1", (stream,)
                ).fetchone()
                if found is None:  # not remembered: anybody may ask for names that there never were
                    return 0, b""
                known = self._heads[stream] = found[0], found[1]
            return known

    def entries(self, stream: str, after: int = 0) -> Iterator[Entry]:
        with self._mutex:
            rows = self._db.execute(
                f"SELECT {_COLUMNS} FROM entries WHERE stream = ? AND n > ? ORDER BY n", (stream, after)
            ).fetchall()
        for s, n, kind, body, wall, digest, synced in rows:
            yield Entry(s, n, kind, msgspec.json.decode(body), wall, digest, _known(synced))

    def streams(self) -> list[str]:
        """Every stream, the one written last first."""
        with self._mutex:
            rows = self._db.execute("SELECT stream FROM entries GROUP BY stream ORDER BY max(seq) DESC").fetchall()
        return [row[0] for row in rows]

    def check_chain(self, stream: str) -> None:
        """Raise where an entry does not follow from the one before it."""
        with self._mutex:
            rows = self._db.execute(f"SELECT {_COLUMNS} FROM entries WHERE stream = ? ORDER BY n", (stream,)).fetchall()
        broken = first_broken(rows)
        if broken:
            raise JournalDamaged(f"Entry {broken[1]} of table {stream} was changed or is missing.")

    def adopt(self, stream: str, entries: Sequence[Entry]) -> None:
        """Take over an exported stream with its chain as it is."""
        with self._mutex:
            if self.head(stream)[0]:
                raise JournalDamaged(f"Table {stream} is here already.")
            self._write([(e.stream, e.n, e.kind, encode(e.body), e.wall, e.hash, e.clock_synced) for e in entries])
            self._heads.pop(stream, None)

    def backup(self, target: Path) -> None:
        """A consistent copy in one file, complete on disk before it gets its name."""
        part = target.with_name(target.name + ".part")
        try:
            with self._mutex, closing(sqlite3.connect(part)) as copy:
                self._db.backup(copy)
            with part.open("rb") as file:
                os.fsync(file.fileno())
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)

    def checkpoint(self) -> None:
        with self._mutex:
            self._db.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def close(self) -> None:
        with self._mutex:
            self._db.close()
            if self._lock >= 0:
                os.close(self._lock)
                self._lock = -1  # closed twice, the number could be somebody else's by now


def _connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA wal_autocheckpoint = 200")
    db.execute("PRAGMA temp_store = MEMORY")  # a temporary folder that is full is no reason to stop
    db.execute("PRAGMA cache_size = -512")  # in KiB: a table is read once from end to end, so more would only be held
    db.execute(_SCHEMA)
    db.execute("DROP TABLE IF EXISTS files")  # what a backup holds beside the journal has been put in its place
    if "clock_synced" not in columns(db):  # a journal of an older version
        db.execute("ALTER TABLE entries ADD COLUMN clock_synced INTEGER")
    return db


def columns(db: sqlite3.Connection) -> set[str]:
    """The columns that the entries of a file have."""
    return {row[1] for row in db.execute("PRAGMA table_info(entries)")}


def first_broken(rows: Iterable[Row]) -> tuple[str, int] | None:
    """Stream and number of the first entry that does not fit its chain; None where all do. In order of both."""
    last: dict[str, tuple[int, bytes]] = {}
    for stream, n, kind, body, wall, digest, synced in rows:
        before, previous = last.get(stream, (0, b""))
        raw = body if isinstance(body, bytes) else str(body).encode()
        if n != before + 1 or digest != link(previous, stream, n, kind, raw, wall, _known(synced)):
            return stream, before + 1
        last[stream] = n, digest
    return None


def _known(synced: int | None) -> bool | None:
    return None if synced is None else bool(synced)


def _healthy(db: sqlite3.Connection) -> bool:
    return bool(db.execute("PRAGMA quick_check").fetchone()[0] == "ok")


def _sound(path: Path) -> bool:
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as db:
            return _healthy(db)
    except sqlite3.Error:
        return False


def _unused(path: Path) -> Path:
    for number in range(1, 1000):
        candidate = path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")
        if not candidate.exists():
            return candidate
    raise StorageFailed(f"There are a thousand damaged journals in {path.parent}; move them away.")


def _is_storage(error: sqlite3.Error) -> bool:
    text = str(error)
    return any(word in text for word in ("full", "readonly", "read-only", "I/O", "unable to open", "locked"))


def _storage(error: sqlite3.Error) -> StorageFailed:
    text = str(error)
    if "full" in text:
        return StorageFailed("The storage is full: nothing was saved. Free some space, then try again.")
    if "readonly" in text or "read-only" in text:
        return StorageFailed("The storage is read-only: nothing was saved. Check the card, then try again.")
    return StorageFailed(f"The storage failed ({text}): nothing was saved. Check the card, then try again.")


def _take_lock(folder: Path) -> int:
    handle = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        owner = os.read(handle, 20).decode("ascii", "replace").strip()
        os.close(handle)
        raise FolderInUse(
            f"The data folder {folder} is in use by another Companion (process {owner or 'unknown'}); "
            "stop it first or choose another folder with --data."
        ) from None
    os.ftruncate(handle, 0)
    os.write(handle, str(os.getpid()).encode())
    return handle
