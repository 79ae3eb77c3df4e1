"""The dogfight as a state: elements, their aircraft, who holds a position on whom, and the player-turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

import msgspec

from companion.rules.rotl import aircraft
from companion.rules.rotl.aircraft import Altitude, Side, Type
from companion.rules.rotl.cards import Card, Cards, Hand, deck_of
from companion.rules.rotl.ratings import Position, mirror
from companion.umpire import UsageError

Skill: TypeAlias = Literal["A", "BM", "BU", "CV", "D", "G", "H", "P", "S"]
Step: TypeAlias = Literal["wingman", "altitude", "play", "discard", "draw"]
STEPS: tuple[Step, ...] = ("wingman", "altitude", "play", "discard", "draw")
Phase: TypeAlias = Literal["altitudes", "deal", "initiative", "order", "turn", "over"]
Fate: TypeAlias = Literal["flying", "destroyed", "disengaged"]

GAME_TURNS = 6


class Plane(msgspec.Struct, frozen=True):
    """One aircraft; its key stays when a wingman becomes the leader."""

    key: str
    hits: int = 0
    damaged: bool = False
    fate: Fate = "flying"

    @property
    def flying(self) -> bool:
        return self.fate == "flying"


class Element(msgspec.Struct, frozen=True):
    """A leader and its wingman. `counters` are Full Throttle counters; `mini` is the wingman's mini-hand."""

    key: str
    side: Side
    seat: str
    type: str
    leader: Plane
    wingman: Plane | None = None
    aside: tuple[Plane, ...] = ()
    pilot: str = ""
    skills: tuple[Skill, ...] = ()
    altitude: Altitude = "Medium"
    hand: Hand = Hand()
    mini: Hand = Hand()
    counters: int = 0
    ace: bool = False
    promote: bool = False

    @property
    def fighting(self) -> bool:
        return self.leader.flying or self.promote

    @property
    def planes(self) -> tuple[Plane, ...]:
        """Every aircraft that it began with."""
        return (self.leader, *([self.wingman] if self.wingman else []), *self.aside)


class Hold(msgspec.Struct, frozen=True):
    """One leader is Advantaged over or Tailing another. All other pairs are Neutral."""

    by: str
    over: str
    position: Literal["Advantaged", "Tailing"]


class Turn(msgspec.Struct, frozen=True):
    """One player-turn. `targets` is the one target of each attacking aircraft."""

    element: str
    step: Step = "wingman"
    began_at: Altitude = "Medium"
    held: bool = False
    moved: bool = False
    played: int = 0
    vertical: Literal["", "free", "bound"] = ""
    targets: dict[str, str] = {}
    bursts: int = 0
    gunner: int = 0
    extra: int = 0
    used: tuple[str, ...] = ()
    no_play: bool = False


class Dogfight(msgspec.Struct, frozen=True):
    """Everything on the table. `pile` counts the draw pile: which cards it holds is what nobody knows.

    Switches that changes need: `virtual` hands, whether a `damaged_speed` costs counters, whether rockets follow with
    counters.
    """

    elements: tuple[Element, ...]
    phase: Phase = "altitudes"
    holds: tuple[Hold, ...] = ()
    pile: int = 0
    discards: Hand = Hand()
    first: Side = "Axis"
    order: tuple[str, ...] = ()
    game_turn: int = 1
    turn: Turn | None = None
    bonus: dict[str, int] = {}
    seats: dict[str, str] = {}
    virtual: bool = True
    damaged_speed: bool = False
    rocket_counters: bool = True
    deck: dict[str, Card] = {}
    types: dict[str, Type] = {}

    # --- who is who

    def element(self, key: str) -> Element:
        found = next((e for e in self.elements if e.key == key), None)
        if found is None:
            raise UsageError(f"There is no element {key[:40]!r}; there are {', '.join(e.key for e in self.elements)}.")
        return found

    def owner(self, plane: str) -> Element:
        """The element of an aircraft."""
        found = next((e for e in self.elements if any(p.key == plane for p in e.planes)), None)
        if found is None:
            raise UsageError(f"There is no aircraft {plane[:40]!r}; a leader is X1.1, its wingman X1.2.")
        return found

    def type_of(self, element: Element) -> Type:
        return aircraft.find(element.type, self.types)

    @property
    def cards(self) -> Cards:
        return deck_of(self.deck)

    @property
    def fighting(self) -> tuple[Element, ...]:
        return tuple(e for e in self.elements if e.fighting)

    def enemies(self, element: Element) -> Iterator[Element]:
        return (e for e in self.fighting if e.side != element.side)

    @property
    def aircraft(self) -> int:
        """How many aircraft began."""
        return sum(len(e.planes) for e in self.elements)

    # --- who holds whom

    def position(self, one: str, other: str) -> Position:
        """The position of one element's leader to another's."""
        for hold in self.holds:
            if (hold.by, hold.over) == (one, other):
                return hold.position
            if (hold.by, hold.over) == (other, one):
                return mirror(hold.position)
        return "Neutral"

    def engaged_with(self, key: str) -> str:
        """The element that this one's leader is engaged with, or ''."""
        for hold in self.holds:
            if key in (hold.by, hold.over):
                return hold.over if hold.by == key else hold.by
        return ""

    def quarry(self, key: str) -> Hold | None:
        return next((h for h in self.holds if h.by == key), None)

    def is_lone_holder(self, element: Element) -> bool:
        """A leader without a wingman that holds a position: others may prise it off."""
        return element.wingman is None and self.quarry(element.key) is not None

    # --- ratings as they count now

    def rating(self, element: Element, field: Literal["performance", "horsepower", "burst", "heavy"]) -> int:
        """A leader's rating on the side of the card that lies up, with the pilot's skill."""
        skill = {"performance": "P", "horsepower": "H", "burst": "BU"}.get(field, "")
        pair = getattr(self.type_of(element), field)
        return int(pair[element.leader.damaged]) + (skill in element.skills)

    def gunner(self, element: Element) -> int:
        """The gunner's bursts; 0 without a gunner."""
        pair = self.type_of(element).gunner
        return pair[element.leader.damaged] + ("G" in element.skills) if pair else 0

    def capacity(self, element: Element, plane: Plane) -> tuple[int, int]:
        """All hits at which an aircraft is damaged and shot down; the pilot flies in the first leader."""
        more = "D" in element.skills and plane.key == element.leader.key
        kind, leads = self.type_of(element), plane.key in (element.leader.key, f"{element.key}.1")
        first, second = kind.capacity if leads else kind.wing_capacity or kind.capacity
        return first + more, second + more
