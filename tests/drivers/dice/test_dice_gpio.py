"""Buttons, dial, shock sensor, lamp and buzzer on pretend pins."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers import BadSetting
from drivers.dice.contacts import CALM_S, SETTLE_S, Contact, Quadrature, Trigger
from drivers.dice.gpio import Pins
from tests.drivers.dice.pretend_pins import PINS, Board, ShortedPin
from tests.drivers.dice.rig import descriptors, running, wait_until


@given(st.lists(st.floats(0.0001, 0.011), max_size=30), st.floats(0.013, 5))
def test_whatever_bounces_faster_than_the_settling_time_is_one_press(gaps: list[float], hold: float) -> None:
    contact, at, level, changes = Contact(), 0.0, True, []
    for gap in gaps[: len(gaps) // 2 * 2]:  # an even count of bounces, so it ends pressed
        changes += contact.edge(level, at)
        at, level = at + gap, not level
    changes += contact.edge(True, at)
    changes += contact.due(at + hold)
    if not contact.floating:
        assert [(change.pressed, change.at) for change in changes] == [(True, at)]


def test_a_tap_is_seen_even_when_the_thread_comes_late() -> None:
    contact = Contact()
    changes = contact.edge(True, 1.0) + contact.edge(False, 1.015) + contact.due(9.0)
    assert [(change.pressed, change.at) for change in changes] == [(True, 1.0), (False, 1.015)]


@pytest.mark.parametrize("hertz", [50, 60, 100])
def test_mains_hum_on_an_open_pin_is_named_and_never_a_press(hertz: int) -> None:
    contact, changes = Contact(), []
    for half in range(3 * hertz):
        changes += contact.edge(half % 2 == 0, half / (2 * hertz))
    assert changes == []
    assert contact.floating
    assert contact.due(99.0) == []
    assert not contact.floating
    assert SETTLE_S < CALM_S


def test_the_dial_counts_whole_clicks_and_forgives_bounce() -> None:
    dial = Quadrature()
    right = [("a", True), ("b", True), ("a", False), ("b", False)]
    assert sum(dial.edge(*edge) for edge in right) == 1
    assert sum(dial.edge(*edge) for edge in [("b", True), ("a", True), ("b", False), ("a", False)]) == -1
    bounced = [
        ("a", True),
        ("a", False),
        ("a", True),
        ("b", True),
        ("b", False),
        ("b", True),
        ("a", False),
        ("b", False),
    ]
    assert sum(dial.edge(*edge) for edge in bounced) == 1
    assert sum(dial.edge(*edge) for edge in [("a", True), ("a", False)] * 5) == 0


def test_a_rattling_shock_is_one() -> None:
    trigger = Trigger()
    assert [trigger.edge(at) for at in (0.0, 0.01, 0.5, 1.9, 4.0)] == [True, False, False, False, True]


def test_faces_are_typed_and_the_lamp_says_when() -> None:
    board = Board()
    source = board.source()
    with running(source) as heard:
        board.ready(source)
        source.arm([("white", "d6"), ("red", "d6")])
        wait_until(lambda: board.factory.pin(18).state, "the lamp")
        board.tap(26)
        board.tap(5)
        heard.wait("throw", 2)
        assert heard.throws() == [(5,), (1,)]
        wait_until(lambda: not board.factory.pin(18).state, "the lamp to go out")
    assert heard.of("throw")[0].at == pytest.approx(100.25)


def test_the_dial_offers_the_faces_of_the_die_that_is_asked_for() -> None:
    board = Board()
    source = board.source()
    with running(source) as heard:
        board.ready(source)
        source.arm([("units", "d10 units")])
        for click in range(2):
            for pin, pressed in ((27, True), (17, True), (27, False), (17, False)):  # one click to the left
                (board.down if pressed else board.up)(pin, 5)
            heard.wait("moving", click + 1)
        assert [event.faces[0].value for event in heard.of("moving")] == [9, 8]
        board.tap(22)
        heard.wait("throw")
        assert heard.throws() == [(8,)]


def test_the_roll_button_draws_what_is_asked_for_once() -> None:
    board = Board()
    source = board.source(source=lambda _n: b"\x02")
    with running(source) as heard:
        board.ready(source)
        board.tap(23)
        assert "no dice are asked for" in heard.wait("hint").text
        source.arm([("white", "d6"), ("red", "d6")])
        board.tap(23)
        throw = heard.wait("throw")
        assert [(face.die, face.value) for face in throw.faces] == [("white", 3), ("red", 3)]
        assert (throw.source, throw.drawn) == ("buttons", True)
        assert "not thrown" in throw.text
        source.arm([("hit", "damage")])
        board.tap(23)
        assert "cannot draw a 'damage'" in heard.wait("hint", 2).text


def test_a_shock_asks_for_the_faces() -> None:
    board = Board()
    source = board.source()
    with running(source) as heard:
        board.ready(source)
        for _ in range(6):
            board.tap(24, ms=3, after_ms=10)
        assert "type what the dice show" in heard.wait("moving").text
        board.tap(26)
        heard.wait("throw")
        assert len(heard.of("moving")) == 1


def test_a_button_that_is_stuck_at_the_start_is_named_and_no_press() -> None:
    board = Board(ShortedPin)
    source = board.source(Pins(faces=(5, 6)))
    with running(source) as heard:
        assert "Pin 6 (face 2) is held down" in heard.wait("hint", 2).text
        board.up(5, 500)
        board.now += 1
        board.tap(5)
        heard.wait("throw")
        assert heard.throws() == [(1,)]


def test_a_button_that_gets_stuck_is_named_once() -> None:
    board = Board()
    source = board.source()
    with running(source) as heard:
        board.ready(source)
        board.down(13)
        board.now += 0.1
        heard.wait("throw")
        board.now += 60
        assert "Pin 13 (face 3)" in heard.wait("hint").text
        assert (source.status().state, source.status().text) == ("trouble", heard.of("hint")[0].text)
        board.up(13, 100)
        board.tap(6)
        heard.wait("throw", 2)
        wait_until(lambda: source.status().state == "ready", "the button to be free")
    assert len(heard.of("hint")) == 1


def test_a_flickering_pin_is_named() -> None:
    board = Board()
    source = board.source()
    with running(source) as heard:
        board.ready(source)
        board.bounce(13, 60, 5, ends_low=True)
        assert "Pin 13 (face 3) flickers" in heard.wait("hint").text
        assert "flickers" in source.status().text
        board.tap(5)
        heard.wait("throw")
        assert heard.throws() == [(1,)]


def test_stop_leaves_no_thread_and_no_descriptor() -> None:
    threads, files = threading.active_count(), descriptors()
    for _ in range(3):
        board = Board()
        source = board.source()
        with running(source):
            board.ready(source)
        assert source.status().state == "off"
    assert threading.active_count() <= threads
    assert descriptors() <= files


def test_pins_that_do_not_exist() -> None:
    with pytest.raises(BadSetting, match="pin 99 for roll"):
        Pins(roll=99)
    assert len(list(PINS.named())) == 13


def test_pins_come_from_plain_settings() -> None:
    assert Pins.of({"face_1": 5, "face_2": 6, "roll": 23, "lamp": 18}) == Pins((5, 6), roll=23, lamp=18)
    for wrong in ({"face_1": 5, "face_3": 6}, {"rol": 23}, {"faces": 5}):
        with pytest.raises(BadSetting, match="no part on a pin"):
            Pins.of(wrong)


@pytest.mark.parametrize("silent", [False, True])
def test_the_buzzer_beeps_for_a_face_that_is_taken_unless_it_is_to_be_silent(silent: bool) -> None:
    board = Board()
    source, beeps = board.source(), list[object]()
    with running(source) as heard:
        board.ready(source)
        source.silent = silent
        source._buzzer.blink = lambda **how: beeps.append(how)
        source.arm([("white", "d6"), ("red", "d6")])
        board.tap(26)
        board.tap(5)
        heard.wait("throw", 2)
    assert len(beeps) == (0 if silent else 2)
