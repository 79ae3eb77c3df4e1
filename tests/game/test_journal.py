from __future__ import annotations

import itertools
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import textwrap
from pathlib import Path

import msgspec
import pytest

from companion.game.errors import FolderInUse, JournalDamaged, NoTable, StorageFailed, UsageError
from companion.game.journal import Journal
from companion.game.proof import verify
from companion.game.table import Table
from companion.game.tables import Tables, export, import_into, seat_key, seat_of
from tests.game.conftest import shown
from tests.game.test_table import fire


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path)


def test_entries_come_back_in_order(journal: Journal) -> None:
    journal.append("t", ("a", {"n": 1}), ("b", {"n": 2}))
    journal.append("other", ("x", {}))
    journal.append("t", ("c", {"é": "ł"}))
    assert [(e.n, e.kind, e.body) for e in journal.entries("t")] == [
        (1, "a", {"n": 1}),
        (2, "b", {"n": 2}),
        (3, "c", {"é": "ł"}),
    ]
    assert [e.n for e in journal.entries("t", after=2)] == [3]
    assert journal.streams() == ["t", "other"]
    journal.check_chain("t")


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE entries SET body = '{\"n\":9}' WHERE n = 2",
        "UPDATE entries SET kind = 'z' WHERE n = 2",
        "UPDATE entries SET wall = wall + 1 WHERE n = 2",
        "DELETE FROM entries WHERE n = 2",
        "UPDATE entries SET hash = x'00' WHERE n = 2",
    ],
)
def test_a_changed_entry_breaks_the_chain(journal: Journal, harm: str) -> None:
    journal.append("t", ("a", {"n": 1}), ("b", {"n": 2}), ("c", {"n": 3}))
    journal._db.execute(harm)
    with pytest.raises(JournalDamaged, match=r"Entry 2 of table t was changed or is missing\."):
        journal.check_chain("t")


def test_only_one_may_own_a_folder(tmp_path: Path) -> None:
    first = Journal(tmp_path)
    with pytest.raises(FolderInUse, match=f"in use by another Companion \\(process {os.getpid()}\\)"):
        Journal(tmp_path)
    first.close()
    Journal(tmp_path).close()


def test_a_failed_write_writes_nothing_at_all(journal: Journal) -> None:
    journal.append("t", ("a", {}))
    pages = journal._db.execute("PRAGMA page_count").fetchone()[0]
    journal._db.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StorageFailed, match="The storage is full: nothing was saved"):
        journal.append("t", ("small", {}), ("large", {"x": "y" * 100_000}))
    assert [e.kind for e in journal.entries("t")] == ["a"]
    journal._db.execute("PRAGMA max_page_count = 100000")
    journal.append("t", ("b", {}))
    journal.check_chain("t")


def test_a_read_only_disk_is_said(journal: Journal) -> None:
    journal._db.execute("PRAGMA query_only = 1")
    with pytest.raises(StorageFailed, match="The storage is read-only: nothing was saved"):
        journal.append("t", ("a", {}))


@pytest.mark.field(35)
def test_a_table_is_as_before_when_the_storage_fills_up(tables: Tables, table: Table) -> None:
    table.open("shoot:ann>bob", seat="ann")
    table.answer("far", "near", seat="ann")
    before, version = shown(table), table.version
    pages = tables.journal._db.execute("PRAGMA page_count").fetchone()[0]
    tables.journal._db.execute(f"PRAGMA max_page_count = {pages}")
    fill = itertools.repeat(lambda: table.aside("tower", "x" * 200), 200)
    with pytest.raises(StorageFailed):
        [write() for write in fill]
    with pytest.raises(StorageFailed):
        table.answer("aim", [5], seat="ann", source="y" * 200)
    assert table.asks[0].address == "aim"
    tables.journal._db.execute("PRAGMA max_page_count = 1000000")
    table.answer("aim", [5], seat="ann")
    assert table.asks[0].address == "harm"
    assert before["state"] == table.state
    assert table.version > version


@pytest.mark.field(34)
def test_a_damaged_file_is_set_aside_and_said(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.append("t", *[("a", {"x": "y" * 300})] * 60)
    journal.backup(tmp_path / "companion-backup.db")
    journal.append("t", ("late", {}))
    journal.close()
    raw = bytearray((tmp_path / "companion.db").read_bytes())
    raw[4096:8192] = bytes(4096)
    (tmp_path / "companion.db").write_bytes(raw)
    again = Journal(tmp_path)
    assert "The journal was damaged and is kept as companion-damaged-" in again.notices[0]
    assert "the last good copy is in use" in again.notices[0]
    assert len(list(again.entries("t"))) == 60
    again.check_chain("t")
    assert list(tmp_path.glob("companion-damaged-*.db"))


@pytest.mark.field(34)
def test_without_a_copy_the_loss_is_said_aloud(tmp_path: Path) -> None:
    (tmp_path / "companion.db").write_bytes(b"no database at all" * 500)
    journal = Journal(tmp_path)
    assert "no copy was found, so the tables start anew" in journal.notices[0]
    assert journal.streams() == []


_PLAY = """
import os, sys
from pathlib import Path
from companion.game import registry
from tests.game.toy import GAME
registry.game = lambda key: GAME
from companion.game.tables import Tables
tables = Tables(Path(sys.argv[1]))
table = tables.latest() or tables.new("toy")
while True:
    if not table.current:
        table.open("shoot:ann>bob", seat="ann")
    ask = table.asks[0]
    given = "near" if ask.kind == "fact" else {ask.open_slots[0]: 5}
    table.answer(ask.address, given, seat="ann")
    os.write(1, f"{table.version} {ask.address}\\n".encode())
"""


@pytest.mark.field(34)
def test_every_answer_that_was_shown_is_there_after_kill_9(tmp_path: Path) -> None:
    """Killed in the middle of rolling, again and again: nothing that was shown is lost, and play goes on."""
    last = 0
    for round_ in range(12):
        player = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(_PLAY), str(tmp_path)],
            stdout=subprocess.PIPE,
            cwd=Path(__file__).parents[2],
        )
        assert player.stdout is not None
        for _ in range(3 + round_ % 5):
            last = int(player.stdout.readline().split()[0])
        player.send_signal(signal.SIGKILL)
        shown_last = [int(line.split()[0]) for line in player.stdout.read().decode().splitlines()]
        player.wait()
        last = max([last, *shown_last])
        tables = Tables(tmp_path)
        table = tables.latest()
        assert table is not None
        assert table.version >= last
        assert tables.journal._db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        assert verify(table) == []
        tables.close()


