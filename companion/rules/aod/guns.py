"""Which guns bear (4.1, 4.4), with what firepower (4.2.2, 4.6.1, 4.6.6), and how many bursts are left (4.2)."""

from collections.abc import Iterator
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from companion.rules.aod import figures
from companion.rules.aod.craft import Craft
from companion.rules.aod.figures import LEVELS, figure, is_house, number
from companion.rules.aod.position import Solution
from companion.rules.aod.switches import on
from companion.umpire import Barred, Modifier, OneOf, Option, TableSlot, Umpire

Gun: TypeAlias = Literal["fixed", "flexible", "upward"]
Kind: TypeAlias = Literal["normal", "tracer", "short"]

COST: dict[Kind, int] = {"short": 1, "normal": 2, "tracer": 4}
"""Half bursts that the slider moves."""


class Aim(Struct, frozen=True):
    """Where a shooter must point: an hour and levels up; and its own tilt, as far as a rule needs it."""

    hour: int
    rise: int
    passive: bool = False
    pitch: int = 0
    roll: int = 0


def at_target(ump: Umpire, craft: Craft, seen: Solution) -> Aim:
    return _aim(ump, craft, Aim(seen.ahead or 12, seen.rise))


def at_attacker(ump: Umpire, craft: Craft, seen: Solution) -> Aim:
    """Fire going back (4.7.1); fixed guns only bear where a pitched nose points (4.4.1)."""
    aim = Aim(seen.back or 6, -seen.rise, passive=True)
    if aim.hour == 12 and seen.target_pitched and not on(ump, "tilted_guns") and _has_fixed(ump, craft):
        return replace(aim, pitch=_tilt(ump, craft, "pitch", _PITCH))
    return _aim(ump, craft, aim)


def _aim(ump: Umpire, craft: Craft, aim: Aim) -> Aim:
    if not on(ump, "tilted_guns"):
        return aim
    pitch, roll = _tilt(ump, craft, "pitch", _PITCH), 0
    if on(ump, "roll_tilt"):
        roll = _tilt(ump, craft, "roll", _ROLL)
    return replace(aim, pitch=pitch, roll=roll)


# --- which guns bear


def bearing(ump: Umpire, craft: Craft, seen: Solution, aim: Aim) -> dict[Gun, tuple[Barred, ...]]:
    """The guns that cover the direction, each with the reasons why it may not fire."""
    guns: list[Gun] = []
    if seen.position == "upward":
        guns += ["upward"] if number(ump, figures.UPWARD, craft.type) else []
    else:
        guns += ["fixed"] if _fixed_bear(ump, craft, seen, aim) else []
    if seen.position != "upward" and _bears(ump, craft, aim):
        guns.append("flexible")
    return {gun: tuple(_reasons(ump, craft, gun, aim)) for gun in guns}


def _fixed_bear(ump: Umpire, craft: Craft, seen: Solution, aim: Aim) -> bool:
    """Fixed guns fire straight ahead, where the nose points (4.4.1)."""
    if aim.hour != 12 or not _has_fixed(ump, craft):
        return False
    if aim.passive:
        return aim.rise == (aim.pitch if seen.target_pitched else 0)
    return seen.position != "C-parallel"


def _bears(ump: Umpire, craft: Craft, aim: Aim) -> bool:
    """Whether flexible guns cover that direction and level (4.4.2)."""
    row = _row(ump, aim)
    return bool(row and number(ump, figures.FLEXIBLE, craft.type, aim.hour, row))


def _has_fixed(ump: Umpire, craft: Craft) -> bool:
    return bool(number(ump, figures.FIXED, craft.type, 1))


def _reasons(ump: Umpire, craft: Craft, gun: Gun, aim: Aim) -> Iterator[Barred]:
    if not aim.passive and _is_dashed(ump, craft, gun, aim):
        yield Barred("dashed", f"The {gun} guns of {craft.name} only fire passively.", "4.1")
    least = COST["short" if on(ump, "short_burst") else "normal"]
    if (left := halves_left(ump, craft, gun)) is not None and left < least:
        yield Barred("empty", f"The {gun} guns of {craft.name} have no ammunition left.", "4.2")
    elif not base_firepower(ump, craft, gun, aim):
        yield Barred("guns-damaged", f"The damaged {gun} guns of {craft.name} have no firepower left.", "4.6.1")
    yield from _used(ump, craft, gun, aim)


