"""The tower's program, run here as it runs on the Pico."""

import ast
from pathlib import Path

import pytest

from drivers.dice import firmware
from drivers.dice.firmware.blinker import Blinker
from drivers.dice.firmware.protocol import LINE_LIMIT, Protocol, crc8
from drivers.dice.firmware.settling import GIVE_UP_MS, REST_MS, Settling
from drivers.dice.formats import Reading, Reference

DICE = (("w", "d6"), ("r", "d6"))
FOLDER = Path(firmware.__file__).parent


def booted() -> Protocol:
    tower = Protocol("E6614C31", "9F3A", DICE)
    tower.due(0)
    return tower


def test_the_published_lines_come_out_letter_for_letter() -> None:
    tower = Protocol("E6614C31", "9F3A", DICE)
    assert tower.due(0) == ["CD1 hello id=E6614C31 boot=9F3A fw=1.0 dice=w:d6,r:d6 *A7"]
    tower.receive(b"?\nARM 4")
    tower.receive(b"2\r\n")
    assert tower.armed
    tower.throw({"w": 4, "r": 2}, 640)
    tower.cocked("w")
    tower.moving()
    assert tower.due(1) == [
        "CD1 hello id=E6614C31 boot=9F3A fw=1.0 dice=w:d6,r:d6 *A7",
        "CD1 44 moving *50",
        "CD1 42 w=d6:4,r=d6:2 t=640 *24",
        "CD1 43 cocked w *ED",
    ]
    assert crc8(b"123456789") == 0xF4
    assert not tower.armed


def test_a_throw_is_sent_again_three_times_a_second_apart() -> None:
    tower = booted()
    tower.throw({"w": 4}, 0)
    sent = [now for now in range(0, 10_000, 50) if tower.due(now)]
    assert sent == [0, 1000, 2000, 3000]


def test_ok_ends_the_sending_and_may_be_repeated() -> None:
    tower = booted()
    number = tower.throw({"w": 4}, 0)
    tower.due(0)
    tower.receive(b"OK 99\nOK %d\nOK %d\n" % (number, number))
    assert [line for now in range(0, 5000, 100) for line in tower.due(now)] == []


def sent(tower: Protocol, now_ms: int) -> list[str]:
    """The bodies of the lines that are due, without greetings."""
    return [line[4:-4] for line in tower.due(now_ms) if " hello " not in line]


def test_another_ask_drops_what_is_old_and_never_counts_back() -> None:
    tower = booted()
    tower.receive(b"ARM 1\n")
    assert tower.throw({"w": 4}, 0) == 1
    tower.receive(b"ARM 10\n")
    assert tower.due(0) == []
    assert tower.throw({"w": 4}, 0) == 10
    tower.receive(b"ARM 3\n")
    assert tower.due(0) == []
    assert tower.throw({"w": 4}, 0) == 11


def test_the_same_ask_again_keeps_the_throw_and_does_not_light_the_lamp_for_it() -> None:
    """A plug that was out: the host greets, and says what it asks for before it has heard the throw."""
    tower = booted()
    tower.receive(b"ARM 7\n")
    tower.throw({"w": 4}, 0)
    for now in range(0, 60_000, 1000):
        tower.due(now)  # into nothing
    tower.receive(b"?\nARM 7\n")
    assert sent(tower, 60_000) == ["7 w=d6:4 t=0"]
    assert not tower.armed
    tower.receive(b"OK 7\n?\n")
    assert sent(tower, 61_000) == []


def test_a_throw_before_the_first_ask_of_a_boot_answers_it_while_it_is_young() -> None:
    """The plug is its power too: it boots, dice fall, and only then the host is there again."""
    tower = booted()
    tower.throw({"w": 4}, 0)
    assert sent(tower, 0) == ["1 w=d6:4 t=0"]
    tower.receive(b"?\nARM 1\n")
    assert sent(tower, 500) == ["1 w=d6:4 t=0"]
    assert not tower.armed
    late = booted()
    late.throw({"w": 4}, 0)
    for now in range(0, 5000, 100):
        late.due(now)
    late.receive(b"?\nARM 1\n")
    assert sent(late, 5000) == []
    assert late.armed


