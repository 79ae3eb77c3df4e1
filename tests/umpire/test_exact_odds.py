"""Exact odds: given answers, hidden answers, policies, own options, questions, and where they refuse."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from companion.umpire import (
    Answer,
    Barred,
    Choice,
    Illegal,
    Missing,
    OneOf,
    Open,
    Pending,
    Question,
    Rolling,
    SomeOf,
    TooLarge,
    Unused,
    UsageError,
    advance,
    at_least,
    dice,
    odds,
    odds_by_option,
    options,
    procedure,
    run,
    scripted,
)
from tests.umpire.test_asks_and_answers import until_unlike
from tests.umpire.toys import Fire, Shot, fire, is_one_sentence

SIDES = OneOf(options("left", "right"))


def chances(of: Any, inputs: Any = None, *answers: Answer, **kw: Any) -> dict[Any, Fraction]:
    return {c.result: c.chance for c in odds(of, inputs, answers, **kw)}


def duel(ump: Any, _inputs: None) -> bool:
    """A decision of each side, one of them hidden, then a test; the same role comes twice."""
    attack = ump.choose("attack", "axis", SIDES, text="Attack", rule="1")
    guard = ump.choose("guard", "allies", SIDES, text="Guard", rule="1", answer_to="seat")
    if ump.test("hit", dice("d6"), [], at_least(5), rule="1"):
        return True
    return bool(attack != guard and ump.test("hit", dice("d6"), [], at_least(3), rule="1"))


fight = procedure("toy.duel", title="Duel", rule="1", questions={"hit": Question("Hit", lambda r: r)})(duel)
AXIS, ALLIES = Answer("attack", choice="left"), Answer("guard", choice="right")


def test_a_choice_without_an_answer_is_refused_and_named() -> None:
    with pytest.raises(Missing) as missing:
        odds(fight, None, [AXIS])
    assert [a.address for a in missing.value.asks] == ["guard"]


def test_given_answers_a_policy_and_one_row_per_option() -> None:
    expected = {True: Fraction(7, 9), False: Fraction(2, 9)}
    assert chances(fight, None, AXIS, ALLIES) == expected
    assert chances(fight, None, AXIS, policy={"guard": "right"}) == expected
    rows = odds_by_option(fight, None, (), policy={"guard": "right"}, seat="axis")
    assert {key: {c.result: c.chance for c in row}[True] for key, row in rows.items()} == {
        "left": Fraction(7, 9),
        "right": Fraction(1, 3),
    }
    assert list(odds_by_option(fight, None, (AXIS, ALLIES))) == [""]


def test_odds_never_use_what_the_asking_seat_cannot_see() -> None:
    assert chances(fight, None, AXIS, ALLIES, seat="allies") == chances(fight, None, AXIS, ALLIES)
    with pytest.raises(Missing):
        odds(fight, None, [AXIS, ALLIES], seat="axis")
    assert chances(fight, None, AXIS, ALLIES, seat="axis", policy={"guard": "left"})[True] == Fraction(1, 3)
    with pytest.raises(Missing):
        odds_by_option(fight, None, (AXIS,), seat="axis")


def test_a_role_that_comes_again_keeps_its_number_in_every_branch() -> None:
    assert chances(fight, None, AXIS, ALLIES, Answer("hit#2", faces=[6])) == {True: Fraction(1)}
    first = {True: Fraction(1, 3), False: Fraction(2, 3)}
    assert chances(fight, None, AXIS, ALLIES, Answer("hit#2", faces=[1])) == first


def test_answers_by_role_are_used_in_the_order_of_asking() -> None:
    known = [Answer(role="attack", choice="left"), Answer(role="guard", choice="right"), Answer(role="hit", faces=[2])]
    assert chances(fight, None, *known) == {True: Fraction(2, 3), False: Fraction(1, 3)}
    assert chances(fight, None, *known, Answer(role="hit", faces=[3])) == {True: Fraction(1)}


def test_answers_by_role_further_on_must_be_clear() -> None:
    part = chances(fire, Shot(), Answer(role="part", faces=["tail"]))
    assert Fire("damaged", "tail") in part
    assert Fire("damaged", "wings") not in part
    with pytest.raises(UsageError) as refused:
        odds(fire, Shot(), [Answer(role="part", faces=["tail"]), Answer(role="part", faces=["guns"])])
    assert is_one_sentence(refused.value)


def test_leftovers_are_refused_where_it_is_strict() -> None:
    stray = Answer("nowhere", faces=[1])
    assert chances(fire, Shot(), stray) == chances(fire, Shot())
    with pytest.raises(Unused) as unused:
        odds(fire, Shot(), [stray], strict=True)
    assert is_one_sentence(unused.value)
    assert odds(fire, Shot(), [Answer("targeting", faces=[6])], strict=True)


def test_rejected_dice_are_all_thrown_again() -> None:
    again = procedure("toy.again", title="Again", rule="1")(until_unlike)
    assert set(chances(again).values()) == {Fraction(1, 30)}
    one_lies = chances(again, None, Answer("pair", faces=[3]))
    assert one_lies["3+4"] == Fraction(1, 6) + Fraction(1, 6) * Fraction(1, 30)
    assert one_lies["1+2"] == Fraction(1, 6) * Fraction(1, 30)
    assert sum(one_lies.values()) == 1
    both = Answer("pair", faces=[3, 3])
    assert chances(again, None, both) == chances(again)
    assert chances(again, None, both, Answer("pair~1", faces=[3])) == one_lies
    assert chances(again, None, both, Answer("pair~1", faces=[3, 4])) == {"3+4": Fraction(1)}


def test_a_condition_that_nothing_meets() -> None:
    def never(ump: Any, _inputs: None) -> Any:
        return ump.roll("x", dice("d6"), rule="1", until=lambda _faces: False)

    with pytest.raises(UsageError) as refused:
        odds(procedure("toy.never", title="Never", rule="1")(never), None)
    assert is_one_sentence(refused.value)


def test_questions() -> None:
    assert chances(fire, Shot(), about="outcome")["missed"] == Fraction(1, 6)
    assert chances(fire, Shot(), about="hit") == {str(Shot()): Fraction(1)}
    assert set(chances(fight, None, AXIS, ALLIES, about="hit")) == {True, False}
    with pytest.raises(UsageError) as refused:
        odds(fire, Shot(), about="weather")
    assert is_one_sentence(refused.value)


def test_what_is_not_allowed_has_no_odds() -> None:
    barred = (Barred("range", "It is out of range.", "4"),)
    out = procedure("toy.out", title="Out", rule="4", violations=lambda _i: barred)(duel)
    for ask in (lambda: odds(out, None), lambda: run(out, None, Rolling()), lambda: scripted(out, None)):
        with pytest.raises(Illegal) as illegal:
            ask()
        assert illegal.value.violations == barred
        assert is_one_sentence(illegal.value)


def test_too_many_cases_are_refused() -> None:
    def many(ump: Any, count: int) -> Any:
        return tuple(ump.roll("x", dice("d20"), rule="1") for _ in range(count))

    with pytest.raises(TooLarge) as refused:
        odds(procedure("toy.many", title="Many", rule="1")(many), 5)
    assert is_one_sentence(refused.value)
    with pytest.raises(TooLarge) as refused:
        odds(procedure("toy.heap", title="Heap", rule="1")(lambda u, _: u.roll("x", dice("8d6"), rule="1")), None)
    assert is_one_sentence(refused.value)


def test_too_many_cases_are_refused_however_few_results_they_have(monkeypatch: pytest.MonkeyPatch) -> None:
    def even(ump: Any, _inputs: None) -> bool:
        return sum(ump.total("x", dice("d20"), rule="1") for _ in range(3)) % 2 == 0

    monkeypatch.setattr(sys.modules["companion.umpire.odds"], "LIMIT", 7_999)
    asked = procedure("toy.even", title="Even", rule="1")(even)
    with pytest.raises(TooLarge) as refused:
        odds(asked, None)
    assert is_one_sentence(refused.value)
    monkeypatch.setattr(sys.modules["companion.umpire.odds"], "LIMIT", 8_000)
    assert chances(asked) == {True: Fraction(1, 2), False: Fraction(1, 2)}


def test_too_many_cases_are_refused_before_any_is_counted() -> None:
    def flips(ump: Any, count: int) -> Any:
        assert count < 20, "nothing is counted"
        return tuple(ump.total("x", dice("d20"), rule="1") for _ in range(count))

    many = procedure("toy.flips", title="Flips", rule="1", cases=lambda count: 20**count)(flips)
    with pytest.raises(TooLarge) as refused:
        odds(many, 20)
    assert is_one_sentence(refused.value)
    assert len(odds(many, 2)) == 400


def test_large_pools_are_cheap_where_only_a_number_counts() -> None:
    def pool(ump: Any, _inputs: None) -> Any:
        return (ump.hits("hits", dice("20d6"), at_least(4), rule="1"), ump.total("sum", dice("20d10"), rule="1"))

    found = odds(procedure("toy.pool", title="Pool", rule="1")(pool), None)
    assert sum(c.chance for c in found) == 1
    assert {c.result[0] for c in found} == set(range(21))


@pytest.mark.parametrize(
    "rule",
    [lambda ump, _i: [ump.total("x", dice("d6"), rule="1")], lambda ump, _i: ump.call("c", lambda _u, x: x[0], [1])],
)
def test_odds_need_values_that_can_be_compared(rule: Any) -> None:
    with pytest.raises(UsageError) as refused:
        odds(procedure("toy.list", title="List", rule="1")(rule), None)
    assert is_one_sentence(refused.value)


def test_options_that_are_lists_and_asks_that_have_none() -> None:
    def load(ump: Any, _inputs: None) -> int:
        return len(ump.choose("load", "axis", SomeOf(options("a", "b"), 1, 2), text="Load", rule="1"))

    rows = odds_by_option(procedure("toy.load", title="Load", rule="1")(load), None)
    assert list(rows) == ["a", "b", "a, b"]

    def plans(ump: Any, _inputs: None) -> Any:
        return tuple(ump.together("p", {s: Choice("x", SIDES, s) for s in "ab"}, rule="1").items())

    both = procedure("toy.both", title="Both", rule="1")(plans)
    with pytest.raises(Missing) as missing:
        odds(both, None)
    assert len(missing.value.asks) == 2
    sealed = [Answer("p@a/x", choice="left"), Answer("p@b/x", choice="right")]
    assert chances(both, None, *sealed, seat="a") == {(("a", "left"), ("b", "right")): Fraction(1)}

    def fact(ump: Any, _inputs: None) -> Any:
        return ump.fact("f", SIDES, text="Which?", rule="1")

    with pytest.raises(Missing):
        odds_by_option(procedure("toy.fact", title="Fact", rule="1")(fact), None)


def test_an_answer_below_a_call_conditions_that_call_alone() -> None:
    def twice(ump: Any, _inputs: None) -> tuple[bool, ...]:
        return tuple(ump.call(f"shot:{i}", once, 4) for i in (1, 2))

    def once(ump: Any, need: int) -> bool:
        return bool(ump.test("die", dice("d6"), [], at_least(need), rule="1"))

    pair = procedure("toy.twice", title="Twice", rule="1")(twice)
    assert chances(pair, None, Answer("shot:2/die", faces=[6])) == {
        (True, True): Fraction(1, 2),
        (False, True): Fraction(1, 2),
    }


def test_a_procedure_describes_itself() -> None:
    described = fire.describe()
    assert described["procedure"] == "toy.fire"
    assert set(described["asks"]) == {"targeting", "outcome", "part"}
    assert described["questions"]["outcome"] == "What happens"
    assert fire.inputs({"firepower": "3"}) == Shot(3)
    assert (fire.game, repr(fire), fire.result_type) == ("toy", "<procedure toy.fire [4.5]>", Fire)
    with pytest.raises(UsageError) as refused:
        fire.inputs({"firepower": "much"})
    assert is_one_sentence(refused.value)


def test_a_procedure_in_progress_is_data() -> None:
    pending = Pending("toy.fire", "1", msgspec.to_builtins(Shot(9, 2)), (Answer("targeting", faces=[6]),))
    again = msgspec.json.decode(msgspec.json.encode(pending), type=Pending)
    assert again == pending
    done = run(fire, fire.inputs(again.inputs), Rolling(seed=3))
    assert done.result.changes == done.changes


def test_every_kind_of_ask_is_walked_again_in_each_branch() -> None:
    """Notes, calls, sealed groups and pools stand before a die, so each branch after the first meets them again."""

    def everything(ump: Any, _inputs: None) -> tuple[Any, ...]:
        group = ump.together("plans", {"a": Choice("x", SIDES, "a")}, rule="1")
        ump.note("the plans are open", "1")
        hits = ump.hits("pool", dice("2d6"), at_least(4), rule="1")
        return group["a"], hits, ump.test("last", dice("d6"), [], at_least(4), rule="1")

    rule = procedure("toy.everything", title="Everything", rule="1")(everything)
    plan = Answer("plans@a/x", choice="left")
    found = odds(rule, None, [plan])
    assert {c.result: c.chance for c in found}["left", 1, True] == Fraction(1, 4)
    assert [line.text for line in found[0].lines] == [
        "the plans are open",
        f"pool: needs 4+ each: {found[0].result[1]} of 2",
        "last: needs 4+: no",
    ]
    done = scripted(rule, None, [plan, Answer("pool", faces=[3, 4]), Answer("last", faces=[4])])
    assert done.result == ("left", 1, True)
    assert done.lines[1].text == "pool: 3+4 2d6, needs 4+ each: 1 of 2"
    stopped = advance(rule, None, [plan])
    assert isinstance(stopped, Open)
    assert (stopped.asks[0].needs, stopped.asks[0].open_slots) == ("4+ each", ("d6 1", "d6 2"))


def test_a_decision_that_may_come_later_has_its_rows_too() -> None:
    def later(ump: Any, _inputs: None) -> Any:
        if ump.test("first", dice("d6"), [], at_least(6), rule="1"):
            return "first"
        return ump.choose("then", "axis", SIDES, text="Then?", rule="1")

    rule = procedure("toy.later", title="Later", rule="1")(later)
    rows = odds_by_option(rule, None, seat="axis")
    assert {key: {c.result: c.chance for c in row}[key] for key, row in rows.items()} == {
        "left": Fraction(5, 6),
        "right": Fraction(5, 6),
    }
    with pytest.raises(Missing):
        odds_by_option(rule, None, seat="allies")
