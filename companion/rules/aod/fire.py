"""Active fire of one aircraft at another, the fire that comes back, and the double burst after it (4.5 to 4.9)."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.grid.triangular import Pose
from companion.rules.aod import figures, guns, modifiers, weather
from companion.rules.aod.changes import after_fire, after_hits, evading
from companion.rules.aod.craft import Craft, Used
from companion.rules.aod.figures import figure
from companion.rules.aod.guns import Aim, Gun, Kind
from companion.rules.aod.outcome import Body, Burst, Hit, Word, burst, fate
from companion.rules.aod.passive import Defender, Mover, break_action, with_speed
from companion.rules.aod.policy import POLICY
from companion.rules.aod.position import Solution, permitted
from companion.rules.aod.sight import Sight, Tilt, asked, one_position, worked_out
from companion.rules.aod.switches import on
from companion.umpire import Barred, Change, Illegal, Modifier, OneOf, Option, Question, Umpire, YesNo, procedure


class Shot(Sight, frozen=True, kw_only=True, omit_defaults=True):
    """Who fires at whom. `bystanders` are enemies of the attacker that may answer besides the target."""

    attacker: Craft = Craft(side="attacker")
    target: Craft = Craft(side="target")
    bystanders: Annotated[tuple[Defender, ...], Meta(max_length=200)] = ()
    others: Annotated[tuple[Pose, ...], Meta(max_length=200)] = ()
    """Where the other aircraft stand, as far as they may be in the line of fire."""


class Engagement(Struct, frozen=True, kw_only=True):
    """What came of it. Damages are all that an aircraft carries now."""

    first: Word
    double: Word | None = None
    target_destroyed: bool = False
    target_damages: tuple[str, ...] = ()
    attacker_destroyed: bool = False
    attacker_damages: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()


class Stand(Struct, frozen=True, cache_hash=True):
    """What holds for both bursts: who, how they stand to each other, the guns, the penalties."""

    attacker: Craft
    target: Craft
    seen: Solution
    aim: Aim
    guns: tuple[Gun, ...]
    penalties: tuple[Modifier, ...]
    twitch: bool = False

    @property
    def uses(self) -> tuple[Used, ...]:
        """Flexible guns that fired actively do not answer in the turn that follows (4.8)."""
        return ("active", "flexible") if "flexible" in self.guns else ("active",)


class Plan(Struct, frozen=True, cache_hash=True):
    """What has been announced before the die, and the attacker with its sliders after the first burst."""

    stand: Stand
    body: Body
    burst: Burst
    fired: Craft
    changes: tuple[Change, ...]
    """What the burst changes apart from hits."""


class Double(Struct, frozen=True, cache_hash=True):
    """A double burst that has been announced, and what both bursts change apart from hits."""

    burst: Burst
    changes: tuple[Change, ...]


def violations(shot: Shot) -> Sequence[Barred]:
    """What needs no look at the panels: who may fire at whom at all."""
    return tuple(_out_of_question(shot))


def _out_of_question(shot: Shot) -> Iterator[Barred]:
    attacker, target = shot.attacker, shot.target
    for craft in (attacker, target):
        if craft.out:
            yield Barred("out", f"{craft.name} is no longer in play.", "2.1")
        if craft.manoeuvre == "vertical dive":
            yield Barred("vertical-dive", f"{craft.name} is in a vertical dive.", "3.4.3")
        if craft.manoeuvre == "spin":
            yield Barred("spin", f"{craft.name} is in a spin.", "3.6.5")
    if attacker.key and attacker.key == target.key:
        yield Barred("self", "An aircraft cannot fire at itself.", "4.5")
    if "active" in attacker.used:
        yield Barred("fired", f"{attacker.name} has already fired actively in this round.", "4.8")
    if attacker.side and attacker.side == target.side:
        yield Barred("friend", "Both aircraft are of the same side.", "4.5")


def _fate_of(ump: Umpire, shot: Shot, key: str) -> str:
    """The fate of an aircraft by its number."""
    end = fire.run(ump, shot)
    if key == shot.attacker.key:
        return fate(end.attacker_destroyed, end.attacker_damages)
    return fate(end.target_destroyed, end.target_damages)


def _keys(shot: Shot) -> tuple[str, ...]:
    return tuple(craft.key for craft in (shot.target, shot.attacker) if craft.key)


@procedure(
    "aod.fire",
    title="Fire at an aircraft",
    rule="4.5",
    violations=violations,
    questions={
        "target": Question("Fate of the target", lambda e: fate(e.target_destroyed, e.target_damages)),
        "attacker": Question("Fate of the attacker", lambda e: fate(e.attacker_destroyed, e.attacker_damages)),
        "first": Question("Result of the first burst", lambda e: e.first),
        "fate": Question("Fate of", lambda fate, _key: fate, _fate_of, _keys),
    },
    asks={
        "position": "firing position (4.5)", "tilt": "tilt of both aircraft (4.5)", "guns": "which guns fire (4.4.2)",
        "burst": "normal, tracer or short burst (4.5.7, 4.6.6)", "twitch": "defensive twitch (4.5.8)",
        "targeting": "the targeting die (4.5)", "outcome": "two dice for the outcome (4.6)",
        "damage die": "type of damage (4.6.1)", "respond": "whether a defender answers (4.7)",
        "double": "double burst (4.6.5)",
    },
    policy=POLICY,
)  # fmt: skip
def fire(ump: Umpire, shot: Shot) -> Engagement:
    """One burst, the break action of everybody who may answer it, and perhaps a double burst."""
    plan = ump.call("announce", announce, shot)
    first = ump.call("first", burst, plan.burst, plan.body)
    mover = ump.call("break", back_fire, plan.stand, _state(first.body), shot.bystanders, shot.others)
    again, double = None, None
    if not mover.body.destroyed and not first.body.destroyed:
        again = ump.call("again", double_burst, plan, "guns" in mover.body.damages, first.hit)
    if again:
        double = ump.call("double", burst, again.burst, first.body)
    return _engagement(plan, mover, first, again, double)


# --- before the die


def announce(ump: Umpire, shot: Shot) -> Plan:
    """Position, guns, kind of burst and twitch: everything that is said before the die is thrown (4.5)."""
    attacker, target = with_speed(ump, shot.attacker, "attacker"), with_speed(ump, shot.target, "target")
    seen = _seen(ump, shot, attacker, target)
    weather.check(ump, seen, attacker)
    aim = guns.at_target(ump, attacker, seen)
    chosen = _guns(ump, attacker, seen, aim)
    kind = _kind(ump, attacker, chosen)
    stand = Stand(attacker, target, seen, aim, chosen, _penalties(ump, seen, attacker, target))
    stand = replace(stand, twitch=_twitch(ump, shot, seen, target))
    body = Body(figures.word(ump, figures.CAPACITY, target.type), target.damages)  # type: ignore[arg-type]
    fired = guns.spend(ump, attacker, chosen, kind)
    return Plan(stand, body, _burst(ump, stand, attacker, kind), fired, _announced(stand, fired))


def _penalties(ump: Umpire, seen: Solution, attacker: Craft, target: Craft) -> tuple[Modifier, ...]:
    """What does not change between the two bursts of a double burst."""
    return (
        *modifiers.tilt_and_distance(seen),
        *modifiers.speed(ump, seen, attacker, target),
        *modifiers.size(ump, target),
        *weather.penalties(ump, seen, attacker, target, seen.rise),
        *modifiers.manoeuvres(attacker, target),
    )


def _seen(ump: Umpire, shot: Shot, attacker: Craft, target: Craft) -> Solution:
    solutions = worked_out(ump, attacker, target, shot.others)
    if solutions is None:
        return asked(ump, shot, attacker, target, beside=_needs_level(ump, shot))
    usable = [s for s in solutions if s.position != "rocket" and (s.position != "upward" or on(ump, "upward_guns"))]
    with_guns = [s for s in permitted(usable) if guns.bearing(ump, attacker, s, guns.at_target(ump, attacker, s))]
    return one_position(ump, attacker.seat, with_guns or usable)


def _needs_level(ump: Umpire, shot: Shot) -> bool:
    """Whether the target's level matters from close behind: to flexible guns and the sun."""
    guns_there = (_may_cover(ump, shot.attacker, 12), _may_cover(ump, shot.target, 6))
    return on(ump, "sun") or any(guns_there)


