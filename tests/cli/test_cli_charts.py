"""`chart`: by words, by rule number, by situation; house cells marked; the cache never stale."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from companion.game import lookup, registry, shelf
from tests.cli.rig import run


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.mark.rule("aod:4.5.1")
def test_a_rule_number_finds_its_own_chart_first() -> None:
    assert run("chart", "aod", "4.5.1").stdout.startswith("Position A: distance and tilt [4.5.1]")


@pytest.mark.parametrize(("words", "key"), [("torpedo", "torpedo"), ("target hard to hit rockets", "")])
def test_words_find_a_chart_or_say_that_none_fits(words: str, key: str) -> None:
    result = run("chart", "aod", *words.split())
    if key:
        assert lookup.search(words, "aod")[0].key == key
        assert result.exit_code == 0
    else:
        assert result.exit_code == 2
        assert result.stdout == ""
        assert result.stderr.startswith("No chart fits")


@pytest.mark.rule("aod:3.2.1")
def test_house_cells_carry_a_dagger_and_printed_ones_none() -> None:
    shown = run("chart", "aod", "movement dots").stdout
    assert "3†" in shown
    assert lookup.HOUSE in shown
    assert "†" not in run("chart", "aod", "torpedo").stdout


def test_every_chart_of_every_book_is_found_by_its_title() -> None:
    pages = shelf.pages()
    assert [(p.game, p.key) for p in pages] == [(b, key) for b in registry.books() for key in registry.book(b).charts]
    assert [page.title for page in pages if not lookup.Index([page]).find(page.title)] == []


def test_without_words_every_chart_is_listed() -> None:
    listed = run("chart", "all").stdout.splitlines()
    assert len(listed) == sum(len(registry.book(book).charts) for book in registry.books())


def test_an_unknown_game_is_one_sentence() -> None:
    result = run("chart", "chess", "queen")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "There is no game 'chess'" in result.stderr


def test_the_cache_gives_the_same_pages_and_falls_back_when_it_is_damaged(tmp_path: Path) -> None:
    fresh = [tuple(p) for p in shelf.pages("aod")]
    cached = tmp_path / "cache" / "companion" / "charts-aod.json"
    as_json = json.loads(json.dumps(fresh))
    assert json.loads(json.dumps(shelf.pages("aod"))) == as_json
    for damage in ("", "[]", "{}", '{"folders": 3, "stamp": []}', "[" * 5000):
        cached.write_text(damage)
        assert json.loads(json.dumps(shelf.pages("aod"))) == as_json


def test_a_changed_file_makes_the_cache_count_no_more(tmp_path: Path) -> None:
    shelf.pages("aod")
    cached = tmp_path / "cache" / "companion" / "charts-aod.json"
    kept = json.loads(cached.read_text())
    kept["pages"][0][2] = "An old title"
    cached.write_text(json.dumps(kept))
    assert shelf.pages("aod")[0].title == "An old title"
    kept["stamp"][0][1] += 1
    cached.write_text(json.dumps(kept))
    assert shelf.pages("aod")[0].title != "An old title"


def test_the_cache_of_another_installation_counts_not(tmp_path: Path) -> None:
    """Its files may stay as they are long after this one has been updated."""
    shelf.pages("aod")
    cached = tmp_path / "cache" / "companion" / "charts-aod.json"
    kept = json.loads(cached.read_text())
    kept["pages"][0][2] = "An old title"
    kept["folders"] = [str(tmp_path / "other") for _ in kept["folders"]]
    (tmp_path / "other").mkdir()
    kept["stamp"] = shelf._stamp(kept["folders"])
    cached.write_text(json.dumps(kept))
    assert shelf.pages("aod")[0].title != "An old title"


def test_without_a_place_for_the_cache_charts_are_found_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert run("chart", "aod", "torpedo").exit_code == 0
    assert os.listdir(tmp_path) == ["file"]
