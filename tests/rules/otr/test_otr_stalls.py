"""Stalls, spins, turn stalls, hammerheads and random flight."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from companion.rules.otr import lost
from companion.rules.otr.stalls import (
    Adrift,
    Rash,
    Spin,
    Stalling,
    hammerhead,
    random_flight,
    recover,
    roll,
    spin,
    stall,
    turn_stall,
)
from companion.umpire import Context, odds
from tests.hard_cases.walk import at, opened, play

HOUSE = Context(cells=lost.cells())
SLOW = Stalling(aircraft="P-38", bank="LV")


def chance(of: Any, inputs: Any, *results: str) -> Fraction:
    return sum((c.chance for c in odds(of, inputs, [], HOUSE) if c.result.result in results), Fraction(0))


@pytest.mark.rule("otr:4.5-check")
def test_from_sixty_a_stall_is_a_spin() -> None:
    done = play(stall, SLOW, at("stall", [60]), context=HOUSE)
    assert (done.result.result, [c.kind for c in done.changes], done.house) == ("spin", ["spin"], ())
    assert play(stall, SLOW, at("stall", [59]), at("wings", [1]), context=HOUSE).result.result == "stall"


@pytest.mark.rule("otr:4.5-check")
@pytest.mark.parametrize(
    ("change", "percent"),
    [({}, 41), ({"quality": "recruit"}, 61), ({"gifted": True, "quality": "veteran"}, 21), ({"idle": True}, 31),
     ({"single_engine_power": True, "severe": True}, 61), ({"slats": True}, 21), ({"night": True}, 71)],
)  # fmt: skip
def test_pilot_and_power_change_the_chance_of_a_spin(change: dict[str, Any], percent: int) -> None:
    assert chance(stall, replace(SLOW, **change), "spin") == Fraction(percent, 100)


@pytest.mark.rule("otr:4.5.1-bank")
@pytest.mark.parametrize(
    ("bank", "face", "new"),
    [
        ("RB", 6, "LV"),
        ("IL", 1, "IV"),
        ("IV", 3, "IV"),
        ("LB", 7, "IL"),
        ("LB", 8, "LV"),
        ("LV", 9, "LB"),
        ("LV", 10, "RB"),
    ],
)
def test_the_wings_of_a_stalled_aircraft(bank: Any, face: int, new: str) -> None:
    done = play(stall, replace(SLOW, bank=bank), at("stall", [1]), at("wings", [face]), context=HOUSE)
    assert (done.result.bank, done.changes[0].value) == (new, new)


def test_six_rolls_to_the_left_lead_all_round_and_the_right_leads_back() -> None:
    bank: Any = "LV"
    seen = [bank := roll(bank, "left") for _ in range(6)]
    assert seen == ["LB", "IL", "IV", "IR", "RB", "LV"]
    assert [roll(b, "right") for b in seen] == ["LV", "LB", "IL", "IV", "IR", "RB"]


@pytest.mark.rule("otr:4.5.2-turn")
def test_a_spin_throws_for_its_side_once_and_goes_deeper_each_turn() -> None:
    first = play(
        spin, Spin(aircraft="P-38", listed_minimum=Decimal("2.5")),
        at("side", [3]), at("facings", [4]), at("loss", [10]),
    )  # fmt: skip
    assert (first.result.side, first.result.facings, first.result.lost) == ("left", 4, Decimal("7.5"))
    later = Spin(aircraft="P-38", turns=3, side="right")
    done = play(spin, later, at("minimum", "2"), at("facings", [10]), at("loss", [1]))
    assert (done.result.lost, done.changes[0].value) == (Decimal(7), [10, "7.0", "RB"])
    assert play(
        spin, replace(later, turns=1, side=None, listed_minimum=Decimal(2)),
        at("side", [10]), at("facings", [1]), at("loss", [1]),
    ).result.side == "right"  # fmt: skip


@pytest.mark.rule("otr:4.5.2-turn")
def test_a_spin_that_goes_on_must_say_to_which_side() -> None:
    assert [barred.code for barred in spin.violations(Spin(turns=2))] == ["side"]
    assert [barred.code for barred in spin.violations(Spin(listed_minimum=Decimal("2.3")))] == ["speed"]
    assert spin.violations(Spin()) == ()


@pytest.mark.rule("otr:4.5.2-turn")
def test_recovery_gets_easier_with_each_try() -> None:
    assert chance(recover, SLOW, "recovers") == Fraction(40, 100)
    assert chance(recover, replace(SLOW, spinning=2), "recovers") == Fraction(60, 100)
    assert chance(recover, replace(SLOW, quality="green"), "recovers") == Fraction(30, 100)
    done = play(recover, SLOW, at("recovery", [40]), context=HOUSE)
    assert (done.result.bank, [c.kind for c in done.changes]) == ("LV", ["recovered"])
    (cell,) = opened(recover, SLOW)
    assert cell.text == "Read from the table 'Aircraft stalls and spins': recovery"


@pytest.mark.rule("otr:7.0-throw")
def test_a_hammerhead_counts_pilot_and_power_alone() -> None:
    assert chance(hammerhead, SLOW, "fails") == Fraction(41, 100)
    heavy = replace(SLOW, quality="green", severe=True, slats=True, night=True)
    assert chance(hammerhead, heavy, "fails") == Fraction(51, 100)
    assert play(hammerhead, SLOW, at("hammerhead", [59]), context=HOUSE).changes[0].kind == "faces about"


@pytest.mark.rule("otr:4.6-stall")
@pytest.mark.parametrize(
    ("change", "faces", "fps", "side", "rolls"),
    [
        ({}, (5, 1, 10), 5, "left", 5),  # a D5 of 3 and 2 for a regular pilot
        ({"quality": "recruit"}, (10, 2, 3), 11, "right", 2),
        ({"quality": "recruit", "speed": Decimal("2.5")}, (10, 2, 3), 5, "right", 2),
        ({"quality": "veteran", "gifted": True}, (1, 2, 10), 1, "right", 1),  # rolls are not longer than the stall
        ({"speed": Decimal(0)}, (1, 2, 10), 0, "right", 0),
    ],
)
def test_a_turn_stall_by_the_pilot(
    change: dict[str, Any], faces: tuple[int, int, int], fps: int, side: str, rolls: int
) -> None:
    rash = replace(Rash(aircraft="Zero", speed=Decimal(6)), **change)
    duration, direction, rolling = faces
    done = play(turn_stall, rash, at("duration", [duration]), at("side", [direction]), at("rolls", [rolling]))
    assert (done.result.fps, done.result.side, done.result.rolls, done.result.decel) == (fps, side, rolls, 5 + rolls)


@pytest.mark.rule("otr:4.6-stall")
def test_a_turn_stall_needs_a_speed_in_halves() -> None:
    assert turn_stall.violations(Rash()) == ()
    assert turn_stall.violations(Rash(speed=Decimal(3))) == ()
    assert [barred.code for barred in turn_stall.violations(Rash(speed=Decimal("0.2")))] == ["speed"]


@pytest.mark.rule("otr:5.7.1-flight")
@pytest.mark.parametrize(
    ("bank", "pitch", "rolled", "turned", "expected"),
    [
        ("LV", 1, 1, None, ("lower nose, EZ", "LB", "none")),
        ("LV", 4, 4, None, ("lower nose, free", "LV", "none")),
        ("LB", 6, 5, 2, ("no change", "LB", "EZ")),
        ("LB", 8, 4, 5, ("raise nose, EZ", "LB", "TT")),
        ("LB", 10, 4, 7, ("raise nose, EZ", "LB", "none")),
        ("LB", 10, 1, 1, ("raise nose, EZ", "IL", "EZ")),
        ("LB", 10, 10, 1, ("raise nose, EZ", "LV", "none")),
        ("IL", 10, 3, 1, ("raise nose, EZ", "IV", "none")),
    ],
)
def test_random_flight_turns_only_if_it_starts_banked_and_does_not_roll_level(
    bank: Any, pitch: int, rolled: int, turned: int | None, expected: tuple[str, str, str]
) -> None:
    answers = [at("pitch", [pitch]), at("roll", [rolled]), *([at("turn", [turned])] if turned else [])]
    done = play(random_flight, Adrift(bank=bank), *answers)
    assert (done.result.pitch, done.result.bank, done.result.turn) == expected
    assert done.changes[0].value == list(expected)
