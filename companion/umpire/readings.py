"""What a throw is read as: labels, and the weight of each label, so that odds branch on labels and not on faces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from math import prod
from typing import Any, TypeAlias

import msgspec

from companion.umpire.charts import Chart
from companion.umpire.dice import Dice, Face

Faces: TypeAlias = tuple[Face, ...]
Weights: TypeAlias = tuple[tuple[Any, int], ...]

AGAIN = object()
"""The label of faces that a condition rejects: they are thrown again."""


class Need(msgspec.Struct, frozen=True):
    """What a test asks of its total: `at_least` or `at_most` a number."""

    number: int
    least: bool = True

    def met(self, total: int) -> bool:
        return total >= self.number if self.least else total <= self.number

    def __str__(self) -> str:
        return f"{self.number}+" if self.least else f"{self.number}-"


@lru_cache(256)
def at_least(number: int) -> Need:
    return Need(number, True)


@lru_cache(256)
def at_most(number: int) -> Need:
    return Need(number, False)


class Reading:
    """How the faces of one throw become a label."""

    __slots__ = ("dice", "label", "total", "until", "weights")

    def __init__(self, dice: Dice, label: Callable[[Faces], Any], until: Callable[[Faces], bool] | None = None) -> None:
        self.dice = dice
        self.label = label
        self.until = until
        self.weights = self.weights_with({})
        self.total = sum([weight for _, weight in self.weights])

    def of(self, faces: Faces) -> Any:
        """The label, or AGAIN where the condition sends the dice back."""
        return AGAIN if self.until and not self.until(faces) else self.label(faces)

    def weights_with(self, fixed: Mapping[str, Face]) -> Weights:
        """Each label with the number of throws that give it, given dice that already lie."""
        counts: dict[Any, int] = {}
        for faces, weight in self.dice.all_faces(fixed):
            label = self.of(faces)
            if label is not AGAIN:
                counts[label] = counts.get(label, 0) + weight
        return tuple(counts.items())


class _SumReading(Reading):
    """A reading by the modified sum alone: sums are convolved, so ten dice cost no more than two."""

    __slots__ = ("_by_total",)

    def __init__(self, dice: Dice, by_total: Callable[[int], Any]) -> None:
        self._by_total = by_total
        super().__init__(dice, lambda faces: by_total(dice.total(faces)))

    def weights_with(self, fixed: Mapping[str, Face]) -> Weights:
        counts: dict[Any, int] = {}
        for total, weight in _sums(self.dice, tuple(sorted(fixed.items()))) if fixed else _sums(self.dice):
            label = self._by_total(total)
            counts[label] = counts.get(label, 0) + weight
        return tuple(counts.items())


class _ChartReading(Reading):
    """By the modified sum, with the few natural throws of the chart taken out and counted on their own."""

    __slots__ = ("_chart", "_column", "_modifier")

    def __init__(self, chart: Chart, dice: Dice, modifier: int, column: str) -> None:
        self._chart, self._modifier, self._column = chart, modifier, column
        super().__init__(dice, lambda faces: chart.read(faces, dice.total(faces) + modifier, column))

    def weights_with(self, fixed: Mapping[str, Face]) -> Weights:
        if fixed:
            return super().weights_with(fixed)
        sums = dict(_sums(self.dice))
        counts: dict[Any, int] = {}
        for natural, label in self._chart.natural.items():
            ways, total = _natural(self.dice, natural)
            if ways:
                sums[total] -= ways
                counts[label] = counts.get(label, 0) + ways
        at, modifier, column = self._chart.at, self._modifier, self._column
        for total, ways in sums.items():
            if ways:
                label = at(total + modifier, column)
                counts[label] = counts.get(label, 0) + ways
        return tuple(counts.items())


@lru_cache(1024)
def _natural(dice: Dice, names: str) -> tuple[int, int]:
    """In how many ways the faces of a natural throw can lie, and their total."""
    wanted = sorted(names.split("+"))
    if len(wanted) != len(dice.slots):
        return 0, 0
    ways, total = 0, 0
    for order in set(permutations(wanted)):
        chosen = [[f for f in s.die.faces if f.name == name] for s, name in zip(dice.slots, order, strict=True)]
        if all(chosen):
            ways += prod(len(c) for c in chosen)
            total = dice.total([c[0] for c in chosen])
    return ways, total


@lru_cache(4096)
def _sums(dice: Dice, fixed: tuple[tuple[str, Face], ...] = ()) -> tuple[tuple[int, int], ...]:
    lying = dict(fixed)
    sums = {0: 1}
    for slot in dice.slots:
        faces = (lying[slot.name],) if slot.name in lying else slot.die.faces
        nxt: dict[int, int] = {}
        for total, weight in sums.items():
            for face in faces:
                nxt[total + face.value] = nxt.get(total + face.value, 0) + weight
        sums = nxt
    if dice.percent:
        sums[100] = sums.pop(0, 0) or sums.pop(100, 0)
        sums = {total: weight for total, weight in sums.items() if weight}
    return tuple(sorted(sums.items()))


@lru_cache(8192)
def test_reading(dice: Dice, modifier: int, need: Need) -> Reading:
    return _SumReading(dice, lambda total: need.met(total + modifier))


@lru_cache(8192)
def table_reading(chart: Chart, dice: Dice, modifier: int, column: str) -> Reading:
    if not chart.natural:
        return _SumReading(dice, lambda total: chart.at(total + modifier, column))

    return _ChartReading(chart, dice, modifier, column)


@lru_cache(1024)
def roll_reading(dice: Dice, until: Callable[[Faces], bool] | None = None) -> Reading:
    return Reading(dice, lambda faces: faces, until)


@lru_cache(1024)
def pick_reading(dice: Dice, count: int) -> Reading:
    """Which of `count` candidates a throw means: equal ranges, what is left over is thrown again."""
    size = (dice.high - dice.low + 1) // count

    def index(faces: Faces) -> int:
        return (dice.total(faces) - dice.low) // size

    return Reading(dice, index, lambda faces: index(faces) < count)


def ranges(dice: Dice, count: int) -> Sequence[str]:
    """The numbers that stand for each candidate, as shown before the throw: `1-2`, `3-4`, `5-6`."""
    size = (dice.high - dice.low + 1) // count
    starts = [dice.low + i * size for i in range(count)]
    return [str(s) if size == 1 else f"{s}-{s + size - 1}" for s in starts]
