"""Fast-Play WWII as the table plays it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from companion.rules.fastplay import TITLE, by_hand, cards, entry, losses, more, setup, shooting, turn
from companion.rules.fastplay.aircraft import fleet
from companion.rules.fastplay.charts import charts
from companion.rules.fastplay.due import due
from companion.rules.fastplay.paper import PAPERS
from companion.rules.fastplay.scenes import scene
from companion.rules.fastplay.state import State, apply
from companion.rules.fastplay.switches import PRESETS, SWITCHES
from companion.rules.fastplay.view import summary, view
from companion.umpire import (
    Change,
    Chart,
    Context,
    Due,
    Filled,
    Lasting,
    Pick,
    Procedure,
    Scene,
    Seat,
    Settable,
    Summary,
    Unit,
    View,
)

_PROCEDURES: tuple[Procedure[Any, Any], ...] = (
    entry.enter,
    entry.duel,
    turn.choose_cards,
    turn.reveal,
    turn.move,
    turn.leave,
    shooting.fire,
    turn.close,
    losses.shot_down,
    losses.credit,
    losses.crash_landing,
    losses.finish,
)


class FastPlay:
    """The object behind the entry point; it has the shape of `Game`."""

    key = "fastplay"
    title = TITLE
    version = "1"
    procedures: Mapping[str, Procedure[Any, Any]] = {p.name: p for p in _PROCEDURES}
    slots = cards.SLOTS
    switches = SWITCHES
    presets = PRESETS
    papers = PAPERS
    state_type = State
    formations = setup.FORMATIONS

    @cached_property
    def charts(self) -> Mapping[str, Chart]:
        return {**charts(), **more.charts()}

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        return tuple(Unit(c.name, c.name, c.nation, "fighter") for c in fleet().values())

    def cells(self) -> Mapping[tuple[str, ...], Filled]:
        return cards.cells()

    def demo(self) -> dict[str, Any]:
        return setup.demo()

    def compose(self, picks: Sequence[Pick]) -> dict[str, Any]:
        return setup.compose(picks)

    def start(self, given: Mapping[str, Any], context: Context) -> State:
        return setup.start(given, context)

    def apply(self, state: State, change: Change) -> State:
        return apply(state, change)

    def settable(self, state: State, context: Context) -> tuple[Settable, ...]:
        return by_hand.settable(state, context)

    def seats(self, state: State) -> tuple[Seat, ...]:
        return tuple(Seat(p.key, p.name, p.side) for p in state.pilots)

    def due(self, state: State, context: Context) -> Due:
        return due(state, context)

    def view(self, state: State, seat: str, context: Context) -> View:
        return view(state, seat, context)

    def summary(self, state: State, procedure: str, inputs: Any, result: Any) -> Summary:
        return summary(state, procedure, inputs, result)

    def scene(self, context: Context, role: str, option: str) -> Scene | None:
        return scene(context, role, option)

    def roster(self, state: State) -> list[dict[str, Any]]:
        """The licences after this state, as the pilots of the next game's set-up."""
        return setup.roster(state)

    def muster(
        self, given: Mapping[str, Any], licences: Sequence[Mapping[str, Any]], names: Sequence[str]
    ) -> dict[str, Any]:
        """A set-up once more, its pilots with the names and licences that they have now."""
        return setup.muster(given, licences, names)

    def nickname(self, state: State, pilot: str, name: str, licence: Mapping[str, Any] | None) -> Change:
        """The pilot of this key is called so from now on, and flies on with the club's licence of that name."""
        return setup.nickname(state.pilot(pilot), name, licence)

    def lasting(self, state: State) -> list[Lasting]:
        """The licences, printed again when a victory or a licence is won or lost, and for another nickname."""
        return [Lasting("licence", {"pilot": p.key}, f"{p.licence}.{p.victories}.{p.name}") for p in state.pilots]


GAME = FastPlay()
