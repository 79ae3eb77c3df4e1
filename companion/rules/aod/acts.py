"""What may be done now, and what not and why (2.1)."""

from collections.abc import Iterator
from typing import Any

import msgspec

from companion.grid.triangular import Pose
from companion.rules.aod import figures
from companion.rules.aod.craft import Craft
from companion.rules.aod.fire import Shot, fire
from companion.rules.aod.passive import Defender, Passage, break_fire
from companion.rules.aod.position import passive_positions
from companion.rules.aod.rockets import launch
from companion.rules.aod.state import Table
from companion.rules.aod.switches import on
from companion.rules.aod.turn import Ending, Placing, Search, Throttle
from companion.umpire import Act, Barred, Context, Due, Illegal, Open, Procedure, advance

REACH = 3
"""Rockets reach 3d, guns 2d (4.5, 4.10)."""


def due(table: Table, context: Context) -> Due:
    """Everything for the aircraft of the side whose turn it is."""
    phase = f"Round {table.round}, {table.side} turn"
    if table.over:
        return Due(phase, over=True)
    seat = next((c.seat for c in table.crafts if c.side == table.side), table.side)
    return Due(phase, tuple(_acts(table, context, seat)), seat)


def _acts(table: Table, context: Context, seat: str) -> Iterator[Act]:
    own = [craft for craft in table.crafts if craft.side == table.side and not craft.out]
    for craft in own:
        yield from _engagements(table, context, craft)
    for craft in own:
        yield from _answers(table, context, craft)
    for craft in own:
        yield from _own(context, craft)
    yield Act("end_turn", "aod.end_turn", "End the turn", seat, plain(Ending(side=table.side)))


def _engagements(table: Table, context: Context, craft: Craft) -> Iterator[Act]:
    answering = _answering(table, craft)
    for target in _enemies(table, craft):
        shot = _shot(table, craft, target, answering)
        yield _act(context, "fire", fire, f"{craft.name} fires at {target.name}", shot)
        if craft.rockets and on(context, "air_rockets"):
            yield _act(context, "rockets", launch, f"{craft.name} launches rockets at {target.name}", shot)


def _answers(table: Table, context: Context, craft: Craft) -> Iterator[Act]:
    """Enemies may answer an aircraft that ended its movement near them, fired or not (4.7.1)."""
    near = _answering(table, craft) if table.moved in ("", craft.key) else ()
    passage = Passage(mover=craft, defenders=near, others=_between(table, craft, *(d.craft for d in near)))
    if near and isinstance(advance(break_fire, passage, (), context), Open):
        title, seat = f"Break action: fire at {craft.name}", near[0].craft.seat
        yield Act(f"break:{craft.key}", break_fire.name, title, seat, plain(passage), (craft.key,))


def _answering(table: Table, mover: Craft) -> tuple[Defender, ...]:
    """The enemies in position, and those whose pose is not kept."""
    return tuple(Defender(craft=enemy) for enemy in _enemies(table, mover) if _may_answer(mover, enemy))


def _may_answer(mover: Craft, enemy: Craft) -> bool:
    if not (mover.pose and enemy.pose):
        return True
    return not _too_far(mover, enemy) and bool(passive_positions(mover.pose, enemy.pose))


def _too_far(craft: Craft, enemy: Craft) -> bool:
    return bool(craft.pose and enemy.pose and craft.pose.point.distance(enemy.pose.point) > REACH)


def _own(context: Context, craft: Craft) -> Iterator[Act]:
    yield _single("place", craft, f"Set {craft.name} down", Placing(craft=craft))
    filled = context.cells.get((figures.THROTTLE.key, craft.type))
    if filled and filled.value and craft.throttle <= int(filled.value):
        yield _single("throttle", craft, f"{craft.name} uses full throttle", Throttle(craft=craft))
    if on(context, "night") and not craft.search:
        yield _single("search", craft, f"{craft.name} searches for a target", Search(craft=craft))


def _single(word: str, craft: Craft, title: str, inputs: Any) -> Act:
    return Act(f"{word}:{craft.key}", f"aod.{word}", title, craft.seat, plain(inputs), (craft.key,))


def _act(context: Context, word: str, procedure: Procedure[Any, Any], title: str, shot: Shot) -> Act:
    craft, about = shot.attacker, (shot.attacker.key, shot.target.key)
    barred = _barred(procedure, shot, context)
    return Act(":".join((word, *about)), procedure.name, title, craft.seat, plain(shot), about, barred)


def _barred(procedure: Procedure[Any, Any], shot: Shot, context: Context) -> tuple[Barred, ...]:
    """Every reason that speaks against it before anything is answered."""
    if _too_far(shot.attacker, shot.target):
        return (Barred("distance", f"{shot.target.name} is out of reach.", "4.5"),)
    try:
        advance(procedure, shot, (), context)
    except Illegal as illegal:
        return illegal.violations
    return ()


def _shot(table: Table, craft: Craft, target: Craft, answering: tuple[Defender, ...]) -> Shot:
    """A shot as far as the table knows it."""
    if _too_far(craft, target):
        return Shot(attacker=craft, target=target)
    bystanders = tuple(d for d in answering if d.craft.key != target.key)
    return Shot(attacker=craft, target=target, bystanders=bystanders, others=_between(table, craft, target))


def _enemies(table: Table, craft: Craft) -> Iterator[Craft]:
    return (other for other in table.crafts if other.side != craft.side and not other.out)


def _between(table: Table, craft: Craft, *enemies: Craft) -> tuple[Pose, ...]:
    """Whoever may stand in the line of fire between an aircraft and any of its enemies (4.5.1)."""
    points = {p for e in enemies if craft.pose and e.pose for p in craft.pose.point.between(e.pose.point)}
    return tuple(c.pose for c in table.crafts if c.pose and not c.out and c.pose.point in points)


def plain(inputs: Any) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(inputs)
    return found
