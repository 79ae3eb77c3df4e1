"""Planes that are shot down: the victory, the landing, the licence."""

from fractions import Fraction
from typing import Any

import pytest

from companion.rules.fastplay import GAME
from companion.umpire import Answer, odds
from tests.rules.fastplay.rig import Play, context, pilot, resolve, stack


def loss(name: str, **hits: int) -> dict[str, Any]:
    return {"pilot": name, "hit_by": [{"by": by, "hits": n} for by, n in hits.items()]}


def high(*faces: int) -> Answer:
    return Answer(role="high", faces=list(faces))


def crash(face: int) -> Answer:
    return Answer(role="crash", faces=[face])


@pytest.mark.rule("fastplay:Crash Landings")
@pytest.mark.parametrize(("face", "survives"), [(1, True), (2, True), (3, True), (4, True), (5, False), (6, False)])
def test_the_pilot_survives_on_one_to_four(face: int, survives: bool) -> None:
    assert resolve("crash_landing", loss("karl"), crash(face)).result is survives


@pytest.mark.rule("fastplay:Victories")
@pytest.mark.example("fastplay:two planes hit a target")
def test_the_victory_goes_to_the_pilot_who_did_the_most_damage() -> None:
    assert resolve("credit", loss("karl", anna=2, ben=3)).result == "ben"
    assert resolve("credit", loss("karl", anna=2)).result == "anna"
    assert resolve("credit", loss("karl")).result == ""


@pytest.mark.rule("fastplay:Victories: equal damage")
@pytest.mark.example("fastplay:both players inflicted equal damage")
def test_equal_damage_is_rolled_for_and_ties_are_rolled_again() -> None:
    assert resolve("credit", loss("karl", anna=3, ben=3), high(2, 5)).result == "ben"
    assert resolve("credit", loss("karl", anna=3, ben=3), high(4, 4), high(1, 1), high(6, 5)).result == "anna"


@pytest.mark.rule("fastplay:Victories: equal damage")
def test_of_three_only_those_who_tie_for_the_highest_roll_again() -> None:
    assert resolve("credit", loss("karl", anna=2, ben=2, cem=2, dora=1), high(5, 3, 5), high(1, 2)).result == "cem"


def chances(name: str, inputs: dict[str, Any], *answers: Answer, about: str = "") -> dict[Any, Fraction]:
    procedure = GAME.procedures[f"fastplay.{name}"]
    found = odds(procedure, procedure.inputs(inputs), answers, context(), about=about)
    return {c.result: c.chance for c in found}


@pytest.mark.rule("fastplay:Victories: equal damage")
def test_the_odds_of_a_tie_are_exact_however_often_it_is_thrown_again() -> None:
    assert chances("credit", loss("karl", anna=3, ben=3)) == {"anna": Fraction(1, 2), "ben": Fraction(1, 2)}
    three = chances("credit", loss("karl", anna=2, ben=2, cem=2))
    assert three == dict.fromkeys(("anna", "ben", "cem"), Fraction(1, 3))
    thrown = chances("credit", loss("karl", anna=3, ben=3), Answer(address="high", faces={"anna": 2}))
    assert thrown == {"anna": Fraction(1, 4), "ben": Fraction(3, 4)}, "a tie with the die that lies sends both back"


def test_the_odds_of_many_who_come_down_are_those_of_each() -> None:
    """Of twenty planes, and where some have landed already."""
    planes = [loss(f"p{n}", anna=6) for n in range(20)]
    found = chances("shot_down", {"planes": planes}, about="survivors")
    assert found[20] == Fraction(2, 3) ** 20
    assert sum(found.values()) == 1
    known = chances(
        "shot_down", {"planes": planes[:2]}, Answer(address="landing:p0/crash", faces=[6]), about="survivors"
    )
    assert known == {0: Fraction(1, 3), 1: Fraction(2, 3)}


@pytest.mark.rule("fastplay:Victories")
def test_in_one_step_victories_come_before_crash_landings() -> None:
    both = {"planes": [loss("anna", karl=6), loss("karl", anna=6)], "victories": {"anna": 4, "karl": 0}}
    done = resolve("shot_down", both, crash(1), crash(6))
    assert [(f.pilot, f.victor, f.survives) for f in done.result.fates] == [
        ("anna", "karl", True),
        ("karl", "anna", False),
    ]
    assert [c.kind for c in done.changes] == ["victory", "victory", "survived", "out_of_action", "resolved"]
    assert "anna: victory 5: now an ace" in [line.text for line in done.lines]


def test_two_victories_at_once_are_counted_one_after_the_other() -> None:
    both = {"planes": [loss("karl", anna=6), loss("otto", anna=6)], "victories": {"anna": 8}}
    words = [line.text for line in resolve("shot_down", both, crash(1), crash(1)).lines]
    assert "anna: victory 9" in words
    assert "anna: victory 10: now a double ace" in words


def test_the_odds_of_survival_are_two_in_three_for_each() -> None:
    two = {"planes": [loss("karl", anna=6), loss("otto", anna=6)], "victories": {}}
    procedure = GAME.procedures["fastplay.shot_down"]
    chances = {c.result: c.chance for c in odds(procedure, procedure.inputs(two), (), context(), about="survivors")}
    assert chances == {0: Fraction(1, 9), 1: Fraction(4, 9), 2: Fraction(4, 9)}


# --- at the table


def duel_range(*more: dict[str, Any], **switches: Any) -> Play:
    """Anna behind Karl at one hex after the first card; whoever else is given flies along."""
    anna = pilot("Anna", "Allies", at="J5", victories=4)
    return Play(anna, pilot("Karl", "Axis", at="K5"), *more, **switches)


