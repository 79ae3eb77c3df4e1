"""What may be done now, and what not and why (2.1)."""

from collections.abc import Iterator
from typing import Any

import msgspec

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
    for target in _enemies(table, craft):
        shot = shot_at(table, craft, target)
        yield _act(context, "fire", fire, f"{craft.name} fires at {target.name}", craft, shot, target)
        if craft.rockets and on(context, "air_rockets"):
            title = f"{craft.name} launches rockets at {target.name}"
            yield _act(context, "rockets", launch, title, craft, shot, target)


def _answers(table: Table, context: Context, craft: Craft) -> Iterator[Act]:
    """Enemies may answer an aircraft that ended its movement near them, fired or not (4.7.1)."""
    if table.moved and craft.key != table.moved:
        return
    near = tuple(d for d in _defenders(table, craft) if not (craft.pose and d.craft.pose) or _in_position(craft, d))
    passage = Passage(mover=craft, defenders=near, others=_others(table, craft))
    if near and isinstance(advance(break_fire, passage, (), context), Open):
        title, seat = f"Break action: fire at {craft.name}", near[0].craft.seat
        inputs, about = plain(passage), (craft.key,)
        yield Act(f"break:{craft.key}", break_fire.name, title, seat, inputs, about)


def _in_position(mover: Craft, defender: Defender) -> bool:
    return bool(mover.pose and defender.craft.pose and passive_positions(mover.pose, defender.craft.pose))


def _own(context: Context, craft: Craft) -> Iterator[Act]:
    yield _single("place", craft, f"Set {craft.name} down", Placing(craft=craft))
    filled = context.cells.get((figures.THROTTLE.key, craft.type))
    if filled and filled.value and craft.throttle <= int(filled.value):
        yield _single("throttle", craft, f"{craft.name} uses full throttle", Throttle(craft=craft))
    if on(context, "night") and not craft.search:
        yield _single("search", craft, f"{craft.name} searches for a target", Search(craft=craft))


def _single(word: str, craft: Craft, title: str, inputs: Any) -> Act:
    return Act(f"{word}:{craft.key}", f"aod.{word}", title, craft.seat, plain(inputs), (craft.key,))


def _act(
    context: Context,
    word: str,
    procedure: Procedure[Any, Any],
    title: str,
    craft: Craft,
    inputs: Any,
    target: Craft,
) -> Act:
    about, barred = (craft.key, target.key), _barred(procedure, inputs, context)
    return Act(":".join((word, *about)), procedure.name, title, craft.seat, plain(inputs), about, barred)


def _barred(procedure: Procedure[Any, Any], inputs: Any, context: Context) -> tuple[Barred, ...]:
    """Every reason that speaks against it before anything is answered."""
    try:
        advance(procedure, inputs, (), context)
    except Illegal as illegal:
        return illegal.violations
    return ()


def shot_at(table: Table, craft: Craft, target: Craft) -> Shot:
    """A shot as far as the table knows it."""
    bystanders = tuple(d for d in _defenders(table, craft) if d.craft.key != target.key)
    if craft.pose:
        bystanders = tuple(d for d in bystanders if _in_position(craft, d))
    return Shot(attacker=craft, target=target, bystanders=bystanders, others=_others(table, craft, target))


def _defenders(table: Table, craft: Craft) -> tuple[Defender, ...]:
    return tuple(Defender(craft=enemy) for enemy in _enemies(table, craft))


def _enemies(table: Table, craft: Craft) -> Iterator[Craft]:
    return (other for other in table.crafts if other.side != craft.side and not other.out)


def _others(table: Table, *of: Craft) -> tuple[Any, ...]:
    keys = {craft.key for craft in of}
    return tuple(c.pose for c in table.crafts if c.pose and not c.out and c.key not in keys)


def plain(inputs: Any) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(inputs)
    return found
