"""Field reports 17 to 24, 38 and 39: what went wrong with other people's dice must not go wrong here."""

import os
import random
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from gpiozero import Button

from drivers import BadSetting
from drivers.dice.formats import Bare, Format, NameValue, Plain
from drivers.dice.gpio import Factory, GpioDice, Pins, pi_factory
from drivers.dice.serial import SerialDice
from drivers.dice.session import Session
from drivers.dice.software import SoftwareDice, draw
from tests.drivers.dice.pretend_pins import PINS, Board
from tests.drivers.dice.rig import Cable, descriptors, is_ready, running, wait_until


@pytest.fixture
def cable(tmp_path: Path) -> Iterator[Cable]:
    cable = Cable(tmp_path / "usb-Acme_Dice-if00")
    cable.plug()
    yield cable
    cable.unplug()


def die(cable: Cable, **settings: float) -> SerialDice:
    return SerialDice("die", str(cable.link), NameValue(), **settings)  # type: ignore[arg-type]


def opened(source: SerialDice) -> None:
    wait_until(lambda: is_ready(source), "the port to be open")


@pytest.mark.field(17)
def test_17_unplugged_in_the_middle_of_a_line_and_back_under_another_name(cable: Cable) -> None:
    source = die(cable)
    with running(source) as heard:
        opened(source)
        first = cable.node
        cable.send(b"\nD6:2\nD6:")
        heard.wait("throw")
        keep = os.open(first, os.O_RDWR | os.O_NOCTTY)  # the old number stays taken, as with a held ttyACM0
        cable.unplug()
        assert "void" in heard.wait("lost").text
        assert source.status().state == "lost"
        cable.plug()
        os.close(keep)
        assert cable.node != first
        back = heard.wait("back", within_s=30.0)
        assert cable.node in back.text
        cable.send(b"4\nD6:3\n")
        heard.wait("throw", 2)
        assert heard.throws() == [(2,), (3,)]


@pytest.mark.field(17)
def test_17_back_after_three_seconds_it_is_found_within_five(cable: Cable) -> None:
    source = die(cable)
    with running(source) as heard:
        opened(source)
        cable.send(b"\nD6:2\nD6:")
        heard.wait("throw")
        cable.unplug()
        heard.wait("lost")
        time.sleep(3)  # the gap is the trial itself
        assert source.status().state == "lost"
        plugged = time.monotonic()
        cable.plug()
        assert heard.wait("back").at - plugged <= 5
        cable.send(b"4\nD6:3\n")
        heard.wait("throw", 2)
        assert heard.throws() == [(2,), (3,)]


@pytest.mark.field(17)
def test_17_fifty_unplug_cycles_leak_nothing(cable: Cable) -> None:
    threads, files = threading.active_count(), descriptors() - 1
    source = die(cable)
    with running(source) as heard:
        for cycle in range(1, 51):
            opened(source)
            cable.send(b"\nD6:4\nD6:")
            heard.wait("throw", cycle)
            cable.unplug()
            heard.wait("lost", cycle)
            cable.plug()
            heard.wait("back", cycle, within_s=30.0)
    assert len(heard.throws()) == 50
    cable.unplug()
    assert threading.active_count() <= threads
    assert descriptors() <= files


@pytest.mark.field(18)
def test_18_a_pause_inside_a_line_does_not_cut_it(cable: Cable) -> None:
    source = die(cable)
    with running(source) as heard:
        opened(source)
        cable.send(b"\nD20:1")
        time.sleep(1.5)  # the pause is the trial itself
        cable.send(b"7\n")
        heard.wait("throw")
        for byte in b"D6:4\n":
            time.sleep(0.3)
            cable.send(bytes([byte]))
        heard.wait("throw", 2)
        assert heard.throws() == [(17,), (4,)]


