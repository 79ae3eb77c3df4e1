"""How a fight begins: missions as the rulebook's examples name them, and formations of Companion's own."""

from collections import Counter
from itertools import pairwise

import pytest

from companion.game import picking, registry
from companion.game.errors import UsageError
from companion.grid.triangular import Point, Pose, Yaw
from companion.rules.aod.missions import FORMATIONS, GAP, SCENARIOS
from companion.umpire import Context

GAME = registry.game("aod")


def begun(key: str) -> tuple[Counter[tuple[str, int | None]], tuple[str, ...], int]:
    """Types with their levels, the sides in the order of their turns, and the rounds."""
    mission = SCENARIOS[key]
    table = GAME.start(mission.setup, Context(mission.switches, GAME.cells()))
    return Counter((c.type, c.level) for c in table.crafts), table.sides, table.rounds


@pytest.mark.rule("aod:2.2.1")
def test_six_against_six_over_fifteen_rounds_with_the_sun_in_the_south_east() -> None:
    crafts, _, rounds = begun("dogfight")
    kinds = {kind: n for (kind, _), n in crafts.items()}
    assert kinds == {"Fw 190 A-8": 4, "Me 262 Schwalbe": 2, "Spitfire Mk IX": 3, "Tempest FB Mk II": 3}
    assert all(3 <= level <= 6 for _, level in crafts if level is not None)
    assert rounds == 15
    assert SCENARIOS["dogfight"].switches == {"sun": "SE"}


@pytest.mark.rule("aod:2.2.2")
def test_three_bombers_and_their_escort_begin_and_the_british_play_first() -> None:
    crafts, sides, _ = begun("escort")
    assert crafts == {("B-25 J Mitchell", 4): 3, ("Spitfire Mk IX", 5): 4, ("Bf 109 G-6/U4", 3): 4}
    assert sides == ("Allies", "Axis")


@pytest.mark.rule("aod:2.2.4")
def test_fighter_bombers_look_for_targets_under_fighters() -> None:
    crafts, _, _ = begun("opportunity")
    assert crafts == {
        ("Typhoon Mk I B", 3): 3, ("Tempest FB Mk II", 4): 4, ("Bf 109 G-6/U4", 6): 4, ("Fw 190 A-8", 5): 4,
    }  # fmt: skip


def poses(formation: str, count: int = 8) -> list[Pose]:
    setup = picking.setup("aod", [["Fw 190 A-8"] * count, ["Spitfire Mk IX"] * count], formation)
    crafts = GAME.start(setup, Context(cells=GAME.cells())).crafts
    return [c.pose for c in crafts]


@pytest.mark.rule("aod:2.2")
@pytest.mark.parametrize("key", FORMATIONS)
def test_a_formation_gives_each_aircraft_a_point_of_its_own_and_the_sides_face_each_other(key: str) -> None:
    found = poses(key)
    west, east = found[:8], found[8:]
    assert len({pose.point for pose in found}) == 16
    assert {pose.yaw for pose in west} == {Yaw.E}
    assert {pose.yaw for pose in east} == {Yaw.W}
    assert (west[0].point, east[0].point) == (Point(0, 0), Point(GAP, 0))
    assert all(b.point.distance(a.point) <= 3 for a, b in pairwise(west) if key != "finger four")
    mirrored = [w.point.distance(e.point) for w, e in zip(west, east, strict=True)]
    assert min(mirrored) >= GAP - 8
    assert FORMATIONS[key].house


def test_a_finger_four_has_a_wingman_on_one_side_and_a_pair_on_the_other() -> None:
    leader, wingman, second, last = (pose.point for pose in poses("finger four")[:4])
    assert wingman == leader.ahead(Yaw.E.left(2))
    assert second == leader.ahead(Yaw.E.right(2))
    assert last == second.ahead(Yaw.E.right(2))


def test_nothing_begins_above_its_ceiling_and_an_unknown_type_is_no_obstacle() -> None:
    placed = FORMATIONS["astern"].place({"aircraft": [{"type": "Fairey Swordfish", "side": "Allies"}]})
    assert placed["aircraft"][0]["pose"]["level"] <= 5
    placed = FORMATIONS["astern"].place({"aircraft": [{"type": "My own", "side": "Axis"}]})
    assert placed["aircraft"][0]["pose"]["level"] == 5


def test_a_formation_that_nobody_has_is_refused() -> None:
    with pytest.raises(UsageError, match="no formation 'vic'; it has abreast"):
        picking.setup("aod", [["Fw 190 A-8"], ["Spitfire Mk IX"]], "vic")
    with pytest.raises(UsageError, match="it has none"):
        picking.setup("rotl", [["Bf-109E"], ["Spitfire I"]], "vic")
