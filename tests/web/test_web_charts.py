"""Charts on pages: found without scripts, what counts now on top, the row that applies now marked, on paper."""

from __future__ import annotations

import gzip
import html
import json
import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from companion.game import applying
from companion.game.table import HOST, Table
from companion.web import charting
from companion.web.parts import Parts
from companion.web.words import WORDS

AIRCRAFT = [
    {"key": key, "type": kind, "side": side, "speed": 12,
     "pose": {"point": point, "yaw": 0, "level": 5, "pitch": 0, "roll": roll}}
    for key, kind, side, point, roll in (
        ("1", "Fw 190 A-8", "Axis", [0, 0], 0), ("5", "Spitfire Mk IX", "Allies", [2, 0], -1),
    )
]  # fmt: skip


@pytest.fixture
def duel(parts: Parts) -> Table:
    """A Fw 190 fires at a Spitfire from behind at 2d; its targeting die is asked for."""
    table = parts.tables.new("aod", {"aircraft": AIRCRAFT, "sides": ["Axis", "Allies"]})
    table.open("fire:1:5", seat=HOST)
    burst = table.asks[0].space
    assert burst is not None
    table.answer("announce/burst", burst.listed[0].key, seat=HOST)
    return table


def throw(table: Table, *faces: str) -> None:
    ask = table.asks[0]
    table.answer(ask.address, dict(zip(ask.open_slots, faces, strict=True)), seat=HOST)


def marked(client: TestClient, table: Table, chart: str) -> dict[str, list[str]]:
    """The rows that a chart's page marks, each with the cells that count."""
    page = client.get(f"/e/{table.key}/charts/aod/{chart}").text
    rows = re.findall(r'<(?:tr|p) data-row="([^"]+)" class="hit">(.*?)</(?:tr|p)>', page, re.S)
    assert all(WORDS.applies in inside for _, inside in rows)
    assert page.count(WORDS.applies) == len(rows)
    return {html.unescape(key): re.findall(r'class="this">([^<]*)<', inside) for key, inside in rows}


def test_charts_are_found_by_word_rule_and_situation(phone: TestClient) -> None:
    for words, title in (("torpedo", "Torpedo"), ("4.5", "Targeting"), ("strafe", "Strafing")):
        assert title in phone.get("/charts", params={"q": words}).text
    nothing = phone.get("/charts", params={"q": "no-chart-has-this", "game": "nope"}).text
    assert "no-chart-has-this" not in nothing.split('id="found"')[1]
    assert phone.get("/charts/aod/nothing").status_code == 400
    assert phone.get("/charts/nothing/targeting").status_code == 400
    assert "least number to hit" in phone.get("/charts/aod/targeting").text


def test_one_chart_that_fits_is_shown_at_once(phone: TestClient) -> None:
    assert '<table class="chart' in phone.get("/charts", params={"q": "4.5.1", "game": "aod"}).text
    assert '<table class="chart' not in phone.get("/charts", params={"q": "4.5"}).text


