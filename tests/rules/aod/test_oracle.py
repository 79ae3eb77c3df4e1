"""Exact odds against icepool, which knows nothing of this program: 200 random cases for each part of a fight.

The arithmetic of the oracle is typed once more from the player aid.
"""

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import icepool
import pytest

from companion.rules.aod.outcome import Body, burst, outcome
from companion.rules.aod.outcome import Burst as Volley
from companion.rules.aod.passive import Passage
from companion.umpire import Modifier, Odds, odds
from tests.rules.aod.hangar import BREAK, FIRE, context, defender, enemy, fighter, kind, shot, turret

CASES = 200
Fate = tuple[bool, tuple[str, ...]]
"""Destroyed, and the damages in the order of the alphabet."""

COLOURS = icepool.Die({"wings": 2, "tail": 1, "guns": 1, "engine": 1})
NEED = {"A": 2, "B": 4, "C": 3}


# --- the oracle


def after_outcome(shift: int, capacity: str, damages: tuple[str, ...]) -> Any:
    """The fate after two dice and a shift: firepower less durability and what else is added."""

    def read(a: int, b: int) -> Any:
        total = a + b + shift
        if (a, b) == (1, 1) or total <= 6:
            return "none", (False, damages)
        if total >= 13:
            return "destroyed", (True, damages)
        return damaged(2 if total >= 11 else 1, capacity, damages)

    return icepool.map(read, icepool.d6, icepool.d6)


def damaged(count: int, capacity: str, damages: tuple[str, ...]) -> Any:
    word = "double" if count == 2 else "damaged"
    if len(damages) + count > {"fragile": 0, "single": 1, "double": 2}[capacity]:
        return "destroyed", (True, damages)

    def one(first: str, second: str) -> Any:
        new = (first, second)[:count]
        if len({*damages, *new}) < len(damages) + count:
            held = (*damages, first) if count == 2 and first not in damages else damages
            return "destroyed", (True, tuple(sorted(held)))
        return word, (False, tuple(sorted((*damages, *new))))

    return icepool.map(one, COLOURS, COLOURS)


def after_burst(need: int, mods: int, shift: int, capacity: str, damages: tuple[str, ...]) -> Any:
    fate = after_outcome(shift, capacity, damages)
    return icepool.map(lambda die: fate if die + mods >= need else ("miss", (False, damages)), icepool.d6)


def as_odds(die: Any) -> dict[Any, Fraction]:
    return {result: Fraction(ways, die.denominator()) for result, ways in die.items()}


# --- ours


def fate(body: Body) -> Fate:
    return body.destroyed, tuple(sorted(body.damages))


def counted(run: Callable[..., Any], *args: Any) -> dict[Any, Fraction]:
    weights, total, _ = Odds().count(run, *args)
    chances: dict[Any, Fraction] = {}
    for hit, weight in weights:
        key = (hit.result, fate(hit.body))
        chances[key] = chances.get(key, Fraction(0)) + Fraction(weight, total)
    return chances


def mod(value: int, code: str = "sum") -> tuple[Modifier, ...]:
    return (Modifier(value, code, code, "4.6"),)


def some_damages(rng: Random, capacity: str) -> tuple[str, ...]:
    most = {"fragile": 0, "single": 1, "double": 2}[capacity]
    return tuple(sorted(rng.sample(["wings", "tail", "engine", "guns"], rng.randint(0, most))))


def in_order(damages: tuple[str, ...]) -> tuple[Any, ...]:
    return tuple(d for d in ("wings", "tail", "engine", "guns") if d in damages)


@pytest.mark.rule("aod:4.5")
def test_targeting() -> None:
    rng = Random(45)
    for _ in range(CASES):
        column, mods = rng.choice("ABC"), rng.randint(-5, 4)
        ours = counted(burst, Volley(column, mod(mods), mod(-30)), Body())  # type: ignore[arg-type]
        hits = sum(chance for (word, _), chance in ours.items() if word != "miss")
        theirs = icepool.d6 + mods >= NEED[column]
        assert hits == theirs.probability(True), (column, mods)


@pytest.mark.rule("aod:4.6")
@pytest.mark.rule("aod:4.6.2")
def test_outcome_with_damage() -> None:
    rng = Random(46)
    for _ in range(CASES):
        shift, capacity = rng.randint(-8, 14), rng.choice(["fragile", "single", "double"])
        damages = some_damages(rng, capacity)
        ours = counted(outcome, mod(shift), Body(capacity, in_order(damages)))  # type: ignore[arg-type]
        assert ours == as_odds(after_outcome(shift, capacity, damages)), (shift, capacity, damages)