@pytest.mark.field(18)
def test_18_started_while_a_line_is_half_sent(cable: Cable) -> None:
    cable.send(b"D6:")
    source = die(cable)
    with running(source) as heard:
        opened(source)
        cable.send(b"D6:4\nD6:5\n")
        heard.wait("throw")
        assert heard.throws() == [(5,)]
        assert heard.of("noise")[0].raw == "D6:4"


@pytest.mark.field(19)
def test_19_noise_of_a_boot_loader_is_counted_and_never_a_throw(cable: Cable) -> None:
    noise = b"\x00\xff\xfe\x95\xed\r\n" + bytes(range(256)) + os.urandom(300) + b"\r\nrst:0x1 boot 12\r\n"
    source = die(cable)
    with running(source) as heard:
        opened(source)
        cable.send(noise + b"D6:4\r\n")
        heard.wait("throw")
        assert heard.throws() == [(4,)]
        assert heard.of("noise")
        assert all(event.raw.isprintable() for event in heard.events)
        assert "could not be read" in source.status().text


@pytest.mark.field(19)
def test_19_a_wrong_baud_rate_is_hinted_at(cable: Cable) -> None:
    source = die(cable)
    with running(source) as heard:
        opened(source)
        cable.send(b"\xfe\x95\xed\x80\r\n" * 500)
        assert "check baud rate" in heard.wait("hint").text
        cable.send(b"D6:1\nD6:1\n")
        heard.wait("throw")
        assert len(heard.events) < 20


def at_a_wrong_speed(seconds: int, rng: random.Random) -> Iterator[tuple[bytes, float]]:
    """What 9600 baud bring each tenth of a second; without line ends, as most of it, or with those of chance."""
    return ((rng.randbytes(96).replace(b"\n", b"").replace(b"\r", b""), n / 10) for n in range(10 * seconds))


@pytest.mark.field(19)
@pytest.mark.parametrize("ends", [False, True])
@pytest.mark.parametrize("form", [Plain(), NameValue(), Bare(("a", "b"))], ids=["plain", "named", "bare"])
def test_19_thirty_seconds_at_a_wrong_speed_are_said_in_words_and_are_no_throw(ends: bool, form: Format) -> None:
    session, rng = Session("die", form), random.Random(19)
    session.opened(0.0)
    events = [event for data, at in at_a_wrong_speed(30, rng) for event in session.feed(data + b"\n" * ends, at)]
    assert not [event for event in events if event.kind == "throw"]
    assert [event.text for event in events if event.kind == "hint"] == [
        "die sends nothing that can be read: check baud rate and dice format."
    ]
    assert session.trouble
    assert len(events) < 20


@pytest.mark.field(19)
def test_19_the_status_says_so_until_a_line_can_be_read(cable: Cable) -> None:
    source = die(cable)
    with running(source) as heard:
        opened(source)
        for data, _ in at_a_wrong_speed(30, random.Random(19)):
            cable.send(data)
        wait_until(lambda: "check baud rate" in source.status().text, "the words")
        assert source.status().state == "trouble"
        cable.send(b"\nD6:4\nD6:4\n")
        heard.wait("throw")
        assert source.status().state == "ready"


@pytest.mark.field(20)
def test_20_a_second_copy_is_told_that_the_port_is_in_use(cable: Cable) -> None:
    first, second = die(cable), die(cable)
    with running(first) as heard:
        opened(first)
        with running(second) as other:
            assert f"{cable.node} is in use" in other.wait("lost").text
            cable.send(b"\nD6:4\n")
            heard.wait("throw")
        assert other.throws() == []
    with running(second):
        opened(second)


@pytest.mark.field(20)
def test_20_a_program_that_had_the_port_first_is_named(cable: Cable) -> None:
    terminal = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys; f = open(sys.argv[1], 'rb', 0); print('open', flush=True); input()",
            cable.node,
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert terminal.stdin
    assert terminal.stdout
    terminal.stdout.readline()
    source = die(cable)
    with running(source) as heard:
        assert f"in use by python (PID {terminal.pid})" in heard.wait("lost").text.replace("python3", "python")
        terminal.communicate(b"\n")
        heard.wait("back")
        cable.send(b"\nD6:4\n")
        heard.wait("throw")


