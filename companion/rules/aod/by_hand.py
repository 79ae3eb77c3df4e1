"""What the table may set by hand on an aircraft, value by value."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import msgspec

from companion.rules.aod import figures
from companion.rules.aod.craft import COLOURS, Craft
from companion.rules.aod.show import YAWS, halves
from companion.rules.aod.state import Table
from companion.umpire import Context, Settable, TableSlot

_SPEEDS = range(31)
_LEVELS = range(15)
_PITCHES = {0: "level", 1: "nose up", -1: "nose down"}
_ROLLS = {0: "level", -1: "banked left", 1: "banked right"}


def settable(table: Table, context: Context) -> tuple[Settable, ...]:
    """Every value of every aircraft, each with all it can be."""
    return tuple(found for craft in table.crafts for found in _of(craft, context))


def _of(craft: Craft, context: Context) -> Iterator[Settable]:
    yield from _ammunition(craft, context)
    hurt = [pair for n in (0, 1, 2) for pair in combinations(COLOURS, n)]
    yield _one(craft, "Damage", "4.6.1", "damages", {" and ".join(d) or "none": tuple(d) for d in hurt})
    yield from _pose(craft) if craft.pose else _level(craft)
    yield _one(craft, "Speed", "3.1", "speed", {str(n): n for n in _SPEEDS})
    yield _one(craft, "Full throttle used", "3.1", "throttle", {str(n): n for n in range(10)})
    fired = {"not yet": [], "yes": ["active"]}
    yield _one(craft, "Has fired this round", "4.8", "used", fired, now="yes" if "active" in craft.used else "not yet")
    yield _one(craft, "Must turn first", "4.5.8", "evading", {"no": False, "yes": True})
    yield _one(craft, "In the fight", "2.1", "out", {"yes": "", "destroyed": "destroyed", "left": "left"})


def _one(craft: Craft, label: str, rule: str, field: str, values: dict[str, Any], now: str | None = None) -> Settable:
    held = getattr(craft, field)
    found = now if now is not None else next((words for words, value in values.items() if value == held), "")
    return Settable(craft.key, label, rule, "set", tuple((w, {field: v}) for w, v in values.items()), found)


def _ammunition(craft: Craft, context: Context) -> Iterator[Settable]:
    """Bursts that are left, in halves (4.2, 4.6.6)."""
    for label, slot, field in (
        ("Fixed guns", figures.FIXED_BURSTS, "fixed_spent"),
        ("Flexible guns", figures.FLEXIBLE_BURSTS, "flexible_spent"),
    ):
        bursts = _number(context, slot, craft)
        if bursts:
            left = {halves(2 * bursts - spent): spent for spent in range(2 * bursts + 1)}
            yield _one(craft, label, "4.2", field, left)


def _number(context: Context, slot: TableSlot, craft: Craft) -> int:
    filled = context.cells.get((slot.key, craft.type))
    return int(filled.value or 0) if filled else 0


def _level(craft: Craft) -> Iterator[Settable]:
    yield _one(craft, "Altitude", "1.1.4", "level", {_named(level): level for level in _LEVELS})


def _named(level: int) -> str:
    return f"L{level}" if level else "LL"


def _pose(craft: Craft) -> Iterator[Settable]:
    """Where positions are kept, level, heading and tilt are parts of one pose."""
    pose = msgspec.to_builtins(craft.pose)
    for label, rule, part, values in (
        ("Altitude", "1.1.4", "level", {_named(level): level for level in _LEVELS}),
        ("Heading", "3", "yaw", {word: n for n, word in enumerate(YAWS)}),
        ("Pitch", "3.3", "pitch", {word: n for n, word in _PITCHES.items()}),
        ("Bank", "3.2", "roll", {word: n for n, word in _ROLLS.items()}),
    ):
        choices = tuple((word, {"pose": {part: value}}) for word, value in values.items())
        now = next(word for word, value in values.items() if value == pose[part])
        yield Settable(craft.key, label, rule, "set", choices, now)
