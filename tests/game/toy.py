"""A small game with every kind of ask, so that the game room is tested without any rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.umpire import (
    MOMENT,
    Act,
    Barred,
    Change,
    Choice,
    Context,
    Due,
    Field,
    Filled,
    Modifier,
    OneOf,
    Piece,
    Question,
    Seat,
    Summary,
    Switch,
    Umpire,
    UsageError,
    View,
    at_least,
    dice,
    options,
    procedure,
)


class Target(msgspec.Struct, frozen=True):
    who: str
    whom: str
    range: int | None = None


class Shot(msgspec.Struct, frozen=True):
    word: str
    changes: tuple[Change, ...] = ()


class Nothing(msgspec.Struct, frozen=True):
    pass


class Told(msgspec.Struct, frozen=True):
    word: str
    changes: tuple[Change, ...] = ()


class Ring(msgspec.Struct, frozen=True):
    """Hits of each pilot, torpedoes on their way, and the round."""

    hits: dict[str, int]
    cards: dict[str, str] = {}
    round: int = 1


def _not_oneself(target: Target) -> tuple[Barred, ...]:
    return (Barred("self", "Nobody shoots at himself.", "toy:1"),) if target.who == target.whom else ()


@procedure(
    "toy.shoot",
    title="Shoot",
    rule="toy:1",
    violations=_not_oneself,
    questions={"word": Question("what happens", lambda shot: shot.word)},
    asks={"far": "how far", "aim": "whether it hits", "harm": "how badly"},
)
def shoot(ump: Umpire, target: Target) -> Shot:
    far = ump.fact("far", OneOf(options("near", "far")), None, text="How far is it?", rule="toy:1.1")
    mods = (Modifier(-1, "far", "far", "toy:1.2", house=True),) if far == "far" else ()
    if not ump.test("aim", dice("d6", "white"), mods, at_least(3), rule="toy:1", words=("hit", "miss")):
        return Shot("MISS")
    faces = ump.roll("harm", dice("2d6", "red"), rule="toy:2")
    harm = sum(f.value for f in faces)
    return Shot("HIT", (Change("hit", target.whom, harm, text=f"{target.whom} takes {harm}"),))


@procedure("toy.plan", title="Plan in secret", rule="toy:3")
def plan(ump: Umpire, _inputs: Nothing) -> Told:
    cards = OneOf(options("loop", "roll"))
    chosen = ump.together("plan", {s: Choice("card", cards, "Choose a card") for s in ("ann", "bob")}, rule="toy:3")
    return Told("CHOSEN", tuple(Change("card", seat, card) for seat, card in chosen.items()))


@procedure("toy.torpedo", title="Launch a torpedo", rule="toy:4")
def torpedo(_ump: Umpire, target: Target) -> Told:
    return Told("LAUNCHED", (Change("hit", target.whom, 10, when="round", text="a torpedo arrives"),))


@procedure("toy.next", title="Next round", rule="toy:5")
def next_round(ump: Umpire, _inputs: Nothing) -> Told:
    ump.note("the round ends", "toy:5")
    return Told("NEXT", (Change(MOMENT, "round"),))


class ToyGame:
    key, title, version = "toy", "Toy", "1"
    procedures = {p.name: p for p in (shoot, plan, torpedo, next_round)}
    charts: Mapping[str, Any] = {}
    slots: Mapping[str, Any] = {}
    switches = {"gentle": Switch("gentle", "Gentle", "toy:9")}
    presets: Mapping[str, Mapping[str, Any]] = {"soft": {"gentle": True}}
    units = ()
    papers: Mapping[str, Any] = {}
    state_type = Ring

    def cells(self) -> Mapping[tuple[str, ...], Filled]:
        return {}

    def demo(self) -> dict[str, Any]:
        return {"pilots": ["ann", "bob"]}

    def start(self, setup: Mapping[str, Any], context: Context) -> Ring:
        if not setup.get("pilots"):
            raise UsageError("A ring needs pilots.")
        return Ring(dict.fromkeys(setup["pilots"], 0))

    def apply(self, state: Ring, change: Change) -> Ring:
        if change.kind == "hit":
            if change.target not in state.hits:
                raise UsageError(f"There is no pilot {change.target}.")
            hits = {**state.hits, change.target: state.hits[change.target] + int(change.value)}
            return msgspec.structs.replace(state, hits=hits)
        if change.kind == "card":
            return msgspec.structs.replace(state, cards={**state.cards, change.target: change.value})
        if change.kind == MOMENT:
            return msgspec.structs.replace(state, round=state.round + 1)
        raise UsageError(f"A toy knows no change {change.kind!r}.")

    def seats(self, state: Ring) -> tuple[Seat, ...]:
        return tuple(Seat(name, name.title(), name) for name in ("ann", "bob"))

    def due(self, state: Ring, context: Context) -> Due:
        shots = tuple(
            Act(f"shoot:{a}>{b}", "toy.shoot", f"{a} shoots at {b}", a, {"who": a, "whom": b}, (a, b))
            for a in state.hits
            for b in state.hits
            if a != b
        )
        barred = Act("fly", "toy.next", "Fly home", "ann", {}, ("ann",), (Barred("fuel", "No fuel.", "toy:6"),))
        others = (
            Act("plan", "toy.plan", "Plan", "", {}),
            Act("torpedo:ann>bob", "toy.torpedo", "Torpedo", "ann", {"who": "ann", "whom": "bob"}, ("ann", "bob")),
            Act("next", "toy.next", "Next round", "", {}),
        )
        return Due(f"Round {state.round}", (*shots, barred, *others))

    def view(self, state: Ring, seat: str, context: Context) -> View:
        pieces = tuple(Piece(n, n.title(), n, n, (Field("Hits", str(h)),)) for n, h in state.hits.items())
        hand = (Field("Card", state.cards[seat]),) if seat in state.cards else ()
        return View(f"Round {state.round}", pieces, hand=hand)

    def summary(self, state: Ring, procedure: str, inputs: Any, result: Any) -> Summary:
        changed = tuple(c.text for c in result.changes if c.text)
        return Summary((self.procedures[procedure].title,), result.word, changed)


GAME = ToyGame()
