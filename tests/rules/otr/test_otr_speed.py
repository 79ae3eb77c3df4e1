"""The speed of the next turn, by the rulebook's examples and a move that the designer worked."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from companion.rules.otr import lost
from companion.rules.otr.speed import Flight, change_speed, full_fps
from companion.umpire import Context, UsageError
from tests.hard_cases.walk import at, opened, play

D = Decimal
HOUSE = Context(cells=lost.cells())
FLIGHT = Flight(aircraft="Spitfire", speed=D(4), listed=D(8), power="military", military=D(0))


def fly(**change: Any) -> Any:
    return play(change_speed, replace(FLIGHT, **change), context=HOUSE)


def outcome(**change: Any) -> tuple[D, D]:
    result = fly(**change).result
    return result.speed, result.carry


def texts(done: Any) -> list[str]:
    return [line.text for line in done.lines]


@pytest.mark.rule("otr:4.3-speed")
def test_a_move_that_the_designer_worked_comes_out_as_he_has_it() -> None:
    """5 from the engine, 2 from a dive of 200 feet, 8 for two BT and one HT at 5.5, 1.5 carried: 2.5 to carry."""
    done = fly(
        speed=D("5.5"), power="emergency", military=D(4), emergency=D(5), increments=-2, carry=D("-1.5"),
        card={"TT": D(2), "HT": D(3), "BT": D(4)}, facings={"BT": 2, "HT": 1},
    )  # fmt: skip
    assert (done.result.speed, done.result.carry) == (D("5.5"), D("-2.5"))
    assert "-6.0 2 facings or steps at BT, paid as HT" in texts(done)
    assert done.house == ("Climb decel and dive accel 5.5 [4.2]",)
    assert [(c.kind, c.value, c.when) for c in done.changes] == [("speed", "5.5", "next turn")]


@pytest.mark.rule("otr:4.3-speed")
@pytest.mark.example("otr:4.3-carry")
@pytest.mark.parametrize(
    ("carry", "speed", "rest"),
    [("-17.5", "2.5", "-2.5"), ("-4.5", "4.0", "-4.5"), ("-5", "3.5", "0"), ("4.5", "4.0", "4.5"), ("12", "5.0", "2"),
     ("-60", "0", "0")],
)  # fmt: skip
def test_each_full_five_points_are_half_a_point_of_speed(carry: str, speed: str, rest: str) -> None:
    assert outcome(carry=D(carry)) == (D(speed), D(rest))


@pytest.mark.rule("otr:4.2-decel")
@pytest.mark.example("otr:4.2-excess")
def test_speed_above_attainable_costs_twice_the_difference_and_the_engines_give_nothing() -> None:
    done = fly(speed=D("8.5"), listed=D(6), military=D(9), taken=D(9))
    assert "-5.0 2.5 above attainable" in texts(done)
    assert "faster than attainable: no accel from the engines" in texts(done)
    assert (done.result.speed, done.result.carry) == (D(8), D(0))


@pytest.mark.rule("otr:4.2-decel")
@pytest.mark.parametrize(
    ("change", "net"),
    [
        ({"starts": "climb", "attitude": D(2)}, "-2.0"),
        ({"starts": "dive", "attitude": D(2)}, "+2.0"),
        ({"increments": 3}, "-4.5"),  # 1.5 each at 4.0
        ({"increments": -3}, "+4.5"),
        ({"dive_brakes": 5}, "-5.0"),
        ({"snap_steps": 2}, "-6.0"),
        ({"bay_open": True, "windmilling": 2, "other": D("1.5")}, "-6.5"),
        ({"facings": {"EZ": 2}, "card": {"TT": D(3)}}, "-3.0"),
        ({"facings": {"TT": 2, "HT": 0}, "card": {"TT": D(3)}}, "-6.0"),
        ({"facings": {"BT": 1}, "card": {"TT": D(1), "HT": D(2), "BT": D(4)}}, "-4.0"),
        ({"facings": {"BT": 1}, "card": {"TT": D(1), "HT": D(2), "BT": D(4)}, "speed": D(5)}, "-2.0"),
        ({"facings": {"BT": 1}, "card": {"TT": D(1), "HT": D(2), "BT": D(4)}, "speed": D(8)}, "-1.0"),
        ({"facings": {"HT": 1}, "card": {"TT": D(1), "HT": D(2)}, "speed": D(10), "listed": D(12)}, "-0.5"),
    ],
)
def test_what_each_thing_costs_or_gains(change: dict[str, Any], net: str) -> None:
    assert any(text.startswith(f"net {net}:") for text in texts(fly(**change)))


@pytest.mark.rule("otr:4.1-power")
def test_idle_slows_a_propeller_at_once_and_a_jet_not() -> None:
    assert fly(power="idle", speed=D(4)).result.speed == D("3.5")
    assert fly(power="idle", speed=D(4), jet=True).result.speed == D(4)
    assert fly(power="idle", speed=D(0)).result.speed == D(0)
    assert fly(power="endurance", military=D(6)).result.carry == 0


@pytest.mark.rule("otr:4.1-power")
@pytest.mark.parametrize(
    ("power", "taken", "carry"),
    [("cruise", "2", "2"), ("cruise", "0", "0"), ("military", "2.5", "2.5"), ("military", "4.5", "4.5")],
)
def test_cruise_takes_up_to_a_third_and_military_more(power: Any, taken: str, carry: str) -> None:
    assert outcome(power=power, military=D(6), taken=D(taken), listed=D(9))[1] == D(carry) % 5


@pytest.mark.rule("otr:4.1-power")
@pytest.mark.parametrize(
    ("power", "taken"), [("cruise", "2.5"), ("military", "2"), ("military", "6.5"), ("cruise", "1.3")]
)
def test_more_or_less_than_the_setting_gives_is_refused(power: Any, taken: str) -> None:
    with pytest.raises(UsageError, match="does not do"):
        fly(power=power, military=D(6), taken=D(taken))


@pytest.mark.rule("otr:4.1-power")
def test_what_is_not_known_is_asked() -> None:
    answers = [at("power", "cruise"), at("speed:aircraft", "4"), at("listed", "8"), at("taken", "1.5")]
    done = play(change_speed, Flight(military=D(6)), *answers, context=HOUSE)
    assert (done.result.speed, done.result.carry) == (D(4), D("1.5"))
    (cell,) = opened(change_speed, replace(FLIGHT, increments=1))
    assert cell.text == "Read from the table 'Climb decel and dive accel': 4.0"
    assert play(change_speed, replace(FLIGHT, increments=1), at(cell.address, "2")).result.carry == -2
    with pytest.raises(UsageError, match="give points in halves"):
        opened(change_speed, replace(FLIGHT, increments=1), at(cell.address, "much"))


@pytest.mark.rule("otr:4.3.1-attainable")
@pytest.mark.example("otr:4.3.1-both")
@pytest.mark.parametrize(
    ("change", "attainable"),
    [
        ({}, "8"),
        ({"load": "loaded"}, "7.5"),
        ({"load": "overloaded"}, "7"),
        ({"severe": True}, "7"),
        ({"load": "loaded", "severe": True}, "6.5"),
        ({"power_losses": 2}, "7"),
        ({"power": "cruise"}, "6.5"),
        ({"power": "cruise", "high": True}, "7"),
        ({"power": "cruise", "fighter": False}, "7"),
        ({"power": "cruise", "fighter": False, "load": "overloaded"}, "6.5"),
        ({"power": "endurance", "load": "loaded"}, "4"),  # half of 7.5
        ({"power": "idle", "load": "loaded"}, "4"),  # half of what is listed
        ({"power": "emergency", "emergency": D(0)}, "8"),
        ({"listed": D(1), "severe": True, "load": "overloaded"}, "0"),
    ],
)
def test_attainable_speed_for_load_damage_and_power(change: dict[str, Any], attainable: str) -> None:
    assert fly(**change).result.attainable == D(attainable)


@pytest.mark.rule("otr:4.4-limits")
@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"speed": D("7.5"), "carry": D(12)}, (D(8), D(0))),
        ({"speed": D(8), "carry": D(3)}, (D(8), D(0))),
        ({"speed": D(8), "carry": D(-3)}, (D(8), D(-3))),
        ({"speed": D("7.5"), "carry": D(12), "ends": "dive"}, (D("8.5"), D(2))),
        ({"speed": D("7.5"), "carry": D(12), "starts": "dive"}, (D("8.5"), D(2))),
        ({"speed": D("8.5"), "carry": D(12)}, (D("8.5"), D(0))),
    ],
)
def test_at_the_attainable_speed_only_a_dive_gains_or_carries(change: dict[str, Any], expected: Any) -> None:
    assert outcome(**change) == expected


@pytest.mark.rule("otr:3.5-fps")
@pytest.mark.example("otr:3.5-seven")
@pytest.mark.parametrize(
    ("speed", "carried", "fps", "half"),
    [("6.5", True, 7, False), ("6.5", False, 6, True), ("6.0", True, 6, True), ("6.0", False, 6, False)],
)
def test_a_half_joins_only_a_speed_with_a_half(speed: str, carried: bool, fps: int, half: bool) -> None:
    assert full_fps(D(speed), carried) == (fps, half)


@pytest.mark.rule("otr:4.2-decel")
@pytest.mark.parametrize(
    ("change", "codes"),
    [
        ({}, []),
        ({"speed": D("4.2")}, ["speed"]),
        ({"carry": D("0.3")}, ["points"]),
        ({"card": {"TT": D("NaN")}}, ["points"]),
        ({"power": "emergency"}, ["emergency"]),
        ({"dive_brakes": 4}, ["brakes"]),
        ({"facings": {"ET": 1}, "card": {"TT": D(1), "ET": D(6)}}, ["card"]),
        ({"facings": {"EZ": 1}}, ["card"]),
        ({"facings": {"ET": 0}}, []),
    ],
)
def test_figures_that_cannot_be_are_refused(change: dict[str, Any], codes: list[str]) -> None:
    assert [barred.code for barred in change_speed.violations(replace(FLIGHT, **change))] == codes