def _may_cover(ump: Umpire, craft: Craft, hour: int) -> bool:
    found = [ump.context.cells.get((figures.FLEXIBLE.key, craft.type, str(hour), row)) for row in figures.LEVELS]
    return any(filled is None or filled.value for filled in found)


def _guns(ump: Umpire, craft: Craft, seen: Solution, aim: Aim) -> tuple[Gun, ...]:
    """The guns that fire; fixed and flexible ones may fire together straight ahead (4.4.2)."""
    able = guns.bearing(ump, craft, seen, aim)
    ready = [gun for gun, reasons in able.items() if not reasons]
    if not ready:
        nothing = Barred("no-guns", f"{craft.name} has no guns that bear on the target.", "4.4")
        raise Illegal(tuple(r for reasons in able.values() for r in reasons) or (nothing,))
    if len(ready) == 1:
        return (ready[0],)
    return ump.choose("guns", craft.seat, BOTH, text=f"Which guns of {craft.name} fire?", rule="4.4.2")


BOTH: OneOf[tuple[Gun, ...]] = OneOf(
    (
        Option("fixed", "Fixed guns", ("fixed",)),
        Option("flexible", "Flexible guns", ("flexible",)),
        Option("both", "Both", ("fixed", "flexible")),
    )
)


def _kind(ump: Umpire, craft: Craft, chosen: tuple[Gun, ...]) -> Kind:
    kinds = guns.bursts(ump, craft, chosen, active=True)
    if len(kinds) == 1:
        return kinds[0].value
    return ump.choose("burst", craft.seat, OneOf(kinds), text=f"What does {craft.name} fire?", rule="4.5.7")


