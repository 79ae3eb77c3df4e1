"""Durable execution: a procedure in progress is data, and running it again from the start resumes it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from companion.umpire.asks import Answer, Ask
from companion.umpire.base import Context, Thrown, Umpire
from companion.umpire.errors import Illegal, Missing, UsageError
from companion.umpire.lines import Change, Line
from companion.umpire.odds import Odds, Policy
from companion.umpire.procedure import Procedure
from companion.umpire.recorded import Recorded


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
    procedure: Procedure[Any, Any], inputs: Any, answers: Iterable[Answer], context: Context | None = None
) -> Open | Done:
    """As far as the answers reach. Answers that are no longer asked for are left alone."""
    umpire = Recorded(context, answers)
    try:
        return run(procedure, inputs, umpire)
    except Missing as missing:
        return Open(missing.asks, tuple(umpire.lines))


def scripted(
    procedure: Procedure[Any, Any], inputs: Any, answers: Iterable[Answer], context: Context | None = None
) -> Done:
    """To the end with just these answers: a missing one and a leftover one both raise."""
    umpire = Recorded(context, answers)
    done = run(procedure, inputs, umpire)
    umpire.check_leftovers()
    return done


class Chance(msgspec.Struct, frozen=True):
    """One outcome with its exact chance, and the arithmetic of one way to it."""

    result: Any
    chance: Fraction
    lines: tuple[Line, ...] = ()


def odds(
    procedure: Procedure[Any, Any],
    inputs: Any,
    answers: Iterable[Answer] = (),
    context: Context | None = None,
    *,
    about: str = "",
    policy: Policy | None = None,
) -> tuple[Chance, ...]:
    """Exact odds of the result, or of one of the procedure's questions, given the answers that are already in."""
    violations = procedure.violations(inputs)
    if violations:
        raise Illegal(violations)
    question = procedure.questions.get(about)
    if about and not question:
        known = ", ".join(procedure.questions) or "none"
        raise UsageError(f"{procedure.name} has no question {about!r}; it has {known}.")
    body = question.instead if question and question.instead else procedure.run
    umpire = Odds(context, answers, policy)
    if question:
        of = question.of
        (weights, total), ways = umpire.count(lambda ump, given: of(body(ump, given)), inputs)
    else:
        (weights, total), ways = umpire.count(body, inputs)
    return tuple(Chance(result, Fraction(weight, total), ways[result]) for result, weight in weights)


def odds_by_option(
    procedure: Procedure[Any, Any],
    inputs: Any,
    answers: Sequence[Answer] = (),
    context: Context | None = None,
    *,
    about: str = "",
    policy: Policy | None = None,
) -> dict[str, tuple[Chance, ...]]:
    """Where a decision of one's own is open: the odds of each option that is allowed; else one entry, ''."""
    try:
        return {"": odds(procedure, inputs, answers, context, about=about, policy=policy)}
    except Missing as missing:
        ask = missing.asks[0]
        if ask.kind != "choose" or ask.space is None or not ask.space.legal:
            raise
        return {
            str(key): odds(
                procedure,
                inputs,
                (*answers, Answer(address=ask.address, choice=key)),
                context,
                about=about,
                policy=policy,
            )
            for key in ask.space.legal
        }
