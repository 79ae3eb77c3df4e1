from __future__ import annotations

import pytest

from companion.game.errors import Illegal, NotNow, NotYours, UsageError
from companion.game.table import KEPT, Table
from companion.game.tables import Tables
from tests.game.conftest import again, shown

HIT = {"kind": "hit", "target": "bob", "value": 5, "text": "bob takes 5"}


def fire(table: Table, aim: int = 5, harm: tuple[int, int] = (2, 3), far: str = "near") -> int:
    number = table.open("shoot:ann>bob", seat="ann")
    table.answer("far", far, seat="ann")
    table.answer("aim", [aim], seat="ann")
    if table.asks:
        table.answer("harm", list(harm), seat="ann")
    return number


def test_an_act_runs_from_ask_to_state(table: Table) -> None:
    number = table.open("shoot:ann>bob", seat="ann")
    assert [a.address for a in table.asks] == ["far"]
    table.answer("far", "far", seat="ann")
    ask = table.asks[0]
    assert (ask.address, ask.needs, [m.value for m in ask.mods]) == ("aim", "3+", [-1])
    table.answer("aim", [4], seat="ann")
    table.answer("harm", {"red 1": 6}, seat="ann")
    assert table.asks[0].open_slots == ("red 2",)
    table.answer("harm", {"red 2": 1}, seat="ann")
    record = table.record(number)
    assert record.closed
    assert record.summary["word"] == "HIT"
    assert record.summary["phase"] == "Round 1"
    assert record.lines[0]["text"] == "aim: 4 white d6 -1 far [toy:1.2]† = 3, needs 3+: hit"
    assert table.state.hits == {"ann": 0, "bob": 7}


def test_every_step_survives_a_restart(tables: Tables, table: Table) -> None:
    steps = [
        lambda: table.open("shoot:ann>bob", seat="ann"),
        lambda: table.answer("far", "near", seat="ann"),
        lambda: table.answer("aim", [5], seat="ann"),
        lambda: table.answer("harm", {"red 1": 2}, seat="ann"),
        lambda: table.void("harm", "red 1", seat="ann", reason="cocked"),
        lambda: table.answer("harm", [2, 3], seat="ann"),
        lambda: table.open("torpedo:ann>bob", seat="ann"),
        lambda: table.undo(seat="ann", acts=2),
        lambda: table.open("shoot:bob>ann", seat="bob"),
        lambda: table.answer("far", "near", seat="bob"),
    ]
    for step in steps:
        step()
        assert shown(again(tables, table)) == shown(table)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [([7], "'7' is not a face of the d6"), ({"blue": 3}, "There is no die 'blue'"), ([1, 2], "2 faces were given")],
)
def test_wrong_faces_change_nothing(table: Table, given: object, sentence: str) -> None:
    table.open("shoot:ann>bob", seat="ann")
    table.answer("far", "near", seat="ann")
    before = table.version
    with pytest.raises(UsageError, match=sentence):
        table.answer("aim", given, seat="ann")
    assert table.version == before
    assert table.asks[0].open_slots == ("white",)


def test_a_choice_that_does_not_exist_is_refused(table: Table) -> None:
    table.open("shoot:ann>bob", seat="ann")
    with pytest.raises(UsageError, match="not one of the choices; they are near, far"):
        table.answer("far", "sideways", seat="ann")


def test_only_what_is_due_can_be_done(table: Table) -> None:
    with pytest.raises(NotNow, match="not something to do now"):
        table.open("shoot:ann>eve", seat="ann")
    with pytest.raises(Illegal, match=r"No fuel \[toy:6\]\."):
        table.open("fly", seat="ann")
    with pytest.raises(NotYours, match="for Ann to do, not for Bob"):
        table.open("shoot:ann>bob", seat="bob")
    with pytest.raises(NotYours, match="spectator only watches"):
        table.open("next", seat="")
    table.open("shoot:ann>bob", seat="host")
    with pytest.raises(NotNow, match="still open"):
        table.open("next", seat="ann")
    with pytest.raises(NotNow, match="'aim' is not asked now"):
        table.answer("aim", [3], seat="ann")


def test_a_double_tap_is_one_act_and_one_roll(table: Table) -> None:
    first = table.open("shoot:ann>bob", seat="ann", key="k1")
    assert table.open("shoot:ann>bob", seat="ann", key="k1") == first
    table.answer("far", "near", seat="ann", key="k2")
    table.answer("far", "near", seat="ann", key="k2")
    table.answer("aim", [1], seat="ann", key="k3")
    table.answer("aim", [6], seat="ann", key="k3")
    assert [r.answers["aim"] for r in table.records] == [{"white": "1"}]


def test_sealed_choices_open_together(table: Table) -> None:
    table.open("plan", seat="ann")
    assert {a.seat for a in table.asks} == {"ann", "bob"}
    table.answer("plan@bob/card", "loop", seat="bob")
    assert table.state.cards == {}
    with pytest.raises(NotYours):
        table.answer("plan@ann/card", "loop", seat="bob")
    table.answer("plan@ann/card", "roll", seat="ann")
    assert table.state.cards == {"ann": "roll", "bob": "loop"}


