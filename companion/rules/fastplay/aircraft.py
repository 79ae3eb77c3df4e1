"""The aircraft data table."""

from functools import cache
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from companion.packs.records import merge, read_layer
from companion.rules.fastplay.switches import setting
from companion.umpire import Context, UsageError

PLAIN_NEED, PLAIN_POINTS, PLAIN_PLAYS = 4, 6, 3
FARTHEST = 5
"""Hexes; from six on a target is out of range."""


class ToHit(msgspec.Struct, frozen=True):
    """At these ranges a die needs another number."""

    first: Annotated[int, Meta(ge=1, le=FARTHEST)]
    last: Annotated[int, Meta(ge=1, le=FARTHEST)]
    need: Annotated[int, Meta(ge=2, le=6)]

    @property
    def words(self) -> str:
        """As the table prints it: `3-6 @ 1 hex`."""
        if (self.first, self.last) == (1, FARTHEST):
            return f"{self.need}-6"
        hexes = "1 hex" if self.last == 1 else f"{self.first}-{self.last} hexes"
        return f"{self.need}-6 @ {hexes}"


class Aircraft(msgspec.Struct, frozen=True):
    name: str
    nation: str
    points: Annotated[int, Meta(ge=1, le=20)]
    remove: tuple[str, ...] = ()
    add: tuple[str, ...] = ()
    to_hit: ToHit | None = None
    plays: Annotated[int, Meta(ge=3, le=4)] = PLAIN_PLAYS
    slips_first: bool = False

    def need(self, hexes: int) -> int:
        if self.to_hit and self.to_hit.first <= hexes <= self.to_hit.last:
            return self.to_hit.need
        return PLAIN_NEED


@cache
def fleet() -> dict[str, Aircraft]:
    layer = read_layer(Path(__file__).with_name("aircraft.toml"), "aircraft")
    return {name: entry.value for name, entry in merge([layer], Aircraft).items()}


def aircraft(name: str) -> Aircraft:
    try:
        return fleet()[name]
    except KeyError:
        raise UsageError(f"There is no aircraft {name[:40]!r}; there are {', '.join(fleet())}.") from None


def need(context: Context, name: str, hexes: int) -> int:
    """The lowest number of a die that hits."""
    return aircraft(name).need(hexes) if setting(context, "firepower") else PLAIN_NEED


def points(context: Context, name: str) -> int:
    """Hits that shoot it down."""
    return aircraft(name).points if setting(context, "damage_points") else PLAIN_POINTS


def plays(context: Context, name: str) -> int:
    """Cards a turn."""
    return aircraft(name).plays if setting(context, "special_cases") else PLAIN_PLAYS


def slips_first(context: Context, name: str) -> bool:
    return bool(setting(context, "special_cases")) and aircraft(name).slips_first
