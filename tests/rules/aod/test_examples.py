"""The worked examples of chapter 4 with their own numbers, by the number in the rulebook."""

from typing import Any

import pytest

from companion.grid.triangular import Yaw
from companion.rules.aod.passive import Passage
from companion.rules.aod.turn import Throttle
from companion.umpire import Context, Done, Illegal
from tests.rules.aod.hangar import (
    A1,
    A2,
    BREAK,
    FIRE,
    ROCKETS,
    THROTTLE,
    context,
    defender,
    enemy,
    fighter,
    kind,
    line,
    play,
    pose,
    shot,
    turret,
)

example, rule = pytest.mark.example, pytest.mark.rule

PLAIN: dict[str, Any] = {"tracer": False, "short_burst": False, "double_burst": False}
"""Switches that leave only the one normal burst, so that nobody is asked what to fire."""


def targeting(at: Context, *given: tuple[str, Any], **known: Any) -> tuple[int | None, bool]:
    """The total and whether it hit, for aircraft that do each other no harm."""
    done = play(FIRE, shot(fighter(), enemy(), **known), at, *given)
    found = line(done, "Targeting")
    return found.total if found.total is not None else int(found.faces[0]), done.result.first != "miss"


HARMLESS = context(kind("Fighter", fixed=1), kind("Enemy", durability=10), **PLAIN)
NOTHING: tuple[str, Any] = ("outcome", (1, 1))


@rule("aod:4.2.2")
@example("aod:76")
def test_the_third_burst_has_the_firepower_of_its_slot() -> None:
    at = context(kind("Fighter", fixed=11, fixed_bursts=7, fixed_slots=(11, 11, 11, 7)), kind("Enemy"), **PLAIN)
    done = play(FIRE, shot(fighter(fixed_spent=4), enemy(), **A1), at, ("targeting", 5), ("outcome", (1, 1)))
    assert line(done, "Firing outcome").mods[0].value == 11
    assert done.changes[0].value == ("fixed", 6)


@rule("aod:4.4.2")
@example("aod:82")
@pytest.mark.parametrize(
    ("guns", "firepower", "sliders"),
    [("fixed", 9, ["fixed"]), ("flexible", 5, ["flexible"]), ("both", 14, ["fixed", "flexible"])],
)
def test_fixed_and_flexible_guns_fire_ahead_alone_or_together(guns: str, firepower: int, sliders: list[str]) -> None:
    widow = kind("Fighter", fixed=9, fixed_bursts=8, flexible=turret(12, same=5), flexible_bursts=8)
    at = context(widow, kind("Enemy"), **PLAIN)
    given = (("guns", guns), ("targeting", 5), ("outcome", (1, 1)))
    done = play(FIRE, shot(fighter(), enemy(), **A1, rise=0), at, *given)
    assert sum(mod.value for mod in line(done, "Firing outcome").mods if "firepower" in mod.code) == firepower
    assert [change.value[0] for change in done.changes if change.kind == "ammunition"] == sliders


@rule("aod:4.5.1")
@example("aod:88")
def test_from_strictly_behind() -> None:
    assert targeting(HARMLESS, ("targeting", 5), NOTHING, **A1) == (5, True)
    assert targeting(HARMLESS, ("targeting", 3), NOTHING, **{**A1, "tilt": ("roll differs",)}) == (2, True)
    tilt = ("roll differs", "pitch differs")
    assert targeting(HARMLESS, ("targeting", 4), **{**A2, "tilt": tilt}) == (1, False)
    s = shot(fighter(pose=pose(level=4, pitch=1)), enemy(pose=pose(q=1, level=5, pitch=-1)))
    with pytest.raises(Illegal, match="pitched up and the other down"):
        play(FIRE, s, HARMLESS)


@rule("aod:4.5.2")
@example("aod:99")
def test_angled_from_behind() -> None:
    assert targeting(HARMLESS, ("targeting", 6), NOTHING, position="B", tilt=()) == (6, True)
    tilt = ("target banked", "target pitched")
    assert targeting(HARMLESS, ("targeting", 5), position="B", tilt=tilt) == (3, False)
    r = shot(fighter(pose=pose(yaw=Yaw.NE, roll=1)), enemy(pose=pose(r=1, yaw=Yaw.E)))
    with pytest.raises(Illegal, match="The attacker is banked"):
        play(FIRE, r, HARMLESS)