def test_a_change_waits_for_its_moment(tables: Tables, table: Table) -> None:
    table.open("torpedo:ann>bob", seat="ann")
    assert table.state.hits["bob"] == 0
    assert shown(again(tables, table)) == shown(table)
    table.open("next", seat="bob")
    assert (table.state.hits["bob"], table.state.round, table.standing.held) == (10, 2, ())


class TestUndo:
    def test_faces_stick_to_the_next_throw_at_the_same_address(self, table: Table) -> None:
        fire(table, aim=2)
        table.undo(seat="ann")
        table.open("shoot:bob>ann", seat="bob")
        table.answer("far", "near", seat="bob")
        record = table.records[-1]
        assert record.answers["aim"] == {"white": "2"}
        assert record.sources["aim"] == {"white": KEPT}
        assert record.summary["word"] == "MISS"

    def test_a_fresh_throw_needs_the_other_side(self, table: Table) -> None:
        fire(table, aim=2)
        with pytest.raises(NotYours, match="must agree"):
            table.undo(seat="ann", fresh=True)
        with pytest.raises(NotYours):
            table.undo(seat="ann", agreed="ann", fresh=True)
        table.undo(seat="ann", agreed="bob", fresh=True)
        table.open("shoot:ann>bob", seat="ann")
        table.answer("far", "near", seat="ann")
        assert table.asks[0].address == "aim"

    def test_what_was_revealed_needs_the_other_side(self, table: Table) -> None:
        table.open("plan", seat="ann")
        table.answer("plan@ann/card", "roll", seat="ann")
        table.answer("plan@bob/card", "loop", seat="bob")
        with pytest.raises(NotYours, match="secrets were shown"):
            table.undo(seat="ann")
        table.undo(seat="host")
        assert table.state.cards == {}

    @pytest.mark.field(40)
    def test_redo_brings_back_the_same_dice(self, tables: Tables, table: Table) -> None:
        first, second = fire(table), fire(table, harm=(6, 6))
        before = shown(table)
        assert table.undo(seat="ann", acts=2) == [first, second]
        assert table.state.hits["bob"] == 0
        table.redo(seat="ann")
        assert shown(table) == before
        assert shown(again(tables, table)) == before
        fire(table)
        with pytest.raises(NotNow, match="Nothing was taken back just now"):
            table.redo(seat="ann")

    @pytest.mark.field(40)
    def test_the_log_keeps_what_was_undone_and_by_whom(self, tables: Tables, table: Table) -> None:
        number = fire(table)
        table.undo(seat="bob")
        entries = list(tables.journal.entries(table.key))
        assert entries[-1].kind == "undone"
        assert (entries[-1].body["seat"], entries[-1].body["acts"]) == ("bob", [number])
        assert [e.kind for e in entries].count("closed") == 1

    @pytest.mark.field(40)
    def test_two_phones_undo_once(self, table: Table) -> None:
        fire(table)
        fire(table)
        table.undo(seat="ann", key="once")
        table.undo(seat="ann", key="once")
        assert len(table.played) == 1

    def test_an_open_act_is_undone_first(self, table: Table) -> None:
        fire(table)
        table.open("next", seat="ann")
        table.open("shoot:ann>bob", seat="ann")
        table.undo(seat="ann")
        assert (table.asks, table.state.round) == ((), 2)

    def test_there_must_be_something(self, table: Table) -> None:
        with pytest.raises(NotNow, match="nothing to take back"):
            table.undo(seat="ann")


class TestAmend:
    def test_a_face_is_corrected_and_later_answers_stay(self, tables: Tables, table: Table) -> None:
        number = fire(table, harm=(2, 3))
        fire(table, harm=(1, 1))
        table.amend(number, "harm", {"red 2": "6"}, seat="ann", reason="read wrongly")
        assert table.state.hits["bob"] == 10
        record = table.record(number)
        assert record.answers["harm"] == {"red 1": "2", "red 2": "6"}
        assert record.amended[0]["before"] == {"red 1": "2", "red 2": "3"}
        assert record.slip == 1
        assert shown(again(tables, table)) == shown(table)

    def test_a_hit_that_becomes_a_miss_takes_its_effect_back(self, table: Table) -> None:
        number = fire(table)
        table.amend(number, "aim", {"white": 1}, seat="ann", reason="cocked")
        assert table.state.hits["bob"] == 0
        assert table.record(number).summary["word"] == "MISS"

    def test_a_miss_that_becomes_a_hit_asks_for_the_missing_dice(self, tables: Tables, table: Table) -> None:
        number = fire(table, aim=1)
        table.amend(number, "aim", {"white": 6}, seat="ann", reason="misread")
        assert [a.address for a in table.asks] == ["harm"]
        assert shown(again(tables, table)) == shown(table)
        table.answer("harm", [1, 2], seat="ann")
        assert table.state.hits["bob"] == 3

    def test_an_earlier_act_may_not_ask_for_more(self, table: Table) -> None:
        number = fire(table, aim=1)
        fire(table)
        with pytest.raises(NotNow, match="take back the later acts first"):
            table.amend(number, "aim", {"white": 6}, seat="ann", reason="misread")

    def test_what_cannot_be_amended(self, table: Table) -> None:
        number = fire(table)
        with pytest.raises(UsageError, match="has no answer at 'nothing'; it has far, aim, harm"):
            table.amend(number, "nothing", 1, seat="ann", reason="x")
        with pytest.raises(UsageError, match="has no act 99"):
            table.amend(99, "aim", 1, seat="ann", reason="x")
        table.undo(seat="ann")
        with pytest.raises(NotNow, match="taken back"):
            table.amend(number, "aim", {"white": 1}, seat="ann", reason="x")


