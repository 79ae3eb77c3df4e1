"""Dice drawn by the system: fair byte by byte, and only when asked."""

import os
from collections import Counter
from itertools import cycle

import pytest

from drivers import BadSetting
from drivers.dice.software import SoftwareDice, draw, draw_kind
from tests.drivers.dice.rig import Heard, running


def every_byte_once() -> list[int]:
    return list(range(256))


@pytest.mark.parametrize("sides", range(1, 257))
def test_every_face_takes_as_many_bytes(sides: int) -> None:
    bytes_left = every_byte_once()
    faces: Counter[int] = Counter()
    for _ in range(256 // sides * sides):
        faces[draw(sides, lambda _n: bytes([bytes_left.pop(0)]))] += 1
    assert set(faces) == set(range(1, sides + 1))
    assert set(faces.values()) == {256 // sides}


def test_dice_that_cannot_be_drawn() -> None:
    for kind in ("hit", "d0", "d257", "d", ""):
        with pytest.raises(BadSetting, match="cannot"):
            draw_kind(kind)
    with pytest.raises(BadSetting, match="257 sides"):
        draw(257)


def test_a_special_die_is_said_to_be_beyond_the_system_and_the_next_ask_goes_on() -> None:
    dice = SoftwareDice(at_once=True)
    with running(dice) as heard:
        dice.arm([("white", "d6"), ("hit", "damage")])
        assert "cannot draw a 'damage'" in heard.wait("hint").text
        dice.arm([("white", "d6")])
        heard.wait("throw")


@pytest.mark.parametrize(
    ("kind", "lowest", "highest", "count"), [("d5", 1, 10, 10), ("d10 units", 0, 9, 10), ("d100", 1, 100, 100)]
)
def test_faces_are_drawn_as_they_are_printed(kind: str, lowest: int, highest: int, count: int) -> None:
    byte = iter(range(256))
    faces = [draw_kind(kind, lambda _n: bytes([next(byte)])) for _ in range(count)]
    assert faces == list(range(lowest, highest + 1))


def test_the_tens_of_a_d100_are_as_printed() -> None:
    byte = iter(range(10))
    assert [draw_kind("d00", lambda _n: bytes([next(byte)])) for _ in range(10)] == list(range(0, 100, 10))


def test_nothing_is_drawn_before_it_is_asked_and_each_ask_is_drawn_once() -> None:
    taken = []

    def source(count: int) -> bytes:
        taken.append(count)
        return os.urandom(count)

    dice = SoftwareDice(source=source)
    with running(dice) as heard:
        dice.throw()
        dice.arm([("white", "d6"), ("red", "d10")])
        assert taken == []
        dice.throw()
        dice.throw()
        event = heard.wait("throw")
        assert [(face.die, face.kind) for face in event.faces] == [("white", "d6"), ("red", "d10")]
        assert "not thrown" in event.text
        assert event.drawn
        dice.arm([("white", "d6")])
        dice.throw()
        heard.wait("throw", 2)
    assert len(heard.throws()) == 2


def test_at_once_throws_on_the_ask() -> None:
    byte = cycle(b"\x03")
    dice = SoftwareDice(at_once=True, source=lambda _n: bytes([next(byte)]))
    with running(dice) as heard:
        dice.arm([("white", "d6")])
        heard.wait("throw")
        dice.arm(())
    assert heard.throws() == [(4,)]
    assert isinstance(heard, Heard)
