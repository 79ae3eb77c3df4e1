"""Victory points, the victory table, and the four ways of balancing a dogfight."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import msgspec
from msgspec import Meta

from companion.rules.rotl.aircraft import SIDES, Side, points
from companion.rules.rotl.refusals import refuse
from companion.rules.rotl.state import Dogfight, Plane, Skill
from companion.umpire import Barred, Illegal, Modifier, Umpire, add, procedure

POINTS = "Determine Victory"
TABLE = "Victory Point Table"
BALANCE = "Balancing a Dogfight"


def points_for(plane: Plane, *, powered: bool) -> int:
    """What an aircraft is worth to the enemy: 5 destroyed, 2 damaged or disengaged, once; jets and rockets double."""
    if plane.fate == "destroyed":
        points = 5
    else:
        points = 2 if plane.damaged or plane.fate == "disengaged" else 0
    return points * (2 if powered else 1)


def victory_points(state: Dogfight, side: Side) -> int:
    """What a side has scored: its bonus, and what it did to the enemy."""
    enemies = (e for e in state.elements if e.side != side)
    lost = (points_for(plane, powered=state.type_of(e).powered) for e in enemies for plane in e.planes)
    return state.bonus.get(side, 0) + sum(lost)


def grade(difference: int, aircraft: int, *, beyond: bool = False) -> str | None:
    """The level of victory for Axis less Allied points; None outside 4 to 15 aircraft, unless `beyond`."""
    if not (4 <= aircraft <= 15 or beyond):
        return None
    band = max(0, aircraft // 2 - 2)
    side = "Axis" if difference > 0 else "Allies"
    if abs(difference) <= 1 + band:
        return "Draw"
    return f"{side} {'Decisive' if abs(difference) >= 6 + 3 * band else 'Marginal'} Victory"


class Score(msgspec.Struct, frozen=True):
    """Points of both sides, and the aircraft that began."""

    axis: int
    allies: int
    aircraft: Annotated[int, Meta(ge=1, le=200)]


class Victory(msgspec.Struct, frozen=True):
    difference: int
    result: str


@procedure("rotl.victory", title="Determine victory", rule=TABLE)
def victory(ump: Umpire, s: Score) -> Victory:
    """Axis points less Allied points, read by the number of aircraft that began."""
    difference = s.axis - s.allies
    result = grade(difference, s.aircraft, beyond=ump.on("beyond_table")) or "The table grades 4 to 15 aircraft"
    ump.note(f"Axis {s.axis} - Allies {s.allies} = {difference:+d}, {s.aircraft} aircraft: {result}", TABLE)
    return Victory(difference, result)


# --- balancing -------------------------------------------------------------------------------------


class Flown(msgspec.Struct, frozen=True):
    """An element as it is counted: its type, with or without a wingman, and the letters of its pilot.

    `points`: what its card prints, where the point table has no such type or another value.
    """

    type: str
    wingman: bool = True
    skills: tuple[Skill, ...] = ()
    points: Annotated[int, Meta(ge=0, le=99)] | None = None


class Forces(msgspec.Struct, frozen=True):
    axis: tuple[Flown, ...]
    allies: tuple[Flown, ...]


class Balance(msgspec.Struct, frozen=True):
    """Points of both sides, aircraft of both sides, and who gets the difference as victory points."""

    axis: int
    allies: int
    axis_aircraft: int
    allied_aircraft: int
    bonus_to: str
    bonus: int
    advice: tuple[str, ...]


def value_of(flown: Flown) -> int:
    """An element's points; one more for each letter of its pilot (for balance only). Raises Illegal without a value."""
    value = _card_value(flown)
    if value is None:
        raise Illegal((_no_value(flown),))
    return value + len(flown.skills)


def _card_value(flown: Flown) -> int | None:
    """What its card or the point table says; None where they say nothing."""
    return _printed(flown.type, flown.wingman) if flown.points is None else flown.points


def _printed(kind: str, wingman: bool) -> int | None:
    return points(kind)[0 if wingman else 1]


def _no_value(flown: Flown) -> Barred:
    return refuse(f"PACK_INCOMPLETE/{'element' if flown.wingman else 'alone'}", who=flown.type)


def may_balance(f: Forces) -> list[Barred]:
    return [_no_value(flown) for flown in (*f.axis, *f.allies) if _card_value(flown) is None]


@procedure("rotl.balance", title="Balance a dogfight", rule=BALANCE, violations=may_balance)
def balance(ump: Umpire, f: Forces) -> Balance:
    """The four ways: victory points for the weaker side, more elements, leaders without wingmen, skilled pilots."""
    axis, allies = _total(ump, "Axis", f.axis), _total(ump, "Allies", f.allies)
    weaker = "" if axis == allies else "Axis" if axis < allies else "Allies"
    gap = abs(axis - allies)
    counts = _aircraft(f.axis), _aircraft(f.allies)
    advice = tuple(_advice(f, weaker, gap, counts))
    for line in advice:
        ump.note(line, BALANCE)
    return Balance(axis, allies, *counts, weaker, gap, advice)


def _total(ump: Umpire, side: str, flown: Iterable[Flown]) -> int:
    mods = tuple(
        Modifier(value_of(e), f"{side}{i}", e.type + ("" if e.wingman else " alone"), "Point Values")
        for i, e in enumerate(flown)
    )
    total = add(mods)
    ump.note(f"{side}: {' + '.join(f'{m.value} {m.text}' for m in mods)} = {total}", "Point Values")
    return total


def _aircraft(flown: Iterable[Flown]) -> int:
    return sum(1 + e.wingman for e in flown)


def _advice(f: Forces, weaker: str, gap: int, counts: tuple[int, int]) -> Iterable[str]:
    if not gap:
        yield "Balanced" if counts[0] == counts[1] else "Balanced: the side with more elements has the lesser aircraft"
        return
    stronger = f.allies if weaker == "Axis" else f.axis
    yield f"Give {weaker} {gap} victory points"
    yield f"Or give {weaker} more elements, up to {gap} points"
    for e in stronger:
        if e.wingman and (saved := _saved(e)):
            yield f"Or fly one {e.type} without its wingman: {saved} points less"
    yield f"Or give {weaker} pilots with {gap} letters"


def _saved(flown: Flown) -> int:
    """Points that leaving the wingman at home saves; 0 where no leader-only value is printed."""
    element, alone = _card_value(flown), _printed(flown.type, False)
    return element - alone if element and alone else 0


def bonus(flying: Iterable[tuple[Side, Flown]]) -> dict[str, int]:
    """The difference of the values as victory points for the weaker side."""
    totals = dict.fromkeys(SIDES, 0)
    for side, flown in flying:
        totals[side] += value_of(flown)
    gap = totals["Axis"] - totals["Allies"]
    return {"Allies": gap} if gap > 0 else {"Axis": -gap} if gap < 0 else {}
