"""Aircraft types: the ratings of leader and wingman cards, and the point values of the rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta

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


class Type(msgspec.Struct, frozen=True):
    """One type: its leader card and its wingman card. `capacity` is all hits at which it is damaged and shot down.

    The last three fields serve the drawing on the cards alone; engines are metres from the middle line.
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
    wing_heavy: Rating = 0
    turbo: bool = False
    rocket: bool = False
    jet: bool = False
    speed: Rating = 0
    thrust: Rating = 0
    agile: bool = False
    wing_agile: bool = False
    small: bool = False
    ceiling: Altitude = "Very High"
    methanol: bool = False
    ta152: bool = False
    span: Metres = 10.0
    length: Metres = 9.0
    engines: Annotated[tuple[float, ...], Meta(max_length=4)] = (0.0,)

    @property
    def powered(self) -> bool:
        """Jets and rockets: their losses count double, and counters pay for climbs."""
        return self.jet or self.rocket

    @property
    def turbocharged(self) -> bool:
        """Jets always have turbochargers."""
        return self.turbo or self.jet


Types: TypeAlias = Mapping[str, Type]


@cache
def house_entries() -> dict[str, Entry[Type]]:
    return merge([read_layer(Path(__file__).with_name("aircraft.toml"), "aircraft")], Type)


@cache
def house_types() -> dict[str, Type]:
    return {name: entry.value for name, entry in house_entries().items()}


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


_NO_DAMAGED_SIDE = ("performance", "horsepower", "offence", "defence")


def is_house(name: str, own: Types, field: str, *, damaged: bool = False) -> bool:
    """Whether a rating is a house value; of damaged sides the text prints the hit capacity alone."""
    if name in own:
        return False
    return field in house_entries()[name].house or (damaged and field in _NO_DAMAGED_SIDE)


@cache
def charts() -> dict[str, Chart]:
    return chart_pack.charts(read_source(Path(__file__).with_name("charts.toml")), "rotl")
