"""Aircraft types: the ratings of leader and wingman cards, and the point values of the rulebook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, structs

from companion.packs import charts as chart_pack
from companion.packs.records import Entry, as_layer, merge, read_layer
from companion.packs.source import Source, read_source
from companion.umpire import Chart, UsageError

Side: TypeAlias = Literal["Axis", "Allies"]
SIDES: tuple[Side, Side] = ("Axis", "Allies")
Altitude: TypeAlias = Literal["Very Low", "Low", "Medium", "High", "Very High"]
ALTITUDES: tuple[Altitude, ...] = ("Very Low", "Low", "Medium", "High", "Very High")

Rating = Annotated[int, Meta(ge=0, le=30)]
Pair: TypeAlias = tuple[Rating, Rating]
"""The undamaged and the damaged side of a card."""


Metres = Annotated[float, Meta(ge=2, le=80)]


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """What the drawing on the cards needs; engines are metres from the middle line."""

    span: Metres = 10.0
    length: Metres = 9.0
    engines: Annotated[tuple[float, ...], Meta(max_length=4)] = (0.0,)


class Type(Shape, frozen=True):
    """One type: its leader card and its wingman card. `capacity` is all hits at which it is damaged and shot down.

    `wing_capacity` where the wingman's card has its own; `value` of an element and of a leader alone, where a card
    prints it. `house` names the house values among the fields, `damaged FIELD` on the damaged side.
    """

    name: str
    side: Side
    nation: Annotated[str, Meta(max_length=40)]
    performance: Pair
    horsepower: Pair
    burst: Pair
    capacity: Pair
    year: Annotated[int, Meta(ge=1900, le=2000)] = 1900
    heavy: Pair = (0, 0)
    gunner: Pair | None = None
    offence: Pair = (0, 0)
    defence: Pair = (0, 0)
    wing_heavy: Pair = (0, 0)
    wing_capacity: Pair | None = None
    turbo: bool = False
    rocket: bool = False
    jet: bool = False
    speed: Pair = (0, 0)
    thrust: Pair = (0, 0)
    agile: bool = False
    wing_agile: bool = False
    small: bool = False
    ceiling: Altitude = "Very High"
    methanol: bool = False
    ta152: bool = False
    value: tuple[Rating | None, Rating | None] = (None, None)
    house: tuple[str, ...] = ()

    @property
    def powered(self) -> bool:
        """Jets and rockets: their losses count double, and counters pay for climbs."""
        return self.jet or self.rocket

    @property
    def turbocharged(self) -> bool:
        """Jets always have turbochargers."""
        return self.turbo or self.jet

    def is_house(self, field: str, *, damaged: bool = False) -> bool:
        """Whether a rating is a house value on this side of the card."""
        return (f"damaged {field}" if damaged else field) in self.house


Types: TypeAlias = Mapping[str, Type]


@cache
def house_entries() -> dict[str, Entry[Type]]:
    return merge([read_layer(Path(__file__).with_name("aircraft.toml"), "aircraft")], Type)


@cache
def house_types() -> dict[str, Type]:
    return {
        name: structs.replace(entry.value, house=tuple(sorted(_house_fields(entry))), value=points(name))
        for name, entry in house_entries().items()
    }


def points(name: str) -> tuple[int | None, int | None]:
    """What the point table says of an element and of a leader alone; None where it says nothing."""
    for chart in (charts()["points"], charts()["points_elsewhere"]):
        for row in chart.rows:
            if row.key == name:
                element, alone = (row.cells[0], row.cells[1] if "leader only" in chart.columns else "-")
                return None if element == "-" else int(element), None if alone == "-" else int(alone)
    return None, None


def _house_fields(entry: Entry[Type]) -> Iterator[str]:
    """House values among the given fields; of damaged sides the text prints the hit capacity alone."""
    for field in (f for f in entry.origins if f not in ("span", "length", "engines")):
        if field in entry.house:
            yield field
        if field in (*PAIRS, *WING) and (field in entry.house or field != "capacity"):
            yield f"damaged {field}"


PAIRS = ("performance", "horsepower", "burst", "heavy", "gunner", "capacity", "speed", "thrust")
"""Fields of a leader card that both of its sides print."""
WING = ("offence", "defence", "wing_heavy", "wing_capacity")
"""The same of a wingman card."""


class Known(Shape, frozen=True):
    """What the text says of a type whose ratings nobody has given yet, and its shape."""

    name: str = ""
    side: Side | None = None
    nation: str | None = None
    burst: tuple[Rating, ...] = ()
    offence: tuple[Rating, ...] = ()
    rocket: bool = False
    jet: bool = False
    agile: bool = False
    methanol: bool = False
    ta152: bool = False


@cache
def known_entries() -> dict[str, Entry[Known]]:
    """Types of the rulebook without house ratings."""
    return merge([read_layer(Path(__file__).with_name("known.toml"), "aircraft")], Known)


def own_types(records: Mapping[str, Any]) -> dict[str, Type]:
    """Types typed in from a player's own cards. Raises PackError with every fault."""
    layer = as_layer(Source("the aircraft", {"pack": "own aircraft", "aircraft": dict(records)}, {}), "aircraft")
    return {name: entry.value for name, entry in merge([layer], Type).items()}


def find(name: str, own: Types) -> Type:
    """A type of the players' own pack, else of the house."""
    found = own.get(name) or house_types().get(name)
    if found is None:
        raise UsageError(f"There is no aircraft {name[:40]!r}; there are {', '.join({**house_types(), **own})}.")
    return found


@cache
def charts() -> dict[str, Chart]:
    return chart_pack.charts(read_source(Path(__file__).with_name("charts.toml")), "rotl")
