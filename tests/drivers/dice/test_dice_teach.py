"""Lessons: what real devices send for the faces that they are shown."""

import re

import pytest

from drivers.dice.firmware.protocol import sealed
from drivers.dice.formats import Bare, Format, Json, NameValue, Plain, Reading, Reference, Refused
from drivers.dice.teach import Lesson, Sample, infer


def taught(write: str, faces: tuple[int | str, ...] = (1, 2, 6), kind: str = "d6") -> Lesson | Refused:
    return infer([Sample(face, tuple(write.format(face).split("|"))) for face in faces], kind)


@pytest.mark.parametrize(
    ("write", "form"),
    [
        ("{}", Plain("d6")),
        ("code.py output:|{}" + " " * 31, Plain("d6")),
        ("Rolling...|Result: {}", NameValue("d6")),
        ("rst:0x1 boot 12|w:{}", NameValue("d6", ("w",))),
        ("Roll Oak: ROLLING value: 3|Roll Oak: ON_FACE value: {}", NameValue("d6", ())),
        ('{{"name":"Oak","state":3,"val":5}}|{{"name":"Oak","state":1,"val":{}}}', Json("d6")),
    ],
)
def test_known_formats_are_found(write: str, form: Format) -> None:
    lesson = taught(write)
    assert isinstance(lesson, Lesson), lesson
    assert type(lesson.form) is type(form)
    for face in range(1, 7):
        parsed = lesson.form.parse(write.format(face).split("|")[-1])
        assert isinstance(parsed, Reading)
        assert [one.value for one in parsed.faces] == [face]


def test_the_reference_line_is_found() -> None:
    samples = [Sample(face, (sealed(f"{face} w=d6:{face} t=640"),)) for face in (1, 3, 5)]
    lesson = infer(samples)
    assert isinstance(lesson, Lesson)
    assert lesson.form == Reference()


def test_face_names_are_found() -> None:
    lesson = taught("{}", ("blue", "red", "C"), "hit")
    assert isinstance(lesson, Lesson)
    assert lesson.form == Bare(("C", "blue", "red"), "hit")


def test_any_other_frame_becomes_a_pattern() -> None:
    lesson = taught("battery 3.7 V|You rolled a [{}] (really)!")
    assert isinstance(lesson, Lesson)
    parsed = lesson.form.parse("You rolled a [4] (really)!")
    assert isinstance(parsed, Reading)
    assert parsed.faces[0].value == 4
    assert isinstance(lesson.form.parse("You rolled a [9] (really)!"), Refused)
    assert isinstance(lesson.form.parse("battery 4.7 V"), Refused)
    assert "is 6" in lesson.text


@pytest.mark.parametrize(
    ("samples", "why"),
    [
        ([Sample(1, ("1",)), Sample(2, ())], "Nothing came for face 2"),
        ([Sample(1, ("1",)), Sample(2, ("2",))], "at least 3 different faces"),
        ([Sample(1, ("0",)), Sample(2, ("1",)), Sample(6, ("5",))], "1 less than the face"),
        ([Sample(1, ("w:2",)), Sample(2, ("w:3",)), Sample(5, ("w:6",))], "1 more than the face"),
        ([Sample(1, ("1",)), Sample(2, ("2", "3")), Sample(6, ("6",))], "Several values came for face 2"),
        ([Sample(1, ("a",)), Sample(2, ("\x00b",)), Sample(6, ("c",))], "No rule fits: for face 6 .* 'c'"),
    ],
)
def test_it_says_why_not(samples: list[Sample], why: str) -> None:
    refused = infer(samples)
    assert isinstance(refused, Refused), refused
    assert re.search(why, refused.reason)


def test_three_samples_that_fit_by_chance_in_one_line_are_not_enough() -> None:
    """A counter that happens to show the face the first time does not become the rule."""
    samples = [Sample(face, (f"n:{line}", f"w:{face}")) for line, face in enumerate((1, 4, 2), 1)]
    lesson = infer(samples)
    assert isinstance(lesson, Lesson)
    parsed = lesson.form.parse("w:5")
    assert isinstance(parsed, Reading)
    assert isinstance(lesson.form.parse("n:5"), Refused)
