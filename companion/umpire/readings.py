"""What a throw is read as: labels, and the weight of each label, so that odds branch on labels and not on faces."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import permutations, product
from typing import Any, TypeAlias

import msgspec

from companion.umpire.charts import Cell, Chart, natural_names
from companion.umpire.dice import Dice, Face, Sums, dice
from companion.umpire.errors import TooLarge, UsageError

Faces: TypeAlias = tuple[Face, ...]
Weights: TypeAlias = tuple[tuple[Any, int], ...]

LIMIT = 200_000
"""Most cases that one question may count."""

AGAIN = object()
"""The label of faces that a condition rejects: they are thrown again."""


class Need(msgspec.Struct, frozen=True, cache_hash=True):
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


class Reading(ABC):
    """How the faces of one throw become a label."""

    until: Callable[[Faces], bool] | None = None
    _weighed: tuple[Weights, int] | None = None

    dice: Dice

    @abstractmethod
    def label(self, faces: Faces) -> Any:
        """The label of faces that count."""

    def of(self, faces: Faces) -> Any:
        """The label, or AGAIN where the condition sends the dice back."""
        return AGAIN if self.until and not self.until(faces) else self.label(faces)

    def weighed(self) -> tuple[Weights, int]:
        """Each label with the number of throws that give it, and the sum of these numbers."""
        if self._weighed is None:
            weights = self._weights({})
            if not weights:
                raise UsageError(f"No throw of {self.dice.words} can ever count here.")
            self._weighed = weights, sum([ways for _, ways in weights])
        return self._weighed

    def weights_with(self, lying: Mapping[str, Face]) -> Weights:
        """The same given dice that lie already; should the condition reject them, all are thrown again."""
        weights = self._weights(lying)
        again = self.dice.ways(lying) - sum([ways for _, ways in weights])
        if not again:
            return weights
        afresh, total = self.weighed()
        return _merged([(x, ways * total) for x, ways in weights] + [(x, ways * again) for x, ways in afresh])

    def _weights(self, lying: Mapping[str, Face]) -> Weights:
        """Each label with its weight; what the condition rejects is left out."""
        return _merged([(self.label(faces), ways) for faces, ways in self._throws(lying)])

    def _throws(self, lying: Mapping[str, Face]) -> list[tuple[Faces, int]]:
        if self.dice.ways(lying) > LIMIT:
            raise TooLarge(f"{self.dice.words} has more than {LIMIT} throws; ask for its total or its hits instead.")
        throws, until = self.dice.all_faces(lying), self.until
        return [throw for throw in throws if until(throw[0])] if until else throws


def _merged(counts: Iterable[tuple[Any, int]]) -> Weights:
    """Each label once."""
    merged: dict[Any, int] = {}
    for label, ways in counts:
        merged[label] = merged.get(label, 0) + ways
    return tuple(merged.items())


class _RollReading(Reading):
    """The faces themselves are the label."""

    def __init__(self, dice: Dice, until: Callable[[Faces], bool] | None) -> None:
        self.dice, self.until = dice, until

    def label(self, faces: Faces) -> Faces:
        return faces

    def _weights(self, lying: Mapping[str, Face]) -> Weights:
        return tuple(self._throws(lying))


class _PickReading(Reading):
    """Which of `count` candidates a throw means: equal ranges, what is left over is thrown again."""

    def __init__(self, dice: Dice, count: int) -> None:
        self.dice, self.size = dice, dice.high // count
        self.until = lambda faces: self.label(faces) < count

    def label(self, faces: Faces) -> int:
        return (self.dice.total(faces) - 1) // self.size


class _TotalReading(Reading):
    """By the modified sum. Sums are convolved, so ten dice cost no more than two."""

    def __init__(self, dice: Dice, modifier: int) -> None:
        self.dice, self.modifier = dice, modifier

    def label(self, faces: Faces) -> Any:
        return self.dice.total(faces) + self.modifier

    def _weights(self, lying: Mapping[str, Face]) -> Weights:
        low, ways = self._sums(lying)
        return tuple([(total, n) for total, n in enumerate(ways, low + self.modifier) if n])

    def _sums(self, lying: Mapping[str, Face]) -> Sums:
        return self.dice.sums_with(lying) if lying else _sums(self.dice)


class _TestReading(_TotalReading):
    """Whether the modified sum reaches the need."""

    def __init__(self, dice: Dice, modifier: int, need: Need) -> None:
        self.dice, self.modifier, self.need = dice, modifier, need

    def label(self, faces: Faces) -> bool:
        return self.need.met(self.dice.total(faces) + self.modifier)

    def _weights(self, lying: Mapping[str, Face]) -> Weights:
        low, ways = self._sums(lying)
        number, least = self.need.number, self.need.least
        lower = max(0, number - self.modifier - low + (not least))
        below, above = sum(ways[:lower]), sum(ways[lower:])
        if below and above:
            return ((not least, below), (least, above))
        return ((least, above),) if above else ((not least, below),)


class _HitsReading(_TotalReading):
    """How many dice reach the need, each on its own: a sum of ones and noughts."""

    def __init__(self, dice: Dice, need: Need) -> None:
        self.dice, self.modifier, self.need = dice, 0, need

    def label(self, faces: Faces) -> int:
        return sum([self.need.met(face.value) for face in faces])

    def _sums(self, lying: Mapping[str, Face]) -> Sums:
        sides = [((lying[s.name], 1),) if s.name in lying else s.die.sides for s in self.dice.slots]
        ones = [sum([n for face, n in slot if self.need.met(face.value)]) for slot in sides]
        noughts = [sum([n for _, n in slot]) - one for slot, one in zip(sides, ones, strict=True)]
        return reduce(Sums.plus, [Sums(0, both) for both in zip(noughts, ones, strict=True)])


class _ChartReading(_TotalReading):
    """By the modified sum, with the few natural throws of the chart taken out and counted on their own."""

    def __init__(self, chart: Chart, dice: Dice, modifier: int, column: str) -> None:
        self.chart, self.dice, self.modifier, self.column = chart, dice, modifier, column

    def label(self, faces: Faces) -> Cell:
        return self.chart.read(faces, self.dice.total(faces) + self.modifier, self.column)

    def _weights(self, lying: Mapping[str, Face]) -> Weights:
        chart = self.chart
        if lying and chart.natural:
            return Reading._weights(self, lying)
        low, ways = self._sums(lying)
        natural: list[tuple[Cell, int]] = []
        if chart.natural:
            ways = list(ways)
            for names, label in chart.natural.items():
                for total in _natural(self.dice, names):
                    ways[total - low] -= 1
                    natural.append((label, 1))
        return _merged(natural + chart.weigh(low + self.modifier, ways, self.column))


@lru_cache(1024)
def _natural(dice: Dice, names: str) -> Sequence[int]:
    """The total of each way in which the faces of a natural throw can lie."""
    wanted = natural_names(names, len(dice.slots))
    if len(wanted) != len(dice.slots):
        return ()
    orders = set(permutations(wanted)) if len(set(wanted)) > 1 else (wanted,)
    return [
        dice.total(faces)
        for order in orders
        for faces in product(*[slot.die.named(name) for slot, name in zip(dice.slots, order, strict=True)])
    ]


@lru_cache(4096)
def _sums(dice: Dice) -> Sums:
    return dice.sums_with({})


@lru_cache(8192)
def test_reading(dice: Dice, modifier: int, need: Need) -> Reading:
    return _TestReading(dice, modifier, need)


@lru_cache(8192)
def table_reading(chart: Chart, dice: Dice, modifier: int, column: str) -> Reading:
    return _ChartReading(chart, dice, modifier, column)


@lru_cache(1024)
def total_reading(dice: Dice, modifier: int) -> Reading:
    return _TotalReading(dice, modifier)


@lru_cache(1024)
def hits_reading(dice: Dice, need: Need) -> Reading:
    return _HitsReading(dice, need)


@lru_cache(1024)
def roll_reading(dice: Dice, until: Callable[[Faces], bool] | None = None) -> Reading:
    return _RollReading(dice, until)


@lru_cache(1024)
def pick_reading(dice: Dice, count: int) -> Reading:
    return _PickReading(dice, count)


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
