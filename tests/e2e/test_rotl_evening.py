"""A whole evening of Rise of the Luftwaffe: two seats, each on a phone of its own, hands from the virtual deck."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.daemon import Daemon, running
from tests.e2e.seats import Player, allowed, phones, play, seated, step

DOGFIGHT = {
    "elements": [
        {"side": "Axis", "type": "Bf-109E", "seat": "axis"},
        {"side": "Allies", "type": "Spitfire I", "seat": "allies"},
        {"side": "Axis", "type": "Bf-110C", "seat": "axis"},
        {"side": "Allies", "type": "Hurricane I", "seat": "allies"},
    ],
    "year": 1940,
    "seats": {"axis": "Axel", "allies": "Alice"},
}
OTHER = {"axis": "allies", "allies": "axis"}


def answering(ask: Mapping[str, Any], rng: Random) -> dict[str, Any]:
    """A simple player: meets the enemy at medium altitude, lays what it may, pays what it must."""
    form = ask["space"]["form"]
    if form == "number":
        return {"value": ask["space"]["high"]}
    keys = allowed(ask)
    if ask["role"] == "altitude":
        keys = [k for k in keys if k.endswith("Medium")] or keys
    if form == "some":
        return {"choices": keys if ask["role"] == "altitude" else rng.sample(keys, ask["space"]["least"])}
    if ask["role"] in ("card", "respond") and len(keys) > 1 and rng.random() < 0.85:
        keys = keys[1:]
    return {"choice": rng.choice(keys)}


def liking(act: Mapping[str, Any]) -> float:
    """Attacks before all else; nobody leaves the fight."""
    kind = act["key"].split(":")[0]
    return {"leader": 6, "wingman": 6, "gunner": 4, "disengage": 0, "roll_up": 0.1, "roll_down": 0.2}.get(kind, 1)


def answered_cards(view: Mapping[str, Any]) -> int:
    """How many cards lie in the open exchange."""
    return sum(" lays " in line["text"] or " answers with " in line["text"] for line in view["open"]["lines"])


def until_in_a_chain(players: Mapping[str, Player], rng: Random) -> Player:
    """Play until somebody has answered an attack; whose answer is due then."""
    for _ in range(3000):
        for player in players.values():
            view = player.view()
            if view["open"] and answered_cards(view) >= 2 and (asks := [a for a in view["open"]["asks"] if a["mine"]]):
                assert asks[0]["role"] == "respond"
                return player
            step(player, rng, answering, liking)
    raise AssertionError("nobody ever answers an attack")


def hand_of(page: Page) -> list[str]:
    page.goto(f"{page.url.split('?')[0]}?screen=table")
    return page.locator(".hand .card").all_inner_texts()


@pytest.mark.rule("rotl:Respond to response")
def test_a_whole_dogfight_on_two_phones(tmp_path: Path, browser: Browser) -> None:
    rng = Random(7)
    with running(tmp_path) as daemon:
        players = seated(daemon, "rotl", DOGFIGHT)
        with phones(browser, players) as pages:
            _deal_by_touch(players, pages, rng)
            _hands_are_their_own(players, pages)
            due = until_in_a_chain(players, rng)
            _reload_and_power_cut(daemon, due, players, pages)
            view = play(players, rng, answering, liking, lambda v: v["over"])
            _ended(players, pages, view)


def _deal_by_touch(players: Mapping[str, Player], pages: Mapping[str, Page], rng: Random) -> None:
    """Altitudes are chosen in secret at once, by touch; then the table deals."""
    pages["axis"].get_by_role("button", name="Choose starting altitudes").tap()
    for seat, page in pages.items():
        for number, option in enumerate(o for o in _mine(players[seat]) if o.endswith("Medium")):
            page.locator(f"label:has(input[value='{option}'])").tap()
            expect(page.locator("input:checked")).to_have_count(number + 1)
        page.get_by_role("button", name="Send").tap()
    for page in pages.values():
        expect(page.get_by_text("Altitudes are revealed").first).to_be_visible()
    play(players, rng, answering, liking, lambda v: "Game-turn" in v["phase"])


def _mine(player: Player) -> list[str]:
    return allowed(player.asks()[0])


def _hands_are_their_own(players: Mapping[str, Player], pages: Mapping[str, Page]) -> None:
    """Each phone shows its own hand as the API tells it to that seat, and no other's."""
    for seat, page in pages.items():
        own = [field["value"] for field in players[seat].view()["view"]["hand"]]
        shown = hand_of(page)
        assert len(own) == len(shown) > 0
        assert all(any(value in text for text in shown) for value in own)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def _reload_and_power_cut(
    daemon: Daemon, due: Player, players: Mapping[str, Player], pages: Mapping[str, Page]
) -> None:
    """In the middle of the chain: the same question after a reload and after a power cut, for the same eyes."""
    page, other = pages[due.seat], pages[OTHER[due.seat]]
    for each in (page, other):
        each.goto(f"{each.url.split('?')[0]}")
    ask = due.asks()[0]
    expect(page.locator("h1.task")).to_contain_text(ask["text"])
    before = {seat: player.view() for seat, player in players.items()}
    page.reload()
    expect(page.locator("h1.task")).to_contain_text(ask["text"])
    expect(other.locator("section.ask")).to_have_count(0)
    daemon.kill()
    expect(page.locator("#gone")).to_be_visible()
    daemon.start()
    expect(page.locator("#live")).to_be_visible()
    assert {seat: player.view() for seat, player in players.items()} == before
    assert "space" not in players[OTHER[due.seat]].view()["open"]["asks"][0]
    page.get_by_role("button", name="Pass: no answer").tap()
    expect(page.locator("h1.word")).to_be_visible()
    assert players[due.seat].view()["open"] is None


def _ended(players: Mapping[str, Player], pages: Mapping[str, Page], view: Mapping[str, Any]) -> None:
    """Six game-turns are over; everybody sees the same result, and the journal of the whole game verifies."""
    assert view["phase"] == "The dogfight is over"
    result = next(f["value"] for f in view["view"]["score"] if f["label"] == "Result")
    for seat, page in pages.items():
        page.goto(f"{page.url.split('?')[0]}?screen=table")
        expect(page.get_by_text(result).first).to_be_visible()
        assert players[seat].view()["view"]["score"] == view["view"]["score"]
