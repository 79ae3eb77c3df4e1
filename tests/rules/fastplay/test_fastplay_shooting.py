"""Shooting: who is the target, how many dice, what hits."""

from fractions import Fraction
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.fastplay import GAME
from companion.umpire import Answer, Illegal, odds
from tests.rules.fastplay.rig import Play, context, pilot, refused, resolve

SHOT = {"shooter": "anna", "aircraft": "Me-109", "victories": 0}


def shot(*faces: int, **inputs: Any) -> Any:
    return resolve("fire", SHOT | inputs, Answer(role="shoot", faces=list(faces))).result


@pytest.mark.rule("fastplay:Resolve Shooting")
@pytest.mark.example("fastplay:five dice at one hex")
def test_one_hex_away_five_dice_two_hexes_away_four() -> None:
    assert (shot(1, 2, 3, 4, 5, range=1).dice, shot(1, 2, 3, 4, range=2).dice) == (5, 4)


@pytest.mark.rule("fastplay:Resolve Shooting")
@pytest.mark.parametrize(("hexes", "dice"), [(1, 5), (2, 4), (3, 3), (4, 2), (5, 1)])
def test_dice_by_range(hexes: int, dice: int) -> None:
    assert shot(*[6] * dice, range=hexes).hits == dice


@pytest.mark.rule("fastplay:Resolve Shooting")
def test_hits_are_scored_on_four_to_six() -> None:
    assert [shot(face, range=5).hits for face in range(1, 7)] == [0, 0, 0, 1, 1, 1]


LOWEST = {
    "Me-109": (4, 4, 4, 4, 4),
    "Me-109A": (3, 4, 4, 4, 4),
    "Me-110": (3, 3, 3, 3, 3),
    "Fw-190D": (3, 4, 4, 4, 4),
    "Me-262": (3, 4, 4, 4, 4),
    "Me-163": (3, 4, 4, 4, 4),
    "Spitfire": (4, 4, 4, 4, 4),
    "Hurricane": (4, 4, 4, 4, 4),
    "Mosquito": (4, 4, 4, 4, 4),
    "Mustang": (4, 4, 4, 4, 4),
    "Thunderbolt": (4, 4, 4, 4, 4),
    "Lightning": (3, 3, 3, 4, 4),
    "Corsair": (4, 4, 4, 4, 4),
    "Zero": (4, 4, 5, 5, 5),
}


@pytest.mark.rule("fastplay:Firepower")
@pytest.mark.parametrize("craft", LOWEST)
def test_the_to_hit_table_cell_by_cell(craft: str) -> None:
    found = tuple(shot(*[1] * (6 - n), range=n, aircraft=craft).need for n in range(1, 6))
    assert found == LOWEST[craft]
    assert [GAME.charts["to_hit"].at(craft, str(n)) for n in range(1, 6)] == [f"{low}-6" for low in LOWEST[craft]]


@pytest.mark.rule("fastplay:Firepower")
def test_a_table_without_firepower_hits_on_four_everywhere() -> None:
    done = resolve(
        "fire", SHOT | {"aircraft": "Me-110", "range": 1}, Answer(role="shoot", faces=[3] * 5), firepower=False
    )
    assert done.result.hits == 0


@pytest.mark.rule("fastplay:Aces")
@pytest.mark.parametrize(("victories", "dice"), [(0, 3), (4, 3), (5, 4), (9, 4), (10, 4), (25, 4)])
def test_an_ace_throws_one_die_more_and_a_double_ace_no_other(victories: int, dice: int) -> None:
    assert shot(*[4] * dice, range=3, victories=victories).hits == dice


@pytest.mark.rule("fastplay:Aces")
def test_the_die_of_an_ace_has_its_own_place_in_the_throw() -> None:
    done = resolve("fire", SHOT | {"range": 5, "victories": 5}, Answer(role="shoot", faces={"d6 1": 1, "ace": 6}))
    assert done.result.hits == 1
    assert [line.text for line in done.lines][:2] == ["range 5: 1 dice", "ace with 5 victories: one die more"]


def test_what_is_not_known_is_asked_and_the_answers_are_enough() -> None:
    answers = [
        Answer(role="range", fact="3"),
        Answer(role="aircraft", fact="Zero"),
        Answer(role="victories", fact=12),
        Answer(role="shoot", faces=[4, 5, 6, 4]),
    ]
    done = resolve("fire", {"shooter": "anna"}, *answers)
    assert (done.result.need, done.result.hits) == (5, 2)
    assert [c.kind for c in done.changes] == ["fired"]