TERMINAL = """
import sys
try:
    port = open(sys.argv[1], "rb", 0)
except OSError:
    print("refused", flush=True)
else:
    print("open", flush=True)
    input()
"""


@pytest.mark.field(20)
def test_20_a_program_that_comes_second_gets_nothing_or_is_named_and_spoils_no_throw(cable: Cable) -> None:
    """Only root may open a port that is taken; then each gets a part, and no part is a roll."""
    source = die(cable)
    with running(source) as heard:
        opened(source)
        terminal = subprocess.Popen(
            [sys.executable, "-c", TERMINAL, cable.node], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert terminal.stdout
        if terminal.stdout.readline() == b"open\n":
            cable.send(b"\nD6:4\n")
            assert f"PID {terminal.pid}" in heard.wait("hint").text
            assert source.status().state == "trouble"
            assert f"PID {terminal.pid}" in source.status().text
            assert heard.throws() == []
        terminal.communicate(b"\n")
        cable.send(b"\nD6:5\n")
        heard.wait("throw")
        assert heard.throws() == [(5,)]
        assert source.status().state == "ready"


@pytest.mark.field(20)
def test_20_the_prompt_of_a_login_console_is_no_throw(cable: Cable) -> None:
    source = die(cable)
    with running(source) as heard:
        opened(source)
        cable.send(b"\r\nDebian GNU/Linux 13 pi ttyAMA0\r\n" + b"\r\npi login: \r\n" * 10)
        assert "login console" in heard.wait("hint").text
        assert heard.throws() == []


@pytest.mark.field(21)
def test_21_a_stream_without_end_and_a_flood_of_lines(cable: Cable) -> None:
    source = die(cable)
    with running(source) as heard:
        opened(source)
        for _ in range(10_000):
            cable.send(b"x" * 1000)
        cable.send(b"D6:4\nD6:5\n")
        heard.wait("throw")
        assert heard.throws() == [(5,)]
        assert len(source._session._assembler._open) == 0
        cable.send(b"D6:6\n" * 5000)
        wait_until(lambda: any("a second" in event.text for event in heard.of("noise")), "the flood's name")
        asked = time.monotonic()
        source.arm([("white", "d6")])
        assert time.monotonic() - asked < 3
    assert len(heard.events) < 150


@pytest.mark.field(22)
def test_22_what_came_before_the_ask_is_known_by_its_time(cable: Cable) -> None:
    cable.send(b"".join(b"D6:%d\n" % face for face in range(1, 7)))
    source = die(cable)
    with running(source) as heard:
        opened(source)
        cable.send(b"\nD6:1\nD6:2\n")
        source.arm([("white", "d6")])
        asked = time.monotonic()
        cable.send(b"D6:3\n")
        wait_until(lambda: (3,) in heard.throws(), "the throw")
        after = [event.faces[0].value for event in heard.of("throw") if event.at > asked]
        assert after == [3]
        assert set(heard.throws()) <= {(1,), (2,), (3,)}


@pytest.mark.field(38)
def test_38_the_four_spare_bytes_of_a_d6_are_thrown_away() -> None:
    stream = iter(range(256))
    faces = Counter(draw(6, lambda _n: bytes([next(stream)])) for _ in range(6 * 42))
    assert faces == dict.fromkeys(range(1, 7), 42)
    assert list(stream) == [252, 253, 254, 255]
    assert draw(6, spare_bytes()) == 1


def spare_bytes() -> Callable[[int], bytes]:
    bytes_left = iter([252, 253, 254, 255, 0])
    return lambda _n: bytes([next(bytes_left)])


@pytest.mark.field(38)
@pytest.mark.parametrize(("sides", "limit"), [(6, 20.5), (10, 27.9), (20, 43.8), (100, 148.2)])
def test_38_the_drawing_passes_a_chi_square(sides: int, limit: float) -> None:
    """600 000 draws each, from fixed even bytes; the limits are the 0.999 points of chi-square."""
    bytes_ = iter(random.Random(38).randbytes(1_000_000))
    counts = Counter(draw(sides, lambda _n: bytes([next(bytes_)])) for _ in range(600_000))
    expected = 600_000 / sides
    assert sum((counts[face] - expected) ** 2 / expected for face in range(1, sides + 1)) < limit


@pytest.mark.field(38)
def test_38_two_starts_in_the_same_second_differ() -> None:
    runs = []
    for _ in range(2):
        dice = SoftwareDice(at_once=True, clock=lambda: 1000.0)
        with running(dice) as heard:
            dice.arm([(str(number), "d100") for number in range(20)])
            heard.wait("throw")
            runs.append(heard.throws())
    assert runs[0] != runs[1]


@pytest.mark.field(39)
def test_39_only_what_rolled_and_came_to_rest_is_a_throw(cable: Cable) -> None:
    source = die(cable, settle_s=0.4, needs_rolling=True)
    with running(source) as heard:
        opened(source)
        cable.send(b"\nROLLING\n")
        for face in (3, 5, 2):
            cable.send(b"D6:%d\n" % face)
            time.sleep(0.08)  # the pace is the trial itself
        cable.send(b"D6:5\n")
        heard.wait("throw")
        cable.send(b"D6:1\nD6:2\n")  # picked up, not rolled
        wait_until(lambda: any(event.raw == "D6:2" for event in heard.of("moving")), "the side list")
        assert heard.throws() == [(5,)]


@pytest.mark.field(23)
def test_23_a_bouncing_button_is_pressed_once() -> None:
    board = Board()
    source = board.source()
    with running(source) as heard:
        board.ready(source)
        board.bounce(5, 5, 2, ends_low=True)
        board.now += 0.4
        board.bounce(5, 4, 2, ends_low=False)
        board.now += 0.4
        heard.wait("throw")
        board.tap(6, after_ms=250)
        board.tap(6, after_ms=250)
        board.tap(13, ms=15)
        heard.wait("throw", 4)
        assert heard.throws() == [(1,), (2,), (2,), (3,)]


def no_chip() -> object:
    raise OSError("can not open gpiochip")


def empty_lgpio() -> object:
    raise AttributeError("module 'lgpio' has no attribute 'SET_PULL_NONE'")


@pytest.mark.field(24)
@pytest.mark.parametrize(
    ("factory", "advice"),
    [
        (no_chip, "group gpio"),
        (empty_lgpio, "python3-lgpio"),
        (pi_factory, "apt install python3-lgpio|group gpio"),
    ],
)
def test_24_without_pins_the_rest_goes_on(factory: Factory, advice: str) -> None:
    source = GpioDice("buttons", PINS, factory=factory)
    others = SoftwareDice(at_once=True)
    with running(source), running(others) as heard:
        wait_until(lambda: "GPIO is off" in source.status().text, "the reason")
        assert source.status().state == "off"
        assert re.search(advice, source.status().text)
        source.arm([("white", "d6")])
        others.arm([("white", "d6")])
        heard.wait("throw")


@pytest.mark.field(24)
def test_24_a_pin_that_is_taken_is_named() -> None:
    board = Board()
    taken = Button(17, pin_factory=board.factory)
    source = board.source()
    with running(source):
        wait_until(lambda: "GPIO is off" in source.status().text, "the reason")
        assert "17" in source.status().text
        assert "another pin" in source.status().text
    taken.close()


@pytest.mark.field(24)
def test_24_a_pin_named_twice_is_a_setting_that_cannot_be_right() -> None:
    with pytest.raises(BadSetting, match="Pin 17 is set for face 1 and for roll"):
        Pins(faces=(17, 18), roll=17)


@pytest.mark.field(24)
def test_24_importing_touches_no_pin() -> None:
    script = "import sys, drivers.dice.gpio, drivers.dice.serial; print({'gpiozero', 'serial'} & {*sys.modules})"
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "set()"