@rule("aod:4.5.4")
@example("aod:101")
def test_beside_the_target() -> None:
    at = context(kind("Fighter", flexible=turret(6, above=1, same=1)), kind("Enemy", durability=10), **PLAIN)
    below_in_front = {"position": "C-parallel", "hour": 6, "rise": 1}
    assert targeting(at, ("targeting", 3), NOTHING, **below_in_front, tilt=()) == (3, True)
    tilt = ("target banked", "target pitched")
    assert targeting(at, ("targeting", 6), NOTHING, **{**below_in_front, "rise": 0}, tilt=tilt) == (4, True)


@rule("aod:4.5.3")
@example("aod:103")
def test_head_on() -> None:
    frontal = {"position": "C-frontal", "tilt": ("target pitched",)}
    assert targeting(HARMLESS, ("targeting", 5), NOTHING, **frontal) == (3, True)
    for mine, theirs, words in ((0, 1, "The target is banked"), (1, 0, "The attacker is banked")):
        attacker, target = fighter(pose=pose(roll=mine)), enemy(pose=pose(q=2, yaw=Yaw.W, roll=theirs))
        with pytest.raises(Illegal, match=words):
            play(FIRE, shot(attacker, target), HARMLESS)


@rule("aod:4.5.7")
@example("aod:113")
@example("aod:121")
@rule("aod:4.6.5")
def test_a_tracer_burst_that_cannot_miss_and_the_double_burst_after_it() -> None:
    at = context(kind("Fighter", fixed=9, fixed_bursts=6), kind("Enemy", durability=4))
    given = (("burst", "tracer"), ("outcome", (1, 1)), ("double", "normal"), ("outcome", (4, 1)))
    done = play(FIRE, shot(fighter(), enemy(), **A1), at, *given)
    assert "no die needed" in line(done, "Targeting").verdict
    assert line(done, "Firing outcome", 1).total == 12
    assert (done.result.first, done.result.double, done.result.target_destroyed) == ("none", "destroyed", True)
    assert done.changes[0].value == ("fixed", 6), "tracer two slots, double burst one"


@rule("aod:4.5.8")
@example("aod:115")
def test_a_twitch_spoils_a_tracer_burst() -> None:
    at = context(kind("Fighter", fixed=9), kind("Enemy", twitch=True), twitch=True, double_burst=False)
    given = (("burst", "tracer"), ("may twitch", "yes"), ("twitch", "yes"), ("targeting", 3))
    done = play(FIRE, shot(fighter(), enemy(), **{**A1, "tilt": ("roll differs", "pitch differs")}), at, *given)
    assert line(done, "Targeting").total == 1
    assert done.result.first == "miss"
    assert [change.target for change in done.changes if change.kind == "evading"] == ["2"]


def outcome(
    firepower: int, dice: tuple[int, int], *colours: str, frontal: bool = False, first: int = 1, **target: Any
) -> Done:
    slots = (firepower,) * 10
    at = context(kind("Fighter", fixed=firepower, fixed_bursts=10, fixed_slots=slots), kind("Enemy", **target), **PLAIN)
    position = {"position": "C-frontal", "tilt": ()} if frontal else A1
    given = (("targeting", 6), ("outcome", dice), *(("damage die", colour) for colour in colours))
    return play(FIRE, shot(fighter(fixed_spent=2 * first - 2), enemy(), **position), at, *given)


@rule("aod:4.6")
@example("aod:116")
def test_the_sum_decides() -> None:
    p = outcome(11, (3, 5), durability=5)
    assert (line(p, "Firing outcome").total, p.result.first) == (14, "destroyed")
    q = outcome(7, (2, 2), durability=5, first=5)
    assert (line(q, "Firing outcome").total, q.result.first) == (6, "none")


