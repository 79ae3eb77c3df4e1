"""The fairness figure: rarely wrong about fair dice however often one looks, and quick with bad ones."""

import random
from itertools import product
from math import exp, isclose, log

import pytest

from drivers.dice.fairness import LEVEL, judge, log_evidence, throws_needed

FAIR = [1 / 6] * 6


def first_alarm(rng: random.Random, chances: list[float], throws: int) -> int | None:
    """Looks after every throw."""
    counts = [0] * len(chances)
    for thrown, face in enumerate(rng.choices(range(len(chances)), chances, k=throws), 1):
        counts[face] += 1
        if log_evidence(counts) >= -log(LEVEL):
            return thrown
    return None


@pytest.mark.parametrize(("sides", "throws"), [(6, 200), (10, 100)])
def test_looking_after_every_throw_raises_few_false_alarms(sides: int, throws: int) -> None:
    rng = random.Random(17)
    alarms = sum(first_alarm(rng, [1 / sides] * sides, throws) is not None for _ in range(200))
    assert alarms / 200 <= LEVEL


@pytest.mark.parametrize("sides", [2, 3, 6])
def test_the_gamble_is_fair_after_any_throws(sides: int) -> None:
    """The mean of the evidence over all fair throws is 1: nobody can expect to win against a fair die."""
    for throws in range(1, 6):
        total = 0.0
        for faces in product(range(sides), repeat=throws):
            total += exp(log_evidence([faces.count(face) for face in range(sides)]))
        assert isclose(total / sides**throws, 1.0, rel_tol=1e-9)


def test_a_step_of_the_gamble_is_fair_from_anywhere() -> None:
    rng = random.Random(3)
    for _ in range(50):
        counts = [rng.randrange(40) for _ in range(6)]
        after = [log_evidence([count + (place == face) for place, count in enumerate(counts)]) for face in range(6)]
        assert isclose(sum(map(exp, after)) / 6, exp(log_evidence(counts)), rel_tol=1e-9)


def test_a_bad_die_is_found_in_about_the_throws_that_were_promised() -> None:
    chances = [0.25] + [0.15] * 5
    promised = throws_needed(chances)
    assert promised
    rng = random.Random(5)
    found = sorted(first_alarm(rng, chances, 3 * promised) or 3 * promised for _ in range(40))
    assert promised / 3 < found[20] < promised * 1.5


def test_a_sketch_without_sixes_is_named_before_sixty_throws() -> None:
    result = judge(dict.fromkeys(range(1, 6), 12), range(1, 7))
    assert result.verdict == "not fair"
    assert "no 6 in 60 throws" in result.text
    needed = throws_needed([0.2] * 5 + [0])
    assert needed
    assert needed < 60


def test_it_says_how_many_throws_it_takes_to_know() -> None:
    early = judge({1: 3, 2: 4}, range(1, 7))
    assert early.verdict == "too early"
    assert str(early.throws_to_know) in early.text
    even = judge(dict.fromkeys(range(1, 7), 100), range(1, 7))
    assert even.verdict == "nothing found"
    assert even.text == "Nothing unfair was found in 600 throws; no fault shows in a million."
    slight = judge({1: 90, 2: 110, 3: 100, 4: 100, 5: 100, 6: 100}, range(1, 7))
    assert f"about {slight.if_it_goes_on}" in slight.text
    assert judge({}, range(1, 7)).if_it_goes_on is None
    assert throws_needed(FAIR) is None


def test_named_faces_and_long_runs() -> None:
    result = judge({"blue": 900_000, "red": 100_000}, ("blue", "red"))
    assert result.verdict == "not fair"
    assert "blue came 900000 times, about 500000 were due" in result.text
