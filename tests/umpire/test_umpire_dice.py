"""Dice: what an entry means, what lies, what a throw is called."""

from __future__ import annotations

from typing import Any

import pytest

from companion.umpire import (
    D6,
    Answer,
    Face,
    Open,
    Recorded,
    UsageError,
    advance,
    at_least,
    dice,
    dice_of,
    die,
    movement,
    procedure,
    run,
)
from companion.umpire.readings import die_for, pick_reading, ranges
from tests.umpire.toys import HULL, SWING, is_one_sentence


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"value": 1, "dots": 2}, "+1 ••"),
        ({"value": 1, "dots": 1}, "+1 •"),
        ({"value": 2, "dots": "X"}, "+2 X"),
        ({"value": 0, "dots": 0}, "0"),
        ({"value": -1}, "-1 X"),
        ("+1 •", "+1 •"),
        ("1 ••", "+1 ••"),
        ("-1•••", "-1 •••"),
        (1, "-1 •••"),
        ("4", "+1 •"),
        (6, "+2"),
        ("0 X", "0 X"),
    ],
)
def test_a_movement_die_is_entered_as_it_shows_or_by_its_face_number(given: Any, name: str) -> None:
    assert SWING.face(given).name == name


def test_what_the_printed_die_shows_wins_over_the_layout() -> None:
    face = SWING.face({"value": 1, "dots": 3})
    assert (face.value, face.dots) == (1, 3)
    assert face not in SWING.faces


@pytest.mark.parametrize(
    ("kind", "given", "value"),
    [("d6", "6", 6), ("d6", 1, 1), ("d5", 10, 5), ("d5", "3", 2), ("d00", 0, 0), ("d00", "70", 70), ("d20", 20, 20)],
)
def test_plain_dice_take_their_number(kind: str, given: Any, value: int) -> None:
    assert die(kind).face(given).value == value


def test_named_dice_take_a_name_or_the_number_of_the_side() -> None:
    assert HULL.face("tail") == HULL.face(3)
    assert HULL.names == ("wings", "tail", "engine", "guns", "pilot")


@pytest.mark.parametrize(
    ("of", "given"),
    [
        (D6, 7),
        (D6, "x" * 500),
        (D6, True),
        (D6, "9" * 5000),
        (die("d00"), 7),
        (HULL, "nose"),
        (HULL, 0),
        (SWING, 7),
        (SWING, "+5 •"),
        (SWING, {"value": 9, "dots": 1}),
        (SWING, {"value": [1], "dots": 1}),
        (SWING, {"value": 1, "dots": 4}),
        (SWING, {"dots": 1}),
    ],
)
def test_a_face_that_the_die_lacks_is_refused_in_one_sentence(of: Any, given: Any) -> None:
    with pytest.raises(UsageError) as refused:
        of.face(given)
    assert is_one_sentence(refused.value)
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize(
    ("given", "total"),
    [([70, 4], 74), ([74], 74), (74, 74), ([0, 0], 100), ([100], 100), ([0], 100), (["00", "5"], 5), ([7], 7)],
)
def test_percentile_dice(given: Any, total: int) -> None:
    throw = dice("d100")
    lying = throw.lying(given)
    assert throw.total([lying["tens"], lying["units"]]) == total


def test_percentile_dice_one_by_one() -> None:
    throw = dice("d100")
    tens = throw.lying({"tens": 70})
    assert {n: f.value for n, f in throw.lying([4], tens).items()} == {"tens": 70, "units": 4}
    assert {n: f.value for n, f in throw.lying(["90"], throw.lying([12])).items()} == {"tens": 90, "units": 0}


@pytest.mark.parametrize("given", [[71, 4], [101], [70, 4, 1], ["x", 4], {"thousands": 1}, ["x"]])
def test_wrong_percentile_entries(given: Any) -> None:
    with pytest.raises(UsageError) as refused:
        dice("d100").lying(given)
    assert is_one_sentence(refused.value)


