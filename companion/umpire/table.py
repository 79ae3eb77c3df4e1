"""What a game tells the table: seats, what is due, what each seat sees, what can be printed.

A game is one package that offers an object with the shape of `Game`; nothing else of the product names it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol

import msgspec

from companion.umpire.base import Context, Filled, TableSlot
from companion.umpire.charts import Chart
from companion.umpire.errors import Barred
from companion.umpire.lines import Change
from companion.umpire.procedure import Procedure


class Seat(msgspec.Struct, frozen=True):
    """Who acts and who sees: a player, not a side."""

    key: str
    title: str
    side: str = ""


class Act(msgspec.Struct, frozen=True):
    """Something to do now: a procedure with the inputs that the state knows already (unknown ones are left out).

    `about` names the pieces on the table that it concerns, the acting one first. A barred act stays listed with
    every reason. `must` acts come before anything else. `sealed` are inputs that hold hidden cards: the table adds
    them when it opens the procedure, and no page, print or export ever shows them.
    """

    key: str
    procedure: str
    title: str
    seat: str
    inputs: dict[str, Any] = {}
    about: tuple[str, ...] = ()
    barred: tuple[Barred, ...] = ()
    must: bool = False
    sealed: dict[str, Any] = {}


class Due(msgspec.Struct, frozen=True):
    """What must, may and may not be done now; `phase` in the words of the table (`Round 7, Axis turn`)."""

    phase: str
    acts: tuple[Act, ...] = ()
    seat: str = ""
    over: bool = False


class Field(msgspec.Struct, frozen=True):
    """One value of a piece or a score; `letter` and `colour` mark damage and the like, never colour alone."""

    label: str
    value: str
    rule: str = ""
    letter: str = ""
    colour: str = ""
    house: bool = False


class Piece(msgspec.Struct, frozen=True):
    """An aircraft, a leader, a pilot: what the table page shows as one card. `out` greys it and says why."""

    key: str
    title: str
    side: str = ""
    seat: str = ""
    fields: tuple[Field, ...] = ()
    out: str = ""
    picture: str = ""


class View(msgspec.Struct, frozen=True):
    """The game as one seat may see it; it is the only way to a page, a print or an export."""

    headline: str
    pieces: tuple[Piece, ...] = ()
    score: tuple[Field, ...] = ()
    hand: tuple[Field, ...] = ()
    notes: tuple[str, ...] = ()
    odds: tuple[str, ...] = ()
    """What this seat may reckon with; shown only where the table shows odds."""


class Summary(msgspec.Struct, frozen=True):
    """A result in a glance: who did what to whom, one large word, what changed."""

    heading: tuple[str, ...]
    word: str
    changed: tuple[str, ...] = ()
    weight: Literal["quiet", "", "slip"] = ""
    """A quiet step has no slip and no screen of its own; `slip` has one even where no die was thrown."""


class Switch(msgspec.Struct, frozen=True):
    """An optional or simplification rule that a table turns on or off; `values` where it is more than on and off."""

    key: str
    title: str
    rule: str
    default: Any = False
    values: tuple[str, ...] = ()


class Unit(msgspec.Struct, frozen=True):
    """Something to pick at set-up: an aircraft type with its nation and role."""

    key: str
    title: str
    nation: str = ""
    role: str = ""
    house: bool = False


class Pick(msgspec.Struct, frozen=True):
    """A unit that was picked for a side; the first side is 0."""

    unit: str
    side: int


class Mark(msgspec.Struct, frozen=True):
    """An aircraft in a picture: `x` ahead and `y` to the left, in steps of the board; the nose in degrees to the left.

    Seen from the side `y` is up and `tilt` 1 nose up; seen from behind `tilt` 1 is banked right.
    """

    x: float = 0
    y: float = 0
    nose: int = 0
    tilt: int = 0


class Scene(msgspec.Struct, frozen=True):
    """How two aircraft stand to each other, for a picture beside an option; `own` is the one that acts."""

    seen: Literal["above", "side", "behind"]
    own: Mark
    other: Mark | None = None


class Scenario(msgspec.Struct, frozen=True):
    """A fight that begins as it stands: a whole set-up, what it is about in a sentence, and the rule it is from."""

    key: str
    title: str
    text: str
    rule: str
    setup: dict[str, Any]
    switches: dict[str, Any] = {}


class Formation(msgspec.Struct, frozen=True):
    """A way for the units of a set-up to begin; `place(setup)` gives the set-up with them in it."""

    key: str
    title: str
    text: str
    rule: str
    place: Callable[[dict[str, Any]], dict[str, Any]]
    house: bool = False


class Settable(msgspec.Struct, frozen=True):
    """A value of a piece that a ruling by hand may set; `now` is the choice that holds.

    Each choice has words and the value of the change of this `kind` that sets it; its target is the piece itself
    unless another is named.
    """

    piece: str
    label: str
    rule: str
    kind: str
    choices: tuple[tuple[str, Any], ...]
    now: str = ""
    target: str = ""


class Paper(msgspec.Struct, frozen=True):
    """Something to print. `make(state, seat, **fields)` gives a printouts document; state is None before a game.

    Where `context` is set, `make` is given the table's switches and cells as `context=` too, None before a game.
    """

    key: str
    title: str
    make: Callable[..., Any]
    fields: tuple[str, ...] = ()
    paper: str = "a4"
    needs_table: bool = False
    context: bool = False


class Lasting(msgspec.Struct, frozen=True):
    """A paper that lives on, such as a licence, and what it says now: where `content` differs, it is printed again."""

    kind: str
    fields: dict[str, str]
    content: str


class Book(Protocol):
    """What can be looked up and resolved without a table; every game is one."""

    key: str
    title: str
    version: str
    procedures: Mapping[str, Procedure[Any, Any]]
    charts: Mapping[str, Chart]
    slots: Mapping[str, TableSlot]
    switches: Mapping[str, Switch]

    @property
    def units(self) -> Sequence[Unit]:
        """What its tables have figures of; in a game, what can be picked at set-up."""

    def cells(self) -> Mapping[tuple[str, ...], Filled]:
        """The cells that its own packs fill, house values marked."""


class Game(Book, Protocol):
    """What a game offers. States are plain msgspec Structs; `apply` is pure.

    It may offer more, which is looked for by name: `rank`, `roster`, `muster` and `nickname`, `lasting`, `pile`,
    `scenarios` and `formations` (by key), `scenes` (by role and option) or `scene(context, role, option)`,
    `settable(state, context)`.
    """

    presets: Mapping[str, Mapping[str, Any]]
    state_type: type[Any]

    @property
    def papers(self) -> Mapping[str, Paper]:
        """What can be printed."""

    def demo(self) -> dict[str, Any]:
        """A set-up for the demonstration."""

    def compose(self, picks: Sequence[Pick]) -> dict[str, Any]:
        """A set-up of units that were picked by side, Axis first, everything else as the rules begin."""

    def start(self, setup: Mapping[str, Any], context: Context) -> Any:
        """The first state; raises UsageError or Illegal with every reason."""

    def apply(self, state: Any, change: Change) -> Any:
        """The state after a change that is due."""

    def seats(self, state: Any) -> tuple[Seat, ...]:
        """Everybody who acts."""

    def due(self, state: Any, context: Context) -> Due:
        """What must, may and may not be done now."""

    def view(self, state: Any, seat: str, context: Context) -> View:
        """What a seat may see; '' is a spectator."""

    def summary(self, state: Any, procedure: str, inputs: Any, result: Any) -> Summary:
        """A result in a glance; `state` is the one before it."""


MOMENT = "moment"
"""The kind of a change that says that a named moment has come: changes held for it are applied, in order."""
