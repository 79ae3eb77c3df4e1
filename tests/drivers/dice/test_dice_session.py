"""The talk over one port, with bytes and times given by hand."""

from drivers.dice import Event
from drivers.dice.firmware.protocol import sealed
from drivers.dice.formats import Plain, Reference
from drivers.dice.session import EVENTS_PER_SECOND, Session
from drivers.dice.tower import CHECK_AFTER_S, HELLO_AGAIN_S, SILENT_AFTER_S

HELLO = "hello id=OAK boot=1 fw=1.0 dice=w:d6"


def kinds(events: list[Event]) -> list[str]:
    return [event.kind for event in events]


def lines(*bodies: str) -> bytes:
    return "".join(sealed(body) + "\r\n" for body in bodies).encode()


def greeted() -> Session:
    session = Session("tower", Reference())
    session.opened(0.0)
    assert session.to_send() == b"?\n"
    assert kinds(session.feed(lines(HELLO), 0.1)) == ["hello"]
    assert session.to_send() == b"ARM 0\n"
    return session


def test_a_throw_before_the_hello_is_not_taken_since_it_will_come_again() -> None:
    session = Session("tower", Reference())
    session.opened(0.0)
    assert kinds(session.feed(lines("7 w=d6:3", HELLO, "7 w=d6:3", "7 w=d6:3"), 0.1)) == ["noise", "hello", "throw"]


def test_a_repeat_after_unplugging_is_known_and_acknowledged_again() -> None:
    session = greeted()
    session.feed(lines("7 w=d6:3"), 0.2)
    session.opened(5.0)
    session.acknowledge(7)
    session.to_send()
    assert kinds(session.feed(lines(HELLO, "7 w=d6:3", "8 w=d6:3"), 5.1)) == ["hello", "throw"]
    assert session.to_send() == b"ARM 0\nOK 7\n"


def test_a_new_boot_may_use_a_number_again() -> None:
    session = greeted()
    session.feed(lines("1 w=d6:3"), 0.2)
    rebooted = session.feed(lines(HELLO.replace("boot=1", "boot=2"), "1 w=d6:3"), 0.3)
    assert kinds(rebooted) == ["hello", "throw"]


def test_the_ask_names_the_next_number_and_is_said_again_after_a_reboot() -> None:
    session = greeted()
    session.feed(lines("41 w=d6:3"), 0.2)
    session.arm(1, b"", 0.3, 0.3)
    assert session.to_send() == b"ARM 42\n"
    session.feed(lines(HELLO.replace("boot=1", "boot=2")), 0.4)
    assert session.to_send() == b"ARM 1\n"


def test_the_lamp_is_put_out_once_nothing_is_asked() -> None:
    session = greeted()
    session.arm(2, b"", 0.3, 0.3)
    session.arm(0, b"", 0.4, 0.4)
    assert session.to_send() == b"ARM 1\nARM 0\n"


def test_every_ask_has_a_number_of_its_own_and_keeps_it_when_the_plug_comes_back() -> None:
    session = greeted()
    session.arm(1, b"", 0.3, 0.3)
    session.arm(1, b"", 0.4, 0.4)
    assert session.to_send() == b"ARM 1\nARM 2\n"
    session.opened(5.0)
    session.to_send()
    session.feed(lines(HELLO), 5.1)
    assert session.to_send() == b"ARM 2\n"


def test_a_throw_older_than_the_ask_keeps_a_time_before_it() -> None:
    session = greeted()
    session.feed(lines("41 w=d6:3"), 0.2)
    session.arm(1, b"", 2.0, 2.0)
    old, new = session.feed(lines("40 w=d6:1", "42 w=d6:2"), 2.5)
    assert (old.number, new.number) == (40, 42)
    assert old.at < 2.0 < new.at == 2.5


def test_a_cocked_throw_may_be_read_after_all_under_its_number() -> None:
    session = greeted()
    assert kinds(session.feed(lines("5 moving", "5 cocked w", "5 cocked w", "5 w=d6:2"), 0.2)) == [
        "moving",
        "cocked",
        "throw",
    ]


