"""Age of Dogfights: WWII as the table sees it."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec

from companion.rules.aod import acts, by_hand, figures, missions, more, show, state
from companion.rules.aod.charts import charts
from companion.rules.aod.fire import fire
from companion.rules.aod.passive import break_fire
from companion.rules.aod.plain import by_numbers
from companion.rules.aod.rockets import launch
from companion.rules.aod.scenes import PRESUMED, SCENES
from companion.rules.aod.switches import PRESETS, SWITCHES
from companion.rules.aod.turn import end_turn, place, read_place, search, throttle
from companion.umpire import (
    Change,
    Chart,
    Context,
    Due,
    Filled,
    Formation,
    Paper,
    Pick,
    Procedure,
    Scenario,
    Scene,
    Seat,
    Settable,
    Summary,
    Switch,
    TableSlot,
    Unit,
    View,
)

_PROCEDURES: tuple[Procedure[Any, Any], ...] = (
    fire, break_fire, launch, by_numbers, throttle, search, place, end_turn,
)  # fmt: skip


class AgeOfDogfights:
    key = "aod"
    title = "Age of Dogfights: WWII"
    version = "1"
    procedures: Mapping[str, Procedure[Any, Any]] = {p.name: p for p in _PROCEDURES}
    charts: Mapping[str, Chart] = {**charts(), **more.charts()}
    slots: Mapping[str, TableSlot] = figures.SLOTS
    switches: Mapping[str, Switch] = SWITCHES
    presets = PRESETS
    state_type: type[Any] = state.Table
    lengths: Mapping[str, str] = {"fixed": "fixed_bursts", "cannon": "fixed_bursts"}
    """A figure for each burst, as many as another figure says."""
    tabs = figures.TABS

    @cached_property
    def papers(self) -> Mapping[str, Paper]:
        """Loaded when something is to be printed."""
        from companion.rules.aod.paper import PAPERS

        return PAPERS

    scenes: Mapping[str, Mapping[str, Scene]] = SCENES
    presumed: Mapping[str, str] = PRESUMED

    @cached_property
    def scenarios(self) -> Mapping[str, Scenario]:
        return missions.SCENARIOS

    @cached_property
    def formations(self) -> Mapping[str, Formation]:
        return missions.FORMATIONS

    @property
    def units(self) -> tuple[Unit, ...]:
        return tuple(
            Unit(name, name, entry.value.nation, entry.value.role, bool(entry.house))
            for name, entry in figures.types().items()
        )

    def cells(self) -> Mapping[tuple[str, ...], Filled]:
        return figures.cells()

    def demo(self) -> dict[str, Any]:
        """Three against three over the sea, the first burst a moment away."""
        return {"aircraft": [_craft(*line) for line in _DEMO], "sides": ["Axis", "Allies"], "rounds": 15}

    def compose(self, picks: Sequence[Pick]) -> dict[str, Any]:
        """Numbered in the order of the picks; where they stand is asked at the table or set down by their turn."""
        sides = [state.AXIS, state.ALLIES]
        aircraft = [{"key": str(n), "type": p.unit, "side": sides[p.side]} for n, p in enumerate(picks, 1)]
        return {"aircraft": aircraft, "sides": sides}

    def start(self, setup: Mapping[str, Any], context: Context) -> state.Table:
        return state.start(setup, context)

    def apply(self, table: state.Table, change: Change) -> state.Table:
        return state.apply(table, change)

    def settable(self, table: state.Table, context: Context) -> tuple[Settable, ...]:
        return by_hand.settable(table, context)

    def seats(self, table: state.Table) -> tuple[Seat, ...]:
        found = {craft.seat: Seat(craft.seat, craft.seat, craft.side) for craft in table.crafts}
        return tuple(found.values())

    def due(self, table: state.Table, context: Context) -> Due:
        return acts.due(table, context)

    def view(self, table: state.Table, seat: str, context: Context) -> View:
        return show.view(table, context)

    def rank(self, procedure: str, result: Any) -> int | None:
        """How badly the aircraft that is fired at fares: damages that it carries, or destroyed."""
        return show.rank(result)

    further = ("break", "double")
    """What follows the first burst, by address: shorter on the slip."""
    asides = ("No double burst",)
    alike, unseen = show.ALIKE, show.UNSEEN

    def summary(self, table: state.Table, procedure: str, inputs: Any, result: Any) -> Summary:
        return show.summary(table, procedure, inputs, result)


_DEMO = (
    ("3", "Fw 190 A-8", "0,0 E L5", 12),
    ("4", "Fw 190 A-8", "-4,2 E L6", 12),
    ("9", "Me 262 Schwalbe", "-8,1 SE L7 down", 16),
    ("11", "Spitfire Mk IX", "2,0 E L5 left", 11),
    ("12", "Spitfire Mk IX", "-2,2 SE L6", 11),
    ("15", "B-25 J Mitchell", "4,-2 W L4", 6),
)


def _craft(key: str, kind: str, place_: str, speed: int) -> dict[str, Any]:
    pose, _ = read_place(place_)
    return {"key": key, "type": kind, "pose": msgspec.to_builtins(pose), "speed": speed}


GAME = AgeOfDogfights()
