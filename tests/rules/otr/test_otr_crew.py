"""Wounds, oxygen and navigation."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from companion.rules.otr.crew import Airless, Hurt, Lost, NoPilot, navigation, oxygen, take_over, wound
from companion.umpire import odds
from tests.hard_cases.walk import at, play


@pytest.mark.rule("otr:11-wounds")
def test_a_pilot_is_hindered_then_disabled_or_killed_then_dead() -> None:
    assert play(wound, Hurt(wounds=1)).result.result == "wounded"
    done = play(wound, Hurt(wounds=2), at("wound", [4]), at("mortality", [3]))
    assert (done.result.result, done.result.turns, done.result.op_turns) == ("disabled", 8, 9)
    assert [(c.kind, c.target, c.value) for c in done.changes] == [("disabled", "pilot", 8)]
    killed = play(wound, Hurt(wounds=2), at("wound", [6])).result
    assert (killed.result, killed.turns, killed.op_turns) == ("killed", 0, 0)
    assert play(wound, Hurt(wounds=3)).result.result == "killed"


@pytest.mark.rule("otr:11-wounds")
def test_others_are_out_at_the_first_wound_and_dead_at_the_second() -> None:
    gunner = Hurt(name="tail gunner", pilot=False)
    done = play(wound, gunner, at("mortality", [10]))
    assert (done.result.result, done.result.turns, done.result.op_turns) == ("disabled", 0, 30)
    assert play(wound, replace(gunner, wounds=2)).result.result == "killed"
    assert play(wound, replace(gunner, wounds=3)).result.result == "killed"


@pytest.mark.rule("otr:11-wounds")
def test_somebody_else_takes_over_on_forty_or_less() -> None:
    done = play(take_over, NoPilot(aircraft="B-17", role="navigator"), at("take over", [40]))
    assert (done.result.flies, [(c.target, c.value) for c in done.changes]) == (True, [("B-17", "navigator")])
    assert play(take_over, NoPilot(), at("take over", [41])).result.flies is False


AIRLESS = Airless(aircraft="B-17", band="HI", turns=6, crew=("pilot", "gunner"))


@pytest.mark.rule("otr:11-oxygen")
def test_as_many_are_tested_as_the_first_die_is_higher() -> None:
    higher = [at("strain", [5]), at("resistance", [3])]  # a D5 of 3, +2 in the HI band, against 3: two
    done = play(oxygen, AIRLESS, *higher, at("victim", [6]), at("faint", [1]), at("faint#2", [2]))
    assert (done.result.unconscious, [c.target for c in done.changes]) == (("gunner",), ["gunner"])
    even = play(oxygen, replace(AIRLESS, band="ML", turns=16), at("strain", [5]), at("resistance", [3]))
    assert even.result.unconscious == ()
    alone = replace(AIRLESS, crew=("pilot",))
    assert play(oxygen, alone, at("strain", [9]), at("resistance", [1]), at("faint", [3])).result.unconscious == (
        "pilot",
    )


@pytest.mark.rule("otr:11-oxygen")
def test_the_odds_of_fainting_alone() -> None:
    """ML: a D5 above a D10 in 0+1+2+3+4 of 50 ways, and half of these odd."""
    alone = replace(AIRLESS, band="ML", turns=16, crew=("pilot",))
    assert sum(c.chance for c in odds(oxygen, alone) if c.result.unconscious) == Fraction(10, 100)


@pytest.mark.rule("otr:11-oxygen")
@pytest.mark.parametrize(
    ("band", "turns", "codes"),
    [("LO", 90, ["low"]), ("ML", 15, ["early"]), ("ML", 16, []), ("MH", 10, ["early"]), ("HI", 6, []), ("VH", 1, [])],
)
def test_when_oxygen_is_missed(band: str, turns: int, codes: list[str]) -> None:
    airless = replace(AIRLESS, band=band, turns=turns)  # type: ignore[arg-type]
    assert [barred.code for barred in oxygen.violations(airless)] == codes


@pytest.mark.rule("otr:11-navigation")
def test_without_instruments_the_way_is_lost_for_a_while() -> None:
    assert play(navigation, Lost(), at("navigation", [3])).result.result == "one Op-turn in place"
    done = play(navigation, Lost(aircraft="B-17"), at("navigation", [4]), at("endurance", [8]))
    assert (done.result.endurance, [c.value for c in done.changes]) == (4, [-4])
    assert play(navigation, Lost(), at("navigation", [7])).result.result == "none"
    assert navigation.violations(Lost()) == ()
    assert [barred.code for barred in navigation.violations(Lost(led=True))] == ["led"]