def test_arm_0_puts_the_lamp_out_and_what_was_thrown_is_still_told() -> None:
    tower = booted()
    tower.receive(b"ARM 1\n")
    tower.throw({"w": 4}, 0)
    tower.receive(b"ARM 2\nARM 0\n")
    assert not tower.armed
    tower.throw({"w": 5}, 0)
    assert [sent(tower, now) for now in (0, 1000, 2000, 3000, 4000)] == [["2 w=d6:5 t=0"]] * 4 + [[]]
    tower.receive(b"?\n")
    assert sent(tower, 5000) == []


def test_a_cocked_die_is_still_asked_for() -> None:
    tower = booted()
    tower.receive(b"ARM 1\n")
    tower.cocked("w")
    assert tower.armed


def test_noise_from_the_host_changes_nothing_and_takes_no_room() -> None:
    tower = booted()
    tower.receive(b"\xff\x00ARM x\nARM\nOK -1\n" + b"z" * 10_000)
    assert not tower.armed
    assert tower.due(0) == []
    tower.receive(b"\n?\n")
    assert len(tower.due(0)) == 1


@pytest.mark.parametrize(("kind", "most", "face"), [("d6", 6, 6), ("d20", 5, 20), ("d100", 4, 100)])
def test_no_line_is_longer_than_the_format_allows(kind: str, most: int, face: int) -> None:
    slots = tuple((letter, kind) for letter in "abcdefgh")
    with pytest.raises(ValueError, match="too many"):
        Protocol("E6614C31", "9F3A", slots[: most + 1])
    tower = Protocol("E6614C31", "9F3A", slots[:most])
    tower.receive(b"ARM 999999999\n")
    tower.throw({slot: face for slot, _ in slots[:most]}, 999_999)
    lines = tower.due(0)
    assert all(len(line) <= LINE_LIMIT for line in lines)
    assert all(isinstance(Reference().parse(line), Reading) for line in lines)


def test_a_throw_is_over_when_nothing_new_is_read() -> None:
    settling = Settling(DICE)
    settling.receive(b"w=1,r=1\n", 0)  # lies there from before
    assert settling.due(5000) == ({}, [])
    assert settling.shock(10_000)
    assert not settling.shock(10_050)
    settling.receive(b"w=3,r=", 10_100)
    settling.receive(b"2\nw=4,r=2\n", 10_640)
    settling.receive(b"w=4,r=2\nw=9\xff=1,=,x=3,w=-1\n", 10_900)
    assert settling.due(10_640 + REST_MS - 1) == ({}, [])
    assert settling.due(10_900 + REST_MS) == ({"w": 4, "r": 2}, [])
    assert settling.took_ms == 640
    assert settling.due(20_000) == ({}, [])


def test_dice_that_cannot_be_read_are_named() -> None:
    settling = Settling(DICE)
    settling.shock(0)
    settling.receive(b"w=?,r=2\n", 100)
    assert settling.due(100 + REST_MS) == ({"r": 2}, ["w"])
    settling.shock(10_000)
    assert settling.due(10_000 + REST_MS) == ({}, [])
    assert settling.due(10_000 + GIVE_UP_MS) == ({}, ["w", "r"])


def test_the_led_counts_the_pips() -> None:
    blinker = Blinker()
    blinker.show([3, 1], 1000)
    lit = [blinker.is_on(now) for now in range(1000, 9000, 10)]
    assert sum(now and not before for before, now in zip([False, *lit], lit, strict=False)) == 4


@pytest.mark.parametrize("name", ["protocol.py", "settling.py", "blinker.py"])
def test_the_tested_half_imports_nothing(name: str) -> None:
    tree = ast.parse((FOLDER / name).read_text())
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]


def test_the_read_me_names_every_file_to_copy() -> None:
    text = (FOLDER / "README.md").read_text()
    assert all(f"`{one.name}`" in text for one in FOLDER.glob("*.py") if one.name != "__init__.py")
