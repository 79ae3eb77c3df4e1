"""The charts of the look-up page: those of charts.toml, and the response matrix that follows from the deck."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from companion.rules.rotl import aircraft
from companion.rules.rotl.cards import PLAYED, Cards, house_deck, meets
from companion.umpire import Chart
from companion.umpire.charts import row

COLUMNS = ("TIT", "BAR", "SCI", "VER", "FUT", "ACE")


def response_matrix(deck: Cards) -> Chart:
    """Which card answers which; cells that neither an example, a rule nor a player's card proves are house."""
    rows, unproved = [], set()
    for played in PLAYED:
        cells = [_cell(deck, kind, played) for kind in COLUMNS]
        rows.append(row(played, cells))
        unproved |= {(played, kind) for kind in COLUMNS if f"answers {played}" in _house(kind, deck)}
    note = "An attack card stands before its name where its answers differ; -, not proved: a house value."
    return Chart(
        key="responses",
        title="Responses: which card answers which",
        rule="Responding to an Attack",
        columns=COLUMNS,
        rows=tuple(rows),
        words=("response", "answer", "matrix"),
        source="house",
        house=frozenset(unproved),
        game="rotl",
        note=note,
    )


def _cell(deck: Cards, kind: str, played: str) -> str:
    """`some` where cards of one name bear different lists."""
    found = {meets(card.answers, played) for card in deck.values() if card.kind == kind}
    return "some" if len(found) > 1 else "yes" if True in found else "-"


def _house(kind: str, deck: Cards) -> tuple[str, ...]:
    return next((card.house for card in deck.values() if card.kind == kind), ())


@cache
def charts() -> Mapping[str, Chart]:
    return {**aircraft.charts(), "responses": response_matrix(house_deck())}
