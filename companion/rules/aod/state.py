"""The table: every aircraft, whose turn it is, and what a change makes of it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.grid.triangular import Pose
from companion.rules.aod.craft import Craft, Text
from companion.rules.aod.figures import FIGHTERS, NATION, ROLE, printed
from companion.umpire import Barred, Change, Context, Illegal, UsageError

AXIS, ALLIES = "Axis", "Allies"


class Table(Struct, frozen=True, kw_only=True):
    """The state of a game. `turn` counts the sides that have had their turn in this round."""

    crafts: Annotated[tuple[Craft, ...], Meta(min_length=1, max_length=200)]
    sides: tuple[Text, ...]
    round: int = 1
    turn: int = 0
    rounds: int = 0
    """The length of the mission; 0 where it is not limited (2.2)."""
    moved: Text = ""
    """The aircraft that was moved last: only it can be answered (4.8)."""

    @property
    def side(self) -> str:
        return self.sides[self.turn]

    def craft(self, key: str) -> Craft:
        found = next((craft for craft in self.crafts if craft.key == key), None)
        if found is None:
            raise UsageError(f"There is no aircraft {key!r}; there are {', '.join(c.key for c in self.crafts)}.")
        return found

    def with_craft(self, craft: Craft) -> "Table":
        return replace(self, crafts=tuple(craft if c.key == craft.key else c for c in self.crafts))

    @property
    def over(self) -> bool:
        alive = {craft.side for craft in self.crafts if not craft.out}
        return len(alive) < 2 or bool(self.rounds and self.round > self.rounds)


class SetUp(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a game begins with; the first side named moves first."""

    aircraft: Annotated[tuple[Craft, ...], Meta(min_length=2, max_length=200)]
    sides: Annotated[tuple[Text, ...], Meta(max_length=4)] = ()
    rounds: Annotated[int, Meta(ge=0, le=200)] = 0


def start(setup: Mapping[str, Any], context: Context) -> Table:
    try:
        given = msgspec.convert(setup, SetUp, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(f"The set-up cannot be read: {str(error).rstrip('.')}.") from None
    crafts = tuple(_with_side(craft, context) for craft in given.aircraft)
    reasons = tuple(_faults(crafts, context))
    if reasons:
        raise Illegal(reasons)
    sides = given.sides or tuple(dict.fromkeys(craft.side for craft in crafts))
    return Table(crafts=crafts, sides=sides, rounds=given.rounds)


def _with_side(craft: Craft, context: Context) -> Craft:
    """Germany against the others, each side one seat, unless the set-up says otherwise."""
    side = craft.side or (AXIS if printed(context, NATION, craft.type) == "Germany" else ALLIES)
    return replace(craft, side=side, seat=craft.seat or side)


def _faults(crafts: tuple[Craft, ...], context: Context) -> Iterator[Barred]:
    keys = [craft.key for craft in crafts]
    for craft in crafts:
        if not craft.key or keys.count(craft.key) > 1:
            yield Barred("number", f"Every aircraft needs a number of its own; {craft.name} has none.", "1.1.5")
        if ("durability", craft.type) not in context.cells:
            yield Barred("type", f"There is no aircraft type {craft.type!r} in the packs.", "1.1.5")
        if craft.pilot and printed(context, ROLE, craft.type) not in (None, *FIGHTERS):
            yield Barred("pilot", f"{craft.name} is no fighter, so it has no marker for its pilot.", "7.5")
    if len({craft.side for craft in crafts}) < 2:
        yield Barred("sides", "There must be aircraft of two sides at least.", "2")


# --- changes


def apply(table: Table, change: Change) -> Table:
    if change.kind == "turn":
        return _next_turn(table)
    if change.kind == "set" and not change.target:
        return _set(table, change.value)
    craft = table.craft(change.target)
    known = _CHANGES.get(change.kind)
    if known is None:
        raise UsageError(f"There is no change {change.kind!r}; there are {', '.join((*_CHANGES, 'turn'))}.")
    table = table.with_craft(known(craft, change.value))
    return replace(table, moved=craft.key) if change.kind == "place" else table


def _next_turn(table: Table) -> Table:
    """The next side's aircraft are fresh again; what they did in the last round counts no more (2.1, 4.8)."""
    last = table.turn + 1 == len(table.sides)
    turn = 0 if last else table.turn + 1
    fresh = tuple(replace(c, used=(), search="") if c.side == table.sides[turn] else c for c in table.crafts)
    return replace(table, crafts=fresh, turn=turn, round=table.round + last, moved="")


def _set(thing: Any, values: Any) -> Any:
    """By hand, as the host or both sides have ruled: any field, or part of a pose, to any value that fits."""
    try:
        held = msgspec.to_builtins(thing)
        parts = {field: {**held[field], **v} for field, v in values.items() if isinstance(v, dict) and held.get(field)}
        return msgspec.convert({**held, **values, **parts}, type(thing), strict=False)
    except (msgspec.ValidationError, TypeError, AttributeError) as error:
        raise UsageError(f"That cannot be set: {str(error).rstrip('.')}.") from None


def _ammunition(craft: Craft, value: Any) -> Craft:
    gun, spent = value
    return _set(craft, {f"{gun}_spent": spent})


def _damage(craft: Craft, value: Any) -> Craft:
    return replace(craft, damages=(*craft.damages, value))


def _place(craft: Craft, value: Any) -> Craft:
    """It has moved, so it evades no longer (4.5.8)."""
    pose, level, speed = value
    pose = None if pose is None else msgspec.convert(pose, Pose)
    return replace(craft, pose=pose, level=level, speed=speed, evading=False)


def _used(craft: Craft, value: Any) -> Craft:
    return craft if value in craft.used else replace(craft, used=(*craft.used, value))


_CHANGES: Mapping[str, Callable[[Craft, Any], Craft]] = {
    "ammunition": _ammunition,
    "used": _used,
    "damage": _damage,
    "destroyed": lambda craft, _: replace(craft, out="destroyed"),
    "left": lambda craft, _: replace(craft, out="left"),
    "evading": lambda craft, value: replace(craft, evading=bool(value)),
    "rockets": lambda craft, value: replace(craft, rockets=value),
    "throttle": lambda craft, value: replace(craft, throttle=value),
    "search": lambda craft, value: replace(craft, search=value),
    "place": _place,
    "set": _set,
}
