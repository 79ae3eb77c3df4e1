"""Takes the pictures of the docs: a real daemon, a virtual tower and printer on their wires, and Chromium."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from drivers.dice.virtual import VirtualTower
from drivers.printers.offer import TcpOffer
from drivers.printers.virtual import VirtualPrinter
from tests.e2e.conftest import KIOSK, PHONE, QUIET, wired
from tests.e2e.daemon import ROOT, Daemon, until

PICTURES = ROOT / "companion" / "docs" / "pictures"
COLOURS = 32
ADDRESS = "http://192.168.1.23:8080"
"""What the QR codes on the pictures hold: a Pi in a club's Wi-Fi."""

FIRE = "fire:3:11"


class Camera:
    """A daemon with a tower and a printer; one kiosk and one phone look at it."""

    def __init__(self, daemon: Daemon, tower: VirtualTower, printer: VirtualPrinter, browser: Browser) -> None:
        self.daemon, self.tower, self.printer = daemon, tower, printer
        self.kiosk = browser.new_context(viewport=KIOSK, has_touch=True).new_page()
        self.phone = browser.new_context(viewport=PHONE, has_touch=True).new_page()
        self.phone_url = f"http://phone.localhost:{daemon.port}"

    def begin(self, game: str) -> str:
        status, made = self.daemon.ask("POST", "/api/tables", {"game": game})
        assert status == 201, made
        self.kiosk.goto(f"{self.daemon.url}/e/{made['table']}")
        return str(made["table"])

    def sit(self, table: str, title: str) -> None:
        """The phone takes the seat with this title, by the key that its QR code holds."""
        seats = self.daemon.ask("GET", f"/api/tables/{table}/seats")[1]
        key = next(s["key"] for s in seats if s["title"] == title)
        self.phone.goto(f"{self.phone_url}/e/{table}?k={key}")

    def throw(self, faces: dict[str, int], slots: int) -> None:
        until(lambda: self.tower.is_armed, what="the tower to be armed")
        self.tower.throw(faces)
        expect(self.kiosk.get_by_role("button", name="Use it")).to_have_count(slots)

    def use(self, then: str) -> None:
        """Use what lies; the kiosk asks for `then` next."""
        self.kiosk.get_by_role("button", name="Use it").first.tap()
        expect(self.kiosk.locator("h1")).to_contain_text(then)

    def shoot(self, page: Page, name: str, *, live: bool = True) -> None:
        page.wait_for_load_state()
        if live and page.locator("body").get_attribute("data-table"):
            expect(page.locator("#live")).to_be_visible()
        save(Image.open(io.BytesIO(page.screenshot())), name)


def save(picture: Image.Image, name: str) -> None:
    """As a small palette PNG."""
    PICTURES.mkdir(exist_ok=True)
    small = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    small.save(PICTURES / f"{name}.png", optimize=True)


def gunfire(camera: Camera) -> None:
    """One burst, from the aircraft to the slip."""
    table = camera.begin("aod")
    kiosk, shoot = camera.kiosk, camera.shoot
    shoot(kiosk, "table")
    camera.phone.goto(f"{camera.phone_url}/e/{table}")
    shoot(camera.phone, "phone-watching")
    kiosk.get_by_text("Fw 190 A-8 (3)").tap()
    expect(kiosk.get_by_text("What can it do now?")).to_be_visible()
    shoot(kiosk, "aircraft")
    kiosk.get_by_role("button", name="fires at Spitfire Mk IX (11)").tap()
    expect(kiosk.get_by_role("button", name="Normal burst")).to_be_visible()
    shoot(kiosk, "burst")
    kiosk.get_by_role("button", name="Short burst").tap()
    camera.throw({"w": 5}, 1)
    shoot(kiosk, "throw")
    camera.use("red 2d6")
    camera.throw({"w": 3, "r": 4}, 2)
    camera.use("damage")
    kiosk.locator(".face-button").first.tap()
    expect(kiosk.locator("h1.word")).to_be_visible()
    shoot(kiosk, "result")
    slips = camera.printer.slips
    assert camera.printer.until(lambda: bool(slips))
    save(slips[-1].picture(), "slip")