class TestRuleByHand:
    def test_a_result_is_replaced(self, tables: Tables, table: Table) -> None:
        number = fire(table)
        table.rule([HIT], seat="host", reason="the book says so", number=number, word="GRAZED")
        assert table.state.hits["bob"] == 5
        record = table.record(number)
        assert (record.summary["word"], record.summary["changed"]) == ("GRAZED", ["bob takes 5"])
        assert record.ruled == {"seat": "host", "agreed": "", "reason": "the book says so", "word": "GRAZED"}
        assert shown(again(tables, table)) == shown(table)

    def test_an_open_act_is_ended(self, table: Table) -> None:
        number = table.open("shoot:ann>bob", seat="ann")
        table.rule([], seat="ann", agreed="bob", reason="too late tonight", number=number)
        assert table.current is None
        assert table.record(number).summary["word"] == "RULED BY HAND"

    def test_a_value_is_set(self, table: Table) -> None:
        table.rule([HIT], seat="ann", agreed="bob", reason="forgotten hit")
        assert table.state.hits["bob"] == 5

    def test_one_side_alone_cannot_rule(self, table: Table) -> None:
        for agreed in ("", "ann"):
            with pytest.raises(NotYours, match="needs the host, or both sides"):
                table.rule([HIT], seat="ann", agreed=agreed, reason="because")

    def test_a_reason_is_needed_and_the_game_must_take_it(self, table: Table) -> None:
        before = table.version
        with pytest.raises(UsageError, match="needs a reason"):
            table.rule([HIT], seat="host", reason="  ")
        with pytest.raises(UsageError, match="no pilot eve"):
            table.rule([HIT | {"target": "eve"}], seat="host", reason="x")
        with pytest.raises(UsageError, match="does not fit"):
            table.rule([{"value": 1}], seat="host", reason="x")
        assert table.version == before


def test_a_cocked_die_is_asked_again_and_remembered(table: Table) -> None:
    number = table.open("shoot:ann>bob", seat="ann")
    table.answer("far", "near", seat="ann")
    table.answer("aim", [5], seat="ann")
    table.answer("harm", {"red 2": 4}, seat="ann")
    table.void("harm", "red 2", seat="ann", reason="leans on the box")
    assert table.asks[0].open_slots == ("red 1", "red 2")
    assert table.record(number).attempts[0]["face"] == "4"
    with pytest.raises(NotNow, match="does not lie in an open throw"):
        table.void("harm", "red 2", seat="ann", reason="again")


def test_a_lying_die_is_not_replaced_by_a_second_answer(table: Table) -> None:
    table.open("shoot:ann>bob", seat="ann")
    table.answer("far", "near", seat="ann")
    table.answer("aim", [5], seat="ann")
    table.answer("harm", {"red 1": 4}, seat="ann")
    with pytest.raises(NotNow, match="lies already"):
        table.answer("harm", {"red 1": 6}, seat="ann")


def test_switches_and_presets(tables: Tables) -> None:
    assert tables.new("toy", preset="soft").switches == {"gentle": True}
    assert tables.new("toy").switches == {"gentle": False}
    with pytest.raises(UsageError, match="has no switch 'harsh'; it has gentle"):
        tables.new("toy", switches={"harsh": True})
    with pytest.raises(UsageError, match="has no preset"):
        tables.new("toy", preset="hard")


def test_a_wrong_set_up_writes_nothing(tables: Tables) -> None:
    with pytest.raises(UsageError, match="needs pilots"):
        tables.new("toy", {})
    assert tables.listed() == []


def test_put_away_and_taken_out(tables: Tables, table: Table) -> None:
    table.set_away(True)
    assert again(tables, table).put_away
    table.set_away(False)
    assert not again(tables, table).put_away


def test_learned_cells_stay_with_the_table(tables: Tables, table: Table) -> None:
    table.learn({"speed:Me 262": 9}, seat="ann")
    filled = again(tables, table).context.cells[("speed", "Me 262")]
    assert (filled.value, filled.house) == (9, False)
