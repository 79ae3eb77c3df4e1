"""Why a value is what it is: who entered what in an act, and what has changed a piece."""

from __future__ import annotations

from typing import Any

from companion.game.fold import Record
from companion.game.table import BY_HAND, DECK, HOST, Table

LATEST = 8


def entered(table: Table, record: Record) -> list[dict[str, Any]]:
    """Each fact and choice of an act in words, and who gave it; what may be hidden still is left out."""
    return [
        {"address": address, "text": text, "said": said, "who": who(table, record.by[address])}
        for address, (text, said) in record.said.items()
        if address in record.answers and address not in record.secret and record.by[address] != DECK
    ]


def sources(table: Table, record: Record) -> dict[str, str]:
    """By address where its dice came from; of those entered by hand also who did it."""
    return {
        address: ", ".join(
            f"{source} ({who(table, record.by[address])})" if source == BY_HAND else source
            for source in dict.fromkeys(by_slot.values())
        )
        for address, by_slot in record.sources.items()
    }


def of_piece(table: Table, piece: str) -> list[dict[str, Any]]:
    """What has changed a piece, the latest first: the act or the ruling, its rule, who did it and why."""
    with table.mutex:
        rows = [
            {"n": r.number, "number": r.number, "slip": r.slip, "text": c.text, "rule": c.rule,
             "who": who(table, r.seat), "reason": r.ruled["reason"] if r.ruled else ""}
            for r in table.played if r.closed for c in r.changes if c.target == piece and c.text
        ]  # fmt: skip
        rows += [
            {"n": r["n"], "number": 0, "slip": 0, "text": c["text"], "rule": c["rule"],
             "who": who(table, r["seat"]), "reason": r["reason"]}
            for r in table.rulings for c in r["changes"] if c["target"] == piece and c["text"]
        ]  # fmt: skip
        return sorted(rows, key=lambda row: row["n"], reverse=True)[:LATEST]


def who(table: Table, seat: str) -> str:
    """A seat by its title."""
    if seat == HOST:
        return "the host"
    return next((s.title for s in table.game.seats(table.state) if s.key == seat), seat)
