"""Fixed guns: odds, shifts, likelihood, hits, ammunition and jams, by the rulebook's examples and case by case."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.rules.otr import lost
from companion.rules.otr.fire import excess, fire, raw_odds
from companion.rules.otr.likelihood import combined_speed, mismatch
from companion.rules.otr.shot import Shot, read_speed
from companion.umpire import Answer, Barred, Context, Illegal, UsageError, odds, scripted
from tests.hard_cases.walk import at, opened, play

HOUSE = Context(cells=lost.cells())
SHOT = Shot(
    shooter="Fw 190", target="B-17", attack=40, defence=10, range=1, angle=30, line="none", burst="normal",
    shooter_speed=Decimal(6), target_speed=Decimal(4), shooter_rate="EZ", target_rate="EZ", held="less",
)  # fmt: skip


def shoot(shot: Shot, *faces: int, jams: dict[str, Any] | None = None) -> Any:
    answers = [at("shot", list(faces)), *(at(address, [given]) for address, given in (jams or {}).items())]
    return play(fire, shot, *answers, context=HOUSE)


def mods(done: Any) -> dict[str, int]:
    (line,) = (line for line in done.lines if line.address == "shot")
    return {m.text: m.value for m in line.mods}


# --- odds


@pytest.mark.rule("otr:9.4-fire")
@pytest.mark.example("otr:9.4-odds")
@pytest.mark.parametrize(
    ("attack", "defence", "column"),
    [(37, 10, "3-1"), (40, 10, "4-1"), (10, 10, "1-1"), (9, 10, "1-2"), (5, 10, "1-2"), (4, 10, "1-3"), (3, 10, "1-4"),
     (2, 10, None), (99, 10, "6-1")],
)  # fmt: skip
def test_odds_are_rounded_down(attack: int, defence: int, column: str | None) -> None:
    assert raw_odds(attack, defence) == column


@pytest.mark.rule("otr:10.1-shifts")
@pytest.mark.example("otr:10.1-tracking")
@pytest.mark.parametrize(
    ("change", "column"),
    [
        ({"held": "last"}, "5-1"),  # the rule's own example of a tracking shot
        ({"held": "last", "angle": 90}, "1-1"),  # 40 against 30; too much deflection to track
        ({"held": "last", "angle": 90, "beam": True}, "1-2"),
        ({"beam": True}, "4-1"),
        ({"held": "any", "burst": "long"}, "5-1"),
        ({"held": "last", "burst": "long"}, "6-1"),
        ({"held": "last", "burst": "long", "attack": 90}, "6-1"),
        ({"burst": "long"}, "4-1"),
        ({"burst": "half", "attack": 30}, "1-1"),  # the rule's own example of a half burst
        ({"burst": "half", "attack": 30, "crack_shot": True}, "2-1"),
        ({"short_of_ammo": True}, "3-1"),
        ({"short_of_ammo": True, "crack_shot": True}, "4-1"),
        ({"burst": "half", "attack": 3}, "none"),
        ({"attack": 2}, "none"),
    ],
)
def test_columns_are_shifted_and_end_at_the_edges_of_the_table(change: dict[str, Any], column: str) -> None:
    shot = replace(SHOT, **change)
    done = play(fire, shot, context=HOUSE) if column == "none" else shoot(shot, 50)
    assert done.result.odds == column
    if column == "none":
        assert (done.result.likelihood, done.result.hits, [c.kind for c in done.changes]) == (None, 0, ["ammo"])
        assert done.lines[-1].text.endswith("worse than 1-4, no hits")


@pytest.mark.rule("otr:9.4-excess")
@pytest.mark.parametrize(
    ("attack", "defence", "value"),
    [(37, 10, -15), (35, 10, -10), (34, 10, -5), (33, 10, 0), (30, 10, 0), (16, 9, -15), (9, 10, 0), (90, 10, -15)],
)  # fmt: skip
def test_excess_firepower_counts_by_the_part_of_the_final_defence(attack: int, defence: int, value: int) -> None:
    column = raw_odds(attack, defence)
    assert column is not None
    assert sum(m.value for m in excess(attack, defence, column)) == value


# --- the defence


@pytest.mark.rule("otr:9.3-factor")
@pytest.mark.parametrize(
    ("change", "note"),
    [
        ({}, "defence x1, deflection 30"),
        ({"angle": 120}, "defence x3, deflection 120"),
        ({"angle": 180}, "defence x2, deflection 180"),
        ({"angle": 180, "line": "nose"}, "defence x1, deflection 180"),
        ({"angle": 0, "line": "nose"}, "defence x1, deflection 0"),
        ({"spinning": True}, "defence x3, deflection 30"),
    ],
)
def test_deflection_multiplies_the_defence(change: dict[str, Any], note: str) -> None:
    assert note in [line.text for line in shoot(replace(SHOT, **change), 50).lines]


# --- the likelihood


@pytest.mark.rule("otr:9.4-modifiers")
@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, {}),
        ({"too_slow": True}, {"too slow": 15}),
        ({"small_hits": 3}, {"3 hits of the smaller guns": -15}),
        ({"range": 2, "wing_guns": True}, {"wing guns at range 2": -15}),
        ({"range": 3, "wing_guns": True}, {"wing guns at range 3": -10}),
        ({"range": 6, "wing_guns": True}, {"wing guns at range 6": 30}),
        ({"range": 6, "wing_guns": False}, {}),
        ({"line": "six"}, {"near-zero deflection": -20}),
        ({"line": "six", "spinning": True, "attack": 120}, {}),
        ({"target_speed": Decimal("7.5")}, {"combined speed 1.5": 10}),
        ({"shooter_rate": "TT"}, {"TT turn": 5}),
        ({"shooter_rate": "TT", "bomber": True}, {"TT turn": 10}),
        ({"target_rate": "HT", "shooter_bank": "LV", "target_bank": "LV"}, {}),
        ({"target_rate": "HT", "shooter_bank": "LV", "target_bank": "LB"}, {"lift vectors 1 steps apart": 5}),
        ({"shooter_rate": "BT", "spinning": True, "attack": 120}, {"BT turn": 15}),
        (
            {"quality": "green", "ace": True, "crack_shot": True, "sight": "gyro", "slipped": True, "unsteady": True},
            {"green": 5, "ace": -10, "crack shot": -15, "gyro sight": -15, "slip or skid": 10,
             "slats or flaps at work": 20},
        ),
    ],
)  # fmt: skip
def test_what_is_added_to_the_likelihood(change: dict[str, Any], expected: dict[str, int]) -> None:
    assert mods(shoot(replace(SHOT, **change), 50)) == expected


@pytest.mark.rule("otr:10.2-lift-vectors")
@pytest.mark.example("otr:10.2-lvmm")
def test_both_turning_hard_and_two_steps_apart_add_twenty() -> None:
    change = {"angle": 60, "shooter_bank": "RB", "target_bank": "LB", "shooter_rate": "HT", "target_rate": "HT"}
    done = shoot(replace(SHOT, **change), 50)  # type: ignore[arg-type]
    assert mods(done)["lift vectors 2 steps apart"] == 20


@pytest.mark.rule("otr:10.2-lift-vectors")
@pytest.mark.parametrize(
    ("angle", "shooter", "target", "steps"),
    [(0, "LB", "LB", 0), (60, "IL", "RB", 3), (90, "LB", "IL", 0), (90, "IV", "LV", 3), (90, "LB", "RB", 2),
     (120, "LB", "RB", 0), (180, "LB", "IL", 0), (180, "LB", "LB", 1), (150, "LV", "LV", 0), (150, "LV", "IV", 3)],
)  # fmt: skip
def test_steps_are_counted_to_the_nearest_bank_that_matches(angle: int, shooter: Any, target: Any, steps: int) -> None:
    assert mismatch(angle, shooter, target) == steps


@pytest.mark.rule("otr:10.3-combined-speed")
@pytest.mark.parametrize(
    ("angle", "shooter", "target", "together"),
    [(0, "6", "4", "0"), (30, "4", "6.5", "2.5"), (60, "6", "4", "4"), (90, "6", "4", "6"), (120, "4", "6", "8"),
     (150, "6", "4", "10"), (180, "6", "4", "10")],
)  # fmt: skip
def test_combined_speed_by_deflection(angle: int, shooter: str, target: str, together: str) -> None:
    assert combined_speed(angle, Decimal(shooter), Decimal(target)) == Decimal(together)


# --- hits, ammunition, jams


@pytest.mark.rule("otr:9.4-fire")
def test_hits_are_read_off_the_odds_and_every_house_value_is_named() -> None:
    done = shoot(replace(SHOT, attack=30), 60)  # 3-1: one hit from 60 downwards, one more for each 7
    assert (done.result.odds, done.result.likelihood, done.result.hits) == ("3-1", 60, 1)
    assert shoot(replace(SHOT, attack=30), 61).result.hits == 0
    assert shoot(replace(SHOT, attack=30), 53).result.hits == 2
    assert [(c.kind, c.target, c.value, c.when) for c in done.changes] == [
        ("ammo", "Fw 190", "1.0", "now"), ("hits", "B-17", 1, "step"),
    ]  # fmt: skip
    assert set(done.house) == {"Fixed gunfire deflection 30 [9.3]", "Combat odds 3-1/60 [9.4]"}


def test_a_likelihood_beyond_the_table_is_read_at_its_edge() -> None:
    assert shoot(replace(SHOT, small_hits=30), 1).result.hits == shoot(replace(SHOT, small_hits=40), 1).result.hits


def test_without_house_values_the_players_own_table_is_asked_for() -> None:
    none = Context()
    (factor,) = opened(fire, SHOT)
    assert (factor.kind, factor.rule) == ("look_up", "9.3")
    assert factor.text == "Read from the table 'Fixed gunfire deflection': 30"
    asked = [Answer(factor.address, value=1), at("shot", [60])]
    (cell,) = opened(fire, SHOT, *asked, context=none)
    assert cell.text == "Read from the table 'Combat odds': 4-1, 60"
    assert play(fire, SHOT, *asked, Answer(cell.address, value=4), context=none).result.hits == 4
    assert play(fire, SHOT, *asked, Answer(cell.address, value="-"), context=none).result.hits == 0


@pytest.mark.rule("otr:10.1-jams")
@pytest.mark.parametrize(
    ("burst", "face", "unreliable", "jams", "jammed"),
    [
        ("normal", 97, (), {}, ()),
        ("normal", 98, (), {"jam": 1}, ("left",)),
        ("half", 100, (), {"jam": 6}, ("nose",)),
        ("long", 84, (), {}, ()),
        ("long", 85, (), {"jam": 1}, ("left",)),
        ("normal", 84, ("left",), {}, ()),
        ("normal", 85, ("left",), {}, ("left",)),
        ("normal", 85, ("left", "right"), {"unreliable jam": 6}, ("right",)),
        ("long", 85, ("left",), {"jam": 6}, ("left", "nose")),
    ],
)
def test_guns_jam_by_the_throw_without_modifiers(
    burst: Any, face: int, unreliable: tuple[str, ...], jams: dict[str, int], jammed: tuple[str, ...]
) -> None:
    shot = replace(SHOT, burst=burst, groups=("left", "right", "nose"), unreliable=unreliable, small_hits=2)
    done = shoot(shot, face, jams=jams)
    assert done.result.jammed == jammed
    assert [c.value for c in done.changes if c.kind == "jam"] == list(jammed)


def test_the_only_group_that_jams_needs_no_second_throw() -> None:
    assert shoot(replace(SHOT, unreliable=("guns",)), 99).result.jammed == ("guns",)


# --- asking and refusing


def test_what_is_not_known_is_asked_in_the_order_of_the_rule() -> None:
    answers = [
        at("burst", "normal"), at("angle", "0"), at("range", 2), at("line", "six"), at("attack", 30), at("defence", 10),
        at("held", "last"), at("speed:shooter", "6.5"), at("speed:target", "6"), at("wing guns", "no"),
        at("rate:shooter", "HT"), at("rate:target", "EZ"), at("bank:shooter", "LB"), at("bank:target", "LB"),
        at("shot", [50]),
    ]  # fmt: skip
    done = play(fire, Shot(), *answers, context=HOUSE)
    assert (done.result.odds, done.result.likelihood) == ("4-1", 40)


def test_the_odds_of_a_shot_are_exact() -> None:
    chances = {c.result: c.chance for c in odds(fire, replace(SHOT, attack=10), [], HOUSE, about="hits")}
    assert sum(chances.values()) == 1
    assert chances[0] == Fraction(65, 100)  # 1-1: one hit from 35 downwards
    jams = {c.result: c.chance for c in odds(fire, replace(SHOT, unreliable=("guns",)), [], HOUSE, about="jams")}
    assert jams == {0: Fraction(84, 100), 1: Fraction(16, 100)}
    assert odds(fire, replace(SHOT, burst=None), [], HOUSE, about="hits")
    assert odds(fire, replace(SHOT, burst=None, quality="recruit"), [], HOUSE, about="hits")


SHOTS = st.builds(
    lambda attack, defence, angle, range_, mine, theirs, rate: replace(
        SHOT, attack=attack, defence=defence, angle=angle, range=range_, shooter_speed=mine, target_speed=theirs,
        shooter_rate=rate, shooter_bank="LV", target_bank="LB", wing_guns=True,
    ),
    st.integers(0, 80), st.integers(1, 9), st.sampled_from([0, 30, 60, 90, 120, 150, 180]), st.integers(1, 8),
    st.sampled_from([Decimal(3), Decimal("6.5")]), st.sampled_from([Decimal(4), Decimal("7.5")]),
    st.sampled_from(["EZ", "TT", "HT"]),
)  # fmt: skip


@settings(max_examples=15, deadline=None)
@given(SHOTS)
def test_odds_are_what_a_hundred_throws_come_to(shot: Shot) -> None:
    chances = {c.result: c.chance for c in odds(fire, shot, [], HOUSE, about="hits")}
    if opened(fire, shot, context=HOUSE):
        thrown = Counter(scripted(fire, shot, [at("shot", [face])], HOUSE).result.hits for face in range(1, 101))
        assert chances == {hits: Fraction(times, 100) for hits, times in thrown.items()}
        assert sorted(thrown.elements(), reverse=True) == [
            scripted(fire, shot, [at("shot", [face])], HOUSE).result.hits for face in range(1, 101)
        ]  # the lower the throw, the more hits
    else:
        assert chances == {0: 1}


@pytest.mark.rule("otr:10.3-fire")
@pytest.mark.parametrize(
    ("change", "codes"),
    [
        ({}, []),
        ({"shooter_rate": "ET"}, ["et"]),
        ({"quality": "recruit", "burst": "long", "wounded": True}, ["wounded"]),
        ({"quality": "recruit"}, ["long"]),
        ({"quality": "green", "burst": "half"}, ["half"]),
        ({"range": 0, "angle": 150}, ["zero"]),
        ({"range": 0}, []),
        ({"unreliable": ("MK-108",)}, ["groups"]),
        ({"shooter_speed": Decimal("6.3")}, ["speed"]),
        ({"target_speed": Decimal("NaN")}, ["speed"]),
    ],
)
def test_what_may_not_fire_is_refused_before_anything_is_asked(change: dict[str, Any], codes: list[str]) -> None:
    assert [barred.code for barred in fire.violations(replace(SHOT, **change))] == codes


def test_a_burst_that_the_pilot_may_not_fire_stays_listed_and_says_why() -> None:
    (ask,) = opened(fire, replace(SHOT, burst=None, quality="recruit"))
    assert ask.space is not None
    assert [(o.key, bool(o.barred)) for o in ask.space.listed] == [("half", True), ("normal", True), ("long", False)]
    with pytest.raises(Illegal):
        opened(fire, replace(SHOT, burst=None, quality="green"), at("burst", "half"))


def test_a_head_on_attack_at_range_0_is_refused_when_the_table_says_so() -> None:
    with pytest.raises(Illegal) as refused:
        opened(fire, replace(SHOT, range=None, angle=180), at("range", 0))
    assert refused.value.violations == (Barred("zero", "There are no head-on attacks at range 0.", "10.3"),)


@pytest.mark.parametrize("text", ["", "fast", "6.3", "-1", "31", "NaN"])
def test_a_speed_is_given_in_halves(text: str) -> None:
    with pytest.raises(UsageError, match="is no speed"):
        read_speed(text)
