"""Exact odds of Age of Dogfights gunfire (4.5, 4.6) against icepool and dyce, all of them cold.

The same question to all three: targeting, outcome and damage of one burst. The answers are compared as fractions
first. Ours runs the procedure that the table runs and writes the lines of every result, which is timed though theirs
have none. Each rival is asked in two ways: one function over all the dice, as its manual begins, and nested by hand,
damage inside outcome inside targeting, which is quicker and has a limit of its own.
The single dice are defined once for all three, as they lie in the box: a die of ours knows how many sides show each
number, as an `H` or a `Die` of theirs does. All that a question makes of them, two dice added up included, is made
anew: before each question every cache is emptied, ours by `clear_caches`, theirs as far as they keep any.
"""

from __future__ import annotations

import gc
import warnings
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import _lru_cache_wrapper, partial
from typing import Any, NamedTuple

import icepool
from dyce import H, HResult, expand

from companion.rules.aod import game  # noqa: F401  (registers the dice of the box)
from companion.rules.aod.outcome import Body, Burst, burst
from companion.umpire import Chance, Context, Modifier, Procedure, Umpire, clear_caches, odds, procedure
from tests.benches.figure import Figure, alternate, faster

warnings.filterwarnings("ignore", message=".*expand.*")  # dyce calls its own way of doing this experimental

NEED = {"A": 2, "B": 4, "C": 3}
SIDES = {"wings": 2, "tail": 1, "engine": 1, "guns": 1}
"""The coloured sides of the damage die; the one with all colours is thrown again (4.6.1)."""
ICEPOOL_PART, DYCE_D6, DYCE_PART = icepool.Die(SIDES), H(6), H(SIDES)
LIMIT = {"fragile": 0, "single": 1, "double": 2}


class Question(NamedTuple):
    column: str
    aim: int
    power: int
    capacity: str
    damages: tuple[str, ...] = ()


QUESTIONS = (
    Question("A", 0, 4, "single"),
    Question("A", -1, 1, "double"),
    Question("B", -1, 6, "single"),
    Question("B", 0, 2, "double", ("tail",)),
    Question("C", -2, 3, "double"),
    Question("C", 0, 0, "single", ("wings",)),
    Question("A", -2, 5, "fragile"),
    Question("C", -1, 4, "double"),
)


# --- ours: the procedure of the game


def one_burst(ump: Umpire, question: tuple[Burst, Body]) -> Any:
    shot, body = question
    return burst(ump, shot, body)


fire: Procedure[tuple[Burst, Body], Any] = procedure(
    "bench.burst",
    title="Burst",
    rule="4.5",
)(one_burst)
CONTEXT = Context()


def ours(question: Question) -> tuple[Chance, ...]:
    column, aim, power, capacity, damages = question
    shot = Burst(
        column,  # type: ignore[arg-type]
        (Modifier(aim, "aim", "aim", "4.5.1"),),
        (Modifier(power + 5, "firepower", "firepower", "4.6"), Modifier(-5, "durability", "durability", "4.6")),
    )
    return odds(fire, (shot, Body(capacity, damages)), (), CONTEXT)  # type: ignore[arg-type]


def label(word: str, damages: Iterable[str]) -> str:
    """Destroyed is destroyed, with whatever damage."""
    return word if word in ("miss", "destroyed") else f"{word} {'+'.join(sorted(damages))}"


def ours_with_lines(question: Question) -> int:
    return sum(len(chance.lines) for chance in ours(question))


# --- the rivals: the same by hand


def outcome_word(total: int) -> str:
    return "none" if total <= 6 else "damaged" if total <= 10 else "double" if total <= 12 else "destroyed"


def hurt(word: str, damages: tuple[str, ...], *parts: str) -> str:
    for part in parts:
        if part in damages:
            return "destroyed"
        damages = (*damages, part)
    return label(word, damages)


def icepool_odds(question: Question) -> dict[str, Fraction]:
    column, aim, power, capacity, damages = question

    def effect(total: int) -> Any:
        word = "none" if total == 2 else outcome_word(total + power)
        count = {"damaged": 1, "double": 2}.get(word, 0)
        if len(damages) + count > LIMIT[capacity] and count:
            return "destroyed"
        if count == 1:
            return ICEPOOL_PART.map(lambda one: hurt(word, damages, one))
        if count == 2:
            return icepool.map(lambda one, two: hurt(word, damages, one, two), ICEPOOL_PART, ICEPOOL_PART)
        return label(word, damages)

    hits = (icepool.d6 + aim) >= NEED[column]
    die = hits.map({True: (2 @ icepool.d6).map(effect), False: "miss"})
    return {str(result): Fraction(weight, die.denominator()) for result, weight in die.items()}


