"""The page of an act: pictures of the situation, and what each answer leads to before it is given."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from companion.game import foresight, registry
from companion.game.table import Table
from companion.web.parts import Parts
from companion.web.situations import die_svg, svg
from tests.web.conftest import Ask


def unplaced(parts: Parts, target: str = "Spitfire Mk IX") -> Table:
    aircraft = [{"key": "1", "type": "Fw 190 A-8"}, {"key": "2", "type": target}]
    table = parts.tables.new("aod", {"aircraft": aircraft})
    table.open("fire:1:2", seat="host")
    return table


def groups(page: str) -> dict[str, str]:
    """The chances that a page shows, by the title of their group."""
    parts = re.split(r'<div class="odds-group"', page)[1:]
    return {re.search(r"<h3>(.*?)</h3>", p).group(1): p for p in parts}  # type: ignore[union-attr]


def test_every_position_has_a_picture_and_its_own_chances(kiosk: TestClient, parts: Parts) -> None:
    page = kiosk.get(f"/e/{unplaced(parts).key}").text
    assert page.count('<svg class="scene"') == 5
    shown = groups(page)
    assert "distance 2d <b>-1</b>" in shown["Strictly behind, 2d"]
    assert "4.5.1" in shown["Strictly behind, 2d"]
    assert "no guns that bear" in shown["Beside it, 1d, same heading"]
    assert "Counted as if" in page


def test_toggles_show_the_chances_of_what_is_toggled(kiosk: TestClient, parts: Parts) -> None:
    table = unplaced(parts)
    table.answer(table.asks[0].address, "A 1d", seat="host")
    page = kiosk.get(f"/e/{table.key}").text
    ways = dict(re.findall(r'data-when="([^"]*)"( hidden)?', page))
    assert ways == {
        "": "",
        "roll differs": " hidden",
        "pitch differs": " hidden",
        "roll differs|pitch differs": " hidden",
    }
    both = page.split('data-when="roll differs|pitch differs"')[1].split("</div>")[0]
    assert "different roll <b>-1</b>" in both
    assert "different pitch <b>-1</b>" in both


def test_what_is_shown_ahead_is_what_comes(parts: Parts) -> None:
    """The chances shown for an answer are those that are shown once it is given."""
    table = unplaced(parts)
    ahead = {g["option"]: g["rows"] for g in foresight.of_open_act(table, "host")["groups"]}
    table.answer(table.asks[0].address, "A 2d", seat="host")
    then = {g["option"]: g["rows"] for g in foresight.of_open_act(table, "host")["groups"]}
    assert ahead["A 2d"] == then[""]
    assert sum(row["numerator"] / row["denominator"] for row in then[""]) == pytest.approx(1)


def test_nothing_is_foretold_of_what_is_secret(parts: Parts, table: Table, ask: Ask) -> None:
    assert foresight.of_open_act(table, "ann") == {"groups": [], "assumed": []}
    table.open("plan", seat="host")
    assert foresight.of_open_act(table, "ann") == {"groups": [], "assumed": []}


def test_a_question_without_end_has_no_chances(parts: Parts) -> None:
    table = unplaced(parts, "B-17 Flying Fortress")
    for _ in range(20):
        found = foresight.of_open_act(table, "host")
        for group in found["groups"]:
            assert group["barred"] or sum(r["numerator"] / r["denominator"] for r in group["rows"]) == pytest.approx(1)
        if table.current is None:
            break
        ask = table.asks[0]
        given = [6] * len(ask.open_slots) if ask.dice and ask.dice.high > 5 else ask.space and ask.space.legal[0]
        if ask.dice is not None and ask.dice.high < 6:
            given = [ask.dice.slots[0].die.names[0]]
        table.answer(ask.address, list(given) if isinstance(given, tuple) else given, seat="host")


def test_every_option_about_a_situation_of_aod_has_a_picture() -> None:
    scenes = registry.game("aod").scenes  # type: ignore[attr-defined]
    for role, options in scenes.items():
        for key, scene in options.items():
            drawn = svg(scene)
            assert drawn.count("scene-own") == 1, (role, key)
            assert drawn.count("scene-other") == (scene.other is not None)
    numbers = [float(n) for n in re.findall(r"viewBox=\"(\S+) (\S+) (\S+) (\S+)\"", svg(scenes["distance"]["3d"]))[0]]
    assert numbers[2] > 3 * 34


def test_a_result_says_who_entered_each_fact_and_lets_it_be_corrected(
    kiosk: TestClient, parts: Parts, ask: Ask
) -> None:
    table = unplaced(parts)
    table.answer(table.asks[0].address, "A 2d", seat="Axis")
    table.answer(table.asks[0].address, ["pitch differs"], seat="host")
    table.answer(table.asks[0].address, "normal", seat="Axis")
    table.answer(table.asks[0].address, {"white": "1"}, seat="Allies")
    record = table.records[-1]
    assert record.summary["word"] == "MISS"
    page = kiosk.get(f"/e/{table.key}/result/{record.number}").text
    assert re.search(r"How does .* stand to .*<strong>Strictly behind, 2d</strong> <span[^>]*>Axis</span>", page)
    assert 'One is pitched, one is not</strong> <span class="quiet">the host</span>' in page
    assert "by hand (Allies)" in page
    link = next(m for m in re.findall(r'href="([^"]+amend[^"]+)"', page) if "position" in m).replace("&amp;", "&")
    assert "Strictly behind, 1d" in kiosk.get(link).text
    address = next(a for a in record.said if a.endswith("position"))
    table.amend(record.number, address, "A 1d", seat="Allies", reason="read wrongly")
    page = kiosk.get(f"/e/{table.key}").text
    assert table.records[-1].said[address][1] == "Strictly behind, 1d"
    assert Table(table.journal, table.key).records[-1].by[address] == "Allies"


def test_what_a_seat_has_sealed_is_not_told_with_the_result(parts: Parts, table: Table, kiosk: TestClient) -> None:
    table.open("plan", seat="host")
    for seat in ("ann", "bob"):
        table.answer(next(a.address for a in table.asks if a.seat == seat), "loop", seat=seat)
    assert table.records[-1].closed
    assert "loop" not in kiosk.get(f"/e/{table.key}/result/{table.records[-1].number}").text


def test_a_value_that_was_ruled_says_why_and_by_whom(kiosk: TestClient, table: Table) -> None:
    change = {"kind": "hit", "target": "bob", "value": 2, "text": "bob has taken 2", "rule": "toy:2"}
    table.rule([change], seat="ann", agreed="bob", reason="the photo shows it")
    page = kiosk.get(f"/e/{table.key}/piece/bob").text
    assert re.search(r"bob has taken 2 .*toy:2.*Ann: the photo shows it", page)
    assert "the photo shows it" in kiosk.get(f"/e/{table.key}/rules").text


def test_a_place_is_touched_together_and_never_written(kiosk: TestClient, parts: Parts) -> None:
    table = parts.tables.new("aod")
    table.open("place:3", seat="host")
    page = kiosk.get(f"/e/{table.key}").text
    assert 'type="text"' not in page.split("<main")[1]
    assert re.search(r'name="part\d" value="E" checked', page)
    form = {"address": "place", "parts": "9", "part0": "12+2", "part6": "SE", "part7": "L4", "part8": "down"}
    kiosk.post(f"/e/{table.key}/answer", data=form | {"once": "p"})
    table.answer("speed", 10, seat="host")
    pose = table.state.craft("3").pose
    assert (pose.point, pose.level, pose.pitch) == (pose.point.__class__(2, 0), 4, -1)


def test_the_dice_that_are_asked_for_are_drawn_in_their_colour_and_outline(kiosk: TestClient, parts: Parts) -> None:
    table = unplaced(parts)
    for given in ("A 1d", [], "normal"):
        table.answer(table.asks[0].address, given, seat="host")
    page = kiosk.get(f"/e/{table.key}").text
    assert re.search(r'<svg class="drawn"[^>]*><path class="die-white"[^>]*></svg> white d6', page.replace("/>", ">"))
    assert die_svg("red 2", 20) != die_svg("red 2", 6)
    assert "die-plain" in die_svg("damage", 7)
