"""The odds of what is open or about to be done, remembered until the table changes."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec

from companion.game.table import Table
from companion.umpire import Answer, Chance, Missing, Procedure, TooLarge, odds_by_option


def of_open_act(table: Table, seat: str, about: str = "") -> dict[str, Any]:
    """Odds of the act that is open, from what the seat can see; empty when none is."""
    with table.mutex:
        record = table.current
        if record is None or any(a.options_to == "seat" and a.seat != seat for a in table.asks):
            return {"outcomes": [], "exact": True}  # what another seat may choose from is its secret
        given = [a for a in record.given() if seen_by(a.address, seat)]
        return of(table, record.procedure, record.inputs, given, about, seat)


def of(
    table: Table, name: str, inputs: Mapping[str, Any], answers: list[Answer], about: str = "", seat: str | None = None
) -> dict[str, Any]:
    """Odds of a procedure at this table, as data; with a seat, from what this seat may see."""
    procedure = table.game.procedures[name]
    about = about or default_question(procedure)
    try:
        typed = procedure.inputs(dict(inputs))
        found = odds_by_option(procedure, typed, answers, table.context, about=about, eyes=seat)
    except Missing as missing:
        return {"outcomes": [], "exact": False, "asks": [a.address for a in missing.asks]}
    except TooLarge as error:
        return {"outcomes": [], "exact": False, "why": str(error)}
    rows = [
        {"option": option, **chance_data(c)}
        for option, chances in found.items()
        for c in sorted(chances, key=lambda c: c.chance, reverse=True)
    ]
    return {"outcomes": rows, "exact": True, "about": about}


def default_question(procedure: Procedure[Any, Any]) -> str:
    """The first question that a procedure declares is what players ask first."""
    return next((key for key, question in procedure.questions.items() if question.subjects is None), "")


def chance_data(chance: Chance) -> dict[str, Any]:
    """One outcome as JSON: the exact fraction in two whole numbers, and the percentage for showing."""
    return {
        "result": msgspec.to_builtins(chance.result),
        "numerator": chance.chance.numerator,
        "denominator": chance.chance.denominator,
        "percent": percent(chance.chance),
    }


def percent(chance: Fraction) -> float:
    """Rounded to one decimal for showing; the fraction beside it is exact."""
    return round(100 * chance.numerator / chance.denominator, 1)


def seen_by(address: str, seat: str) -> bool:
    """Sealed choices of other seats stand below `@seat` and are nobody else's to know."""
    owners = [part.split("@", 1)[1] for part in address.split("/") if "@" in part]
    return all(owner == seat for owner in owners)