def dyce_odds(question: Question) -> dict[str, Fraction]:
    column, aim, power, capacity, damages = question

    def effect(total: HResult[int]) -> Any:
        word = "none" if total.outcome == 2 else outcome_word(total.outcome + power)
        count = {"damaged": 1, "double": 2}.get(word, 0)
        if len(damages) + count > LIMIT[capacity] and count:
            return "destroyed"
        if count == 1:
            return H.from_counts((hurt(word, damages, one), n) for one, n in DYCE_PART.items())
        if count == 2:
            return expand(lambda one, two: hurt(word, damages, one.outcome, two.outcome), DYCE_PART, DYCE_PART)
        return label(word, damages)

    outcomes = expand(effect, 2 @ DYCE_D6)
    die = expand(lambda hit: outcomes if hit.outcome else "miss", (DYCE_D6 + aim).ge(NEED[column]))
    return {str(result): Fraction(weight, die.total) for result, weight in die.items()}


def joint(question: Question, aimed: int, total: int, *parts: str) -> str:
    """What all the dice together mean."""
    column, aim, power, capacity, damages = question
    if aimed + aim < NEED[column]:
        return "miss"
    word = "none" if total == 2 else outcome_word(total + power)
    count = {"damaged": 1, "double": 2}.get(word, 0)
    if count and len(damages) + count > LIMIT[capacity]:
        return "destroyed"
    return hurt(word, damages, *parts[:count])


def icepool_joint(question: Question) -> dict[str, Fraction]:
    dice = icepool.d6, 2 @ icepool.d6, ICEPOOL_PART, ICEPOOL_PART
    die = icepool.map(lambda *faces: joint(question, *faces), *dice)
    return {str(result): Fraction(weight, die.denominator()) for result, weight in die.items()}


def dyce_joint(question: Question) -> dict[str, Fraction]:
    dice = DYCE_D6, 2 @ DYCE_D6, DYCE_PART, DYCE_PART
    die = expand(lambda *faces: joint(question, *(face.outcome for face in faces)), *dice)
    return {str(result): Fraction(weight, die.total) for result, weight in die.items()}


# --- cold


def caches_of(package: str) -> list[Any]:
    """Every function of a library that remembers its results."""
    wrappers = (o for o in gc.get_objects() if isinstance(o, _lru_cache_wrapper))
    return [w for w in wrappers if str(getattr(w, "__module__", "")).split(".")[0] == package]


ASK: dict[str, Callable[[Question], object]] = {
    "ours": ours_with_lines,
    "icepool": icepool_joint,
    "dyce": dyce_joint,
    "icepool, nested by hand": icepool_odds,
    "dyce, nested by hand": dyce_odds,
}
LEAST = {"icepool": 3, "dyce": 3, "icepool, nested by hand": 3, "dyce, nested by hand": 1.5}
"""How many times faster at least."""


def measure(rounds: int = 60) -> list[Figure]:
    for question in QUESTIONS:
        agree(question)
    forget = {name: caches_of(name.split(",")[0]) for name in ASK}

    def empty(name: str) -> None:
        clear_caches()
        for cache in forget[name]:
            cache.cache_clear()

    def cold(name: str) -> None:
        for question in QUESTIONS:
            empty(name)
            ASK[name](question)

    def emptying(name: str) -> None:
        for _ in QUESTIONS:
            empty(name)

    taken = alternate({name: partial(cold, name) for name in ASK}, rounds)
    spent = alternate({name: partial(emptying, name) for name in ASK}, rounds)
    each = {name: (taken[name] - spent[name]) / len(QUESTIONS) for name in ASK}
    title = "exact odds of gunfire with all lines, cold, against"
    return [faster(f"{title} {rival}", each["ours"], each[rival], least) for rival, least in LEAST.items()]


def agree(question: Question) -> None:
    """All give the same fractions."""
    expected: dict[str, Fraction] = {}
    for chance in ours(question):
        assert chance.lines
        key = label(chance.result.result, chance.result.body.damages)
        expected[key] = expected.get(key, Fraction(0)) + chance.chance
    assert sum(expected.values()) == 1
    for name in [name for name in ASK if name != "ours"]:
        found = ASK[name](question)
        assert found == expected, f"{name} differs for {question}: {found} is not {expected}"
