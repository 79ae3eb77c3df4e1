"""What fire changes on the table (4.2, 4.5.8, 4.6), in words for the slip."""

from collections.abc import Iterator
from functools import lru_cache

from companion.rules.aod.charts import charts
from companion.rules.aod.craft import Craft, Damage, Used
from companion.rules.aod.outcome import Body
from companion.umpire import Change


def after_fire(before: Craft, after: Craft, *used: Used) -> tuple[Change, ...]:
    """Sliders moved, and what the aircraft may not do again (4.2, 4.8)."""
    return (*_sliders(before, after), *(Change("used", before.key, use, rule="4.8") for use in used))


def _sliders(before: Craft, after: Craft) -> Iterator[Change]:
    for gun in ("fixed", "flexible"):
        spent: int = getattr(after, f"{gun}_spent")
        if spent != getattr(before, f"{gun}_spent"):
            moved = spent - getattr(before, f"{gun}_spent")
            text = f"{before.name}: {gun} guns, {_bursts(moved)} fired"
            yield Change("ammunition", before.key, (gun, spent), text=text, rule="4.2")


def _bursts(halves: int) -> str:
    whole, half = divmod(halves, 2)
    count = f"{whole}½" if half and whole else "½" if half else str(whole)
    return f"{count} burst{'s' if halves > 2 else ''}"


@lru_cache(1000)
def after_hits(craft: Craft, body: Body) -> tuple[Change, ...]:
    """New damages, or the end (4.6.1, 4.6.2)."""
    if body.destroyed:
        return (Change("destroyed", craft.key, text=f"{craft.name} is destroyed", rule="4.6.2"),)
    return tuple(_damage(craft, damage) for damage in new_damages(craft, body))


def _damage(craft: Craft, damage: Damage) -> Change:
    text = f"{craft.name}: {damage} damaged, {effect(damage)}"
    return Change("damage", craft.key, damage, text=text, rule="4.6.1")


def effect(damage: Damage) -> str:
    """`speed -2, no booster`."""
    chart = charts()["damage_effects"]
    parts = [f"{column} {chart.at(damage, column)}" for column in ("speed", "agility") if chart.at(damage, column)]
    parts += ["no booster"] if damage == "engine" else []
    parts += ["firepower halved"] if chart.at(damage, "firepower") == "half" else []
    return ", ".join(parts)


def evading(target: Craft) -> Change:
    text = f"{target.name} must turn in its next first step"
    return Change("evading", target.key, True, text=text, rule="4.5.8")


def new_damages(craft: Craft, body: Body) -> tuple[Damage, ...]:
    return tuple(damage for damage in body.damages if damage not in craft.damages)
