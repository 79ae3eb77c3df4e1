"""The charts that no procedure reads: every cell against a second copy, each found, and beside those that are read."""

from pathlib import Path

import pytest

from companion.rules.aod import GAME
from companion.rules.aod import charts as read
from companion.rules.aod.more import charts
from tests.rules.copies import copied, found_by_its_words, laid_out

COPY = copied(Path(__file__).with_name("second_copy_more.txt"))


@pytest.mark.parametrize("key", sorted(COPY))
def test_every_cell_is_as_printed(key: str) -> None:
    assert laid_out(charts()[key]) == COPY[key]


def test_no_chart_lacks_a_copy_nor_a_copy_a_chart() -> None:
    assert charts().keys() == COPY.keys()


def test_least_speeds_are_those_of_odd_steps() -> None:
    """Levels are taken in steps 1, 3, 5 and so on."""
    assert [(row.low, row.cells) for row in charts()["altitude_steps"].rows] == [(n, (2 * n - 1,)) for n in range(1, 5)]


def test_what_the_aerobatics_change_in_speed_follows_from_their_levels() -> None:
    for row in charts()["aerobatics_table"].rows:
        levels, speed = int(str(row.cells[1])), int(str(row.cells[4]))
        assert speed == -levels - 1, row.key


def test_they_are_looked_up_beside_the_charts_that_are_read() -> None:
    assert GAME.charts.keys() == {*read.charts(), *charts()}
    for chart in charts().values():
        found_by_its_words(chart, "aod")
