from __future__ import annotations

from dataclasses import dataclass

import pytest

from companion.game import chances, views
from companion.game.intake import Intake, match
from companion.game.slip import slip
from companion.game.table import Table
from companion.game.tables import Tables
from companion.umpire import Ask, dice_of
from printouts import text
from tests.game.conftest import again, shown
from tests.game.test_table import fire


def test_a_sealed_choice_is_nobody_elses_to_see(table: Table) -> None:
    table.open("plan", seat="ann")
    before = views.view(table, "ann")
    assert {a["seat"] for a in before["open"]["asks"]} == {"ann", "bob"}
    table.answer("plan@bob/card", "loop", seat="bob")
    after = views.view(table, "ann")
    assert {a["seat"] for a in after["open"]["asks"]} == {"ann"}
    for seat in ("", "ann"):
        seen = views.view(table, seat)
        assert "loop" not in repr([seen["open"]["lines"], seen["view"], seen["log"], seen["last"]])
    assert before["view"] == after["view"]


def test_hidden_options_are_only_shown_to_their_seat(table: Table) -> None:
    table.open("plan", seat="ann")
    for seat, visible in (("ann", {"ann"}), ("bob", {"bob"}), ("", set()), ("host", {"ann", "bob"})):
        asks = views.view(table, seat)["open"]["asks"]
        assert {a["seat"] for a in asks if "space" in a} == visible


def test_views_are_equal_whatever_the_other_side_holds(tables: Tables) -> None:
    seen = []
    for card in ("loop", "roll"):
        table = tables.new("toy", name="SAME")
        table.open("plan", seat="ann")
        table.answer("plan@bob/card", card, seat="bob")
        table.answer("plan@ann/card", "roll", seat="ann")
        view = views.view(table, "ann")
        seen.append({k: v for k, v in view.items() if k not in ("table", "chain")})
    assert seen[0] == seen[1]


def test_what_is_barred_says_why(table: Table) -> None:
    acts = {a["key"]: a for a in views.view(table, "ann")["acts"]}
    assert acts["fly"]["barred"] == [{"code": "fuel", "text": "No fuel.", "rule": "toy:6", "address": ""}]
    assert acts["shoot:ann>bob"]["mine"]
    assert not acts["shoot:bob>ann"]["mine"]
    assert acts["next"]["mine"]
    assert not {a["key"]: a for a in views.view(table, "")["acts"]}["next"]["mine"]


def test_odds_are_shown_after_each_die(table: Table) -> None:
    table.open("shoot:ann>bob", seat="ann")
    found = chances.of_open_act(table, "ann")
    assert found["asks"] == ["far"]
    table.answer("far", "near", seat="ann")
    rows = {r["result"]: (r["numerator"], r["denominator"]) for r in chances.of_open_act(table, "ann")["outcomes"]}
    assert rows == {"HIT": (2, 3), "MISS": (1, 3)}
    table.answer("aim", [4], seat="ann")
    rows = {r["result"]: r["percent"] for r in chances.of_open_act(table, "ann")["outcomes"]}
    assert rows == {"HIT": 100.0}
    table.answer("harm", [4, 4], seat="ann")
    assert chances.of_open_act(table, "ann")["outcomes"] == []


def test_odds_know_no_sealed_choice_of_another_seat(table: Table) -> None:
    table.open("plan", seat="ann")
    table.answer("plan@bob/card", "loop", seat="bob")
    assert "plan@bob/card" in chances.of_open_act(table, "ann")["asks"]


def test_the_slip_shows_the_arithmetic_and_the_link(table: Table) -> None:
    number = fire(table, far="far", aim=5, harm=(4, 2))
    lines = text.render(slip(table, number, link="http://192.168.1.23:8080/e/9f3k"), 32).splitlines()
    assert lines[0].split() == ["TOY", "No", "0001"]
    assert any(line.split()[:2] == ["far", "-1"] or "far†" in line.replace(" ", "") for line in lines)
    assert any(line.split()[-4:] == ["4,", "needs", "3+", "HIT"] for line in lines)
    assert any("192.168.1.23:8080/e/9f3k" in line for line in lines)
    assert any(table.tail in line for line in lines)
    assert all(len(line) <= 32 for line in lines)