@pytest.mark.field(34)
def test_a_copy_taken_while_playing_opens(tables: Tables, table: Table, tmp_path: Path) -> None:
    fire(table)
    for name in ("companion.db", "companion.db-wal"):
        source = tables.journal.folder / name
        if source.exists():
            (tmp_path / "copy").mkdir(exist_ok=True)
            shutil.copy(source, tmp_path / "copy" / name)
    wal = tmp_path / "copy" / "companion.db-wal"
    wal.write_bytes(wal.read_bytes()[:-100])  # the last write was cut
    copy = Tables(tmp_path / "copy")
    found = copy.get(table.key)
    assert 1 <= found.version <= table.version
    assert verify(found) == []
    copy.close()


def test_backup_is_one_whole_file(tables: Tables, table: Table, tmp_path: Path) -> None:
    fire(table)
    tables.journal.backup(tmp_path / "copy.db")
    db = sqlite3.connect(tmp_path / "copy.db")
    assert db.execute("SELECT count(*) FROM entries").fetchone()[0] == table.version
    assert not (tmp_path / "copy.db.part").exists()


def test_verify_names_what_comes_out_otherwise(tables: Tables, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    fire(table)
    assert verify(table) == []
    table.records[0]._ending = msgspec.structs.replace(table.records[0].ending, changes=())
    found = verify(table)
    assert [(d.slip, d.text) for d in found] == [(1, "It comes out otherwise under these rules.")]
    del table.records[0].answers["harm"]
    assert verify(table)[0].text == "It asks for harm now."
    monkeypatch.setattr(type(table.game), "procedures", {})
    assert "no procedure toy.shoot" in verify(table)[0].text


def test_export_and_import(tables: Tables, table: Table, tmp_path: Path) -> None:
    fire(table)
    other = Tables(tmp_path / "other")
    taken = import_into(other, export(table))
    assert shown(taken) == shown(table)
    assert taken.tail == table.tail
    with pytest.raises(JournalDamaged, match="is here already"):
        import_into(other, export(table))
    other.close()


@pytest.mark.parametrize(
    ("harm", "sentence"),
    [
        (lambda d: d.replace(b'"near"', b'"far"'), "was changed or is missing"),
        (lambda d: b"".join(d.splitlines(True)[1:]), "does not begin with the creation"),
        (lambda d: d + b"nonsense", "is not an entry of a table"),
        (lambda d: b"", "does not begin"),
        (lambda d: b"[1]\n", "is not an entry"),
    ],
)
def test_a_wrong_import_is_refused_whole(tables: Tables, table: Table, tmp_path: Path, harm, sentence) -> None:  # type: ignore[no-untyped-def]
    fire(table)
    other = Tables(tmp_path / "other")
    with pytest.raises((JournalDamaged, UsageError), match=sentence):
        import_into(other, harm(export(table)))
    assert other.listed() == []
    other.close()


def test_seat_keys_are_long_and_tell_the_seat(tables: Tables, table: Table) -> None:
    keys = {seat: seat_key(table, seat) for seat in ("ann", "bob", "host")}
    assert len(set(keys.values())) == 3
    assert all(len(key) * 6 >= 128 for key in keys.values())
    assert {seat: seat_of(table, key) for seat, key in keys.items()} == {s: s for s in keys}
    assert seat_of(table, "x" * 27) == ""
    other = tables.new("toy")
    assert seat_of(other, keys["ann"]) == ""


def test_a_table_that_is_not_there(tables: Tables) -> None:
    with pytest.raises(NoTable, match="There is no table 'none' here"):
        tables.get("none")
    with pytest.raises(NoTable):
        tables.get("club")


def test_each_entry_says_whether_the_clock_was_set(tmp_path: Path) -> None:
    """A Pi has no clock of its own: what stands in `wall` is only worth something once a time server has been asked."""
    answers = iter([False, True])
    journal = Journal(tmp_path, synced=lambda: next(answers))
    journal.append("t", ("a", {}))
    journal.append("t", ("b", {}))
    assert [e.clock_synced for e in journal.entries("t")] == [False, True]
    journal.check_chain("t")
    journal._db.execute("UPDATE entries SET clock_synced = 1 WHERE n = 1")
    with pytest.raises(JournalDamaged, match="Entry 1 of table t was changed"):
        journal.check_chain("t")


def test_an_export_says_whether_the_clock_was_set(tables: Tables, table: Table, tmp_path: Path) -> None:
    other = Tables(tmp_path / "other")
    taken = import_into(other, export(table))
    assert [e.clock_synced for e in taken.journal.entries(taken.key)] == [False]
    with pytest.raises(JournalDamaged, match="was changed or is missing"):
        import_into(Tables(tmp_path / "third"), export(table).replace(b'"clock_synced":false', b'"clock_synced":true'))
    other.close()
