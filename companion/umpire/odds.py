"""The odds umpire: takes every answer that dice can give, with integer weights, and counts the results exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import gcd, lcm
from typing import Any, NamedTuple, TypeAlias, TypeVar

import msgspec

from companion.umpire.asks import Answer, Ask, role_of
from companion.umpire.base import AskAt, Context, LineOf, Umpire
from companion.umpire.dice import Face
from companion.umpire.errors import Missing, TooLarge, UsageError, answered_at
from companion.umpire.lines import Line
from companion.umpire.readings import AGAIN, LIMIT, Reading, Weights

R = TypeVar("R")
S = TypeVar("S")
T = TypeVar("T")

RESULTS = 50_000
"""Different results that are counted at most: nobody reads more of them."""

Policy: TypeAlias = Mapping[str, Any]
"""What the players are taken to answer, by role: the answer, or what gives it for an ask."""

Way: TypeAlias = tuple[tuple["Step", ...], tuple[Any, ...]]
"""How a result comes about: the steps, and the label that each takes."""


class Counted(NamedTuple):
    """Every result with its weight, the sum of the weights, and one way to each."""

    weights: Weights
    total: int
    ways: Mapping[Any, Way]


class Step(msgspec.Struct, eq=False, gc=False):
    """One step of a run: what its labels say on the slip, the branches not yet taken, where the run stood before."""

    says: LineOf | Line | Mapping[Any, Way] | None
    branches: Iterator[tuple[Any, int]]
    weight: int
    scale: int
    """The scale with this step taken; `weight` is the one before it."""
    numbered: int


_NO_BRANCH: Iterator[tuple[Any, int]] = iter(())


def too_many_cases() -> TooLarge:
    return TooLarge(f"There are more than {LIMIT} cases; ask about one part, or answer some asks.")


def written(way: Way) -> tuple[Line, ...]:
    """The lines of a way; odds write them only where somebody reads them."""
    lines: list[Line] = []
    for step, label in zip(*way, strict=True):
        says = step.says
        if isinstance(says, Line):
            lines.append(says)
        elif isinstance(says, Mapping):
            lines += written(says[label])
        elif says:
            lines.append(says(label, ()))
    return tuple(lines)


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
        self._steps: list[Step] = []
        self._labels: list[Any] = []
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

    def count(self, run: Callable[..., Any], *args: Any) -> Counted:
        """Every result of `run(self, *args)`. All time is spent here, so it is one loop: run, count, turn."""
        outer = self._steps, self._labels, self._known, self._weight, self._scale
        numbered, steps, labels = self._numbered, list[Step](), list[Any]()
        self._steps, self._labels, self._weight, self._scale = steps, labels, 1, 1
        start, total = len(numbered), 1
        counts: dict[Any, int] = {}
        ways: dict[Any, Way] = {}
        try:
            while True:
                self._known = iter(labels)
                result = run(self, *args)
                if total % self._scale:
                    counts, total = _finer(counts, total, self._scale)
                weight = self._weight * (total // self._scale)
                try:
                    before = counts.get(result, 0)
                except TypeError:
                    raise UsageError(
                        f"Odds count results by their hash, which {type(result).__name__} lacks."
                    ) from None
                if not before:
                    if len(ways) >= RESULTS:
                        raise TooLarge(f"There are more than {RESULTS} results; ask about one part of them.")
                    ways[result] = tuple(steps), tuple(labels)
                counts[result] = before + weight
                self.leaves += 1
                if self.leaves > LIMIT:
                    raise too_many_cases()
                while steps:  # back to the last one with a branch left; the steps before it stay as they were
                    step = steps[-1]
                    branch = next(step.branches, None)
                    if branch:
                        break
                    del steps[-1], labels[-1]
                else:
                    return Counted(tuple(counts.items()), total, ways)
                labels[-1], weight = branch
                self._weight, self._scale = step.weight * weight, step.scale
                del numbered[step.numbered :]
        finally:
            self._steps, self._labels, self._known, self._weight, self._scale = outer
            del numbered[start:]

    def _settle(self, value: T, line: Line | None = None) -> T:
        self._steps.append(Step(line, _NO_BRANCH, 0, 0, 0))
        self._labels.append(value)
        return value

    def _branch(self, weights: Weights, total: int, says: LineOf | Mapping[Any, Way]) -> Any:
        branches = iter(weights)
        label, weight = next(branches)
        self._scale *= total
        self._steps.append(Step(says, branches, self._weight, self._scale, len(self._numbered)))
        self._labels.append(label)
        self._weight *= weight
        return label

    # --- addresses: a role that comes again is numbered, and a branch that is left gives its numbers back

    def _address(self, role: str) -> str:
        full = self._path + role
        self._numbered.append(full)
        count = self._numbered.count(full)
        return full if count == 1 else f"{full}#{count}"

    # --- answers

    def _throw(self, address: str, reading: Reading, ask: AskAt, line: LineOf) -> Any:
        weights, total = reading.weighed()
        if self._given or self._by_role:
            weights = self._given_throw(address, reading)
            total = sum([w for _, w in weights])
        return self._branch(weights, total, line)

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
        return reading.weighed()[0]

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
        result: R = self._branch(weights, total, ways)
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
            known = self._memo[key] = self.count(partial(procedure, **kw) if kw else procedure, *args)
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
        for known in self._known:
            return known
        so_far = Counted(((state, 1),), 1, {state: ((), ())})
        outer = self._path
        try:
            for i, item in enumerate(items):
                self._path = self._address(f"{role}:{names[i] if names else i + 1}") + "/"
                so_far = self._then(so_far, procedure, item)
                self._path = outer
        finally:
            self._path = outer
        result: S = self._branch(so_far.weights, so_far.total, so_far.ways)
        return result

    def _then(self, before: Counted, procedure: Callable[..., Any], item: Any) -> Counted:
        """The states after one more item."""
        steps = [(state, weight, self._counted(procedure, (state, item), {})) for state, weight in before.weights]
        scale = lcm(*(step.total for _, _, step in steps))
        after: dict[Any, int] = {}
        ways: dict[Any, Way] = {}
        for state, weight, step in steps:
            for result, ways_there in step.weights:
                after[result] = after.get(result, 0) + weight * ways_there * (scale // step.total)
                if result not in ways:
                    ways[result] = _joined(before.ways[state], step.ways[result])
        common = gcd(*after.values(), before.total * scale)
        return Counted(tuple((r, w // common) for r, w in after.items()), before.total * scale // common, ways)


def _joined(first: Way, then: Way) -> Way:
    return first[0] + then[0], first[1] + then[1]


def _finer(counts: Mapping[Any, int], total: int, scale: int) -> tuple[dict[Any, int], int]:
    """The counts so far over a total that `scale` divides as well."""
    finer = lcm(total, scale)
    return {result: weight * (finer // total) for result, weight in counts.items()}, finer