@pytest.mark.rule("fastplay:Resolve Shooting: simultaneous")
def test_hits_wait_for_the_end_of_the_step_and_the_shot_is_counted_at_once() -> None:
    changes = shot(4, 4, 1, range=3, target="karl").changes
    assert [(c.kind, c.target, c.when) for c in changes] == [("fired", "anna", "now"), ("hits", "karl", "step")]


@given(st.integers(1, 5), st.sampled_from(sorted(LOWEST)), st.sampled_from([0, 5]))
def test_the_odds_are_binomial(hexes: int, craft: str, victories: int) -> None:
    fire = GAME.procedures["fastplay.fire"]
    inputs = fire.inputs(SHOT | {"aircraft": craft, "range": hexes, "victories": victories})
    chances = {c.result: c.chance for c in odds(fire, inputs, (), context(), about="hits")}
    dice, each = 6 - hexes + (victories >= 5), Fraction(7 - LOWEST[craft][hexes - 1], 6)
    expected = {n: comb(dice, n) * each**n * (1 - each) ** (dice - n) for n in range(dice + 1)}
    assert chances == expected


# --- the line of flight


def board(*planes: tuple[str, str, str], facing: str = "E", **shot: Any) -> dict[str, Any]:
    """Anna of the Allies on J5; the others by name, side and hex."""
    seen = [{"pilot": name, "side": side, "at": at} for name, side, at in planes]
    fixed = {"side": "Allies", "mat": {"columns": 24, "rows": 18}, "at": "J5", "facing": facing, "planes": seen}
    return SHOT | fixed | shot


def hit(inputs: dict[str, Any], dice: int, *more: Answer) -> tuple[str, int]:
    result = resolve("fire", inputs, *more, Answer(role="shoot", faces=[1] * dice)).result
    return result.target, result.range


@pytest.mark.rule("fastplay:Resolve Shooting: line of fire")
@pytest.mark.parametrize(
    ("facing", "at"), [("E", "L5"), ("W", "H5"), ("NE", "K7"), ("NW", "I7"), ("SE", "K3"), ("SW", "I3")]
)
def test_the_line_runs_straight_ahead_through_each_hexside(facing: str, at: str) -> None:
    inputs = board(("karl", "Axis", at), facing=facing)
    assert hit(inputs, 4) == ("karl", 2)
    others = {"E", "NE", "NW", "W", "SW", "SE"} - {facing}
    assert all(refused("fire", board(("karl", "Axis", at), facing=f)) == {"NO_ENEMY_IN_LINE_OF_FIRE"} for f in others)


@pytest.mark.rule("fastplay:Resolve Shooting: nearest")
def test_the_nearest_enemy_is_the_target_and_friends_in_the_line_are_ignored() -> None:
    planes = (("ben", "Allies", "K5"), ("karl", "Axis", "L5"), ("otto", "Axis", "M5"))
    assert hit(board(*planes), 4) == ("karl", 2)
    assert refused("fire", board(*planes, target="otto")) == {"MUST_FIRE_AT_NEAREST"}
    assert refused("fire", board(*planes, target="ben")) == {"NO_ENEMY_IN_LINE_OF_FIRE"}
    assert hit(board(*planes, target="karl"), 4) == ("karl", 2)


@pytest.mark.rule("fastplay:Resolve Shooting: nearest")
def test_of_two_enemies_in_the_nearest_hex_the_shooter_picks() -> None:
    inputs = board(("karl", "Axis", "L5"), ("otto", "Axis", "L5"), ("emil", "Axis", "M5"))
    assert hit(inputs, 4, Answer(role="target", choice="otto")) == ("otto", 2)


@pytest.mark.rule("fastplay:Planes in the Same Hex")
def test_an_enemy_in_the_same_hex_is_passed_over_for_one_ahead() -> None:
    assert hit(board(("karl", "Axis", "J5"), ("otto", "Axis", "L5")), 4) == ("otto", 2)
    assert refused("fire", board(("karl", "Axis", "J5"))) == {"SAME_HEX_NO_SHOOTING"}
    assert refused("fire", board(("karl", "Axis", "J5"), ("otto", "Axis", "L5"), target="karl")) == {
        "SAME_HEX_NO_SHOOTING"
    }


