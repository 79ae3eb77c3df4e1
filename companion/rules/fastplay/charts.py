"""The charts: printed ones from charts.toml, and those that the aircraft and card packs give."""

from collections import Counter
from functools import cache
from pathlib import Path

from companion.packs import charts as packs
from companion.packs.source import read_source
from companion.rules.fastplay.aircraft import FARTHEST, Aircraft, fleet
from companion.rules.fastplay.cards import house_fields, manoeuvres
from companion.umpire import Chart, row


@cache
def charts() -> dict[str, Chart]:
    printed = packs.charts(read_source(Path(__file__).with_name("charts.toml")), "fastplay")
    return printed | {chart.key: chart for chart in (_aircraft(), _to_hit(), _manoeuvres())}


def _aircraft() -> Chart:
    columns = ("remove", "add", "to hit", "points", "cards")
    return Chart(
        "aircraft",
        "Aircraft data table",
        "Aircraft Data Table",
        columns,
        tuple(row(craft.name, _cells(craft)) for craft in fleet().values()),
        words=("planes", "decks"),
        game="fastplay",
        note="* no change. A Lightning flies straight or sideslips on the card before each turn (Special Cases).",
    )


def _cells(craft: Aircraft) -> tuple[str | int, ...]:
    to_hit = craft.to_hit.words if craft.to_hit else "*"
    return changes(craft.remove), changes(craft.add), to_hit, craft.points, craft.plays


def changes(codes: tuple[str, ...]) -> str:
    """`1xHR, 1xHL`, as the table prints it."""
    return ", ".join(f"{count}x{code}" for code, count in Counter(codes).items()) or "*"


def _to_hit() -> Chart:
    ranges = range(1, FARTHEST + 1)
    rows = tuple(row(craft.name, tuple(f"{craft.need(n)}-6" for n in ranges)) for craft in fleet().values())
    columns = tuple(str(n) for n in ranges)
    return Chart("to_hit", "To hit by range", "Firepower", columns, rows, words=("guns",), game="fastplay")


def _manoeuvres() -> Chart:
    fields = {"move": "path", "copies": "copies"}
    cards = manoeuvres().values()
    return Chart(
        "manoeuvres",
        "Manoeuvre cards",
        "Choose Cards",
        ("title", *fields),
        tuple(row(card.name, (card.title, card.path, card.copies)) for card in cards),
        words=("deck", "moves"),
        source="house",
        house=frozenset(
            (c.name, column) for c in cards for column, field in fields.items() if field in house_fields(c.name)
        ),
        game="fastplay",
        note="F a hex ahead, TL and TR a turn of sixty degrees, SL and SR a hex ahead to the side with the nose kept.",
    )