def test_a_list_fills_the_slots_that_are_open_and_starts_again_once_none_is() -> None:
    throw = dice("3d6", "red")
    lying = throw.lying([2, 5])
    lying = throw.lying([6], lying)
    assert [lying[s.name].value for s in throw.slots] == [2, 5, 6]
    assert throw.lying([1], lying)["red 1"].value == 1
    with pytest.raises(UsageError, match="2 faces were given where 1 of red 3d6"):
        throw.lying([1, 2], throw.lying([2, 5]))


def test_dice_by_name() -> None:
    throw = dice_of(white="d6", hull_die="hull die")
    assert throw is dice_of(white="d6", hull_die="hull die")
    lying = throw.lying({"hull die": "tail", "white": 3})
    assert (lying["white"].value, lying["hull die"].name) == (3, "tail")


@pytest.mark.parametrize(
    ("throw", "words"),
    [
        (dice("d100"), "d100"),
        (dice("2d6", "red"), "red 2d6"),
        (dice("2d6"), "2d6"),
        (dice("d6", "white"), "white d6"),
        (dice("d6"), "d6"),
        (dice("d6+hull die"), "d6 and hull die"),
        (dice_of(white="d6", aim="swing"), "white d6 and aim swing"),
        (dice_of(anna="d6", ben="d6"), "anna d6 and ben d6"),
    ],
)
def test_dice_are_named_as_players_say_them(throw: Any, words: str) -> None:
    assert throw.words == words


@pytest.mark.parametrize("spec", ["d7", "six dice", "2d6+", "0"])
def test_unknown_dice(spec: str) -> None:
    with pytest.raises(UsageError) as refused:
        dice(spec)
    assert is_one_sentence(refused.value)


def test_bounds() -> None:
    assert (dice("d100").low, dice("d100").high) == (1, 100)
    assert (dice("2d6").low, dice("swing").low, dice("swing").high) == (2, -1, 2)
    assert movement("m", [0], [None]).faces == (Face("0 X", 0, None),)


@pytest.mark.parametrize(
    ("count", "words", "shown"),
    [
        (2, "d6", ["1-3", "4-6"]),
        (5, "d10", ["1-2", "3-4", "5-6", "7-8", "9-10"]),
        (4, "d20", ["1-5", "6-10", "11-15", "16-20"]),
        (6, "d6", ["1", "2", "3", "4", "5", "6"]),
        (7, "d10", ["1", "2", "3", "4", "5", "6", "7"]),
        (25, "d100", [f"{i}-{i + 3}" for i in range(1, 100, 4)]),
    ],
)
def test_equal_ranges_on_the_smallest_die(count: int, words: str, shown: list[str]) -> None:
    throw = die_for(count)
    assert throw.words == words
    assert list(ranges(throw, count)) == shown
    assert len({weight for _, weight in pick_reading(throw, count).weighed()[0]}) == 1


def test_more_candidates_than_any_die_tells_apart() -> None:
    with pytest.raises(UsageError) as refused:
        die_for(101)
    assert is_one_sentence(refused.value)


def test_a_void_takes_up_one_die_only() -> None:
    pair = procedure("toy.pair", title="Pair", rule="1")(_pair)
    thrown = [Answer("pair", faces=[2, 5]), Answer("pair", void=["red 2"])]
    stopped = advance(pair, None, thrown)
    assert isinstance(stopped, Open)
    assert stopped.asks[0].open_slots == ("red 2",)
    done = run(pair, None, Recorded(None, [*thrown, Answer("pair", faces=[6])]))
    assert done.result == 8
    by_role = [Answer(role="pair", faces=[2, 5], void=["red 1"]), Answer(role="pair", faces=[3])]
    assert run(pair, None, Recorded(None, by_role)).result == 8


def _pair(ump: Any, inputs: None) -> int:
    assert not ump.test("sure", dice("d6"), [], at_least(9), rule="1")
    return int(ump.total("pair", dice("2d6", "red"), rule="1"))
