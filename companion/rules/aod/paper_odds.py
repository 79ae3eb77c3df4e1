"""The odds card of a pair: what a burst of one type does to another, by position and by what is added."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from companion.packs.records import Entry
from companion.rules.aod.aircraft import Aircraft
from companion.rules.aod.paper_panel import dagger, durability
from companion.rules.aod.plain import Numbers, by_numbers
from companion.umpire import odds
from printouts import document as doc

SHIFTS = (1, 0, -1, -2, -3)

Shot = tuple[str, str, int, int]
"""A group of columns: its name, its column in the targeting chart, what is always added, the durability."""


def blocks(attacker: Entry[Aircraft], target: Entry[Aircraft]) -> Iterator[doc.Block]:
    yield doc.Heading("Odds card", right=f"{attacker.name} - {target.name}")
    yield from _active(attacker, target)
    yield from _passive(target, attacker)
    yield doc.Text(
        "In per cent, undamaged targets. mod: the sum of all modifiers to the targeting die besides size. A, B, C:"
        " firing positions; front: C head-on. Hit: any hit; harm: damaged or destroyed; kill: destroyed.",
        small=True,
    )


def _active(attacker: Entry[Aircraft], target: Entry[Aircraft]) -> Iterator[doc.Block]:
    """For each firepower that the slots show, and in front where the target is weaker there (4.2.2, 4.3.1)."""
    plane, other, size = attacker.value, target.value, _size(target.value)
    shots: list[Shot] = [(position, position, size, other.durability) for position in ("A", "B", "C")]
    if other.frontal_durability is not None:
        shots.append(("front", "C", size, other.frontal_durability))
    fixed = list(dict.fromkeys(plane.fixed_slots or (plane.fixed,))) if plane.fixed else []
    for firepower in fixed or [plane.flexible_at(12, 0)]:
        if firepower:
            cell = f"fixed:{plane.fixed_slots.index(firepower) + 1}" if plane.fixed_slots else "fixed"
            house = dagger(attacker, cell if fixed else "flexible:12:same")
            yield _table(f"{attacker.name} fires, {_against(firepower, house, target)}", firepower, other, shots)


def _passive(defender: Entry[Aircraft], mover: Entry[Aircraft]) -> Iterator[doc.Block]:
    """Fire straight back, one less (4.7.2)."""
    back = defender.value.flexible_at(6, 0)
    if back:
        house = dagger(defender, "flexible:6:same")
        shot = ("A", "A", _size(mover.value) - 1, mover.value.durability_from(frontal=True))
        caption = f"{defender.name} fires back from its tail, {_against(back, house, mover)}"
        yield _table(caption, back, mover.value, [shot])


def _size(target: Aircraft) -> int:
    return {"large": 1, "very small": -1}.get(target.size, 0)


def _against(firepower: int, house: str, target: Entry[Aircraft]) -> str:
    return f"firepower {firepower}{house}, durability {durability(target)}"


def _table(caption: str, firepower: int, target: Aircraft, shots: Sequence[Shot]) -> doc.Table:
    columns = [doc.Column("mod", mm=10)]
    columns += [doc.Column(f"{name} {word}", "right") for name, *_ in shots for word in ("hit", "harm", "kill")]
    rows = tuple(
        (f"{shift:+d}" if shift else "0", *(cell for shot in shots for cell in _cells(firepower, target, shot, shift)))
        for shift in SHIFTS
    )
    return doc.Table(tuple(columns), rows, caption)


def _cells(firepower: int, target: Aircraft, shot: Shot, shift: int) -> tuple[str, str, str]:
    """Chance to hit, to do any harm, to destroy."""
    _, position, always, tough = shot
    given = Numbers(
        position=position,  # type: ignore[arg-type]
        modifier=always + shift,
        firepower=firepower,
        durability=tough,
        capacity=target.capacity,
    )
    by_word = {chance.result: chance.chance for chance in odds(by_numbers, given, about="result")}
    hit = 1 - by_word.get("miss", Fraction(0))
    return percent(hit), percent(hit - by_word.get("none", 0)), percent(by_word.get("destroyed", Fraction(0)))


def percent(chance: Fraction) -> str:
    return str(round(100 * chance)) if chance else "-"
