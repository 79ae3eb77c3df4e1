"""Jams cleared, airframes overstressed, crews unconscious."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from companion.rules.otr.checks import (
    Crewman,
    JammedGun,
    Strain,
    blackout,
    overstress,
    recharge,
)
from companion.umpire import odds
from tests.hard_cases.walk import at, play


@pytest.mark.rule("otr:10.1-recharge")
@pytest.mark.parametrize(
    ("face", "cleared", "kind"), [(1, True, "cleared"), (7, True, "cleared"), (8, False, "lost gun")]
)
def test_a_jam_is_cleared_on_seven_or_less(face: int, cleared: bool, kind: str) -> None:
    done = play(recharge, JammedGun(aircraft="P-47", group="left"), at("recharge", [face]))
    assert done.result.cleared is cleared
    assert [(c.kind, c.target, c.value) for c in done.changes] == [(kind, "P-47", "left")]


@pytest.mark.rule("otr:10.1-recharge")
def test_every_reason_against_recharging_is_given_at_once() -> None:
    assert recharge.violations(JammedGun(rate="HT")) == ()
    every = JammedGun(rate="BT", negative_g=True, snap_roll=True, vertical=True, inverted=True, tried=True)
    codes = [barred.code for barred in recharge.violations(every)]
    assert codes == ["tried", "rate", "negative-g", "snap-roll", "vertical", "inverted"]


STRAIN = Strain(aircraft="Typhoon", changes=1)


@pytest.mark.rule("otr:5.6-check")
@pytest.mark.parametrize(
    ("change", "face", "location", "result"),
    [
        ({}, 94, None, "holds"),
        ({}, 95, 7, "wing spar"),
        ({}, 95, 8, "tail structure"),
        ({"changes": 4}, 79, None, "holds"),  # +15
        ({"changes": 4}, 80, 1, "wing spar"),
        ({"tail_hits": 1}, 85, 6, "tail structure"),  # +10, and +2 for where
        ({"spar_hits": 2}, 75, 10, "wing spar"),  # +20, and -4 for where
        ({"severe": True, "rate": "BT"}, 75, 1, "wing spar"),
    ],
)
def test_an_airframe_holds_below_ninety_five(
    change: dict[str, Any], face: int, location: int | None, result: str
) -> None:
    where = [] if location is None else [at("location", [location])]
    done = play(overstress, replace(STRAIN, **change), at("overstress", [face]), *where)
    assert done.result.result == result
    assert [c.kind for c in done.changes] == ([] if result == "holds" else [result])


@pytest.mark.rule("otr:5.6-check")
@pytest.mark.parametrize(("rate", "negative_g"), [("ET", False), ("BT", True)])
def test_severe_damage_needs_no_throw_at_the_hardest_rates(rate: Any, negative_g: bool) -> None:
    done = play(overstress, replace(STRAIN, rate=rate, negative_g=negative_g, severe=True))
    assert (done.result.result, [c.kind for c in done.changes]) == ("destroyed", ["destroyed"])


@pytest.mark.rule("otr:5.6-check")
@pytest.mark.parametrize(
    ("change", "checked"),
    [({"rate": "ET"}, True), ({"rate": "BT"}, False), ({"rate": "BT", "tail_hits": 1}, True), ({"rate": "HT"}, False),
     ({"rate": "BT", "negative_g": True}, True), ({"rate": "HT", "negative_g": True}, False),
     ({"rate": "HT", "negative_g": True, "spar_hits": 1}, True), ({"rate": "HT", "severe": True}, False)],
)  # fmt: skip
def test_who_has_to_check(change: dict[str, Any], checked: bool) -> None:
    assert (overstress.violations(replace(STRAIN, **change)) == ()) is checked


PILOT = Crewman(name="Stig", changes=1)


@pytest.mark.rule("otr:5.7-check")
@pytest.mark.example("otr:5.7-gloc")
def test_a_black_out_lasts_two_to_six_turns() -> None:
    assert play(blackout, PILOT, at("blackout", [94])).result.turns == 0
    for die, turns in ((1, 2), (2, 2), (9, 6), (10, 6)):
        done = play(blackout, PILOT, at("blackout", [95]), at("turns", [die]))
        assert (done.result.turns, done.changes[0].value) == (turns, turns)
    assert {c.result.turns for c in odds(blackout, PILOT)} == {0, 2, 3, 4, 5, 6}


@pytest.mark.rule("otr:5.7-check")
def test_a_red_out_lasts_two_turns_and_no_suit_helps() -> None:
    red = replace(PILOT, negative_g=True, rate="BT", g_suit=True)
    assert play(blackout, red, at("blackout", [95])).result.turns == 2
    assert sum(c.chance for c in odds(blackout, red) if c.result.turns) == Fraction(6, 100)


@pytest.mark.rule("otr:5.7-check")
@pytest.mark.parametrize(
    ("change", "out"),
    [({}, 6), ({"changes": 4}, 12), ({"turns": 3}, 26), ({"wounded": True}, 26), ({"g_suit": True}, 0),
     ({"g_suit": True, "changes": 6}, 6), ({"changes": 1, "recruit": True, "rate": "BT"}, 6)],
)  # fmt: skip
def test_what_makes_a_black_out_likelier(change: dict[str, Any], out: int) -> None:
    chances = odds(blackout, replace(PILOT, **change))
    assert sum((c.chance for c in chances if c.result.turns), Fraction(0)) == Fraction(out, 100)


@pytest.mark.rule("otr:5.7-check")
def test_at_bt_only_the_weak_black_out() -> None:
    assert [b.code for b in blackout.violations(replace(PILOT, rate="BT"))] == ["no-check"]
    for change in ({"wounded": True}, {"recruit": True}, {"negative_g": True}, {"rate": "ET"}):
        assert blackout.violations(replace(PILOT, **({"rate": "BT"} | change))) == ()  # type: ignore[arg-type]
