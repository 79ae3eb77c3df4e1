"""One bad part never stops the daemon: it says why it is off, and the rest goes on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.config import Config, ConfigError, DiceConfig, PrinterConfig, load_or_last_good
from companion.game.journal import Journal
from companion.keeping import copy_journal, write_safely
from companion.sources import form_of, make, serves
from companion.spool import Spool, SpoolStorage
from companion.wiring import Machine
from drivers.dice import Face
from drivers.dice.formats import Reading, Refused
from drivers.dice.virtual import VirtualTower
from tests.e2e.daemon import until
from tests.wiring.rig import burst, in_worker, working


@pytest.fixture
def tower(tmp_path: Path) -> Iterator[VirtualTower]:
    made = VirtualTower(tmp_path / "usb-Companion_Tower")
    made.start()
    yield made
    made.stop()


# --- parts


@pytest.mark.field(24)
def test_every_bad_part_is_off_with_a_reason_and_the_good_ones_work(tmp_path: Path, tower: VirtualTower) -> None:
    config = Config(
        hold=0,
        dice=[
            DiceConfig("oak", port=str(tower._link), format="cd1"),
            DiceConfig("no port"),
            DiceConfig("no format", port="/dev/null", format="braille"),
            DiceConfig("wild pattern", port="/dev/null", format="pattern", pattern="(a*)*"),
            DiceConfig("bad baud", port="/dev/null", baud=3),
            DiceConfig("odd pin", "gpio", pins={"roll": 99}),
            DiceConfig("no pi", "gpio", pins={"roll": 23}),
        ],
        printers=[PrinterConfig("pigeon", "pigeon:loft"), PrinterConfig("strange", "usb:", profile="no such model")],
    )
    with working(tmp_path / "data", config) as machine:
        table = burst(machine)
        until(lambda: tower.is_armed, what="the good tower to be armed")
        dice = {s["name"]: s for s in machine.dice_states()}
        until(lambda: machine.dice_states()[-1]["state"] == "off", what="the pins to be tried")
        for name in ("no port", "no format", "wild pattern", "bad baud", "odd pin"):
            assert dice[name]["state"] == "off"
            assert dice[name]["text"].startswith("off: ")
            assert dice[name]["text"].endswith(".")
        assert "sudo apt install python3-lgpio" in machine.dice_states()[-1]["text"]
        printers = {s["name"]: s["text"] for s in machine.printing.states()}
        assert all(text.startswith("off: ") for text in printers.values())
        tower.throw({"w": 5})
        until(lambda: table.asks[0].address == "first/outcome", what="the throw to count")


def test_a_source_that_fails_when_asked_for_dice_fails_alone(tmp_path: Path, tower: VirtualTower) -> None:
    config = Config(hold=0, dice=[DiceConfig("elm"), DiceConfig("oak", port=str(tower._link), format="cd1")])
    with working(tmp_path / "data", config) as machine:
        machine.sources["elm"].arm = _broken  # type: ignore[method-assign]
        table = burst(machine)
        until(lambda: tower.is_armed, what="the good tower to be armed")
        tower.throw({"w": 5})
        until(lambda: table.asks[0].address == "first/outcome", what="the throw to count")


def _broken(_slots: object) -> None:
    raise RuntimeError("a fault of the driver")


def test_a_broken_queue_file_is_set_aside_and_printing_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "spool.db").write_bytes(b"nothing of the kind" * 300)
    with working(folder, Config(printers=[PrinterConfig("paper", f"file:{tmp_path / 'paper'}")])) as machine:
        table = burst(machine)
        in_worker(machine, lambda: table.answer("first/targeting", [1], seat="host"))
        until(lambda: list((tmp_path / "paper").glob("*.bin")), what="the slip")
    assert list(folder.glob("spool-damaged-*.db"))


def test_a_slip_that_a_power_cut_kept_from_the_queue_is_queued_at_the_next_start(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with working(folder, Config()) as machine:  # no printer yet: the result is there and no job
        table = burst(machine)
        in_worker(machine, lambda: table.answer("first/targeting", [1], seat="host"))
        slip = table.records[-1].slip
    config = Config(printers=[PrinterConfig("paper", f"file:{tmp_path / 'paper'}")])
    for _start in (1, 2):
        with working(folder, config) as machine:
            until(lambda: machine.printing.jobs() and machine.printing.jobs()[0]["state"] == "printed")
            assert [job["title"] for job in machine.printing.jobs()] == [f"slip {slip:04d}"]


def test_every_slip_after_the_last_queued_one_is_queued_at_the_next_start(tmp_path: Path) -> None:
    """The queue is not waited for at each slip, so a power cut may keep more than one from it."""
    folder = tmp_path / "data"
    config = Config(printers=[PrinterConfig("paper", f"file:{tmp_path / 'paper'}")])

    with working(folder, config) as machine:
        table = burst(machine)
        in_worker(machine, lambda: table.answer("first/targeting", [1], seat="host"))
        until(lambda: machine.printing.jobs() and machine.printing.jobs()[0]["state"] == "printed")
    with working(folder, Config()) as machine:  # nothing of these comes to the queue
        again = in_worker(machine, machine.tables.latest)
        for _ in range(2):
            in_worker(machine, lambda: again.open("end_turn", seat="host"))
    with working(folder, config) as machine:
        until(lambda: [job["state"] for job in machine.printing.jobs()] == 3 * ["printed"])
        assert [job["title"] for job in reversed(machine.printing.jobs())] == [f"slip {n:04d}" for n in (1, 2, 3)]


@pytest.mark.field(35)
def test_a_result_stands_though_its_slip_must_wait_for_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = Config(printers=[PrinterConfig("paper", f"file:{tmp_path / 'paper'}")])
    with working(tmp_path / "data", config) as machine:
        table = burst(machine)
        with monkeypatch.context() as full:
            full.setattr(Spool, "submit", _spool_is_full)
            in_worker(machine, lambda: table.answer("first/targeting", [1], seat="host"))
            assert table.records[-1].slip  # it counts, and nobody was told that it does not
            assert "1 result waits for it" in machine.notices()[0]
            in_worker(machine, machine.tend)
            assert machine.notices()
        in_worker(machine, machine.tend)
        assert machine.notices() == []
        until(lambda: list((tmp_path / "paper").glob("*.bin")), what="the slip")


def _spool_is_full(*_: object, **__: object) -> int:
    raise SpoolStorage("The print jobs cannot be stored (database or disk is full); make room on the disk.")


# --- kinds and the software die


def test_each_die_is_read_as_what_its_name_says() -> None:
    form = form_of(DiceConfig("oak", format="name-value", dice={"w": "d6", "t": "d20"}))
    assert form.parse("t:17") == Reading("throw", (Face("t", 17, "d20"),), "Thrown: t 17.")
    assert form.parse("w:7") == Refused("No d6 can show 7; the whole line is refused.")
    assert isinstance(form.parse("x:3"), Refused)
    assert form.parse("rolling").kind == "moving"  # type: ignore[union-attr]


def test_settings_of_a_format_reach_it() -> None:
    assert form_of(DiceConfig("a", format="plain", settings={"kind": "d20"})).parse("17").kind == "throw"  # type: ignore[union-attr]
    assert isinstance(form_of(DiceConfig("a", format="plain")).parse("17"), Refused)
    assert "off: " in make(DiceConfig("a", port="/dev/null", format="plain", settings={"colour": "red"})).status().text


@pytest.mark.parametrize(
    ("die", "kind", "sides", "has"),
    [
        (DiceConfig("t"), "d6", 6, True),
        (DiceConfig("t"), "m-die", 6, True),
        (DiceConfig("t"), "d20", 20, False),
        (DiceConfig("t", dice={"t": "d20"}), "d20", 20, True),
        (DiceConfig("t", dice={"t": "d20"}), "d6", 6, False),
        (DiceConfig("t", settings={"kind": "d10"}), "d10 units", 10, True),
        (DiceConfig("p", "gpio", pins={f"face_{n}": n for n in range(1, 7)}), "d20", 20, False),
        (DiceConfig("p", "gpio", pins={"roll": 3}), "d20", 20, True),
    ],
)
def test_which_source_has_which_die(die: DiceConfig, kind: str, sides: int, has: bool) -> None:
    assert serves(die, kind, sides) is has


def test_the_software_die_stands_in_for_dice_that_nobody_has(tmp_path: Path) -> None:
    """A tower with a d20 alone: the six-sided dice are drawn at once, and said to be."""
    config = Config(hold=0, fallback="software", dice=[DiceConfig("t", port="/dev/null/x", dice={"t": "d20"})])
    with working(tmp_path / "data", config) as machine:
        table = burst(machine)
        until(lambda: table.records[-1].slip or None, what="the burst to end by itself")
        answers = [e.body for e in machine.tables.journal.entries(table.key) if e.kind == "answered"]
        assert {a["source"] for a in answers if "faces" in a} == {"software"}
        assert table.asides == []


def test_without_that_setting_nothing_is_drawn_by_itself(tmp_path: Path) -> None:
    with working(tmp_path / "data", Config(hold=0)) as machine:
        table = burst(machine)
        in_worker(machine, machine.tend)
        assert [a.address for a in table.asks] == ["first/targeting"]
        assert machine.dice_states() == []


# --- copies


def test_a_copy_is_kept_once_play_has_paused_and_when_it_stops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = tmp_path / "data/companion-backup.db"
    with working(tmp_path / "data", Config()) as machine:
        burst(machine)
        in_worker(machine, machine.tend)
        assert not copy.exists()
        monkeypatch.setattr("companion.wiring.COPY_AFTER", 0.0)
        in_worker(machine, machine.tend)
        assert _entries(copy) == 3
        written = copy.stat().st_mtime_ns
        in_worker(machine, machine.tend)
        assert copy.stat().st_mtime_ns == written  # nothing new, nothing written
        monkeypatch.undo()
        table = machine.tables.latest()
        assert table is not None
        in_worker(machine, lambda: table.aside("x", "one more"))
    assert _entries(copy) == 4
    assert not list(copy.parent.glob("*.fresh*"))


def _entries(file: Path) -> int:
    return int(sqlite3.connect(file).execute("SELECT count(*) FROM entries").fetchone()[0])


def test_a_journal_that_goes_bad_never_replaces_the_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(Config(), tmp_path / "data")
    in_worker(machine, lambda: machine.tables.new("aod"))
    copy_journal(machine.tables.journal)
    copy = tmp_path / "data/companion-backup.db"
    good = copy.read_bytes()
    monkeypatch.setattr(Journal, "backup", lambda _self, target: target.write_bytes(good[:4096] + bytes(8192)))
    monkeypatch.setattr("companion.wiring.COPY_AFTER", 0.0)
    in_worker(machine, lambda: machine.tables.new("aod"))
    in_worker(machine, machine.tend)
    in_worker(machine, machine.tend)
    assert copy.read_bytes() == good
    assert [n for n in machine.notices() if "journal on the card is damaged" in n]
    machine.close()


def test_settings_that_do_not_parse_give_way_to_the_last_that_did(tmp_path: Path) -> None:
    file = tmp_path / "companion.toml"
    file.write_text("port = 8123\n")
    assert load_or_last_good(file, str(tmp_path / "data")).config.port == 8123
    file.write_text("port = 8123\nprot = 1\n")
    loaded = load_or_last_good(file, str(tmp_path / "data"))
    assert loaded.config.port == 8123
    assert "companion.toml, line 2" in loaded.notices[0] or "prot" in loaded.notices[0]
    assert loaded.notices[0].endswith("The last settings that were right are in use (companion-last-good.toml).")
    file.unlink()
    assert load_or_last_good(file, str(tmp_path / "data")).config.port == 8123


def test_settings_in_a_closed_folder_have_their_copy_beside_the_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, data = tmp_path / "etc/companion.toml", tmp_path / "data"
    file.parent.mkdir()
    file.write_text("port = 8123\n")

    def closed(target: Path, raw: bytes) -> None:
        if target.parent == file.parent:
            raise PermissionError(13, "closed")
        write_safely(target, raw)

    monkeypatch.setattr("companion.config.write_safely", closed)
    load_or_last_good(file, str(data))
    file.write_text("port = \n")
    assert load_or_last_good(file, str(data)).config.port == 8123


def test_the_first_settings_ever_must_be_right(tmp_path: Path) -> None:
    file = tmp_path / "companion.toml"
    file.write_text("port = 'x'\n")
    with pytest.raises(ConfigError):
        load_or_last_good(file, str(tmp_path / "data"))


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "x.toml"
    write_safely(target, b"old")
    monkeypatch.setattr("os.fsync", _no_room)
    with pytest.raises(OSError, match="No space"):
        write_safely(target, b"new")
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


def _no_room(_handle: int) -> None:
    raise OSError(28, "No space left on device")


def test_two_asks_for_the_same_dice_light_the_lamp_twice(tmp_path: Path, tower: VirtualTower) -> None:
    config = Config(hold=0, dice=[DiceConfig("oak", port=str(tower._link), format="cd1")])
    with working(tmp_path / "data", config) as machine:
        for _burst in (1, 2):
            table = burst(machine)
            until(lambda: tower.is_armed, what="the lamp for a white die")
            tower.throw({"w": 1})
            until(lambda table=table: table.asks == (), what="the miss")  # type: ignore[misc]
            in_worker(machine, lambda table=table: table.undo(seat="host", agreed="both", fresh=True))  # type: ignore[misc]
        in_worker(machine, lambda: table.aside("x", "so that the sources are told"))
        until(lambda: not tower.is_armed, what="the lamp to go out")
