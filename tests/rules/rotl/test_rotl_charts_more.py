"""The charts that no procedure reads: every cell against a second copy, each found beside those that are read."""

from pathlib import Path

import pytest

from companion.rules.rotl import GAME
from companion.rules.rotl.more import charts
from tests.rules.copies import copied, found_by_its_words, laid_out

COPY = copied(Path(__file__).with_name("second_copy_more.txt"))


@pytest.mark.parametrize("key", sorted(COPY))
def test_every_cell_is_as_printed(key: str) -> None:
    assert laid_out(charts()[key]) == COPY[key]


def test_no_chart_lacks_a_copy_nor_a_copy_a_chart() -> None:
    assert charts().keys() == COPY.keys()


def test_they_are_looked_up_beside_the_charts_that_are_read() -> None:
    assert charts().keys() < GAME.charts.keys()
    for chart in charts().values():
        found_by_its_words(chart, "rotl")
