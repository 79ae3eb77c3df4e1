"""The odds umpire: takes every answer that dice can give, with integer weights, and counts the results exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, TypeAlias, TypeVar

from companion.umpire.asks import Answer
from companion.umpire.base import AskAt, Context, LineOf, Umpire
from companion.umpire.errors import Missing, TooLarge, UsageError
from companion.umpire.lines import Line
from companion.umpire.readings import Reading, Weights

R = TypeVar("R")
S = TypeVar("S")
T = TypeVar("T")

LIMIT = 200_000
"""Most leaves that one question may visit."""

Counted: TypeAlias = tuple[Weights, int]
"""Results with their weights, and the sum of the weights."""

Policy: TypeAlias = Mapping[str, Any]
"""What the other side is taken to answer, by role."""


class _Step:
    """One step of a run: its label now, the labels that it can have, and where the run stood before it."""

    __slots__ = ("index", "label", "line", "lines", "scale", "total", "weight", "weights")

    def __init__(self, label: Any, weights: Weights, total: int, line: Callable[[Any], Line] | None) -> None:
        self.label, self.weights, self.total, self.line = label, weights, total, line
        self.index = 0
        self.lines, self.weight, self.scale = 0, 1, 1


class Odds(Umpire):
    """Walks every branch by running the rule again; steps that are known from the last run cost next to nothing.

    The rule is pure, so the same answers lead to the same steps. One instance answers one question.
    """

    def __init__(
        self, context: Context | None = None, answers: Iterable[Answer] = (), policy: Policy | None = None
    ) -> None:
        super().__init__(context)
        self.used: set[str] = set()
        self.leaves = 0
        self._given = {a.address: a.given for a in answers}
        self._policy = policy or {}
        self._memo: dict[Any, Counted] = {}
        self._steps: list[_Step] = []
        self._weight = self._scale = 1

    def count(self, run: Callable[..., Any], *args: Any, **kw: Any) -> tuple[Counted, dict[Any, tuple[Line, ...]]]:
        """Every result of `run(self, *args)` with its weight, and the lines of one way to each."""
        outer = self._steps, self._at, self._known, self._weight, self._scale, self.lines, self._counts
        self._steps, self._at, self._known, self._weight, self._scale, self.lines = [], 0, 0, 1, 1, []
        sums: dict[Any, dict[int, int]] = {}
        ways: dict[Any, tuple[Line, ...]] = {}
        try:
            while True:
                self._counts = outer[6].copy()
                self._tally(run(self, *args, **kw), sums, ways)
                if not self._next_branch():
                    return _common(sums), ways
                self._at, self._known = 0, len(self._steps)
        finally:
            self._steps, self._at, self._known, self._weight, self._scale, self.lines, self._counts = outer

    def _tally(self, result: Any, sums: dict[Any, dict[int, int]], ways: dict[Any, tuple[Line, ...]]) -> None:
        self.leaves += 1
        if self.leaves > LIMIT:
            raise TooLarge(f"There are more than {LIMIT} cases; ask about one part of the result, or answer some asks.")
        by_scale = sums.get(result)
        if by_scale is None:
            by_scale = sums[result] = {}
            ways[result] = tuple(self.lines)
        by_scale[self._scale] = by_scale.get(self._scale, 0) + self._weight

    def _next_branch(self) -> bool:
        steps = self._steps
        while steps:
            step = steps[-1]
            step.index += 1
            if step.index < len(step.weights):
                self._take(step)
                return True
            steps.pop()
        return False

    def _take(self, step: _Step) -> None:
        step.label, weight = step.weights[step.index]
        self._weight, self._scale = step.weight * weight, step.scale * step.total
        del self.lines[step.lines :]
        if step.line:
            self.lines.append(step.line(step.label))

    def _again(self) -> Any:
        step = self._steps[self._at]
        self._at += 1
        return step.label

    def _push(self, step: _Step) -> None:
        step.lines, step.weight, step.scale = len(self.lines), self._weight, self._scale
        self._steps.append(step)
        self._at = self._known = len(self._steps)

    def _settle(self, value: T, line: Line | None = None) -> T:
        self._push(_Step(value, (), 1, None))
        return super()._settle(value, line)

    def _branch(self, weights: Weights, total: int, line: Callable[[Any], Line] | None = None) -> Any:
        step = _Step(None, weights, total, line)
        self._push(step)
        self._take(step)
        return step.label

    def _throw(self, address: str, reading: Reading, ask: AskAt, line: LineOf) -> Any:
        weights, total = reading.weights, reading.total
        if self._given and address in self._given:
            weights = self._lying(address, reading)
            total = sum([w for _, w in weights])
        return self._branch(weights, total, lambda label: line(label, ()))

    def _lying(self, address: str, reading: Reading) -> Weights:
        given = self._given[address]
        self.used.add(address)
        return reading.weights_with(reading.dice.lying(given))

    def _answer(self, address: str, ask: AskAt) -> Any:
        if address in self._given:
            self.used.add(address)
            return self._given[address]
        role = address.rsplit("/", 1)[-1].split("#")[0]
        if role in self._policy:
            return self._policy[role]
        raise Missing((ask(address),))

    def _call(self, procedure: Callable[..., R], args: tuple[Any, ...], kw: dict[str, Any]) -> R:
        weights, total = self._counted(procedure, args, kw)
        result: R = self._branch(weights, total)
        return result

    def _counted(self, procedure: Callable[..., Any], args: tuple[Any, ...], kw: dict[str, Any]) -> Counted:
        """Remembered by its values; by its address too where an answer below it has been given."""
        here = self._path if any(a.startswith(self._path) for a in self._given) else ""
        key = (procedure, args, tuple(sorted(kw.items())), here)
        try:
            known = self._memo.get(key)
        except TypeError:
            raise UsageError(f"Odds can only remember hashable values, which {args!r} are not.") from None
        if known is None:
            known, _ = self.count(procedure, *args, **kw)
            self._memo[key] = known
        return known

    def fold(
        self,
        role: str,
        procedure: Callable[[Umpire, S, T], S],
        state: S,
        items: Sequence[T],
        *,
        names: Sequence[str] = (),
    ) -> S:
        """Equal states are merged after each item, so the cost grows with the states and not with the paths."""
        if self._at < self._known:
            return self._again()
        states: dict[S, Fraction] = {state: Fraction(1)}
        outer = self._path
        for i, item in enumerate(items):
            self._path = self._address(f"{role}:{names[i] if names else i + 1}") + "/"
            states = self._step(procedure, states, item)
            self._path = outer
        scale = lcm(*(f.denominator for f in states.values()))
        weights = tuple((s, f.numerator * (scale // f.denominator)) for s, f in states.items())
        result: S = self._branch(weights, scale)
        return result

    def _step(self, procedure: Callable[..., S], states: Mapping[S, Fraction], item: Any) -> dict[S, Fraction]:
        after: dict[S, Fraction] = {}
        for state, chance in states.items():
            weights, total = self._counted(procedure, (state, item), {})
            for result, weight in weights:
                after[result] = after.get(result, Fraction(0)) + chance * Fraction(weight, total)
        return after


def _common(sums: Mapping[Any, Mapping[int, int]]) -> Counted:
    """Weights over one common scale."""
    scale = lcm(*{s for by_scale in sums.values() for s in by_scale})
    weights = tuple(
        (result, sum(weight * (scale // s) for s, weight in by_scale.items())) for result, by_scale in sums.items()
    )
    return weights, scale
