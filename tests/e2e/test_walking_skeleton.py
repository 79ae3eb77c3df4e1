"""One burst, from the die to the paper and the phone, through real wire protocols."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Page, expect

from drivers.dice.virtual import VirtualTower
from drivers.printers.offer import TcpOffer
from drivers.printers.virtual import VirtualPrinter
from tests.e2e.conftest import wired
from tests.e2e.daemon import Daemon, running, until
from tests.emupos.conftest import Emupos

FIRE = "fire:3:11"


def begin(daemon: Daemon) -> str:
    status, made = daemon.ask("POST", "/api/tables", {"game": "aod"})
    assert status == 201
    return str(made["table"])


def open_fire(daemon: Daemon, table: str) -> None:
    assert daemon.ask("POST", f"/api/tables/{table}/acts", {"act": FIRE})[0] == 201
    assert daemon.ask("POST", f"/api/tables/{table}/asks/announce/burst", {"choice": "normal"})[0] == 200


def armed(tower: VirtualTower) -> None:
    until(lambda: tower.is_armed, what="the tower to be armed")


def decode(picture: Image.Image) -> str:
    found = zxingcpp.read_barcodes(picture)
    assert found, "no QR code can be read from the slip"
    return str(found[0].text)


@pytest.mark.rule("aod:4.5.1")
def test_one_burst_from_the_die_to_the_phone(
    tmp_path: Path, kiosk: Page, phone: Page, tower: VirtualTower, printer: VirtualPrinter, offer: TcpOffer
) -> None:
    with running(tmp_path, wired(tower, offer.description)) as daemon:
        table = begin(daemon)
        # the kiosk, by touch alone
        kiosk.goto(f"{daemon.url}/e/{table}")
        kiosk.get_by_text("Fw 190 A-8 (3)").tap()
        kiosk.get_by_role("button", name="fires at Spitfire Mk IX (11)").tap()
        kiosk.get_by_role("button", name="Normal burst").tap()
        expect(kiosk.locator("h1")).to_contain_text("throw white d6")
        # a die falls in the tower
        armed(tower)
        tower.throw({"w": 5})
        expect(kiosk.locator("h1")).to_contain_text("throw red 2d6")
        tower.throw({"w": 3, "r": 4})
        expect(kiosk.locator("h1.word")).to_have_text(re.compile("HIT"))
        expect(kiosk.locator(".sum")).to_contain_text("distance 2d")
        word = kiosk.locator("h1.word").inner_text()
        # the slip, its arithmetic and its code
        assert printer.until(lambda: bool(printer.slips))
        slip = printer.slips[-1]
        text = slip.text
        assert "Fw 190 A-8 (3) fires at Spitfire" in text
        assert re.search(r"die white d6 +5", text)
        assert re.search(r"distance 2d +-1 +4\.5\.1", text)
        assert word in text
        link = decode(slip.picture())
        assert link == f"{daemon.spectator}/e/{table}"
        # the phone that scans it
        phone.goto(link)
        expect(phone.locator("#live")).to_be_visible()
        expect(phone.get_by_text(word)).to_be_visible()
        fired = daemon.view(table)["view"]
        # undo takes it back everywhere
        kiosk.get_by_role("button", name="Undo").tap()
        expect(phone.locator(".banner")).to_contain_text("taken back")
        assert daemon.view(table)["view"] != fired
        assert printer.until(lambda: len(printer.slips) == 2)
        assert "VOID" in printer.slips[-1].text
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390
        assert kiosk.evaluate("document.documentElement.scrollWidth") <= 800


def test_kill_9_between_two_dice_resumes_at_the_second(
    tmp_path: Path, tower: VirtualTower, offer: TcpOffer, printer: VirtualPrinter
) -> None:
    with running(tmp_path, wired(tower, offer.description)) as daemon:
        table = begin(daemon)
        open_fire(daemon, table)
        armed(tower)
        tower.throw({"w": 5})
        until(lambda: daemon.asked(table).endswith("outcome"), what="the second throw")
        armed(tower)
        tower.throw({"r": 4})

        def lying() -> list[str]:
            return [d["face"] for d in daemon.ask("GET", f"/api/tables/{table}/asks")[1][0]["dice"]]

        until(lambda: lying() == ["4", ""], what="the first red die")
        before = daemon.view(table)
        daemon.kill()
        tower.reset()  # the Pi feeds the tower, so it went dark as well
        daemon.start()
        assert lying() == ["4", ""]
        after = daemon.view(table)
        assert {k: v for k, v in after.items() if k != "arrived"} == {k: v for k, v in before.items() if k != "arrived"}
        armed(tower)
        tower.throw({"w": 3})
        until(lambda: daemon.view(table)["open"] is None, what="the end of the burst")
        last = daemon.view(table)["last"]
        assert [line["faces"] for line in last["lines"] if line["faces"]][:2] == [["5"], ["4", "3"]]
        assert last["sources"] == "tower Oak; by hand: none"
        assert printer.until(lambda: bool(printer.slips))


def test_an_open_kiosk_comes_back_by_itself_after_a_power_cut(tmp_path: Path, kiosk: Page) -> None:
    with running(tmp_path) as daemon:
        table = begin(daemon)
        kiosk.goto(f"{daemon.url}/e/{table}?screen=table")
        expect(kiosk.locator("#live")).to_be_visible()
        daemon.kill()
        expect(kiosk.locator("#gone")).to_be_visible()
        daemon.start()
        expect(kiosk.locator("#live")).to_be_visible()
        open_fire(daemon, table)
        expect(kiosk.locator(".banner")).to_contain_text("white d6")


def test_the_second_judge_reads_the_same_slip(tmp_path: Path, tower: VirtualTower, emupos: Emupos) -> None:
    with running(tmp_path, wired(tower, emupos.tcp)) as daemon:
        table = begin(daemon)
        emupos.fault("paper-out", True)
        open_fire(daemon, table)
        armed(tower)
        tower.throw({"w": 1})  # 1 - 1 - 1 misses
        until(lambda: daemon.view(table)["open"] is None, what="the miss")

        def printer() -> dict[str, object]:
            found: dict[str, object] = daemon.ask("GET", "/api/printers")[1][0]
            return found

        until(lambda: printer()["paper"] == "out" and printer()["queued"] == 1, what="the job to wait for paper")
        assert emupos.receipts() == []
        emupos.fault("paper-out", False)
        receipt = until(emupos.receipts, what="the slip on paper")[0]["id"]
        assert "TARGETING" in emupos.text(receipt)
        assert decode(emupos.picture(receipt)) == f"{daemon.spectator}/e/{table}"
        until(lambda: printer()["queued"] == 0)
        assert len(emupos.receipts()) == 1
