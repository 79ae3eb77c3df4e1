"""Figures that the rulebook text lacks and the cards of the players print."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from companion.rules.rotl import cards
from companion.umpire import Filled, Number, TableSlot

HITS = TableSlot("card_hits", "Hits on the card", "Damage Capacity", Number(0, 9), tuple(cards.house_deck()))


@cache
def cells() -> Mapping[tuple[str, ...], Filled]:
    """The hits of the house deck; the few that the text prints are no house values."""
    found: dict[tuple[str, ...], Filled] = {}
    for key, entry in cards.house_entries().items():
        origin = entry.origins.get("hits")
        if origin:
            found[HITS.key, key] = Filled(entry.value.hits, origin.printed or origin.pack, origin.house)
    return found
