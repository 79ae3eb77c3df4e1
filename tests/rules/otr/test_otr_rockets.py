"""Volleys of air-to-air rockets."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from companion.rules.otr.rockets import Flyer, Volley, in_danger, launch, ratio, rocket_hits
from companion.umpire import odds
from tests.hard_cases.walk import at, play

B17 = Flyer(name="B-17")
B24, P47 = Flyer(name="B-24", heading=30, speed=Decimal("5.5")), Flyer(name="P-47", speed=Decimal(6))
VOLLEY = Volley(firer="Me 410", target=B17, others=(B24, P47), multiples=4, modifier=-120)


@pytest.mark.rule("otr:10.7-volley")
@pytest.mark.parametrize(
    ("likelihood", "hits"),
    [(100, 0), (-19, 0), (-20, 1), (-39, 1), (-40, 2), (-59, 2), (-100, 5), (-119, 5), (-120, 6), (-139, 6), (-140, 7)],
)
def test_a_hit_for_each_full_twenty_below(likelihood: int, hits: int) -> None:
    assert rocket_hits(likelihood) == hits


@pytest.mark.rule("otr:10.7-volley")
def test_the_first_hit_is_the_targets_and_the_others_fall_at_random() -> None:
    done = play(launch, VOLLEY, at("rockets", [50]), at("hit:1/victim", [4]), at("hit:2/victim", [1]))
    assert (done.result.likelihood, done.result.hits) == (-70, (("B-17", 2), ("B-24", 1)))
    assert [(c.target, c.value, c.when) for c in done.changes] == [("B-17", 2, "step"), ("B-24", 1, "step")]
    assert play(launch, replace(VOLLEY, multiples=1), at("rockets", [1])).result.hits == (("B-17", 1),)
    assert play(launch, replace(VOLLEY, modifier=0), at("rockets", [1])).result.hits == ()
    asked = play(launch, replace(VOLLEY, modifier=None, others=()), at("modifier", -60), at("rockets", [20]))
    assert asked.result.hits == (("B-17", 2),)


@pytest.mark.rule("otr:10.7-volley")
def test_the_odds_say_what_lies_where() -> None:
    whole = odds(launch, VOLLEY)
    assert sum(c.chance for c in whole) == 1
    on_one = {c.result: c.chance for c in odds(launch, VOLLEY, about="hits on:P-47")}
    expected: dict[int, Fraction] = {}
    for c in whole:
        n = dict(c.result.hits).get("P-47", 0)
        expected[n] = expected.get(n, Fraction(0)) + c.chance
    assert on_one == expected


@pytest.mark.rule("otr:10.7-zone")
@pytest.mark.example("otr:10.7-ratio")
@pytest.mark.parametrize(
    ("hexes", "increments", "expected"),
    [(5, 4, "3-1 above"), (5, -4, "3-1 below"), (5, 0, "level"), (1, 3, "1-1 above"), (1, 8, "1-3 above"),
     (0, 2, "straight above"), (0, 0, "level")],
)  # fmt: skip
def test_distance_to_height(hexes: int, increments: int, expected: str) -> None:
    assert ratio(Flyer(name="x", hexes=hexes, increments=increments)) == expected


@pytest.mark.rule("otr:10.7-zone")
@pytest.mark.parametrize(
    ("change", "inside"),
    [({}, True), ({"heading": 60}, False), ({"speed": Decimal("6.5")}, False), ({"speed": Decimal(2)}, True),
     ({"increments": 1}, False), ({"hexes": 3}, True)],
)  # fmt: skip
def test_who_is_in_danger(change: dict[str, Any], inside: bool) -> None:
    zone = in_danger(replace(VOLLEY, others=(replace(B24, **({"speed": Decimal(4)} | change)),)))
    assert (len(zone) == 2) is inside


@pytest.mark.rule("otr:10.7-volley")
def test_every_reason_against_a_volley_is_given_at_once() -> None:
    assert launch.violations(VOLLEY) == ()
    wild = replace(VOLLEY, attitude="steep", upright=False, manoeuvred=True, rate="HT")
    assert [barred.code for barred in launch.violations(wild)] == ["attitude", "bank", "manoeuvre", "rate"]