def _twitch(ump: Umpire, shot: Shot, seen: Solution, target: Craft) -> bool:
    """Said before the die, by the target's player (4.5.8)."""
    if not (on(ump, "twitch") and seen.position == "A" and figure(ump, figures.TWITCH, target.type)):
        return False
    may = seen.twitch if target.pose and shot.attacker.pose else None
    text = "Is the target unbanked, and the attacker not below its tail?"
    if not ump.fact("may twitch", YesNo(), may, text=text, rule="4.5.8"):
        return False
    return ump.choose("twitch", target.seat, YesNo(), text=f"Does {target.name} twitch?", rule="4.5.8")


# --- a burst


def _burst(ump: Umpire, stand: Stand, attacker: Craft, kind: Kind, *, double: bool = False, hit: bool = False) -> Burst:
    """A burst with all its modifiers; `hit` is whether the burst before a double burst hit."""
    durability = modifiers.toughness(ump, stand.target, stand.seen.frontal)
    fixed = stand.guns == ("fixed",)
    pilot = attacker.pilot if fixed and on(ump, "pilots") else ""
    outcome = (
        *guns.firepower(ump, attacker, stand.guns, stand.aim, kind),
        durability,
        *guns.cannon(ump, attacker, stand.guns, kind, -durability.value),
        *((modifiers.FIRST_HIT,) if hit else ()),
    )
    skill = (modifiers.other(pilot),) if pilot else ()
    targeting = (*stand.penalties, *skill, *_aids(stand, kind, double))
    chooser = (attacker.seat or "attacker") if pilot == "Ace" else ""
    return Burst(stand.seen.column, targeting, outcome, chooser)  # type: ignore[arg-type]


def _aids(stand: Stand, kind: Kind, double: bool) -> Iterator[Modifier]:
    """Tracer, or the first burst serving as one; and a twitch against it (4.5.7, 4.6.5, 4.5.8)."""
    if double and stand.guns == ("fixed",):
        yield modifiers.other("double burst")
    elif kind == "tracer":
        yield modifiers.other("tracer burst")
    if stand.twitch:
        yield modifiers.other("twitch")


# --- the break action and the double burst


def _state(body: Body) -> str:
    """All that matters of the target when it answers: whether it is there, and whether its guns are damaged."""
    return "out" if body.destroyed else "guns" if "guns" in body.damages else ""


def back_fire(
    ump: Umpire, stand: Stand, target: str, bystanders: tuple[Defender, ...], others: tuple[Pose, ...]
) -> Mover:
    """The target answers if it survived, and so may others (4.7)."""
    damages = ("guns",) if target == "guns" else ()
    itself = Defender(craft=replace(stand.target, damages=damages), sight=_sight(stand.seen))
    defenders = bystanders if target == "out" else (itself, *bystanders)
    return break_action(ump, stand.attacker, defenders, others)