def _is_dashed(ump: Umpire, craft: Craft, gun: Gun, aim: Aim) -> bool:
    """Dashed arrows count for nothing where speed difference is played (4.9)."""
    if gun == "upward" or on(ump, "speed_difference"):
        return False
    if gun == "fixed":
        return bool(figure(ump, figures.FIXED_DASHED, craft.type))
    return bool(figure(ump, figures.DASHED, craft.type, aim.hour))


def _used(ump: Umpire, craft: Craft, gun: Gun, aim: Aim) -> Iterator[Barred]:
    """Passively one target for the flexible guns, one for the fixed (4.8)."""
    if not aim.passive:
        return
    if gun == "flexible" and "flexible" in craft.used:
        yield Barred("just-used", f"{craft.name} has just used its flexible guns actively.", "4.8")
    elif gun == "flexible" and "flexible passive" in craft.used and not on(ump, "many_turrets"):
        yield Barred("answered", f"The flexible guns of {craft.name} have already fired passively.", "4.8")
    elif gun == "fixed" and "fixed passive" in craft.used:
        yield Barred("answered", f"The fixed guns of {craft.name} have already fired passively.", "4.8")


# --- ammunition


def halves_left(ump: Umpire, craft: Craft, gun: Gun) -> int | None:
    """Half bursts left; None where the ammunition is not tracked (4.2)."""
    if gun == "upward":
        return None
    slot, spent = _ammunition(craft, gun)
    bursts = figure(ump, slot, craft.type)
    return None if bursts is None else 2 * int(bursts) - spent


def _ammunition(craft: Craft, gun: Gun) -> tuple[TableSlot, int]:
    if gun == "fixed":
        return figures.FIXED_BURSTS, craft.fixed_spent
    return figures.FLEXIBLE_BURSTS, craft.flexible_spent


def bursts(ump: Umpire, craft: Craft, guns: tuple[Gun, ...], *, active: bool) -> tuple[Option[Kind], ...]:
    """The kinds of burst there are, those without the ammunition barred (4.5.7, 4.6.6)."""
    tracked = [left for gun in guns if (left := halves_left(ump, craft, gun)) is not None]
    kinds: list[tuple[Kind, str, str]] = [("normal", "Normal burst", "4.2")]
    if active and guns == ("fixed",) and on(ump, "tracer"):
        kinds.append(("tracer", "Tracer burst: +1, one more slot", "4.5.7"))
    if tracked and on(ump, "short_burst"):
        kinds.append(("short", "Short burst: half a slot, half the firepower", "4.6.6"))
    return tuple(Option(kind, text, kind, _too_little(kind, tracked, rule)) for kind, text, rule in kinds)


def _too_little(kind: Kind, tracked: list[int], rule: str) -> Barred | None:
    if all(left >= COST[kind] for left in tracked):
        return None
    return Barred("ammunition", f"There is too little ammunition for a {kind} burst.", rule)


def spend(ump: Umpire, craft: Craft, guns: tuple[Gun, ...], kind: Kind) -> Craft:
    """The sliders after a burst."""
    changes = {
        f"{gun}_spent": _ammunition(craft, gun)[1] + COST[kind]
        for gun in guns
        if halves_left(ump, craft, gun) is not None
    }
    return replace(craft, **changes)


def burst_number(craft: Craft, kind: Kind) -> int:
    """The slot that counts: where the slider stands, with tracer where it stands before its second move (4.2.2)."""
    return craft.fixed_spent // 2 + 1 + (kind == "tracer")


# --- firepower


Printed: TypeAlias = tuple[TableSlot, tuple[int | str, ...]]
"""The cell of a panel from which a firepower is read."""


def base_firepower(ump: Umpire, craft: Craft, gun: Gun, aim: Aim, kind: Kind = "normal") -> int:
    """Before a short burst halves it; damaged guns count half, rounded down (4.6.1)."""
    printed = _printed(ump, craft, gun, aim, kind)
    full = number(ump, printed[0], craft.type, *printed[1]) if printed else 0
    return full // 2 if "guns" in craft.damages else full


