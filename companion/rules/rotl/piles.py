"""Drawing from the pile, and what may come when a card is drawn.

Which cards the pile holds is known to nobody: it is the deck less all hands and discards. A table with a virtual deck
answers a `draw` ask by taking cards at random from `pile`, which is the same as a deck shuffled beforehand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from companion.rules.rotl.cards import Hand
from companion.rules.rotl.state import Dogfight
from companion.umpire import Change, Umpire
from companion.umpire.asks import Sight

DECK = "action cards"
RULE = "Action Cards"


class Stock(msgspec.Struct, frozen=True):
    """How many cards can be drawn: from the pile, and from the discards once they are shuffled."""

    pile: int = 99
    discards: int = 0


def stock(state: Dogfight) -> Stock:
    return Stock(state.pile, len(state.discards))


class Drawn(msgspec.Struct, frozen=True):
    """Cards that came, the changes that this made, and what can be drawn now."""

    cards: tuple[str, ...]
    changes: tuple[Change, ...]
    stock: Stock


def draw(
    ump: Umpire, role: str, seat: str, n: int, there: Stock, kind: str, target: str, *, sight: Sight = "seat"
) -> Drawn:
    """At most `n` cards; where the pile runs out the discards are shuffled, and without any there is no draw."""
    first = min(n, there.pile)
    cards, changes = _some(ump, role, seat, first, kind, target, sight)
    there = Stock(there.pile - first, there.discards)
    if first < n and there.discards:
        ump.note(f"The pile is empty: {there.discards} discards are shuffled", RULE)
        changes.append(Change("shuffle", "", text="The discards are shuffled", rule=RULE))
        second = min(n - first, there.discards)
        more, changed = _some(ump, role, seat, second, kind, target, sight)
        cards, changes = cards + more, changes + changed
        there = Stock(there.discards - second, 0)
    if len(cards) < n:
        ump.note(f"No more than {len(cards)} of {n} cards are left to draw", RULE)
    return Drawn(cards, tuple(changes), there)


def _some(
    ump: Umpire, role: str, seat: str, n: int, kind: str, target: str, sight: Sight
) -> tuple[tuple[str, ...], list[Change]]:
    if n == 0:
        return (), []
    text = f"{target or role}: draw {n} {'card' if n == 1 else 'cards'}"
    cards = ump.draw(f"draw:{role}", DECK, n, rule=RULE, seat=seat, sight=sight, text=text)
    cards = (*cards, *["?"] * (n - len(cards)))
    return cards, [Change(kind, target, cards, text=f"{target} draws {n}".strip(), rule=RULE)]


def pile(state: Dogfight, drawn: Sequence[str] = ()) -> tuple[str, ...]:
    """What may come now, in no order: all cards that are nowhere else, less those drawn by the open procedure.

    Once the pile is empty these are the discards as they lay when the procedure began.
    """
    left = Counter({key: card.copies for key, card in state.cards.items()})
    for hand in _seen(state):
        left.subtract(hand.known)
    if len(drawn) >= state.pile:
        left = Counter(state.discards.known)
        drawn = drawn[state.pile :]
    left.subtract(drawn)
    return tuple(sorted(left.elements()))


def _seen(state: Dogfight) -> list[Hand]:
    return [state.discards, *(hand for e in state.elements for hand in (e.hand, e.mini))]
