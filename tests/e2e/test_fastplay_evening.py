"""A whole lesson of Fast-Play WWII: four pupils, each with a phone, cards in secret, dice tapped in or from a tower."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from drivers.dice.virtual import VirtualTower
from tests.e2e.conftest import wired
from tests.e2e.daemon import Daemon, running, until
from tests.e2e.seats import Player, allowed, phones, play, seated

LESSON = {
    "mat": {"columns": 16, "rows": 14},
    "pilots": [
        {"key": "anna", "name": "Anna", "side": "Allies", "aircraft": "Spitfire", "victories": 4, "hex": "B7"},
        {"key": "ben", "name": "Ben", "side": "Allies", "aircraft": "Lightning", "hex": "B11"},
        {"key": "chris", "name": "Chris", "side": "Axis", "aircraft": "Me-109", "hex": "C7"},
        {"key": "dora", "name": "Dora", "side": "Axis", "aircraft": "Zero", "hex": "K3", "facing": "W"},
    ],
}
PLANS = {"anna": "1ST 2ST 2ST", "ben": "SL 2ST SR", "chris": "1ST 2ST 2ST", "dora": "1ST L R 2ST"}
TURNS = 4
"""The lesson ends after so many turns, at the earliest."""


def answering(ask: Mapping[str, Any], rng: Random) -> dict[str, Any]:
    """A pupil who lays any cards; where a stack is refused, another one."""
    if ask["space"]["form"] == "text":
        return {"value": rng.choice(allowed(ask) or [ask["space"]["example"]])}
    keys = allowed(ask)
    if ask["space"]["form"] == "some":
        return {"choices": [rng.choice(keys) for _ in range(ask["space"]["most"])]}
    return {"choice": rng.choice(keys)}


def liking(act: Mapping[str, Any]) -> float:
    """Whoever can fire does so before the step is closed; the teacher ends the game."""
    kind = act["key"].split(":")[0]
    return {"fire": 1000, "enter": 1000, "finish": 0, "duel": 0}.get(kind, 1)


@pytest.mark.rule("fastplay:Choose Cards")
@pytest.mark.rule("fastplay:Victories")
def test_a_whole_lesson_on_four_phones(tmp_path: Path, browser: Browser, tower: VirtualTower) -> None:
    with running(tmp_path, wired(tower, "file:/dev/null")) as daemon:
        players = seated(daemon, "fastplay", LESSON)
        with phones(browser, players) as pages:
            _choose_in_secret(daemon, players, pages)
            _play_card(players["anna"])
            _shoot_by_touch_and_power_cut(daemon, players["anna"], pages["anna"])
            players["ben"].act("close")
            _play_card(players["ben"])
            _shoot_with_the_tower(players["anna"], tower)
            players["chris"].act("close")
            _chris_is_down(players, pages)
            view = play(players, Random(3), answering, liking, _may_end)
            _finished(players, pages, view)


def _choose_in_secret(daemon: Daemon, players: Mapping[str, Player], pages: Mapping[str, Page]) -> None:
    """All are asked at once. With one stack in, the power goes; one phone is reloaded in the middle of its choice."""
    pages["dora"].get_by_role("button", name="Choose cards").tap()
    for seat, page in pages.items():
        expect(page.locator("h1.task")).to_contain_text(f"Choose {4 if seat == 'dora' else 3} cards")
        expect(page.locator("section.ask")).to_have_count(1)
    _tap_cards(pages["anna"], ["HL"])
    _choose(pages["ben"], PLANS["ben"])
    until(lambda: not players["ben"].asks(), what="Ben's cards")
    daemon.kill()
    expect(pages["chris"].locator("#gone")).to_be_visible()
    daemon.start()
    expect(pages["chris"].locator("#live")).to_be_visible()
    assert [bool(player.asks()) for player in players.values()] == [True, False, True, True], "Ben has chosen"
    pages["anna"].reload()
    expect(pages["anna"].locator("h1.task")).to_contain_text("Choose 3 cards")
    expect(pages["anna"].locator("input:checked")).to_have_count(0)
    for seat in ("anna", "chris", "dora"):
        _choose(pages[seat], PLANS[seat])
    for seat, player in players.items():
        hand = [field["value"].split(" ")[0] for field in player.view()["view"]["hand"]]
        assert hand == PLANS[seat].split()
        page = pages[seat]
        expect(page.get_by_text("CARDS DOWN").first).to_be_visible()
        page.goto(f"{page.url.split('?')[0]}?screen=table")
        expect(page.locator(".hand .card")).to_have_count(len(hand))
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def _choose(page: Page, plan: str) -> None:
    _tap_cards(page, plan.split())
    page.get_by_role("button", name="Send").tap()
    expect(page.locator("section.ask")).to_have_count(0)


def _tap_cards(page: Page, cards: list[str]) -> None:
    for place, card in enumerate(cards):
        page.locator("fieldset").nth(place).locator(f"label:has(input[value='{card}'])").tap()
        expect(page.locator("input:checked")).to_have_count(place + 1)


def _play_card(player: Player) -> None:
    """The next card is turned up, all planes move."""
    player.act("reveal")
    player.act("move")


def _faces(player: Player) -> list[str]:
    return [die["face"] for die in player.asks()[0]["dice"]]


def _shoot_by_touch_and_power_cut(daemon: Daemon, anna: Player, phone: Page) -> None:
    """Five dice at one hex; after the second one somebody pulls the plug."""
    anna.act("fire:anna")
    phone.goto(phone.url.split("?")[0])
    expect(phone.locator(".die")).to_have_count(5)
    for lying in (1, 2):
        phone.locator("form.faces").first.get_by_role("button", name="6", exact=True).tap()
        expect(phone.locator(".face.lies")).to_have_count(lying)
    before = anna.view()
    daemon.kill()
    expect(phone.locator("#gone")).to_be_visible()
    daemon.start()
    expect(phone.locator("#live")).to_be_visible()
    assert anna.view() == before
    assert _faces(anna) == ["6", "6", "", "", ""]
    for lying, face in ((3, "5"), (4, "1"), (5, "2")):
        expect(phone.locator(".face.lies")).to_have_count(lying - 1)
        phone.locator("form.faces").first.get_by_role("button", name=face, exact=True).tap()
    expect(phone.locator("h1.word")).to_have_text("3 HITS")


def _shoot_with_the_tower(anna: Player, tower: VirtualTower) -> None:
    anna.act("fire:anna")
    for throw in ({"w": 6, "r": 6}, {"w": 4, "r": 1}, {"w": 1}):
        before = _faces(anna).count("")
        until(lambda: tower.is_armed, what="the tower to be armed")
        tower.throw(throw)
        _wait_for_dice(anna, before - len(throw))
    last = anna.view()["last"]
    assert last["word"] == "3 HITS"
    assert last["sources"] == "tower Oak; by hand: none"


def _wait_for_dice(player: Player, left: int) -> None:
    def counted() -> bool:
        asks = player.asks()
        return not asks or [die["face"] for die in asks[0]["dice"]].count("") == left

    until(counted, what="the dice to count")


def _chris_is_down(players: Mapping[str, Player], pages: Mapping[str, Page]) -> None:
    """Six hits bring a Me-109 down; Anna's fifth victory makes her an ace, on every phone."""
    chris = players["chris"]
    chris.act("losses")
    chris.answer(chris.asks()[0]["address"], faces=[3])
    anna = next(p for p in chris.view()["view"]["pieces"] if p["key"] == "anna")
    assert {f["label"]: f["value"] for f in anna["fields"]}["Victories"] == "5, ace"
    for page in pages.values():
        page.goto(f"{page.url.split('?')[0]}?screen=table")
        expect(page.get_by_text("5, ace").first).to_be_visible()


def _may_end(view: Mapping[str, Any]) -> bool:
    """Between two turns."""
    return f"Turn {TURNS}, choose cards" in view["phase"] and not view["open"]


def _finished(players: Mapping[str, Player], pages: Mapping[str, Page], view: Mapping[str, Any]) -> None:
    pages["ben"].goto(f"{pages['ben'].url.split('?')[0]}?screen=table")
    pages["ben"].get_by_role("button", name="End the game").tap()
    for page in pages.values():
        expect(page.get_by_text("The game is over").first).to_be_visible()
    end = [player.view() for player in players.values()]
    assert all(v["over"] for v in end)
    assert all(one["view"]["score"] == other["view"]["score"] for one, other in pairwise(end))
    assert [row["slip"] for row in end[0]["log"]] == sorted(row["slip"] for row in end[0]["log"])
