"""A journaled answer against a bare SQLite insert at the same durability: WAL, synchronous FULL, one row, one commit.

Both write to the same disk in turn. The answer runs the whole rule again, checks what was given, links the hash chain
and tells its followers; the insert only inserts a row of the same size.
"""

from __future__ import annotations

import sqlite3
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from companion.game.table import Table
from companion.game.tables import Tables
from tests.benches.figure import Figure

MOST = 1.5
ROUNDS = 300


def measure() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        tables = Tables(Path(folder) / "data")
        bare = _bare(Path(folder) / "bare.db")
        body = b"x" * 170
        ours, rival = [], []
        table = tables.new("aod")
        for n in range(ROUNDS):
            _ready(table)
            begin = perf_counter()
            table.answer(table.asks[0].address, {"white": 4}, seat="host", source="tower Oak")
            ours.append((perf_counter() - begin) * 1000)
            begin = perf_counter()
            bare.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)", (n, "t", "answered", body, 0.0, b"h" * 32))
            rival.append((perf_counter() - begin) * 1000)
        tables.close()
    ratio = median(ours) / median(rival)
    return [Figure("a journaled answer", median(ours), median(rival), ratio, MOST, "ms", ratio <= MOST)]


def _ready(table: Table) -> None:
    """The same burst again, up to its first die."""
    if table.current:
        table.undo(seat="host", fresh=True)
    table.open("fire:3:11", seat="host")
    table.answer(table.asks[0].address, "normal", seat="host")


def _bare(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("CREATE TABLE entries (seq INTEGER PRIMARY KEY, stream, kind, body BLOB, wall REAL, hash BLOB)")
    return db
