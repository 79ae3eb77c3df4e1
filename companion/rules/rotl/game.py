"""Rise of the Luftwaffe as a game of the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.rules.rotl import aircraft, by_hand, chance, changes, more, piles, setup, slots, view
from companion.rules.rotl import due as due_now
from companion.rules.rotl.altitude import adjust, vertical
from companion.rules.rotl.attack import attack
from companion.rules.rotl.leaving import disengage
from companion.rules.rotl.lookup import charts
from companion.rules.rotl.paper import PAPERS
from companion.rules.rotl.pilots import pilots
from companion.rules.rotl.state import Dogfight
from companion.rules.rotl.turns import (
    altitudes,
    begin,
    deal,
    declare,
    discard,
    draw_cards,
    end_step,
    give_up,
    initiative,
    promote,
)
from companion.rules.rotl.victory import balance, victory
from companion.umpire import (
    Ask,
    Change,
    Chart,
    Context,
    Due,
    Filled,
    Paper,
    Pick,
    Procedure,
    Seat,
    Settable,
    Summary,
    Switch,
    TableSlot,
    Unit,
    View,
)

_PROCEDURES: tuple[Procedure[Any, Any], ...] = (
    altitudes, deal, initiative, begin, pilots, declare, attack, adjust, vertical, give_up, disengage, discard,
    draw_cards, promote, end_step, balance, victory, chance.can_answer,
)  # fmt: skip

ALONE = " alone"
"""What the name of a unit ends with that flies without its wingman."""

_SWITCHES = (
    Switch("balance", "The weaker side gets the difference of the point values", "VPs versus Superior Aircraft"),
    Switch("cards", "Whose cards", "Action Cards", "virtual", ("virtual", "printed")),
    Switch("turbo_summary", "Turbochargers lose no Horsepower at Very High (summary)", "Altitude Effects"),
    Switch("lone_break_first", "A wingman too breaks a lone leader's hold before firing", "Attacking a Lone Leader"),
    Switch("rocket_follows_with_cards", "Rockets follow with cards alone, not with counters", "Changing Altitude"),
    Switch(
        "damaged_speed", "A jet that is damaged keeps no more counters than its Speed", "Jet / Rocket Fighter Ratings"
    ),
    Switch("beyond_table", "Grade also fewer than 4 or more than 15 aircraft", "Victory Point Table"),
)


class Rotl:
    """The game; see `companion.umpire.Game` for what each name is for."""

    key = "rotl"
    title = "Rise of the Luftwaffe"
    version = "1"
    state_type = Dogfight
    procedures: Mapping[str, Procedure[Any, Any]] = {p.name: p for p in _PROCEDURES}
    slots: Mapping[str, TableSlot] = slots.SLOTS
    switches: Mapping[str, Switch] = {s.key: s for s in _SWITCHES}
    presets: Mapping[str, Mapping[str, Any]] = {
        "virtual cards": {"cards": "virtual"},
        "printed cards": {"cards": "printed"},
        "virtual, balanced": {"cards": "virtual", "balance": True},
        "printed, balanced": {"cards": "printed", "balance": True},
    }
    papers: Mapping[str, Paper] = {p.key: p for p in PAPERS}

    @property
    def charts(self) -> Mapping[str, Chart]:
        return {**charts(), **more.charts()}

    @property
    def units(self) -> Sequence[Unit]:
        """Every rated type, with its wingman and, where that is another thing, its leader alone."""
        kinds = aircraft.house_types().values()
        pairs = [Unit(k.name, k.name, k.nation, f"in service {k.year}", house=True) for k in kinds]
        alone = [Unit(f"{k.name}{ALONE}", k.name, k.nation, "leader alone", house=True) for k in kinds if not k.rocket]
        return (*pairs, *alone)

    def cells(self) -> Mapping[tuple[str, ...], Filled]:
        return slots.cells()

    def demo(self) -> dict[str, Any]:
        return {
            "elements": [
                {"side": "Axis", "type": "Bf-109E", "seat": "axis"},
                {"side": "Allies", "type": "Spitfire I", "seat": "allies"},
                {"side": "Axis", "type": "Bf-110C", "seat": "axis"},
                {"side": "Allies", "type": "Hurricane I", "seat": "allies"},
            ],
            "year": 1940,
        }

    def compose(self, picks: Sequence[Pick]) -> dict[str, Any]:
        """An element for each pick, with a wingman where the type has one; a seat for each side."""
        return {
            "elements": [
                {
                    "side": aircraft.SIDES[pick.side],
                    "type": pick.unit.removesuffix(ALONE),
                    "wingman": False if pick.unit.endswith(ALONE) else None,
                    "seat": aircraft.SIDES[pick.side].lower(),
                }
                for pick in picks
            ]
        }

    def start(self, given: Mapping[str, Any], context: Context) -> Dogfight:
        return setup.start(given, context)

    def apply(self, state: Dogfight, change: Change) -> Dogfight:
        return changes.apply(state, change)

    def settable(self, state: Dogfight, context: Context) -> tuple[Settable, ...]:
        return by_hand.settable(state, context)

    def seats(self, state: Dogfight) -> tuple[Seat, ...]:
        sides = {e.seat: e.side for e in state.elements}
        return tuple(Seat(key, state.seats.get(key, key), side) for key, side in sides.items())

    def due(self, state: Dogfight, context: Context) -> Due:
        return due_now.due(state, context)

    def view(self, state: Dogfight, seat: str, context: Context) -> View:
        return view.view(state, seat, context)

    def summary(self, state: Dogfight, procedure: str, inputs: Any, result: Any) -> Summary:
        return view.summary(state, procedure, inputs, result)

    def foresee(self, state: Dogfight, seat: str, inputs: Any, ask: Ask, laid: Sequence[str]) -> chance.Rows:
        """What a seat may reckon with at an ask whose options have no dice to follow; {} where it is nothing."""
        return chance.foresee(state, seat, inputs, ask, laid)

    def pile(self, state: Dogfight, drawn: Sequence[str] = ()) -> tuple[str, ...] | None:
        """The cards that a draw may bring now, in no order, after those drawn by the open act; None: printed cards."""
        return piles.pile(state, drawn) if state.virtual else None


GAME = Rotl()
