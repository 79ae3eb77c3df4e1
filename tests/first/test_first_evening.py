"""What the page of the first evening stores: read off slips, taught dice, Wi-Fi; it holds at once, and from then on."""

from __future__ import annotations

import os
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.config import Config, ConfigError, DiceConfig, PrinterConfig, in_effect, load
from companion.first import FirstEvening
from companion.game.errors import StorageFailed, UsageError
from companion.touched import NAME, applied, read, write
from companion.wiring import Machine
from drivers.dice.virtual import VirtualTower
from drivers.printers.offer import TcpOffer
from drivers.printers.virtual import VirtualPrinter
from tests.e2e.daemon import until
from tests.wiring.rig import burst, in_worker, working


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(hold=0, printers=[PrinterConfig("till", f"file:{tmp_path / 'paper'}")])


def slips(tmp_path: Path) -> list[bytes]:
    return [file.read_bytes() for file in sorted((tmp_path / "paper").glob("*.bin"))]


def calibrated(machine: Machine, tmp_path: Path) -> bytes:
    before = len(slips(tmp_path))
    in_worker(machine, lambda: machine.printing.paper("till", "calibration", {}))
    until(lambda: len(slips(tmp_path)) > before, what="the slip")
    return slips(tmp_path)[-1]


def test_what_is_read_off_a_slip_holds_at_once_and_after_a_restart(tmp_path: Path, config: Config) -> None:
    with working(tmp_path / "data", config) as machine:
        assert b"5 CUTTER" in calibrated(machine, tmp_path)  # nobody knows of its cutter yet, so it is tried
        for what, value in (("columns", "48"), ("dots", "576"), ("native_qr", "yes"), ("page", "cp866"), ("cut", "21")):
            machine.first.read_off("till", what, value)
        profile = machine.printing._profiles["till"]
        assert (profile.columns, profile.width_dots, profile.native_qr) == (48, 576, True)
        assert profile.code_pages == ((0, "cp437"), (17, "cp866"))
        assert (profile.cutter, profile.head_to_cutter_mm) == ("partial", 21.0)
        asks = machine.first.slip_asks("till")
        assert (48, True) in asks["columns"]
        assert (21, True) in asks["distances"]
        table = burst(machine)
        in_worker(machine, lambda: table.answer("first/targeting", [1], seat="host"))
        until(lambda: b"TARGETING" in slips(tmp_path)[-1].upper(), what="a slip on the wider paper")
        assert any(len(line) == 48 for line in slips(tmp_path)[-1].decode("latin-1").split("\n"))
    with working(tmp_path / "data", config) as machine:
        assert machine.config.printers[0].head_to_cutter_mm == 21.0
        assert machine.printing._profiles["till"].columns == 48


def test_a_page_is_touched_off_again_but_never_the_last(tmp_path: Path, config: Config) -> None:
    with working(tmp_path / "data", config) as machine:
        machine.first.read_off("till", "page", "cp858")
        machine.first.read_off("till", "page", "cp437")
        assert machine.printing._profiles["till"].code_pages == ((19, "cp858"),)
        with pytest.raises(UsageError, match="One page must stay"):
            machine.first.read_off("till", "page", "cp858")


def test_a_printer_that_does_not_cut_is_told_to_feed(tmp_path: Path, config: Config) -> None:
    with working(tmp_path / "data", config) as machine:
        machine.first.read_off("till", "cut", "none")
        assert b"\x1dV" not in calibrated(machine, tmp_path)


@pytest.mark.parametrize(
    ("what", "value"),
    [("columns", "40"), ("dots", "x"), ("page", "latin-9"), ("native_qr", "maybe"), ("cut", "999"), ("pin", "1")],
)
def test_only_what_stands_on_the_slip_can_be_touched_in(tmp_path: Path, config: Config, what: str, value: str) -> None:
    with working(tmp_path / "data", config) as machine:
        with pytest.raises(UsageError, match="does not stand on the calibration slip"):
            machine.first.read_off("till", what, value)
        assert not (tmp_path / "data" / NAME).exists()


