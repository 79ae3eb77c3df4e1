"""Tables of the play aids, which the rulebook lacks: read from a player's own, or house values with a dagger."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import cache

from companion.rules.otr import shot as asked
from companion.rules.otr.charts import charts
from companion.umpire import Filled, Modifier, Notation, Number, TableSlot, Umpire, UsageError

DEFLECTION = TableSlot("deflection", "Fixed gunfire deflection", "9.3", Number(1, 9), ("angle",))
ODDS = TableSlot("combat_odds", "Combat odds", "9.4", Number(0, 60), ("odds", "LH"))
GUNS = TableSlot("gun_modifiers", "Air-to-air gun modifiers", "9.4", Number(-60, 60), ("modifier", "class"))
NERVE = TableSlot("determination", "Head-on attack: determination", "10.3", Number(-100, 100), ("inside or pilot",))


def _points(text: str) -> str:
    """Points that go in halves, as a cell keeps them."""
    if asked.read_halves(text) is None:
        raise UsageError(f"{text[:40]!r} does not do; give points in halves, such as 2.5.")
    return text


_HALVES: Notation[str] = Notation(_points, "2.5")
FRACTIONS = TableSlot("fractions", "Fractional values", "3.5.1", _HALVES, ("number", "fraction"))
CLIMB_DIVE = TableSlot("climb_dive", "Climb decel and dive accel", "4.2", _HALVES, ("speed",))
STALLS = TableSlot("stalls", "Aircraft stalls and spins", "4.5", Number(-100, 100), ("modifier",))
SLOTS = {slot.key: slot for slot in (DEFLECTION, ODDS, GUNS, NERVE, FRACTIONS, CLIMB_DIVE, STALLS)}

COLUMNS = ("1-4", "1-3", "1-2", "1-1", "2-1", "3-1", "4-1", "5-1", "6-1")
"""The odds, from bad to good. The text names 1-4, 1-1 and 3-1 to 5-1 and implies 2-1; the others are house columns."""
LOWEST, HIGHEST = -60, 120
"""Final LH numbers beyond these are read as these."""


def hits(ump: Umpire, odds: str, lh: int) -> int:
    return int(ump.look_up(ODDS, odds, max(LOWEST, min(HIGHEST, lh))) or 0)


def factor(ump: Umpire, angle: int) -> int:
    return int(ump.look_up(DEFLECTION, angle) or 1)


def modifier(ump: Umpire, name: str, bomber: bool) -> Modifier:
    """A row of the table of gun modifiers, for fighters and light bombers or for all others (10.4)."""
    return _as_modifier(ump, GUNS, name, "MF, M or H" if bomber else "F or L")


def nerve(ump: Umpire, row: str) -> Modifier:
    """What a pilot's determination throw must not pass so many hexes inside, and what his quality changes of it."""
    return _as_modifier(ump, NERVE, row)


def stall(ump: Umpire, row: str) -> Modifier:
    """A modifier to stalls, spins and hammerheads."""
    return _as_modifier(ump, STALLS, row)


def number(ump: Umpire, row: str) -> int:
    """A number of the table of stalls and spins: what recovers, and how much easier a try before makes it."""
    return int(ump.look_up(STALLS, row) or 0)


def _as_modifier(ump: Umpire, slot: TableSlot, name: str, *column: str) -> Modifier:
    value = int(ump.look_up(slot, name, *column) or 0)
    filled = ump.context.cells.get((slot.key, name, *column))
    return Modifier(value, name.replace(" ", "-"), name, slot.rule, bool(filled and filled.house))


def fraction(ump: Umpire, number: Decimal, part: str) -> Decimal:
    """The official value of a part of a number (3.5.1)."""
    return Decimal(ump.look_up(FRACTIONS, f"{number:.1f}", part) or 0) if number else Decimal(0)


def climb_dive(ump: Umpire, speed: Decimal) -> Decimal:
    """Points for each increment at a start speed (4.1, 4.2)."""
    return Decimal(ump.look_up(CLIMB_DIVE, f"{speed:.1f}") or 0)


@cache
def cells() -> Mapping[tuple[str, ...], Filled]:
    """The house values."""
    return {keys: Filled(value, "house", house=True) for keys, value in _house()}


def _house() -> Iterator[tuple[tuple[str, ...], int | str]]:
    yield from _flight()
    yield from _gunnery()


def _flight() -> Iterator[tuple[tuple[str, ...], int | str]]:
    for row in charts()["fractions"].rows:
        for part, cell in zip(charts()["fractions"].columns, row.cells, strict=True):
            yield (FRACTIONS.key, row.key, part), str(cell)
    for row in charts()["stall_modifiers"].rows:
        yield (STALLS.key, row.key), int(row.cells[0])
    yield (STALLS.key, "recovery"), int(charts()["spin_recovery"].rows[0].high or 0)
    yield (STALLS.key, "each try before"), int(charts()["spin_recovery_tries"].at("each turn tried"))
    for halves in range(31):
        yield (CLIMB_DIVE.key, f"{Decimal(halves) / 2:.1f}"), _by_speed(Decimal(halves) / 2)


def _by_speed(speed: Decimal) -> str:
    """The row of the chart that reaches up to this speed; the last has no end."""
    rows = charts()["climb_dive"].rows
    return str(next((row.cells[0] for row in rows[:-1] if speed <= Decimal(row.key.split()[-1])), rows[-1].cells[0]))


def _gunnery() -> Iterator[tuple[tuple[str, ...], int]]:
    for angle in range(0, 181, 30):
        yield (DEFLECTION.key, str(angle)), int(charts()["deflection_factor"].at(angle))
    guns = charts()["gun_modifiers_house"]
    for row in guns.rows:
        for column in guns.columns:
            yield (GUNS.key, row.key, column), int(guns.at(row.key, column))
    for chart in ("head_on_determination", "head_on_pilots"):
        for row in charts()[chart].rows:
            yield (NERVE.key, row.key), int(row.cells[0])
    for odds in COLUMNS:
        for lh in range(LOWEST, HIGHEST + 1):
            yield (ODDS.key, odds, str(lh)), _house_hits(odds, lh)


def _house_hits(odds: str, lh: int) -> int:
    """One hit from a number downwards, one more for each so many below it."""
    chart = charts()["combat_odds"]
    row = f"odds {odds} and more" if odds == COLUMNS[-1] else f"odds {odds}"
    first, each = int(chart.at(row, "first hit from")), int(chart.at(row, "one more each"))
    return max(0, (first - lh) // each + 1)