class Case:
    """A random fight from behind, and what the player aid makes of it."""

    def __init__(self, rng: Random) -> None:
        self.capacity = rng.choice(["fragile", "single", "double"])
        self.damages = some_damages(rng, self.capacity)
        self.position = rng.choice(["A", "A", "A", "B", "C-frontal"])
        self.distance = rng.choice([1, 2])
        self.firepower, self.durability, self.frontal = rng.randint(1, 16), rng.randint(0, 10), rng.randint(0, 10)
        self.cannon, self.size = rng.random() < 0.5, rng.choice(["normal", "large", "very small"])
        self.hurt, self.pilot = rng.random() < 0.3, rng.choice(["", "Rookie"])
        self.kind = rng.choice(["normal", "tracer", "short"])
        names = {"A": ["roll differs", "pitch differs"], "B": ["target banked", "target pitched"]}
        names["C-frontal"] = ["target pitched"]
        self.tilt = tuple(t for t in names[self.position] if rng.random() < 0.4)

    @property
    def base(self) -> int:
        """The firepower that the guns still have; none at all cannot fire."""
        return self.firepower // 2 if self.hurt else self.firepower

    def inputs(self) -> Any:
        known: dict[str, Any] = {"position": self.position, "tilt": self.tilt}
        if self.position == "A":
            known["distance"] = self.distance
        mine = fighter(pilot=self.pilot, damages=("guns",) if self.hurt else ())
        return shot(mine, enemy(damages=in_order(self.damages)), **known)

    def context(self, **switches: Any) -> Any:
        slots = {"fixed_slots": (self.firepower,) * 9, "cannon_slots": tuple(range(1, 10)) if self.cannon else ()}
        target = {"durability": self.durability, "frontal_durability": self.frontal, "capacity": self.capacity}
        return context(
            kind("Fighter", fixed=self.firepower, fixed_bursts=9, **slots),
            kind("Enemy", size=self.size, **target),
            pilots=True,
            **switches,
        )

    def mods(self, *, double: bool = False) -> int:
        """To the targeting die."""
        weight = {"target pitched": 2 if self.position == "C-frontal" else 1}
        mods = -sum(weight.get(t, 1) for t in self.tilt)
        mods -= self.position == "A" and self.distance == 2
        mods += {"normal": 0, "large": 1, "very small": -1}[self.size] - (self.pilot == "Rookie")
        return mods + (double or self.kind == "tracer")

    def need(self) -> int:
        return NEED[self.position[0]]

    def shift(self, kind: str, *, after_hit: bool = False) -> int:
        """To the two dice of the outcome."""
        durability = self.frontal if self.position == "C-frontal" else self.durability
        firepower = self.base // 2 if kind == "short" else self.base
        return firepower - durability + (self.cannon and durability >= 6) + 2 * after_hit

    def first(self) -> Any:
        return after_burst(self.need(), self.mods(), self.shift(self.kind), self.capacity, self.damages)


def cases(seed: int) -> Any:
    rng = Random(seed)
    found = (Case(rng) for _ in range(10 * CASES))
    return [case for case in found if case.base][:CASES]


@pytest.mark.rule("aod:4.5.1")
@pytest.mark.rule("aod:4.6.6")
def test_a_whole_burst() -> None:
    for case in cases(47):
        at = case.context(double_burst=False)
        ours = odds(FIRE, case.inputs(), (), at, policy={"burst": case.kind})
        found = {}
        for e in ours:
            r = e.result
            found[r.first, (r.target_destroyed, tuple(sorted(r.target_damages)))] = e.chance
        assert found == as_odds(case.first()), vars(case)


@pytest.mark.rule("aod:4.6.5")
def test_a_double_burst() -> None:
    for number, case in enumerate(cases(48)):
        case.position, case.tilt = "A", ()
        second = "short" if number % 3 == 0 else "normal"

        def again(first: tuple[str, Fate], case: Any = case, second: str = second) -> Any:
            word, (gone, damages) = first
            if gone:
                return word, None, gone, damages
            shift = case.shift(second, after_hit=word != "miss")
            double = after_burst(case.need(), case.mods(double=True), shift, case.capacity, damages)
            return double.map(lambda w, f: (word, w, *f), star=True)

        theirs = as_odds(case.first().map(again, star=False))
        ours = odds(FIRE, case.inputs(), (), case.context(), policy={"burst": case.kind, "double": second})
        found: dict[Any, Fraction] = {}
        for e in ours:
            r = e.result
            key = (r.first, r.double, r.target_destroyed, tuple(sorted(r.target_damages)))
            found[key] = found.get(key, Fraction(0)) + e.chance
        assert found == theirs, vars(case)


@pytest.mark.rule("aod:4.7.2")
def test_a_break_action_of_two_defenders() -> None:
    rng = Random(49)
    for _ in range(CASES):
        capacity, durability = rng.choice(["fragile", "single", "double"]), rng.randint(0, 8)
        damages = some_damages(rng, capacity)
        guns = [rng.randint(1, 12), rng.randint(1, 12)]
        tilts = [tuple(t for t in ("target banked", "target pitched") if rng.random() < 0.4) for _ in guns]
        at = context(
            kind("Fighter", durability=durability, capacity=capacity, frontal_durability=None),
            *(kind(f"Gunner {n}", flexible=turret(8, same=fp)) for n, fp in enumerate(guns)),
        )
        defenders = tuple(
            defender(enemy(f"Gunner {n}", key=str(n)), position="C-parallel", hour=2, rise=0, tilt=tilt)
            for n, tilt in enumerate(tilts)
        )

        answers = [
            lambda before, m=-1 - len(tilt), s=fp - durability, c=capacity: (
                before if before[0] else after_burst(3, m, s, c, before[1]).map(lambda _, after: after, star=True)
            )
            for fp, tilt in zip(guns, tilts, strict=True)
        ]
        theirs = as_odds(answers[0]((False, damages)).map(answers[1], star=False))
        mover = fighter(damages=in_order(damages))
        ours: dict[Fate, Fraction] = {}
        for each in odds(BREAK, Passage(mover=mover, defenders=defenders), (), at):
            key = (each.result.destroyed, tuple(sorted(each.result.damages)))
            ours[key] = ours.get(key, Fraction(0)) + each.chance
        assert ours == theirs
