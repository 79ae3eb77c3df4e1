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
from tests.e2e.touch import Hand

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


class Screen:
    """One kiosk without phones, passed from hand to hand: whatever is due is done by touch."""

    def __init__(self, daemon: Daemon, page: Page, table: str, rng: Random) -> None:
        self.daemon, self.table, self.rng = daemon, table, rng
        self.hand, self.page = Hand(page), page
        self.asked: list[tuple[str, str]] = []
        self.covers = 0

    def play(self, touches: int) -> None:
        self.page.goto(f"{self.daemon.url}/e/{self.table}")
        for _ in range(touches):
            if self._enough():
                return
            self.touch()
        raise AssertionError(f"not all of a player-turn came up: {self.asked}")

    def _enough(self) -> bool:
        """A whole player-turn, and an attack that the other side was asked about."""
        roles = {role for role, _ in self.asked}
        return {"altitude", "initiative", "card", "respond", "discard", "count"} <= roles

    def touch(self) -> None:
        page, view = self.page, self.daemon.view(self.table)
        page.locator("h1").first.wait_for()
        cover = page.get_by_role("button", name="show it")
        if cover.count():
            self._covered(view)
            self.hand.tap(cover)
        elif page.locator("section.ask").count():
            self._answer(view["open"]["asks"][0])
        elif page.locator("h1.word").count():
            self.hand.press("Next")
        else:
            self._act([a for a in view["acts"] if not a["barred"] and liking(a)])

    def _covered(self, view: Mapping[str, Any]) -> None:
        """The screen says to whom it goes, and nothing of what is asked."""
        self.covers += 1
        said = self.page.locator("main").inner_text()
        titles = {s["key"]: s["title"] for s in view["seats"]}
        assert any(titles[a["seat"]] in said for a in view["open"]["asks"])
        assert not self.page.locator("section.ask, .hand").count()

    def _answer(self, ask: Mapping[str, Any]) -> None:
        self.asked.append((ask["role"], ask["seat"]))
        if ask["dice"]:
            self.hand.press("Let the machine roll")
            return
        page = self.page
        if ask["role"] == "respond":
            expect(page.get_by_role("button", name="Pass: no answer")).to_be_visible()
        if page.locator("section.ask label").count():
            medium = page.locator("section.ask label:has(input[value$='Medium'])").all()
            for choice in medium or page.locator("section.ask label").all()[: ask["space"]["least"]]:
                self.hand.touch(choice)
            self.hand.press("Send")
            return
        buttons = page.locator("section.ask button[name=value]").all()
        drawn = ask["role"].startswith("draw")  # printed cards: so many as were asked for
        self.hand.tap(buttons[0] if drawn else self.rng.choice(buttons[1:] or buttons))

    def _act(self, acts: list[dict[str, Any]]) -> None:
        act = self.rng.choices(acts, [liking(a) for a in acts])[0]
        if act["about"] and not act["must"]:
            self.hand.tap(self.page.locator(f'a[href$="/piece/{act["about"][0]}"]'))
        form = self.page.locator(f'form:has(input[name=act][value="{act["key"]}"])')
        self.hand.tap(form.get_by_role("button"))


@pytest.mark.rule("rotl:Step list")
@pytest.mark.parametrize("cards", ["virtual", "printed"])
def test_a_player_turn_by_touch_on_one_kiosk_without_phones(tmp_path: Path, kiosk: Page, cards: str) -> None:
    with running(tmp_path) as daemon:
        wanted = {"game": "rotl", "setup": DOGFIGHT, "switches": {"cards": cards}}
        status, made = daemon.ask("POST", "/api/tables", wanted)
        assert status == 201
        screen = Screen(daemon, kiosk, made["table"], Random(3))
        screen.play(400)
        assert {seat for role, seat in screen.asked if role == "altitude"} == {"axis", "allies"}
        assert {seat for role, seat in screen.asked if role in ("card", "respond")} == {"axis", "allies"}
        assert screen.covers >= 4