@rule("aod:4.6.1")
@example("aod:117")
@example("aod:118")
def test_the_damage_die_says_where() -> None:
    wings = outcome(7, (4, 1), "blue", durability=3)
    assert (line(wings, "Firing outcome").total, wings.result.target_damages) == (9, ("wings",))
    tail = outcome(6, (6, 4), "yellow", durability=6, first=7)
    assert (line(tail, "Firing outcome").total, tail.result.target_damages) == (10, ("tail",))


@rule("aod:4.6.2")
@rule("aod:4.3.1")
@example("aod:119")
def test_a_bomber_takes_two_different_damages_from_the_front() -> None:
    p = outcome(5, (6, 6), "green", "red", frontal=True, durability=8, frontal_durability=6, capacity="double")
    assert line(p, "Firing outcome").total == 11
    assert (p.result.target_damages, p.result.target_destroyed) == (("engine", "guns"), False)
    q = outcome(5, (5, 5), "blue", durability=8, frontal_durability=6, capacity="double")
    assert (line(q, "Firing outcome").total, q.result.target_damages) == (7, ("wings",))


@rule("aod:4.6.3")
@example("aod:120")
def test_full_throttle_once_too_often() -> None:
    at = context(kind("Fighter", throttle=3))
    done = play(THROTTLE, Throttle(craft=fighter(throttle=3)), at, ("throttle", "+1"))
    assert (done.result.speed, done.result.damaged) == (1, True)
    assert [(c.kind, c.value) for c in done.changes] == [("throttle", 4), ("damage", "engine")]


@rule("aod:4.6.6")
@example("aod:122")
def test_a_short_burst_saves_half_a_slot() -> None:
    tempest = kind("Fighter", fixed=9, fixed_bursts=5)
    at = context(tempest, kind("Enemy", durability=3))
    given = (("burst", "normal"), ("targeting", 5), ("outcome", (1, 2)), ("damage die", "blue"))
    second = (("double", "short"), ("outcome", (1, 1)))
    done = play(FIRE, shot(fighter(fixed_spent=6), enemy(), **A1), at, *given, *second)
    mods = {mod.code: mod.value for mod in line(done, "Firing outcome", 1).mods}
    assert mods == {"firepower-fixed": 4, "durability": -3, "double": 2}
    assert done.changes[0].value == ("fixed", 9), "half a burst of five is left"


@rule("aod:4.7.2")
@example("aod:127")
def test_the_target_answers_from_an_angle() -> None:
    at = context(
        kind("Fighter", fixed=5, durability=3),
        kind("Enemy", flexible=turret(4, same=1, above=1)),
        **PLAIN,
    )
    given = (("targeting", 1), ("respond", "yes"), ("targeting", 5), ("outcome", (5, 6)), ("damage die", "blue"))
    done = play(FIRE, shot(fighter(), enemy(), position="B", tilt=()), at, *given)
    assert (line(done, "Targeting", 1).total, line(done, "Firing outcome").total) == (4, 9)
    assert done.result.attacker_damages == ("wings",)
    y = context(kind("Fighter"), kind("Enemy", flexible=turret(6, same=1, above=1)), **PLAIN)
    from_below = defender(enemy(), position="A", distance=1, tilt=(), rise=1)
    assert play(BREAK, _passage(fighter(), from_below), y).result.damages == (), (
        "its gun does not cover the level below"
    )


def _passage(mover: Any, *defenders: Any) -> Passage:
    return Passage(mover=mover, defenders=defenders)


@rule("aod:4.7")
@rule("aod:4.6.5")
@example("aod:128")
def test_the_break_action_comes_between_the_two_bursts() -> None:
    """Aircraft P in front and below; X has engine and gun damage from the first burst (continued from 119)."""
    at = context(
        kind("Fighter", flexible=turret(6, same=5), durability=6),
        kind("Enemy", flexible=turret(12, same=4), durability=8, frontal_durability=6, capacity="double"),
        tracer=False,
    )
    known = {"position": "C-parallel", "tilt": (), "hour": 6, "rise": 0}
    first = (("targeting", 3), ("outcome", (6, 6)), ("damage die", "green"), ("damage die", "red"))
    answer = (("respond", "yes"), ("targeting", 4), ("outcome", (3, 5)))
    double = (("double", "normal"), ("targeting", 3), ("outcome", (4, 2)))
    done = play(FIRE, shot(fighter(), enemy(), **known), at, *first, *answer, *double)
    assert [line(done, "Firing outcome", n).total for n in range(3)] == [11, 4, 7]
    assert line(done, "Targeting", 1).total == 3
    assert line(done, "Firing outcome", 1).mods[0].value == 2, "firepower 4, guns damaged"
    assert (done.result.double, done.result.target_destroyed) == ("destroyed", True)


