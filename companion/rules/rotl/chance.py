"""The chance that the opponent can answer, from the cards that one side has not seen. Never from the hand itself."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb
from typing import Annotated

import msgspec
from msgspec import Meta

from companion.rules.rotl.cards import answers, list_of
from companion.rules.rotl.state import Dogfight, Element
from companion.umpire import Dice, Question, Slot, Umpire, at_most, procedure
from companion.umpire.dice import numbered

RULE = "Responding to an Attack"
Cards = Annotated[int, Meta(ge=0, le=999)]


class Unseen(msgspec.Struct, frozen=True):
    """What one side knows of a hand: its size, how many unseen cards there are, and how many of them would answer.

    `sure`: a counter on the table answers anyway.
    """

    unseen: Cards = 60
    answering: Cards = 14
    cards: Cards = 5
    sure: bool = False


def chance(u: Unseen) -> Fraction:
    """The chance that at least one of the cards answers (hypergeometric)."""
    if u.sure:
        return Fraction(1)
    cards = min(u.cards, u.unseen)
    return 1 - Fraction(comb(u.unseen - u.answering, cards), comb(u.unseen, cards))


class Draws(msgspec.Struct, frozen=True):
    """Unseen cards and answering ones still to come, and whether one has come."""

    unseen: int
    answering: int
    found: bool = False


@procedure(
    "rotl.answer",
    title="Can the opponent answer?",
    rule=RULE,
    questions={"can": Question("the opponent can answer", lambda result: result)},
    asks={"card": "each unseen card, as if it were drawn"},
)
def can_answer(ump: Umpire, u: Unseen) -> bool:
    """Card by card, as if the hand were drawn now from all unseen cards."""
    if u.sure:
        ump.note("A counter or ability answers for sure", RULE)
        return True
    start = Draws(u.unseen, u.answering)
    return ump.fold("hand", _one_card, start, range(min(u.cards, u.unseen))).found


def _one_card(ump: Umpire, draws: Draws, _number: int) -> Draws:
    if draws.found:
        return draws
    dice = Dice((Slot("card", numbered(f"d{draws.unseen}", draws.unseen)),))
    found = ump.test("card", dice, (), at_most(draws.answering), rule=RULE, title="an unseen card answers")
    return Draws(draws.unseen - 1, draws.answering - found, found)


def unseen_by(state: Dogfight, seat: str, target: Element, kind: str, *, attack: bool, wingman: bool = False) -> Unseen:
    """What a seat knows of the answer that a target could give to a card of this kind."""
    left = Counter({key: card.copies for key, card in state.cards.items()})
    left.subtract(state.discards.known)
    for e in state.elements:
        if e.seat == seat:
            left.subtract((*e.hand.known, *e.mini.known))
    deck = state.cards
    fits = [k for k in left if deck[k].responds and answers(kind, deck[k].answers, attack=attack)]
    cards = len(target.mini if wingman else target.hand)
    sure = not wingman and (
        (target.counters > 0 and answers(kind, list_of("FUT", deck), attack=attack)) or (target.ace and cards > 0)
    )
    return Unseen(left.total(), sum(left[k] for k in fits), cards, sure)
