"""What aircraft and action cards print and the rulebook does not, as cells that a pack fills."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, TypeAlias

from companion.packs.records import Entry
from companion.rules.rotl import aircraft, cards
from companion.rules.rotl.aircraft import ALTITUDES, PAIRS, SIDES, WING, Known, Shape, Type
from companion.rules.rotl.cards import Card
from companion.umpire import Context, Filled, Number, OneOf, Space, TableSlot, YesNo
from companion.umpire.asks import options

Cells: TypeAlias = Mapping[tuple[str, ...], Filled]

TEXT = "text"
FACES = ("undamaged", "damaged")
"""The two sides of an aircraft card."""
NATIONS = (
    "Germany", "Italy", "Japan", "Finland", "Hungary", "Romania", "United Kingdom", "United States", "Soviet Union",
    "France", "Poland", "Netherlands", "another",
)  # fmt: skip
_RATING = Number(0, 30)
WINGMAN = {"offence": "offence", "defence": "defence", "heavy": "wing_heavy", "capacity": "wing_capacity"}
"""Ratings of a wingman card, and the field of `Type` that each is."""


def _of_type(key: str, title: str, rule: str, space: Space[Any], *more: str) -> TableSlot:
    return TableSlot(key, title, rule, space, ("type", *more))


def _of_card(key: str, title: str, rule: str, space: Space[Any], *more: str) -> TableSlot:
    return TableSlot(key, title, rule, space, ("card", *more))


HITS = _of_card("card_hits", "Hits on the card", "Damage Capacity", Number(0, 9))

SLOTS = {
    slot.key: slot
    for slot in (
        _of_type("side", "Side", "Aircraft Cards", OneOf(options(*SIDES))),
        _of_type("nation", "Nation", "Pilots", OneOf(options(*NATIONS))),
        _of_type("year", "In service since", "Basic Game Set Up & Play", Number(1930, 1949)),
        _of_type("ceiling", "Highest level", "Altitude Restrictions", OneOf(options(*ALTITUDES))),
        _of_type("turbo", "Turbocharger", "Turbocharged Aircraft", YesNo()),
        _of_type("jet", "Jet", "Jet / Rocket Fighter Ratings", YesNo()),
        _of_type("rocket", "Rocket", "Rocket Fighters", YesNo()),
        _of_type("agile", "Agile leader", "Agile Aircraft", YesNo()),
        _of_type("wing_agile", "Agile wingman", "Agile Aircraft", YesNo()),
        _of_type("small", "Small target", "Small Targets", YesNo()),
        _of_type("methanol", "One Full Throttle counter", "Special Aircraft", YesNo()),
        _of_type("ta152", "A card as Full Throttle at Very High", "Special Aircraft", YesNo()),
        _of_type("leader", "Leader card", "Leader Card Combat Values", _RATING, "face", "rating"),
        _of_type("wingman", "Wingman card", "WM Card Combat Values", _RATING, "face", "rating"),
        _of_type("value", "Point value", "Point Values", Number(0, 40), "of"),
        _of_card("kind", "Kind of card", "Action Cards", OneOf(options(*cards.TITLES))),
        _of_card("copies", "Copies in the deck", "Action Cards", Number(0, 40)),
        _of_card("bursts", "Bursts", "Bursts, Gunners and Heavy Cannons", Number(0, 3)),
        HITS,
        _of_card("fuel_tank", "Fuel tank hit", "Disengagement Table", YesNo()),
        _of_card("answers", "What it answers", "Responding to an Attack", YesNo(), "played"),
    )
}
FLAGS = tuple(key for key, slot in SLOTS.items() if slot.keys == ("type",) and isinstance(slot.space, YesNo))


# --- cells of the house


@cache
def cells() -> Cells:
    """Every figure of the house's aircraft and deck, and what the text says of the types that are not rated."""
    found: dict[tuple[str, ...], Filled] = {}
    for kind in aircraft.house_types().values():
        found.update(_type_cells(kind))
    for entry in aircraft.known_entries().values():
        found.update(_known_cells(entry))
    for card in cards.house_deck().values():
        found.update(_card_cells(card))
    return found


def _filled(value: Any, house: bool) -> Filled:
    """A figure that is left out is no invented one: that a type has no gunner is not marked."""
    return Filled(value, "house" if house and value else TEXT if value else "", house and bool(value))


def _type_cells(kind: Type) -> Iterator[tuple[tuple[str, ...], Filled]]:
    yield from _value_cells(kind.name)
    for field in ("side", "nation", "year", "ceiling", *FLAGS):
        yield (field, kind.name), _filled(getattr(kind, field), kind.is_house(field))
    for slot, rating, field in _ratings():
        pair = getattr(kind, field) or (None, None)
        for damaged, face in enumerate(FACES):
            house = kind.is_house(field, damaged=bool(damaged))
            yield (slot, kind.name, face, rating), Filled(pair[damaged], "house" if house else "", house)


def _ratings() -> Iterator[tuple[str, str, str]]:
    """Slot, rating and field of every pair of figures."""
    yield from (("leader", field, field) for field in PAIRS)
    yield from (("wingman", rating, field) for rating, field in WINGMAN.items())


