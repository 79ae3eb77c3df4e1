"""Charts from TOML, and what is wrong with one."""

import pytest

from companion.packs.charts import charts
from companion.packs.errors import PackError
from companion.packs.source import parse

GOOD = """[chart.outcome]
title = "Outcome"
rule = "4.6"
dice = "2d6"
columns = ["result"]
rows = [["<=6", "none"], ["7+", "hit"]]
natural = { "1+1" = "none" }
words = ["fire"]
"""


def test_a_chart_is_read_with_its_rows_and_overrides() -> None:
    chart = charts(parse(GOOD.encode(), "c.toml"), "aod")["outcome"]
    assert (chart.key, chart.game, chart.title, chart.rule, chart.dice) == ("outcome", "aod", "Outcome", "4.6", "2d6")
    assert (chart.at(6), chart.at(7), chart.at(40)) == ("none", "hit", "hit")
    assert (chart.natural, chart.words, chart.house) == ({"1+1": "none"}, ("fire",), frozenset())


def test_a_house_chart_marks_every_cell() -> None:
    chart = charts(parse((GOOD + 'source = "house"\n').encode(), "c.toml"), "aod")["outcome"]
    assert chart.house == {("<=6", "result"), ("7+", "result")}


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"hit"]', '"hit", 3]', "c.toml, line 6: chart outcome: the row ['7+', 'hit', 3] needs its key and 1 cells."),
        ('"7+"', '"<=6"', "c.toml, line 6: chart outcome: the row '<=6' is there twice."),
        (
            'rule = "4.6"',
            "",
            "c.toml, line 1: chart outcome: rule is missing; it must be text of at most 120 characters.",
        ),
        ("words", "wrds", "c.toml, line 8: chart outcome: wrds is not known here"),
        ('"hit"', "3.5", "c.toml, line 6: chart outcome: rows.2.2 is 3.5; it must be"),
    ],
)
def test_a_faulty_chart_names_file_line_and_row(old: str, new: str, sentence: str) -> None:
    with pytest.raises(PackError) as caught:
        charts(parse(GOOD.replace(old, new).encode(), "c.toml"), "aod")
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize("text", ["", "chart = 1"])
def test_a_file_without_charts_is_refused(text: str) -> None:
    with pytest.raises(PackError, match=r"c.toml: the charts must stand in tables"):
        charts(parse(text.encode(), "c.toml"), "aod")
