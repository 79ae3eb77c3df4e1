"""A procedure without a table: one case in as plain data, its result, its asks or its violations out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random, SystemRandom
from typing import Any, Literal

import msgspec

from companion.game import own, registry
from companion.game.chances import chance_data
from companion.game.errors import Illegal, Missing, TooLarge, UsageError
from companion.game.statuses import DONE, ILLEGAL, MISSING, TOO_LARGE, USAGE
from companion.game.views import barred_data, space_data
from companion.umpire import (
    Answer,
    Ask,
    Book,
    CompanionError,
    Context,
    Done,
    Filled,
    Open,
    Procedure,
    advance,
    odds_by_option,
    scripted,
)

LARGEST = 4 * 1024 * 1024
"""Bytes that a case may have."""

ANSWERS = 2000
MOST_DICE = 2000


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a procedure is run with. `house` says what house values may do, as at a table."""

    inputs: dict[str, Any] = {}
    switches: dict[str, Any] = {}
    answers: list[Answer] = []
    house: Literal["use", "ask", "refuse"] = "use"


Outcome = tuple[dict[str, Any], int]
"""Plain data, and how it ended."""

Figures = Mapping[tuple[str, ...], Filled]
"""Cells over those of the game's own packs."""

NO_FIGURES: Figures = {}


def case_of(name: str, raw: bytes | str, fields: Sequence[str] = (), answers: str | None = None) -> Case:
    """A case from JSON, with `field=value` over its inputs and more answers; raises one sentence with its place."""
    case: Case = _decoded(raw, Case, "The input")
    if answers is not None:
        more: list[Answer] = _decoded(answers, list[Answer], "The list of answers")
        case = msgspec.structs.replace(case, answers=[*case.answers, *more])
    return with_fields(name, case, fields)


def _decoded(raw: bytes | str, kind: Any, what: str) -> Any:
    if len(raw) > LARGEST:
        raise UsageError(f"{what} is longer than {LARGEST} bytes; split it.")
    try:
        return msgspec.json.decode(raw, type=kind)
    except RecursionError:
        raise UsageError(f"{what} is nested too deeply.") from None
    except (msgspec.MsgspecError, UnicodeError, ValueError) as error:
        raise UsageError(f"{what} does not fit: {str(error).rstrip('.')}.") from None


def read_object(raw: bytes | str, what: str) -> dict[str, Any]:
    found: dict[str, Any] = _decoded(raw, dict[str, Any], what)
    return found


