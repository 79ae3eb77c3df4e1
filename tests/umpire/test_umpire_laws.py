"""What must hold of every procedure, whatever it asks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.umpire import Answer, Chance, Done, Open, Recorded, Rolling, advance, odds, run, scripted
from companion.umpire.odds import Way
from companion.umpire.readings import Reading
from tests.umpire.toys import Shot, Step, any_steps, by_every_face, fire, made_up, play, worse

SMALL = settings(max_examples=40, deadline=None)

step = st.builds(
    Step,
    kind=st.sampled_from(["test", "low", "total", "hits", "roll", "table", "natural", "pick", "call", "fold"]),
    spec=st.sampled_from(["d6", "2d6", "d10", "d5", "swing"]),
    number=st.integers(1, 7),
    role=st.sampled_from(["a", "b"]),
    after=st.sampled_from([None, None, True, False, 1, "none"]),
)
steps = st.lists(step, min_size=1, max_size=3).map(tuple).filter(lambda s: sum(_size(x) for x in s) <= 3)
shots = st.builds(Shot, st.integers(0, 12), st.integers(0, 10), column=st.integers(1, 7), aim=st.integers(-2, 2))


def _size(step: Step) -> int:
    return 2 if step.kind in ("natural", "call", "fold") or step.spec == "2d6" else 1


def chances(of: Any, inputs: Any, *answers: Answer) -> dict[Any, Fraction]:
    return {c.result: c.chance for c in odds(of, inputs, answers)}


@SMALL
@given(steps)
def test_odds_sum_to_one_and_equal_every_face(steps: tuple[Step, ...]) -> None:
    found = chances(any_steps, steps)
    assert sum(found.values()) == 1
    assert found == by_every_face(any_steps, steps)


@SMALL
@given(steps, st.data())
def test_dice_that_lie_condition_the_rest(steps: tuple[Step, ...], data: st.DataObject) -> None:
    answers: list[Answer] = []
    for _ in range(data.draw(st.integers(1, 4))):
        stopped = advance(any_steps, steps, answers)
        if isinstance(stopped, Done):
            break
        ask = stopped.asks[0]
        assert ask.dice
        slot = ask.dice.slot(data.draw(st.sampled_from(ask.open_slots)))
        face = data.draw(st.sampled_from(slot.die.names))
        answers.append(Answer(ask.address, faces={slot.name: face}))
    assert chances(any_steps, steps, *answers) == by_every_face(any_steps, steps, answers)


@SMALL
@given(steps, st.integers(0, 10**6))
def test_replay_equals_play(steps: tuple[Step, ...], seed: int) -> None:
    played = run(any_steps, steps, Rolling(seed=seed))
    answers = [Answer(t.address, faces=dict(t.faces)) for t in played.thrown]
    assert scripted(any_steps, steps, answers) == played
    by_role = [
        Answer(role=t.address.rsplit("/", 1)[-1].split("#")[0], faces=list(t.faces.values())) for t in played.thrown
    ]
    assert scripted(any_steps, steps, by_role) == played


@SMALL
@given(steps, st.integers(0, 10**6))
def test_slot_by_slot_gives_the_same(steps: tuple[Step, ...], seed: int) -> None:
    played = run(any_steps, steps, Rolling(seed=seed))
    faces = {(t.address, slot): face for t in played.thrown for slot, face in t.faces.items()}
    answers: list[Answer] = []
    stopped = advance(any_steps, steps)
    while isinstance(stopped, Open):
        ask = stopped.asks[0]
        slot = ask.open_slots[-1]  # not in the order of the slots
        answers.append(Answer(ask.address, faces={slot: faces[ask.address, slot]}))
        stopped = advance(any_steps, steps, answers)
    assert stopped == played
    assert len(answers) == len(faces)


@SMALL
@given(steps, st.integers(0, 10**6))
def test_the_lines_of_a_play_are_the_lines_of_its_odds(steps: tuple[Step, ...], seed: int) -> None:
    """Odds keep one way to each result: the same asks by the same rules as some play of it, at the same addresses."""
    for chance in odds(any_steps, steps):
        addresses = [line.address for line in chance.lines if line.address]
        assert len(addresses) == len(set(addresses))
    played = run(any_steps, steps, Rolling(seed=seed))
    only = odds(any_steps, steps, [Answer(t.address, faces=dict(t.faces)) for t in played.thrown])
    assert [c.result for c in only] == [played.result]
    assert [(x.title, x.address) for x in only[0].lines] == [(x.title, x.address) for x in played.lines]


@SMALL
@given(steps)
def test_the_lines_of_odds_are_those_of_the_play_that_takes_their_way(steps: tuple[Step, ...]) -> None:
    """Written late, they still say what each step of that way said: the play with the same labels says the same."""
    for chance in odds(any_steps, steps):
        umpire = Following(chance.way)
        assert any_steps(umpire, steps) == chance.result
        assert tuple(umpire.lines) == chance.lines
        same = Chance(chance.result, chance.chance, chance.way)
        assert (chance == same, chance != same, hash(chance) == hash(same)) == (True, False, True)
        half = Chance(chance.result, chance.chance / 2, chance.way)
        assert (chance == half, chance != half, chance == chance.chance) == (False, True, False)


class Following(Recorded):
    """Takes the labels of one way and writes each line at once."""

    def __init__(self, way: Way) -> None:
        super().__init__()
        self.labels = list(_labels(way))

    def _throw(self, address: str, reading: Reading, ask: Any, line: Any) -> Any:
        label = self.labels.pop(0)
        self.lines.append(line(label, ()))
        return label

    def _settle(self, value: Any, line: Any = None) -> Any:
        return super()._settle(self.labels.pop(0), line)


def _labels(way: Way) -> Iterator[Any]:
    """Those of the throws, whatever calls they stand in."""
    for step, label in zip(*way, strict=True):
        if isinstance(step.says, Mapping):
            yield from _labels(step.says[label])
        else:
            yield label


@SMALL
@given(steps)
def test_a_call_may_as_well_be_inlined(steps: tuple[Step, ...]) -> None:
    def outside(ump: Any, inputs: tuple[Step, ...]) -> tuple[Any, ...]:
        first = ump.call("x", play, inputs)
        return (first, ump.call("x", play, inputs))

    def inside(ump: Any, inputs: tuple[Step, ...]) -> tuple[Any, ...]:
        return (play(ump, inputs), play(ump, inputs))

    if sum(_size(s) for s in steps) <= 2:
        assert _counted(outside, steps) == _counted(inside, steps)


def _counted(rule: Any, inputs: Any) -> dict[Any, Fraction]:
    from companion.umpire import Odds

    weights, total, _ = Odds().count(rule, inputs)
    return {result: Fraction(weight, total) for result, weight in weights}


@SMALL
@given(st.integers(0, 5))
def test_a_fold_is_the_plain_loop(count: int) -> None:
    def loop(ump: Any, state: int) -> int:
        for item in range(count):
            state = worse(ump, state, item)
        return state

    assert _counted(lambda ump, state: ump.fold("f", worse, state, range(count)), 0) == _counted(loop, 0)


@SMALL
@given(shots)
def test_gunfire_counts_every_face(shot: Shot) -> None:
    assert chances(fire, shot) == by_every_face(fire, shot)


@SMALL
@given(shots, st.integers(0, 6))
def test_more_firepower_never_lowers_the_chance(shot: Shot, more: int) -> None:
    stronger = Shot(shot.firepower + more, shot.durability, shot.column, shot.aim)
    for at_least_this in ({"destroyed"}, {"destroyed", "double"}, {"destroyed", "double", "damaged"}):
        weak, strong = (
            sum((c.chance for c in odds(fire, s, about="outcome") if c.result in at_least_this), Fraction(0))
            for s in (shot, stronger)
        )
        assert weak <= strong


@pytest.mark.parametrize("shot", [Shot(), Shot(9, 4, 3, 1)])
def test_the_random_umpire_agrees_within_five_sigma(shot: Shot) -> None:
    rolling, times = Rolling(seed=7), 4000
    seen: dict[Any, int] = {}
    for _ in range(times):
        result = fire(rolling, shot)
        rolling._counts.clear()
        seen[result] = seen.get(result, 0) + 1
    expected = chances(fire, shot)
    assert seen.keys() <= expected.keys()
    for result, chance in expected.items():
        sigma = float(times * chance * (1 - chance)) ** 0.5
        assert abs(seen.get(result, 0) - float(times * chance)) <= 5 * sigma + 1


def test_what_a_rule_has_seen_before_is_run_again_the_same() -> None:
    """A recorded umpire and a made-up procedure never disagree on where an ask stands."""
    twice = (Step("test", role="a"), Step("test", role="a"), Step("total", role="b"))
    first = advance(any_steps, twice, [Answer("a", faces=[3])])
    assert isinstance(first, Open)
    assert first.asks[0].address == "a#2"
    assert made_up(Recorded(None, [Answer("a", faces=[3]), Answer("a#2", faces=[1]), Answer("b", faces=[2])]), twice)
