"""The charts: printed ones from charts.toml, and those that the aircraft and card packs give."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

from companion.packs import charts as packs
from companion.packs.source import read_source
from companion.rules.fastplay.aircraft import FARTHEST, Aircraft, fleet, plays, points
from companion.rules.fastplay.cards import COPIES, counted, house_fields, known, known_copies, known_path, manoeuvres
from companion.rules.fastplay.switches import setting
from companion.umpire import Chart, Context, row


@cache
def charts() -> dict[str, Chart]:
    printed = packs.charts(read_source(Path(__file__).with_name("charts.toml")), "fastplay")
    return printed | {chart.key: chart for chart in (aircraft_table(Context()), _to_hit(), manoeuvre_table(Context()))}


_COLUMNS: dict[str, tuple[str, Callable[[Context, Aircraft], str | int]]] = {
    "remove": ("manoeuvrability", lambda _, craft: changes(craft.remove)),
    "add": ("manoeuvrability", lambda _, craft: changes(craft.add)),
    "to hit": ("firepower", lambda _, craft: craft.to_hit.words if craft.to_hit else "*"),
    "points": ("damage_points", lambda at, craft: points(at, craft.name)),
    "cards": ("special_cases", lambda at, craft: plays(at, craft.name)),
}
"""Each column of the aircraft data table and the optional rule that it belongs to."""


def aircraft_table(at: Context) -> Chart:
    """The aircraft data table with the columns of those optional rules that the table plays."""
    columns = tuple(name for name, (switch, _) in _COLUMNS.items() if setting(at, switch))
    rows = (row(craft.name, tuple(_COLUMNS[name][1](at, craft) for name in columns)) for craft in fleet().values())
    return Chart(
        "aircraft",
        "Aircraft data table",
        "Aircraft Data Table",
        columns,
        tuple(rows),
        words=("planes", "decks"),
        game="fastplay",
        note="* no change. A Lightning flies straight or sideslips on the card before each turn (Special Cases).",
    )


def changes(codes: tuple[str, ...]) -> str:
    """`1xHR, 1xHL`, as the table prints it."""
    return ", ".join(f"{count}x{code}" for code, count in Counter(codes).items()) or "*"


def _to_hit() -> Chart:
    ranges = range(1, FARTHEST + 1)
    rows = tuple(row(craft.name, tuple(f"{craft.need(n)}-6" for n in ranges)) for craft in fleet().values())
    columns = tuple(str(n) for n in ranges)
    return Chart("to_hit", "To hit by range", "Firepower", columns, rows, words=("guns",), game="fastplay")


def manoeuvre_table(at: Context) -> Chart:
    """Everybody's deck and the moves of its cards, as the table has them."""
    copies = counted(known_copies(at))
    paths = {code: known_path(at, code) for code in manoeuvres()}
    house = {(code, "move") for code, (_, ours) in paths.items() if ours}
    if known(at, COPIES.key, "standard").house:
        house |= {(code, "copies") for code in manoeuvres() if "copies" in house_fields(code)}
    return Chart(
        "manoeuvres",
        "Manoeuvre cards",
        "Choose Cards",
        ("title", "move", "copies"),
        tuple(row(code, (card.title, paths[code][0], copies[code])) for code, card in manoeuvres().items()),
        words=("deck", "moves"),
        source="house",
        house=frozenset(house),
        game="fastplay",
        note="F a hex ahead, TL and TR a turn of sixty degrees, SL and SR a hex ahead to the side with the nose kept.",
    )
