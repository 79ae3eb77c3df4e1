"""The figures of tokens and control panels as cells: filled by packs, learned at the table, or asked for."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import get_args

from msgspec import structs

from companion.packs.records import Entry, Origin
from companion.rules.aod.aircraft import Aircraft, Die, Kind, Load, Vertical, aircraft
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
FIXED_ROW = _slot("fixed_row", "Slots in the row of the fixed guns", "4.2.1", _BURSTS)
FLEXIBLE_ROW = _slot("flexible_row", "Slots in the row of the flexible guns", "4.2.1", _BURSTS)
DURABILITY = _slot("durability", "Durability", "4.3", Number(0, 10))
FRONTAL = _slot("frontal_durability", "Frontal durability", "4.3.1", Number(0, 10))
CAPACITY = _slot("capacity", "Damage capacity", "4.6.2", OneOf(options("single", "double", "fragile")))
SIZE = _slot("size", "Target size", "4.5.6", OneOf(options("normal", "large", "very small")))
TWITCH = _slot("twitch", "Defensive twitch", "4.5.8", YesNo())
RADAR = _slot("radar", "Radar", "7.7", YesNo())
ROCKETS = _slot("air_rockets", "Salvos of air-to-air rockets", "4.10", Number(0, 9))
THROTTLE = _slot("throttle", "Safe uses of full throttle", "3.1", Number(0, 9))

NATION = _slot("nation", "Nation", "1.1.3", OneOf(options("other", "Germany", "Great Britain", "USA")))
ROLE = _slot("role", "Role", "1.1.5", OneOf(options(
    "other", "fighter", "fighter-bomber", "heavy fighter", "night fighter", "attack aircraft", "dive bomber",
    "torpedo bomber", "bomber", "heavy bomber", "reconnaissance", "patrol", "transport",
)))  # fmt: skip
FIGHTERS = ("fighter", "fighter-bomber", "heavy fighter", "night fighter")
"""Roles whose aircraft may carry pilot markers (7.5)."""

_FLIGHT = (
    _slot("basic_speed", "Basic speed", "3.1", Number(1, 20)),
    _slot("agility", "Agility, its numeral", "3.2.1", Number(1, 5)),
    _slot("agility_dots", "Agility, its dots", "3.2.1", Number(1, 3)),
    _slot("boxed", "Agility in a box", "3.2.3", YesNo()),
    _slot("zigzag", "Zig-zag symbol", "3.2.5", YesNo()),
    _slot("ceiling", "Ceiling, L", "3.3.4", Number(1, 13)),
    _slot("climb", "Climb rate", "3.3.1", Number(0, 5)),
    _slot("climb_dots", "Climb rate, its dots", "3.3.1", Number(0, 3)),
    _slot("descent", "Descent rate", "3.3.2", Number(1, 6)),
    _slot("stall", "Stall speed", "3.6.4", Number(1, 9)),
    THROTTLE,
    _slot("booster", "Booster, +", "3.1.1", Number(0, 4)),
    _slot("endurance", "Endurance", "7.2.1", Number(1, 99)),
    _slot("endurance_tank", "Endurance with a fuel tank, more", "7.2.1", Number(1, 99)),
    _slot("die", "Movement die", "3.1", YesNo(), "die"),
)
_SIGNS = (
    SIZE,
    CAPACITY,
    _slot("aerobatics", "Aerobatics symbol", "3.5", YesNo()),
    _slot("steep_turn", "Steep turn", "3.4.1", OneOf(options("no", "both", "left", "right"))),
    _slot("steep_dive", "Steep dive", "3.4.2", YesNo()),
    _slot("vertical_dive", "Vertical dive", "3.4.3", YesNo()),
    TWITCH,
    RADAR,
    _slot("bombsight", "Bombsight symbol", "5.4.1", YesNo()),
    _slot("camera", "Slots for photo chits", "7.1.1", YesNo()),
)
_LOADED = (
    _slot("load", "Most power of", "5.1", Number(0, 2000), "kind"),
    _slot("load_place", "Where it carries", "5.1", OneOf(options("internal", "external", "both")), "kind"),
    _slot("loaded_speed", "Loaded speed", "3.7", Number(1, 20)),
    _slot("loaded_agility", "Loaded agility, its numeral", "3.7", Number(1, 5)),
    _slot("loaded_agility_dots", "Loaded agility, its dots", "3.7", Number(1, 3)),
    _slot("loaded_ceiling", "Loaded ceiling, L", "3.7", Number(1, 13)),
    _slot("loaded_climb", "Loaded climb rate", "3.7", Number(0, 5)),
    _slot("loaded_climb_dots", "Loaded climb rate, its dots", "3.7", Number(0, 3)),
)
TABS: Mapping[str, tuple[str, ...]] = {
    "flight": tuple(slot.key for slot in _FLIGHT),
    "signs": tuple(slot.key for slot in _SIGNS),
    "load": tuple(slot.key for slot in _LOADED),
}
"""What an editor shows together; the rest is armament and what a burst needs."""

SLOTS = {
    slot.key: slot
    for slot in (
        NATION, ROLE, DURABILITY, FRONTAL, FIXED_BURSTS, FIXED_ROW, FLEXIBLE_BURSTS, FLEXIBLE_ROW, FIXED, CANNON,
        FIXED_DASHED, FLEXIBLE, DASHED, UPWARD, ROCKETS, *_FLIGHT, *_SIGNS, *_LOADED,
    )
}  # fmt: skip
_PLAIN = tuple(slot.key for slot in SLOTS.values() if slot.keys == ("type",))
_SHOWN = ("climb", "durability", "loads")
"""Where 0 is a figure too: a rate, a toughness, a tank; elsewhere it says that there is no such thing."""

KINDS = get_args(Kind)
DICE = get_args(Die)


def figure(ump: Umpire, slot: TableSlot, kind: str, *keys: Cell) -> Cell | None:
    """A figure of a type; None where the panel shows none."""
    return ump.look_up(slot, kind or "?", *keys)


def number(ump: Umpire, slot: TableSlot, kind: str, *keys: Cell) -> int:
    return int(figure(ump, slot, kind, *keys) or 0)


def word(ump: Umpire, slot: TableSlot, kind: str) -> str:
    """A property in a word; a panel that shows no sign for it means the plain one, the first."""
    return str(figure(ump, slot, kind) or slot.space.legal[0])


def printed(context: Context, slot: TableSlot, kind: str) -> Cell | None:
    """A figure as the table has it, without asking; None where nobody has given it."""
    filled = context.cells.get((slot.key, kind))
    return filled.value if filled else None


def is_house(ump: Umpire, slot: TableSlot, kind: str, *keys: Cell) -> bool:
    """Whether the table plays with a house value here, so that slip and page mark it."""
    filled = ump.context.cells.get((slot.key, kind, *map(str, keys)))
    return bool(filled and filled.house)


@cache
def types(packs: tuple[Path, ...] = ()) -> Mapping[str, Entry[Aircraft]]:
    return aircraft(packs)


def cells(packs: Sequence[Path] = ()) -> Mapping[tuple[str, ...], Filled]:
    """Every figure of every type, house values marked."""
    return _cells_with(tuple(packs))


@cache
def _cells_with(packs: tuple[Path, ...]) -> Mapping[tuple[str, ...], Filled]:
    return MappingProxyType(cells_of(types(packs).values()))


def cells_of(entries: Iterable[Entry[Aircraft]]) -> dict[tuple[str, ...], Filled]:
    return {key: filled for entry in entries for key, filled in _cells(entry)}


def _cells(entry: Entry[Aircraft]) -> Iterator[tuple[tuple[str, ...], Filled]]:
    plane, name = entry.value, entry.name

    def filled(field: str, value: Cell | None) -> Filled:
        """A figure that is left out is no invented figure: that a type has no such gun is not marked."""
        origin = entry.origins.get(field)
        house = field in entry.house and (bool(value) or (field in _SHOWN and value is not None))
        return Filled(None if value == "" else value, origin.pack if origin else "", house)

    for field in _PLAIN:
        yield (field, name), filled(field, getattr(plane, field))
    for burst in range(1, (plane.fixed_bursts or 1) + 1):
        yield ("fixed", name, str(burst)), filled("fixed_slots" if plane.fixed_slots else "fixed", plane.slot(burst))
        yield ("cannon", name, str(burst)), filled("cannon_slots", burst in plane.cannon_slots)
    for hour in range(2, 13, 2):
        yield ("dashed", name, str(hour)), filled("dashed", str(hour) in plane.dashed)
        for level, rise in LEVELS.items():
            yield ("flexible", name, str(hour), level), filled("flexible", plane.flexible_at(hour, rise))
    for die in DICE:
        yield ("die", name, die), filled("dice", die in plane.dice if plane.dice else None)
    for kind in KINDS:
        load = plane.load(kind)
        yield ("load", name, kind), filled("loads", load.power if load else None)
        yield ("load_place", name, kind), filled("loads", load.place if load else None)


# --- a type as a table plays it

HOURS = ("12", "2", "4", "6", "8", "10")
"""Clockwise from ahead."""

_UNKNOWN = Aircraft(
    name="", basic_speed=0, agility=0, agility_dots=0, ceiling=0, climb=0, descent=0, stall=0, durability=0
)
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
    yield "dice", tuple(die for die in DICE if value("die", die))
    loads = ((kind, value("load", kind), value("load_place", kind)) for kind in KINDS)
    yield "loads", tuple(Load(kind, int(n), str(place or "")) for kind, n, place in loads if n is not None)  # type: ignore[arg-type]
    rises = {hour: {level: int(value("flexible", hour, level) or 0) for level in LEVELS} for hour in HOURS}
    yield "flexible", {hour: Vertical(**levels) for hour, levels in rises.items() if any(levels.values())}
