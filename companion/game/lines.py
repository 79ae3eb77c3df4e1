"""Lines and sources as plain data, for pages and slips alike."""

from __future__ import annotations

from typing import Any

from companion.game.fold import Record
from companion.game.table import BY_HAND
from companion.umpire import Line


def sources_of(record: Record) -> str:
    """Where the dice came from, in words; what was entered by hand is always said."""
    found = list(dict.fromkeys(source for by_slot in record.sources.values() for source in by_slot.values()))
    if not found:
        return ""
    hand = sum(s == BY_HAND for by_slot in record.sources.values() for s in by_slot.values())
    named = ", ".join(s for s in found if s != BY_HAND)
    return f"{named}; by hand: {hand or 'none'}" if named else "by hand"


def line_data(line: Line) -> dict[str, Any]:
    """A line that is not yet in the journal, in the journal's own form."""
    return {
        "text": line.text, "title": line.title, "rule": line.rule, "dice": line.dice, "faces": list(line.faces),
        "mods": [
            {"value": m.value, "code": m.code, "text": m.text, "rule": m.rule, "house": m.house} for m in line.mods
        ],
        "total": line.total, "needs": line.needs, "verdict": line.verdict, "address": line.address,
    }  # fmt: skip