def _printed(ump: Umpire, craft: Craft, gun: Gun, aim: Aim, kind: Kind) -> Printed | None:
    if gun == "fixed":
        return figures.FIXED, (_slot(ump, craft, kind),)
    if gun == "upward":
        return figures.UPWARD, ()
    row = _row(ump, aim)
    return (figures.FLEXIBLE, (aim.hour, row)) if row else None


def _slot(ump: Umpire, craft: Craft, kind: Kind) -> int:
    """The slot of the burst where firepower decreases (4.2.2)."""
    if on(ump, "decreasing_firepower") and halves_left(ump, craft, "fixed") is not None:
        return burst_number(craft, kind)
    return 1


def _row(ump: Umpire, aim: Aim) -> str | None:
    """By the level of the target, shifted where the aircraft is tilted (4.4.2, 4.4.3)."""
    lean = raised(aim.hour, aim.pitch, aim.roll) if on(ump, "tilted_guns") else 0
    return _ROWS[lean].get(aim.rise)


_ROWS: dict[int, dict[int, str]] = {
    0: {rise: row for row, rise in LEVELS.items()},
    1: {1: "same", 0: "below", -1: "below"},
    -1: {1: "above", 0: "above", -1: "same"},
}
"""For each lean of the direction: which printed row serves which level of the target (4.4.3)."""


def raised(hour: int, pitch: int, roll: int) -> int:
    """Whether a direction is raised (1), lowered (-1) or neither by the tilt (4.4.3)."""
    if roll and hour in (2, 4):
        return -roll
    if roll and hour in (8, 10):
        return roll
    return pitch if hour in (10, 12, 2) else -pitch


def firepower(ump: Umpire, craft: Craft, guns: tuple[Gun, ...], aim: Aim, kind: Kind) -> tuple[Modifier, ...]:
    """What the outcome adds for each gun: each value is halved by itself before they are added (4.6.1, 4.6.6)."""
    return tuple(_firepower(ump, craft, gun, aim, kind) for gun in guns)


def _firepower(ump: Umpire, craft: Craft, gun: Gun, aim: Aim, kind: Kind) -> Modifier:
    value = base_firepower(ump, craft, gun, aim, kind)
    words = ["firepower" if gun != "flexible" else "flexible firepower"]
    words += ["guns damaged"] if "guns" in craft.damages else []
    words += ["short"] if kind == "short" else []
    printed = _printed(ump, craft, gun, aim, kind)
    house = printed is not None and is_house(ump, printed[0], craft.type, *printed[1])
    value = value // 2 if kind == "short" else value
    return Modifier(value, f"firepower-{gun}", ", ".join(words), _FP_RULES[gun], house)


_FP_RULES: dict[Gun, str] = {"fixed": "4.1", "flexible": "4.4.2", "upward": "4.5.5"}


def cannon(ump: Umpire, craft: Craft, guns: tuple[Gun, ...], kind: Kind, durability: int) -> Iterator[Modifier]:
    """A cannon burst at durability 6 or more (4.6.4)."""
    if "fixed" in guns and durability >= 6 and on(ump, "cannons"):
        slot = burst_number(craft, kind) if halves_left(ump, craft, "fixed") is not None else 1
        if figure(ump, figures.CANNON, craft.type, slot):
            yield Modifier(1, "cannon", "cannon burst", "4.6.4", is_house(ump, figures.CANNON, craft.type, slot))


# --- the shooter's own tilt

_PITCH = OneOf((Option("level", "Level", 0), Option("up", "Pitched up", 1), Option("down", "Pitched down", -1)))
_ROLL = OneOf((Option("level", "Level", 0), Option("left", "Banked left", -1), Option("right", "Banked right", 1)))


def _tilt(ump: Umpire, craft: Craft, axis: str, space: OneOf[int]) -> int:
    known = getattr(craft.pose, axis) if craft.pose else None
    return ump.fact(f"{axis} {craft.key}".strip(), space, known, text=f"The {axis} of {craft.name}?", rule="4.4.3")
