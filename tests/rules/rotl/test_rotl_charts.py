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
"""

UNCOPIED = ("points_elsewhere", "steps", "disengagement", "disengagement_shifts", "proved")
"""Charts that have no second copy here: the rulebook spreads them over its text."""


def charts() -> Mapping[str, Chart]:
    return packs.charts(read_source(Path(rules.__file__).with_name("charts.toml")), "rotl")


def copied() -> Iterator[tuple[str, list[str]]]:
    for part in COPY.strip().split("\n\n"):
        key, *lines = part.split("\n")
        yield key, lines


@pytest.mark.parametrize(("key", "lines"), list(copied()))
def test_every_cell_is_the_rulebooks(key: str, lines: list[str]) -> None:
    chart = charts()[key]
    typed = 2 if key == "points" else len(chart.columns)  # the side of a fighter is the heading that it stands under
    rows = [f"{row.key}: {' | '.join(str(cell) for cell in row.cells[:typed])}" for row in chart.rows]
    assert sorted(rows) == sorted(lines)
    assert not chart.natural


def test_a_fighters_side_is_the_heading_that_it_stands_under() -> None:
    axis = {row.key for row in charts()["points"].rows if row.cells[2] == "Axis"}
    assert axis == {name for name in axis if name.startswith(("Bf-", "Fw-", "He-", "Ju-", "Me-"))}
    assert len(axis) == 13
    assert {row.cells[2] for row in charts()["points"].rows} == {"Axis", "Allies"}


def test_no_chart_is_left_out() -> None:
    assert set(charts()) == {key for key, _ in copied()} | set(UNCOPIED)
