"""An evening at the table by touch alone on 800x480, with two phones in seats and one that watches."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from companion.web.words import AMEND_REASONS, WORDS
from drivers.printers.offer import TcpOffer
from drivers.printers.virtual import VirtualPrinter
from tests.e2e.daemon import Daemon, running, until
from tests.e2e.touch import KIOSK, PHONE, Hand, four_against_four, screen


def till(address: str) -> str:
    return f'[[printers]]\nname = "till"\naddress = "{address}"\ncutter = "partial"\n'


def begin(hand: Hand, daemon: Daemon) -> str:
    """Four against four from the home screen; the key of the table."""
    hand.page.goto(daemon.url)
    hand.press("Age of Dogfights: WWII")
    for _ in range(4):
        hand.tap(hand.page.locator(".units").get_by_role("button", name="Fw 190 A-8"))
    hand.tap(hand.page.get_by_role("button", name=re.compile("^Allies")))
    for kind in ("Spitfire Mk IX", "Spitfire Mk IX", "P-51 D Mustang", "B-25 J Mitchell"):
        hand.tap(hand.page.locator(".units").get_by_role("button", name=kind))
    hand.press(WORDS.begin)
    expect(hand.page.locator(".piece")).to_have_count(8)
    return hand.page.url.rsplit("/", 1)[1].split("?")[0]


def links(kiosk: Hand, tmp: Path) -> list[str]:
    """The seats as a phone's camera reads them off the kiosk."""
    kiosk.press(WORDS.seats)
    expect(kiosk.page.locator("figure.qr svg")).to_have_count(3)
    found = []
    for n, code in enumerate(kiosk.page.locator("figure.qr svg").all()):
        code.screenshot(path=tmp / f"{n}.png")
        read = zxingcpp.read_barcodes(Image.open(tmp / f"{n}.png"))
        assert read, f"the code of seat {n} cannot be read off the screen"
        found.append(read[0].text)
    return found


def fire(hand: Hand, who: str, face: str = "6", *, other: Hand | None = None) -> str:
    """One burst from the aircraft card to the word of its result."""
    hand.tap(hand.page.locator(".piece", has_text=who))
    hand.tap(hand.page.locator(".acts").get_by_role("button", name=re.compile("^Fires at")))
    return hand.until_result(face, other=other)


def flying(hand: Hand, side: str) -> str:
    """The number of the first fighter of a side that is still in the fight."""
    fighter = re.compile("Fw 190|Spitfire|Mustang")
    card = hand.page.locator(".side-list", has_text=side).locator(".piece:not(.out)", has_text=fighter).first
    return re.search(r"\(\d\)", card.inner_text()).group()  # type: ignore[union-attr]


def at_the_table(hand: Hand) -> Hand:
    """The table page, where the result has been read."""
    if hand.page.get_by_role("button", name=WORDS.next, exact=True).count():
        hand.press(WORDS.next, exact=True)
    else:
        hand.press("Table", exact=True)
    return hand


def end_turn(hand: Hand) -> None:
    at_the_table(hand).press("End the turn")
    hand.until_result()


