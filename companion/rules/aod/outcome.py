"""What a hit does: the outcome (4.6), the type of damage (4.6.1) and what an aircraft can take (4.6.2)."""

from functools import cache
from itertools import permutations
from typing import Any, Literal, get_args

from msgspec import Struct

from companion.rules.aod.charts import charts
from companion.rules.aod.craft import Damage
from companion.rules.aod.dice import ALL, DAMAGE, RED, WHITE
from companion.umpire import Face, Modifier, Need, OneOf, Option, Umpire, at_least

Capacity = Literal["single", "double", "fragile"]
Word = Literal["miss", "none", "damaged", "double", "destroyed"]


class Body(Struct, frozen=True, cache_hash=True):
    """All that an outcome depends on in the aircraft that is hit."""

    capacity: Capacity = "single"
    damages: tuple[Damage, ...] = ()
    destroyed: bool = False


class Burst(Struct, frozen=True, cache_hash=True):
    """One burst, all its modifiers known: the column and penalties of the targeting, firepower and so on."""

    column: Literal["A", "B", "C"]
    targeting: tuple[Modifier, ...]
    outcome: tuple[Modifier, ...]
    chooser: str = ""
    """The seat of an Ace, who chooses the damage when all colours come up (4.6.1)."""


class Hit(Struct, frozen=True, cache_hash=True):
    """What a burst did, and the aircraft that was fired at after it."""

    result: Word
    body: Body

    @property
    def hit(self) -> bool:
        return self.result != "miss"


def burst(ump: Umpire, shot: Burst, body: Body) -> Hit:
    """Targeting, and if it hits the outcome (4.5, 4.6)."""
    if not targeting(ump, shot.column, shot.targeting):
        return Hit("miss", body)
    return outcome(ump, shot.outcome, body, shot.chooser)


def targeting(ump: Umpire, column: str, mods: tuple[Modifier, ...]) -> bool:
    """One die against the column of the position (4.5)."""
    need, title = _column(column)
    return ump.test("targeting", WHITE, mods, need, rule="4.5", title=title, words=("hit", "miss"))


@cache
def _column(column: str) -> tuple[Need, str]:
    return at_least(int(charts()["targeting"].at("hit", column))), f"Targeting, position {column}"


def outcome(ump: Umpire, mods: tuple[Modifier, ...], body: Body, chooser: str = "") -> Hit:
    """Two dice, firepower added and durability subtracted; 1+1 never does anything (4.6)."""
    result: Any = ump.table(charts()["outcome"], "outcome", RED, mods)
    if result in ("damaged", "double"):
        return suffer(ump, result, body, chooser)
    return Hit("destroyed", _destroyed(body)) if result == "destroyed" else Hit("none", body)


def suffer(ump: Umpire, result: Literal["damaged", "double"], body: Body, chooser: str = "") -> Hit:
    """One or two damages; no die is thrown for more than the aircraft can take (4.6.2)."""
    count = 2 if result == "double" else 1
    damages = body.damages
    if len(damages) + count > _LIMIT[body.capacity]:
        ump.note(f"{_taken(body)}: destroyed", "4.6.2")
        return Hit("destroyed", _destroyed(body))
    for _ in range(count):
        damage = damage_type(ump, chooser)
        if damage in damages:
            ump.note(f"{damage} damaged twice: destroyed", "4.6.2")
            return Hit("destroyed", Body(body.capacity, damages, destroyed=True))
        damages = _IN_ORDER[(*damages, damage)]
    return Hit(result, Body(body.capacity, damages))


_LIMIT: dict[Capacity, int] = {"fragile": 0, "single": 1, "double": 2}


def _taken(body: Body) -> str:
    return f"after {' and '.join(body.damages)} damage" if body.damages else f"{body.capacity} damage capacity"


_ORDER: tuple[Damage, ...] = get_args(Damage)
_IN_ORDER = {came: tuple(sorted(came, key=_ORDER.index)) for n in range(1, 5) for came in permutations(_ORDER, n)}
"""Damages as they came, and the same in one order: in which order they came makes no difference."""


def damaged(body: Body, damage: Damage) -> Body:
    """With one more damage."""
    return Body(body.capacity, _IN_ORDER[(*body.damages, damage)])


def _destroyed(body: Body) -> Body:
    return Body(body.capacity, body.damages, destroyed=True)


def damage_type(ump: Umpire, chooser: str = "") -> Damage:
    """The colour of the damage die; all colours are thrown again, or an Ace chooses (4.6.1)."""
    if not chooser:
        (face,) = ump.roll("damage die", DAMAGE, rule="4.6.1", title="Damage die", until=_one_colour)
    else:
        (face,) = ump.roll("damage die", DAMAGE, rule="4.6.1", title="Damage die")
        if face.name == ALL:
            return ump.choose("damage", chooser, _DAMAGES, text="Which part does the Ace hit?", rule="4.6.1")
    return _of(face.name)


def _one_colour(faces: tuple[Face, ...]) -> bool:
    return faces[0].name != ALL


@cache
def _of(colour: str) -> Damage:
    damage: Damage = charts()["damage_die"].at(colour, "damage")  # type: ignore[assignment]
    return damage


_DAMAGES: OneOf[Damage] = OneOf(
    tuple(Option(_of(row.key), _of(row.key), _of(row.key)) for row in charts()["damage_die"].rows if row.key != ALL)
)


def fate(destroyed: bool, damages: tuple[str, ...]) -> str:
    """In words: `destroyed`, `tail and guns`, `undamaged`."""
    return "destroyed" if destroyed else " and ".join(damages) or "undamaged"