@rule("aod:4.4.3")
@example("aod:129")
@pytest.mark.parametrize(("tilted", "total", "damages"), [(False, 7, ("wings",)), (True, 6, ())])
def test_a_tilted_gunner_sees_the_attacker_below(tilted: bool, total: int, damages: tuple[str, ...]) -> None:
    """Y is pitched up, so its rear is lowered: what is level with it is served by the row above, here 2."""
    at = context(
        kind("Fighter", durability=6),
        kind("Enemy", flexible={**turret(8, above=2, same=3)}),
        tilted_guns=tilted,
        **PLAIN,
    )
    seen = defender(enemy(), position="C-parallel", tilt=("target banked", "target pitched"), hour=2, rise=0)
    tilts = (("pitch 2", "up"), ("roll 2", "left")) if tilted else ()
    colour = (("damage die", "blue"),) if damages else ()
    done = play(
        BREAK, _passage(fighter(), seen), at, *tilts, ("respond", "yes"), ("targeting", 6), ("outcome", (4, 6)), *colour
    )
    assert (line(done, "Targeting").total, line(done, "Firing outcome").total) == (3, total)
    assert done.result.damages == damages


@rule("aod:4.7.2")
@example("aod:130")
def test_a_bomber_that_came_too_near_is_answered() -> None:
    at = context(kind("Fighter"), kind("Enemy", flexible=turret(8, same=2)), **PLAIN)
    seen = defender(enemy(), position="C-parallel", tilt=("target banked",), hour=2, rise=0)
    done = play(BREAK, _passage(fighter(), seen), at, ("respond", "yes"), ("targeting", 4))
    assert (line(done, "Targeting").total, line(done, "Targeting").verdict) == (2, "miss")


@rule("aod:4.7.1")
@example("aod:131")
def test_a_bystander_answers_though_it_was_not_attacked() -> None:
    at = context(
        kind("Fighter", fixed=7, durability=10), kind("Enemy"), kind("Gunner", flexible=turret(8, same=1)), **PLAIN
    )
    y = defender(enemy("Gunner", key="3"), position="C-parallel", tilt=(), hour=2, rise=0)
    given = (("targeting", 3), ("outcome", (4, 4)), ("damage die", "yellow"))
    answer = (("respond", "yes"), ("targeting", 4), ("outcome", (1, 1)))
    done = play(FIRE, shot(fighter(), enemy(), **A1, bystanders=(y,)), at, *given, *answer)
    assert done.result.target_damages == ("tail",)
    assert (line(done, "Targeting", 1).total, line(done, "Targeting", 1).verdict) == (3, "hit")


@rule("aod:4.7.2")
@example("aod:131-continued")
@pytest.mark.parametrize(("tilted", "firepower", "damages"), [(False, 3, ()), (True, 4, ("wings",))])
def test_several_aircraft_answer_in_one_break_action(tilted: bool, firepower: int, damages: tuple[str, ...]) -> None:
    """X answers at an angle and misses; Z, banked towards P, answers from beside it.

    The printed note names the wing of X; it is Z that fires. Banked left its left directions are lowered: what is
    level is served by the row above (4), without the rule by the row of the same level (3).
    """
    x = kind("X", flexible=turret(4, same=2, above=2, below=2))
    z = kind("Z", flexible=turret(8, above=4, same=3))
    at = context(kind("Fighter", fixed=1, durability=3), x, z, tilted_guns=tilted, **PLAIN)
    zulu = defender(enemy("Z", key="26"), position="C-parallel", tilt=("target banked",), hour=2, rise=0)
    tilts_x = (("pitch 24", "up"), ("roll 24", "level")) if tilted else ()
    tilts_z = (("pitch 26", "level"), ("roll 26", "left")) if tilted else ()
    tilts_p = (("pitch 1", "level"), ("roll 1", "level")) if tilted else ()
    given = (*tilts_p, ("targeting", 1), *tilts_x, ("respond", "yes"), ("targeting", 2))
    answer = (*tilts_z, ("respond", "yes"), ("targeting", 6), ("outcome", (1, 5)))
    colour = (("damage die", "blue"),) if damages else ()
    known = {"position": "B", "tilt": ("target pitched",), "bystanders": (zulu,)}
    done = play(FIRE, shot(fighter(), enemy("X", key="24"), **known), at, *given, *answer, *colour)
    totals = [line(done, "Targeting", n).total for n in (1, 2)]
    assert totals == [0, 4]
    assert line(done, "Firing outcome").total == 6 + firepower - 3
    assert done.result.attacker_damages == damages