def test_five_hexes_are_in_range_and_six_are_not() -> None:
    assert hit(board(("karl", "Axis", "O5")), 1) == ("karl", 5)
    assert refused("fire", board(("karl", "Axis", "P5"))) == {"NO_ENEMY_IN_LINE_OF_FIRE"}


@given(
    st.lists(st.tuples(st.sampled_from(["Allies", "Axis"]), st.integers(0, 8), st.integers(-1, 1)), max_size=6),
    st.sampled_from(["", "k0", "k1", "x"]),
)
def test_the_target_is_the_nearest_of_those_a_naive_search_finds(planes: list[tuple[str, int, int]], duel: str) -> None:
    seen = [
        (f"k{n}", side, f"{'ABCDEFGHIJKLMNOPQRSTUVWX'[9 + ahead]}{5 + up}")
        for n, (side, ahead, up) in enumerate(planes)
    ]
    inputs = board(*seen, duel=duel)
    for plane in inputs["planes"]:
        plane["duel"] = "anna" if plane["pilot"] == duel else ""
    ahead = [
        (hexes, f"k{n}")
        for n, (side, hexes, up) in enumerate(planes)
        if up == 0 and 1 <= hexes <= 5 and ((f"k{n}" == duel) if duel else side == "Axis")
    ]
    if not ahead:
        assert refused("fire", inputs) <= {"NO_ENEMY_IN_LINE_OF_FIRE", "SAME_HEX_NO_SHOOTING"}
        assert refused("fire", inputs)
        return
    near = [name for hexes, name in ahead if hexes == min(ahead)[0]]
    pick = [Answer(role="target", choice=near[-1])] if len(near) > 1 else []
    assert hit(inputs, 6 - min(ahead)[0], *pick) == (near[-1], min(ahead)[0])


# --- duellists


@pytest.mark.rule("fastplay:Duels: isolation")
def test_duellists_and_all_others_ignore_each_other() -> None:
    planes = (("karl", "Axis", "L5"), ("otto", "Axis", "M5"))
    alone = board(*planes, duel="otto")
    alone["planes"][1]["duel"] = "anna"
    assert hit(alone, 3) == ("otto", 3)
    assert refused("fire", alone | {"target": "karl"}) >= {"DUEL_ONLY_EACH_OTHER"}
    outside = board(*planes)
    outside["planes"][0]["duel"] = "ben"
    assert hit(outside, 3) == ("otto", 3)


@pytest.mark.rule("fastplay:Duels: end")
def test_the_winner_of_a_duel_neither_fires_nor_is_fired_at_before_it_has_left() -> None:
    assert refused("fire", board(("karl", "Axis", "L5"), must_leave=True)) == {"DUEL_WINNER_MUST_LEAVE_FIRST"}
    won = board(("karl", "Axis", "L5"), ("otto", "Axis", "M5"))
    won["planes"][0]["must_leave"] = True
    assert hit(won, 3) == ("otto", 3)
    assert "DUEL_WINNER_MUST_LEAVE_FIRST" in refused("fire", won | {"target": "karl"})


# --- without hexes


def test_without_hexes_target_and_range_are_asked() -> None:
    play = Play(pilot("Anna", "Allies"), pilot("Karl", "Axis"), pilot("Otto", "Axis"), keeps_hexes=False, cards="table")
    play.do("choose")
    play.fly()
    done = play.do(
        "fire:anna",
        Answer(role="target", choice="otto"),
        Answer(role="range", fact=4),
        Answer(role="shoot", faces=[4, 4]),
    )
    assert (done.result.target, done.result.range, done.result.hits) == ("otto", 4, 2)


@pytest.mark.parametrize(("said", "code"), [("0", "SAME_HEX_NO_SHOOTING"), ("6", "NO_ENEMY_IN_LINE_OF_FIRE")])
def test_a_range_that_is_too_near_or_too_far_is_refused_where_it_is_said(said: str, code: str) -> None:
    with pytest.raises(Illegal) as found:
        resolve("fire", SHOT, Answer(role="range", fact=said))
    assert [v.code for v in found.value.violations] == [code]
    assert refused("fire", SHOT | {"range": int(said)}) == {code}


def test_all_friends_are_no_target_without_hexes_either() -> None:
    friend = {"side": "Allies", "planes": [{"pilot": "ben", "side": "Allies"}]}
    assert refused("fire", SHOT | friend) == {"NO_ENEMY_IN_LINE_OF_FIRE"}
