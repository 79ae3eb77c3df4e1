"""Air-to-air rockets (4.10)."""

from collections.abc import Sequence

from msgspec import Struct

from companion.rules.aod import modifiers, weather
from companion.rules.aod.charts import charts
from companion.rules.aod.dice import WHITE
from companion.rules.aod.fire import Shot, violations
from companion.rules.aod.policy import POLICY
from companion.rules.aod.position import Solution
from companion.rules.aod.sight import asked, one_position, worked_out
from companion.rules.aod.switches import on
from companion.umpire import Barred, Change, Illegal, Modifier, Question, Umpire, at_least, procedure


class Salvo(Struct, frozen=True, kw_only=True):
    """What came of a salvo: a hit always destroys."""

    destroyed: bool
    changes: tuple[Change, ...] = ()


def _violations(shot: Shot) -> Sequence[Barred]:
    attacker = shot.attacker
    reasons = list(violations(shot))
    if attacker.rockets < 1:
        reasons.append(Barred("no-rockets", f"{attacker.name} carries no air-to-air rockets.", "4.10"))
    return reasons


@procedure(
    "aod.rockets",
    title="Launch air-to-air rockets",
    rule="4.10",
    violations=_violations,
    questions={"target": Question("Fate of the target", lambda salvo: "destroyed" if salvo.destroyed else "missed")},
    policy=POLICY,
    asks={"distance": "2d or 3d (4.10)", "tilt": "tilt of the target (4.10)", "rockets": "the die (4.10)"},
)
def launch(ump: Umpire, shot: Shot) -> Salvo:
    """One die by distance; no tracer, double or short burst and no speed difference apply."""
    if not on(ump, "air_rockets"):
        raise Illegal((Barred("switched-off", "Air-to-air rockets are not played at this table.", "4.10"),))
    attacker, target = shot.attacker, shot.target
    seen = _seen(ump, shot)
    weather.check(ump, seen, attacker)
    mods = (
        *modifiers.tilt_and_distance(seen),
        *modifiers.size(ump, target),
        *weather.penalties(ump, seen, attacker, target, 0),
        *_skill(ump, shot),
    )
    need = at_least(int(charts()["air_rockets"].at(seen.distance)))
    title = f"Air-to-air rockets, {seen.distance}d"
    hit = ump.test("rockets", WHITE, mods, need, rule="4.10", title=title, words=("hit", "miss"))
    return Salvo(destroyed=hit, changes=tuple(_changes(shot, hit)))


def _seen(ump: Umpire, shot: Shot) -> Solution:
    solutions = worked_out(ump, shot.attacker, shot.target, shot.others)
    if solutions is None:
        return asked(ump, _as_rocket(shot), shot.attacker, shot.target)
    return one_position(ump, shot.attacker.seat, [s for s in solutions if s.position == "rocket"])


def _as_rocket(shot: Shot) -> Shot:
    return Shot(position="rocket", distance=shot.distance, tilt=shot.tilt)


def _skill(ump: Umpire, shot: Shot) -> Sequence[Modifier]:
    """Aces and Rookies (7.5)."""
    pilot = shot.attacker.pilot
    return (modifiers.other(pilot),) if pilot and on(ump, "pilots") else ()


def _changes(shot: Shot, hit: bool) -> Sequence[Change]:
    attacker, target = shot.attacker, shot.target
    text = f"{attacker.name}: one salvo of rockets launched"
    launched = Change("rockets", attacker.key, attacker.rockets - 1, text=text, rule="4.10")
    used = Change("used", attacker.key, "active", rule="4.8")
    down = Change("destroyed", target.key, text=f"{target.name} is destroyed", rule="4.10")
    return (launched, used, down) if hit else (launched, used)
