"""An aircraft on the table, as the state keeps it and as a rule is given it."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from companion.grid.triangular import Pose

Damage: TypeAlias = Literal["wings", "tail", "engine", "guns"]
Pilot: TypeAlias = Literal["", "Ace", "Rookie"]
Manoeuvre: TypeAlias = Literal["", "forward slip", "steep dive", "vertical dive", "spin"]
Used: TypeAlias = Literal["active", "flexible", "fixed passive", "flexible passive"]
"""What an aircraft has done since its own last turn began (4.8)."""
Text = Annotated[str, Meta(max_length=60)]
Halves = Annotated[int, Meta(ge=0, le=80)]

COLOURS: dict[Damage, str] = {"wings": "blue", "tail": "yellow", "engine": "green", "guns": "red"}


class Craft(Struct, frozen=True, kw_only=True, omit_defaults=True, cache_hash=True):
    """One aircraft. What is None is not known and is asked for where a rule needs it."""

    key: Text = ""
    """Its designation number."""
    type: Text = ""
    side: Text = ""
    seat: Text = ""
    pose: Pose | None = None
    level: Annotated[int, Meta(ge=0, le=14)] | None = None
    """Altitude where no pose is kept."""
    speed: Annotated[int, Meta(ge=-2, le=30)] | None = None
    """Final speed of its last movement, as on its speed indicator (4.9)."""
    damages: Annotated[tuple[Damage, ...], Meta(max_length=2)] = ()
    pilot: Pilot = ""
    fixed_spent: Halves = 0
    """Half bursts fired from the fixed guns: a short burst is one, a burst two (4.6.6)."""
    flexible_spent: Halves = 0
    rockets: Annotated[int, Meta(ge=0, le=9)] = 0
    throttle: Annotated[int, Meta(ge=0, le=20)] = 0
    """How often full throttle has been used (3.1)."""
    manoeuvre: Manoeuvre = ""
    evading: bool = False
    """It must turn in its next first step (4.5.8)."""
    search: Literal["", "found", "not found"] = ""
    """The search at night before its movement (7.7)."""
    used: Annotated[tuple[Used, ...], Meta(max_length=4)] = ()
    out: Literal["", "destroyed", "left"] = ""

    @property
    def name(self) -> str:
        """`Fw 190 A-8 (3)`."""
        return f"{self.type} ({self.key})" if self.type and self.key else self.type or self.key or "the aircraft"

    @property
    def altitude(self) -> int | None:
        return self.pose.level if self.pose else self.level