def read_objects(raw: bytes | str, what: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = _decoded(raw, list[dict[str, Any]], what)
    return found


# --- fields given one by one


def with_fields(name: str, case: Case, given: Sequence[str]) -> Case:
    """The case with `field=value` over its inputs; dots lead into a field, a value may be JSON.

    A bare number is taken as a number where that fits the procedure, else as the text that was written.
    """
    if not given:
        return case
    procedure = registry.procedure(name)
    as_json, as_text = (merged(case.inputs, given, scalar) for scalar in (value_of, str))
    try:
        procedure.inputs(as_json)
    except UsageError:
        try:
            procedure.inputs(as_text)
        except UsageError:
            return msgspec.structs.replace(case, inputs=as_json)
        return msgspec.structs.replace(case, inputs=as_text)
    return msgspec.structs.replace(case, inputs=as_json)


def value_of(text: str) -> Any:
    """What was written, as JSON where it is JSON, else as the text itself."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return text


def merged(inputs: Mapping[str, Any], given: Sequence[str], scalar: Callable[[str], Any] = value_of) -> dict[str, Any]:
    """Inputs with `field=value` over them."""
    over: dict[str, Any] = msgspec.json.decode(encoded(inputs))  # a deep copy
    for assignment in given:
        path, equals, value = assignment.partition("=")
        if not equals or not path:
            raise UsageError(f"{assignment[:40]!r} is no field; write field=value.")
        _put(over, path.split("."), value_of(value) if value[:1] in ('"', "[", "{") else scalar(value), path)
    return over


def _put(inside: dict[str, Any], path: list[str], value: Any, whole: str) -> None:
    *outer, last = path
    for part in outer:
        inside = inside.setdefault(part, {})
        if not isinstance(inside, dict):
            raise UsageError(f"{whole[:40]!r} leads into a field that has a plain value already.")
    inside[last] = value


# --- running one case


def resolve(name: str, case: Case, *, roll: bool = False, seed: str = "", figures: Figures = NO_FIGURES) -> Outcome:
    """The result with its lines and changes, or what is asked, or what the rules do not allow.

    With `roll` the machine throws the dice that have not been answered, repeatably with a seed; what players decide
    or see on the table is asked all the same. `figures` are those of players' own packs.
    """
    rng = (Random(seed) if seed else SystemRandom()) if roll else None
    return guarded(lambda: _resolved(name, case, rng, figures))


def _resolved(name: str, case: Case, rng: Random | None, figures: Figures) -> Outcome:
    procedure, inputs, context = _prepared(name, case, figures)
    answers = list(case.answers)
    outcome = advance(procedure, inputs, answers, context)
    while isinstance(outcome, Open) and rng is not None and (thrown := _thrown(outcome.asks, rng)):
        answers += thrown
        if len(answers) > ANSWERS + MOST_DICE:
            raise UsageError(f"{name} asked for more than {MOST_DICE} throws; give some answers.")
        outcome = advance(procedure, inputs, answers, context)
    if isinstance(outcome, Open):
        return {"asks": [ask_data(ask) for ask in outcome.asks]}, MISSING
    done = scripted(procedure, inputs, answers, context)
    return _result(registry.book(procedure.game), done, context), DONE


def _thrown(asks: Sequence[Ask], rng: Random) -> list[Answer]:
    """A throw for each open die, drawn without bias."""
    return [
        Answer(
            address=ask.address,
            faces={s.name: rng.choice(s.die.faces).name for s in ask.dice.slots if s.name in ask.open_slots},
        )
        for ask in asks
        if ask.dice is not None
    ]


def _result(game: Book, done: Done, context: Context) -> dict[str, Any]:
    return {
        "result": msgspec.to_builtins(done.result),
        "lines": [{"text": line.text, "rule": line.rule} for line in done.lines],
        "changes": msgspec.to_builtins(done.changes),
        "dice": msgspec.to_builtins(done.thrown),
        "rules": f"{game.key} {game.version}",
        "switches": dict(context.switches),
        "packs": sorted({cell.source for cell in context.cells.values()} - {"", "text"}),
        "house": list(done.house),
    }


def odds(name: str, case: Case, *, about: str = "", figures: Figures = NO_FIGURES) -> Outcome:
    """Exact chances; where a decision is open, a row for each option. `percent` is rounded, the fraction is exact."""
    return guarded(lambda: _odds(name, case, about, figures))


def _odds(name: str, case: Case, about: str, figures: Figures) -> Outcome:
    procedure, inputs, context = _prepared(name, case, figures)
    found = odds_by_option(procedure, inputs, case.answers, context, about=about, strict=True)
    rows = [
        {**({"option": option} if option else {}), **chance_data(chance)}
        for option, chances in found.items()
        for chance in sorted(chances, key=lambda c: c.chance, reverse=True)
    ]
    return {"outcomes": rows, "exact": True}, DONE


def _prepared(name: str, case: Case, figures: Figures) -> tuple[Procedure[Any, Any], Any, Context]:
    if len(case.answers) > ANSWERS:
        raise UsageError(f"More than {ANSWERS} answers were given.")
    for answer in case.answers:
        if not (answer.address or answer.role):
            raise UsageError("An answer needs the address or the role that it is for.")
    procedure = registry.procedure(name)
    game = registry.book(procedure.game)
    context = Context(switches_of(game, case.switches), {**_cells(game.key), **figures}, case.house)
    inputs = procedure.inputs(case.inputs)
    strange = _unknown(case.inputs, msgspec.to_builtins(inputs))
    if strange:
        raise UsageError(f"{name} has no field {strange[:60]!r}; `companion describe {name}` lists them.")
    return procedure, inputs, context


def _unknown(given: Any, taken: Any, path: str = "") -> str:
    """The first field that was given and not taken up, such as `target.hights`; '' where there is none."""
    if isinstance(given, dict) and isinstance(taken, dict):
        for key, value in given.items():
            if found := path + key if key not in taken else _unknown(value, taken[key], f"{path}{key}."):
                return found
    elif isinstance(given, (list, tuple)) and isinstance(taken, (list, tuple)):
        return next((f for g, t in zip(given, taken, strict=False) if (f := _unknown(g, t, path))), "")
    return ""


def switches_of(game: Book, given: Mapping[str, Any]) -> dict[str, Any]:
    """Every switch of the game with its value; a wrong one raises."""
    for key, value in given.items():
        if key not in game.switches:
            raise UsageError(f"{game.title} has no switch {key[:40]!r}; it has {', '.join(game.switches)}.")
        allowed = game.switches[key].values or (True, False)
        if value not in allowed:
            known = ", ".join(str(v).lower() if isinstance(v, bool) else v for v in allowed)
            raise UsageError(f"The switch {key} cannot be {str(value)[:40]!r}; choose {known}.")
    return {key: given.get(key, switch.default) for key, switch in game.switches.items()}


@cache
def _cells(key: str) -> Mapping[tuple[str, ...], Filled]:
    return registry.book(key).cells()


def figures_of(name: str, packs: Sequence[Path]) -> Figures:
    """What the packs of players give a procedure's game; raises with every fault of theirs."""
    return own.read_all(packs, registry.procedure(name).game)


def guarded(do: Callable[[], Outcome]) -> Outcome:
    """What can go wrong with a case, as data."""
    try:
        return do()
    except Illegal as refused:
        return {"violations": [barred_data(v) for v in refused.violations]}, ILLEGAL
    except Missing as missing:
        return {"asks": [ask_data(ask) for ask in missing.asks]}, MISSING
    except TooLarge as error:
        return failure(str(error), TOO_LARGE)
    except CompanionError as error:
        return failure(str(error), USAGE)
    except RecursionError:
        return failure("This never ends: equal dice are thrown again and again; answer some asks.", TOO_LARGE)
    except (LookupError, ValueError, TypeError, AttributeError, ArithmeticError) as error:
        # inputs of the right form that no game can come to, such as a hand of minus two cards
        what = f"{type(error).__name__}: {error}"[:120]
        return failure(f"No game comes to these inputs ({what}); compare them with `companion describe`.", USAGE)


def sentence(data: Mapping[str, Any]) -> str:
    """What stopped a case, for a reader."""
    if "violations" in data:
        return " ".join(f"{v['text'].rstrip('.')} [{v['rule']}]." for v in data["violations"])
    if "asks" in data:
        return "An answer is missing: " + "; ".join(f"{a['address']} ({a['text']})" for a in data["asks"]) + "."
    return str(data["error"])


def check_name(name: str) -> None:
    """Raise where there is no such procedure."""
    registry.procedure(name)


def failure(sentence: str, status: int = USAGE) -> Outcome:
    return {"error": sentence, "status": status}, status


# --- as data


def ask_data(ask: Ask) -> dict[str, Any]:
    """An open ask for a program: where the answer goes, which dice are still open, what may be chosen."""
    data: dict[str, Any] = {
        "address": ask.address, "role": ask.role, "kind": ask.kind, "text": ask.text, "rule": ask.rule,
        "seat": ask.seat,
    }  # fmt: skip
    if ask.dice is not None:
        slots = [s for s in ask.dice.slots if s.name in ask.open_slots]
        data["dice"] = [{"slot": s.name, "kind": s.die.kind, "faces": list(s.die.names)} for s in slots]
        data["needs"], data["chart"] = ask.needs, ask.chart
    if ask.space is not None:
        data["space"] = space_data(ask.space)
    if ask.kind == "draw":
        data["count"] = ask.count
    return data


def describe(name: str) -> dict[str, Any]:
    """JSON Schemas of inputs and result, the asks by role, the questions for odds, the game's switches."""
    procedure = registry.procedure(name)
    game = registry.book(procedure.game)
    questions = {f"{key}:NAME" if q.subjects else key: q.text for key, q in procedure.questions.items()}
    return procedure.describe() | {"questions": questions, "switches": msgspec.to_builtins(dict(game.switches))}


def writable(outcome: Outcome) -> Outcome:
    """The outcome, or that JSON cannot hold it."""
    try:
        encoded(outcome[0])
    except UsageError as error:
        return failure(str(error))
    return outcome


def pretty(data: Any) -> bytes:
    return msgspec.json.format(encoded(data), indent=2)


def encoded(data: Any) -> bytes:
    """Plain data as JSON; a number that JSON tools cannot hold raises one sentence."""
    try:
        return msgspec.json.encode(data)
    except (OverflowError, RecursionError, UnicodeError):
        raise UsageError("A number or a text of this case cannot be written as JSON; use smaller ones.") from None
