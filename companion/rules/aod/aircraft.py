"""Aircraft types: what a token and its control panel say (1.1.3, 1.1.5)."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.packs.records import Entry, Layer, merge, read_layer

Text = Annotated[str, Meta(max_length=60)]
Count = Annotated[int, Meta(ge=0, le=9)]
Firepower = Annotated[int, Meta(ge=0, le=40)]
Direction = Literal["12", "2", "4", "6", "8", "10"]
"""Hours of the clock as the pilot sees them."""


Kind = Literal["bombs", "rockets", "torpedo", "fuel tank"]


class Load(Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of load that may be carried instead of the others (5.1)."""

    kind: Kind
    power: Annotated[int, Meta(ge=0, le=2000)] = 0
    """The most power in all; 0 for a tank. A rocket chit counts 25 or 15 by distance (5.5.2)."""
    place: Literal["", "internal", "external", "both"] = ""
    """Printed for those who make scenarios; it bears on no rule (5.1)."""


Die = Literal["m1", "m2", "m3", "m4", "m5"]


class Vertical(Struct, frozen=True, forbid_unknown_fields=True):
    """Firepower of flexible guns in one direction, by the level of the target (4.4.2)."""

    above: Firepower = 0
    same: Firepower = 0
    below: Firepower = 0

    def at(self, rise: int) -> int:
        """For a target so many levels higher; none beyond the next level."""
        return {1: self.above, 0: self.same, -1: self.below}.get(rise, 0)


class Aircraft(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One type. A field that is given neither by the rulebook nor by a pack of the player's own is a house value."""

    name: Annotated[str, Meta(min_length=1, max_length=60)]
    nation: Literal["", "Germany", "Great Britain", "USA"] = ""
    role: Text = ""
    engines: Annotated[int, Meta(ge=1, le=4)] = 1
    takeoff_engines: Annotated[int, Meta(ge=1, le=4)] | None = None
    """The number of engines it counts as on a runway, where that differs (7.3)."""
    tokens: Annotated[tuple[Annotated[int, Meta(ge=1, le=999)], ...], Meta(max_length=20)] = ()
    """Designation numbers, by which movement is ordered (2.1.1)."""

    basic_speed: Annotated[int, Meta(ge=1, le=20)]
    dice: Annotated[tuple[Die, ...], Meta(max_length=5)] = ()
    """The blue movement dice that it may use, as its panel shows; none are known to the house (3.1)."""
    throttle: Count = 0
    """Safe uses of full throttle before the slot marked "!"; 0 where the green die is not permitted (3.1)."""
    booster: Annotated[int, Meta(ge=0, le=4)] = 0
    agility: Annotated[int, Meta(ge=1, le=5)]
    agility_dots: Annotated[int, Meta(ge=1, le=3)] = 1
    boxed: bool = False
    """Agility printed in a square: a heavy aircraft (3.2.3, 3.6.4)."""
    zigzag: bool = False
    ceiling: Annotated[int, Meta(ge=1, le=13)]
    climb: Annotated[int, Meta(ge=0, le=5)]
    climb_dots: Annotated[int, Meta(ge=0, le=3)] = 0
    descent: Annotated[int, Meta(ge=1, le=6)]
    stall: Annotated[int, Meta(ge=1, le=9)]
    endurance: Annotated[int, Meta(ge=1, le=99)] | None = None
    endurance_tank: Annotated[int, Meta(ge=1, le=99)] | None = None
    """What an external tank adds (7.2.1)."""
    aerobatics: bool = False
    steep_turn: Literal["no", "both", "left", "right"] = "no"
    steep_dive: bool = False
    vertical_dive: bool = False

    durability: Annotated[int, Meta(ge=0, le=10)]
    frontal_durability: Annotated[int, Meta(ge=0, le=10)] | None = None
    capacity: Literal["single", "double", "fragile"] = "single"
    size: Literal["normal", "large", "very small"] = "normal"

    fixed: Firepower = 0
    fixed_bursts: Annotated[int, Meta(ge=1, le=30)] | None = None
    """Bursts of the fixed guns; None where their ammunition is not tracked (4.2)."""
    fixed_row: Annotated[int, Meta(ge=1, le=30)] | None = None
    flexible_row: Annotated[int, Meta(ge=1, le=30)] | None = None
    """Slots in the ammunition row of the panel, where bursts share them (4.2.1)."""
    fixed_slots: Annotated[tuple[Firepower, ...], Meta(max_length=30)] = ()
    """Firepower of each burst from the first, where it falls (4.2.2); empty where all are alike."""
    cannon_slots: Annotated[tuple[Annotated[int, Meta(ge=1, le=30)], ...], Meta(max_length=30)] = ()
    """Bursts with the cannon symbol, the first is 1 (4.6.4)."""
    fixed_dashed: bool = False
    """Fixed guns that cannot fire actively (4.1)."""
    upward: Firepower = 0
    """Guns aimed upwards (4.5.5)."""
    flexible: Annotated[dict[Direction, Vertical], Meta(max_length=6)] = {}
    flexible_bursts: Annotated[int, Meta(ge=1, le=30)] | None = None
    dashed: Annotated[tuple[Direction, ...], Meta(max_length=6)] = ()
    """Directions in which flexible guns only fire passively (4.1)."""
    twitch: bool = False
    radar: bool = False
    bombsight: bool = False
    camera: bool = False
    air_rockets: Count = 0
    """Salvos of air-to-air rockets that may be carried (4.10)."""

    loads: Annotated[tuple[Load, ...], Meta(max_length=6)] = ()
    loaded_speed: Annotated[int, Meta(ge=1, le=20)] | None = None
    loaded_agility: Annotated[int, Meta(ge=1, le=5)] | None = None
    loaded_agility_dots: Annotated[int, Meta(ge=1, le=3)] | None = None
    loaded_ceiling: Annotated[int, Meta(ge=1, le=13)] | None = None
    loaded_climb: Annotated[int, Meta(ge=0, le=5)] | None = None
    loaded_climb_dots: Annotated[int, Meta(ge=0, le=3)] | None = None

    def slot(self, burst: int) -> int:
        """Firepower printed for a burst, the first is 1 (4.2.2); where it falls, the last slot serves on."""
        if not self.fixed_slots:
            return self.fixed
        return self.fixed_slots[min(burst, len(self.fixed_slots)) - 1]

    def flexible_at(self, clock: int | None, rise: int) -> int:
        """Firepower of the flexible guns towards an hour and a level, tilt not counted (4.4.2)."""
        for direction, vertical in self.flexible.items():
            if int(direction) == clock:
                return vertical.at(rise)
        return 0

    def load(self, kind: str) -> Load | None:
        """What it may carry of a kind (5.1)."""
        return next((load for load in self.loads if load.kind == kind), None)

    def durability_from(self, frontal: bool) -> int:
        """The durability that is subtracted (4.3.1)."""
        if frontal and self.frontal_durability is not None:
            return self.frontal_durability
        return self.durability


HOUSE_PACK = Path(__file__).parent / "packs" / "house" / "aircraft.toml"


@cache
def _house() -> Layer:
    return read_layer(HOUSE_PACK, "aircraft")


def aircraft(packs: Sequence[Path] = ()) -> dict[str, Entry[Aircraft]]:
    """Every type: the rulebook's and the house's values, with the player's own packs over both."""
    return merge([_house(), *(read_layer(file, "aircraft") for file in packs)], Aircraft)