def test_an_evening_by_touch_alone(tmp_path: Path, browser: Browser, printer: VirtualPrinter, offer: TcpOffer) -> None:
    with running(tmp_path, till(offer.description)) as daemon:
        kiosk = Hand(screen(browser, KIOSK))
        began = time.monotonic()
        table = begin(kiosk, daemon)
        assert kiosk.taps <= 60
        assert time.monotonic() - began < 120
        everything_on_one_screen(kiosk.page)
        seats = links(kiosk, tmp_path)
        axis, allies = Hand(screen(browser, PHONE)), Hand(screen(browser, PHONE))
        watcher = screen(browser, PHONE)
        foreign: list[str] = []
        for page in (kiosk.page, axis.page, allies.page, watcher):
            page.on("request", lambda r: foreign.append(r.url) if f":{daemon.port}" not in r.url else None)
        for page, link in zip((axis.page, allies.page, watcher), seats, strict=True):
            page.goto(link)
            expect(page.locator("#live")).to_be_visible()
            assert "k=" not in page.url
        # round 1: the Axis fires from its own phone; everybody sees it
        word = fire(axis, "(1)", other=allies)
        expect(watcher.locator(".banner")).to_contain_text(word)
        # the die was entered wrongly: touch it, touch the one that lay there
        axis.tap(axis.page.locator(".die-link"))
        expect(axis.page.get_by_text(AMEND_REASONS[0])).to_be_visible()
        axis.tap(axis.page.get_by_role("button", name="1", exact=True))
        axis.until_result("1", other=allies)
        expect(axis.page.locator(".die-link").first).to_have_text("1")
        expect(axis.page.locator("main")).to_contain_text(AMEND_REASONS[0])
        # an undo that the other seat agrees to on its own phone
        axis.press(WORDS.undo)
        expect(axis.page.locator(".wish")).to_contain_text("Waiting")
        allies.press(WORDS.agree)
        expect(watcher.locator(".banner", has_text=WORDS.void_slip)).to_be_visible()
        assert daemon.view(table)["last"]["undone"]
        # a result that is disputed, ruled by hand on the kiosk
        kiosk.press("Table", exact=True)
        fire(kiosk, "(2)")
        kiosk.press(WORDS.rule_hand)
        kiosk.touch(kiosk.page.locator("label", has_text="Does not count"))
        kiosk.press(WORDS.rule_do)
        expect(kiosk.page.locator("h1.word")).to_have_text("DOES NOT COUNT")
        expect(kiosk.page.locator("main")).to_contain_text(WORDS.ruled)
        kiosk.press(WORDS.next)
        # three rounds of gunfire from the two phones, round 1 going on
        slips = daemon.view(table)["last"]["slip"]
        for turn in range(1, 4):
            for hand, side, other in ((axis, "Axis", allies), (allies, "Allies", axis)):
                assert daemon.view(table)["turn"] == side
                assert daemon.view(table)["phase"].startswith(f"Round {turn}")
                at_the_table(hand)
                who = "(3)" if (turn, side) == (1, "Axis") else flying(hand, side)  # (1) and (2) have fired
                word = fire(hand, who, "3" if turn == 1 else "1", other=other)
                expect(watcher.locator(".banner", has_text=word)).to_be_visible()
                end_turn(hand)
        assert daemon.view(table)["phase"].startswith("Round 4")
        fired = [row for row in daemon.view(table)["log"] if row["slip"] > slips and "fires at" in row["heading"][0]]
        assert len(fired) == 6
        # a chart, found with the keys that the kiosk brings
        kiosk.press(WORDS.charts)
        kiosk.touch(kiosk.page.get_by_role("searchbox"))
        for key in "torp":
            kiosk.touch(kiosk.page.locator(".keys").get_by_role("button", name=key, exact=True))
        kiosk.tap(kiosk.page.locator("#found a", has_text="Torpedo"))
        expect(kiosk.page.locator("table.chart")).to_be_visible()
        # a control panel, looked at and printed
        before = len(printer.slips)
        kiosk.press(WORDS.paper)
        kiosk.press("Control panel", exact=False)
        expect(kiosk.page.locator("img.preview")).to_be_visible()
        assert kiosk.page.evaluate("document.querySelector('img.preview').naturalWidth") > 300
        kiosk.press("Print on till")
        assert printer.until(lambda: len(printer.slips) > before, 60)
        # put away, the plug pulled, continued, exported
        kiosk.press(WORDS.more)
        kiosk.press(WORDS.put_away)
        seen = daemon.view(table)["view"]
        daemon.kill()
        daemon.start()
        kiosk.page.goto(daemon.url)
        kiosk.press(WORDS.continue_)
        expect(kiosk.page.locator(".piece")).to_have_count(8)
        assert daemon.view(table)["view"] == seen
        kiosk.press(WORDS.more)
        with kiosk.page.expect_download() as download:
            kiosk.page.get_by_role("link", name=WORDS.import_export).tap()
        assert download.value.path().read_text().count("\n") > 40
        for page in (axis.page, allies.page, watcher):
            expect(page.locator("#live")).to_be_visible(timeout=25_000)
        assert foreign == []


def everything_on_one_screen(page: Page) -> None:
    """All eight aircraft are seen without scrolling, and each is large enough for a thumb."""
    for piece in page.locator(".piece").all():
        box = piece.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 480
        assert box["height"] >= 48


@pytest.mark.parametrize("placed", [True, False])
def test_few_touches_lead_from_an_aircraft_to_the_throw(tmp_path: Path, browser: Browser, placed: bool) -> None:
    with running(tmp_path) as daemon:
        table = four_against_four(daemon, placed=placed)
        kiosk = Hand(screen(browser, KIOSK))
        kiosk.page.goto(f"{daemon.url}/e/{table}")
        kiosk.tap(kiosk.page.locator(".piece", has_text="(1)"))
        kiosk.tap(kiosk.page.locator(".acts").get_by_role("button", name=re.compile("^Fires at")))
        while not kiosk.page.locator(".faces").count():
            if kiosk.page.locator(".ask button.option").count():
                kiosk.tap(kiosk.page.locator(".ask button.option"))
            else:
                kiosk.press(WORDS.send)
        assert kiosk.taps <= (3 if placed else 6)


def test_two_tables_on_one_pi_do_not_mix(tmp_path: Path, browser: Browser) -> None:
    with running(tmp_path) as daemon:
        first, second = four_against_four(daemon), four_against_four(daemon)
        pages = [screen(browser, PHONE), screen(browser, PHONE)]
        for page, table in zip(pages, (first, second), strict=True):
            page.goto(f"{daemon.spectator}/e/{table}")
            expect(page.locator("#live")).to_be_visible()
        assert daemon.ask("POST", f"/api/tables/{first}/acts", {"act": "fire:1:5"})[0] == 201
        expect(pages[0].locator(".banner")).to_be_visible()
        until(lambda: daemon.view(first)["open"])
        assert daemon.view(second)["open"] is None
        assert pages[1].locator(".banner").count() == 0
