"""Asks of every kind: what they show, what they take, what they refuse, who answers and who sees."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.umpire import (
    Answer,
    Barred,
    Choice,
    Context,
    Filled,
    Illegal,
    Missing,
    Notation,
    Number,
    OneOf,
    Open,
    Option,
    Recorded,
    Rolling,
    SomeOf,
    Space,
    TableSlot,
    Unused,
    UsageError,
    YesNo,
    advance,
    at_least,
    at_most,
    dice,
    odds,
    option,
    options,
    procedure,
    run,
    scripted,
)
from companion.umpire.base import Cards
from tests.umpire.toys import is_one_sentence

CLIMB = Option("climb", "Climb", "climb", Barred("ceiling", "It is at its ceiling.", "3.3.4"))
MOVES = OneOf((*options("left", "right"), CLIMB))
PAIR = SomeOf(options("a", "b", "c"), 2, 2)
SLOT = TableSlot("rate", "Rates", "9.9", Number(0, 9), ("type", "height"))


def heading(text: str) -> int:
    if not text.isdecimal():
        raise UsageError("A heading is a number of degrees.")
    if int(text) > 360:
        raise Illegal([Barred("heading", "There are 360 degrees.", "1")])
    return int(text)


COURSE = Notation(heading, "270", ("0", "90"))


@pytest.mark.parametrize(
    ("space", "given", "value"),
    [
        (MOVES, "left", "left"),
        (MOVES, ["right"], "right"),
        (PAIR, ["b", "a"], ("b", "a")),
        (SomeOf(options("a"), 0, 3, repeats=True), ["a", "a"], ("a", "a")),
        (Number(1, 6), "3", 3),
        (Number(-2, 6), -2, -2),
        (YesNo(), "Yes", True),
        (YesNo(), False, False),
        (COURSE, "270", 270),
    ],
)
def test_what_a_space_takes(space: Space[Any], given: Any, value: Any) -> None:
    assert space.parse(given) == value


@pytest.mark.parametrize(
    ("space", "given"),
    [
        (MOVES, "up"),
        (MOVES, ["left", "right"]),
        (MOVES, "climb"),
        (PAIR, "a"),
        (PAIR, ["a"]),
        (PAIR, ["a", "a"]),
        (PAIR, ["a", "z"]),
        (SomeOf(options("a"), 1, 3), []),
        (Number(1, 6), 7),
        (Number(1, 6), "many"),
        (Number(1, 6), 1.5),
        (YesNo(), "perhaps"),
        (COURSE, 270),
        (COURSE, "9" * 201),
        (COURSE, "north"),
        (COURSE, "720"),
    ],
)
def test_what_a_space_refuses_in_one_sentence(space: Space[Any], given: Any) -> None:
    with pytest.raises((UsageError, Illegal)) as refused:
        space.parse(given)
    assert is_one_sentence(refused.value)


@pytest.mark.parametrize(
    ("space", "legal"),
    [
        (MOVES, ("left", "right")),
        (PAIR, (("a", "b"), ("a", "c"), ("b", "c"))),
        (SomeOf(options("a", "b"), 1, 2, repeats=True), (("a",), ("b",), ("a", "a"), ("a", "b"), ("b", "b"))),
        (SomeOf((CLIMB,), 0, 2, repeats=True), ((),)),
        (Number(1, 3), (1, 2, 3)),
        (YesNo(), ("yes", "no")),
        (COURSE, ("0", "90")),
        (Space(), ()),
    ],
)
def test_the_answers_that_can_be_listed_are_all_taken(space: Space[Any], legal: tuple[Any, ...]) -> None:
    assert space.legal == legal
    for given in legal:
        space.parse(given)
    for seed in range(20):
        picked = space.pick(Random(seed))
        assert picked is None or space.parse(picked) is not None or not legal


def test_a_random_player_cannot_pick_what_is_not_there() -> None:
    assert SomeOf((CLIMB,), 1, 2).pick(Random(1)) is None
    assert 1 <= Number(1, 10**6).pick(Random(1)) <= 10**6
    assert len(Number(1, 10**6).legal) == 100


def test_what_a_space_shows() -> None:
    assert MOVES.listed[-1].barred
    assert PAIR.listed == options("a", "b", "c")
    assert [o.key for o in YesNo().listed] == ["yes", "no"]
    assert Number(1, 2).listed == ()
    assert options(a="Ahead") == (Option("a", "Ahead", "a"),) == (option("a", "Ahead"),)


def manoeuvre(ump: Any, _inputs: None) -> tuple[Any, ...]:
    known = ump.fact("wind", Number(0, 6), 4, text="Wind?", rule="7")
    cloud = ump.fact("cloud", YesNo(), text="Cloud?", rule="7")
    way = ump.choose("way", "axis", MOVES, text="Which way?", rule="3", options_to="seat", answer_to="seat")
    rate = ump.look_up(SLOT, "Bf 109", 3)
    cards = ump.draw("hand", "deck", 2, rule="8", seat="axis")
    return known, cloud, way, rate, cards


turn = procedure("toy.turn", title="Turn", rule="3")(manoeuvre)
ANSWERS = [
    Answer("cloud", fact=False),
    Answer("way", choice="left"),
    Answer("look_up:rate:Bf 109:3", value=5),
    Answer("hand", cards=["MAN", "HAL"]),
]


def test_asks_come_in_order_and_say_who_answers_and_who_sees() -> None:
    seen = []
    for i in range(len(ANSWERS)):
        stopped = advance(turn, None, ANSWERS[:i])
        assert isinstance(stopped, Open)
        seen += [(a.kind, a.address, a.role, a.seat, a.options_to, a.answer_to) for a in stopped.asks]
    assert seen == [
        ("fact", "cloud", "cloud", "", "all", "all"),
        ("choose", "way", "way", "axis", "seat", "seat"),
        ("look_up", "look_up:rate:Bf 109:3", "look_up:rate:Bf 109:3", "", "all", "all"),
        ("draw", "hand", "hand", "axis", "all", "seat"),
    ]
    assert scripted(turn, None, ANSWERS).result == (4, False, "left", 5, ("MAN", "HAL"))


@pytest.mark.parametrize(
    ("place", "answer"),
    [
        (1, Answer("way", choice="up")),
        (1, Answer("way", choice="climb")),
        (2, Answer("look_up:rate:Bf 109:3", value=12)),
        (3, Answer("hand", cards=["a", "b", "c"])),
        (3, Answer("hand", cards=-1)),
        (3, Answer("hand", cards=3)),
        (3, Answer("hand", choice="MAN")),
    ],
)
def test_a_wrong_answer_is_refused_at_its_address(place: int, answer: Answer) -> None:
    with pytest.raises((UsageError, Illegal)) as refused:
        scripted(turn, None, [*ANSWERS[:place], answer, *ANSWERS[place + 1 :]])
    if isinstance(refused.value, Illegal):
        assert [v.address for v in refused.value.violations] == [answer.address]
    else:
        assert str(refused.value).startswith(f"{answer.address}: ")
    assert is_one_sentence(refused.value)


def test_cards_may_be_counted_only() -> None:
    assert scripted(turn, None, [*ANSWERS[:3], Answer("hand", cards=1)]).result[-1] == ("?",)


def test_the_last_answer_at_an_address_counts() -> None:
    amended = [*ANSWERS, Answer("way", choice="right")]
    assert scripted(turn, None, amended).result[2] == "right"


@pytest.mark.parametrize(
    ("cell", "house", "value", "marked"),
    [
        (Filled(3, "pack"), "refuse", 3, []),
        (Filled(None, "pack"), "ask", None, []),
        (Filled(3, "house", house=True), "use", 3, ["Rates Bf 109/3 [9.9]"]),
        (Filled(3, "house", house=True), "ask", 5, []),
        (Filled(3, "house", house=True), "refuse", 5, []),
    ],
)
def test_a_cell_comes_from_packs_then_from_the_house_as_the_table_allows(
    cell: Filled, house: Any, value: Any, marked: list[str]
) -> None:
    context = Context(cells={("rate", "Bf 109", "3"): cell}, house=house)
    umpire = Recorded(context, ANSWERS)
    assert run(turn, None, umpire).result[3] == value
    assert umpire.house == marked


def test_a_house_value_is_offered_where_the_table_asks_first() -> None:
    context = Context(cells={("rate", "Bf 109", "3"): Filled(3, house=True)}, house="ask")
    stopped = advance(turn, None, ANSWERS[:2], context)
    assert isinstance(stopped, Open)
    ask = stopped.asks[0]
    assert "house value 3†" in ask.text
    assert ask.space
    assert (ask.space.parse("-"), ask.space.parse("not allowed"), ask.space.parse(7)) == (None, None, 7)
    assert (ask.space.listed, ask.space.legal[:2], ask.space.pick(Random(1)) in range(10)) == ((), (0, 1), True)


@pytest.mark.parametrize(
    "answer",
    [Answer("way"), Answer("way", choice="left", value=3), Answer(role="way", choices=["left"], fact=1), Answer()],
)
def test_an_answer_holds_one_thing(answer: Answer) -> None:
    with pytest.raises(UsageError) as refused:
        _ = answer.given
    assert is_one_sentence(refused.value)


def test_an_answer_that_nothing_asks_for_is_refused() -> None:
    for extra in (Answer("nowhere", choice="x"), Answer(role="nobody", faces=[1])):
        with pytest.raises(Unused) as unused:
            scripted(turn, None, [*ANSWERS, extra])
        assert is_one_sentence(unused.value)


def test_a_missing_answer_names_its_ask() -> None:
    with pytest.raises(Missing) as missing:
        scripted(turn, None, ANSWERS[:1])
    assert "way (Which way?)" in str(missing.value)
    assert is_one_sentence(missing.value)


def plans(ump: Any, seats: tuple[str, ...]) -> tuple[Any, ...]:
    group = {seat: Choice("plan", PAIR, f"Plan of {seat}") for seat in seats}
    return tuple(ump.together("plans", group, rule="2").values())


sealed = procedure("toy.plans", title="Plans", rule="2")(plans)


def test_sealed_choices_open_at_once_and_in_any_order() -> None:
    seats = ("ann", "bob", "cas")
    stopped = advance(sealed, seats, [Answer("plans@bob/plan", choices=["a", "b"])])
    assert isinstance(stopped, Open)
    assert [(a.seat, a.options_to, a.answer_to, a.role) for a in stopped.asks] == [
        ("ann", "seat", "sealed", "plan"),
        ("cas", "seat", "sealed", "plan"),
    ]
    last = [Answer("plans@cas/plan", choices=["b", "c"]), Answer("plans@ann/plan", choices=["c", "a"])]
    assert scripted(sealed, seats, [*last, Answer("plans@bob/plan", choices=["a", "b"])]).result == (
        ("c", "a"),
        ("a", "b"),
        ("b", "c"),
    )


def test_a_bad_sealed_choice_is_refused_before_the_seals_are_broken() -> None:
    with pytest.raises(UsageError, match="plans@bob/plan"):
        advance(sealed, ("ann", "bob"), [Answer("plans@bob/plan", choices=["a"])])


def until_unlike(ump: Any, _inputs: None) -> str:
    faces = ump.roll("pair", dice("2d6"), rule="1", until=unlike)
    return "+".join(f.name for f in faces)


def unlike(faces: Any) -> bool:
    return bool(faces[0] != faces[1])


def test_rejected_dice_are_thrown_again_and_said() -> None:
    again = procedure("toy.again", title="Again", rule="1")(until_unlike)
    done = scripted(again, None, [Answer("pair", faces=[3, 3]), Answer("pair~1", faces=[3, 4])])
    assert done.result == "3+4"
    assert [line.text for line in done.lines] == [
        "3+3 does not count and is thrown again",
        "pair: 3+4 2d6 = 7",
    ]
    assert [t.address for t in done.thrown] == ["pair", "pair~1"]
    by_role = [Answer(role="pair", faces=[3, 3]), Answer(role="pair", faces=[3, 4])]
    assert scripted(again, None, by_role) == done
    endless = [Answer(role="pair", faces=[3, 3])] * 200
    with pytest.raises(UsageError, match="rejected 100 times") as refused:
        scripted(again, None, endless)
    assert is_one_sentence(refused.value)
    assert all(len(set(run(again, None, Rolling(seed=s)).result)) == 3 for s in range(20))


def pick(ump: Any, names: tuple[str, ...]) -> str:
    return str(ump.one_of("victim", names, rule="5.1", seat="allies"))


def test_one_of_shows_the_assignment_before_the_throw() -> None:
    picked = procedure("toy.pick", title="Pick", rule="5.1")(pick)
    stopped = advance(picked, ("X", "Y", "Z"))
    assert isinstance(stopped, Open)
    assert stopped.asks[0].ranges == ("1-2: X", "3-4: Y", "5-6: Z")
    assert scripted(picked, ("X", "Y", "Z"), [Answer("victim", faces=[4])]).result == "Y"
    assert scripted(picked, ("X",)).result == "X"
    with pytest.raises(UsageError) as refused:
        scripted(picked, ())
    assert is_one_sentence(refused.value)


def test_a_test_that_cannot_fail_or_succeed_is_not_asked_and_says_so() -> None:
    def sure(ump: Any, number: int) -> bool:
        return bool(ump.test("jam", dice("d6"), [], at_most(number), rule="4", words=("fires", "jams")))

    rule = procedure("toy.sure", title="Sure", rule="4")(sure)
    assert [scripted(rule, n).lines[0].text for n in (6, 0)] == [
        "jam: needs 6-: fires, no die needed",
        "jam: needs 0-: jams, no die needed",
    ]
    assert len(odds(rule, 6)) == len(odds(rule, 0)) == 1
    assert run(rule, 6, Rolling(seed=1)).thrown == ()


def test_the_random_umpire_decides_by_hand_or_at_random() -> None:
    by_hand = Rolling(seed=1, decide=lambda ask: {"way": "right", "hand": ["A"]}.get(ask.role))
    result = run(turn, None, by_hand).result
    assert (result[2], result[4]) == ("right", ("A",))
    with pytest.raises(Missing):
        run(turn, None, Rolling(seed=1))
    assert len(run(sealed, ("ann", "bob"), Rolling()).result) == 2


def test_switches() -> None:
    assert Recorded(Context(switches={"tracer": True})).on("tracer")
    assert not Recorded().on("tracer")


def test_a_cell_of_a_table_is_asked_for_once_wherever_it_is_needed() -> None:
    def climb(ump: Any, _inputs: None) -> tuple[Any, ...]:
        first = ump.call("leader", rate)
        return first, rate(ump), ump.hits("d", dice("d6"), at_least(4), rule="1"), rate(ump)

    def rate(ump: Any) -> Any:
        return ump.look_up(SLOT, "Bf 109", 3)

    rule = procedure("toy.climb", title="Climb", rule="1")(climb)
    cell = Answer("look_up:rate:Bf 109:3", value=5)
    assert scripted(rule, None, [cell, Answer("d", faces=[6])]).result == (5, 5, 1, 5)
    assert {c.result for c in odds(rule, None, [cell], strict=True)} == {(5, 5, 0, 5), (5, 5, 1, 5)}


def test_printed_cards_are_counted_by_touch() -> None:
    space = Cards(2)
    assert [option.text for option in space.listed] == ["2 taken", "1 taken", "0 taken"]
    assert [space.parse(option.key) for option in space.listed] == [("?", "?"), ("?",), ()]
    assert space.parse(["TIT"]) == ("TIT",)
    for wrong in ("3", 3, ["a", "b", "c"], None):
        with pytest.raises(UsageError, match="at most 2 cards"):
            space.parse(wrong)