def test_a_tower_that_does_not_answer_is_asked_again_and_then_named_once() -> None:
    session = Session("tower", Reference())
    session.opened(0.0)
    session.to_send()
    assert session.tick(HELLO_AGAIN_S) == []
    assert session.to_send() == b"?\n"
    assert kinds(session.tick(SILENT_AFTER_S)) == ["hint"]
    assert session.silent
    assert session.tick(SILENT_AFTER_S + 1) == []
    session.feed(lines(HELLO), SILENT_AFTER_S + 2)
    assert not session.silent


def test_a_tower_that_falls_silent_later_is_asked_named_and_greeted_when_it_is_back() -> None:
    session = greeted()
    assert session.tick(CHECK_AFTER_S) == []
    assert session.to_send() == b""
    session.tick(CHECK_AFTER_S + 0.2)
    assert session.to_send() == b"?\n"
    assert session.feed(lines(HELLO), CHECK_AFTER_S + 0.3) == []
    silent_at = 2 * CHECK_AFTER_S + SILENT_AFTER_S + 1
    assert kinds(session.tick(silent_at)) == ["hint"]
    assert session.tick(silent_at + 1) == []
    assert kinds(session.feed(lines(HELLO), silent_at + 2)) == ["hello"]
    assert not session.silent


def test_what_lay_unread_when_asked_is_reported_with_its_own_time_and_half_lines_are_dropped() -> None:
    session = Session("die", Plain())
    session.opened(0.0)
    session.feed(b"\n", 0.0)
    early = session.arm(1, b"1\n2\n3", 4.9, 5.0)
    assert [(event.faces[0].value, event.at) for event in early] == [(1, 4.9), (2, 4.9)]
    assert [event.faces[0].value for event in session.feed(b"4\n5\n", 6.0)] == [5]


def test_bad_lines_are_counted_told_ever_more_rarely_and_advised_upon_once() -> None:
    session = Session("die", Plain())
    session.opened(0.0)
    session.feed(b"\n", 0.0)
    events = session.feed(b"what\n" * 100, 1.0)
    assert kinds(events).count("noise") == 7
    assert [event.text for event in events if event.kind == "hint"] == [
        "die sends nothing that can be read: check baud rate and dice format."
    ]
    assert session.noise == 100
    assert kinds(session.feed(b"4\n", 2.0)) == ["throw"]


def test_the_first_good_line_after_much_noise_must_stand_alone() -> None:
    session = Session("die", Plain())
    session.opened(0.0)
    session.feed(b"\n" + b"\xfe\x95\n" * 8, 1.0)
    assert "check baud rate" in session.trouble
    assert kinds(session.feed(b"4\n", 1.1)) == ["noise"]
    assert kinds(session.feed(b"4\n", 1.2)) == ["throw"]
    session.feed(b"\xfe\x95\n" * 8, 2.0)
    assert kinds(session.feed(b"4\n", 3.0)) == ["throw"]
    assert session.trouble == ""


def test_a_login_console_is_recognised() -> None:
    session = Session("die", Plain())
    session.opened(0.0)
    events = session.feed(b"\n" + b"raspberrypi login: \n" * 8, 0.0)
    assert "login console" in events[-1].text


def test_a_flood_is_said_once_and_ends() -> None:
    session = Session("die", Plain())
    session.opened(0.0)
    events = [event for step in range(50) for event in session.feed(b"\n" + b"4\n" * 100, step / 50)]
    assert kinds(events).count("throw") == EVENTS_PER_SECOND
    assert [event.text for event in events if event.kind == "noise"] == [
        "die sends more than 40 a second; they are not used."
    ]
    assert kinds(session.feed(b"4\n", 3.0)) == ["throw"]


def test_raw_text_is_bounded_and_holds_no_control_bytes() -> None:
    session = Session("die", Plain())
    session.opened(0.0)
    (event,) = session.feed(b"\n\x1b[2J\x00" + b"y" * 200 + b"\n", 0.0)
    assert event.raw.startswith("·[2J·yyy")
    assert len(event.raw) == 81
