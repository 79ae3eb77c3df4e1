"""A book that cannot be played: its charts are found, its throws resolved, and it is nowhere among the games."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.game import lookup, registry, shelf
from companion.game.errors import NoGame
from companion.packs import charts as packs
from companion.packs.source import read_source
from companion.rules import otr
from companion.umpire import Chart
from tests.cli.rig import run
from tests.rulebook.rows import rulebooks

CHARTS = otr.BOOK.charts
PAGES = {key: shelf._page(chart, "otr") for key, chart in CHARTS.items()}
INDEX = lookup.Index(list(PAGES.values()))


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.mark.parametrize("chart", CHARTS.values(), ids=CHARTS)
def test_a_chart_is_found_by_its_title_its_rule_and_each_of_its_words(chart: Chart) -> None:
    assert all((chart.title, chart.rule, chart.words, chart.rows, chart.game == "otr"))
    alone = lookup.Index([PAGES[chart.key]])
    for words in (chart.title, chart.rule, chart.key, *chart.words):
        assert alone.find(words), words


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        ("strafe", {"strafing", "strafing_aim", "armour_shifts"}),
        ("flak", {"flak_values", "barrage_size", "barrage_hits", "naval_flak", "dead_zone"}),
        ("dive", {"climb_dive", "dangerous_dive", "bombing_types"}),
        ("spotting", {"blind_arcs", "search_range", "night_visual", "sun", "clouds"}),
        ("jam", {"jams", "recharge"}),
        ("torpedo", {"torpedo_aim", "torpedo_erratic", "torpedo_run", "torpedo_depth"}),
        ("stall", {"stall_or_spin", "stalled_flight", "turn_stall"}),
        ("landing", {"landing", "landing_roll", "damaged_landing"}),
        ("night radar", {"night_sensors"}),
    ],
)
def test_what_a_player_types_finds_the_charts_of_the_situation(words: str, keys: set[str]) -> None:
    assert keys <= {page.key for page in INDEX.find(words)}


def test_a_rule_number_finds_its_own_charts_first() -> None:
    assert {page.rule for page in INDEX.find("10.2")[:4]} == {"10.2"}
    assert [page.rule for page in INDEX.find("14.7.1")] == ["14.7.1"]


def test_no_key_stands_in_two_files() -> None:
    files = sorted(Path(otr.__file__).parent.glob("charts_*.toml"))
    keys = [key for file in files for key in packs.charts(read_source(file), "otr")]
    assert len(keys) == len(set(keys)) == len(CHARTS)


def test_every_chart_is_named_in_a_row_of_the_rulebook() -> None:
    """And by no other rule than its own."""
    named = dict(_named())
    assert named == {key: chart.rule for key, chart in CHARTS.items()}


def _named() -> Iterator[tuple[str, str]]:
    for row in rulebooks()["otr"].row:
        for test in row.tests:
            if test.startswith("tests/rules/otr/test_otr_charts.py::test_every_cell"):
                yield test.split("[")[1].removesuffix("]"), row.rule.removesuffix("-charts")


def test_the_book_is_on_the_shelf_and_is_no_game() -> None:
    games, books = set(registry.keys()), set(registry.books())
    assert games < books
    assert "otr" in books - games
    assert registry.title("otr") == "Over the Reich"
    assert [page.key for page in shelf.pages("otr")] == list(CHARTS)
    assert registry.book("aod") is registry.game("aod")
    with pytest.raises(NoGame, match="Over the Reich cannot be played yet"):
        registry.game("otr")
    with pytest.raises(NoGame, match="There is no game 'chess'"):
        registry.book("chess")
    with pytest.raises(AttributeError):
        otr.GAME  # noqa: B018


def test_its_charts_are_looked_up_printed_and_searched_with_all_the_others(tmp_path: Path) -> None:
    assert run("chart", "otr", "erratic", "run").stdout.startswith("Torpedo: erratic run [22.0]")
    assert "turn_rates" in run("chart", "all").stdout
    assert "Over the Reich" not in run("games").stdout
    file = tmp_path / "torpedo.txt"
    assert run("print", "chart", "game=otr", "words=porpoising", "--to", str(file)).exit_code == 0
    assert "porpoising" in file.read_text("utf-8")


def test_a_house_chart_carries_its_daggers_and_a_printed_one_none() -> None:
    assert "2-1†" in run("chart", "otr", "turning", "chart").stdout
    assert "†" not in run("chart", "otr", "22.0").stdout


def test_its_throws_are_resolved_and_described_and_their_odds_counted() -> None:
    shot = (
        "otr.fire", "attack=37", "defence=10", "range=1", "angle=30", "line=six", "burst=normal", "held=last",
        "shooter_speed=6.5", "target_speed=6", "shooter_rate=EZ", "target_rate=EZ", "--out", "-",
    )  # fmt: skip
    fired = json.loads(run("resolve", *shot, "--answers", '[{"address": "shot", "faces": [60]}]').stdout)
    assert (fired["result"]["odds"], fired["result"]["likelihood"], fired["result"]["hits"]) == ("4-1", 25, 8)
    assert "Combat odds 4-1/25 [9.4]" in fired["house"]
    counted = json.loads(run("odds", *shot, "--about", "hits").stdout)
    assert counted["exact"] is True
    assert json.loads(run("describe", "otr.fire").stdout)["rule"] == "9.4"
    listed = run("procedures").stdout
    assert all(name in listed for name in otr.BOOK.procedures)
    refused = run("resolve", "otr.fire", "shooter_rate=ET")
    assert (refused.exit_code, "5.2" in refused.stderr) == (3, True)


def test_a_players_own_tables_take_the_place_of_house_values(tmp_path: Path) -> None:
    pack = tmp_path / "aids.toml"
    pack.write_text('pack = "My aids"\ngame = "otr"\n[cells.deflection]\n30 = 2\n')
    assert run("packs", "check", str(pack)).exit_code == 0
    assert otr.BOOK.cells()["deflection", "30"].house
    assert "house" in run("packs", "list", "otr").stdout
