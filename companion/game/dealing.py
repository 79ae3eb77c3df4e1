"""A virtual deck: the table itself answers a draw, at random among the cards that may come.

Which card comes next is decided when it is drawn, which is the same as a deck shuffled beforehand. A game that has
decks offers `pile(state, drawn)`: the cards that may come, after those drawn by the open act; None with printed cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random, SystemRandom
from typing import Any

from companion.umpire import Ask

_RANDOM: Random = SystemRandom()


def dealt(
    game: Any, state: Any, ask: Ask, answers: Mapping[str, Any], kept: Mapping[str, Any], rng: Random | None = None
) -> list[str] | None:
    """The cards for a draw; None where the players draw themselves. Cards that were taken back come again."""
    pile = getattr(game, "pile", None)
    given = [cards for address, cards in answers.items() if is_draw(address) and isinstance(cards, list)]
    drawn = [card for cards in given for card in cards]
    left = pile(state, drawn) if pile and ask.kind == "draw" else None
    if left is None:
        return None
    again = kept.get(ask.address)
    if isinstance(again, list) and len(again) == ask.count and not Counter(again) - Counter(left):
        return list(again)
    return (rng or _RANDOM).sample(list(left), min(ask.count, len(left)))


def is_draw(address: str) -> bool:
    return address.rsplit("/", 1)[-1].startswith("draw")
