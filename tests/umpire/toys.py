"""Small procedures to try the umpires on, and the slow, plain way to count their odds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from companion.umpire import (
    Answer,
    Change,
    Chart,
    Context,
    Modifier,
    Open,
    Procedure,
    Question,
    Umpire,
    advance,
    at_least,
    at_most,
    dice,
    movement,
    named,
    procedure,
    register,
    row,
)

HULL = named("hull die", ["wings", "wings", "tail", "engine", "guns", "pilot"])
SWING = movement("swing", [-1, 0, 0, 1, 1, 2], [3, 2, 0, 1, None, 0])
register(HULL, SWING)

OUTCOME = Chart(
    "outcome",
    "Outcome",
    "4.6",
    ("effect",),
    (row("<=6", ("none",)), row("7-10", ("damaged",)), row("11-12", ("double",)), row("13+", ("destroyed",))),
    natural={"1+1": "none"},
)
PART = Chart("part", "Part", "4.6.1", ("part",), tuple(row(i, (f.name,)) for i, f in enumerate(HULL.faces, 1)))
SPREAD = Chart("spread", "Spread", "9", ("a", "b"), (row("<=3", (0, 1)), row("4-7", (1, 2)), row("8+", (2, 2))))

CHARTS = {chart.key: chart for chart in (OUTCOME, PART, SPREAD)}


class Shot(msgspec.Struct, frozen=True):
    firepower: int = 4
    durability: int = 5
    column: int = 2
    aim: int = 0


class Fire(msgspec.Struct, frozen=True):
    outcome: str
    part: str = ""

    @property
    def changes(self) -> tuple[Change, ...]:
        return (Change("damage", "target", self.part, rule="4.6.1"),) if self.part else ()


def mod(value: int, code: str = "m", rule: str = "1.1") -> Modifier:
    return Modifier(value, code, code, rule)


def shoot(ump: Umpire, shot: Shot) -> Fire:
    """The shape of gunfire: a test, a chart with a natural throw, a special die."""
    white = dice("d6", "white")
    if not ump.test("targeting", white, [mod(shot.aim, "aim", "4.5.6")], at_least(shot.column), rule="4.5"):
        return Fire("missed")
    power = [mod(shot.firepower, "firepower", "4.6"), mod(-shot.durability, "durability", "4.6")]
    outcome = str(ump.table(OUTCOME, "outcome", dice("2d6", "red"), power))
    part = ump.table(PART, "part", dice("hull die")) if outcome in ("damaged", "double") else ""
    return Fire(outcome, str(part))


fire = procedure(
    "toy.fire",
    title="Fire",
    rule="4.5",
    questions={"outcome": Question("What happens", lambda r: r.outcome), "hit": Question("Hit", str, lambda u, s: s)},
    asks={"targeting": "whether the guns bear", "outcome": "what they do", "part": "where"},
)(shoot)


# --- procedures as data, so that many can be tried


class Step(msgspec.Struct, frozen=True):
    """One ask of a made-up procedure; `after` says that it comes only when the last answer was this."""

    kind: str
    spec: str = "d6"
    number: int = 3
    role: str = "a"
    after: Any = None


def play(ump: Umpire, steps: tuple[Step, ...]) -> tuple[Any, ...]:
    got: list[Any] = []
    for step in steps:
        if step.after is None or (got and got[-1] == step.after):
            got.append(take(ump, step))
    return tuple(got)


def take(ump: Umpire, step: Step) -> Any:
    throw, number, role = dice(step.spec, "red"), step.number, step.role
    match step.kind:
        case "test":
            return ump.test(role, throw, [mod(1)], at_least(number), rule="1")
        case "low":
            return ump.test(role, throw, [], at_most(number), rule="2")
        case "total":
            return ump.total(role, throw, [mod(number)], rule="3")
        case "hits":
            return ump.hits(role, throw, at_least(number), rule="4")
        case "roll":
            return tuple(face.name for face in ump.roll(role, throw, rule="5"))
        case "table":
            return ump.table(SPREAD, role, throw, [mod(number - 3)], column="b")
        case "natural":
            return ump.table(OUTCOME, role, dice("2d6"), [mod(number)])
        case "pick":
            return ump.one_of(role, "abc"[: max(1, number % 4)], rule="6")
        case "call":
            return ump.call(role, play, (Step("test", step.spec, number), Step("total", "d6", 0, after=True)))
        case _:
            return ump.fold(role, worse, 0, range(number % 4))


def worse(ump: Umpire, hits: int, _item: int) -> int:
    return min(2, hits + ump.test("worse", dice("d6"), [mod(hits)], at_least(5), rule="7"))


def made_up(ump: Umpire, steps: tuple[Step, ...]) -> tuple[Any, ...]:
    return play(ump, steps)


any_steps: Procedure[tuple[Step, ...], tuple[Any, ...]] = procedure("toy.steps", title="Steps", rule="0")(made_up)


# --- the plain way


def by_every_face(
    of: Procedure[Any, Any],
    inputs: Any,
    answers: Sequence[Answer] = (),
    context: Context | None = None,
    choices: Mapping[str, Any] = {},
    counts: Callable[[str], bool] = lambda _name: True,
) -> dict[Any, Fraction]:
    """The odds by laying every face of every die that counts, one die at a time."""
    done = advance(of, inputs, answers, context)
    if not isinstance(done, Open):
        return {done.result: Fraction(1)}
    ask = done.asks[0]
    if ask.dice is None:
        chosen = Answer(ask.address, choice=choices[ask.role])
        return by_every_face(of, inputs, [*answers, chosen], context, choices, counts)
    slot = ask.dice.slot(ask.open_slots[0])
    chances: dict[Any, Fraction] = {}
    faces = [face for face in slot.die.faces if counts(face.name)]
    for face in faces:
        more = [*answers, Answer(ask.address, faces={slot.name: face.name})]
        for result, chance in by_every_face(of, inputs, more, context, choices, counts).items():
            chances[result] = chances.get(result, Fraction(0)) + chance / len(faces)
    return chances


def is_one_sentence(error: BaseException) -> bool:
    """One line, one full stop at its end, no words of the machine."""
    text = str(error)
    ends = text.count(". ") + text.endswith(".")
    return "\n" not in text and ends == 1 and not any(word in text for word in ("Traceback", "object at", "<class"))