def test_settings_that_find_no_room_change_nothing(
    tmp_path: Path, config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    with working(tmp_path / "data", config) as machine:
        monkeypatch.setattr("companion.touched.write_safely", _no_room)
        with pytest.raises(StorageFailed, match="make room"):
            machine.first.read_off("till", "columns", "48")
        assert machine.printing._profiles["till"].columns == 32


def _no_room(_target: Path, _data: bytes) -> None:
    raise OSError(28, "No space left on device")


def test_a_pin_of_six_digits_is_kept_and_never_the_same_for_ever(tmp_path: Path, config: Config) -> None:
    with working(tmp_path / "data", config) as machine:
        pins = {machine.first.make_pin() for _ in range(4)}
        assert len(pins) > 1
        assert all(len(pin) == 6 and pin.isdecimal() for pin in pins)
        last = machine.parts.config.pin
        assert last in pins
    with working(tmp_path / "data", config) as machine:
        assert machine.parts.config.pin == last


def test_the_wifi_is_kept_for_the_code_and_its_limits_are_said(tmp_path: Path, config: Config) -> None:
    with working(tmp_path / "data", config) as machine:
        machine.first.keep_wifi(' Club "5"', "spit fires")
        assert (machine.parts.config.wifi_name, machine.parts.config.wifi_password) == ('Club "5"', "spit fires")
        for name, password in (("", "spitfires"), ("x" * 33, ""), ("Club", "short"), ("Club", "ünfreundlich")):
            with pytest.raises(UsageError):
                machine.first.keep_wifi(name, password)
    settings = tmp_path / "companion.toml"
    settings.write_text("port = 8123\n")
    found = in_effect(settings, str(tmp_path / "data"))
    assert (found.port, found.wifi_name) == (8123, 'Club "5"')


def test_a_printer_is_taken_by_touch_and_prints_at_once_and_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with TcpOffer(VirtualPrinter(58)) as offer, working(tmp_path / "data", Config(hold=0)) as machine:
        machine.first.keep_printer(offer.description)
        table = burst(machine)
        in_worker(machine, lambda: table.answer("first/targeting", [1], seat="host"))
        until(lambda: [j for j in machine.printing.jobs() if j["state"] == "printed"], what="the slip")
        assert "TARGETING" in offer.printer.text.upper()
        machine.first.keep_printer(offer.description)
        assert [p.name for p in machine.config.printers] == ["network printer", "network printer 2"]
        assert len(machine.printing.states()) == 2
    with TcpOffer(VirtualPrinter(58)), working(tmp_path / "data", Config(hold=0)) as machine:
        assert machine.first.slip_asks("network printer")["columns"]


def test_only_printers_that_are_there_or_on_the_network_are_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.first.USB_NODES", str(tmp_path / "lp*"))
    config = Config(printers=[PrinterConfig("desk", f"usb:{tmp_path}/lp1")])
    for name in ("lp0", "lp1"):
        (tmp_path / name).touch()
    with working(tmp_path / "data", config) as machine:
        assert machine.first.loose_printers() == [f"{tmp_path}/lp0"]
        for wrong in ("file:/etc", f"usb:{tmp_path}/lp7", f"usb:{tmp_path}/lp1", "tcp://", "tcp://x:y", ""):
            with pytest.raises(UsageError):
                machine.first.keep_printer(wrong)
        machine.first.keep_printer(f"usb:{tmp_path}/lp0")
        assert machine.first.loose_printers() == []
        assert [p.name for p in machine.config.printers] == ["desk", "USB printer"]
    with working(tmp_path / "other", Config(printers=[PrinterConfig("any", "usb:")])) as machine:
        assert machine.first.loose_printers() == []


def test_backs_are_moved_by_what_the_test_page_showed(tmp_path: Path, config: Config) -> None:
    with working(tmp_path / "data", config) as machine:
        machine.first.keep_backs(1.5, 0.5)
        assert machine.parts.config.back_offset_mm == (1.5, -0.5)
        for right, down in ((6.5, 0.0), (0.0, float("nan"))):
            with pytest.raises(UsageError, match="6 mm each way"):
                machine.first.keep_backs(right, down)
    assert in_effect(None, str(tmp_path / "data")).back_offset_mm == (1.5, -0.5)


# --- the file


def test_the_file_says_again_what_was_written(tmp_path: Path) -> None:
    die = {
        "name": "Oak",
        "port": "/dev/x",
        "settings": {"kind": "d6", "names": ["ä\\"]},
        "dice": {"w": "d6", "t x": "d20"},
    }
    touched = {"wifi_name": "Club", "dice": [die], "printers": [{"name": "till", "native_qr": True, "columns": 42}]}
    write(tmp_path, touched)
    assert read(tmp_path) == touched
    assert applied(Config(), touched).dice == [
        DiceConfig("Oak", port="/dev/x", settings=die["settings"], dice=die["dice"])  # type: ignore[arg-type]
    ]


def test_a_printer_that_the_settings_name_no_more_is_left_out() -> None:
    assert applied(Config(), {"printers": [{"name": "gone", "columns": 42}]}).printers == []


def test_a_file_that_is_wrong_is_said_and_left_out(tmp_path: Path, config: Config) -> None:
    for text in ("printers = 3 4", '[[printers]]\nname = "till"\ncolumns = 9000\n'):
        (tmp_path / "data").mkdir(exist_ok=True)
        (tmp_path / "data" / NAME).write_text(text)
        with working(tmp_path / "data", config) as machine:
            assert machine.config == config
            assert any(NAME in notice and "Delete" in notice for notice in machine.notices())
        settings = tmp_path / "companion.toml"
        settings.write_text('[[printers]]\nname = "till"\naddress = "usb:"\n')
        with pytest.raises(ConfigError, match=NAME):
            in_effect(settings, str(tmp_path / "data"))


# --- lessons


class Die:
    """Dice of a stranger's make on a pseudo terminal."""

    def __init__(self, link: Path) -> None:
        self.master, slave = os.openpty()
        tty.setraw(slave)
        self.link = link
        link.symlink_to(os.ttyname(slave))
        self._slave = slave

    def say(self, line: str) -> None:
        os.write(self.master, line.encode() + b"\r\n")

    def close(self) -> None:
        os.close(self.master)
        os.close(self._slave)


@pytest.fixture
def die(tmp_path: Path) -> Iterator[Die]:
    made = Die(tmp_path / "usb-Acme_Dice")
    yield made
    made.close()


def ported(first: FirstEvening, monkeypatch: pytest.MonkeyPatch, *ports: Path) -> None:
    monkeypatch.setattr(first, "ports", lambda: [str(port) for port in ports])


def test_ports_are_offered_by_their_lasting_names_and_each_once(
    tmp_path: Path, config: Config, die: Die, monkeypatch: pytest.MonkeyPatch
) -> None:
    pins, other = tmp_path / "ttyAMA0", tmp_path / "usb-again"
    pins.touch()
    other.symlink_to(die.link)
    monkeypatch.setattr("drivers.dice.ports.candidates", lambda: [str(die.link)])
    monkeypatch.setattr("companion.first.PINS", (str(pins), str(tmp_path / "not-there")))
    dice = [DiceConfig("a", port=str(other)), DiceConfig("b", port="/dev/b"), DiceConfig("c", port="/dev/b")]
    with working(tmp_path / "data", Config(dice=dice)) as machine:
        assert machine.first.ports() == [str(die.link), "/dev/b", str(pins)]


def test_dice_are_taught_by_throwing_each_once_and_then_play(
    tmp_path: Path, config: Config, die: Die, monkeypatch: pytest.MonkeyPatch
) -> None:
    with working(tmp_path / "data", config) as machine:
        first = machine.first
        ported(first, monkeypatch, die.link)
        first.begin_lesson(str(die.link), "Ash", 115200)
        die.say("boot ok")
        for face in (3, 5, 1):
            die.say(f"w: {face}")
            first.lesson_face(str(face))
        lesson = first.lesson()
        assert lesson is not None
        assert (lesson["found"], lesson["dice"], lesson["heard"][-1]) == (True, {"w": "d6"}, "w: 1")
        first.lesson_kind("d20")
        die.say("t: 17")
        first.lesson_face("17")
        assert first.lesson()["dice"] == {"w": "d6", "t": "d20"}  # type: ignore[index]
        die.say("t: 4")
        with pytest.raises(UsageError, match="No single new die"):
            first.lesson_face("4")
        first.keep_lesson()
        assert first.lesson() is None
        until(lambda: machine.dice_states() and machine.dice_states()[0]["state"] == "ready", what="the dice to play")
        table = burst(machine)
        die.say("w: 5")
        die.say("w: 5")
        until(lambda: table.asks[0].address == "first/outcome", what="the throw to count")
        assert table.records[-1].sources["first/targeting"] == {"white": "Ash"}
    kept = load_kept(tmp_path)
    assert kept.dice[0].dice == {"w": "d6", "t": "d20"}
    assert kept.dice[0].port == str(die.link)


def load_kept(tmp_path: Path) -> Config:
    return applied(Config(), read(tmp_path / "data"))


def test_a_lesson_borrows_the_port_of_known_dice_and_gives_it_back(
    tmp_path: Path, die: Die, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = Config(hold=0, dice=[DiceConfig("Ash", port=str(die.link), format="json")])
    with working(tmp_path / "data", config) as machine:
        until(lambda: machine.dice_states()[0]["state"] == "ready", what="the port")
        first = machine.first
        first.begin_lesson(str(die.link), "another name", 115200)
        assert machine.dice_states()[0]["state"] == "off"
        assert first.lesson()["name"] == "Ash"  # type: ignore[index]
        for face in (1, 2, 3):
            die.say(f"You rolled a [{face}]!")
            first.lesson_face(str(face))
        first.end_lesson()
        until(lambda: machine.dice_states()[0]["state"] == "ready", what="the port again")
        assert not (tmp_path / "data" / NAME).exists()
        first.begin_lesson(str(die.link), "", 115200)
        for face in (1, 2, 3):
            die.say(f"You rolled a [{face}]!")
            first.lesson_face(str(face))
        first.keep_lesson()
        assert machine.config.dice[0].format == "pattern"
        assert load(None).dice == []


def test_a_lesson_that_nobody_looks_at_gives_the_port_back(
    tmp_path: Path, die: Die, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = Config(dice=[DiceConfig("Ash", port=str(die.link), format="json")])
    with working(tmp_path / "data", config) as machine:
        machine.first.begin_lesson(str(die.link), "", 115200)
        in_worker(machine, machine.tend)
        assert machine.first.lesson() is not None
        monkeypatch.setattr("companion.first.FORGOTTEN", -1.0)
        in_worker(machine, machine.tend)
        assert machine.first.lesson() is None
        until(lambda: machine.dice_states()[0]["state"] == "ready", what="the port again")


def test_a_tower_of_ours_says_at_once_that_there_is_nothing_to_teach(
    tmp_path: Path, config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    tower = VirtualTower(tmp_path / "usb-Companion_Tower")
    tower.start()
    with working(tmp_path / "data", config) as machine:
        ported(machine.first, monkeypatch, tmp_path / "usb-Companion_Tower")
        machine.first.begin_lesson(str(tmp_path / "usb-Companion_Tower"), "Oak", 115200)
        lesson = until(lambda: (found := machine.first.lesson()) and found["found"] and found, what="the greeting")
        assert "nothing to teach" in lesson["text"]
        machine.first.keep_lesson()
        until(lambda: "Oak" in machine.sources and machine.sources["Oak"].status().state == "ready", what="the tower")
        assert machine.config.dice[0].format == "reference"
    tower.stop()


def test_a_lesson_takes_no_other_dice_s_name_and_no_odd_letters(
    tmp_path: Path, die: Die, monkeypatch: pytest.MonkeyPatch
) -> None:
    with working(tmp_path / "data", Config(dice=[DiceConfig("Oak", port="/dev/serial/by-id/oak")])) as machine:
        ported(machine.first, monkeypatch, die.link)
        with pytest.raises(UsageError, match="There are dice called Oak already"):
            machine.first.begin_lesson(str(die.link), " Oak ", 115200)
        machine.first.begin_lesson(str(die.link), 'As\x7fh "\\\n', 115200)
        assert machine.first.lesson()["name"] == 'Ash "\\'  # type: ignore[index]
        for face in (1, 2, 3):
            die.say(f"x\x7f[{face}]")
            machine.first.lesson_face(str(face))
        machine.first.keep_lesson()
        machine.first.begin_lesson(str(die.link), "", 115200)
        assert machine.first.lesson()["name"] == 'Ash "\\'  # type: ignore[index]
    assert load_kept(tmp_path).dice[0].pattern.count("\x7f") == 1


def test_a_lesson_says_what_is_missing(
    tmp_path: Path, config: Config, die: Die, monkeypatch: pytest.MonkeyPatch
) -> None:
    with working(tmp_path / "data", config) as machine:
        first = machine.first
        for do in (first.keep_lesson, lambda: first.lesson_face("3"), lambda: first.lesson_kind("d6")):
            with pytest.raises(UsageError, match="No lesson"):
                do()
        with pytest.raises(UsageError, match="not there any more"):
            first.begin_lesson("/etc/passwd", "x", 9600)
        ported(first, monkeypatch, die.link, tmp_path / "usb-pulled")
        with pytest.raises(UsageError, match="speed"):
            first.begin_lesson(str(die.link), "x", 3)
        with pytest.raises(UsageError, match="Nothing is plugged in"):
            first.begin_lesson(str(tmp_path / "usb-pulled"), "x", 9600)
        assert first.lesson() is None
        first.begin_lesson(str(die.link), "x", 9600)
        with pytest.raises(UsageError, match="Nothing has come"):
            first.lesson_face("3")
        with pytest.raises(UsageError, match="Touch the face"):
            first.lesson_face("three")
        with pytest.raises(UsageError, match="A lesson is for"):
            first.lesson_kind("d7")
        with pytest.raises(UsageError, match="Nothing is learned"):
            first.keep_lesson()
        die.say("nonsense")
        first.lesson_face("3")
        assert first.lesson()["text"] == "1 of 3 different faces so far."  # type: ignore[index]


def test_dice_without_names_are_all_of_one_kind(
    tmp_path: Path, config: Config, die: Die, monkeypatch: pytest.MonkeyPatch
) -> None:
    with working(tmp_path / "data", config) as machine:
        ported(machine.first, monkeypatch, die.link)
        machine.first.begin_lesson(str(die.link), "x", 9600)
        machine.first.lesson_kind("d10")
        for face in (10, 2, 7):
            die.say(str(face))
            machine.first.lesson_face(str(face))
        with pytest.raises(UsageError, match="all must be of the kind"):
            machine.first.lesson_kind("d6")
        machine.first.keep_lesson()
        assert machine.config.dice[0].settings == {"kind": "d10"}
