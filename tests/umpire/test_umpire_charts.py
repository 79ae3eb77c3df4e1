"""Charts: ranges, names, natural throws, cells that are not allowed, and lines."""

from __future__ import annotations

from typing import Any

import pytest

from companion.umpire import (
    Answer,
    Chart,
    DuplicateModifier,
    Line,
    Modifier,
    Recorded,
    add,
    clear_caches,
    dice,
    dice_of,
    odds,
    procedure,
    row,
)
from companion.umpire.charts import NoCell
from companion.umpire.readings import table_reading
from tests.umpire.toys import OUTCOME, SPREAD, is_one_sentence, mod


@pytest.mark.parametrize(
    ("key", "inside", "outside"),
    [
        ("<=6", (-9, 6), (7,)),
        ("7-10", (7, 10), (6, 11)),
        ("7..10", (7, 10), (6, 11)),
        ("13+", (13, 99), (12,)),
        ("2", (2,), (1, 3)),
        ("-3--1", (-3, -1), (-4, 0)),
        ("-2..2", (-2, 2), (3,)),
        ("3-2", (), (2, 3)),
        ("ship", (), (0, 1)),
    ],
)
def test_a_row_covers_what_its_printed_key_says(key: str, inside: tuple[int, ...], outside: tuple[int, ...]) -> None:
    printed = row(key, ("x",))
    assert all(printed.covers(n) for n in inside)
    assert not any(printed.covers(n) for n in outside)


def test_cells_by_number_name_and_column() -> None:
    assert [OUTCOME.at(n) for n in (6, 7, 10, 11, 13)] == ["none", "damaged", "damaged", "double", "destroyed"]
    assert SPREAD.at(5, "b") == 2
    assert SPREAD.row_key(9) == "8+"
    for n in range(-2, 12):
        assert SPREAD.weigh(n - 1, [0, 3, 0], "b") == [(SPREAD.at(n, "b"), 3)]
    codes = Chart("codes", "Codes", "1", ("c",), (row("3-2", ("code",)), row("2-3", ("range",))))
    assert (codes.at("3-2"), codes.at(3)) == ("code", "range")


@pytest.mark.parametrize(("key", "column"), [("ship", ""), (5, "z"), (None, "")])
def test_a_cell_that_is_not_there(key: Any, column: str) -> None:
    with pytest.raises(NoCell) as missing:
        SPREAD.at(key, column)
    assert is_one_sentence(missing.value)


def test_natural_throws_override_the_sum_in_any_order_of_the_dice() -> None:
    chart = Chart("n", "N", "1", ("c",), OUTCOME.rows, natural={"6+5": "jam", "1+1": "none", "2+2+2": "never"})
    red, blue = dice("2d6").slots[0].die.face(5), dice("2d6").slots[0].die.face(6)
    assert chart.read([red, blue], 20) == chart.read([blue, red], 20) == "jam"
    assert chart.read([red, red], 20) == "destroyed"
    weights = dict(table_reading(chart, dice("2d6"), 9, "").weighed()[0])
    assert weights == {"none": 1, "jam": 2, "destroyed": 36 - 1 - 2 - weights.get("double", 0), "double": 2}


def test_natural_throws_of_unlike_dice_are_counted_face_by_face() -> None:
    chart = Chart("n", "N", "1", ("c",), (row("<=8", ("low",)), row("9+", ("high",))), natural={"2+3": "x"})
    throw = dice_of(a="d6", b="d5")
    plain: dict[Any, int] = {}
    for faces, weight in throw.all_faces():
        label = chart.read(faces, throw.total(faces))
        plain[label] = plain.get(label, 0) + weight
    assert dict(table_reading(chart, throw, 0, "").weighed()[0]) == plain


def test_a_single_face_may_have_a_plus_in_its_name() -> None:
    chart = Chart("s", "S", "1", ("c",), (row("<=9", ("row",)),), natural={"+1 •": "stall"})
    assert dict(table_reading(chart, dice("swing"), 0, "").weighed()[0]) == {"stall": 1, "row": 5}


def test_percent_chart() -> None:
    chart = Chart("p", "P", "1", ("c",), (row("<=50", ("low",)), row("51-99", ("high",)), row("100", ("top",))))
    assert dict(table_reading(chart, dice("d100"), 0, "").weighed()[0]) == {"low": 50, "high": 49, "top": 1}


def test_a_duplicate_modifier_is_refused() -> None:
    assert add([mod(1, "a"), mod(-3, "b")]) == -2
    with pytest.raises(DuplicateModifier) as twice:
        add([mod(1, "a"), mod(1, "b"), mod(2, "a")])
    assert "'a'" in str(twice.value)
    assert is_one_sentence(twice.value)


def test_the_line_that_players_see() -> None:
    far = Modifier(-1, "distance", "distance 2d", "4.5.1")
    line = Line("Targeting", "4.5", "white d6", ("5",), (far,), 4, "2+", "hit")
    assert line.text == "Targeting: 5 white d6 -1 distance 2d [4.5.1] = 4, needs 2+: hit"
    assert not line.house
    own = Modifier(2, "crew", "crew", "9", house=True)
    assert Line("Sure", "4.5", mods=(own,), verdict="yes").text == "Sure: +2 crew [9]†: yes"
    assert Line("Sure", "4.5", mods=(own,)).house
    assert Line("Outcome", "4.6", "2d6", ("3", "4"), total=7).text == "Outcome: 3+4 2d6 = 7"
    assert Line("", "4.6", verdict="it stays").text == "it stays"


def test_house_cells_are_marked_when_the_chart_is_read() -> None:
    chart = Chart("h", "Hail", "9", ("a",), (row("<=6", ("x",)),), house=frozenset({("<=6", "a")}))
    umpire = Recorded(None, [Answer("t", faces=[1]), Answer("t#2", faces=[1])])
    assert [umpire.table(chart, "t", dice("d6")), umpire.table(chart, "t", dice("d6"), column="a")] == ["x", "x"]
    assert umpire.house == ["Hail [9]"]


def test_odds_are_the_same_after_forgetting() -> None:
    once = procedure("toy.once", title="Once", rule="1")(lambda ump, _none: ump.table(OUTCOME, "o", dice("2d6")))
    before = odds(once, None)
    clear_caches()
    assert odds(once, None) == before


def test_a_natural_throw_with_one_die_down() -> None:
    """1 lies: 1 more is the natural throw; 2 to 5 more make 8 to 11 with +5, 6 makes 12."""
    throw = dice("2d6")
    weights = dict(table_reading(OUTCOME, throw, 5, "").weights_with(throw.lying([1])))
    assert weights == {"none": 1, "damaged": 3, "double": 2}
    assert SPREAD.read(tuple(throw.lying([1, 1]).values()), 2) == 0


def test_a_sum_beyond_the_chart_is_said() -> None:
    short = Chart("short", "Short", "1", ("c",), (row("name", ("x",)), row("2-9", ("y",))), natural={"1+1": "z"})
    for ask in (lambda: short.weigh(8, [1, 0, 1]), lambda: table_reading(short, dice("2d6"), 0, "").weighed()):
        with pytest.raises(NoCell, match="has no row for 10"):
            ask()
