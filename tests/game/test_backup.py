"""A backup holds what a club would miss, comes back whole, and overwrites nothing."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.game import belongings
from companion.game.belongings import SETTINGS, back_up
from companion.game.errors import FolderInUse, JournalDamaged, StorageFailed
from companion.game.restoring import check, restore
from companion.game.table import Table
from companion.game.tables import Tables
from tests.game.conftest import shown
from tests.game.test_table import fire

PACK = "figures of our own\n"


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    file = tmp_path / "etc" / "companion.toml"
    file.parent.mkdir()
    file.write_text("pin = '1234'\n")
    return file


@pytest.fixture
def backup(tables: Tables, table: Table, settings: Path, tmp_path: Path) -> Path:
    """Of a folder with a table, packs, and what belongs to no backup."""
    fire(table)
    table.learn({"speed:tiger": 30}, seat="host")
    folder = tables.journal.folder
    (folder / "packs").mkdir()
    (folder / "packs/aod-ours.toml").write_text(PACK)
    (folder / "packs/.draft.toml").write_text("half")
    (folder / "packs/link.toml").symlink_to("/etc/passwd")
    (folder / "spool.db").write_bytes(b"jobs")
    (folder / "clock.json").write_text("of this start")
    (folder / "before-restore-2020-01-01").mkdir()
    (folder / "before-restore-2020-01-01/old.toml").write_text("old")
    target = tmp_path / "club.db"
    assert back_up(tables.journal, target, settings) == []
    return target


def test_it_holds_tables_packs_and_settings_and_nothing_that_passes(backup: Path, settings: Path) -> None:
    check(backup)
    assert belongings.read(backup) == {"files/packs/aod-ours.toml": PACK.encode(), SETTINGS: settings.read_bytes()}
    assert belongings.named(backup) == "packs/aod-ours.toml, settings.toml"
    assert [p.name for p in backup.parent.iterdir() if p.name.startswith("club")] == ["club.db"]


def test_all_of_it_comes_back_in_an_empty_folder(backup: Path, table: Table, tmp_path: Path) -> None:
    new, etc = tmp_path / "new", tmp_path / "new etc" / "companion.toml"
    etc.parent.mkdir()
    said = restore(new, backup, etc)
    assert (new / "packs/aod-ours.toml").read_text() == PACK
    assert etc.read_text() == "pin = '1234'\n"
    assert said == [
        f"The tables of {backup} are in place in {new}.",
        f"{new}/packs/aod-ours.toml is back.",
        f"{etc} is back.",
    ]
    tables = Tables(new)
    again = tables.get(table.key)
    assert shown(again) == shown(table)
    assert again.learned == {"speed:tiger": 30}
    assert not tables.journal._db.execute("SELECT 1 FROM sqlite_master WHERE name = 'files'").fetchone()
    tables.close()


def test_what_is_there_is_kept_and_said(backup: Path, tables: Tables, settings: Path) -> None:
    folder = tables.journal.folder
    tables.new("toy")
    tables.close()
    (folder / "packs/aod-ours.toml").write_text("changed since")
    (folder / "packs/aod-new.toml").write_text("new since")
    settings.write_text("pin = '9'\n")
    said = restore(folder, backup, settings)
    (aside,) = (d for d in folder.glob("before-restore-*") if "2020" not in d.name)
    assert (folder / "packs/aod-ours.toml").read_text() == PACK
    assert (aside / "packs/aod-ours.toml").read_text() == "changed since"
    assert (folder / "packs/aod-new.toml").read_text() == "new since"
    assert settings.read_text() == "pin = '1234'\n"
    assert (aside / "companion.toml").read_text() == "pin = '9'\n"
    (old,) = folder.glob("companion-before-restore-*.db")
    (jobs,) = folder.glob("spool-before-restore-*.db")
    assert jobs.read_bytes() == b"jobs"
    assert said[1:] == [
        f"The old ones are kept as {old.name}.",
        f"The print jobs that were there are kept as {jobs.name}; what still waited in them is not printed.",
        f"{folder}/packs/aod-ours.toml is back. The one that was there is kept as {aside}/packs/aod-ours.toml.",
        f"{settings} is back. The one that was there is kept as {aside}/companion.toml.",
    ]
    assert len(Tables(folder).listed()) == 1


def test_what_is_the_same_is_left_alone(backup: Path, tables: Tables, settings: Path) -> None:
    folder = tables.journal.folder
    tables.close()
    said = restore(folder, backup, settings)
    assert [s for s in said if "is back" in s] == []
    assert len(list(folder.glob("before-restore-*"))) == 1


@pytest.mark.parametrize("named", [True, False])
def test_settings_without_a_place_lie_beside_the_tables(
    backup: Path, tmp_path: Path, named: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    new, closed = tmp_path / "new", tmp_path / "closed" / "companion.toml"
    monkeypatch.setattr(belongings, "_writable", lambda file: file != closed)
    said = restore(new, backup, closed if named else None)
    beside = new / "settings-from-backup.toml"
    assert beside.read_text() == "pin = '1234'\n"
    why = f"{closed} cannot be written" if named else "no settings file was named with --config"
    assert said[-1] == (f"The settings of the backup are not in use, since {why}: copy them from {beside} yourself.")


def test_a_file_that_cannot_be_put_back_is_said_and_the_rest_goes_on(backup: Path, tmp_path: Path) -> None:
    new = tmp_path / "new"
    new.mkdir()
    (new / "packs").write_text("a file where the folder should be")
    said = restore(new, backup, tmp_path / "companion.toml")
    assert f"{new}/packs/aod-ours.toml could not be put back: File exists." in said
    assert (tmp_path / "companion.toml").exists()


def test_what_cannot_be_taken_along_is_said(tables: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(belongings, "LARGEST", 10)
    (tables.journal.folder / "large.toml").write_text("x" * 11)
    said = back_up(tables.journal, tmp_path / "club.db", tmp_path / "none.toml")
    assert said == [
        f"{tables.journal.folder}/large.toml is not in the backup: it is too large, or there are too many files.",
        f"{tmp_path}/none.toml is not in the backup: No such file or directory.",
    ]
    assert belongings.named(tmp_path / "club.db") == "no pack and no settings file, for there are none"


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE files SET body = x'00'",
        "UPDATE files SET name = 'files/../../etc/passwd'",
        "UPDATE files SET name = '/etc/passwd' WHERE name LIKE 'files%'",
        "UPDATE files SET body = 'text'",
    ],
)
def test_a_file_that_was_written_in_is_refused_before_anything_is_done(
    backup: Path, tables: Tables, table: Table, harm: str
) -> None:
    with closing(sqlite3.connect(backup)) as db, db:
        db.execute("DELETE FROM files WHERE name = 'settings.toml'")
        db.execute(harm)
    tables.close()
    folder = tables.journal.folder
    before = sorted(os.listdir(folder))
    with pytest.raises(JournalDamaged, match="in it is not what was put there"):
        restore(folder, backup)
    assert sorted(os.listdir(folder)) == before


def test_a_backup_of_an_older_version_is_taken(tables: Tables, table: Table, tmp_path: Path) -> None:
    """Without files, and from before an entry said whether the clock was set."""
    fire(table)
    tables.journal.backup(tmp_path / "old.db")
    with closing(sqlite3.connect(tmp_path / "old.db")) as db, db:
        old_fashioned(db)
    assert restore(tmp_path / "new", tmp_path / "old.db") == [
        f"The tables of {tmp_path}/old.db are in place in {tmp_path}/new."
    ]
    again = Tables(tmp_path / "new")
    back = again.get(table.key)
    assert shown(back) == shown(table)
    back.journal.check_chain(back.key)
    fire(back)
    back.journal.check_chain(back.key)
    assert next(back.journal.entries(back.key)).clock_synced is None
    again.close()


def old_fashioned(db: sqlite3.Connection) -> None:
    """A journal as it was written before the clock had a column."""
    from companion.game.journal import link

    rows = db.execute("SELECT stream, n, kind, body, wall FROM entries ORDER BY stream, n").fetchall()
    previous: dict[str, bytes] = {}
    for stream, n, kind, body, wall in rows:
        previous[stream] = link(previous.get(stream, b""), stream, n, kind, body, wall)
        db.execute("UPDATE entries SET hash = ? WHERE stream = ? AND n = ?", (previous[stream], stream, n))
    db.execute("ALTER TABLE entries DROP COLUMN clock_synced")


def test_not_while_a_companion_runs(backup: Path, tables: Tables) -> None:
    with pytest.raises(FolderInUse):
        restore(tables.journal.folder, backup)


def test_a_folder_that_cannot_be_made_is_said(backup: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageFailed, match="cannot be written"):
        restore(tmp_path / "file" / "data", backup)
