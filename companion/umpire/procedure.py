"""A procedure of a rulebook: a plain function with a name, a rule, and what may be asked of it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar, get_type_hints

import msgspec

from companion.umpire.errors import Barred, UsageError

if TYPE_CHECKING:
    from companion.umpire.base import Umpire

I = TypeVar("I")  # noqa: E741
R = TypeVar("R")


class Question(msgspec.Struct, frozen=True):
    """A narrower thing to ask the odds of: what of the result is counted, or a lighter procedure that yields it.

    With `subjects` it is one question for each of them, asked as `fate:11`; `of` and `instead` are given the subject
    last.
    """

    text: str
    of: Callable[..., Any]
    instead: Callable[..., Any] | None = None
    subjects: Callable[[Any], Sequence[str]] | None = None


class Procedure(Generic[I, R]):
    """Calling it runs the rule: `fire(umpire, shot)`. `name` is `game.words`."""

    def __init__(
        self,
        run: Callable[[Umpire, I], R],
        name: str,
        title: str,
        rule: str,
        violations: Callable[[I], Sequence[Barred]] | None,
        questions: Mapping[str, Question],
        asks: Mapping[str, str],
        policy: Mapping[str, Any] | None = None,
        cases: Callable[[I], int] | None = None,
    ) -> None:
        self.run, self.name, self.title, self.rule = run, name, title, rule
        self.questions, self.asks, self.policy = dict(questions), dict(asks), dict(policy or {})
        self._violations, self._cases = violations, cases
        self.__doc__ = run.__doc__

    def __call__(self, ump: Umpire, inputs: I) -> R:
        return self.run(ump, inputs)

    def __repr__(self) -> str:
        return f"<procedure {self.name} [{self.rule}]>"

    @property
    def game(self) -> str:
        return self.name.split(".", 1)[0]

    def violations(self, inputs: I) -> tuple[Barred, ...]:
        """Every reason why these inputs are not allowed, at once, before the first ask."""
        return tuple(self._violations(inputs)) if self._violations else ()

    def cases(self, inputs: I) -> int:
        """How many cases the odds of the whole result would count; 0 where nobody knows it beforehand."""
        return self._cases(inputs) if self._cases else 0

    def abouts(self, inputs: I) -> dict[str, str]:
        """What odds may be asked about: `{"outcome": "What happens", "fate:11": "Fate of 11"}`."""
        found: dict[str, str] = {}
        for key, question in self.questions.items():
            if question.subjects is None:
                found[key] = question.text
            else:
                found |= {f"{key}:{s}": f"{question.text} {s}" for s in question.subjects(inputs)}
        return found

    @cached_property
    def _hints(self) -> dict[str, Any]:
        return get_type_hints(self.run)

    @cached_property
    def inputs_type(self) -> type[I]:
        """The type of the second parameter; unknown fields of it are None."""
        second = list(inspect.signature(self.run).parameters)[1]
        return self._hints[second]

    @cached_property
    def result_type(self) -> type[R]:
        return self._hints["return"]

    def inputs(self, given: object) -> I:
        """Inputs from plain data; a wrong one raises one sentence with its place."""
        try:
            return msgspec.convert(given, self.inputs_type, strict=False)
        except msgspec.ValidationError as error:
            raise UsageError(f"{self.name}: {str(error).rstrip('.')}.") from None

    def describe(self) -> dict[str, Any]:
        """JSON Schemas of inputs and result, and the asks that it can make by role."""
        return {
            "procedure": self.name,
            "title": self.title,
            "rule": self.rule,
            "inputs": msgspec.json.schema(self.inputs_type),
            "result": msgspec.json.schema(self.result_type),
            "asks": self.asks,
            "questions": {key: q.text for key, q in self.questions.items()},
        }


def procedure(
    name: str,
    *,
    title: str,
    rule: str,
    violations: Callable[[I], Sequence[Barred]] | None = None,
    questions: Mapping[str, Question] | None = None,
    asks: Mapping[str, str] | None = None,
    policy: Mapping[str, Any] | None = None,
    cases: Callable[[I], int] | None = None,
) -> Callable[[Callable[[Umpire, I], R]], Procedure[I, R]]:
    """Make a rule function known as a procedure; `asks` says for each role what it is for.

    `policy` says by role what odds take the players to decide where nothing has been answered yet. `cases` is for a
    rule whose dice soon have too many cases: odds are then refused before any is counted.
    """

    def wrap(run: Callable[[Umpire, I], R]) -> Procedure[I, R]:
        return Procedure(run, name, title, rule, violations, questions or {}, asks or {}, policy, cases)

    return wrap
