"""Set-up and the plain steps of a player-turn, each a small procedure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, product
from random import Random
from typing import Any

import msgspec

from companion.rules.rotl.aircraft import ALTITUDES, SIDES, Altitude
from companion.rules.rotl.cards import Card, Hand, deck_of, from_hand
from companion.rules.rotl.piles import Stock, draw
from companion.rules.rotl.ratings import above_ceiling
from companion.rules.rotl.refusals import refuse
from companion.rules.rotl.state import Step
from companion.umpire import (
    Barred,
    Change,
    Choice,
    Number,
    OneOf,
    Option,
    Question,
    SomeOf,
    Space,
    Umpire,
    UsageError,
    procedure,
)

SETUP = "Basic Game Set Up & Play"
STEPS = "Sequence of Play Steps"
DRAW = "Draw"


class Outcome(msgspec.Struct, frozen=True):
    """What was done, in a few words that everybody may read."""

    done: str
    changes: tuple[Change, ...] = ()


# --- starting altitudes ----------------------------------------------------------------------------


class Starter(msgspec.Struct, frozen=True):
    """An element that chooses where to begin."""

    element: str
    seat: str
    title: str = ""
    turbo: bool = False
    ceiling: Altitude = "Very High"


class Starts(msgspec.Struct, frozen=True):
    elements: tuple[Starter, ...]


class StartLevels(SomeOf[str], frozen=True):
    """A level for each of several elements: `X1=Low`, `X2=High`; each element once."""

    elements: tuple[str, ...] = ()

    def parse(self, given: Any) -> tuple[str, ...]:
        found = super().parse(given)
        if sorted(key.split("=")[0] for key in found) != sorted(self.elements):
            raise UsageError(f"Give one level for each of {', '.join(self.elements)}.")
        return found

    @property
    def legal(self) -> tuple[Any, ...]:
        return tuple(islice(product(*self._by_element), 100))

    def pick(self, rng: Random) -> Any:
        return [rng.choice(keys) for keys in self._by_element]

    @property
    def _by_element(self) -> list[list[str]]:
        return [[k for k in self._keys if k.startswith(f"{e}=")] for e in self.elements]


def start_levels(elements: Sequence[Starter]) -> Space[Any]:
    """Where the elements of a seat may begin; one element just names its level."""
    if len(elements) == 1:
        return OneOf(tuple(Option(level, level, level, start_barred(elements[0], level)) for level in ALTITUDES))
    choices = tuple(
        Option(
            f"{e.element}={level}", f"{e.title or e.element}: {level}", f"{e.element}={level}", start_barred(e, level)
        )
        for e in elements
        for level in ALTITUDES
    )
    count = len(elements)
    return StartLevels(choices, count, count, elements=tuple(e.element for e in elements))


def _chosen(elements: Sequence[Starter], given: str | tuple[str, ...]) -> dict[str, str]:
    if isinstance(given, str):
        return {elements[0].element: given}
    return dict(choice.split("=", 1) for choice in given)


def start_barred(who: Starter, level: Altitude) -> Barred | None:
    """Why an element may not begin there."""
    if level == "Very High" and not who.turbo:
        return refuse("START_VERY_HIGH_NEEDS_TURBO", who=who.title or who.element)
    return above_ceiling(level, who.title or who.element, who.ceiling)


@procedure(
    "rotl.altitudes", title="Choose starting altitudes", rule=SETUP, asks={"altitude": "a level for each own element"}
)
def altitudes(ump: Umpire, starts: Starts) -> Outcome:
    """Every seat chooses in secret; all are revealed together."""
    own: dict[str, list[Starter]] = {}
    for starter in starts.elements:
        own.setdefault(starter.seat, []).append(starter)
    group = {
        seat: Choice("altitude", start_levels(elements), "Starting altitude of " + _names(elements))
        for seat, elements in own.items()
    }
    levels = ump.together("altitudes", group, rule=SETUP)
    changes = []
    for seat, elements in own.items():
        chosen = _chosen(elements, levels[seat])
        for starter in elements:
            level = chosen[starter.element]
            ump.note(f"{starter.title or starter.element} begins at {level}", SETUP)
            changes.append(Change("altitude", starter.element, level, text=f"{starter.element}: {level}", rule=SETUP))
    return Outcome("Altitudes are revealed", (*changes, Change("phase", "", "deal", rule=SETUP)))


def _names(elements: list[Starter]) -> str:
    return ", ".join(e.title or e.element for e in elements)


# --- the deal, initiative, order -------------------------------------------------------------------


class Dealt(msgspec.Struct, frozen=True):
    """What an element begins with. `vision`: its pilot may exchange cards once."""

    element: str
    seat: str
    cards: int
    counters: int = 0
    ace: bool = False
    vision: bool = False


class Deal(msgspec.Struct, frozen=True):
    elements: tuple[Dealt, ...]
    stock: Stock = Stock()
    deck: dict[str, Card] = {}


def counters(element: str, count: int) -> tuple[Change, ...]:
    """Full Throttle counters that an element gains, if it does."""
    text = f"{element}: +{count} Full Throttle {'counter' if count == 1 else 'counters'}"
    gained = Change("counters", element, count, text=text, rule="Jet / Rocket Fighter Ratings")
    return (gained,) if count else ()


@procedure(
    "rotl.deal",
    title="Deal the cards",
    rule=SETUP,
    asks={"draw": "the first hand of each element", "exchange": "cards that a pilot with combat vision gives back"},
)
def deal(ump: Umpire, d: Deal) -> Outcome:
    """Performance cards each; then pilots with combat vision exchange any number once."""
    changes: list[Change] = []
    hands: dict[str, Hand] = {}
    there = d.stock
    for e in d.elements:
        drawn = draw(ump, e.element, e.seat, e.cards, there, "take", e.element)
        there, hands[e.element] = drawn.stock, Hand().plus(drawn.cards)
        ump.note(f"{e.element} is dealt {len(drawn.cards)} cards", SETUP)
        changes += drawn.changes
        changes += counters(e.element, e.counters)
        if e.ace:
            changes.append(Change("ace", e.element, True, text=f"{e.element}: ace ability", rule="Pilot Skills, A"))
    for e in d.elements:
        if e.vision:
            changed, there = _exchange(ump, d, e, hands[e.element], there)
            changes += changed
    return Outcome("The cards are dealt", (*changes, Change("phase", "", "initiative", rule=SETUP)))


def _exchange(ump: Umpire, d: Deal, e: Dealt, hand: Hand, there: Stock) -> tuple[list[Change], Stock]:
    rule = "Pilot Skills, CV"
    space = from_hand(hand, 0, len(hand), deck_of(d.deck))
    given = ump.choose("exchange", e.seat, space, text=f"{e.element}: cards to exchange", rule=rule, options_to="seat")
    if not given:
        return [], there
    spent = Change("spend", e.element, given, text=f"{e.element} exchanges {len(given)}", rule=rule)
    drawn = draw(ump, e.element, e.seat, len(given), there, "take", e.element)
    return [spent, *drawn.changes], drawn.stock


class Nothing(msgspec.Struct, frozen=True):
    """No inputs."""


@procedure(
    "rotl.initiative",
    title="Flip the initiative counter",
    rule=SETUP,
    questions={"side": Question("Who goes first", lambda result: result.done)},
    asks={"initiative": "the counter"},
)
def initiative(ump: Umpire, _: Nothing) -> Outcome:
    """Which side names the first element."""
    side = ump.one_of("initiative", SIDES, rule=SETUP)
    return Outcome(f"{side} go first", (Change("initiative", "", side, text=f"{side} go first", rule=SETUP),))


class One(msgspec.Struct, frozen=True):
    """An element."""

    element: str


@procedure("rotl.begin", title="Name the next element", rule=SETUP)
def begin(ump: Umpire, one: One) -> Outcome:
    """Its player-turn begins; the order of game-turn 1 holds for all six."""
    ump.note(f"{one.element} is next", SETUP)
    return Outcome(f"{one.element} is next", (Change("begin", one.element, text=f"{one.element} is next", rule=SETUP),))


# --- the player-turn -------------------------------------------------------------------------------


class Pass(msgspec.Struct, frozen=True):
    element: str
    step: Step = "play"


@procedure("rotl.pass", title="End the step", rule=STEPS)
def end_step(ump: Umpire, p: Pass) -> Outcome:
    """Nothing more in this step; mini-hands are discarded."""
    ump.note(f"{p.element} ends the step: {p.step}", STEPS)
    return Outcome(f"{p.element} goes on", (Change("step", p.element, text=f"{p.step} is over", rule=STEPS),))


class Declare(msgspec.Struct, frozen=True):
    """A target is named before mini-hands are drawn. `offence` and `defence` are the cards of each."""

    attacker: str
    seat: str
    shooter: str
    target: str
    defender: str
    other_seat: str
    offence: int = 0
    defence: int = 0
    stock: Stock = Stock()


@procedure(
    "rotl.declare", title="Name a target", rule="A Wingman's Mini-Hand", asks={"draw": "the cards of a mini-hand"}
)
def declare(ump: Umpire, d: Declare) -> Outcome:
    """The target is named, then the attacking wingman draws, then the attacked one."""
    rule = "A Wingman's Mini-Hand"
    ump.note(f"{d.attacker} attacks {d.target}", rule)
    mine = draw(ump, d.attacker, d.seat, d.offence, d.stock, "take mini", d.attacker)
    theirs = draw(ump, d.defender, d.other_seat, d.defence, mine.stock, "take mini", d.defender)
    target = Change("target", d.shooter, d.target, text=f"{d.shooter} attacks {d.target}", rule=rule)
    return Outcome(f"{d.attacker} attacks {d.target}", (target, *mine.changes, *theirs.changes))


class GiveUp(msgspec.Struct, frozen=True):
    """Giving up a position. `held`: since the player-turn began; `played`: cards laid in this step."""

    element: str
    enemy: str = ""
    held: bool = True
    played: int = 0


def may_give_up(g: GiveUp) -> list[Barred]:
    found = []
    if not g.enemy:
        found.append(refuse("GIVE_UP_ONLY_WHEN_ADVANTAGED_OR_TAILING"))
    elif not g.held:
        found.append(refuse("GIVE_UP_ONLY_IF_HELD_AT_TURN_START"))
    if g.played:
        found.append(refuse("GIVE_UP_ONLY_AT_START_OF_PLAY_CARDS"))
    return found


@procedure("rotl.give_up", title="Give up position", rule="Giving Up Position", violations=may_give_up)
def give_up(ump: Umpire, g: GiveUp) -> Outcome:
    """Both leaders are Neutral, and this one is free to attack another."""
    ump.note(f"{g.element} gives up its position", "Giving Up Position")
    change = Change("position", f"{g.element}|{g.enemy}", "Neutral", text="Both are Neutral", rule="Giving Up Position")
    return Outcome(f"{g.element} is Neutral", (change,))


class Discard(msgspec.Struct, frozen=True):
    element: str
    seat: str = ""
    hand: Hand = Hand((), 9)
    deck: dict[str, Card] = {}


@procedure("rotl.discard", title="Discard", rule=STEPS, asks={"discard": "any cards, face up"})
def discard(ump: Umpire, d: Discard) -> Outcome:
    """Any number of cards, face up."""
    given: tuple[str, ...] = ()
    if len(d.hand):
        space = from_hand(d.hand, 0, len(d.hand), deck_of(d.deck))
        said = f"{d.element}: cards to discard"
        given = ump.choose("discard", d.seat, space, text=said, rule=STEPS, options_to="seat")
    text = f"{d.element} discards {len(given)}"
    ump.note(text, STEPS)
    spent = (Change("spend", d.element, given, text=text, rule=STEPS),) if given else ()
    return Outcome(text, (*spent, Change("step", d.element, rule=STEPS)))


class DrawStep(msgspec.Struct, frozen=True):
    """The end of a player-turn: what the ratings allow, and what is held."""

    element: str
    seat: str = ""
    held: int = 0
    performance: int = 5
    horsepower: int = 3
    counters: int = 0
    speed: int = 0
    thrust: int = 0
    stock: Stock = Stock()

    @property
    def most(self) -> int:
        """Cards that may be drawn: up to Performance, at most Horsepower."""
        return max(0, min(self.performance - self.held, self.horsepower))

    @property
    def gain(self) -> int:
        """Full Throttle counters of a jet: its thrust, up to its speed."""
        return max(0, min(self.thrust, self.speed - self.counters))


@procedure("rotl.draw", title="Draw cards", rule=DRAW, asks={"count": "how many", "draw": "the cards"})
def draw_cards(ump: Umpire, d: DrawStep) -> Outcome:
    """Up to Horsepower cards, not beyond Performance; a jet gains counters. The player-turn is over."""
    count = 0
    if d.most:
        text = f"{d.element}: how many cards (0 to {d.most})"
        count = ump.choose("count", d.seat, Number(0, d.most), text=text, rule="Performance")
    else:
        ump.note(f"{d.element} holds {d.held} cards and draws none", "Performance")
    drawn = draw(ump, d.element, d.seat, count, d.stock, "take", d.element)
    text = f"{d.element} draws {len(drawn.cards)}"
    ump.note(text, "Horsepower")
    return Outcome(text, (*drawn.changes, *counters(d.element, d.gain), Change("step", d.element, rule=STEPS)))


class Promotion(msgspec.Struct, frozen=True):
    """The wingman becomes the leader: cards and counters one fewer than its ratings."""

    element: str
    seat: str = ""
    cards: int = 4
    counters: int = 0
    stock: Stock = Stock()


@procedure(
    "rotl.promote", title="The wingman takes over", rule="Leader Shot Down", asks={"draw": "the new leader's hand"}
)
def promote(ump: Umpire, p: Promotion) -> Outcome:
    """Hits and damage stay with it; a hand of Performance less one; a jet gets its speed less one in counters."""
    rule = "Leader Shot Down"
    ump.note(f"{p.element}: the wingman is the leader now", rule)
    drawn = draw(ump, p.element, p.seat, p.cards, p.stock, "take", p.element)
    risen = Change("promote", p.element, text="The wingman is the leader", rule=rule)
    changes = (risen, *drawn.changes, *counters(p.element, p.counters))
    return Outcome(f"{p.element}: the wingman takes over", changes)
