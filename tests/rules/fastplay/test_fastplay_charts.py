"""Every cell of the printed charts against a second copy, typed from the rulebook by itself."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from companion.packs import charts as packs
from companion.packs.source import read_source
from companion.rules import fastplay as rules
from companion.umpire import Chart

COPY = {
    "dice": {("1", 5), ("2", 4), ("3", 3), ("4", 2), ("5", 1), ("6+", 0)},
    "crash": {("1-4", "survives"), ("5-6", "out of action")},
    "aces": {("0-4", "pilot", 0), ("5-9", "ace", 1), ("10+", "double ace", 1)},
}

UNCOPIED = ("readings",)
"""How the game reads what the rulebook leaves open: words, not cells."""


def charts() -> Mapping[str, Chart]:
    return packs.charts(read_source(Path(rules.__file__).with_name("charts.toml")), "fastplay")


@pytest.mark.parametrize("key", sorted(COPY))
def test_every_cell_is_the_rulebooks(key: str) -> None:
    chart = charts()[key]
    assert {(row.key, *row.cells) for row in chart.rows} == COPY[key]
    assert not chart.natural


def test_no_chart_of_the_rulebook_is_left_out() -> None:
    assert set(charts()) == {*COPY, *UNCOPIED}
