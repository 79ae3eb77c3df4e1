"""The figures of tokens and control panels as cells: filled by packs, learned at the table, or asked for."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from msgspec import structs

from companion.packs.records import Entry, Origin
from companion.rules.aod.aircraft import Aircraft, Vertical, aircraft
from companion.umpire import Cell, Context, Filled, Number, OneOf, Space, TableSlot, Umpire, YesNo, options

LEVELS = {"above": 1, "same": 0, "below": -1}


def _slot(key: str, title: str, rule: str, space: Space[Cell] | Number | OneOf[str] | YesNo, *more: str) -> TableSlot:
    return TableSlot(key, title, rule, space, ("type", *more))


_UPTO_40 = Number(0, 40)
_BURSTS = Number(1, 30)

FIXED = _slot("fixed", "Firepower of the fixed guns", "4.1", _UPTO_40, "burst")
CANNON = _slot("cannon", "Burst with the cannon symbol", "4.6.4", YesNo(), "burst")
FLEXIBLE = _slot("flexible", "Firepower of the flexible guns", "4.4.2", _UPTO_40, "direction", "level")
DASHED = _slot("dashed", "Flexible guns that only fire passively", "4.1", YesNo(), "direction")
FIXED_DASHED = _slot("fixed_dashed", "Fixed guns that only fire passively", "4.1", YesNo())
UPWARD = _slot("upward", "Firepower of the guns aimed upwards", "4.5.5", _UPTO_40)
FIXED_BURSTS = _slot("fixed_bursts", "Bursts of the fixed guns", "4.2", _BURSTS)
FLEXIBLE_BURSTS = _slot("flexible_bursts", "Bursts of the flexible guns", "4.2", _BURSTS)
DURABILITY = _slot("durability", "Durability", "4.3", Number(0, 10))
FRONTAL = _slot("frontal_durability", "Frontal durability", "4.3.1", Number(0, 10))
CAPACITY = _slot("capacity", "Damage capacity", "4.6.2", OneOf(options("single", "double", "fragile")))
SIZE = _slot("size", "Target size", "4.5.6", OneOf(options("normal", "large", "very small")))
TWITCH = _slot("twitch", "Defensive twitch", "4.5.8", YesNo())
RADAR = _slot("radar", "Radar", "7.7", YesNo())
ROCKETS = _slot("air_rockets", "Salvos of air-to-air rockets", "4.10", Number(0, 9))
THROTTLE = _slot("throttle", "Safe uses of full throttle", "3.1", Number(0, 9))

SLOTS = {
    slot.key: slot
    for slot in (
        FIXED, CANNON, FLEXIBLE, DASHED, FIXED_DASHED, UPWARD, FIXED_BURSTS, FLEXIBLE_BURSTS,
        DURABILITY, FRONTAL, CAPACITY, SIZE, TWITCH, RADAR, ROCKETS, THROTTLE,
    )
}  # fmt: skip
_PLAIN = ("fixed_dashed", "upward", "fixed_bursts", "flexible_bursts", "durability", "frontal_durability", "capacity",
          "size", "twitch", "radar", "air_rockets", "throttle")  # fmt: skip


def figure(ump: Umpire, slot: TableSlot, kind: str, *keys: Cell) -> Cell | None:
    """A figure of a type; None where the panel shows none."""
    return ump.look_up(slot, kind or "?", *keys)


def number(ump: Umpire, slot: TableSlot, kind: str, *keys: Cell) -> int:
    return int(figure(ump, slot, kind, *keys) or 0)


def word(ump: Umpire, slot: TableSlot, kind: str) -> str:
    """A property in a word; a panel that shows no sign for it means the plain one, the first."""
    return str(figure(ump, slot, kind) or slot.space.legal[0])


def is_house(ump: Umpire, slot: TableSlot, kind: str, *keys: Cell) -> bool:
    """Whether the table plays with a house value here, so that slip and page mark it."""
    filled = ump.context.cells.get((slot.key, kind, *map(str, keys)))
    return bool(filled and filled.house)


@cache
def types(packs: tuple[Path, ...] = ()) -> Mapping[str, Entry[Aircraft]]:
    return aircraft(packs)


def cells(packs: Sequence[Path] = ()) -> dict[tuple[str, ...], Filled]:
    """Every figure of every type, house values marked."""
    return cells_of(types(tuple(packs)).values())


def cells_of(entries: Iterable[Entry[Aircraft]]) -> dict[tuple[str, ...], Filled]:
    return {key: filled for entry in entries for key, filled in _cells(entry)}


def _cells(entry: Entry[Aircraft]) -> Iterator[tuple[tuple[str, ...], Filled]]:
    plane, name = entry.value, entry.name

    def filled(field: str, value: Cell | None) -> Filled:
        """A figure that is left out is no invented figure: that a type has no such gun is not marked."""
        origin = entry.origins.get(field)
        return Filled(value, origin.pack if origin else "", field in entry.house and bool(value))

    for field in _PLAIN:
        yield (field, name), filled(field, getattr(plane, field))
    for burst in range(1, (plane.fixed_bursts or 1) + 1):
        yield ("fixed", name, str(burst)), filled("fixed_slots" if plane.fixed_slots else "fixed", plane.slot(burst))
        yield ("cannon", name, str(burst)), filled("cannon_slots", burst in plane.cannon_slots)
    for hour in range(2, 13, 2):
        yield ("dashed", name, str(hour)), filled("dashed", str(hour) in plane.dashed)
        for level, rise in LEVELS.items():
            yield ("flexible", name, str(hour), level), filled("flexible", plane.flexible_at(hour, rise))


# --- a type as a table plays it

HOURS = ("12", "2", "4", "6", "8", "10")
"""Clockwise from ahead."""

_UNKNOWN = Aircraft(name="", basic_speed=0, agility=0, ceiling=0, climb=0, descent=0, stall=0, durability=0)
"""What is left where no pack gives a figure: 0, or the plain word."""

Find = Callable[..., Filled | None]


def known_types(context: Context | None) -> tuple[str, ...]:
    """Those of the house, then those that only the table's packs know."""
    return tuple(dict.fromkeys((*types(), *(keys[1] for keys in (context.cells if context else {})))))