@rule("aod:4.8")
@example("aod:132")
def test_one_active_target_in_a_round() -> None:
    at = context(kind("Fighter", fixed=1, flexible=turret(2, same=1)), kind("Enemy", durability=10), **PLAIN)
    done = play(FIRE, shot(fighter(), enemy(), position="B", tilt=()), at, ("targeting", 1))
    used = fighter(used=tuple(c.value for c in done.changes if c.kind == "used"))
    with pytest.raises(Illegal, match="already fired actively"):
        play(FIRE, shot(used, enemy(key="3"), position="C-parallel", tilt=(), hour=2, rise=0), at)


@rule("aod:4.8")
@example("aod:133")
def test_flexible_guns_answer_one_attacker_in_a_round() -> None:
    at = context(kind("Fighter"), kind("Enemy", flexible=turret(6, same=1)), **PLAIN)
    behind = {"position": "A", "distance": 2, "tilt": ()}
    first = play(BREAK, _passage(fighter(), defender(enemy(), **behind)), at, ("respond", "yes"), ("targeting", 1))
    used = enemy(used=tuple(c.value for c in first.changes if c.kind == "used"))
    second = play(BREAK, _passage(fighter(key="5"), defender(used, **behind)), at)
    assert second.changes == ()
    assert any("already fired passively" in note.verdict for note in second.lines)


@rule("aod:4.9")
@example("aod:135")
def test_speed_difference_in_the_same_direction() -> None:
    at = context(
        kind("Fighter", fixed=1, durability=10),
        kind("Enemy", durability=10),
        kind("Bomber", size="large", durability=10, flexible=turret(6, same=1)),
        speed_difference=True,
        **PLAIN,
    )
    pitched = {**A2, "distance": 1, "tilt": ("pitch differs",), "rise": 0}
    p = play(FIRE, shot(fighter(speed=9), enemy(speed=12), **pitched), at, ("targeting", 4))
    assert (line(p, "Targeting").total, p.result.first) == (1, "miss")
    q = shot(fighter(speed=12), enemy("Bomber", speed=6), **pitched)
    given = (("targeting", 5), ("outcome", (1, 1)), ("respond", "yes"), ("targeting", 3))
    done = play(FIRE, q, at, *given)
    assert [line(done, "Targeting", n).total for n in (0, 1)] == [4, 0]


@rule("aod:4.9-frontal")
@example("aod:136")
def test_speed_difference_head_on() -> None:
    at = context(kind("Fighter", fixed=1), kind("Enemy", fixed=9, durability=10), speed_difference=True, **PLAIN)
    known = {"position": "C-frontal", "tilt": ()}
    given = (("targeting", 4), ("respond", "yes"), ("targeting", 6), ("outcome", (6, 6)))
    done = play(FIRE, shot(fighter(speed=10), enemy(speed=11), **known), at, *given)
    assert [line(done, "Targeting", n).total for n in (0, 1)] == [2, 3]
    assert done.result.attacker_destroyed


@rule("aod:4.10")
@example("aod:141")
def test_rockets_at_a_banked_bomber() -> None:
    at = context(kind("Fighter", air_rockets=2), kind("Enemy", size="large"))
    salvo = shot(fighter(rockets=2), enemy(), distance=3, tilt=("target banked",))
    done = play(ROCKETS, salvo, at, ("rockets", 4))
    assert (line(done, "Air-to-air").total, done.result.destroyed) == (4, False)