def test_the_slip_of_an_undone_act_is_void(table: Table) -> None:
    number = fire(table)
    table.undo(seat="ann")
    assert "VOID" in text.render(slip(table, number), 32)


@dataclass
class Seen:
    die: str
    value: int | str
    kind: str | None = None


ASK = Ask("dice", "a", "throw", "1", dice=dice_of(white="d6", red="d6", big="d10"), open_slots=("white", "red", "big"))


@pytest.mark.parametrize(
    ("faces", "taken"),
    [
        ([Seen("r", 2), Seen("w", 5)], {"red": "2", "white": "5"}),
        ([Seen("", 9)], {"big": "9"}),
        ([Seen("", 4), Seen("", 3)], {"white": "4", "red": "3"}),
        ([Seen("", 0, "d10")], {"big": "10"}),
        ([Seen("big", 0)], {"big": "10"}),
        ([Seen("w", 7)], {"big": "7"}),
        ([Seen("x", 77)], {}),
    ],
)
def test_faces_find_their_slots(faces: list[Seen], taken: dict[str, str]) -> None:
    assert match((ASK,), faces).faces == taken


class Clock:
    """Runs what is due when the test says so."""

    def __init__(self) -> None:
        self.due: list[object] = []

    def later(self, seconds: float, do: object) -> None:
        self.due.append(do)

    def pass_(self) -> None:
        due, self.due = self.due, []
        for do in due:
            do()  # type: ignore[operator]


def asked(table: Table) -> None:
    table.open("shoot:ann>bob", seat="ann")
    table.answer("far", "near", seat="ann")


def test_a_die_is_held_before_it_counts(tables: Tables, table: Table) -> None:
    asked(table)
    clock = Clock()
    intake = Intake(table, clock.later)
    assert intake.arrive("tower", [Seen("w", 5)], at=table.asked_at + 1)
    assert table.asks[0].address == "aim"
    assert views.view(table, "ann")["arrived"][0]["faces"] == {"white": "5"}
    fresh = again(tables, table)
    assert fresh.arrived.keys() == table.arrived.keys()
    clock.pass_()
    assert table.records[0].sources["aim"] == {"white": "tower"}
    assert again(tables, table).records[0].dies["aim"] == {"white": "w"}
    assert table.asks[0].address == "harm"
    assert shown(again(tables, table)) == shown(table)


@pytest.mark.field(39)
def test_a_held_die_can_be_refused(table: Table) -> None:
    asked(table)
    clock = Clock()
    Intake(table, clock.later).arrive("tower", [Seen("w", 5)], at=table.asked_at + 1)
    table.refuse(next(iter(table.arrived)), seat="ann", reason="cocked")
    clock.pass_()
    assert table.asks[0].open_slots == ("white",)


@pytest.mark.field(39)
def test_what_comes_unasked_goes_to_the_side(table: Table) -> None:
    clock = Clock()
    intake = Intake(table, clock.later, hold=0)
    assert not intake.arrive("tower", [Seen("w", 5)], at=table.asked_at + 1)
    assert table.asides[0]["text"] == "w 5 came while nothing was asked that it fits"
    asked(table)
    assert not intake.arrive("tower", [Seen("w", 3)], at=table.asked_at - 1)
    assert table.asides[1]["text"] == "w 3 came before it was asked for"
    assert intake.arrive("tower", [Seen("w", 4), Seen("q", 6)], at=table.asked_at + 1)
    assert table.records[0].answers["aim"] == {"white": "4"}
    assert table.asides[2]["text"] == "q 6 came beside the dice that were asked for"


def test_a_second_die_does_not_displace_a_held_one(table: Table) -> None:
    asked(table)
    clock = Clock()
    intake = Intake(table, clock.later)
    intake.arrive("tower", [Seen("w", 5)], at=table.asked_at + 1)
    assert not intake.arrive("tower", [Seen("w", 1)], at=table.asked_at + 1)
    clock.pass_()
    assert table.records[0].answers["aim"] == {"white": "5"}


def test_undo_lets_held_dice_go(table: Table) -> None:
    asked(table)
    clock = Clock()
    Intake(table, clock.later).arrive("tower", [Seen("w", 5)], at=table.asked_at + 1)
    table.undo(seat="ann")
    clock.pass_()
    assert table.arrived == {}
    assert table.current is None
