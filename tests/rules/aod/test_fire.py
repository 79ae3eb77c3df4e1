"""Chapter 4 rule by rule, where no worked example reaches."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.grid.triangular import Yaw
from companion.rules.aod import GAME
from companion.rules.aod.craft import COLOURS
from companion.rules.aod.guns import raised
from companion.rules.aod.outcome import Body, outcome, suffer
from companion.rules.aod.passive import Defender, Passage
from companion.rules.aod.plain import Numbers
from companion.rules.aod.turn import Search, Throttle
from companion.umpire import (
    Context,
    Illegal,
    Missing,
    Modifier,
    Odds,
    Recorded,
    UsageError,
    odds,
    odds_by_option,
    scripted,
)
from tests.rules.aod.hangar import (
    A1,
    A2,
    BREAK,
    FIRE,
    ROCKETS,
    THROTTLE,
    answers,
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
)  # fmt: skip

rule = pytest.mark.rule

PLAIN: dict[str, Any] = {"tracer": False, "short_burst": False, "double_burst": False}
NOTHING: tuple[str, Any] = ("outcome", (1, 1))
TOUGH = kind("Enemy", durability=10)


def refused(at: Context, inputs: Any, *given: tuple[str, Any], procedure: Any = FIRE) -> list[str]:
    with pytest.raises(Illegal) as caught:
        play(procedure, inputs, at, *given)
    return [reason.code for reason in caught.value.violations]


def mods(done: Any, title: str, nth: int = 0) -> dict[str, int]:
    return {mod.text: mod.value for mod in line(done, title, nth).mods}


# --- guns and ammunition


@rule("aod:4.1")
def test_dashed_guns_only_answer_unless_speed_difference_is_played() -> None:
    at = context(kind("Fighter", flexible=turret(12, same=3), dashed=("12",)), TOUGH, **PLAIN)
    assert refused(at, shot(fighter(), enemy(), **A2)) == ["dashed"]
    fast = context(kind("Fighter", flexible=turret(12, same=3), dashed=("12",)), TOUGH, **PLAIN, speed_difference=True)
    done = play(FIRE, shot(fighter(speed=9), enemy(speed=9), **A2), fast, ("targeting", 1))
    assert done.result.first == "miss"
    fixed = context(kind("Fighter", fixed=4, fixed_dashed=True), TOUGH, **PLAIN)
    assert refused(fixed, shot(fighter(), enemy(), **A1)) == ["dashed"]


@rule("aod:4.1")
def test_no_gun_in_that_direction_no_fire() -> None:
    at = context(kind("Fighter", flexible=turret(6, above=2)), TOUGH, **PLAIN)
    assert refused(at, shot(fighter(), enemy(), **A2)) == ["no-guns"]
    beside = {"position": "C-parallel", "tilt": (), "hour": 6}
    assert refused(at, shot(fighter(), enemy(), **beside, rise=0)) == ["no-guns"], "not every vertical angle"
    assert play(FIRE, shot(fighter(), enemy(), **beside, rise=1), at, ("targeting", 1)).result.first == "miss"


@rule("aod:4.2")
def test_every_burst_moves_the_slider_whether_it_hits_or_not() -> None:
    at = context(kind("Fighter", fixed=5, fixed_bursts=3), TOUGH, **PLAIN)
    missed = play(FIRE, shot(fighter(fixed_spent=4), enemy(), **A2), at, ("targeting", 1))
    assert [c.value for c in missed.changes if c.kind == "ammunition"] == [("fixed", 6)]
    assert missed.changes[0].text == "Fighter (1): fixed guns, 1 burst fired"
    assert refused(at, shot(fighter(fixed_spent=6), enemy(), **A2)) == ["empty"]
    unlimited = context(kind("Fighter", fixed=5), TOUGH, **PLAIN)
    free = play(FIRE, shot(fighter(), enemy(), **A2), unlimited, ("targeting", 1))
    assert not [c for c in free.changes if c.kind == "ammunition"]


@rule("aod:4.2.2")
def test_a_tracer_burst_reads_the_slot_before_the_second_move() -> None:
    slots = {"fixed": 11, "fixed_bursts": 4, "fixed_slots": (11, 11, 7, 7)}
    at = context(kind("Fighter", **slots), kind("Enemy"), double_burst=False)
    done = play(FIRE, shot(fighter(fixed_spent=2), enemy(), **A1), at, ("burst", "tracer"), NOTHING)
    assert mods(done, "Firing outcome")["firepower"] == 7
    always = context(kind("Fighter", **slots), kind("Enemy"), double_burst=False, decreasing_firepower=False)
    done = play(FIRE, shot(fighter(fixed_spent=4), enemy(), **A1), always, ("burst", "tracer"), NOTHING)
    assert mods(done, "Firing outcome")["firepower"] == 11


@rule("aod:4.3")
@pytest.mark.parametrize(
    ("position", "on", "durability"), [("B", True, 8), ("C-frontal", True, 6), ("C-frontal", False, 8)]
)
def test_durability_by_the_side_that_is_hit(position: str, on: bool, durability: int) -> None:
    target = kind("Enemy", durability=8, frontal_durability=6)
    at = context(kind("Fighter", fixed=1), target, frontal_durability=on, **PLAIN)
    done = play(FIRE, shot(fighter(), enemy(), position=position, tilt=()), at, ("targeting", 6), NOTHING)
    assert line(done, "Firing outcome").mods[1].value == -durability


@rule("aod:4.3.1")
def test_who_answers_head_on_hits_the_front_of_the_mover() -> None:
    at = context(kind("Fighter", durability=8, frontal_durability=5), kind("Enemy", fixed=3), **PLAIN)
    seen = defender(enemy(), position="C-frontal", tilt=())
    done = play(BREAK, Passage(mover=fighter(), defenders=(seen,)), at, ("respond", "yes"), ("targeting", 6), NOTHING)
    assert mods(done, "Firing outcome") == {"firepower": 3, "frontal durability": -5}


@rule("aod:4.4.1")
def test_a_pitched_nose_cannot_answer_head_on() -> None:
    at = context(kind("Fighter"), kind("Enemy", fixed=3), **PLAIN)
    pitched = defender(enemy(), position="C-frontal", tilt=("target pitched",))
    done = play(BREAK, Passage(mover=fighter(), defenders=(pitched,)), at, ("pitch 2", "up"))
    assert done.changes == ()
    ahead = {"position": "C-parallel", "hour": 6, "rise": -1}
    above = defender(enemy(), **ahead, tilt=("target pitched",))
    given = (("pitch 2", "up"), ("respond", "yes"), ("targeting", 1))
    assert play(BREAK, Passage(mover=fighter(), defenders=(above,)), at, *given).lines[1].verdict == "miss"


@rule("aod:4.4.3")
def test_every_direction_is_raised_or_lowered_as_printed() -> None:
    front, rear, left, right = (10, 12, 2), (4, 6, 8), (8, 10), (2, 4)
    for hour in (2, 4, 6, 8, 10, 12):
        assert raised(hour, 1, 0) == (1 if hour in front else -1)
        assert raised(hour, -1, 0) == (1 if hour in rear else -1)
        assert raised(hour, 0, -1) == (-1 if hour in left else 1 if hour in right else 0)
        assert raised(hour, 0, 1) == (1 if hour in left else -1 if hour in right else 0)
        assert raised(hour, 0, 0) == 0
    assert [raised(hour, 1, -1) for hour in (12, 2, 4, 6, 8, 10)] == [1, 1, 1, -1, -1, -1]
    assert [raised(hour, 1, 1) for hour in (12, 2, 4, 6, 8, 10)] == [1, -1, -1, -1, 1, 1]


@rule("aod:4.4.3")
@pytest.mark.parametrize(
    ("pitch", "rise", "firepower"),
    [("up", 1, 2), ("up", 0, 1), ("up", -1, 1), ("down", 1, 3), ("down", 0, 3), ("down", -1, 2), ("level", 1, 3)],
)
def test_the_rows_shift_on_the_raised_and_the_lowered_side(pitch: str, rise: int, firepower: int) -> None:
    """Ahead is raised when pitched up and lowered when pitched down; the rows hold 3 above, 2 level, 1 below."""
    at = context(kind("Fighter", flexible=turret(12, above=3, same=2, below=1)), TOUGH, tilted_guns=True, **PLAIN)
    known = {"position": "C-parallel", "tilt": (), "hour": 12, "rise": rise}
    done = play(
        FIRE, shot(fighter(), enemy(), **known), at, ("pitch 1", pitch), ("roll 1", "level"), ("targeting", 6), NOTHING,
        ("pitch 2", "level"), ("roll 2", "level"),
    )  # fmt: skip
    assert mods(done, "Firing outcome")["flexible firepower"] == firepower


@rule("aod:4.4.3")
def test_a_known_pose_is_not_asked_for_and_roll_is_left_out_where_it_is_skipped() -> None:
    gunner = kind("Fighter", flexible=turret(2, above=3, same=2))
    mine, other = fighter(pose=pose(roll=1)), enemy(pose=pose(q=1, r=-1))
    at = context(gunner, TOUGH, tilted_guns=True, roll_tilt=False, **PLAIN)
    done = play(FIRE, shot(mine, other), at, ("targeting", 6), NOTHING)
    assert mods(done, "Firing outcome")["flexible firepower"] == 2


# --- positions and what is added


@rule("aod:4.5.5")
def test_guns_aimed_upwards() -> None:
    nightfighter = kind("Fighter", upward=6, flexible=turret(12, above=1))
    below = {"attacker": fighter(pose=pose(level=4)), "target": enemy(pose=pose(q=1))}
    at = context(nightfighter, TOUGH, upward_guns=True, **PLAIN)
    done = play(FIRE, shot(**below), at, ("position", "upward"), ("targeting", 4), NOTHING)
    assert (line(done, "Targeting").title, mods(done, "Firing outcome")["firepower"]) == ("Targeting, position C", 6)
    without = context(nightfighter, TOUGH, **PLAIN)
    done = play(FIRE, shot(**below), without, ("targeting", 4), NOTHING)
    assert "flexible firepower" in mods(done, "Firing outcome")
    only = context(kind("Fighter", upward=6), TOUGH, upward_guns=True, **PLAIN)
    assert play(FIRE, shot(**below), only, ("targeting", 1)).result.first == "miss"
    told = play(FIRE, shot(fighter(), enemy()), only, ("position", "upward"), ("targeting", 1))
    assert told.result.first == "miss"


@rule("aod:4.5.5")
@rule("aod:4.7.1")
@pytest.mark.parametrize("kept", [True, False])
def test_who_is_fired_at_from_below_answers_as_one_beside_it(kept: bool) -> None:
    gunner = kind("Enemy", upward=9, flexible=turret(6, below=2))
    at = context(kind("Fighter", upward=6, durability=10), gunner, upward_guns=True, **PLAIN)
    poses = {"attacker": fighter(pose=pose(level=4)), "target": enemy(pose=pose(q=1))}
    told = {"attacker": fighter(), "target": enemy(), "position": "upward"}
    given = (("targeting", 1), ("respond", "yes"), ("targeting", 6), NOTHING)
    done = play(FIRE, shot(**(poses if kept else told)), at, *given)
    assert line(done, "Targeting", 1).title == "Targeting, position A"
    assert mods(done, "Firing outcome") == {"flexible firepower": 2, "durability": -10}


@rule("aod:4.5.6")
@pytest.mark.parametrize(("size", "needed"), [("large", 2), ("normal", 3), ("very small", 4)])
def test_target_size(size: str, needed: int) -> None:
    at = context(kind("Fighter", fixed=1), kind("Enemy", size=size), **PLAIN)
    for face in range(1, 7):
        hit = (NOTHING,) if face >= needed else ()
        done = play(FIRE, shot(fighter(), enemy(), position="A", distance=2, tilt=()), at, ("targeting", face), *hit)
        assert (done.result.first != "miss") == (face >= needed)


@rule("aod:4.5.7")
def test_tracer_needs_fixed_guns_alone_and_two_slots() -> None:
    widow = kind("Fighter", fixed=9, fixed_bursts=2, flexible=turret(12, same=5))
    at = context(widow, TOUGH)
    s = shot(fighter(), enemy(), **A2)
    with pytest.raises(UsageError, match="not one of the choices"):
        play(FIRE, s, at, ("guns", "both"), ("burst", "tracer"))
    with pytest.raises(Illegal, match="too little ammunition"):
        play(FIRE, shot(fighter(fixed_spent=1), enemy(), **A2), at, ("guns", "fixed"), ("burst", "tracer"))
    untracked = context(kind("Fighter", fixed=9), TOUGH, double_burst=False)
    assert play(FIRE, s, untracked, ("burst", "tracer"), ("targeting", 1)).result.first == "miss"


@rule("aod:4.5.8")
@pytest.mark.parametrize(
    ("target", "may"),
    [(pose(q=1), True), (pose(q=1, roll=1), False), (pose(q=1, level=6), False), (pose(q=1, level=4), True)],
)
def test_who_may_twitch(target: Any, may: bool) -> None:
    at = context(kind("Fighter", fixed=1), kind("Enemy", twitch=True, durability=10), twitch=True, **PLAIN)
    mine = fighter(pose=pose(pitch=target.level - 5))
    given = (("twitch", "no"),) if may else ()
    done = play(FIRE, shot(mine, enemy(pose=target)), at, *given, ("targeting", 1))
    assert not [c for c in done.changes if c.kind == "evading"]


@rule("aod:4.5.8")
def test_a_twitch_counts_against_the_double_burst_too() -> None:
    at = context(kind("Fighter", fixed=1), kind("Enemy", twitch=True), twitch=True, tracer=False)
    given = (("may twitch", "yes"), ("twitch", "yes"), ("targeting", 1), ("double", "normal"), ("targeting", 1))
    done = play(FIRE, shot(fighter(), enemy(), **A2), at, *given)
    assert mods(done, "Targeting", 1) == {"distance 2d": -1, "double burst": 1, "twitch": -1}
    no = play(FIRE, shot(fighter(), enemy(), **A2), at, ("may twitch", "no"), ("targeting", 1), ("double", "no"))
    assert "twitch" not in mods(no, "Targeting")


@rule("aod:7.5")
def test_pilots_count_for_fixed_guns_and_active_fire_only() -> None:
    at = context(kind("Fighter", fixed=1, flexible=turret(12, 6, same=1)), TOUGH, pilots=True, **PLAIN)
    ace, rookie = fighter(pilot="Ace"), fighter(pilot="Rookie")
    for pilot, change in ((ace, 1), (rookie, -1)):
        done = play(FIRE, shot(pilot, enemy(), position="B", tilt=()), at, ("guns", "fixed"), ("targeting", 1))
        assert mods(done, "Targeting")[pilot.pilot] == change
    for guns in ("flexible", "both"):
        done = play(FIRE, shot(ace, enemy(), position="B", tilt=()), at, ("guns", guns), ("targeting", 1))
        assert mods(done, "Targeting") == {}
    seen = defender(enemy("Fighter", pilot="Ace"), position="A", distance=2, tilt=())
    done = play(BREAK, Passage(mover=fighter(), defenders=(seen,)), at, ("respond", "yes"), ("targeting", 1))
    assert mods(done, "Targeting") == {"distance 2d": -1, "passive firing": -1}


@rule("aod:4.6.1")
def test_all_colours_are_thrown_again() -> None:
    ump = Recorded(answers=answers(("damage die", "all"), ("damage die", "all"), ("damage die", "yellow")))
    assert suffer(ump, "damaged", Body()).body.damages == ("tail",)
    assert COLOURS == {
        "wings": "blue", "tail": "yellow", "engine": "green", "guns": "red",
    }  # fmt: skip


@rule("aod:4.6.1-ace")
@rule("aod:4.6.1")
def test_an_ace_chooses_when_all_colours_come_up() -> None:
    at = context(kind("Fighter", fixed=9), kind("Enemy"), pilots=True, **PLAIN)
    first = (("targeting", 6), ("outcome", (2, 2)))
    s = shot(fighter(pilot="Ace"), enemy(), position="B", tilt=())
    done = play(FIRE, s, at, *first, ("damage die", "all"), ("damage", "engine"))
    assert done.result.target_damages == ("engine",)
    assert play(FIRE, s, at, *first, ("damage die", "blue")).result.target_damages == ("wings",)
    assert any(chance.result.target_damages == ("engine",) for chance in odds(FIRE, s, (), at))


@rule("aod:4.6.1")
@pytest.mark.parametrize(("damage", "text"), [
    ("wings", "speed -1"), ("tail", "agility -1"), ("engine", "speed -2, no booster"), ("guns", "firepower halved"),
])  # fmt: skip
def test_what_a_damage_does_is_said(damage: str, text: str) -> None:
    from companion.rules.aod.changes import effect

    assert effect(damage) == text  # type: ignore[arg-type]


@rule("aod:4.6.1")
def test_damaged_guns_halve_each_value_before_they_are_added() -> None:
    at = context(kind("Fighter", fixed=9, flexible=turret(12, same=5)), TOUGH, **PLAIN)
    hurt = fighter(damages=("guns",))
    done = play(FIRE, shot(hurt, enemy(), position="B", tilt=()), at, ("guns", "both"), ("targeting", 6), NOTHING)
    assert [mod.value for mod in line(done, "Firing outcome").mods[:2]] == [4, 2]
    weak = context(kind("Fighter", fixed=1), TOUGH, **PLAIN)
    assert refused(weak, shot(hurt, enemy(), **A1)) == ["guns-damaged"]


@rule("aod:4.6.2")
@pytest.mark.parametrize(
    ("capacity", "damages", "result", "colours", "word", "left"),
    [
        ("single", (), "damaged", ["blue"], "damaged", ("wings",)),
        ("single", (), "double", [], "destroyed", ()),
        ("single", ("tail",), "damaged", [], "destroyed", ("tail",)),
        ("fragile", (), "damaged", [], "destroyed", ()),
        ("double", (), "double", ["blue", "red"], "double", ("wings", "guns")),
        ("double", (), "double", ["blue", "blue"], "destroyed", ("wings",)),
        ("double", ("tail",), "damaged", ["yellow"], "destroyed", ("tail",)),
        ("double", ("tail",), "damaged", ["green"], "damaged", ("tail", "engine")),
        ("double", ("tail",), "double", [], "destroyed", ("tail",)),
        ("double", ("tail", "guns"), "damaged", [], "destroyed", ("tail", "guns")),
    ],
)
def test_what_an_aircraft_can_take(
    capacity: Any, damages: Any, result: Any, colours: list[str], word: str, left: tuple[str, ...]
) -> None:
    ump = Recorded(answers=answers(*(("damage die", colour) for colour in colours)))
    hit = suffer(ump, result, Body(capacity, damages))
    ump.check_leftovers()
    assert (hit.result, hit.body.damages, hit.body.destroyed) == (word, left, word == "destroyed")


@rule("aod:4.6.3")
@pytest.mark.parametrize(
    ("used", "face", "held", "capacity", "damaged", "destroyed"),
    [
        (2, 1, (), "single", False, False),
        (3, 2, (), "single", False, False),
        (3, 0, (), "single", True, False),
        (3, 1, ("tail",), "single", False, True),
        (3, 1, ("tail",), "double", True, False),
        (3, 1, ("engine",), "double", False, True),
        (3, 1, (), "fragile", False, True),
    ],
)
def test_overused_engines(used: int, face: int, held: Any, capacity: str, damaged: bool, destroyed: bool) -> None:
    at = context(kind("Fighter", throttle=3, capacity=capacity))
    given = ("throttle", f"{face:+d}" if face else "0")
    done = play(THROTTLE, Throttle(craft=fighter(throttle=used, damages=held)), at, given)
    assert (done.result.speed, done.result.damaged, done.result.destroyed) == (face, damaged, destroyed)


@rule("aod:4.6.3")
@pytest.mark.parametrize(("safe", "used"), [(0, 0), (3, 4)])
def test_no_full_throttle_without_a_slider(safe: int, used: int) -> None:
    at = context(kind("Fighter", throttle=safe))
    assert refused(at, Throttle(craft=fighter(throttle=used)), procedure=THROTTLE) == ["throttle"]


@rule("aod:4.6.4")
@pytest.mark.parametrize(
    ("durability", "on", "first", "bonus"), [(6, True, 1, 1), (5, True, 1, 0), (6, False, 1, 0), (6, True, 2, 0)]
)
def test_cannons_against_tough_targets(durability: int, on: bool, first: int, bonus: int) -> None:
    at = context(
        kind("Fighter", fixed=3, fixed_bursts=4, cannon_slots=(1,)), kind("Enemy", durability=durability), cannons=on,
        **PLAIN,
    )  # fmt: skip
    s = shot(fighter(fixed_spent=2 * first - 2), enemy(), position="B", tilt=())
    assert mods(play(FIRE, s, at, ("targeting", 6), NOTHING), "Firing outcome").get("cannon burst", 0) == bonus
    untracked = context(kind("Fighter", fixed=3, cannon_slots=(1,)), kind("Enemy", durability=6), **PLAIN)
    assert "cannon burst" in mods(play(FIRE, s, untracked, ("targeting", 6), NOTHING), "Firing outcome")


@rule("aod:4.6.5")
@pytest.mark.parametrize(
    ("known", "mine", "theirs", "switches", "words"),
    [
        ({"position": "B", "tilt": ()}, {}, {}, {}, "not from position B"),
        ({"position": "C-frontal", "tilt": ()}, {}, {}, {}, "not from position C-frontal"),
        ({**A2, "tilt": ("roll differs",)}, {}, {}, {}, "the tilts differ"),
        (A2, {"manoeuvre": "forward slip"}, {}, {}, "forward slip"),
        (A2, {}, {"manoeuvre": "steep dive"}, {}, "steep dive"),
        (A2, {"speed": 12}, {"speed": 8}, {"speed_difference": True}, "more than 3"),
        (A2, {"fixed_spent": 4}, {}, {}, "too little ammunition"),
    ],
)
def test_what_speaks_against_a_double_burst(known: Any, mine: Any, theirs: Any, switches: Any, words: str) -> None:
    at = context(kind("Fighter", fixed=1, fixed_bursts=3), TOUGH, tracer=False, short_burst=False, **switches)
    done = play(FIRE, shot(fighter(**mine), enemy(**theirs), **known), at, ("targeting", 1))
    assert any(words in note.verdict for note in done.lines)
    assert done.result.double is None


@rule("aod:4.6.5")
def test_both_prepared_for_a_steep_dive_may_fire_twice_and_flexible_guns_gain_nothing() -> None:
    at = context(kind("Fighter", flexible=turret(12, same=1)), TOUGH)
    dive = {"manoeuvre": "steep dive"}
    given = (("targeting", 1), ("double", "normal"), ("targeting", 1))
    done = play(FIRE, shot(fighter(**dive), enemy(**dive), **A2), at, *given)
    assert mods(done, "Targeting", 1) == {"distance 2d": -1, "target prepared for a steep dive": -1}


@rule("aod:4.6.5")
def test_guns_shot_up_in_the_break_action_count_half_or_not_at_all() -> None:
    at = context(
        kind("Fighter", fixed=1, durability=0), kind("Enemy", flexible=turret(6, same=5), durability=10), tracer=False
    )
    given = (("targeting", 1), ("respond", "yes"), ("targeting", 6), ("outcome", (1, 2)), ("damage die", "red"))
    done = play(FIRE, shot(fighter(), enemy(), **A2), at, *given)
    assert any("no firepower left" in note.verdict for note in done.lines)


@rule("aod:4.6.6")
def test_short_bursts_round_down_twice_and_may_be_worth_nothing() -> None:
    at = context(kind("Fighter", fixed=7, fixed_bursts=3), TOUGH, double_burst=False)
    hurt = shot(fighter(damages=("guns",)), enemy(), **A2)
    done = play(FIRE, hurt, at, ("burst", "short"), ("targeting", 6), NOTHING)
    assert mods(done, "Firing outcome")["firepower, guns damaged, short"] == 1
    weak = context(kind("Fighter", fixed=1, fixed_bursts=3), TOUGH, double_burst=False)
    done = play(FIRE, shot(fighter(), enemy(), **A2), weak, ("burst", "short"), ("targeting", 6), NOTHING)
    assert (mods(done, "Firing outcome")["firepower, short"], done.changes[0].value) == (0, ("fixed", 1))
    assert done.changes[0].text.endswith("½ burst fired")
    with pytest.raises(Illegal, match="normal burst"):
        play(FIRE, shot(fighter(fixed_spent=5), enemy(), **A2), weak, ("burst", "normal"))
    whole = context(kind("Fighter", fixed=1, fixed_bursts=3), TOUGH, **PLAIN)
    assert refused(whole, shot(fighter(fixed_spent=5), enemy(), **A2)) == ["empty"], "a stray half is no burst"


@rule("aod:4.6.6")
@rule("aod:4.7.2")
def test_a_defender_may_fire_short_hold_fire_or_choose_its_guns() -> None:
    both = kind("Enemy", fixed=6, fixed_bursts=4, flexible=turret(12, same=3), flexible_bursts=4)
    at = context(kind("Fighter", durability=10), both)
    seen = Passage(mover=fighter(), defenders=(defender(enemy(), position="C-frontal", tilt=()),))
    done = play(BREAK, seen, at, ("respond", "yes"), ("burst", "short"), ("targeting", 6), NOTHING)
    assert [mod.value for mod in line(done, "Firing outcome").mods] == [3, 1, -10]
    assert {c.value for c in done.changes if c.kind == "ammunition"} == {("fixed", 1), ("flexible", 1)}
    assert play(BREAK, seen, at, ("respond", "no")).changes == ()
    one = play(BREAK, seen, at, ("respond", "flexible"), ("burst", "normal"), ("targeting", 1))
    assert [c.value for c in one.changes] == [("flexible", 2), "flexible passive"]


# --- passive fire


@rule("aod:4.7")
def test_a_destroyed_target_answers_no_more_but_others_do() -> None:
    gunner = kind("Gunner", flexible=turret(8, same=1))
    at = context(kind("Fighter", fixed=20), kind("Enemy", flexible=turret(6, same=9)), gunner, **PLAIN)
    z = defender(enemy("Gunner", key="3"), position="C-parallel", tilt=(), hour=2, rise=0)
    given = (("targeting", 6), ("outcome", (6, 6)), ("respond", "yes"), ("targeting", 1))
    done = play(FIRE, shot(fighter(), enemy(), **A2, bystanders=(z,)), at, *given)
    assert (done.result.first, done.result.double) == ("destroyed", None)
    assert [c.target for c in done.changes if c.kind == "used"] == ["1", "3"]


@rule("aod:4.7")
def test_once_the_attacker_is_down_nobody_fires_any_more() -> None:
    gunner = kind("Gunner", flexible=turret(8, same=20))
    at = context(kind("Fighter", fixed=1), kind("Enemy", flexible=turret(6, same=20)), gunner, tracer=False)
    z = defender(enemy("Gunner", key="3"), position="C-parallel", tilt=(), hour=2, rise=0)
    given = (("targeting", 1), ("respond", "yes"), ("targeting", 6), ("outcome", (6, 6)))
    done = play(FIRE, shot(fighter(), enemy(), **A2, bystanders=(z,)), at, *given)
    assert (done.result.attacker_destroyed, done.result.double) == (True, None)


@rule("aod:4.7.1")
def test_positions_are_worked_out_for_each_defender_from_the_mover() -> None:
    gunner = kind("Enemy", flexible=turret(2, 4, 6, 8, 10, 12, above=1, same=1, below=1))
    at = context(kind("Fighter", durability=10), gunner, **PLAIN)
    mover = fighter(pose=pose())
    ahead, beside, far = enemy(pose=pose(q=2)), enemy(key="3", pose=pose(r=1)), enemy(key="4", pose=pose(q=9))
    passage = Passage(mover=mover, defenders=tuple(defender(c) for c in (ahead, beside, far)))
    done = play(BREAK, passage, at, ("respond", "yes"), ("targeting", 1), ("respond", "yes"), ("targeting", 1))
    assert [found.title for found in done.lines if found.title] == ["Targeting, position A", "Targeting, position C"]


@rule("aod:4.7.2")
def test_the_size_of_the_mover_counts_and_the_penalty_may_be_agreed_away() -> None:
    big, gunner = kind("Fighter", size="large", durability=10), kind("Enemy", flexible=turret(6, same=1))
    passage = Passage(mover=fighter(manoeuvre="steep dive"), defenders=(defender(enemy(), **A2),))
    given = (("respond", "yes"), ("targeting", 1))
    done = play(BREAK, passage, context(big, gunner, **PLAIN), *given)
    expected = {"distance 2d": -1, "large target": 1, "target prepared for a steep dive": -1}
    assert mods(done, "Targeting") == {**expected, "passive firing": -1}
    done = play(BREAK, passage, context(big, gunner, **PLAIN, full_passive=True), *given)
    assert mods(done, "Targeting") == expected


@rule("aod:4.8")
@pytest.mark.parametrize(
    ("used", "switches", "answers_"),
    [
        (("active",), {}, True),
        (("flexible",), {}, False),
        (("flexible passive",), {}, False),
        (("flexible passive",), {"many_turrets": True}, True),
        (("fixed passive",), {}, True),
    ],
)
def test_what_an_aircraft_has_done_bars_its_answer(used: Any, switches: Any, answers_: bool) -> None:
    at = context(kind("Fighter", durability=10), kind("Enemy", flexible=turret(6, same=1)), **PLAIN, **switches)
    passage = Passage(mover=fighter(), defenders=(defender(enemy(used=used), **A2),))
    given = (("respond", "yes"), ("targeting", 1)) if answers_ else ()
    assert bool(play(BREAK, passage, at, *given).changes) == answers_


@rule("aod:4.8")
def test_fixed_guns_answer_a_second_enemy_head_on_once() -> None:
    both = kind("Enemy", fixed=2, flexible=turret(6, same=1))
    at = context(kind("Fighter", durability=10), both, **PLAIN)
    head_on = {"position": "C-frontal", "tilt": ()}
    again = Passage(mover=fighter(), defenders=(defender(enemy(used=("flexible passive",)), **head_on),))
    assert play(BREAK, again, at, ("respond", "yes"), ("targeting", 1)).changes[0].value == "fixed passive"
    third = Passage(mover=fighter(), defenders=(defender(enemy(used=("fixed passive",)), **head_on),))
    assert play(BREAK, third, at).changes == ()


# --- speed


@rule("aod:4.9")
@pytest.mark.parametrize(
    ("mine", "theirs", "change"),
    [(10, 10, 0), (13, 10, 0), (14, 10, -1), (16, 10, -1), (17, 10, -2), (20, 10, -2), (21, 10, -3),
     (9, 10, -1), (8, 10, -2), (7, 10, -2), (6, 10, -3), (4, 10, -3)],
)  # fmt: skip
def test_speed_difference_from_behind(mine: int, theirs: int, change: int) -> None:
    at = context(kind("Fighter", fixed=1), TOUGH, speed_difference=True, **PLAIN)
    done = play(FIRE, shot(fighter(speed=mine), enemy(speed=theirs), **A1), at, ("targeting", 1))
    assert sum(mods(done, "Targeting").values()) == change


@rule("aod:4.9")
def test_too_slow_or_too_fast_for_the_position() -> None:
    guns = kind("Fighter", fixed=1, flexible=turret(2, same=1))
    at = context(guns, TOUGH, speed_difference=True, **PLAIN)
    assert refused(at, shot(fighter(speed=3), enemy(speed=10), position="B", tilt=())) == ["speed"]
    beside = {"position": "C-parallel", "tilt": (), "hour": 2, "rise": 0}
    assert refused(at, shot(fighter(speed=17), enemy(speed=10), **beside)) == ["speed-position"]
    told = play(FIRE, shot(fighter(), enemy(), position="B", tilt=()), at,
                ("speed attacker", 9), ("speed target", 9), ("targeting", 1))  # fmt: skip
    assert told.result.first == "miss"


@rule("aod:4.9")
def test_who_may_not_be_answered_at_that_speed_is_said() -> None:
    at = context(kind("Fighter"), kind("Enemy", flexible=turret(8, same=1)), speed_difference=True, **PLAIN)
    seen = defender(enemy(speed=9), position="C-parallel", tilt=(), hour=2, rise=0)
    done = play(BREAK, Passage(mover=fighter(speed=17), defenders=(seen,)), at)
    assert done.changes == ()
    assert "only positions A and B" in done.lines[0].verdict


@rule("aod:4.9-frontal")
@pytest.mark.parametrize(("total", "change"), [(12, 0), (13, -1), (16, -1), (17, -2), (21, -2), (22, -3), (27, -3)])
def test_speed_head_on(total: int, change: int) -> None:
    at = context(kind("Fighter", fixed=1), TOUGH, speed_difference=True, **PLAIN)
    mine = total // 2
    s = shot(fighter(speed=mine), enemy(speed=total - mine), position="C-frontal", tilt=())
    assert sum(mods(play(FIRE, s, at, ("targeting", 1)), "Targeting").values()) == change
    fast = shot(fighter(speed=14), enemy(speed=14), position="C-frontal", tilt=())
    assert refused(at, fast) == ["speed"]


# --- rockets


@rule("aod:4.10")
@pytest.mark.parametrize(("distance", "needed"), [(2, 4), (3, 5)])
def test_rockets_by_distance(distance: int, needed: int) -> None:
    at = context(kind("Fighter", air_rockets=2), kind("Enemy", capacity="double", durability=10))
    mine = fighter(rockets=2, pose=pose())
    for face in range(1, 7):
        done = play(ROCKETS, shot(mine, enemy(pose=pose(q=distance))), at, ("rockets", face))
        assert done.result.destroyed == (face >= needed)
        assert [(c.kind, c.value) for c in done.changes][:2] == [("rockets", 1), ("used", "active")]


@rule("aod:4.10")
def test_what_is_added_to_rockets_and_what_bars_them() -> None:
    at = context(kind("Fighter", fixed=1), kind("Enemy", size="very small"), pilots=True, speed_difference=True)
    tilt = ("target banked", "target pitched")
    told = shot(fighter(rockets=1, pilot="Ace"), enemy(), tilt=tilt)
    done = play(ROCKETS, told, at, ("distance", "2d"), ("rockets", 6))
    assert mods(done, "Air-to-air") == {"target banked": -1, "target pitched": -1, "very small target": -1, "Ace": 1}
    with pytest.raises(Illegal, match="needs 2d or 3d"):
        play(ROCKETS, shot(fighter(rockets=1), enemy(), distance=1, tilt=()), at)
    assert refused(at, shot(fighter(), enemy(), distance=2, tilt=()), procedure=ROCKETS) == ["no-rockets"]
    fired = shot(fighter(rockets=1, used=("active",)), enemy(), distance=2, tilt=())
    assert refused(at, fired, procedure=ROCKETS) == ["fired"]
    off = context(kind("Fighter"), kind("Enemy"), air_rockets=False)
    assert refused(off, shot(fighter(rockets=1), enemy(), distance=2, tilt=()), procedure=ROCKETS) == ["switched-off"]


# --- weather and night


@rule("aod:7.6.2")
@pytest.mark.parametrize(
    ("sun", "yaw", "rise", "blinded"),
    [("E", Yaw.E, 0, True), ("E", Yaw.E, 1, False), ("W", Yaw.W, 0, True), ("W", Yaw.E, 0, False),
     ("SE", Yaw.SE, 1, True), ("SE", Yaw.SE, 0, False), ("SW", Yaw.SW, 1, True)],
)  # fmt: skip
def test_the_sun_behind_the_target(sun: str, yaw: Yaw, rise: int, blinded: bool) -> None:
    at = context(kind("Fighter", fixed=1), TOUGH, sun=sun, **PLAIN)
    mine = pose(yaw=yaw, pitch=rise)
    ahead = mine.ahead()
    target = enemy(pose=pose(ahead.point.q, ahead.point.r, yaw, 5 + rise))
    given = (("targeting", 1),)
    done = play(FIRE, shot(fighter(pose=mine), target), at, *given)
    assert ("sun behind target" in mods(done, "Targeting")) == blinded


@rule("aod:7.6.2")
def test_a_cloud_behind_the_target_takes_the_sun_away_and_without_poses_both_are_asked() -> None:
    at = context(kind("Fighter", fixed=1), TOUGH, sun="E", clouds=True, **PLAIN)
    s = shot(fighter(), enemy(), position="B", tilt=())
    clear = (("cloud", "no"), ("sun", "yes"))
    done = play(FIRE, s, at, *clear, ("cloud behind", "yes"), ("targeting", 1))
    assert mods(done, "Targeting") == {}
    done = play(FIRE, s, at, *clear, ("cloud behind", "no"), ("targeting", 1))
    assert mods(done, "Targeting") == {"sun behind target": -2}


@rule("aod:7.6.3")
@rule("aod:7.6.4")
@pytest.mark.parametrize(("switch", "role"), [("clouds", "cloud"), ("fog", "fog")])
def test_nothing_is_fired_at_through_cloud_or_fog(switch: str, role: str) -> None:
    at = context(
        kind("Fighter", fixed=1, durability=10), kind("Enemy", flexible=turret(6, same=1)), **{switch: True}, **PLAIN
    )
    assert refused(at, shot(fighter(), enemy(), **A2), (role, "yes")) == [role]
    passage = Passage(mover=fighter(), defenders=(defender(enemy(), **A2),))
    assert play(BREAK, passage, at, (role, "yes")).changes == ()


@rule("aod:7.6.3")
@pytest.mark.example("aod:189")
@pytest.mark.parametrize(("level", "asked"), [(0, False), (1, False), (2, True), (6, True), (7, False)])
def test_where_no_cloud_can_be_nobody_is_asked_for_one(level: int, asked: bool) -> None:
    """Clouds lie between L2 and L6, so those below fire freely; active fire and the answer to it look alike."""
    at = context(
        kind("Fighter", fixed=1, durability=10), kind("Enemy", flexible=turret(6, same=1)), clouds=True, **PLAIN
    )
    mine, theirs = fighter(pose=pose(level=level)), enemy(pose=pose(1, level=level))
    cloud = [("cloud", "no")] if asked else []
    play(FIRE, shot(mine, theirs), at, *cloud, ("targeting", 1), *cloud, ("respond", "no"))
    passage = Passage(mover=mine, defenders=(Defender(craft=theirs),))
    assert play(BREAK, passage, at, *cloud, ("respond", "no")).changes == ()


@rule("aod:7.7")
def test_night_allows_close_fire_at_what_has_been_found() -> None:
    at = context(kind("Fighter", fixed=1), TOUGH, kind("Radar", fixed=1, radar=True), night=True, **PLAIN)
    done = play(FIRE, shot(fighter("Radar"), enemy(), **A1), at, ("targeting", 1))
    assert mods(done, "Targeting") == {"night": -1}
    found = fighter(search="found")
    assert play(FIRE, shot(found, enemy(), **A1), at, ("targeting", 1)).result.first == "miss"
    assert refused(at, shot(fighter(), enemy(), **A1)) == ["not-found"]
    for known in (A2, {"position": "B", "tilt": ()}, {"position": "C-frontal", "tilt": ()}):
        assert refused(at, shot(found, enemy(), **known)) == ["night"]


@rule("aod:7.7")
@pytest.mark.parametrize(("face", "found"), [(4, False), (5, True)])
def test_the_search_at_night(face: int, found: bool) -> None:
    search = GAME.procedures["aod.search"]
    at = context(kind("Fighter"), kind("Radar", radar=True))
    done = play(search, Search(craft=fighter()), at, ("search", face))
    assert (done.result.found, done.changes[0].value) == (found, "found" if found else "not found")
    assert play(search, Search(craft=fighter("Radar")), at).result.found


# --- who may fire at all, and what is asked


@pytest.mark.parametrize(
    ("mine", "theirs", "code"),
    [
        ({"out": "destroyed"}, {}, "out"),
        ({}, {"out": "left"}, "out"),
        ({}, {"manoeuvre": "vertical dive"}, "vertical-dive"),
        ({"manoeuvre": "spin"}, {}, "spin"),
        ({"key": "2"}, {}, "self"),
    ],
)
def test_who_cannot_fire_or_be_fired_at(mine: Any, theirs: Any, code: str) -> None:
    at = context(kind("Fighter", fixed=1), TOUGH, **PLAIN)
    assert code in refused(at, shot(fighter(**mine), enemy(**theirs), **A1))
    assert "friend" in refused(at, shot(fighter(), fighter(key="7"), **A1))


def test_a_spinning_aircraft_does_not_answer() -> None:
    at = context(kind("Fighter"), kind("Enemy", flexible=turret(6, same=1)), **PLAIN)
    passage = Passage(mover=fighter(), defenders=(defender(enemy(manoeuvre="spin"), **A2),))
    assert play(BREAK, passage, at).changes == ()


@rule("aod:7.11")
def test_without_roll_tilt_nobody_is_banked() -> None:
    at = context(kind("Fighter", fixed=1), TOUGH, roll_tilt=False, **PLAIN)
    banked = shot(fighter(pose=pose(roll=1)), enemy(pose=pose(q=1, roll=-1)))
    assert mods(play(FIRE, banked, at, ("targeting", 1)), "Targeting") == {}
    told = shot(fighter(), enemy(), position="A", distance=1, tilt=("roll differs", "pitch differs"))
    assert mods(play(FIRE, told, at, ("targeting", 1)), "Targeting") == {"different pitch": -1}


def test_everything_unknown_is_asked_for_and_a_panel_is_read_once() -> None:
    given: dict[str, Any] = {"fixed": 3, "durability": 4, "capacity": "single", "size": "normal"}
    from companion.rules.aod.fire import Shot
    from companion.umpire import Answer, Open, advance

    known: list[Answer] = []
    asked = []
    for _ in range(60):
        now = advance(FIRE, Shot(), known, Context(switches={"tracer": False}))
        if not isinstance(now, Open):
            break
        (ask,) = now.asks
        asked.append(ask.address)
        if ask.kind == "dice":
            known.append(Answer(address=ask.address, faces=[1] * len(ask.open_slots)))
        elif ask.kind == "look_up":
            slot = ask.address.split(":")[1]
            known.append(Answer(address=ask.address, value=given.get(slot, "-")))
        else:
            word = {"position": "A 2d", "tilt": []}.get(ask.role, "no")
            known.append(
                Answer(address=ask.address, fact=word)
                if ask.kind == "fact"
                else Answer(address=ask.address, choice=word)
            )
    assert now.result.first == "miss"  # type: ignore[union-attr]
    assert len(set(asked)) == len(asked)
    assert asked[0].endswith("position")


def test_opposite_tilts_stay_listed_and_say_why_not() -> None:
    at = context(kind("Fighter", fixed=1), TOUGH, **PLAIN)
    with pytest.raises(Illegal, match="opposite sides"):
        play(FIRE, shot(fighter(), enemy()), at, ("position", "A 1d"), ("tilt", ["opposite"]))


def test_a_burst_by_its_numbers() -> None:
    by_numbers = GAME.procedures["aod.burst"]
    given = Numbers(position="B", modifier=-1, firepower=11, durability=5, bonus=1)
    done = scripted(by_numbers, given, answers(("targeting", 5), ("outcome", (1, 3))))
    assert (done.result.damages, done.result.destroyed) == ((), True), "11 is double damage"
    with pytest.raises(Missing, match="Which column"):
        scripted(by_numbers, Numbers(), ())


def test_odds_are_never_refused_and_own_choices_are_rows() -> None:
    at = context(kind("Fighter", fixed=5, fixed_bursts=3), kind("Enemy", flexible=turret(6, same=2)))
    s = shot(fighter(), enemy(), **A2)
    assert sum(chance.chance for chance in odds(FIRE, s, (), at)) == 1
    assert list(odds_by_option(FIRE, s, (), at, seat="red")) == ["normal", "tracer", "short"]
    assert {c.result for c in odds(FIRE, s, (), at, about="target")} >= {"undamaged", "destroyed"}
    assert {c.result for c in odds(FIRE, s, (), at, about="attacker")} >= {"undamaged"}
    assert {c.result for c in odds(FIRE, s, (), at, about="first")} >= {"miss"}
    for key, about in (("2", "target"), ("1", "attacker")):
        assert odds(FIRE, s, (), at, about=f"fate:{key}") == odds(FIRE, s, (), at, about=about)
    half = shot(fighter(fixed_spent=5), enemy(), **A2)
    assert sum(chance.chance for chance in odds(FIRE, half, (), at)) == 1, "only a short burst is left"
    passage = Passage(mover=fighter(), defenders=(defender(enemy(), **A2),))
    assert sum(chance.chance for chance in odds(BREAK, passage, (), at, about="mover")) == 1
    salvo = shot(fighter(rockets=1), enemy(), distance=2, tilt=())
    assert [c.result for c in odds(ROCKETS, salvo, (), at, about="target")] == ["missed", "destroyed"]
    over = Throttle(craft=fighter("Engine", throttle=1))
    engine = context(kind("Engine", throttle=1))
    assert {c.result for c in odds(THROTTLE, over, (), engine, about="engine")} == {True, False}
    numbers = Numbers(position="A", firepower=9, durability=4)
    assert {c.result for c in odds(GAME.procedures["aod.burst"], numbers, about="result")} >= {"miss", "destroyed"}


# --- laws


def destroyed(shift: int, body: Body) -> float:
    weights, total, _ = Odds().count(outcome, (Modifier(shift, "sum", "sum", "4.6"),), body)
    return sum(weight for hit, weight in weights if hit.body.destroyed) / total


BODIES = st.builds(
    Body,
    st.sampled_from(["fragile", "single", "double"]),
    st.sampled_from([(), ("tail",), ("wings",)]),
).filter(lambda body: not (body.capacity == "fragile" and body.damages))


@given(st.integers(-10, 14), BODIES)
@settings(max_examples=60, deadline=None)
def test_more_firepower_never_lowers_the_chance_to_destroy(shift: int, body: Body) -> None:
    assert destroyed(shift + 1, body) >= destroyed(shift, body)
    assert destroyed(shift, body) <= 35 / 36, "two ones never do anything"


@given(st.integers(-10, 14), st.sampled_from([(), ("tail",)]))
@settings(max_examples=40, deadline=None)
def test_more_capacity_never_raises_it(shift: int, damages: Any) -> None:
    assert destroyed(shift, Body("double", damages)) <= destroyed(shift, Body("single", damages))


@given(st.integers(0, 40), st.integers(0, 12), st.booleans(), st.integers(1, 20))
@settings(max_examples=60, deadline=None)
def test_a_gun_never_fires_more_than_it_has(spent: int, bursts: int, short: bool, firepower: int) -> None:
    at = context(kind("Fighter", fixed=firepower, fixed_bursts=max(bursts, 1)), TOUGH, short_burst=short)
    total = 2 * max(bursts, 1)
    s = shot(fighter(fixed_spent=spent), enemy(), **A2)
    if total - spent < (1 if short else 2):
        assert refused(at, s) == ["empty"]
        return
    for chance in odds(FIRE, s, (), at):
        assert all(c.value[1] <= total for c in chance.result.changes if c.kind == "ammunition")


def test_the_players_say_which_bystanders_stand_in_position() -> None:
    gunner = kind("Enemy", flexible=turret(8, same=1))
    at = context(kind("Fighter", durability=10), gunner, **PLAIN)
    near, far = defender(enemy(key="3")), defender(enemy(key="4"))
    beside = (("position", "C-parallel"), ("tilt", []), ("hour", "2"), ("rise", "same"))
    passage = Passage(mover=fighter(), defenders=(near, far))
    done = play(BREAK, passage, at, ("answering", ["4"]), *beside, ("respond", "yes"), ("targeting", 1))
    assert [c.target for c in done.changes] == ["4"]


def test_house_values_are_marked_in_the_arithmetic() -> None:
    at = Context(cells=GAME.cells(), switches={**PLAIN, "speed_difference": False})
    bomber = enemy("Lancaster B Mk I")
    given = (("targeting", 6), NOTHING, ("respond", "no"))
    done = play(FIRE, shot(fighter("Fw 190 A-8"), bomber, position="B", tilt=()), at, *given)
    assert {mod.text: mod.house for mod in line(done, "Targeting").mods} == {"large target": True}
    assert all(mod.house for mod in line(done, "Firing outcome").mods)
    assert "†" in line(done, "Firing outcome").text
    own = context(kind("Fighter", fixed=3), kind("Enemy", size="large"), **PLAIN)
    done = play(FIRE, shot(fighter(), enemy(), position="B", tilt=()), own, ("targeting", 6), NOTHING)
    assert not any(mod.house for found in done.lines for mod in found.mods)
