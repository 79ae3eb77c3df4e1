"""How a fight begins: the missions of 2.2 whose examples name every aircraft, and formations for a fight of one's own.

The rulebook says on which edge of the board and at what level its groups begin; it prints no grid, so only levels are
set, and where each aircraft stands is read off the board. Formations are Companion's own (2.2 leaves the starting
positions to the players): they set every pose, so that firing positions can be worked out from the first move.
"""

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import msgspec

from companion.grid.triangular import Point, Pose, Yaw
from companion.rules.aod.figures import types
from companion.rules.aod.state import ALLIES, AXIS
from companion.umpire import Formation, Scenario

Group: TypeAlias = tuple[int, str, str, int]
"""So many of a type, on a side, at a level."""


def _mission(key: str, title: str, text: str, rule: str, sides: list[str], *groups: Group, **more: Any) -> Scenario:
    lines = [(kind, side, level) for count, kind, side, level in groups for _ in range(count)]
    aircraft = [
        {"key": str(n), "type": kind, "side": side, "level": level} for n, (kind, side, level) in enumerate(lines, 1)
    ]
    switches = more.pop("switches", {})
    return Scenario(key, title, text, rule, {"aircraft": aircraft, "sides": sides, **more}, switches)


SCENARIOS = {
    mission.key: mission
    for mission in (
        _mission(
            "dogfight", "Dogfight, six against six", "East against west edge, anywhere between L3 and L6 (here L5); 15"
            " rounds, sun in the south-east.", "2.2.1 Ex 9", [AXIS, ALLIES],
            (4, "Fw 190 A-8", AXIS, 5), (2, "Me 262 Schwalbe", AXIS, 5),
            (3, "Spitfire Mk IX", ALLIES, 5), (3, "Tempest FB Mk II", ALLIES, 5),
            rounds=15, switches={"sun": "SE"},
        ),
        _mission(
            "escort", "Bomber escort", "The bombers begin in the middle of the western edge, their fighters a little"
            " north of them, the Germans on the southern edge. The Allies win if all three bombers leave on the eastern"
            " edge, the Axis if it shoots down two.", "2.2.2 Ex 10", [ALLIES, AXIS],
            (3, "B-25 J Mitchell", ALLIES, 4), (4, "Spitfire Mk IX", ALLIES, 5), (4, "Bf 109 G-6/U4", AXIS, 3),
        ),
        _mission(
            "opportunity", "Targets of opportunity", "Fighter-bombers with rockets and bombs against fighters; targets"
            " on the ground stay on the board. Clouds lie at L2 to L3.", "2.2.4 Ex 13", [ALLIES, AXIS],
            (3, "Typhoon Mk I B", ALLIES, 3), (4, "Tempest FB Mk II", ALLIES, 4),
            (4, "Bf 109 G-6/U4", AXIS, 6), (4, "Fw 190 A-8", AXIS, 5),
            switches={"clouds": True},
        ),
    )
}  # fmt: skip

# --- formations

GAP, LEVEL = 12, 5
"""House values: leaders 12d apart, nose to nose, at L5 or under the lowest ceiling."""

Turn: TypeAlias = Callable[[int], Yaw]
"""The heading so many times 60 degrees outward: to the right for the first side, to the left for the one it faces."""
Places: TypeAlias = Callable[[Point, Turn, int], Point]
"""The place of the n-th aircraft, given its leader's."""


def _abreast(leader: Point, turn: Turn, n: int) -> Point:
    """As level as the grid allows."""
    return leader.ahead(turn(1), (n + 1) // 2).ahead(turn(2), n // 2)


def _echelon(leader: Point, turn: Turn, n: int) -> Point:
    return leader.ahead(turn(2), n)


def _astern(leader: Point, turn: Turn, n: int) -> Point:
    return leader.ahead(turn(3), n)


def _finger_four(leader: Point, turn: Turn, n: int) -> Point:
    """Leader, wingman behind on one side, the second pair on the other; further fours beside them."""
    four, place = divmod(n, 4)
    first = _abreast(leader, turn, 5 * four)
    return first.ahead(turn(-2)) if place == 1 else first.ahead(turn(2), max(place - 1, 0))


def _formation(key: str, title: str, places: Places) -> Formation:
    def place(setup: dict[str, Any]) -> dict[str, Any]:
        return {**setup, "aircraft": list(_placed(setup["aircraft"], places))}

    text = f"Nose to nose, {GAP}d apart, at L{LEVEL}."
    return Formation(key, title, text, "2.2", place, house=True)


def _placed(aircraft: list[dict[str, Any]], places: Places) -> Iterator[dict[str, Any]]:
    count = {AXIS: 0, ALLIES: 0}
    for craft in aircraft:
        leader, turn = (Point(0, 0), Yaw.E.right) if craft["side"] == AXIS else (Point(GAP, 0), Yaw.W.left)
        point = places(leader, turn, count[craft["side"]])
        count[craft["side"]] += 1
        yield {**craft, "pose": msgspec.to_builtins(Pose(point, turn(0), _level(craft["type"])))}


def _level(kind: str) -> int:
    entry = types().get(kind)
    return min(LEVEL, entry.value.ceiling) if entry else LEVEL


FORMATIONS = {
    formation.key: formation
    for formation in (
        _formation("abreast", "Line abreast", _abreast),
        _formation("finger four", "Finger four", _finger_four),
        _formation("echelon", "Echelon", _echelon),
        _formation("astern", "Line astern", _astern),
    )
}