def straight(play: Play) -> None:
    play.do("choose", *(stack(p.key, "2ST 2ST 2ST") for p in play.state.flying))
    play.fly()


@pytest.mark.rule("fastplay:Resolve Shooting: shot down")
def test_six_hits_shoot_a_plane_down_and_until_then_it_flies_normally() -> None:
    play = duel_range()
    straight(play)
    play.shoot("anna", 4, 5, 6, 6, 6)
    play.do("close")
    assert (play.state.pilot("karl").hits, play.state.phase) == (5, "reveal")
    play.fly()
    play.shoot("anna", 4, 1, 1, 1, 1)
    assert play.state.pilot("karl").hits == 5
    play.do("close")
    assert (play.state.pilot("karl").hits, play.state.phase) == (6, "losses")
    play.do("losses", crash(3))
    assert play.state.pilot("anna").victories == 5
    assert [p.key for p in play.state.flying] == ["anna"]


PLAIN = ("Me-109", "Me-109A", "Fw-190D", "Spitfire", "Hurricane", "Mosquito", "Mustang", "Thunderbolt", "Corsair")


@pytest.mark.rule("fastplay:Damage Points")
@pytest.mark.parametrize(
    ("craft", "points"),
    [*dict.fromkeys(PLAIN, 6).items(), ("Me-110", 7), ("Me-262", 7), ("Me-163", 7), ("Lightning", 8), ("Zero", 5)],
)
def test_damage_points_by_aircraft(craft: str, points: int) -> None:
    def held(**switches: Any) -> int:
        return Play(pilot("A", "x", craft), pilot("B", "y"), **switches).state.pilot("a").points

    assert held() == points
    assert held(damage_points=False) == 6


@pytest.mark.rule("fastplay:Resolve Shooting: licence")
def test_each_hit_crosses_off_one_circle_and_never_more_than_there_are() -> None:
    play = duel_range(pilot("Ben", "Allies", at="I5"))
    straight(play)
    play.shoot("anna", 4, 4, 4, 4, 4)
    play.shoot("ben", 4, 4, 4, 4)
    play.do("close")
    karl = play.state.pilot("karl")
    assert (karl.hits, {s.by: s.hits for s in karl.hit_by}) == (6, {"anna": 5, "ben": 4})


@pytest.mark.rule("fastplay:Victories: the turn")
def test_hits_of_the_whole_turn_count_for_the_victory_or_those_of_the_card_alone() -> None:
    for switches, victor in (({}, "anna"), ({"credit": "card"}, "ben")):
        play = duel_range(pilot("Ben", "Allies", at="I5"), **switches)
        straight(play)
        play.shoot("anna", 4, 4, 4, 4, 1)
        play.do("close")
        play.fly()
        play.shoot("ben", 4, 4, 1, 1)
        play.do("close")
        assert play.do("losses", crash(1)).result.fates[0].victor == victor


@pytest.mark.rule("fastplay:Victories: the turn")
def test_hits_of_an_earlier_turn_do_not_count_for_the_victory() -> None:
    play = duel_range(pilot("Ben", "Allies", at="I5"), mat=(40, 18))
    straight(play)
    play.shoot("anna", 4, 4, 4, 4, 4)
    play.do("close")
    for _ in range(2):
        play.fly()
        play.do("close")
    straight(play)
    play.shoot("ben", 4, 1, 1, 1)
    play.do("close")
    assert play.do("losses", crash(1)).result.fates[0].victor == "ben"


@pytest.mark.rule("fastplay:Crash Landings: out of action")
def test_a_pilot_out_of_action_starts_again_with_a_new_licence() -> None:
    play = duel_range()
    straight(play)
    play.shoot("anna", 4, 4, 4, 4, 4)
    play.do("close")
    play.fly()
    play.shoot("anna", 4, 4, 4, 4, 4)
    play.do("close")
    play.do("losses", crash(5))
    karl = play.state.pilot("karl")
    assert (karl.out, karl.victories, karl.licence, karl.hits) == ("out of action", 0, 2, 0)
    assert GAME.roster(play.state)[1] == {
        "name": "Karl",
        "side": "Axis",
        "aircraft": "Me-109",
        "key": "karl",
        "victories": 0,
        "licence": 2,
    }


@pytest.mark.rule("fastplay:Crash Landings: out of action")
def test_a_victory_that_falls_to_a_lost_licence_is_lost_with_it() -> None:
    lost = {"pilot": "karl", "hit_by": [{"by": "anna", "hits": 5, "lost": True}, {"by": "ben", "hits": 1}]}
    done = resolve("credit", lost)
    assert done.result == ""
    assert "lost with the licence" in done.lines[-1].text


def test_the_hits_of_a_pilot_put_out_of_action_stay_counted_but_lost() -> None:
    play = Play(
        pilot("Anna", "Allies", at="J5"),
        pilot("Karl", "Axis", at="K5", facing="W"),
        pilot("Otto", "Axis", at="L5", facing="W"),
        pilot("Ben", "Allies", at="A16"),
    )
    play.do("choose", *(stack(p.key, "1ST HL HR") for p in play.state.flying))
    play.state = play.state.__class__(
        **{f: getattr(play.state, f) for f in play.state.__struct_fields__} | {"phase": "shoot"}
    )
    play.shoot("anna", 4, 4, 1, 1, 1)
    play.shoot("karl", 4, 4, 4, 4, 4)
    play.shoot("otto", 4, 1, 1, 1)
    play.do("close")
    play.do("losses", crash(6))
    shares = play.state.pilot("karl").hit_by
    assert [(s.by, s.hits, s.lost) for s in shares] == [("anna", 2, True)]
    assert play.state.pilot("karl").victories == 1
