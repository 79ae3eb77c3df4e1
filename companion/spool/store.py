"""The jobs table: every state of every job is on the disk before anything else happens."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion.spool.jobs import Job, Mark, NoSuchJob, SpoolError, SpoolStorage, State

Connect = Callable[[], sqlite3.Connection]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  printer TEXT NOT NULL,
  kind TEXT NOT NULL,
  title TEXT NOT NULL,
  source BLOB,
  state TEXT NOT NULL CHECK (state IN ('queued', 'sending', 'printed', 'held', 'failed', 'void')),
  note TEXT NOT NULL DEFAULT '',
  mark TEXT NOT NULL DEFAULT '',
  copy_of INTEGER REFERENCES jobs (id),
  submitted REAL NOT NULL,
  changed REAL NOT NULL,
  waited INTEGER NOT NULL DEFAULT 0,
  cuts INTEGER NOT NULL DEFAULT 0,
  sent INTEGER NOT NULL DEFAULT 0,
  size INTEGER NOT NULL DEFAULT 0,
  remarks TEXT NOT NULL DEFAULT ''
);
CREATE INDEX IF NOT EXISTS jobs_by_state ON jobs (state, printer, id);
"""
_COLUMNS = ", ".join(Job.__struct_fields__)
_KEEP = 500  # so many of the latest jobs may be printed again; older ones lose their source
_MOST = 2000  # waiting jobs of one printer


def connector(path: Path) -> Connect:
    """How to open the jobs of a file: safe against a power cut at the price of one sync a change."""

    def connect() -> sqlite3.Connection:
        base = sqlite3.connect(path, timeout=5, isolation_level=None, check_same_thread=False)
        base.execute("PRAGMA journal_mode = WAL")
        base.execute("PRAGMA synchronous = FULL")
        base.execute("PRAGMA temp_store = MEMORY")
        base.execute("PRAGMA cache_size = -256")  # in KiB, for each thread's own connection
        return base

    return connect


class Store:
    """All SQL of the spool; each thread has a connection of its own."""

    def __init__(self, connect: Connect, now: Callable[[], float]) -> None:
        self._connect, self._now = connect, now
        self._local = threading.local()
        self._bases: list[sqlite3.Connection] = []
        with self._base() as base:
            base.executescript(_SCHEMA)

    @contextmanager
    def _base(self) -> Iterator[sqlite3.Connection]:
        try:
            if not hasattr(self._local, "base"):
                self._local.base = self._connect()
                self._bases.append(self._local.base)
            yield self._local.base
        except sqlite3.Error as error:
            raise SpoolStorage(f"The print jobs cannot be stored ({error}); make room on the disk.") from error

    def close(self) -> None:
        for base in self._bases:
            base.close()
        self._bases.clear()

    # reading

    def jobs(self, limit: int, printer: str | None = None) -> list[Job]:
        where, values = ("WHERE printer = ?", [printer]) if printer else ("", [])
        return self._read(f"{where} ORDER BY id DESC LIMIT ?", *values, limit)

    def job(self, number: int) -> Job:
        for job in self._read("WHERE id = ?", number):
            return job
        raise NoSuchJob(f"There is no print job {number}; look at the list of jobs.")

    def latest(self, series: str) -> Job | None:
        """The newest job whose key begins so."""
        jobs = self._read("WHERE key >= ? AND key < ? ORDER BY id DESC LIMIT 1", series, f"{series}\uffff")
        return jobs[0] if jobs else None

    def next(self, printer: str) -> Job | None:
        """The oldest job that waits for this printer."""
        jobs = self._read("WHERE state = 'queued' AND printer = ? ORDER BY id LIMIT 1", printer)
        return jobs[0] if jobs else None

    def count(self, printer: str, state: State) -> int:
        with self._base() as base:
            query = "SELECT count(*) FROM jobs WHERE state = ? AND printer = ?"
            return int(base.execute(query, (state, printer)).fetchone()[0])

    def owed(self, printer: str) -> int:
        """Bytes that the printer never got of what was sent to it last: it may still wait for them."""
        with self._base() as base:
            query = "SELECT size - sent FROM jobs WHERE printer = ? AND size > 0 ORDER BY changed DESC LIMIT 1"
            found = base.execute(query, (printer,)).fetchone()
        return max(0, int(found[0])) if found else 0

    def _read(self, where: str, *values: object) -> list[Job]:
        with self._base() as base:
            rows = base.execute(f"SELECT {_COLUMNS} FROM jobs {where}", values).fetchall()
        return [_job(row) for row in rows]

    # writing

    def add(
        self,
        key: str,
        printer: str,
        kind: str,
        title: str,
        source: bytes,
        submitted: float,
        copy_of: int | None = None,
        mark: Mark = "",
        *,
        synced: bool = True,
    ) -> int:
        """Store a job; the same key again is the same job. Not `synced`, it is on the disk with the next change."""
        if self.count(printer, "queued") >= _MOST:
            raise SpoolError(f"{_MOST} jobs wait for {printer}; see to the printer or void some.")
        with self._base() as base:
            with _syncing(base, synced):
                base.execute(
                    "INSERT INTO jobs (key, printer, kind, title, source, state, submitted, changed, copy_of, mark)"
                    " VALUES (?, ?, ?, ?, ?, 'queued', ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING",
                    (key, printer, kind, title, source, submitted, self._now(), copy_of, mark),
                )
            return int(base.execute("SELECT id FROM jobs WHERE key = ?", (key,)).fetchone()[0])

    def move(self, number: int, old: tuple[State, ...], new: State, **also: Any) -> bool:
        """Take a job from one of the `old` states to `new`; False where somebody else was faster."""
        changes = {"state": new, "changed": self._now(), **also}
        sets = ", ".join(f"{name} = ?" for name in changes)
        marks = ", ".join("?" for _ in old)
        with self._base() as base:
            query = f"UPDATE jobs SET {sets} WHERE id = ? AND state IN ({marks})"
            return base.execute(query, (*changes.values(), number, *old)).rowcount == 1

    def all_wait(self, printer: str) -> None:
        """Whatever is queued for a printer in trouble will come late."""
        with self._base() as base:
            base.execute("UPDATE jobs SET waited = 1 WHERE printer = ? AND state = 'queued' AND NOT waited", (printer,))

    def recover(self) -> None:
        """After a start: what was under way is asked about, what waited is late."""
        with self._base() as base:
            base.execute(
                "UPDATE jobs SET state = 'held', changed = ?, note = ? WHERE state = 'sending'",
                (self._now(), "The power went while this was being sent. Did it come out whole?"),
            )
            base.execute("UPDATE jobs SET waited = 1 WHERE state = 'queued'")
            base.execute(
                "UPDATE jobs SET source = NULL WHERE state IN ('printed', 'void') AND source NOT NULL"
                " AND id <= (SELECT max(id) FROM jobs) - ?",
                (_KEEP,),
            )


@contextmanager
def _syncing(base: sqlite3.Connection, wanted: bool) -> Iterator[None]:
    """Whether the disk is waited for after each change."""
    base.execute(f"PRAGMA synchronous = {'FULL' if wanted else 'NORMAL'}")
    try:
        yield
    finally:
        base.execute("PRAGMA synchronous = FULL")


def _job(row: tuple[Any, ...]) -> Job:
    values = dict(zip(Job.__struct_fields__, row, strict=True))
    return Job(**{**values, "waited": bool(values["waited"])})
