"""Durable execution: a procedure in progress is data, and running it again from the start resumes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from contextlib import suppress
from fractions import Fraction
from typing import Any

import msgspec

from companion.umpire.asks import Answer, Ask
from companion.umpire.base import Context, Thrown, Umpire
from companion.umpire.errors import Illegal, Missing, Unused, UsageError
from companion.umpire.lines import Change, Line
from companion.umpire.odds import Odds, Policy, Way, too_many_cases, written
from companion.umpire.procedure import Procedure
from companion.umpire.readings import LIMIT
from companion.umpire.recorded import Memo, Recorded


class Pending(msgspec.Struct, frozen=True):
    """A procedure in progress: enough to resume it after any power cut."""

    procedure: str
    version: str
    inputs: Any
    answers: tuple[Answer, ...] = ()


class Open(msgspec.Struct, frozen=True):
    """It stopped: these asks are open, and these lines stand already."""

    asks: tuple[Ask, ...]
    lines: tuple[Line, ...] = ()


class Done(msgspec.Struct, frozen=True):
    """It is over: the result, its arithmetic, what it changes, the dice it used, the house values it used."""

    result: Any
    lines: tuple[Line, ...]
    changes: tuple[Change, ...] = ()
    thrown: tuple[Thrown, ...] = ()
    house: tuple[str, ...] = ()


def run(procedure: Procedure[Any, Any], inputs: Any, umpire: Umpire) -> Done:
    """Run to the end with an umpire that answers everything, or raise what is missing or not allowed."""
    violations = procedure.violations(inputs)
    if violations:
        raise Illegal(violations)
    result = procedure(umpire, inputs)
    changes = tuple(getattr(result, "changes", ()))
    return Done(result, tuple(umpire.lines), changes, tuple(umpire.thrown), tuple(umpire.house))


def advance(
    procedure: Procedure[Any, Any],
    inputs: Any,
    answers: Iterable[Answer] = (),
    context: Context | None = None,
    memo: Memo | None = None,
) -> Open | Done:
    """As far as the answers reach. Answers that are no longer asked for are left alone; `memo` as in Recorded."""
    umpire = Recorded(context, answers, memo)
    try:
        return run(procedure, inputs, umpire)
    except Missing as missing:
        return Open(missing.asks, tuple(umpire.lines))


def scripted(
    procedure: Procedure[Any, Any], inputs: Any, answers: Iterable[Answer] = (), context: Context | None = None
) -> Done:
    """To the end with just these answers: a missing one and a leftover one both raise."""
    umpire = Recorded(context, answers)
    done = run(procedure, inputs, umpire)
    umpire.check_leftovers()
    return done


class Chance(msgspec.Struct, frozen=True, eq=False):
    """One outcome with its exact chance, and one way to it."""

    result: Any
    chance: Fraction
    way: Way = ((), ())

    @property
    def lines(self) -> tuple[Line, ...]:
        """The arithmetic of that way, written now."""
        return written(self.way)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Chance):
            return NotImplemented
        return (self.result, self.chance, self.lines) == (other.result, other.chance, other.lines)

    def __ne__(self, other: object) -> bool:  # a Struct has its own, by identity
        return not self == other

    def __hash__(self) -> int:
        return hash((self.result, self.chance))


def odds(
    procedure: Procedure[Any, Any],
    inputs: Any,
    answers: Iterable[Answer] = (),
    context: Context | None = None,
    *,
    about: str = "",
    policy: Policy | None = None,
    seat: str | None = None,
    strict: bool = False,
) -> tuple[Chance, ...]:
    """Exact odds of the result, or of one of the procedure's questions, given the answers that are already in.

    With a `seat`, only what this seat may see is used. An answer that nothing asks for is left alone, or refused if
    `strict`.
    """
    violations = procedure.violations(inputs)
    if violations:
        raise Illegal(violations)
    answers = tuple(answers)
    if not (about or answers) and procedure.cases(inputs) > LIMIT:
        raise too_many_cases()
    run = _body(procedure, inputs, about)
    placed, taken = _placed(procedure, inputs, answers, context)
    umpire = Odds(context, placed, procedure.policy if policy is None else policy, seat)
    weights, total, ways = umpire.count(run, inputs)
    if strict:
        _refuse_leftovers(placed, taken | umpire.used)
    shares = {weight: Fraction(weight, total) for weight in {weight for _, weight in weights}}
    return tuple([Chance(result, shares[weight], ways[result]) for result, weight in weights])


def _refuse_leftovers(answers: Sequence[Answer], used: Set[int]) -> None:
    for i, answer in enumerate(answers):
        if i not in used:
            raise Unused(f"Nothing asks for the answer {answer.address or answer.role!r}.")


def _body(procedure: Procedure[Any, Any], inputs: Any, about: str) -> Callable[[Umpire, Any], Any]:
    if not about:
        return procedure.run
    key, _, subject = about.partition(":")
    question = procedure.questions.get(key)
    if question is None or ((subject or question.subjects) and about not in procedure.abouts(inputs)):
        known = ", ".join(procedure.abouts(inputs)) or "none"
        raise UsageError(f"{procedure.name} has no question {about[:40]!r}; it has {known}.")
    more = (subject,) if question.subjects else ()
    whole, instead, of = procedure.run, question.instead, question.of
    if instead is None:
        return lambda ump, given: of(whole(ump, given), *more)
    return lambda ump, given: of(instead(ump, given, *more), *more)


def _placed(
    procedure: Procedure[Any, Any], inputs: Any, answers: tuple[Answer, ...], context: Context | None
) -> tuple[tuple[Answer, ...], set[int]]:
    """The answers at the addresses that take them, as far as they reach, and which ones were taken."""
    if not answers:
        return (), set()
    umpire = Recorded(context, answers)
    with suppress(Missing):
        procedure.run(umpire, inputs)
    return umpire.placed(), set(umpire.taken)


def odds_by_option(
    procedure: Procedure[Any, Any],
    inputs: Any,
    answers: Sequence[Answer] = (),
    context: Context | None = None,
    *,
    about: str = "",
    policy: Policy | None = None,
    seat: str | None = None,
    eyes: str | None = None,
    strict: bool = False,
) -> dict[str, tuple[Chance, ...]]:
    """Where a decision (of `seat`, if named) is open: the odds of each option allowed; else one entry, ''.

    `eyes` is the seat whose sight limits what is used, where it is not the one that decides.
    """
    sight = seat if eyes is None else eyes

    def given(*more: Answer) -> tuple[Chance, ...]:
        every = (*answers, *more)
        return odds(procedure, inputs, every, context, about=about, policy=policy, seat=sight, strict=strict)

    def rows(ask: Ask) -> dict[str, tuple[Chance, ...]]:
        """Empty where it is not for this seat to decide."""
        if ask.kind != "choose" or ask.space is None or seat not in (None, ask.seat):
            return {}
        return {_key(option): given(Answer(address=ask.address, choice=option)) for option in ask.space.legal}

    now = advance(procedure, inputs, answers, context)
    by_option = rows(now.asks[0]) if isinstance(now, Open) else {}
    if by_option:
        return by_option
    try:
        return {"": given()}
    except Missing as missing:
        by_option = rows(missing.asks[0])
        if not by_option:
            raise
        return by_option


def _key(option: Any) -> str:
    return ", ".join(map(str, option)) if isinstance(option, tuple) else str(option)
