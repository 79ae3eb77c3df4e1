"""From a set-up to the first state, with every reason against it at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from companion.rules.rotl import slots
from companion.rules.rotl.aircraft import SIDES, WING, Side, Type, house_types, own_types
from companion.rules.rotl.cards import Card, house_deck, own_deck
from companion.rules.rotl.pilots import Pilot, pilot_barred
from companion.rules.rotl.refusals import refuse
from companion.rules.rotl.state import Dogfight, Element, Plane
from companion.rules.rotl.victory import Flown, Forces, bonus, may_balance
from companion.umpire import Barred, Context, Illegal, UsageError

Name = Annotated[str, Meta(min_length=1, max_length=40)]


class Flight(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One element: who flies what. Where `wingman` is left out only rockets and types without one fly alone."""

    side: Side
    type: Name
    seat: Name = ""
    wingman: bool | None = None
    pilot: Pilot | None = None


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A dogfight. `aircraft` and `deck` are records of the players' own cards; packs of the table need neither."""

    elements: Annotated[tuple[Flight, ...], Meta(min_length=2, max_length=16)]
    year: int | None = None
    seats: dict[str, str] = {}
    balance: bool = False
    bonus: dict[Side, Annotated[int, Meta(ge=0, le=100)]] = {}
    aircraft: dict[str, dict[str, Any]] = {}
    deck: dict[str, dict[str, Any]] = {}


class Flying(msgspec.Struct, frozen=True):
    """An element with its type, and which figures of that type are wanting."""

    flight: Flight
    kind: Type
    wanting: slots.Wanting = ()

    @property
    def wingman(self) -> bool:
        return _paired(self.flight, self.kind)

    @property
    def flown(self) -> Flown:
        pilot = self.flight.pilot
        points = self.kind.value[0 if self.wingman else 1]
        return Flown(self.flight.type, self.wingman, pilot.skills if pilot else (), points)


def start(given: Mapping[str, Any], context: Context) -> Dogfight:
    """The first state; raises UsageError, PackError or Illegal with every reason."""
    try:
        setup = msgspec.convert(dict(given), Setup, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(f"The set-up cannot be used: {str(error).rstrip('.')}.") from None
    if context.switches.get("balance", False):
        setup = replace(setup, balance=True)
    own = own_types(setup.aircraft) if setup.aircraft else {}
    table = slots.of_table(context)
    flying = tuple(_flying(flight, own, table, setup.year is not None) for flight in setup.elements)
    deck, missing = (own_deck(setup.deck), ()) if setup.deck else slots.deck_of(table)
    reasons = (*_reasons(setup, flying, context), *_deck_reasons(deck, missing, context))
    if reasons:
        raise Illegal(reasons)
    return _state(setup, flying, deck, context)


def _flying(flight: Flight, own: Mapping[str, Type], table: slots.Cells, dated: bool) -> Flying:
    if flight.type in own:
        return Flying(flight, own[flight.type])
    kind, _ = slots.type_of(flight.type, table)
    kind, wanting = slots.type_of(flight.type, table, wingman=_paired(flight, kind), dated=dated)
    return Flying(flight, kind, wanting)


def _paired(flight: Flight, kind: Type) -> bool:
    """Whether a wingman flies along: as the set-up says, else where the type has one."""
    element, alone = kind.value
    return not (kind.rocket or (alone and not element)) if flight.wingman is None else flight.wingman


def _reasons(setup: Setup, flying: tuple[Flying, ...], context: Context) -> Iterator[Barred]:
    for side in SIDES:
        if not any(f.side == side for f in setup.elements):
            yield refuse("WRONG_SIDE/empty", side=side)
    for each in flying:
        if each.wanting:
            yield refuse("PACK_INCOMPLETE/aircraft", who=each.kind.name, what=_listed(each.wanting))
        else:
            yield from _flight_reasons(setup, each, context)
    if setup.balance:
        axis, allies = (tuple(e.flown for e in flying if e.flight.side == side) for side in SIDES)
        yield from may_balance(Forces(axis, allies))


def _listed(wanting: slots.Wanting) -> str:
    """The first few in words, and how many more."""
    more = f" and {len(wanting) - FEW} more" if len(wanting) > FEW else ""
    return ", ".join(wanting[:FEW]) + more


FEW = 4


def _flight_reasons(setup: Setup, flying: Flying, context: Context) -> Iterator[Barred]:
    flight, kind = flying.flight, flying.kind
    if kind.side != flight.side:
        yield refuse("WRONG_SIDE/other", who=kind.name, side=kind.side)
    if setup.year is not None and kind.year > setup.year:
        yield refuse("YEAR_NOT_YET", who=kind.name, since=kind.year, year=setup.year)
    if kind.rocket and flying.wingman:
        yield refuse("ROCKETS_FLY_ALONE", who=kind.name)
    if flight.pilot:
        yield from pilot_barred(flight.pilot, kind)
    house = tuple(_used(setup, flying)) if context.house == "refuse" else ()
    if house:
        yield refuse("PACK_INCOMPLETE/house", who=f"the {kind.name}", what=_listed(house))


def _used(setup: Setup, flying: Flying) -> Iterator[str]:
    """The house values of a type that this dogfight uses."""
    for field in flying.kind.house:
        unused = (field == "year" and setup.year is None) or (field.split()[-1] in WING and not flying.wingman)
        if not unused:
            yield field.replace("wing_", "wingman ")


def _deck_reasons(deck: Mapping[str, Card], missing: slots.Wanting, context: Context) -> Iterator[Barred]:
    if missing or not deck:
        yield refuse("PACK_INCOMPLETE/deck", what=_listed(missing) or "any card")
    house = tuple(f"{card.title} {field}" for card in deck.values() for field in card.house)
    if house and context.house == "refuse":
        yield refuse("PACK_INCOMPLETE/house", who="the action cards", what=_listed(house))


def _state(setup: Setup, flying: tuple[Flying, ...], deck: dict[str, Card], context: Context) -> Dogfight:
    elements = tuple(_elements(flying))
    extra = bonus((e.flight.side, e.flown) for e in flying) if setup.balance else {}
    kinds = {e.kind.name: e.kind for e in flying}
    return Dogfight(
        elements=elements,
        pile=sum(card.copies for card in deck.values()),
        bonus={side: extra.get(side, 0) + setup.bonus.get(side, 0) for side in SIDES},
        seats={e.seat: setup.seats.get(e.seat) or _title(e.seat) for e in elements},
        virtual=context.switches.get("cards", "virtual") == "virtual",
        damaged_speed=bool(context.switches.get("damaged_speed", False)),
        rocket_counters=not context.switches.get("rocket_follows_with_cards", False),
        deck={} if deck == house_deck() else deck,
        types={name: kind for name, kind in kinds.items() if kind != house_types().get(name)},
    )


def _title(seat: str) -> str:
    """What a seat is called that nobody has named."""
    return seat.title() if seat.title() in SIDES else seat


def _elements(flying: tuple[Flying, ...]) -> Iterator[Element]:
    count = dict.fromkeys(SIDES, 0)
    for each in flying:
        flight = each.flight
        count[flight.side] += 1
        key = f"{'X' if flight.side == 'Axis' else 'A'}{count[flight.side]}"
        pilot = flight.pilot
        yield Element(
            key=key,
            side=flight.side,
            seat=flight.seat or flight.side,
            type=flight.type,
            leader=Plane(f"{key}.1"),
            wingman=Plane(f"{key}.2") if each.wingman else None,
            pilot=pilot.name if pilot else "",
            skills=pilot.skills if pilot else (),
        )
