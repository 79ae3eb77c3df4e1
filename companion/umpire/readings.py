"""What a throw is read as: labels, and the weight of each label, so that odds branch on labels and not on faces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from math import prod
from typing import Any, TypeAlias

import msgspec

from companion.umpire.charts import Chart, natural_names
from companion.umpire.dice import Dice, Face, dice
from companion.umpire.errors import TooLarge, UsageError

Faces: TypeAlias = tuple[Face, ...]
Weights: TypeAlias = tuple[tuple[Any, int], ...]

LIMIT = 200_000
"""Most cases that one question may count."""

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

    def __init__(self, dice: Dice, label: Callable[[Faces], Any], until: Callable[[Faces], bool] | None = None) -> None:
        self.dice, self.label, self.until = dice, label, until
        self._weights: Weights | None = None
        self._total = 0

    def of(self, faces: Faces) -> Any:
        """The label, or AGAIN where the condition sends the dice back."""
        return AGAIN if self.until and not self.until(faces) else self.label(faces)

    @property
    def weights(self) -> Weights:
        """Each label with the number of throws that give it."""
        if self._weights is None:
            self._weights = self._counted({})[0]
            self._total = sum([weight for _, weight in self._weights])
        if not self._weights:
            raise UsageError(f"No throw of {self.dice.words} can ever count here.")
        return self._weights

    @property
    def total(self) -> int:
        """The sum of the weights."""
        return self._total if self._weights else sum([weight for _, weight in self.weights])

    def weights_with(self, lying: Mapping[str, Face]) -> Weights:
        """The same given dice that lie already; should the condition reject them, all are thrown again."""
        weights, again = self._counted(lying)
        if not again:
            return weights
        counts = {label: weight * self.total for label, weight in weights}
        for label, weight in self.weights:
            counts[label] = counts.get(label, 0) + weight * again
        return tuple(counts.items())

    def _counted(self, lying: Mapping[str, Face]) -> tuple[Weights, int]:
        """Each label with its weight, and the weight of what the condition rejects."""
        if prod(len(s.die.faces) for s in self.dice.slots if s.name not in lying) > LIMIT:
            raise TooLarge(f"{self.dice.words} has more than {LIMIT} throws; ask for its total or its hits instead.")
        counts: dict[Any, int] = {}
        for faces, weight in self.dice.all_faces(lying):
            label = self.of(faces)
            counts[label] = counts.get(label, 0) + weight
        again = counts.pop(AGAIN, 0)
        return tuple(counts.items()), again


class _SumReading(Reading):
    """A reading by a sum over the dice: sums are convolved, so ten dice cost no more than two."""

    def __init__(self, dice: Dice, by_total: Callable[[int], Any], each: Callable[[Face], int] | None = None) -> None:
        """`each` is what one die adds, its number unless told otherwise."""
        self._by_total, self._each = by_total, each
        total = dice.total if each is None else lambda faces: sum([each(f) for f in faces])
        super().__init__(dice, lambda faces: by_total(total(faces)))

    def _counted(self, lying: Mapping[str, Face]) -> tuple[Weights, int]:
        counts: dict[Any, int] = {}
        sums = _sums(self.dice) if not lying and self._each is None else _convolved(self.dice, lying, self._each)
        for total, weight in sums:
            label = self._by_total(total)
            counts[label] = counts.get(label, 0) + weight
        return tuple(counts.items()), 0


class _ChartReading(Reading):
    """By the modified sum, with the few natural throws of the chart taken out and counted on their own."""

    def __init__(self, chart: Chart, dice: Dice, modifier: int, column: str) -> None:
        self._chart, self._modifier, self._column = chart, modifier, column
        super().__init__(dice, lambda faces: chart.read(faces, dice.total(faces) + modifier, column))

    def _counted(self, lying: Mapping[str, Face]) -> tuple[Weights, int]:
        if lying:
            return super()._counted(lying)
        sums = dict(_sums(self.dice))
        counts: dict[Any, int] = {}
        for natural, label in self._chart.natural.items():
            for total in _natural(self.dice, natural):
                sums[total] -= 1
                counts[label] = counts.get(label, 0) + 1
        modifier = self._modifier
        labels = self._chart.labels([total + modifier for total, ways in sums.items() if ways], self._column)
        for total, ways in sums.items():
            if ways:
                label = labels[total + modifier]
                counts[label] = counts.get(label, 0) + ways
        return tuple(counts.items()), 0


@lru_cache(1024)
def _natural(dice: Dice, names: str) -> tuple[int, ...]:
    """The total of each way in which the faces of a natural throw can lie."""
    wanted = natural_names(names, len(dice.slots))
    if len(wanted) != len(dice.slots):
        return ()
    throws: list[Faces] = []
    for order in set(permutations(wanted)):
        ways: list[Faces] = [()]
        for slot, name in zip(dice.slots, order, strict=True):
            ways = [(*w, face) for w in ways for face in slot.die.faces if face.name == name]
        throws += ways
    return tuple([dice.total(faces) for faces in throws])


@lru_cache(4096)
def _sums(dice: Dice) -> tuple[tuple[int, int], ...]:
    return _convolved(dice, {}, None)


def _convolved(
    dice: Dice, lying: Mapping[str, Face], each: Callable[[Face], int] | None
) -> tuple[tuple[int, int], ...]:
    sums = {0: 1}
    for slot in dice.slots:
        sides = ((lying[slot.name], 1),) if slot.name in lying else slot.die.sides
        added = [(face.value if each is None else each(face), weight) for face, weight in sides]
        after: dict[int, int] = {}
        for total, ways in sums.items():
            for value, weight in added:
                after[total + value] = after.get(total + value, 0) + ways * weight
        sums = after
    if dice.percent and each is None and 0 in sums:
        sums[100] = sums.pop(0)
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
def total_reading(dice: Dice, modifier: int) -> Reading:
    return _SumReading(dice, lambda total: total + modifier)


@lru_cache(1024)
def hits_reading(dice: Dice, need: Need) -> Reading:
    return _SumReading(dice, lambda hits: hits, lambda face: int(need.met(face.value)))


@lru_cache(1024)
def roll_reading(dice: Dice, until: Callable[[Faces], bool] | None = None) -> Reading:
    return Reading(dice, lambda faces: faces, until)


@lru_cache(1024)
def pick_reading(dice: Dice, count: int) -> Reading:
    """Which of `count` candidates a throw means: equal ranges, what is left over is thrown again."""
    size = dice.high // count

    def index(faces: Faces) -> int:
        return (dice.total(faces) - 1) // size

    return Reading(dice, index, lambda faces: index(faces) < count)


def ranges(dice: Dice, count: int) -> Sequence[str]:
    """The numbers that stand for each candidate, as shown before the throw: `1-2`, `3-4`, `5-6`."""
    size = dice.high // count
    return [str(i) if size == 1 else f"{i}-{i + size - 1}" for i in range(1, size * count + 1, size)]


@lru_cache(128)
def die_for(count: int) -> Dice:
    """The smallest die that gives equal ranges without throwing again; else the smallest that is large enough."""
    throws = [dice(spec) for spec in ("d6", "d10", "d20", "d100")]
    fitting = [t for t in throws if t.high % count == 0] or [t for t in throws if t.high >= count]
    if fitting:
        return fitting[0]
    raise UsageError(f"{count} candidates are more than any die can tell apart.")
