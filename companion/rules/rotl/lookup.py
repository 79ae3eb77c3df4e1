"""The charts of the look-up page: those of charts.toml, and the response matrix that follows from the deck."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from companion.rules.rotl import aircraft
from companion.rules.rotl.cards import Cards, answers, house_deck, list_of
from companion.umpire import Chart
from companion.umpire.charts import row

COLUMNS = ("TIT", "BAR", "SCI", "VER", "FUT", "ACE")


def response_matrix(deck: Cards, *, house: bool) -> Chart:
    """Which card answers which. Cells that no worked example or rule proves are house, if the deck is."""
    proved = aircraft.charts()["proved"]
    rows, unproved = [], set()
    for line in proved.rows:
        last, attack = line.key.removeprefix("attack "), _is_attack(line.key)
        cells = ["yes" if answers(last, list_of(k, deck), attack=attack) else "-" for k in COLUMNS]
        rows.append(row(line.key, cells))
        unproved |= {(line.key, k) for k, proof in zip(COLUMNS, line.cells, strict=True) if house and not proof}
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


def _is_attack(key: str) -> bool:
    return key.startswith("attack ") or key in ("MAN", "HAL", "IMS", "OOS")


@cache
def charts() -> Mapping[str, Chart]:
    return {**aircraft.charts(), "responses": response_matrix(house_deck(), house=True)}
