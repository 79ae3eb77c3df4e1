"""Field reports 34 to 37: damaged and full cards, boots without network, devices that come late."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import local
from companion.config import Config, DiceConfig, PrinterConfig
from companion.game import belongings
from companion.game.errors import StorageFailed
from companion.game.proof import verify
from companion.game.restoring import check
from companion.game.table import Table
from companion.web.api import Api
from companion.web.evening import _copied
from companion.web.identity import Pin
from companion.web.live import Hub
from companion.wiring import Machine
from drivers.dice.virtual import VirtualTower
from drivers.printers.offer import TcpOffer
from drivers.printers.virtual import VirtualPrinter
from tests.e2e.daemon import Daemon, running, until
from tests.wiring.rig import Disk, burst, in_worker, working


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    made = Disk(tmp_path / "card")
    yield made
    made.close()


@pytest.fixture
def tower(tmp_path: Path) -> Iterator[VirtualTower]:
    made = VirtualTower(tmp_path / "usb-Companion_Tower")
    made.start()
    yield made
    made.stop()


def wired(tower: VirtualTower, **more: object) -> Config:
    return Config(hold=0, dice=[DiceConfig("oak", port=str(tower._link), format="cd1")], **more)  # type: ignore[arg-type]


# 34: a damaged file


@pytest.mark.field(34)
def test_34_a_damaged_journal_is_set_aside_and_the_copy_of_the_last_pause_is_in_use(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with working(folder, Config()) as machine:
        table = burst(machine)
        version = table.version
    assert sqlite3.connect(folder / "companion-backup.db").execute("SELECT count(*) FROM entries").fetchone()[0] >= 3
    for left in ("companion.db-wal", "companion.db-shm"):
        (folder / left).unlink(missing_ok=True)
    with (folder / "companion.db").open("r+b") as file:
        file.seek(4096)
        file.write(bytes(4096))
    with working(folder, Config()) as machine:
        assert any("was damaged and is kept as companion-damaged-" in n for n in machine.notices())
        again = machine.tables.get(table.key)
        assert again.version == version
        assert verify(again) == []


@pytest.mark.field(34)
def test_34_what_is_played_again_after_a_fall_back_has_slips_of_its_own(tmp_path: Path) -> None:
    """The acts that the older copy lacks have given their numbers, and had their slips printed."""
    folder, till = tmp_path / "data", VirtualPrinter(58)

    def one_burst(machine: Machine) -> None:
        table, out = burst(machine), len(till.slips)
        in_worker(machine, lambda: table.answer(table.asks[0].address, [1], seat="host"))
        assert till.until(lambda: len(till.slips) == out + 1, 30)
        in_worker(machine, lambda: table.undo(seat="host", agreed="host", fresh=True))
        assert till.until(lambda: len(till.slips) == out + 2, 30)

    with TcpOffer(till) as offer:
        config = Config(printers=[PrinterConfig("till", offer.description, cutter="partial")])
        with working(folder, config) as machine:
            one_burst(machine)
        copy = (folder / "companion-backup.db").read_bytes()
        with working(folder, config) as machine:
            one_burst(machine)
        (folder / "companion-backup.db").write_bytes(copy)
        (folder / "companion.db").write_bytes(b"no database" * 900)
        with working(folder, config) as machine:
            one_burst(machine)
    assert [slip.text.count("No 0002") for slip in till.slips] == [0, 0, 1, 1, 1, 1]


@pytest.mark.field(34)
def test_34_a_damaged_copy_is_not_taken_for_a_good_one(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with working(folder, Config()) as machine:
        burst(machine)
    for left in folder.glob("companion.db-*"):
        left.unlink()
    for name in ("companion.db", "companion-backup.db"):
        (folder / name).write_bytes(b"no database" * 900)
    with working(folder, Config()) as machine:
        assert any("no copy was found, so the tables start anew" in notice for notice in machine.notices())
        in_worker(machine, lambda: machine.tables.new("aod"))


# 35: a full card, or a full temporary folder


@pytest.mark.field(35)
def test_35_a_full_temporary_folder_alone_stops_nothing(
    tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = disk.place if disk.real else tmp_path / "none"
    if disk.real:
        (place / "ballast").write_bytes(b"x" * (os.statvfs(place).f_bavail * os.statvfs(place).f_frsize))
        assert os.statvfs(place).f_bavail == 0
    for name in ("TMPDIR", "SQLITE_TMPDIR"):
        monkeypatch.setenv(name, str(place))
    with TcpOffer(VirtualPrinter(58)) as offer:
        settings = f'fallback = "software"\n[[printers]]\nname = "till"\naddress = "{offer.description}"\n'
        with running(tmp_path / "pi", settings) as daemon:
            table = daemon.ask("POST", "/api/tables", {"game": "aod"})[1]["table"]
            daemon.ask("POST", f"/api/tables/{table}/acts", {"act": "fire:3:11"})
            daemon.ask("POST", f"/api/tables/{table}/asks/announce/burst", {"value": "normal"})
            until(lambda: daemon.view(table)["open"] is None or daemon.view(table)["open"]["lines"], what="a die")
            for kind in ("aircraft_log.pdf", "aircraft_log.png", "again.pdf", "log.txt"):
                status, made = daemon.ask("GET", f"/e/{table}/print/{kind}")
                assert status in (200, 400), (kind, made)
                assert status == 200 or kind == "log.txt"
            status, copy = daemon.ask("GET", "/backup")
            assert status == 200
            (tmp_path / "copy.db").write_bytes(copy)
            check(tmp_path / "copy.db")
            assert belongings.read(tmp_path / "copy.db")[belongings.SETTINGS] == daemon.config.read_bytes()
            assert "settings.toml" in local.ask(daemon.folder / "data", "backup", {})["holds"]
            assert (daemon.ask("GET", f"/e/{table}")[0], daemon.ask("GET", "/doctor")[0]) == (200, 200)
            assert "full" not in (daemon.folder / "daemon.log").read_text()
            assert not list((daemon.folder / "data").glob(".copy-*"))


@pytest.mark.field(35)
def test_35_a_copy_is_made_beside_the_tables_where_the_temporary_folder_is_full(
    tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    if disk.real:
        (disk.place / "ballast").write_bytes(b"x" * (os.statvfs(disk.place).f_bavail * 4096))
    monkeypatch.setattr("tempfile.tempdir", str(disk.place if disk.real else tmp_path / "none"))
    with working(tmp_path / "data", Config()) as machine:
        burst(machine)
        copy = _copied(machine.tables.journal, None)
        assert Path(copy.name).parent == tmp_path / "data"
        check(Path(copy.name) / "companion-backup.db")
        copy.cleanup()


@pytest.mark.field(35)
def test_35_no_room_for_a_copy_anywhere_is_said_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("companion.web.evening.back_up", full)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    with working(tmp_path / "data", Config()) as machine, pytest.raises(StorageFailed, match="no room for a copy"):
        _copied(machine.tables.journal, None)
    assert not list(tmp_path.rglob(".copy-*"))


@pytest.mark.field(35)
def test_35_a_throw_on_a_full_card_waits_for_room_and_is_not_confirmed_before(
    tmp_path: Path, disk: Disk, tower: VirtualTower
) -> None:
    with working(disk.place / "data", wired(tower)) as machine:
        table = burst(machine)
        until(lambda: tower.is_armed, what="the tower to be armed")
        asked, version = [a.address for a in table.asks], table.version
        disk.fill(machine)
        tower.throw({"w": 5})
        said = until(lambda: [n for n in machine.notices() if "full" in n], what="the notice")
        until(lambda: "1 result waits" in machine.notices()[0], what="the throw to wait")
        assert said[0].startswith("The storage is full: nothing")
        in_worker(machine, machine.tend)
        assert ([a.address for a in table.asks], table.version) == (asked, version)  # nothing counts
        with pytest.raises(StorageFailed, match="The storage is full: nothing was saved"):
            in_worker(machine, lambda: table.aside("x", "by hand"))
        disk.free(machine)
        in_worker(machine, machine.tend)
        assert [a.address for a in table.asks] != asked
        record = table.current
        assert record is not None
        assert list(record.answers["first/targeting"].values()) == ["5"]
        assert not [n for n in machine.notices() if "full:" in n or "for it." in n]
        assert verify(table) == []


@pytest.mark.field(35)
def test_35_a_die_that_is_held_when_the_card_fills_counts_once_there_is_room(
    tmp_path: Path, disk: Disk, tower: VirtualTower
) -> None:
    config = Config(hold=0.3, dice=[DiceConfig("oak", port=str(tower._link), format="cd1")])
    with working(disk.place / "data", config) as machine:
        table = burst(machine)
        until(lambda: tower.is_armed, what="the tower to be armed")
        tower.throw({"w": 4})
        until(lambda: table.arrived, what="the die to be held")
        disk.fill(machine)
        until(lambda: any("for it." in n for n in machine.notices()), what="the timer to have failed")
        assert table.arrived
        disk.free(machine)
        in_worker(machine, machine.tend)
        assert not table.arrived
        assert table.current is not None
        assert list(table.current.answers["first/targeting"].values()) == ["4"]


@pytest.mark.field(35)
def test_35_a_card_that_turns_read_only_in_mid_roll_stops_nothing_but_saving(
    tmp_path: Path, tower: VirtualTower
) -> None:
    with working(tmp_path / "data", wired(tower)) as machine:
        table = burst(machine)
        until(lambda: tower.is_armed, what="the tower to be armed")
        db = machine.tables.journal._db
        in_worker(machine, lambda: db.execute("PRAGMA query_only = ON"))
        tower.throw({"w": 5})
        until(lambda: any("The storage is read-only" in n for n in machine.notices()), what="the notice")
        in_worker(machine, lambda: db.execute("PRAGMA query_only = OFF"))
        in_worker(machine, machine.tend)
        assert table.current is not None
        assert list(table.current.answers["first/targeting"].values()) == ["5"]


@pytest.mark.field(35)
def test_35_a_warning_comes_while_a_tenth_is_left(tmp_path: Path) -> None:
    def look(_path: Path) -> os.statvfs_result:
        return os.statvfs_result((4096, 4096, 100_000, 9_000, left, 0, 0, 0, 0, 255))

    left = 10_001
    with working(tmp_path / "data", Config(), look=look) as machine:
        assert machine.notices() == []
        left = 8_200
        assert machine.notices() == ["The storage is nearly full: 8 % (33 MB) left. Free some space soon."]


@pytest.mark.field(35)
def test_35_a_card_that_is_read_only_at_the_start_is_a_page_and_no_crash(tmp_path: Path, disk: Disk) -> None:
    daemon = Daemon(tmp_path)
    if disk.real:
        (tmp_path / "data").symlink_to(disk.place)
        subprocess.run(["mount", "-o", "remount,ro", str(disk.place)], check=True)
    else:
        (tmp_path / "data").write_text("a file where the folder should be")
    starter = threading.Thread(target=daemon.start)
    starter.start()
    try:
        page = until(lambda: _page(daemon.port), what="the page that says so")
        assert "Companion waits" in page
        assert "cannot be used" in page or "read-only" in page or "failed" in page
        if disk.real:
            subprocess.run(["mount", "-o", "remount,rw", str(disk.place)], check=True)
        else:
            (tmp_path / "data").unlink()
        starter.join(20)
        assert daemon.ask("GET", "/api/tables") == (200, [])
    finally:
        starter.join(20)
        daemon.stop()


def _page(port: int) -> str:
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=2)
    except urllib.error.HTTPError as error:
        return error.read().decode()
    except OSError:
        return ""
    return ""


# 38: nothing is drawn ahead


@pytest.mark.field(38)
def test_38_no_die_is_drawn_before_it_is_asked_for_and_none_lies_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[int] = []
    monkeypatch.setattr("companion.wiring.draw", lambda sides: drawn.append(sides) or 5)
    folder = tmp_path / "data"
    with working(folder, Config()) as machine:
        table = burst(machine)
        api = Api(machine.parts, Hub(), Pin(""), "")
        for throws in (1, 2):
            assert len(drawn) == throws - 1
            assert len([e for e in machine.tables.journal.entries(table.key) if "faces" in e.body]) == throws - 1
            names = {file.name for file in folder.rglob("*") if not file.name.startswith("spool.db")}
            assert names <= {"companion.db", "companion.db-wal", "companion.db-shm", "lock"}  # the journal, and no list
            ask = table.asks[0]
            in_worker(machine, lambda ask=ask: api.roll(table, ask.address, ask.seat or "host"))  # type: ignore[misc]
            if not table.asks:
                break
        assert drawn[0] == 6


# 36: no network yet


@pytest.mark.field(36)
def test_36_an_address_that_comes_later_is_in_the_qr_without_a_restart(tmp_path: Path) -> None:
    there: list[tuple[str, str]] = [("lo", "127.0.0.1")]
    told: list[str] = []
    with working(tmp_path / "data", Config(), interfaces=lambda: there) as machine:
        machine.parts.news.append(lambda: told.append(machine.base_url()))
        table = burst(machine)
        in_worker(machine, machine.tend)
        assert machine.link(table) == ""
        there.append(("wlan0", "192.168.1.23"))
        in_worker(machine, machine.tend)
        in_worker(machine, machine.tend)
        assert machine.link(table) == f"http://192.168.1.23:8080/e/{table.key}"
        assert told == ["", "http://192.168.1.23:8080"]  # pages are told once, when it changes


@pytest.mark.field(36)
def test_36_no_list_of_interfaces_is_no_reason_to_stop(tmp_path: Path) -> None:
    def none() -> list[tuple[str, str]]:
        raise OSError("no netlink in this sandbox")

    with working(tmp_path / "data", Config(), interfaces=none) as machine:
        assert machine.base_url() == ""


@pytest.mark.field(36)
def test_36_a_network_printer_that_is_out_of_reach_keeps_nobody_waiting(tmp_path: Path, tower: VirtualTower) -> None:
    config = wired(tower, printers=[PrinterConfig("far", "tcp://192.0.2.77:9100")])
    began = time.monotonic()
    with working(tmp_path / "data", config) as machine:
        table = burst(machine)
        until(lambda: tower.is_armed, what="the tower to be armed")
        tower.throw({"w": 1})
        until(lambda: table.records[-1].slip or None, 8, what="the result")
        state = until(lambda: [s for s in machine.printing.states() if s["queued"] == 1], what="the slip to wait")[0]
        until(lambda: "far:" in machine.printing.states()[0]["text"], what="the reason")
        assert state["name"] == "far"
        stopping = time.monotonic()
    assert time.monotonic() - stopping < 10
    assert time.monotonic() - began < 30


# 37: the device comes late


@pytest.mark.field(37)
def test_37_a_tower_that_is_absent_at_the_start_is_used_when_it_comes_and_comes_again(
    tmp_path: Path, tower: VirtualTower
) -> None:
    tower.unplug()
    with working(tmp_path / "data", wired(tower)) as machine:
        table = burst(machine)
        state = machine.dice_states()[0]
        assert state["state"] == "waiting"
        assert "plug the dice in" in state["text"] or "being opened" in state["text"]
        for face in (5, 3):
            tower.replug()
            until(lambda: tower.is_armed and machine.dice_states()[0]["state"] == "ready", what="the tower")
            throw_until_it_counts(tower, table, face)
            tower.unplug()
            until(lambda: machine.dice_states()[0]["state"] == "lost", what="the loss to be noticed")
        assert verify(table) == []


def throw_until_it_counts(tower: VirtualTower, table: Table, face: int) -> None:
    """A throw in the moment before tower and host have greeted each other is void, and thrown again."""
    before, again = table.version, 0.0

    def counts() -> bool:
        nonlocal again
        if time.monotonic() > again:
            again = time.monotonic() + 2
            tower.throw({"w": face, "r": face})
        return table.version > before

    until(counts, what="the throw to count")


@pytest.mark.field(37)
def test_37_the_daemon_starts_with_every_part_missing(tmp_path: Path) -> None:
    """The whole process, with a tower, pins and printers that are not there or make no sense."""
    settings = """
[[dice]]
name = "oak"
port = "/dev/serial/by-id/usb-not-there"
[[dice]]
name = "pins"
kind = "gpio"
pins = { roll = 23 }
[[dice]]
name = "nonsense"
port = "/dev/null"
format = "unheard-of"
[[printers]]
name = "till"
address = "usb:/dev/usb/lp9"
[[printers]]
name = "odd"
address = "pigeon:loft"
"""
    with running(tmp_path, settings) as daemon:
        status, made = daemon.ask("POST", "/api/tables", {"game": "aod"})
        assert status == 201
        printers = {p["name"]: p["text"] for p in daemon.ask("GET", "/api/printers")[1]}
        assert printers["odd"].startswith("off: 'pigeon:loft' describes no printer; write ")
        assert daemon.ask("GET", f"/e/{made['table']}")[0] == 200


def test_a_machine_is_closed_whatever_was_opened(tmp_path: Path) -> None:
    machine = Machine(Config(), tmp_path / "data")
    machine.close()
    Machine(Config(), tmp_path / "data").close()  # the lock is free again
