"""The cells of the charts against a second copy, typed from the rulebook by itself.

A line is a row: its key, a colon, its cells. The value after a bracket in the book, from a later game, is not taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from companion.packs import charts as packs
from companion.packs.source import read_source
from companion.rules import rotl as rules
from companion.umpire import Chart

COPY = """
points
Bf-109E: 6 | 4
Bf-109F: 8 | 6
Bf-109G: 9 | 6
Bf-109K: 13 | 9
Bf-110C: 5 | 4
Bf-110G: - | 7
Fw-190A: 10 | 7
Fw-190D: 10 | 7
He-219: - | 10
Ju-88C: - | 5
Me-163: - | 13
Me-262A: 21 | 14
Me-410: 9 | 6
I-16: 3 | 2
MiG-3: 6 | 4
P-39D: 6 | 4
Yak-3: 8 | 6
Yak-9: 6 | 4
Beaufighter IF: - | 6
Gladiator: 2 | 1
Hurricane I: 5 | 4
Hurricane II: 7 | 5
Mosquito II: - | 7
Mosquito VI: 11 | 8
Spitfire I: 6 | 4
Spitfire V: 8 | 5
Spitfire IX: 9 | 6
Spitfire XIV: 12 | 9
P-38F: 7 | 5
P-38L: 9 | 6
P-40: 5 | 4
P-47C: 12 | 8
P-47D: 13 | 9
P-51B: 11 | 8
P-51D: 12 | 9
MS-406: 5 | 3
P-11c: 2 | 1

victory
Axis Decisive Victory: 6 or higher | 9 or higher | 12 or higher | 15 or higher | 18 or higher | 21 or higher
Axis Marginal Victory: 5 to 2 | 8 to 3 | 11 to 4 | 14 to 5 | 17 to 6 | 20 to 7
Draw: 1 to -1 | 2 to -2 | 3 to -3 | 4 to -4 | 5 to -5 | 6 to -6
Allies Marginal Victory: -2 to -5 | -3 to -8 | -4 to -11 | -5 to -14 | -6 to -17 | -7 to -20
Allies Decisive Victory: -6 or lower | -9 or lower | -12 or lower | -15 or lower | -18 or lower | -21 or lower

follow
Advantaged, dive: 1 | 1
Advantaged, dive by VER: 2 | 1
Advantaged, climb: 2 | 0
Advantaged, climb by VER: 3 | 0
Tailing, dive: 0 | 1
Tailing, dive by VER: 1 | 1
Tailing, climb: 1 | 0
Tailing, climb by VER: 2 | 0

horsepower
Very High: -2 | -1 | 0
High: -1 | 0 | 0
Medium: 0 | 0 | 0
Low: 1 | 1 | 0
Very Low: 1 | 1 | 0

wingman
Very High: -1 | -1 | 0 | -1
High: 0 | -1 | 0 | 0
Medium: 0 | 0 | 0 | 0
Low: 0 | 0 | 0 | 0
Very Low: 0 | 0 | 0 | 0

points_elsewhere
Buffalo: 4
Zero: 6
Ki-43: 4
P-40E: 6
F4F: 6

steps
Tailed: Disadvantaged | Neutral | Disadvantaged | - | none
Disadvantaged: Neutral | Advantaged | Neutral | Advantaged | none
Neutral: Advantaged | Tailing | - | - | rating
Advantaged: Tailing | - | - | - | rating +1
Tailing: - | - | - | - | rating +3

disengagement
A: In My Sights (Fuel Tank Hit) | Destroyed
B: Out of the Sun | Destroyed
C: In My Sights (3 Bursts) | Damaged
D: In My Sights (2 Bursts) | Damaged
E: In My Sights (1 Burst) | Damaged
F: Maneuvering | Safe Escape
G: Half Loop | Safe Escape
H: Any other card | Safe Escape
I: Ace Pilot | Safe Escape

