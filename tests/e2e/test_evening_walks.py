"""What a stranger tries on an evening, walked in a real browser by touch."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from companion import speech
from companion.web.words import EXPLAIN, RULING_REASONS, WORDS
from tests.e2e.daemon import Daemon, running, until
from tests.e2e.touch import KIOSK, PHONE, Hand, four_against_four, screen, seat_keys

AOD = "Age of Dogfights: WWII"


def fold(hand: Hand, name: str) -> None:
    """Open or close a fold of the page; nothing is sent."""
    hand.touch(hand.page.locator("summary", has_text=name))


def code_on(page: Page, tmp: Path) -> str:
    """What the last code of a page says, read off the screen."""
    page.locator("figure.qr svg").last.screenshot(path=tmp / "code.png")
    return zxingcpp.read_barcodes(Image.open(tmp / "code.png"))[0].text


def test_a_scenario_begins_with_three_touches_and_the_same_again_with_two(tmp_path: Path, browser: Browser) -> None:
    with running(tmp_path) as daemon:
        kiosk = Hand(screen(browser, KIOSK))
        kiosk.page.goto(daemon.url)
        kiosk.tap(kiosk.page.locator(".games a", has_text=AOD))
        fold(kiosk, WORDS.scenarios)
        kiosk.press("Bomber escort")
        assert kiosk.taps == 3
        expect(kiosk.page.locator(".piece")).to_have_count(11)
        expect(kiosk.page.locator("h1")).to_contain_text("Allies turn")
        kiosk.press(WORDS.home, exact=True)
        kiosk.taps = 0
        kiosk.tap(kiosk.page.locator(".games a", has_text=AOD))
        kiosk.press(WORDS.same_as_last)
        assert kiosk.taps == 2
        expect(kiosk.page.locator(".piece")).to_have_count(11)


def test_a_formation_and_a_nation_are_chosen_on_the_way(tmp_path: Path, browser: Browser) -> None:
    with running(tmp_path) as daemon:
        kiosk = Hand(screen(browser, KIOSK))
        kiosk.page.goto(f"{daemon.url}/new/aod")
        fold(kiosk, WORDS.formation)
        kiosk.tap(kiosk.page.locator("label", has_text="Finger four"))
        kiosk.tap(kiosk.page.locator("label", has_text="Germany"))
        expect(kiosk.page.locator(".units button", has_text="Spitfire")).to_have_count(0)
        for _ in range(4):
            kiosk.tap(kiosk.page.locator(".units").get_by_role("button", name="Bf 109 G-6/U4"))
        kiosk.tap(kiosk.page.get_by_role("button", name=re.compile("^Allies")))
        kiosk.tap(kiosk.page.locator("label", has_text="Great Britain"))
        for _ in range(4):
            kiosk.tap(kiosk.page.locator(".units").get_by_role("button", name="Spitfire Mk IX"))
        kiosk.press(WORDS.begin)
        expect(kiosk.page.locator(".piece")).to_have_count(8)
        assert kiosk.taps <= 60
        expect(kiosk.page.locator(".piece").first).to_contain_text("L5")


def test_toggles_with_pictures_show_their_chances_at_once(tmp_path: Path, browser: Browser) -> None:
    with running(tmp_path) as daemon:
        table = four_against_four(daemon, placed=False)
        kiosk = Hand(screen(browser, KIOSK))
        kiosk.page.goto(f"{daemon.url}/e/{table}")
        kiosk.tap(kiosk.page.locator(".piece", has_text="(1)"))
        kiosk.tap(kiosk.page.locator(".acts").get_by_role("button", name=re.compile("^Fires at")))
        expect(kiosk.page.locator("button.option svg.scene")).to_have_count(5)
        kiosk.press("Strictly behind, 2d")
        shown = kiosk.page.locator(".odds-group:visible")
        expect(shown).to_have_count(1)
        expect(shown).to_contain_text("distance 2d -1")
        before = shown.inner_text()
        asked: list[str] = []
        kiosk.page.on("request", lambda r: asked.append(r.url) if "/events" not in r.url else None)
        kiosk.touch(kiosk.page.locator("label", has_text="One is banked"))
        expect(shown).to_contain_text("different roll -1")
        assert shown.inner_text() != before
        kiosk.touch(kiosk.page.locator("label", has_text="One is pitched"))
        expect(shown).to_contain_text("different pitch -1")
        assert asked == []
        kiosk.press(WORDS.send)
        expect(kiosk.page.locator("section.ask")).to_contain_text("What does")


def test_a_value_is_ruled_by_hand_and_the_aircraft_says_why(tmp_path: Path, browser: Browser) -> None:
    with running(tmp_path) as daemon:
        table = four_against_four(daemon)
        kiosk = Hand(screen(browser, KIOSK))
        kiosk.page.goto(f"{daemon.url}/e/{table}")
        kiosk.tap(kiosk.page.locator(".piece", has_text="(1)"))
        fold(kiosk, WORDS.why_long)
        kiosk.press(WORDS.set_hand)
        fold(kiosk, "Damage:")
        kiosk.touch(kiosk.page.locator("label", has_text=re.compile("^tail$")))
        kiosk.touch(kiosk.page.locator("label", has_text=RULING_REASONS[2]))
        kiosk.press(WORDS.rule_do)
        expect(kiosk.page.locator(".head")).to_contain_text("T tail")
        fold(kiosk, WORDS.why_long)
        expect(kiosk.page.locator("details.why")).to_contain_text(f"the host: {RULING_REASONS[2]}")


def test_a_seat_goes_from_phone_to_phone_and_one_key_has_all(tmp_path: Path, browser: Browser) -> None:
    with running(tmp_path) as daemon:
        table = four_against_four(daemon)
        first, second, alone = (Hand(screen(browser, PHONE)) for _ in range(3))
        first.page.goto(f"{daemon.spectator}/e/{table}?k={seat_keys(daemon, table)['Axis']}")
        first.press(WORDS.more)
        first.press(WORDS.hand_over)
        second.page.goto(code_on(first.page, tmp_path))
        first.press(WORDS.handed)
        expect(first.page.locator("main")).to_contain_text(WORDS.watching)
        second.press("End the turn")
        second.until_result()
        kiosk = Hand(screen(browser, KIOSK))
        kiosk.page.goto(f"{daemon.url}/e/{table}")
        kiosk.press(WORDS.seats)
        kiosk.press(WORDS.solo)
        alone.page.goto(code_on(kiosk.page, tmp_path))
        for _ in range(2):
            alone.page.goto(f"{daemon.spectator}/e/{table}?screen=table")
            alone.press("End the turn")
            alone.until_result()
        assert daemon.view(table)["phase"] == "Round 2, Allies turn"


def test_an_aircraft_is_set_down_by_touch_where_it_has_flown(tmp_path: Path, browser: Browser) -> None:
    with running(tmp_path) as daemon:
        table = four_against_four(daemon)
        kiosk = Hand(screen(browser, KIOSK))
        kiosk.page.goto(f"{daemon.url}/e/{table}")
        kiosk.tap(kiosk.page.locator(".piece", has_text="(1)"))
        kiosk.press("Set down")
        for part, words in (("straight ahead", "3"), ("to the right", "2"), ("Nose", "SE"), ("Level", "L7")):
            group = kiosk.page.locator("fieldset", has_text=part).first
            kiosk.touch(group.locator("label", has_text=re.compile(f"^{words}$")))
        kiosk.touch(kiosk.page.locator("label", has_text="nose down").first)
        kiosk.press(WORDS.send)
        kiosk.tap(kiosk.page.locator(".face-button", has_text=re.compile("^11$")))
        expect(kiosk.page.locator("h1.word")).to_have_text("PLACED")
        kiosk.press(WORDS.next)
        expect(kiosk.page.locator(".piece", has_text="(1)")).to_contain_text("L7")
        expect(kiosk.page.locator(".piece", has_text="(1)")).to_contain_text("SE, nose down")


def size_of(page: Page, what: str) -> float:
    return float(page.locator(what).first.evaluate("e => parseFloat(getComputedStyle(e).fontSize)"))


def test_a_screen_remembers_large_type_and_its_colours(tmp_path: Path, browser: Browser) -> None:
    with running(tmp_path) as daemon:
        table = asked_for_a_die(daemon)
        kiosk = Hand(screen(browser, KIOSK))
        kiosk.page.goto(f"{daemon.url}/e/{table}/settings")
        kiosk.press(WORDS.large, exact=True)
        kiosk.press(WORDS.sunlight, exact=True)
        kiosk.page.goto(f"{daemon.url}/e/{table}")
        assert kiosk.page.locator("html").get_attribute("data-theme") == "sunlight"
        assert size_of(kiosk.page, "h1.task") >= 44
        assert size_of(kiosk.page, ".face-button") >= 44
        other = screen(browser, KIOSK)
        other.goto(f"{daemon.url}/e/{table}")
        assert other.locator("html").get_attribute("data-theme") == "dark"
        assert size_of(other, "h1.task") >= 32
        kiosk.until_result("1")
        assert size_of(kiosk.page, "h1.word") >= 56


def asked_for_a_die(daemon: Daemon) -> str:
    table = four_against_four(daemon)
    assert daemon.ask("POST", f"/api/tables/{table}/acts", {"act": "fire:1:5"})[0] == 201
    while not daemon.ask("GET", f"/api/tables/{table}/asks")[1][0]["dice"]:
        ask = daemon.ask("GET", f"/api/tables/{table}/asks")[1][0]
        choice = ask["space"]["options"][0]["key"]
        assert daemon.ask("POST", f"/api/tables/{table}/asks/{ask['address']}", {"choice": choice})[0] == 200
    return table


def test_a_first_game_explains_and_speaks_until_the_table_is_silent(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = tmp_path / "said"
    said.touch()
    program = tmp_path / speech.PROGRAM
    program.write_text(f'#!/bin/sh\n{{ cat; echo; }} >> "{said}"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with running(tmp_path / "daemon") as daemon:
        table = four_against_four(daemon)
        kiosk = Hand(screen(browser, KIOSK))
        kiosk.page.goto(f"{daemon.url}/e/{table}/settings")
        for setting in ("teach", "speech"):
            kiosk.tap(kiosk.page.locator(f"button[name={setting}][value=on]"))
        expect(kiosk.page.locator("main")).not_to_contain_text("espeak")
        kiosk.press("Table", exact=True)
        kiosk.tap(kiosk.page.locator(".piece", has_text="(1)"))
        kiosk.tap(kiosk.page.locator(".acts").get_by_role("button", name=re.compile("^Fires at")))
        expect(kiosk.page.locator(".teach")).to_contain_text(EXPLAIN["burst"])
        kiosk.answer("")
        expect(kiosk.page.locator(".teach")).to_contain_text(EXPLAIN["targeting"])
        until(lambda: "throw white d6" in said.read_text(), what="the throw to be spoken")
        kiosk.press(WORDS.more)
        kiosk.tap(kiosk.page.locator("button[name=sound][value=silent]"))
        before = said.read_text()
        kiosk.press("Table", exact=True)
        kiosk.tap(kiosk.page.locator(".banner a"))
        kiosk.until_result("1")
        assert said.read_text() == before


def test_two_tables_share_one_pi_and_each_screen_stays_at_its_own(tmp_path: Path, browser: Browser) -> None:
    with running(tmp_path) as daemon:
        tables = [four_against_four(daemon), four_against_four(daemon)]
        hands = [Hand(screen(browser, KIOSK)) for _ in tables]
        for hand, table in zip(hands, tables, strict=True):
            hand.page.goto(f"{daemon.url}/e/{table}/settings")
            hand.press(WORDS.bind)
            hand.press(WORDS.home, exact=True)
            expect(hand.page.locator(".piece")).to_have_count(8)
            assert f"/e/{table}" in hand.page.url
        hands[0].press("End the turn")
        hands[0].until_result()
        assert [daemon.view(table)["turn"] for table in tables] == ["Allies", "Axis"]
        hands[1].press(WORDS.more)
        hands[1].press(WORDS.bind)
        hands[1].press(WORDS.home, exact=True)
        expect(hands[1].page.locator("main")).to_contain_text(WORDS.new_game)