def _sight(seen: Solution) -> Sight:
    """What is known of the position; below a target that fires back an upward position is one beside it (4.7.1)."""
    if seen.position == "upward":
        return Sight(position="C-parallel", tilt=(), hour=12, rise=1)
    return Sight(position=seen.position, distance=seen.distance, tilt=_tilts(seen), hour=seen.ahead, rise=seen.rise)


def _tilts(seen: Solution) -> tuple[Tilt, ...]:
    """As `Sight` names them, so that nothing is asked twice."""
    names: tuple[Tilt, ...] = ("target banked", "target pitched")
    if seen.position == "A":
        names = ("roll differs", "pitch differs")
    return tuple(name for name in names if getattr(seen, name.replace(" ", "_")))


def double_burst(ump: Umpire, plan: Plan, guns_damaged: bool, hit: bool) -> Double | None:
    """After the break action, if the attacker came through it, with the guns that it has left (4.6.5)."""
    stand, attacker = plan.stand, replace(plan.fired, damages=("guns",) if guns_damaged else ())
    kind = _double_kind(ump, stand, attacker)
    if kind is None:
        return None
    ump.note(f"{attacker.name} fires a double burst", "4.6.5")
    announced = _burst(ump, stand, attacker, kind, double=True, hit=hit)
    return Double(announced, _announced(stand, guns.spend(ump, attacker, stand.guns, kind)))


def _double_kind(ump: Umpire, stand: Stand, attacker: Craft) -> Kind | None:
    """Whether it is fired and as what kind of burst; what speaks against it is said."""
    if not on(ump, "double_burst"):
        return None
    kinds = tuple(k for k in guns.bursts(ump, attacker, stand.guns, active=True) if k.key != "tracer")
    reasons = _none_left(kinds) or tuple(_no_double(ump, stand, attacker))
    for reason in reasons:
        ump.note(f"No double burst: {reason.text}", reason.rule)
    if reasons:
        return None
    space: OneOf[Any] = OneOf((Option("no", "No double burst", None), *kinds))
    text = f"Does {attacker.name} fire a double burst?"
    kind: Kind | None = ump.choose("double", attacker.seat, space, text=text, rule="4.6.5")
    return kind


def _none_left(kinds: Sequence[Option[Kind]]) -> Sequence[Barred]:
    reasons = [kind.barred for kind in kinds if kind.barred]
    return reasons[:1] if len(reasons) == len(kinds) else ()


def _no_double(ump: Umpire, stand: Stand, attacker: Craft) -> Iterator[Barred]:
    target = stand.target
    if stand.seen.position in ("B", "C-frontal"):
        yield Barred("double-position", f"not from position {stand.seen.position}.", "4.6.5")
    elif not stand.seen.parallel_pose:
        yield Barred("double-tilt", "the tilts differ.", "4.6.5")
    if attacker.manoeuvre == "forward slip":
        yield Barred("double-slip", "not after a forward slip.", "3.4.4")
    if target.manoeuvre == "steep dive" and attacker.manoeuvre != "steep dive":
        yield Barred("double-dive", "the target is prepared for a steep dive.", "3.4.2")
    if on(ump, "speed_difference") and abs((attacker.speed or 0) - (target.speed or 0)) > 3:
        yield Barred("double-speed", "the speed difference is more than 3.", "4.9")
    if not sum(guns.base_firepower(ump, attacker, gun, stand.aim) for gun in stand.guns):
        yield Barred("guns-damaged", "the damaged guns have no firepower left.", "4.6.1")


# --- what it changes


def _announced(stand: Stand, fired: Craft) -> tuple[Change, ...]:
    """Sliders, guns that have been used, and a twitch."""
    changes = after_fire(stand.attacker, fired, *stand.uses)
    return (*changes, evading(stand.target)) if stand.twitch else changes


def _engagement(plan: Plan, mover: Mover, first: Hit, again: Double | None, double: Hit | None) -> Engagement:
    stand, body = plan.stand, (double or first).body
    return Engagement(
        first=first.result,
        double=double.result if double else None,
        target_destroyed=body.destroyed,
        target_damages=body.damages,
        attacker_destroyed=mover.body.destroyed,
        attacker_damages=mover.body.damages,
        changes=(
            *(again or plan).changes,
            *after_hits(stand.target, body),
            *mover.changes,
            *after_hits(stand.attacker, mover.body),
        ),
    )
