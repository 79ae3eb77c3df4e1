"""From a set-up to the first state, with every reason against it at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from companion.rules.rotl.aircraft import SIDES, Side, Type, find, house_types, is_house, own_types
from companion.rules.rotl.cards import deck_of, own_deck
from companion.rules.rotl.pilots import Pilot, pilot_barred
from companion.rules.rotl.refusals import refuse
from companion.rules.rotl.state import Dogfight, Element, Plane
from companion.rules.rotl.victory import Flown, Forces, bonus, may_balance
from companion.umpire import Barred, Context, Illegal, UsageError

Name = Annotated[str, Meta(min_length=1, max_length=40)]


class Flight(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One element: who flies what. Without `wingman` its leader is alone."""

    side: Side
    type: Name
    seat: Name = ""
    wingman: bool = True
    pilot: Pilot | None = None


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A dogfight. `aircraft` and `deck` are records of the players' own cards, as in a pack."""

    elements: Annotated[tuple[Flight, ...], Meta(min_length=2, max_length=16)]
    year: int | None = None
    seats: dict[str, str] = {}
    balance: bool = False
    bonus: dict[Side, Annotated[int, Meta(ge=0, le=100)]] = {}
    aircraft: dict[str, dict[str, Any]] = {}
    deck: dict[str, dict[str, Any]] = {}


def start(given: Mapping[str, Any], context: Context) -> Dogfight:
    """The first state; raises UsageError, PackError or Illegal with every reason."""
    try:
        setup = msgspec.convert(dict(given), Setup, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(f"The set-up cannot be used: {str(error).rstrip('.')}.") from None
    types = own_types(setup.aircraft) if setup.aircraft else {}
    reasons = tuple(_reasons(setup, types, context))
    if reasons:
        raise Illegal(reasons)
    return _state(setup, types, context)


def _reasons(setup: Setup, types: dict[str, Type], context: Context) -> Iterator[Barred]:
    for side in SIDES:
        if not any(f.side == side for f in setup.elements):
            yield refuse("WRONG_SIDE", what=f"There is no element of the {side}.")
    for flight in setup.elements:
        if flight.type not in types and flight.type not in house_types():
            text = f"No pack gives the ratings of the {flight.type}; add it from your own cards."
            yield refuse("PACK_INCOMPLETE", what=text)
            continue
        yield from _flight_reasons(setup, flight, find(flight.type, types), types, context)
    if setup.balance:
        axis, allies = ([Flown(f.type, f.wingman) for f in setup.elements if f.side == side] for side in SIDES)
        yield from may_balance(Forces(tuple(axis), tuple(allies)))


def _flight_reasons(
    setup: Setup, flight: Flight, kind: Type, types: dict[str, Type], context: Context
) -> Iterator[Barred]:
    if kind.side != flight.side:
        yield refuse("WRONG_SIDE", what=f"The {kind.name} flies for the {kind.side}.")
    if setup.year is not None and kind.year > setup.year:
        yield refuse("YEAR_NOT_YET", who=kind.name, since=kind.year, year=setup.year)
    if kind.rocket and flight.wingman:
        yield refuse("ROCKETS_FLY_ALONE", who=kind.name)
    if flight.pilot:
        yield from pilot_barred(flight.pilot, kind)
    if context.house == "refuse" and is_house(kind.name, types, "performance"):
        text = f"The ratings of the {kind.name} are house values, which this table refuses; add your own cards."
        yield refuse("PACK_INCOMPLETE", what=text)


def _state(setup: Setup, types: dict[str, Type], context: Context) -> Dogfight:
    deck = own_deck(setup.deck) if setup.deck else {}
    elements = tuple(_elements(setup))
    extra = bonus(elements) if setup.balance else {}
    return Dogfight(
        elements=elements,
        pile=sum(card.copies for card in deck_of(deck).values()),
        bonus={side: extra.get(side, 0) + setup.bonus.get(side, 0) for side in SIDES},
        seats={e.seat: setup.seats.get(e.seat, e.seat) for e in elements},
        virtual=context.switches.get("cards", "virtual") == "virtual",
        deck=deck,
        types={name: kind for name, kind in types.items() if any(e.type == name for e in elements)},
    )


def _elements(setup: Setup) -> Iterator[Element]:
    count = dict.fromkeys(SIDES, 0)
    for flight in setup.elements:
        count[flight.side] += 1
        key = f"{'X' if flight.side == 'Axis' else 'A'}{count[flight.side]}"
        pilot = flight.pilot
        yield Element(
            key=key,
            side=flight.side,
            seat=flight.seat or flight.side,
            type=flight.type,
            leader=Plane(f"{key}.1"),
            wingman=Plane(f"{key}.2") if flight.wingman else None,
            pilot=pilot.name if pilot else "",
            skills=pilot.skills if pilot else (),
        )
