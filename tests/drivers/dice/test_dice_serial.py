"""The serial source against the virtual tower and against bare bytes."""

import os
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from drivers import BadSetting, DeviceMissing
from drivers.dice.formats import NameValue, Plain, Reference
from drivers.dice.ports import _told, candidates, check_port, find_port
from drivers.dice.serial import SerialDice
from drivers.dice.virtual import VirtualTower
from tests.drivers.dice.rig import Cable, Heard, descriptors, is_ready, running, wait_until


def of_tower(tower: VirtualTower) -> SerialDice:
    assert tower._link
    return SerialDice("tower", str(tower._link), Reference())


def test_a_throw_comes_once_with_its_number_and_is_kept(tower: VirtualTower) -> None:
    source = of_tower(tower)
    with running(source) as heard:
        heard.wait("hello")
        source.arm([("white", "d6"), ("red", "d6")])
        wait_until(lambda: tower.is_armed, "the lamp")
        number = tower.throw({"w": 4, "r": 2})
        event = heard.wait("throw")
        assert event.number == number
        assert [(face.die, face.value, face.kind) for face in event.faces] == [("w", 4, "d6"), ("r", 2, "d6")]
        assert event.raw.startswith(f"CD1 {number} ")
        source.acknowledge(number)
        wait_until(lambda: not tower._program._waiting, "the tower to have been told")


def test_without_ok_the_tower_repeats_and_the_source_still_reports_once(tower: VirtualTower) -> None:
    with running(of_tower(tower)) as heard:
        heard.wait("hello")
        tower.throw({"w": 4, "r": 2})
        wait_until(lambda: not tower._program._waiting, "four sends")
        assert heard.throws() == [(4, 2)]


@pytest.mark.parametrize("fault", ["drop", "double", "half", "noise", "wrong-crc", "flood"])
def test_a_throw_survives_the_cable(tower: VirtualTower, fault: str) -> None:
    source = of_tower(tower)
    with running(source) as heard:
        heard.wait("hello")
        tower.switch(fault)
        number = tower.throw({"w": 5, "r": 6})
        heard.wait("throw")
        source.acknowledge(number)
        wait_until(lambda: not tower._program._waiting, "the tower to have been told")
        assert heard.throws() == [(5, 6)]


def test_a_tower_that_reboots_counts_afresh(tower: VirtualTower) -> None:
    source = of_tower(tower)
    with running(source) as heard:
        heard.wait("hello")
        tower.throw({"w": 1, "r": 1})
        heard.wait("throw")
        source.arm([("white", "d6")])
        wait_until(lambda: tower.is_armed, "the lamp")
        tower.reset()
        heard.wait("hello", 2)
        wait_until(lambda: tower.is_armed, "the ask to be said again")
        assert tower.throw({"w": 2, "r": 2}) == 1
        heard.wait("throw", 2)


def test_cocked_and_moving_are_said(tower: VirtualTower) -> None:
    with running(of_tower(tower)) as heard:
        heard.wait("hello")
        tower.switch("cocked", "moving")
        tower.throw()
        assert heard.wait("cocked").faces[0].kind == "d6"
        assert heard.wait("moving").faces == ()
        assert heard.throws() == []


def test_a_sink_that_fails_does_not_end_the_source(cable: Cable) -> None:
    heard = Heard()

    def sink(event: object) -> None:
        heard(event)  # type: ignore[arg-type]
        raise RuntimeError("the game fell over")

    source = SerialDice("die", str(cable.link), Plain())
    source.start(sink)
    try:
        wait_until(lambda: is_ready(source), "the port")
        cable.send(b"\n1\n2\n")
        heard.wait("throw", 2)
    finally:
        source.stop()


def test_stop_is_quick_and_leaves_nothing(cable: Cable) -> None:
    threads, files = threading.active_count(), descriptors()
    for link in (str(cable.link), "/dev/serial/by-id/not-there"):
        source = SerialDice("die", link, Plain())
        source.start(Heard())
        source.stop()
        source.stop()
        assert source.status().state == "off"
    assert threading.active_count() <= threads
    assert descriptors() <= files


def test_a_missing_port_waits_and_says_what_to_do(tmp_path: Path) -> None:
    cable = Cable(tmp_path / "usb-Late-if00")
    source = SerialDice("die", str(cable.link), Plain())
    with running(source) as heard:
        assert "plug the dice in" in heard.wait("lost").text
        assert source.status().state == "waiting"
        cable.plug()
        heard.wait("back")
        cable.send(b"\n6\n")
        heard.wait("throw")
    cable.unplug()


def port(node: str, serial: str | None, interface: str | None = None) -> SimpleNamespace:
    return SimpleNamespace(device=node, vid=0x2E8A, pid=0x000A, serial_number=serial, interface=interface)


def test_ports_are_found_by_what_is_plugged_in() -> None:
    two = [port("/dev/ttyACM0", "A1"), port("/dev/ttyACM1", "B2")]
    assert find_port("2e8a:000a:B2", lambda: two) == "/dev/ttyACM1"
    with pytest.raises(DeviceMissing, match="more than once"):
        find_port("2E8A:000A", lambda: two)
    with pytest.raises(DeviceMissing, match="No USB device"):
        find_port("2e8a:000a:C3", lambda: two)


def test_the_data_port_of_a_pico_is_taken_not_its_console() -> None:
    pico = [
        port("/dev/ttyACM0", "A1", "CircuitPython CDC control"),
        port("/dev/ttyACM1", "A1", "CircuitPython CDC2 control"),
    ]
    assert find_port("2e8a:000a:A1", lambda: pico) == "/dev/ttyACM1"