def mending(camera: Camera) -> None:
    """A face that was read wrongly, and a result that the table rules."""
    kiosk = camera.kiosk
    kiosk.locator(".die-link").first.tap()
    expect(kiosk.get_by_text("What really lay there?")).to_be_visible()
    camera.shoot(kiosk, "amend")
    kiosk.get_by_role("link", name="Back").tap()
    kiosk.get_by_role("link", name="Rule by hand").tap()
    expect(kiosk.get_by_text("What does the table rule?")).to_be_visible()
    camera.shoot(kiosk, "rule")


def around(camera: Camera) -> None:
    """What the table has beside the fight: seats, charts, paper, a set-up, the home screen."""
    kiosk, url = camera.kiosk, camera.daemon.url
    table = camera.daemon.table()
    kiosk.goto(f"{url}/e/{table}/seats")
    camera.shoot(kiosk, "seats")
    kiosk.goto(f"{url}/e/{table}/charts")
    kiosk.get_by_role("searchbox").tap()
    for key in "dam":
        kiosk.locator(".keys").get_by_role("button", name=key, exact=True).tap()
    expect(kiosk.locator("#found")).to_contain_text("Damage die")
    camera.shoot(kiosk, "search", live=False)
    kiosk.goto(f"{url}/e/{table}/charts/aod/outcome")
    camera.shoot(kiosk, "chart")
    kiosk.goto(f"{url}/e/{table}/paper")
    camera.shoot(kiosk, "paper")
    kiosk.goto(f"{url}/e/{table}/settings")
    camera.shoot(kiosk, "settings")
    kiosk.goto(f"{url}/new/aod")
    kiosk.locator(".units button").nth(0).tap()
    expect(kiosk.locator(".side-pick").first).to_contain_text("✕")
    kiosk.get_by_role("button", name="Allies").tap()
    expect(kiosk.get_by_role("heading", name="Allies")).to_be_visible()
    camera.shoot(kiosk, "setup")


def classroom(camera: Camera) -> None:
    """Fast-Play: a pupil picks three cards on a phone."""
    table = camera.begin("fastplay")
    camera.kiosk.get_by_role("button", name="Choose cards").tap()
    camera.sit(table, "Anna")
    expect(camera.phone.get_by_text("Choose 3 cards")).to_be_visible()
    camera.shoot(camera.phone, "phone-fastplay")


def dogfight(camera: Camera) -> None:
    """Rise of the Luftwaffe: a hand on its owner's phone."""
    table, ask = camera.begin("rotl"), camera.daemon.ask
    for seat, heights in (("axis", "X1=Medium X2=Medium"), ("allies", "A1=Medium A2=Medium")):
        if seat == "axis":
            assert ask("POST", f"/api/tables/{table}/acts", {"act": "altitudes"})[0] == 201
        place = f"/api/tables/{table}/asks/altitudes@{seat}/altitude"
        assert ask("POST", place, {"choices": heights.split()})[0] == 200
    deal = next(a["key"] for a in camera.daemon.view(table)["acts"] if a["title"].startswith("Deal"))
    assert ask("POST", f"/api/tables/{table}/acts", {"act": deal})[0] == 201
    camera.sit(table, "Axis")
    camera.phone.get_by_role("button", name="Next").tap()
    expect(camera.phone.locator(".hand")).to_be_visible()
    camera.shoot(camera.phone, "phone-rotl")


SCENES = (gunfire, mending, around, classroom, dogfight)


@contextmanager
def studio(folder: Path) -> Iterator[Camera]:
    """Everything that is needed, and gone afterwards."""
    tower = VirtualTower(folder / "usb-Companion_Tower")
    tower.start()
    printer = VirtualPrinter(58, cutter=True)
    with TcpOffer(printer) as offer, sync_playwright() as play:
        daemon = Daemon(folder, wired(tower, offer.description))
        text = daemon.config.read_text().replace(daemon.spectator, ADDRESS).replace("hold = 0.2", "hold = 30")
        daemon.config.write_text(text)
        daemon.start()
        browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=QUIET)
        try:
            yield Camera(daemon, tower, printer, browser)
        finally:
            browser.close()
            daemon.stop()
            tower.stop()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, studio(Path(folder)) as camera:
        for scene in SCENES:
            scene(camera)
    print(sum(p.stat().st_size for p in PICTURES.glob("*.png")), "bytes")


if __name__ == "__main__":
    main()
