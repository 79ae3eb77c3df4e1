"""A burst by its numbers alone, for a table that only wants the dice read (4.5, 4.6)."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.rules.aod.craft import Damage
from companion.rules.aod.outcome import Body, Burst, Capacity, Word, burst
from companion.umpire import Change, Modifier, Number, OneOf, Question, Umpire, options, procedure

Sum = Annotated[int, Meta(ge=-20, le=20)]


class Numbers(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the charts are read with. `modifier` is the sum of all that is added to the targeting die."""

    position: Literal["A", "B", "C"] | None = None
    modifier: Sum = 0
    firepower: Annotated[int, Meta(ge=0, le=60)] | None = None
    durability: Annotated[int, Meta(ge=0, le=10)] | None = None
    bonus: Sum = 0
    """Cannon +1, double burst after a hit +2 (4.6.4, 4.6.5)."""
    capacity: Capacity = "single"
    damages: Annotated[tuple[Damage, ...], Meta(max_length=2)] = ()


class Result(Struct, frozen=True, kw_only=True):
    """One word, and all that the target carries now."""

    result: Word
    destroyed: bool = False
    damages: tuple[Damage, ...] = ()
    changes: tuple[Change, ...] = ()


@procedure(
    "aod.burst",
    title="A burst by its numbers",
    rule="4.5",
    questions={"result": Question("The result in a word", lambda found: found.result)},
    asks={
        "position": "column of the targeting chart (4.5)", "firepower": "firepower (4.1)",
        "durability": "durability (4.3)", "targeting": "the targeting die (4.5)",
        "outcome": "two dice for the outcome (4.6)", "damage die": "type of damage (4.6.1)",
    },
)  # fmt: skip
def by_numbers(ump: Umpire, given: Numbers) -> Result:
    """Targeting, outcome and damage; who fires at whom is the players' own affair."""
    column = ump.fact("position", OneOf(options("A", "B", "C")), given.position, text="Which column?", rule="4.5")
    firepower = ump.fact("firepower", Number(0, 60), given.firepower, text="What is the firepower?", rule="4.1")
    durability = ump.fact("durability", Number(0, 10), given.durability, text="What is the durability?", rule="4.3")
    targeting = _given(given.modifier, "modifiers", "4.5")
    outcome = (
        Modifier(firepower, "firepower", "firepower", "4.1"),
        Modifier(-durability, "durability", "durability", "4.3"),
        *_given(given.bonus, "bonus", "4.6"),
    )
    hit = burst(ump, Burst(column, targeting, outcome), Body(given.capacity, given.damages))  # type: ignore[arg-type]
    return Result(result=hit.result, destroyed=hit.body.destroyed, damages=hit.body.damages)


def _given(value: int, name: str, rule: str) -> tuple[Modifier, ...]:
    return (Modifier(value, name, name, rule),) if value else ()
