"""Passive fire in a break action at an aircraft that has ended its movement (4.7)."""

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.grid.triangular import Pose
from companion.rules.aod import figures, guns, modifiers, weather
from companion.rules.aod.changes import after_fire, after_hits
from companion.rules.aod.craft import Craft
from companion.rules.aod.guns import Aim, Gun, Kind
from companion.rules.aod.outcome import Body, Burst, burst, fate
from companion.rules.aod.policy import POLICY
from companion.rules.aod.position import Solution
from companion.rules.aod.sight import Sight, asked, worked_out
from companion.rules.aod.switches import on
from companion.umpire import Change, Illegal, Modifier, OneOf, Option, Question, SomeOf, Umpire, procedure


class Defender(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One that may answer, and how the mover stands to it where poses are not kept."""

    craft: Craft = Craft()
    sight: Sight = Sight()


class Mover(Struct, frozen=True, cache_hash=True):
    """The aircraft that is fired at, and what the answers so far have changed on the side of the shooters."""

    body: Body
    changes: tuple[Change, ...] = ()


class Facing(Struct, frozen=True, cache_hash=True):
    """One defender and the aircraft that it faces."""

    mover: Craft
    defender: Defender
    others: tuple[Pose, ...] = ()


def break_action(ump: Umpire, mover: Craft, defenders: tuple[Defender, ...], others: tuple[Pose, ...] = ()) -> Mover:
    """Every defender in position may fire once, one after the other, until the mover is down (4.7)."""
    capacity = figures.word(ump, figures.CAPACITY, mover.type)
    start = Mover(Body(capacity, mover.damages))  # type: ignore[arg-type]
    answering = _answering(ump, mover, defenders)
    facing = tuple(Facing(mover, defender, others) for defender in answering)
    return ump.fold("answer", answer, start, facing, names=[d.craft.key for d in answering])


def _answering(ump: Umpire, mover: Craft, defenders: tuple[Defender, ...]) -> tuple[Defender, ...]:
    """Those that stand in a firing position; without poses the players say which."""
    unknown = [d for d in defenders if d.sight.position is None and not (mover.pose and d.craft.pose)]
    if not unknown:
        return defenders
    listed = tuple(Option(d.craft.key, d.craft.name, d.craft.key) for d in unknown)
    text = f"To which other enemies does {mover.name} stand in a firing position?"
    chosen = ump.fact("answering", SomeOf(listed), text=text, rule="4.7.1")
    return tuple(d for d in defenders if d not in unknown or d.craft.key in chosen)


class Reply(Struct, frozen=True):
    """A burst that a defender has announced, and what it does to its own sliders."""

    burst: Burst
    changes: tuple[Change, ...]


def answer(ump: Umpire, mover: Mover, facing: Facing) -> Mover:
    """The fire of one defender (4.7.2)."""
    if mover.body.destroyed:
        return mover
    reply = ump.call("ready", ready, facing)
    if reply is None:
        return mover
    hit = ump.call("burst", burst, reply.burst, mover.body)
    return Mover(hit.body, (*mover.changes, *reply.changes))


def ready(ump: Umpire, facing: Facing) -> Reply | None:
    """Whether a defender can and will fire, with which guns and what burst."""
    enemy, defender = facing.mover, with_speed(ump, facing.defender.craft, "defender")
    seen = _seen(ump, facing)
    if seen is None:
        return None
    aim = guns.at_attacker(ump, defender, seen)
    able = _able(ump, defender, seen, aim)
    penalties = _penalties(ump, enemy, defender, seen, aim) if able else None
    chosen = _respond(ump, defender, able) if penalties is not None else ()
    if penalties is None or not chosen:
        return None
    kind = _kind(ump, defender, chosen)
    ump.note(f"{defender.name} fires back at {enemy.name}", "4.7")
    shot = Burst(seen.column, penalties, _outcome(ump, enemy, defender, seen, aim, chosen, kind))  # type: ignore[arg-type]
    used = [f"{gun} passive" for gun in chosen]
    spent = guns.spend(ump, defender, chosen, kind)
    return Reply(shot, after_fire(defender, spent, *used))  # type: ignore[arg-type]


def _seen(ump: Umpire, facing: Facing) -> Solution | None:
    """A position for active fire seen from the mover, whether or not it fired (4.7.1)."""
    if {facing.mover.manoeuvre, facing.defender.craft.manoeuvre} & {"spin", "vertical dive"}:
        return None
    solutions = worked_out(ump, facing.mover, facing.defender.craft, facing.others)
    if solutions is None:
        return asked(ump, facing.defender.sight, facing.mover, facing.defender.craft, beside=True)
    return next((s for s in solutions if s.passive), None)


def _able(ump: Umpire, craft: Craft, seen: Solution, aim: Aim) -> tuple[Gun, ...]:
    """The guns that bear and may fire; why others may not is said."""
    able = guns.bearing(ump, craft, seen, aim)
    for reason in (reason for reasons in able.values() for reason in reasons):
        ump.note(reason.text, reason.rule)
    return tuple(gun for gun, reasons in able.items() if not reasons)


def _respond(ump: Umpire, craft: Craft, able: tuple[Gun, ...]) -> tuple[Gun, ...]:
    """The guns that the defender answers with, if any."""
    space: OneOf[tuple[Gun, ...]] = OneOf((*_choices(able), Option("no", "Hold fire", ())))
    return ump.choose("respond", craft.seat, space, text=f"Does {craft.name} fire back?", rule="4.7")


def _choices(ready: tuple[Gun, ...]) -> Iterator[Option[tuple[Gun, ...]]]:
    if len(ready) == 1:
        yield Option("yes", f"Fire the {ready[0]} guns", ready)
        return
    yield Option("yes", "Fire all guns that bear", ready)
    for gun in ready:
        yield Option(gun, f"Fire the {gun} guns", (gun,))


def _kind(ump: Umpire, craft: Craft, chosen: tuple[Gun, ...]) -> Kind:
    kinds = guns.bursts(ump, craft, chosen, active=False)
    if len(kinds) == 1:
        return kinds[0].value
    return ump.choose("burst", craft.seat, OneOf(kinds), text=f"What does {craft.name} fire?", rule="4.6.6")


def _penalties(ump: Umpire, mover: Craft, defender: Craft, seen: Solution, aim: Aim) -> tuple[Modifier, ...] | None:
    """As for the attacker, one less, and the size of the mover (4.7.2); None where night or speed forbid it."""
    try:
        weather.check(ump, seen, defender, passive=True)
        speed = modifiers.speed(ump, seen, mover, defender)
    except Illegal as illegal:
        ump.note(f"{defender.name} cannot answer: {illegal}", "4.7")
        return None
    return (
        *modifiers.tilt_and_distance(seen),
        *speed,
        *modifiers.size(ump, mover),
        *weather.penalties(ump, seen, defender, mover, aim.rise),
        *modifiers.steep_dive(mover),
        *(() if on(ump, "full_passive") else (modifiers.other("passive firing"),)),
    )


def _outcome(
    ump: Umpire, mover: Craft, defender: Craft, seen: Solution, aim: Aim, chosen: tuple[Gun, ...], kind: Kind
) -> tuple[Modifier, ...]:
    """Firepower towards the mover less its durability, the frontal one if it flies at the defender (4.3.1)."""
    durability = modifiers.toughness(ump, mover, seen.frontal_passive)
    firepower = guns.firepower(ump, defender, chosen, aim, kind)
    return (*firepower, durability, *guns.cannon(ump, defender, chosen, kind, -durability.value))


def with_speed(ump: Umpire, craft: Craft, role: str) -> Craft:
    """Its speed, where a rule needs it (4.9)."""
    if not on(ump, "speed_difference"):
        return craft
    return replace(craft, speed=modifiers.final_speed(ump, craft, role))


class Passage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An aircraft that has ended its movement, and the enemies that may answer it."""

    mover: Craft = Craft(side="mover")
    defenders: Annotated[tuple[Defender, ...], Meta(max_length=200)] = (Defender(),)
    others: Annotated[tuple[Pose, ...], Meta(max_length=200)] = ()


class Break(Struct, frozen=True, kw_only=True):
    """What came of a break action; damages are all that the mover carries now."""

    destroyed: bool
    damages: tuple[str, ...]
    changes: tuple[Change, ...] = ()


@procedure(
    "aod.break",
    title="Break action: fire at an aircraft that has moved",
    rule="4.7",
    questions={"mover": Question("Fate of the mover", lambda b: fate(b.destroyed, b.damages))},
    asks={
        "answering": "who stands in position (4.7.1)", "respond": "whether and with what a defender fires (4.7)",
        "burst": "normal or short burst (4.6.6)", "targeting": "the targeting die (4.5)",
        "outcome": "two dice for the outcome (4.6)", "damage die": "type of damage (4.6.1)",
    },
    policy=POLICY,
)  # fmt: skip
def break_fire(ump: Umpire, passage: Passage) -> Break:
    """The answers to an aircraft that ended its movement, whether or not it fired."""
    moved = with_speed(ump, passage.mover, "mover")
    mover = ump.call("break", break_action, moved, passage.defenders, passage.others)
    changes = (*mover.changes, *after_hits(moved, mover.body))
    return Break(destroyed=mover.body.destroyed, damages=mover.body.damages, changes=changes)