def test_settings_that_cannot_be_right() -> None:
    with pytest.raises(BadSetting, match="COM3"):
        check_port("COM3")
    with pytest.raises(BadSetting, match="baud"):
        SerialDice("die", "/dev/ttyACM0", Plain(), baud=3)


def test_a_port_that_may_not_be_opened_names_the_group(tmp_path: Path) -> None:
    node = tmp_path / "ttyACM0"
    node.touch()
    told = _told(str(node), PermissionError(13, "Permission denied"))
    assert isinstance(told, PermissionError)
    assert "group " in str(told)
    assert os.path.basename(node) in str(told)


@pytest.mark.parametrize(
    ("problem", "kind", "advice"),
    [
        (OSError(16, "Device or resource busy"), BlockingIOError, "close that one"),
        (OSError(6, "No such device"), FileNotFoundError, "plug it in again"),
        (ValueError("Failed to set custom baud rate"), FileNotFoundError, "baud rate"),
    ],
)
def test_what_the_system_says_becomes_one_sentence(problem: Exception, kind: type[Exception], advice: str) -> None:
    told = _told("/dev/ttyACM0", problem)
    assert isinstance(told, kind)
    assert str(told).startswith("/dev/ttyACM0 ")
    assert advice in str(told)


def test_a_fault_that_is_not_known_is_refused(tower: VirtualTower) -> None:
    with pytest.raises(BadSetting, match="rain"):
        tower.switch("rain")


def test_a_die_that_streams_needs_to_be_seen_rolling(cable: Cable) -> None:
    source = SerialDice("die", str(cable.link), NameValue(), settle_s=0.2, needs_rolling=True)
    with running(source) as heard:
        wait_until(lambda: is_ready(source), "the port")
        cable.send(b"\nD6:3\n")
        assert "not seen to roll" in heard.wait("moving").text
        cable.send(b"ROLLING\nD6:2\nD6:5\n")
        heard.wait("throw")
        assert heard.throws() == [(5,)]


def test_the_plug_goes_back_in_while_a_throw_waits(tower: VirtualTower) -> None:
    source = of_tower(tower)
    with running(source) as heard:
        heard.wait("hello")
        tower.unplug()
        heard.wait("lost")
        number = tower.throw({"w": 6, "r": 1})
        tower.replug()
        assert heard.wait("throw").number == number
        assert heard.of("back")


def test_a_tower_that_resets_when_the_port_is_opened_is_greeted(tower: VirtualTower) -> None:
    tower.switch("reset-on-open")
    source = of_tower(tower)
    with running(source) as heard:
        heard.wait("hello")
        source.arm([("white", "d6"), ("red", "d6")])
        wait_until(lambda: tower.is_armed, "the lamp")
        tower.throw({"w": 6, "r": 1})
        heard.wait("throw")


def test_a_throw_while_the_plug_is_out_answers_the_ask_that_stood_before(tower: VirtualTower) -> None:
    source = of_tower(tower)
    with running(source) as heard:
        heard.wait("hello")
        source.arm([("white", "d6")])
        wait_until(lambda: tower.is_armed, "the lamp")
        tower.unplug()
        heard.wait("lost")
        asked = tower.throw({"w": 6})
        tower.replug()
        event = heard.wait("throw")
        assert (event.number, event.faces[0].value) == (asked, 6)
        source.acknowledge(asked)
        wait_until(lambda: not tower._program._waiting, "the tower to have been told")
        source.arm(())
        assert not tower.is_armed


def test_a_throw_after_the_power_came_back_answers_the_ask_that_stood_before(tower: VirtualTower) -> None:
    source = of_tower(tower)
    with running(source) as heard:
        heard.wait("hello")
        tower.throw({"w": 1})
        heard.wait("throw")
        source.arm([("white", "d6")])
        wait_until(lambda: tower.is_armed, "the lamp")
        tower.unplug()
        heard.wait("lost")
        tower.reset()
        tower.throw({"w": 6})
        tower.replug()
        assert heard.wait("throw", 2).faces[0].value == 6


def test_the_lamp_of_the_tower_goes_out_once_nothing_is_asked(tower: VirtualTower) -> None:
    source = of_tower(tower)
    with running(source) as heard:
        heard.wait("hello")
        source.arm([("white", "d6")])
        wait_until(lambda: tower.is_armed, "the lamp")
        source.arm(())
        wait_until(lambda: not tower.is_armed, "the lamp to go out")


def test_a_rehearsal_tower_throws_by_itself_when_asked(tmp_path: Path) -> None:
    tower = VirtualTower(tmp_path / "usb-Rehearsal", throws_itself=True)
    tower.start()
    source = of_tower(tower)
    try:
        with running(source) as heard:
            heard.wait("hello")
            assert heard.throws() == []
            for count in (1, 2, 3):
                source.arm([("white", "d6"), ("red", "d6")])
                event = heard.wait("throw", count)
                assert event.number
                source.acknowledge(event.number)
        assert all(1 <= value <= 6 for throw in heard.throws() for value in throw if isinstance(value, int))
    finally:
        tower.stop()


def test_a_stuck_tower_answers_when_it_is_freed(tower: VirtualTower) -> None:
    tower.switch("stuck")
    source = of_tower(tower)
    with running(source) as heard:
        wait_until(lambda: is_ready(source), "the port")
        tower.switch()
        heard.wait("hello")


def test_ports_are_listed_by_their_lasting_names(cable: Cable) -> None:
    assert candidates(cable.link.parent) == [str(cable.link)]
    assert candidates(cable.link.parent / "none") == []
