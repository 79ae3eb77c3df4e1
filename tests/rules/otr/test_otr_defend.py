"""Defensive guns, the nerve for a head-on attack, and collisions."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from companion.rules.otr import lost
from companion.rules.otr.defend import Defence, Gunner, defend
from companion.rules.otr.head_on import HeadOn, Near, Pilot, collision, head_on, risk_range
from companion.umpire import Context, odds
from tests.hard_cases.walk import at, opened, play

HOUSE = Context(cells=lost.cells())
BOB = Gunner(aircraft="Bob", firepower=12, range=3, speed=Decimal(4))
ANN = Gunner(aircraft="Ann", firepower=8, range=2, speed=Decimal(4))
FIRE = Defence(target="Fw 190", firing=(BOB, ANN), defence=5, target_speed=Decimal(6))


def mods(done: Any) -> dict[str, int]:
    (line,) = (line for line in done.lines if line.address == "shot")
    return {m.text: m.value for m in line.mods}


@pytest.mark.rule("otr:10.5-defend")
def test_firepower_is_added_up_and_the_defence_stays_as_it_is() -> None:
    done = play(defend, FIRE, at("shot", [68]), context=HOUSE)
    assert (done.result.odds, done.result.likelihood, done.result.hits) == ("4-1", 68, 1)
    assert [(c.kind, c.target, c.value, c.when) for c in done.changes] == [("hits", "Fw 190", 1, "step")]
    assert play(defend, FIRE, at("shot", [69]), context=HOUSE).result.hits == 0


@pytest.mark.rule("otr:10.5-defend")
def test_odds_worse_than_one_to_four_do_nothing() -> None:
    done = play(defend, replace(FIRE, defence=None), at("defence", 50), at("shot", [50]), context=HOUSE)
    assert done.result.odds == "1-3"
    weak = replace(FIRE, firing=(replace(BOB, firepower=1),))
    assert play(defend, weak, context=HOUSE).result.odds == "none"


@pytest.mark.rule("otr:10.5-defend")
@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, {}),
        ({"rate": "TT"}, {"TT turn": 10}),
        ({"rate": "TT", "agility": "L"}, {"TT turn": 5}),
        ({"quality": "veteran", "slipped": True}, {"veteran": -5, "slip or skid": 10}),
        ({"tracked": True}, {"the enemy tracks it": -10}),
    ],
)
def test_the_prime_shooters_modifiers_alone_count(change: dict[str, Any], expected: dict[str, int]) -> None:
    fire = replace(FIRE, firing=(replace(BOB, **change), replace(ANN, quality="recruit", slipped=True)))
    assert mods(play(defend, fire, at("shot", [50]), context=HOUSE)) == expected


@pytest.mark.rule("otr:10.5-defend")
def test_a_relative_speed_of_the_range_and_more_is_read_from_the_players_own_table() -> None:
    fast = replace(FIRE, target_speed=Decimal("7.5"), firing=(BOB,))
    (ask,) = opened(defend, fast, context=HOUSE)
    assert (ask.kind, ask.text) == (
        "look_up",
        "Read from the table 'Air-to-air gun modifiers': relative speed, MF, M or H",
    )
    assert mods(play(defend, fast, at(ask.address, 15), at("shot", [50]), context=HOUSE))["relative speed"] == 15


@pytest.mark.rule("otr:10.5-defend")
def test_the_prime_shooter_is_the_strongest_then_the_closest_then_the_players_pick() -> None:
    slow = replace(FIRE, target_speed=Decimal(5))
    even = replace(slow, firing=(BOB, replace(ANN, firepower=12, slipped=True)))
    assert "slip or skid" in mods(play(defend, even, at("shot", [50]), context=HOUSE))  # Ann is closer
    same = replace(even, firing=(BOB, replace(ANN, firepower=12, range=3, slipped=True)))
    (ask,) = opened(defend, same, context=HOUSE)
    assert (ask.address, ask.space and ask.space.legal) == ("prime", ("Bob", "Ann"))
    assert mods(play(defend, same, at("prime", "Bob"), at("shot", [50]), context=HOUSE)) == {
        "excess firepower 2/3": -15
    }
    assert odds(defend, same, [], HOUSE, about="hits")


@pytest.mark.rule("otr:10.5-defend")
def test_a_natural_ninety_eight_jams_a_gun_of_somebody_who_fired() -> None:
    done = play(defend, FIRE, at("shot", [98]), at("jam", [6]), context=HOUSE)
    assert (done.result.jammed, [c.kind for c in done.changes]) == (("Ann",), ["jam"])


@pytest.mark.rule("otr:10.5-limits")
@pytest.mark.parametrize(
    ("change", "codes"),
    [
        ({}, []),
        ({"firing": (BOB, ANN, ANN)}, ["many"]),
        ({"firing": (BOB, ANN, ANN), "formation": "flexible formation"}, []),
        ({"firing": (BOB,) * 7, "formation": "fixed formation"}, ["many"]),
        ({"shortest": 1}, ["far"]),
        ({"shortest": 1, "firing": (replace(BOB, attacked=True), ANN)}, []),
    ],
)
def test_how_many_may_fire_and_how_far(change: dict[str, Any], codes: list[str]) -> None:
    assert [barred.code for barred in defend.violations(replace(FIRE, **change))] == codes


@pytest.mark.rule("otr:10.5-limits")
@pytest.mark.parametrize(
    ("kind", "agility", "rate", "silent"),
    [("turret", "H", "HT", False), ("turret", "H", "BT", True), ("manual", "M", "TT", False),
     ("manual", "M", "HT", True), ("manual", "H", "EZ", False), ("manual", "SH", "TT", True),
     ("manual", "F", "HT", False), ("turret", "D", "BT", True)],
)  # fmt: skip
def test_guns_are_silent_when_their_aircraft_turns_too_hard(kind: Any, agility: Any, rate: Any, silent: bool) -> None:
    gunner = replace(BOB, kind=kind, agility=agility, rate=rate)
    assert bool(defend.violations(replace(FIRE, firing=(gunner,)))) is silent


@pytest.mark.rule("otr:10.5-limits")
def test_every_upset_is_named_and_vertical_flight_is_none_to_fighters() -> None:
    upset = replace(BOB, negative_g=True, snap_roll=True, inverted=True, ended_vertical=True)
    assert len(defend.violations(replace(FIRE, firing=(upset,)))) == 4
    assert len(defend.violations(replace(FIRE, firing=(replace(upset, agility="F"),)))) == 3


# --- head-on

ATTACK = HeadOn(
    attacker=Pilot(name="Fw 190", speed=Decimal(8)),
    target=Pilot(name="P-51", speed=Decimal("6.5")),
    range=2,
)


@pytest.mark.rule("otr:10.3-nerve")
@pytest.mark.example("otr:10.3-crr")
def test_a_risk_range_of_five_and_a_shot_at_two_are_four_inside() -> None:
    assert [risk_range(Decimal(speed)) for speed in ("3", "3.5", "14.5", "15", "15.5")] == [1, 2, 5, 5, 6]
    answers = [at("determination:Fw 190", [50]), at("determination:P-51", [51])]
    done = play(head_on, ATTACK, *answers, context=HOUSE)
    assert (done.result.inside, done.result.firing) == (4, ("Fw 190",))
    assert [(c.kind, c.target, c.value) for c in done.changes] == [("danger zone", "Fw 190", 4)]


@pytest.mark.rule("otr:10.3-nerve")
def test_outside_the_risk_range_nobody_needs_nerve_and_there_is_no_danger_zone() -> None:
    far = play(head_on, replace(ATTACK, range=None), at("range", 6), context=HOUSE).result
    assert (far.inside, far.firing, far.changes) == (0, ("Fw 190", "P-51"), ())


@pytest.mark.rule("otr:10.3-nerve")
@pytest.mark.parametrize(
    ("change", "chance"),
    [({}, 50), ({"quality": "veteran"}, 60), ({"quality": "recruit"}, 30), ({"quality": "veteran", "hero": True}, 70)],
)
def test_a_pilots_quality_changes_what_he_dares(change: dict[str, Any], chance: int) -> None:
    attack = replace(ATTACK, attacker=replace(ATTACK.attacker, **change), target=replace(ATTACK.target, fires=False))
    chances = odds(head_on, attack, [], HOUSE)
    assert sum(c.chance for c in chances if c.result.firing) == Fraction(chance, 100)


@pytest.mark.rule("otr:10.3-nerve")
def test_deep_inside_nobody_dares_and_at_range_0_there_is_no_attack() -> None:
    fast = replace(ATTACK, attacker=replace(ATTACK.attacker, speed=Decimal(30)), range=1)
    assert play(head_on, fast, context=HOUSE).result.firing == ()
    assert [barred.code for barred in head_on.violations(replace(ATTACK, range=0))] == ["zero"]
    assert head_on.violations(ATTACK) == ()


# --- collisions

NEAR = Near(mover="fighter", others=("other fighter", "bomber"), angle=90, modifier=0)


@pytest.mark.rule("otr:3.3-check")
@pytest.mark.example("otr:3.3-two-fighters")
def test_eighty_eight_is_a_collision_and_the_die_says_with_whom() -> None:
    answers = [
        at("collision", [88]),
        at("victim", [2]),
        at("hits:fighter", [1, 1, 3]),
        at("hits:other fighter", [1, 1, 2]),
    ]
    done = play(collision, NEAR, *answers)
    assert (done.result.victim, done.result.hits) == ("other fighter", (5, 4))
    assert [(c.kind, c.target, c.value) for c in done.changes] == [
        ("hits", "fighter", 5), ("criticals", "fighter", 1), ("hits", "other fighter", 4),
        ("criticals", "other fighter", 1),
    ]  # fmt: skip
    assert play(collision, NEAR, at("collision", [84])).result.victim == ""


@pytest.mark.rule("otr:3.3-check")
@pytest.mark.parametrize(
    ("angle", "dice", "extra"), [(0, 2, 3), (30, 2, 3), (60, 3, 0), (120, 3, 0), (150, 4, 0), (180, 4, 0)]
)
def test_hits_by_the_angle(angle: Any, dice: int, extra: int) -> None:
    near = replace(NEAR, others=("bomber",), angle=angle, mover_speed=Decimal(6), other_speed=Decimal("4.5"))
    ones = [1] * dice
    done = play(collision, near, at("collision", [85]), at("hits:fighter", ones), at("hits:bomber", ones))
    assert done.result.hits == (dice + extra,) * 2
    assert ("criticals" in {c.kind for c in done.changes}) is (dice + extra >= 3)


@pytest.mark.rule("otr:3.3-check")
def test_at_the_same_speed_the_same_way_few_hits_are_no_critical() -> None:
    near = replace(NEAR, others=("bomber",), angle=0, mover_speed=Decimal(4), other_speed=Decimal(4), modifier=None)
    answers = [at("modifier", 10), at("collision", [75]), at("hits:fighter", [1, 1]), at("hits:bomber", [1, 2])]
    done = play(collision, near, *answers)
    assert [c.kind for c in done.changes] == ["hits", "hits", "criticals"]
    risk = {c.result: c.chance for c in odds(collision, replace(near, modifier=10), about="collision")}
    assert risk["collision"] == Fraction(26, 100)


@pytest.mark.rule("otr:3.3-check")
def test_who_tails_does_not_collide() -> None:
    assert collision.violations(NEAR) == ()
    assert [barred.code for barred in collision.violations(replace(NEAR, tailing=True))] == ["tailing"]