disengagement_shifts
Tailing: 2
Advantaged: 1
Neutral: 0
Disadvantaged: -1
Tailed: -2
damaged: -1
no enemy fighter at that altitude: 3
speed or thrust rating: 1
fuel: -1
fuel, rocket: -3
target-bound, turn 6 or later: -1
over target after 6 target-bound turns: -1
home-bound, 6 turns or more to go: -1
heavy bomber: 1
"""

PROVED = {
    "Maneuver and Combat, example 1": ["MAN < TIT", "TIT < TIT"],
    "Maneuver and Combat, example 2": ["IMS < BAR"],
    "Half Loop, example": ["HAL < ACE", "ACE < ACE"],
    "Full Throttle, example": [
        "attack FUT < FUT", "attack FUT < ACE", "FUT < ACE", "MAN < ACE", "IMS < ACE", "OOS < ACE", "TIT < ACE",
        "BAR < ACE",
    ],
    "Scissors, example": ["attack SCI < SCI", "SCI < SCI"],
    "Lone Leader, example 1": ["attack SCI < ACE"],
    "By Playing a VER Card": ["attack VER < VER", "attack VER < ACE"],
    "Responding to an Attack, example": ["IMS < TIT"],
    "Responding to a Response": ["TIT < SCI", "SCI < ACE"],
    "Pilot Skills, A": ["OOS < VER", "VER < VER", "VER < ACE"],
    "not by: By Playing a VER Card": ["attack VER < TIT", "attack VER < BAR", "attack VER < SCI", "attack VER < FUT"],
    "not by: Pilot Skills, A": ["ACE < TIT", "ACE < BAR", "ACE < SCI", "ACE < VER", "ACE < FUT"],
}  # fmt: skip
"""By the place in the rulebook what it shows: a card, and after the sign what answers it there."""

UNCOPIED = ("readings",)
"""How the game reads what the rulebook leaves open: words, not cells."""


def charts() -> Mapping[str, Chart]:
    return packs.charts(read_source(Path(rules.__file__).with_name("charts.toml")), "rotl")


def copied() -> Iterator[tuple[str, list[str]]]:
    for part in COPY.strip().split("\n\n"):
        key, *lines = part.split("\n")
        yield key, lines


@pytest.mark.parametrize(("key", "lines"), list(copied()))
def test_every_cell_is_the_rulebooks(key: str, lines: list[str]) -> None:
    chart = charts()[key]
    typed = {"points": 2, "points_elsewhere": 1}.get(key, len(chart.columns))  # sides have a test of their own
    rows = [f"{row.key}: {' | '.join(str(cell) for cell in row.cells[:typed])}" for row in chart.rows]
    assert sorted(rows) == sorted(lines)
    assert not chart.natural


def test_a_fighters_side_is_the_heading_that_it_stands_under() -> None:
    axis = {row.key for row in charts()["points"].rows if row.cells[2] == "Axis"}
    assert axis == {name for name in axis if name.startswith(("Bf-", "Fw-", "He-", "Ju-", "Me-"))}
    assert len(axis) == 13
    assert {row.cells[2] for row in charts()["points"].rows} == {"Axis", "Allies"}
    elsewhere = {row.key: row.cells[1] for row in charts()["points_elsewhere"].rows}
    assert elsewhere == {"Zero": "Axis", "Ki-43": "Axis", "Buffalo": "Allies", "P-40E": "Allies", "F4F": "Allies"}


def test_every_proved_answer_is_shown_at_its_place() -> None:
    chart = charts()["proved"]
    found: dict[str, list[str]] = {}
    for row in chart.rows:
        for column, place in zip(chart.columns, row.cells, strict=True):
            if place:
                found.setdefault(str(place), []).append(f"{row.key} < {column}")
    assert {place: sorted(shown) for place, shown in found.items()} == {p: sorted(s) for p, s in PROVED.items()}
    typed = {pair.split(" < ")[0] for shown in PROVED.values() for pair in shown}
    assert {row.key for row in chart.rows} == typed
    assert len(chart.rows) == 13


def test_no_chart_is_left_out() -> None:
    assert set(charts()) == {key for key, _ in copied()} | {"proved"} | set(UNCOPIED)