def _known_cells(entry: Entry[Known]) -> Iterator[tuple[tuple[str, ...], Filled]]:
    """A figure that every card prints, and nobody gives, is a house value that is not there: new packs list it."""
    kind, name = entry.value, entry.name
    yield from _value_cells(name)
    for field in ("side", "nation", "year", "ceiling", *FLAGS):
        plain: Any = False if field in FLAGS else "Very High" if field == "ceiling" else None
        value = getattr(kind, field, plain)
        yield (field, name), Filled(None, "", True) if value is None else _filled(value, field in entry.house)
    for slot, rating, field in _ratings():
        pair = getattr(kind, field, ())
        for n, face in enumerate(FACES):
            value = pair[n] if n < len(pair) else None
            yield (slot, name, face, rating), Filled(value, TEXT if pair[n:] else "", not pair[n:] and field in NEEDED)


NEEDED = ("performance", "horsepower", "burst", "capacity", "offence", "defence")
"""Ratings that every card prints; the others may be left out."""


def _value_cells(name: str) -> Iterator[tuple[tuple[str, ...], Filled]]:
    for of, value in zip(VALUES, aircraft.points(name), strict=True):
        yield ("value", name, of), Filled(value, "" if value is None else TEXT)


VALUES = ("element", "leader only")


def _card_cells(card: Card) -> Iterator[tuple[tuple[str, ...], Filled]]:
    for slot, field in _FIELDS.items():
        yield (slot, card.name), _filled(getattr(card, field), field in card.house)
    yield ("fuel_tank", card.name), Filled(card.level == "A", TEXT)
    for played in cards.PLAYED:
        value, house = cards.meets(card.answers, played), f"answers {played}" in card.house
        yield ("answers", card.name, played), Filled(value, "house" if house else TEXT, house)


# --- what a table plays with

Wanting: TypeAlias = tuple[str, ...]
"""Figures that are missing or cannot be, in words."""


def of_table(context: Context) -> Cells:
    """The cells of a table; those of the house where it has none of its own."""
    return {**cells(), **context.cells}


def type_of(name: str, table: Cells, *, wingman: bool = True, dated: bool = False) -> tuple[Type, Wanting]:
    """A type as the cells have it, and what is missing to fly it; `dated` where the year of service counts."""
    needed = {"side", *NEEDED, *(["year"] if dated else [])} - (set() if wingman else set(WING))
    fields: dict[str, Any] = {}
    house: list[str] = []
    wanting: list[str] = []

    def put(field: str, *path: str, damaged: bool = False) -> Any:
        filled = table.get((path[0], name, *path[1:]), Filled(None))
        words = f"damaged {field}" if damaged else field
        if filled.value is None and field in needed:
            wanting.append(words)
        if filled.house and filled.value is not None:
            house.append(words)
        return filled.value

    for field in ("side", "nation", "year", "ceiling", *FLAGS):
        value = put(field, field)
        if value is not None:
            fields[field] = value
    for slot, rating, field in _ratings():
        pair = [put(field, slot, face, rating, damaged=bool(n)) for n, face in enumerate(FACES)]
        if any(value is not None for value in pair):
            fields[field] = (pair[0] or 0, pair[1] or 0)
    fields["value"] = tuple(put("value", "value", of) for of in VALUES)
    kind = Type(name=name, house=tuple(sorted(house)), **{**_NOTHING, **fields, **_shape(name)})
    return kind, (*wanting, *_impossible(kind, wanting))


_NOTHING: dict[str, Any] = {"side": "Axis", "nation": ""} | dict.fromkeys(NEEDED, (0, 0))


def _impossible(kind: Type, wanting: list[str]) -> Iterator[str]:
    for first, second in (kind.capacity, kind.wing_capacity or (0, 1)):
        if first >= second and not wanting:
            yield f"hits that shoot it down ({second}) above those that damage it ({first})"


def _shape(name: str) -> dict[str, Any]:
    drawn: Shape | None = aircraft.house_types().get(name)
    entry = aircraft.known_entries().get(name)
    drawn = drawn or (entry.value if entry else Shape())
    return {"span": drawn.span, "length": drawn.length, "engines": drawn.engines}


def deck_of(table: Cells) -> tuple[dict[str, Card], Wanting]:
    """The deck as the cells have it, cards without copies left out, and what is missing."""
    names = dict.fromkeys(keys[1] for keys in table if SLOTS[keys[0]].keys[:1] == ("card",))
    found, wanting = {}, []
    for name in names:
        if copies := table.get(("copies", name), Filled(None)).value:
            card, missing = _card(name, int(copies), table)
            found[name] = card
            wanting += [f"{name}: {what}" for what in missing]
    return found, tuple(wanting)


def _card(name: str, copies: int, table: Cells) -> tuple[Card, Wanting]:
    def get(slot: str, *more: str) -> Filled:
        return table.get((slot, name, *more), Filled(None))

    kind: Any = get("kind").value or "TIT"
    bursts, hits = int(get("bursts").value or 0), int(get("card_hits").value or 0)
    fuel = bool(get("fuel_tank").value)
    met = [played for played in cards.PLAYED if get("answers", played).value]
    house = [field for slot, field in _FIELDS.items() if get(slot).house]
    house += [f"answers {played}" for played in cards.PLAYED if get("answers", played).house]
    card = cards.card_of(name, kind, copies, bursts, hits, met, fuel=fuel, house=tuple(house))
    wanting = [] if get("kind").value else ["kind"]
    if kind in cards.BURSTS:
        wanting += [what for what, number in (("bursts", bursts), ("hits", hits)) if not number]
    return card, tuple(wanting)


_FIELDS = {"kind": "kind", "copies": "copies", "bursts": "bursts", "card_hits": "hits"}
"""Slots of a card and the fields that they are."""