def test_the_browsers_file_is_kept_while_its_name_is_asked_for(phone: TestClient) -> None:
    link = re.search(r'data-charts="([^"]+)"', phone.get("/charts").text).group(1)  # type: ignore[union-attr]
    kept, other = phone.get(link), phone.get("/charts/index.json?another")
    assert "immutable" in kept.headers["cache-control"]
    assert other.headers["cache-control"] == "no-store"
    assert kept.headers["content-encoding"] == "gzip"
    plain = phone.get(link, headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.json() == kept.json() == json.loads(gzip.decompress(charting.book().file))
    assert {c["game"] for c in kept.json()} == set(charting.book().titles)


@pytest.mark.rule("aod:4.5.1")
def test_what_the_open_ask_counts_is_marked(phone: TestClient, duel: Table) -> None:
    assert marked(phone, duel, "position_a") == {"distance 2d": ["-1"], "different roll": ["-1"]}
    assert marked(phone, duel, "targeting") == {"hit": ["2"]}
    assert marked(phone, duel, "targeting_modifiers") == {}
    assert marked(phone, duel, "outcome") == {}


@pytest.mark.rule("aod:4.6")
def test_the_row_of_the_last_result_is_marked_until_it_is_taken_back(phone: TestClient, duel: Table) -> None:
    throw(duel, "6")
    assert "Firing outcome" in phone.get(f"/e/{duel.key}/charts").text.split('id="now"')[1].split('class="chips"')[0]
    throw(duel, "6", "6")
    assert duel.current is None
    assert marked(phone, duel, "outcome") == {"13+": ["destroyed"]}
    duel.undo(seat=HOST, agreed=HOST)
    assert marked(phone, duel, "outcome") == {}
    assert '<div id="now" hidden>' in phone.get(f"/e/{duel.key}/charts").text


@pytest.mark.rule("aod:4.6")
def test_a_natural_throw_marks_what_overrides_the_sum(phone: TestClient, duel: Table) -> None:
    throw(duel, "6")
    throw(duel, "1", "1")
    assert marked(phone, duel, "outcome") == {"1+1": []}


def test_a_chart_of_another_game_is_shown_at_the_table_unmarked(phone: TestClient, duel: Table) -> None:
    throw(duel, "1")
    page = phone.get(f"/e/{duel.key}/charts/fastplay/crash").text
    assert "Crash landing" in page
    assert WORDS.applies not in page


LINE: dict[str, Any] = {"rule": "", "mods": [], "faces": [], "total": None, "needs": "", "verdict": ""}


@pytest.mark.parametrize(
    ("game", "chart", "line", "rows"),
    [
        ("aod", "speed_faster", {"mods": [{"value": -1, "text": "faster by 5", "rule": "4.9"}]}, {"4-6": "-1"}),
        ("aod", "speed_slower", {"mods": [{"value": -1, "text": "faster by 5", "rule": "4.9"}]}, {}),
        ("aod", "targeting_modifiers", {"mods": [{"value": 1, "text": "Ace", "rule": "7.5"}]}, {"Ace": "1"}),
        ("aod", "targeting_modifiers", {"mods": [{"value": 2, "text": "Ace", "rule": "7.5"}]}, {}),
        ("aod", "damage_die", {"rule": "4.6.1", "faces": ["red"]}, {"red": ""}),
        ("aod", "dead_engine", {"rule": "7.4", "faces": ["5"], "total": 5, "verdict": "destroyed"},
         {"4+": "destroyed"}),
        ("aod", "dead_engine", {"rule": "7.4", "faces": ["5"], "total": 5, "verdict": "something else"}, {}),
        ("aod", "targeting", {"rule": "4.6", "needs": "2+"}, {}),
        ("fastplay", "dice", {"rule": "Resolve Shooting", "verdict": "range 2: 4 dice"}, {"2": "4"}),
        ("fastplay", "dice", {"rule": "Resolve Shooting", "verdict": "Ben has fired"}, {}),
        ("fastplay", "aces", {"rule": "Aces", "verdict": "ace with 6 victories: one die more"}, {"5-9": "ace"}),
        ("fastplay", "crash", {"rule": "Crash Landings", "faces": ["5"], "total": 5, "verdict": "out of action"},
         {"5-6": "out of action"}),
        ("rotl", "disengagement", {"rule": "Disengagement Table", "verdict": "X1: D +1 = E: Damaged"},
         {"E": "Damaged"}),
    ],
)  # fmt: skip
def test_only_a_row_that_the_arithmetic_names_is_marked(game: str, chart: str, line: Any, rows: dict[str, str]) -> None:
    assert applying.marks(charting.book().page(game, chart), [{**LINE, **line}]) == rows


def test_a_chart_is_printed_alone_with_and_without_a_table(phone: TestClient, kiosk: TestClient, duel: Table) -> None:
    assert phone.get("/charts/aod/outcome/pdf").content.startswith(b"%PDF")
    page = phone.get(f"/e/{duel.key}/charts/aod/outcome").text
    preview = re.search(r'href="([^"]+paper/chart[^"]+)"', page).group(1).replace("&amp;", "&")  # type: ignore[union-attr]
    shown = kiosk.get(preview).text
    assert "<h1>Firing outcome</h1>" in shown
    assert kiosk.get(preview.replace("key=outcome", "key=nothing")).status_code == 400
