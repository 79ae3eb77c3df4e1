"""The chance that the opponent can answer, from the cards that one side has not seen. Never from the hand itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from companion.rules.rotl.altitude import Move
from companion.rules.rotl.attack import Attack
from companion.rules.rotl.cards import COUNTER, answers, list_of
from companion.rules.rotl.exchange import Fighter, Play
from companion.rules.rotl.ratings import behind
from companion.rules.rotl.state import Dogfight
from companion.umpire import Ask, Dice, Question, Slot, Umpire, at_most, procedure
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


def unseen_by(
    state: Dogfight,
    seat: str,
    fighter: Fighter,
    last: str,
    *,
    attack: bool,
    laid: Sequence[str] = (),
    only: tuple[str, ...] = (),
) -> Unseen:
    """What a seat knows of the answer that a fighter could give to a card of this kind.

    `laid` are the fighter's cards in the open exchange; `only` the kinds that may answer at all.
    """
    deck = state.cards
    left = Counter({key: card.copies for key, card in deck.items()})
    shown = [card for card in laid if card != COUNTER]
    left.subtract([*state.discards.known, *shown])
    for e in state.elements:
        if e.seat == seat:
            left.subtract((*e.hand.known, *e.mini.known))

    def meets(kind: str, listed: Sequence[str]) -> bool:
        return (not only or kind in only) and answers(last, listed, attack=attack)

    cards = max(0, len(fighter.hand) - len(shown))
    counters = fighter.counters - (len(laid) - len(shown))
    powers = {"ACE": fighter.ace, "SCI": fighter.agile, "FUT": fighter.ta152}
    sure = (counters > 0 and meets("FUT", list_of("FUT", deck))) or any(
        power == "ready" and cards > 0 and meets(kind, list_of(kind, deck)) for kind, power in powers.items()
    )
    fits = [key for key in left if deck[key].responds and meets(deck[key].kind, deck[key].answers)]
    return Unseen(left.total(), sum(left[key] for key in fits), cards, sure)


# --- what each card leads to -----------------------------------------------------------------------

Rows = Mapping[str, Sequence[tuple[str, Fraction]]]
"""By option: words for what may come, and the chance of each."""


def foresee(state: Dogfight, seat: str, inputs: Any, ask: Ask, laid: Sequence[str]) -> Rows:
    """For each card that this seat may lay now the chance that the other side can answer; `laid` from the first on."""
    if seat != ask.seat or ask.role not in ("card", "respond") or not isinstance(inputs, (Attack, Move)):
        return {}
    mine, theirs = _sides(inputs, len(laid) % 2)
    if isinstance(inputs, Attack) and inputs.by == "gunner" and laid:
        return {}  # a gunner never answers, whatever its pilot holds
    first = not laid
    only = ("VER", "ACE") if isinstance(inputs, Move) and first else ()
    if isinstance(inputs, Move) and first and not behind(inputs.position):
        return {}  # nobody may contest it
    found = {}
    for option in ask.space.listed if ask.space else ():
        if isinstance(option.value, Play) and not option.barred:
            unseen = unseen_by(state, seat, theirs, option.value.kind, attack=first, laid=_of(laid), only=only)
            found[option.key] = _words(theirs, chance(unseen))
    return found if mine.seat == seat else {}


def _sides(inputs: Attack | Move, turn: int) -> tuple[Fighter, Fighter]:
    """Whose card is due, and who may answer it."""
    pair = (inputs.attacker, inputs.defender) if isinstance(inputs, Attack) else _climbers(inputs)
    return pair[turn], pair[1 - turn]


def _climbers(move: Move) -> tuple[Fighter, Fighter]:
    return move.mover.fighter, move.enemy.fighter


def _of(laid: Sequence[str]) -> list[str]:
    """The cards of the side that does not lay now: every other one, its last included."""
    return [key.split(":")[0] for key in laid[-1::-2]]


def _words(fighter: Fighter, p: Fraction) -> list[tuple[str, Fraction]]:
    rows = [(f"{fighter.title} can answer", p), (f"{fighter.title} has no answer", 1 - p)]
    return [row for row in rows if row[1]]
