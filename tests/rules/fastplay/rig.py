"""A table for the tests: acts that are due, answered by a script or at random, and changes held until their moment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from companion.rules.fastplay import GAME
from companion.rules.fastplay.state import State
from companion.umpire import MOMENT, Act, Answer, Barred, Change, Context, Done, Rolling, run, scripted


def context(**switches: Any) -> Context:
    return Context({k: s.default for k, s in GAME.switches.items()} | switches, GAME.cells(), "use")


def pilot(
    name: str, side: str, aircraft: str = "Me-109", at: str = "", facing: str = "E", **more: Any
) -> dict[str, Any]:
    return {"name": name, "side": side, "aircraft": aircraft, "hex": at, "facing": facing, **more}


class Play:
    """One game as the fold of its changes; `log` keeps them in the order in which they were made."""

    def __init__(
        self, *pilots: dict[str, Any], mat: tuple[int, int] = (24, 18), keeps_hexes: bool = True, **switches: Any
    ) -> None:
        self.context = context(mat=keeps_hexes, **switches)
        self.setup = {"pilots": list(pilots), "mat": {"columns": mat[0], "rows": mat[1]}}
        self.state: State = GAME.start(self.setup, self.context)
        self.held: list[Change] = []
        self.log: list[Change] = []

    def due(self) -> dict[str, Act]:
        return {act.key: act for act in GAME.due(self.state, self.context).acts}

    def codes(self, key: str) -> set[str]:
        return codes(self.due()[key].barred)

    def do(self, key: str, *answers: Answer) -> Done:
        act = self.due()[key]
        assert not act.barred, act.barred
        procedure = GAME.procedures[act.procedure]
        return self.take(scripted(procedure, procedure.inputs(act.inputs), answers, self.context))

    def roll(self, key: str, rng: Random) -> Done:
        act = self.due()[key]
        procedure = GAME.procedures[act.procedure]
        umpire = Rolling(self.context, seed=rng.randrange(2**40))
        return self.take(run(procedure, procedure.inputs(act.inputs), umpire))

    def take(self, done: Done) -> Done:
        self.fold(done.changes)
        self.log += done.changes
        return done

    def fold(self, changes: Iterable[Change]) -> None:
        for change in changes:
            if change.when != "now":
                self.held.append(change)
                continue
            if change.kind == MOMENT:
                for waiting in [h for h in self.held if h.when == change.target]:
                    self.state = GAME.apply(self.state, waiting)
                self.held = [h for h in self.held if h.when != change.target]
            self.state = GAME.apply(self.state, change)

    # --- a turn in few words

    def choose(self, **plans: str) -> Done:
        return self.do("choose", *(stack(who, cards) for who, cards in plans.items()))

    def fly(self) -> None:
        """Turn up the next card and, where Companion keeps the hexes, move."""
        self.do("reveal")
        if self.state.phase == "move":
            self.do("move")

    def shoot(self, who: str, *faces: int) -> Any:
        return self.do(f"fire:{who}", Answer(role="shoot", faces=list(faces))).result

    def at(self, who: str) -> tuple[str, str]:
        return self.state.pilot(who).at, self.state.pilot(who).facing


def stack(who: str, cards: str) -> Answer:
    return Answer(address=f"cards@{who}/stack", choices=cards.split())


def codes(reasons: Iterable[Barred]) -> set[str]:
    return {reason.code for reason in reasons}


def resolve(name: str, inputs: Mapping[str, Any], *answers: Answer, **switches: Any) -> Done:
    procedure = GAME.procedures[f"fastplay.{name}"]
    return scripted(procedure, procedure.inputs(inputs), answers, context(**switches))


def refused(name: str, inputs: Mapping[str, Any]) -> set[str]:
    procedure = GAME.procedures[f"fastplay.{name}"]
    return codes(procedure.violations(procedure.inputs(inputs)))