def known_type(context: Context | None, name: str) -> Entry[Aircraft]:
    """A type of `known_types` by the table's cells, by the game's own where the table has none; else all unknown.

    Its origins name cells too, `fixed:2` or `flexible:6:same`, as a pack may give some of them alone.
    """
    base = types().get(name) or Entry(name, structs.replace(_UNKNOWN, name=name), {})
    own = dict(_cells(base)) if base.origins else {}
    table = context.cells if context else {}

    def find(slot: str, *keys: Cell) -> Filled | None:
        path = (slot, name, *map(str, keys))
        return table.get(path) or own.get(path)

    plane = structs.replace(base.value, **dict(_figures(find)))
    cells = {**own, **{keys: filled for keys, filled in table.items() if keys[1] == name}}
    given = {":".join((keys[0], *keys[2:])): Origin(cell.source, cell.house) for keys, cell in cells.items()}
    return Entry(name, plane, {**base.origins, **given})


def _figures(find: Find) -> Iterator[tuple[str, object]]:
    """Every field of an aircraft that is kept in cells."""

    def value(slot: str, *keys: Cell) -> Cell | None:
        filled = find(slot, *keys)
        return filled.value if filled else None

    for field in _PLAIN:
        found = value(field)
        yield field, getattr(_UNKNOWN, field) if found is None else found
    bursts = range(1, int(value("fixed_bursts") or 1) + 1)
    slots = tuple(int(value("fixed", burst) or 0) for burst in bursts)
    yield "fixed", slots[0]
    yield "fixed_slots", slots
    yield "cannon_slots", tuple(burst for burst in bursts if value("cannon", burst))
    yield "dashed", tuple(hour for hour in HOURS if value("dashed", hour))
    rises = {hour: {level: int(value("flexible", hour, level) or 0) for level in LEVELS} for hour in HOURS}
    yield "flexible", {hour: Vertical(**levels) for hour, levels in rises.items() if any(levels.values())}
