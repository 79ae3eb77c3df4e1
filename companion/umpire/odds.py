"""The odds umpire: takes every answer that dice can give, with integer weights, and counts the results exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import gcd, lcm
from typing import Any, NamedTuple, TypeAlias, TypeVar

from companion.umpire.asks import Answer, Ask, role_of
from companion.umpire.base import AskAt, Context, LineOf, Umpire
from companion.umpire.dice import Face
from companion.umpire.errors import Missing, TooLarge, UsageError, answered_at
from companion.umpire.lines import Line
from companion.umpire.readings import AGAIN, LIMIT, Reading, Weights

R = TypeVar("R")
S = TypeVar("S")
T = TypeVar("T")

Policy: TypeAlias = Mapping[str, Any]
"""What the players are taken to answer, by role: the answer, or what gives it for an ask."""

Ways: TypeAlias = Mapping[Any, tuple[Line, ...]]
"""The lines of one way to each result."""


class Counted(NamedTuple):
    """Every result with its weight, the sum of the weights, and the lines of one way to each."""

    weights: Weights
    total: int
    ways: Ways


class _Step:
    """One step of a run: its label now, the labels that it can have, and where the run stood before it."""

    __slots__ = ("counted", "index", "label", "last", "line", "lines", "scale", "total", "ways", "weight", "weights")

    def __init__(self, label: Any, weights: Weights, total: int, line: LineOf | None, ways: Ways | None) -> None:
        self.label, self.weights, self.total, self.line, self.ways = label, weights, total, line, ways
        self.index = self.counted = 0
        self.last = max(0, len(weights) - 1)
        self.weight = self.scale = 1
        self.lines: tuple[Line, ...] | None = None

    def written(self) -> tuple[Line, ...]:
        if self.ways is not None:
            return self.ways[self.label]
        return (self.line(self.label, ()),) if self.line else ()


class Odds(Umpire):
    """Walks every branch by running the rule again; steps that are known from the last run cost next to nothing.

    The rule is pure, so the same answers lead to the same steps. One instance answers one question. With a `seat`,
    answers that this seat may not see are not used.
    """

    def __init__(
        self,
        context: Context | None = None,
        answers: Iterable[Answer] = (),
        policy: Policy | None = None,
        seat: str | None = None,
    ) -> None:
        super().__init__(context)
        self.used: set[int] = set()
        """The answers that were used, by their place."""
        self.leaves = 0
        self._answers = tuple(answers)
        self._given: dict[str, list[int]] = {}
        self._by_role: dict[str, list[int]] = {}
        self._policy = policy or {}
        self._seat = seat
        self._memo: dict[Any, Counted] = {}
        self._steps: list[_Step] = []
        self._numbered: list[str] = []
        self._weight = self._scale = 1
        for i, answer in enumerate(self._answers):
            self._accept(i, answer)

    def _accept(self, index: int, answer: Answer) -> None:
        if answer.address:
            self._given.setdefault(answer.address, []).append(index)
        elif answer.role in self._by_role:
            raise UsageError(f"Odds cannot tell which {answer.role!r} each answer is for; give the answers an address.")
        else:
            self._by_role[answer.role] = [index]

    # --- walking the branches

    def count(self, run: Callable[..., Any], *args: Any, **kw: Any) -> Counted:
        """Every result of `run(self, *args)`."""
        outer = self._steps, self._at, self._known, self._weight, self._scale
        steps: list[_Step] = []
        self._steps, self._at, self._known, self._weight, self._scale = steps, 0, 0, 1, 1
        start = len(self._numbered)
        sums: dict[Any, dict[int, int]] = {}
        ways: dict[Any, tuple[Line, ...]] = {}
        try:
            while True:
                result = run(self, *args, **kw)
                self._tally(sums, result)
                if result not in ways:
                    ways[result] = self._way()
                while steps and steps[-1].index == steps[-1].last:
                    steps.pop()
                if not steps:
                    return Counted(*_common(sums), ways)
                self._turn(steps[-1])
                self._at, self._known = 0, len(steps)
        finally:
            self._steps, self._at, self._known, self._weight, self._scale = outer
            self._forget(start)

    def _tally(self, sums: dict[Any, dict[int, int]], result: Any) -> None:
        self.leaves += 1
        if self.leaves > LIMIT:
            raise TooLarge(f"There are more than {LIMIT} cases; ask about one part of the result, or answer some asks.")
        scale = self._scale
        try:
            of_scale = sums[scale]
        except KeyError:
            of_scale = sums[scale] = {}
        try:
            of_scale[result] = of_scale.get(result, 0) + self._weight
        except TypeError:
            raise UsageError(f"Odds can only count hashable results, which {type(result).__name__} is not.") from None

    def _way(self) -> tuple[Line, ...]:
        """The lines of this run; a line is written once for each label that its step takes."""
        lines: list[Line] = []
        for step in self._steps:
            if step.lines is None:
                step.lines = step.written()
            lines += step.lines
        return tuple(lines)

    def _turn(self, step: _Step) -> None:
        """The next branch at a step."""
        step.index += 1
        self._take(step)
        if len(self._numbered) > step.counted:
            self._forget(step.counted)

    def _take(self, step: _Step) -> None:
        step.label, weight = step.weights[step.index]
        step.lines = None
        self._weight, self._scale = step.weight * weight, step.scale * step.total

    def _again(self) -> Any:
        step = self._steps[self._at]
        self._at += 1
        return step.label

    def _push(self, step: _Step) -> None:
        step.weight, step.scale, step.counted = self._weight, self._scale, len(self._numbered)
        self._steps.append(step)
        self._at = self._known = len(self._steps)

    def _settle(self, value: T, line: Line | None = None) -> T:
        self._push(_Step(value, (), 1, (lambda _label, _faces: line) if line else None, None))
        return value

    def _branch(self, weights: Weights, total: int, line: LineOf | None, ways: Ways | None) -> Any:
        step = _Step(None, weights, total, line, ways)
        self._push(step)
        self._take(step)
        return step.label

    # --- addresses: a role that comes again is numbered, and a branch that is left gives its numbers back

    def _address(self, role: str) -> str:
        self._numbered.append(self._path + role)
        return super()._address(role)

    def _forget(self, count: int) -> None:
        while len(self._numbered) > count:
            self._counts[self._numbered.pop()] -= 1

    # --- answers

    def _throw(self, address: str, reading: Reading, ask: AskAt, line: LineOf) -> Any:
        weights, total = reading.weights, reading.total
        if self._given or self._by_role:
            weights = self._given_throw(address, reading)
            total = sum([w for _, w in weights])
        return self._branch(weights, total, line, None)

    def _given_throw(self, address: str, reading: Reading) -> Weights:
        """Each label given the dice that lie; where they were rejected, given those of the next attempt."""
        attempt, again = address, 0
        while answers := self._answers_at(attempt):
            lying: dict[str, Face] = {}
            with answered_at(attempt):
                for answer in answers:
                    lying = answer.lay(reading.dice, lying)
            slots = reading.dice.slots
            if len(lying) < len(slots) or reading.of(tuple(lying[s.name] for s in slots)) is not AGAIN:
                return reading.weights_with(lying)
            again += 1
            attempt = f"{address}~{again}"
        return reading.weights

    def _answers_at(self, address: str) -> list[Answer]:
        """By address, else by role, where an answer stands for every ask of that role."""
        indexes = self._given.get(address)
        if indexes is None:
            indexes = self._by_role.get(role_of(address), []) if "~" not in address else []
        self.used.update(indexes)
        return [self._answers[i] for i in indexes]

    def _answer(self, address: str, ask: AskAt) -> Any:
        answers = self._answers_at(address)
        if answers and self._may_see(ask(address)):
            return answers[-1].given
        role = role_of(address)
        if role in self._policy:
            decided = self._policy[role]
            return decided(ask(address)) if callable(decided) else decided
        raise Missing((ask(address),))

    def _may_see(self, ask: Ask) -> bool:
        """A sealed group is open once all of it is in, and nothing is counted before."""
        return self._seat is None or ask.answer_to != "seat" or ask.seat == self._seat

    # --- results that are remembered

    def _call(self, procedure: Callable[..., R], args: tuple[Any, ...], kw: dict[str, Any]) -> R:
        weights, total, ways = self._counted(procedure, args, kw)
        result: R = self._branch(weights, total, None, ways)
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
            known = self._memo[key] = self.count(procedure, *args, **kw)
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
        so_far = Counted(((state, 1),), 1, {state: ()})
        outer = self._path
        try:
            for i, item in enumerate(items):
                self._path = self._address(f"{role}:{names[i] if names else i + 1}") + "/"
                so_far = self._then(so_far, procedure, item)
                self._path = outer
        finally:
            self._path = outer
        result: S = self._branch(so_far.weights, so_far.total, None, so_far.ways)
        return result

    def _then(self, before: Counted, procedure: Callable[..., Any], item: Any) -> Counted:
        """The states after one more item."""
        steps = [(state, weight, self._counted(procedure, (state, item), {})) for state, weight in before.weights]
        scale = lcm(*(step.total for _, _, step in steps))
        after: dict[Any, int] = {}
        ways: dict[Any, tuple[Line, ...]] = {}
        for state, weight, step in steps:
            for result, ways_there in step.weights:
                after[result] = after.get(result, 0) + weight * ways_there * (scale // step.total)
                if result not in ways:
                    ways[result] = before.ways[state] + step.ways[result]
        common = gcd(*after.values(), before.total * scale)
        return Counted(tuple((r, w // common) for r, w in after.items()), before.total * scale // common, ways)


def _common(sums: Mapping[int, Mapping[Any, int]]) -> tuple[Weights, int]:
    """Weights over one common scale, from those of each scale."""
    total = lcm(*sums)
    counts: dict[Any, int] = {}
    for scale, of_scale in sums.items():
        factor = total // scale
        for result, weight in of_scale.items():
            counts[result] = counts.get(result, 0) + weight * factor
    return tuple(counts.items()), total
