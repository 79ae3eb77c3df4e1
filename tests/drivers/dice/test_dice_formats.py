"""Lines of real devices, and lines that must never become a throw."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers import BadSetting
from drivers.dice import UNREADABLE, Face
from drivers.dice.firmware.protocol import crc8
from drivers.dice.formats import (
    Bare,
    Format,
    Json,
    NameValue,
    Pattern,
    Plain,
    Reading,
    Reference,
    Refused,
    format_named,
    stored,
)


def faces(form: Format, line: str) -> list[int | str]:
    parsed = form.parse(line)
    assert isinstance(parsed, Reading), parsed
    assert parsed.kind == "throw", parsed
    return [face.value for face in parsed.faces]


def refused(form: Format, line: str) -> bool:
    return isinstance(form.parse(line), Refused)


NOISE = [
    "rst:0x1 boot 12",
    "ADXL345 detected at 0x53",
    "x:0.01 y:0.00 z:0.98",
    "code.py output:",
    "Auto-reload is on. Simply save files over USB to run them or enter REPL to disable.",
    "soft reboot",
    "Traceback (most recent call last):",
    '  File "code.py", line 12, in <module>',
    ">>> ",
    "ets Jun  8 2016 00:22:57",
    "load:0x3fff0018,len:4",
    "entry 0x400806ac",
    "{v:27,t:323,s:0}",
    "200",
    "raspberrypi login: ",
    "",
    " ",
    "-4",
    "4.0",
    "4;5",
    "4,",
    ",4",
    "٣",
    "4\x00",
    "\x1b[2J4",
    "1" * 250,
]


@pytest.mark.parametrize("form", [Plain(), NameValue(), Json(), Reference(), Bare(("blue",))])
@pytest.mark.parametrize("line", NOISE)
def test_noise_is_never_a_throw(form: Format, line: str) -> None:
    assert refused(form, line)


@given(st.text(max_size=256))
def test_no_line_breaks_a_parser(line: str) -> None:
    for form in (Plain(), NameValue(), Json(), Reference(), Bare(("blue",)), Pattern("(?P<face>.+)!")):
        assert isinstance(form.parse(line), Reading | Refused)


@pytest.mark.parametrize(
    ("line", "values"),
    [("4", [4]), ("3,5,6", [3, 5, 6]), ("3, 5, 6", [3, 5, 6]), ("3,5" + " " * 30, [3, 5]), ("  4", [4])],
)
def test_plain_numbers(line: str, values: list[int]) -> None:
    assert faces(Plain(), line) == values


def test_a_sum_glued_to_the_last_die_spoils_the_line() -> None:
    assert refused(Plain("d6"), "4, 2, 6, 315")
    assert refused(Plain("d6"), "4, 2, 0")
    assert faces(Plain("d20"), "4, 2, 20") == [4, 2, 20]


def test_a_d10_says_nought_as_it_is_printed() -> None:
    assert faces(Plain("d10"), "0") == [0]
    assert faces(Plain("d10"), "10") == [10]
    assert faces(Plain("d00"), "90") == [90]
    assert refused(Plain("d00"), "95")
    assert refused(Plain("d10"), "11")


@pytest.mark.parametrize(
    ("line", "face"),
    [
        ("d6:4" + " " * 26, Face("", 4, "d6")),
        ("D20:17", Face("", 17, "d20")),
        ("Oak = 3", Face("Oak", 3)),
        ("Result: 4", Face("", 4)),
        ("Face 4", Face("", 4)),
        ("Roll Oak: ON_FACE value: 5", Face("Oak", 5)),
    ],
)
def test_names_and_values(line: str, face: Face) -> None:
    assert NameValue().parse(line) == Reading("throw", (face,), NameValue().parse(line).text)  # type: ignore[union-attr]


def test_only_known_names_are_dice_once_they_are_taught() -> None:
    assert faces(NameValue(names=("w",)), "w:3") == [3]
    assert refused(NameValue(names=("w",)), "errors:3")
    assert refused(NameValue(), "d6:7")
    assert refused(NameValue(), "d20:21")


def test_a_rolling_die_is_no_throw() -> None:
    for line in ("Rolling...", "ROLLING", "Roll Oak: ROLLING value: 5"):
        parsed = NameValue().parse(line)
        assert isinstance(parsed, Reading)
        assert parsed.kind == "moving"


@pytest.mark.parametrize(
    ("line", "face"),
    [
        ('{"name":"Oak","state":1,"val":17,"time":123456}', Face("Oak", 17)),
        ('{"pixelName":"Oak","faceValue":4}', Face("Oak", 4)),
        (
            '{"detected":true,"value":15,"confidence":0.92,"x":0,"y":0,"w":0,"h":0}',
            Face("", 15),
        ),
        (
            '{"pixelName":"\\u0007?","pixelId":77,"faceValue":4,"dieType":"d8","rollState":"rolled"}',
            Face("77", 4, "d8"),
        ),
    ],
)
def test_json_shapes(line: str, face: Face) -> None:
    parsed = Json("d20").parse(line)
    assert isinstance(parsed, Reading)
    assert (parsed.kind, parsed.faces) == ("throw", (face,))


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"state": 2}, "moving"),
        ({"state": 3}, "moving"),
        ({"state": 4}, "cocked"),
        ({"confidence": 0.5}, "cocked"),
        ({"detected": False}, "cocked"),
    ],
)
def test_json_that_is_no_throw(change: dict[str, object], kind: str) -> None:
    parsed = Json().parse(json.dumps({"name": "Oak", "val": 4} | change))
    assert isinstance(parsed, Reading)
    assert parsed.kind == kind
    assert all(face.value == UNREADABLE for face in parsed.faces)


@pytest.mark.parametrize(
    "data",
    [
        {"val": 4, "state": 0},
        {"val": 4, "state": 5},
        {"val": 4, "rollState": "onFace"},
        {"val": True},
        {"val": "4"},
        {"val": 4.5},
        {"val": 7},
        {"name": "Oak"},
        {"val": 4, "state": [1]},
    ],
)
def test_json_that_is_refused(data: dict[str, object]) -> None:
    assert refused(Json("d6"), json.dumps(data))


def test_json_as_deep_as_a_well_is_only_refused() -> None:
    assert refused(Json(), '{"a":' + "[" * 4000)
    assert refused(Json(), '{"val":4,' + " " * 5000 + '"x":1}')


def test_face_names_of_special_dice() -> None:
    form = Bare(("blue", "C", "+1 ••"))
    assert faces(form, "blue") == ["blue"]
    assert faces(form, "C, +1 ••") == ["C", "+1 ••"]
    assert refused(form, "C,green")


def test_a_pattern_of_ones_own() -> None:
    form = Pattern(r"Die (?P<die>\w+) shows (?P<face>[0-9]{1,2})!")
    assert form.parse("Die w shows 4!") == Reading("throw", (Face("w", 4),), "Thrown: w 4.")
    assert refused(form, "Die w shows 7!")


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?P<face>[0-9]",
        r"([0-9]+)",
        r"(?P<face>(a+)+)b",
        r"(?P<face>a*a*a*a*)b",
        r"(?P<face>[0-9])(?P=face)",
        r"(?=a)(?P<face>[0-9])",
        r"(?P<face>" + "a?" * 60 + ")",
        "x" * 300,
    ],
)
def test_a_pattern_that_is_broken_or_might_take_for_ever(pattern: str) -> None:
    with pytest.raises(BadSetting, match="pattern"):
        Pattern(pattern)


def test_the_crc_has_its_published_check_value() -> None:
    assert crc8(b"123456789") == 0xF4


def test_reference_throw() -> None:
    parsed = Reference().parse("CD1 42 w=d6:4,r=d6:2 t=640 *24")
    assert parsed == Reading("throw", (Face("w", 4, "d6"), Face("r", 2, "d6")), "Thrown: w 4, r 2.", 42)


def test_reference_hello_cocked_and_moving() -> None:
    hello = Reference().parse("CD1 hello id=E6614C31 boot=9F3A fw=1.0 dice=w:d6,r:d6 *A7")
    assert isinstance(hello, Reading)
    assert hello.hello
    assert hello.hello.dice == (("w", "d6"), ("r", "d6"))
    cocked = Reference().parse("CD1 43 cocked w *ED")
    assert isinstance(cocked, Reading)
    assert (cocked.kind, cocked.number, cocked.faces) == ("cocked", 43, (Face("w", UNREADABLE),))
    moving = Reference().parse("CD1 44 moving *50")
    assert isinstance(moving, Reading)
    assert (moving.kind, moving.number) == ("moving", 44)


@given(st.integers(0, 29), st.integers(32, 126))
def test_no_single_wrong_character_gets_through(place: int, wrong: int) -> None:
    line = "CD1 42 w=d6:4,r=d6:2 t=640 *24"
    spoilt = line[:place] + chr(wrong) + line[place + 1 :]
    assert spoilt == line or refused(Reference(), spoilt)


def test_reference_faces_out_of_range_or_twice() -> None:
    for body in ("CD1 1 w=d6:7 t=1", "CD1 1 w=d6:4,w=d6:4", "CD1 1 w=d6:4,r=6", "CD1 1 w=d6:blue"):
        assert refused(Reference(), f"{body} *{crc8(body.encode()):02X}")
    named = "CD1 1 h=hit:blue"
    assert faces(Reference(), f"{named} *{crc8(named.encode()):02X}") == ["blue"]


@pytest.mark.parametrize(
    "form",
    [
        Plain("d10"),
        NameValue("d20", ("w", "r")),
        Json("d8", 0.5),
        Bare(("blue", "C"), "hit"),
        Pattern("is (?P<face>.)"),
        Reference(),
    ],
)
def test_a_format_can_be_stored_and_named_again(form: Format) -> None:
    values = json.loads(json.dumps(stored(form)))
    assert format_named(**values) == form


def test_our_own_line_has_two_names() -> None:
    assert format_named("cd1") == format_named("reference") == Reference()


@pytest.mark.parametrize(
    "values",
    [
        {"name": "morse"},
        {"name": "plain", "kind": 6},
        {"name": "plain", "faces": ["blue"]},
        {"name": "bare"},
        {"name": "bare", "faces": "blue"},
        {"name": "bare", "faces": [3]},
        {"name": "json", "confidence": "much"},
    ],
)
def test_a_stored_format_that_is_broken_is_named(values: dict[str, object]) -> None:
    with pytest.raises(BadSetting, match="dice format"):
        format_named(**values)  # type: ignore[arg-type]
