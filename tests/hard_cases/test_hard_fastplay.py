"""Fast-Play: a class that chooses in secret, and fire that counts all at once."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from random import Random
from typing import Any

import msgspec
import pytest

from companion.game.fold import Standing
from companion.umpire import (
    MOMENT,
    Answer,
    Change,
    Choice,
    Open,
    Option,
    Rolling,
    SomeOf,
    Umpire,
    advance,
    at_least,
    dice,
    odds,
    procedure,
    run,
    scripted,
)
from tests.hard_cases.walk import at, chosen, happen, opened, play

# --- 11. twenty pupils choose three cards at once, sealed until the last is in

DECK = {"straight": 2, "left": 1, "right": 1, "hard left": 2, "hard right": 2, "sideslip": 1}
PUPILS = tuple(f"pupil {n}" for n in range(1, 21))
CARDS = tuple(
    Option(f"{name} {i}" if copies > 1 else name, name, name)
    for name, copies in DECK.items()
    for i in range(1, copies + 1)
)


class Plans(msgspec.Struct, frozen=True):
    stacks: tuple[tuple[str, ...], ...]


def choose_cards(ump: Umpire, pupils: tuple[str, ...]) -> Plans:
    group = {p: Choice("cards", SomeOf(CARDS, 3, 3), f"{p}: three cards, first to last") for p in pupils}
    return Plans(tuple(ump.together("choose", group, rule="Choose Cards").values()))


choosing = procedure("hard.cards", title="Choose cards", rule="Choose Cards")(choose_cards)


def stack(pupil: str, rng: Random) -> Answer:
    return chosen(f"choose@{pupil}/cards", *rng.sample([o.key for o in CARDS], 3))


@pytest.mark.rule("fastplay:Choose Cards")
@pytest.mark.parametrize("seed", range(3))
def test_twenty_pupils_choose_at_once_and_in_any_order(seed: int) -> None:
    rng = Random(seed)
    answers = [stack(p, rng) for p in PUPILS]
    arriving = rng.sample(answers, len(answers))
    for count in range(len(PUPILS)):
        asks = opened(choosing, PUPILS, *arriving[:count])
        assert len(asks) == len(PUPILS) - count
        assert {(a.options_to, a.answer_to) for a in asks} == {("seat", "sealed")}
        assert [a.seat for a in asks] == [p for p in PUPILS if f"choose@{p}/cards" in {a.address for a in asks}]
    stopped = advance(choosing, PUPILS, arriving[:-1])
    assert isinstance(stopped, Open)
    assert stopped.lines == ()  # nothing of what is sealed is on a line
    done = scripted(choosing, PUPILS, arriving)
    names = {o.key: o.text for o in CARDS}
    assert done.result.stacks == tuple(tuple(names[c] for c in a.choices or ()) for a in answers)


@pytest.mark.rule("fastplay:Choose Cards")
def test_a_card_of_which_there_is_one_goes_into_a_stack_once_and_that_is_said_at_once() -> None:
    for wrong in (["left", "left", "right"], ["left", "right"], ["loop", "left", "right"]):
        with pytest.raises(ValueError, match=r"^choose@pupil 7/cards: "):
            opened(choosing, PUPILS, chosen("choose@pupil 7/cards", *wrong))
    twice = chosen("choose@pupil 7/cards", "hard left 1", "hard left 2", "left")
    assert len(opened(choosing, PUPILS, twice)) == 19
    assert len(set(run(choosing, PUPILS, Rolling(seed=4)).result.stacks)) > 1


def test_a_pupil_may_choose_again_until_the_last_is_in() -> None:
    first, second = stack("pupil 1", Random(1)), stack("pupil 1", Random(2))
    done = scripted(choosing, PUPILS[:2], [first, second, stack("pupil 2", Random(3))])
    names = {o.key: o.text for o in CARDS}
    assert done.result.stacks[0] == tuple(names[c] for c in second.choices or ())


# --- 10. everybody fires at once; the hits count at the end of the step


class Burst(msgspec.Struct, frozen=True):
    shooter: str
    target: str
    range: int
    ace: bool = False


class Scored(msgspec.Struct, frozen=True):
    hits: int
    changes: tuple[Change, ...]


def shoot(ump: Umpire, burst: Burst) -> Scored:
    count = max(0, 6 - burst.range) + burst.ace
    hits = ump.hits("shots", dice(f"{count}d6"), at_least(4), rule="Resolve Shooting", seat=burst.shooter)
    return Scored(hits, (Change("hits", burst.target, hits, "step", rule="Resolve Shooting"),) if hits else ())


class Sky:
    """Hits by plane; a plane with six is down from the moment its step ends."""

    def apply(self, state: dict[str, int], change: Change) -> dict[str, Any]:
        if change.kind == "hits":
            return {**state, change.target: state.get(change.target, 0) + change.value}
        return state

    @staticmethod
    def due(state: dict[str, int]) -> list[str]:
        return [plane for plane, hits in state.items() if hits < 6]


shooting = procedure("hard.shooting", title="Shooting", rule="Resolve Shooting")(shoot)


@pytest.mark.rule("fastplay:Resolve Shooting")
def test_planes_that_shoot_each_other_down_in_one_step_both_fire() -> None:
    sky, start = Sky(), Standing({"red": 2, "blue": 3, "green": 0})
    red = play(shooting, Burst("red", "blue", 1), at("shots", [4, 5, 6, 1, 2]))
    standing = happen(red.changes, start, sky)
    assert "blue" in sky.due(standing.state)  # six hits are coming, but not before the step ends
    blue = play(shooting, Burst("blue", "red", 2), at("shots", [4, 4, 4, 4]))
    green = play(shooting, Burst("green", "blue", 5), at("shots", [6]))
    standing = happen([*blue.changes, *green.changes], standing, sky)
    assert standing.state == {"red": 2, "blue": 3, "green": 0}
    closed = happen([Change(MOMENT, "step")], standing, sky)
    assert closed.state == {"red": 6, "blue": 7, "green": 0}
    assert (sky.due(closed.state), closed.held) == (["green"], ())


@pytest.mark.rule("fastplay:Resolve Shooting")
@pytest.mark.parametrize(("away", "ace", "count"), [(1, False, 5), (1, True, 6), (4, False, 2), (5, True, 2)])
def test_how_many_dice_and_how_likely(away: int, ace: bool, count: int) -> None:
    chances = {c.result.hits: c.chance for c in odds(shooting, Burst("red", "blue", away, ace))}
    assert chances == {n: Fraction(comb(count, n), 2**count) for n in chances}
    assert sum(chances.values()) == 1
    one_down = odds(shooting, Burst("red", "blue", away, ace), [Answer("shots", faces=[6])])
    assert min(c.result.hits for c in one_down) == 1
