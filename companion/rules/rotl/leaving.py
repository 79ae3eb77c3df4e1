"""Disengagement: one card for each aircraft, its level shifted by what holds when it leaves."""

from __future__ import annotations

from collections import Counter

import msgspec

from companion.rules.rotl.aircraft import charts
from companion.rules.rotl.cards import UNKNOWN, Card, Cards, deck_of
from companion.rules.rotl.piles import Stock, draw
from companion.rules.rotl.ratings import Position
from companion.rules.rotl.refusals import refuse
from companion.umpire import (
    Barred,
    Change,
    Dice,
    Modifier,
    OneOf,
    Option,
    Question,
    Slot,
    Umpire,
    add,
    named,
    procedure,
)

RULE = "Disengagement Table"
VOLUNTARY = "Voluntary Disengagement"
LEVELS = "ABCDEFGHI"


class Leaving(msgspec.Struct, frozen=True):
    """An aircraft that leaves."""

    plane: str
    title: str = ""
    damaged: bool = False


class Disengagement(msgspec.Struct, frozen=True):
    """An element that leaves; wingmen use the position of their leader.

    `discards` serve the odds alone: what lies face up will not be drawn. The last six fields are the campaign's.
    """

    element: str = "the element"
    seat: str = ""
    planes: tuple[Leaving, ...] = (Leaving("the leader"),)
    position: Position = "Neutral"
    alone: bool = False
    powered: bool = False
    played: int = 0
    stock: Stock = Stock()
    deck: dict[str, Card] = {}
    discards: tuple[str, ...] = ()
    fuel: bool = False
    rocket: bool = False
    target_bound: bool = False
    over_target: bool = False
    home_bound: bool = False
    heavy_bomber: bool = False


class Left(msgspec.Struct, frozen=True):
    """The fate of each aircraft, in order."""

    fates: tuple[str, ...]
    changes: tuple[Change, ...] = ()


def may_leave(d: Disengagement) -> list[Barred]:
    return [refuse("DISENGAGE_INSTEAD_OF_PLAYING")] if d.played else []


def shifts(d: Disengagement, plane: Leaving) -> tuple[Modifier, ...]:
    """Levels down (+, safer) and up (-)."""
    holds = {
        d.position: True,
        "damaged": plane.damaged,
        "no enemy fighter at that altitude": d.alone,
        "speed or thrust rating": d.powered and not d.fuel,
        "fuel": d.fuel and not d.rocket,
        "fuel, rocket": d.fuel and d.rocket,
        "target-bound, turn 6 or later": d.target_bound,
        "over target after 6 target-bound turns": d.over_target,
        "home-bound, 6 turns or more to go": d.home_bound,
        "heavy bomber": d.heavy_bomber,
    }
    chart = charts()["disengagement_shifts"]
    found = (Modifier(int(chart.at(name)), name, name, RULE) for name, applies in holds.items() if applies)
    return tuple(m for m in found if m.value)


def fate(card_level: str, shift: int, *, damaged: bool) -> tuple[str, str]:
    """The final level and its result; Damaged is a safe escape for an aircraft that is damaged already."""
    level = LEVELS[min(8, max(0, LEVELS.index(card_level) + shift))]
    result = str(charts()["disengagement"].at(level, "result"))
    return level, "Safe Escape" if result == "Damaged" and damaged else result


def unseen_levels(d: Disengagement) -> tuple[str, ...]:
    """The level of each card that does not lie face up: what everybody may reckon with."""
    deck = deck_of(d.deck)
    left = Counter({key: card.copies for key, card in deck.items()})
    left.subtract(d.discards)
    return tuple(deck[key].level for key in left.elements())


def one_fate(ump: Umpire, d: Disengagement, plane: str) -> str:
    """The fate of one aircraft by a card drawn from all that do not lie face up."""
    leaving = next(p for p in d.planes if p.plane == plane)
    levels = unseen_levels(d)
    dice = Dice((Slot("card", named("card", levels)),))
    (level,) = ump.roll("card", dice, rule=RULE, title="an unseen card")
    return fate(level.name, add(shifts(d, leaving)), damaged=leaving.damaged)[1]


def _subjects(d: Disengagement) -> tuple[str, ...]:
    return tuple(p.plane for p in d.planes)


@procedure(
    "rotl.disengage",
    title="Disengage",
    rule="Voluntary Disengagement",
    violations=may_leave,
    questions={"fate": Question("Fate of", lambda result, _plane: result, one_fate, _subjects)},
    asks={"draw": "a card for each aircraft", "card": "which card came"},
)
def disengage(ump: Umpire, d: Disengagement) -> Left:
    """Each aircraft draws one card; then the element is out of the fight."""
    deck, there = deck_of(d.deck), d.stock
    fates: list[str] = []
    changes: list[Change] = []
    for plane in d.planes:
        drawn = draw(ump, plane.plane, d.seat, 1, there, "turn up", "", sight="all")
        there = drawn.stock
        card = _which(ump, d, deck, drawn.cards)
        changes += _turned_up(drawn.changes, card)
        fates.append(_fate_of(ump, d, plane, deck.get(card)))
        changes += _fate_change(plane, fates[-1])
    changes.append(Change("disengaged", d.element, text=f"{d.element} leaves the fight", rule=VOLUNTARY))
    return Left(tuple(fates), tuple(changes))


def _which(ump: Umpire, d: Disengagement, deck: Cards, cards: tuple[str, ...]) -> str:
    if not cards or cards[0] != UNKNOWN:
        return cards[0] if cards else ""
    space = OneOf(tuple(Option(key, card.title, key) for key, card in deck.items()))
    return ump.fact("card", space, text="Which card came?", rule=RULE, seat=d.seat)


def _turned_up(changes: tuple[Change, ...], card: str) -> list[Change]:
    """A printed card lies face up now."""
    return [msgspec.structs.replace(c, value=(card,)) if c.kind == "turn up" else c for c in changes]


def _fate_of(ump: Umpire, d: Disengagement, plane: Leaving, card: Card | None) -> str:
    """Without a card to draw it counts as any other card."""
    level, title = (card.level, card.title) if card else ("H", "no card")
    mods = shifts(d, plane)
    final, result = fate(level, add(mods), damaged=plane.damaged)
    sums = "".join(f", {m.text} {'down' if m.value > 0 else 'up'} {abs(m.value)}" for m in mods)
    ump.note(f"{plane.title or plane.plane}: {title} is {level}{sums} = {final}: {result}", RULE)
    return result


def _fate_change(plane: Leaving, result: str) -> list[Change]:
    kinds = {"Destroyed": "destroyed", "Damaged": "damaged"}
    if result not in kinds:
        return []
    return [Change(kinds[result], plane.plane, text=f"{plane.title or plane.plane}: {result}", rule=RULE)]
