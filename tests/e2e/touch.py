"""Fingers: touches are counted, and each waits for the screen to answer."""

from __future__ import annotations

from playwright.sync_api import Browser, Locator, Page

from companion.web.words import WORDS
from tests.e2e.conftest import KIOSK, PHONE
from tests.e2e.daemon import Daemon

MAIN = "document.getElementById('main').innerHTML"
ANSWERED = """before => {
  const main = document.getElementById('main');
  const still = document.readyState !== 'complete' || document.querySelector('.heard');
  return main && !still && (main.innerHTML !== before[0] || location.href !== before[1]);
}"""


class Hand:
    """One pair of hands at one screen, by touch alone."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps = page, 0

    def tap(self, what: Locator) -> None:
        """Touch and wait until the main part of the screen is another one."""
        before = self.page.evaluate(MAIN)
        url = self.page.url
        what.first.tap()
        self.taps += 1
        self.page.wait_for_function(ANSWERED, arg=[before, url])

    def press(self, name: str, *, exact: bool = False) -> None:
        """Touch a button or a link by what it says."""
        button = self.page.get_by_role("button", name=name, exact=exact)
        self.tap(button.or_(self.page.get_by_role("link", name=name, exact=exact)))

    def touch(self, what: Locator) -> None:
        """Touch something that only marks a choice."""
        what.first.tap()
        self.taps += 1

    def until_result(self, face: str = "6", *, other: Hand | None = None) -> str:
        """Answer whatever is asked, the other hand what is for the other seat, until the word stands there."""
        either = self.page.locator("h1.word, section.ask, .banner").first
        for _ in range(30):
            try:
                either.wait_for(timeout=6000)
            except Exception as error:
                raise AssertionError(self.page.locator("main").inner_text()) from error
            word = self.page.locator("h1.word")
            if word.count():
                return word.inner_text()
            if self.page.locator("section.ask").count():
                self.answer(face)
            elif other is not None:
                other.page.locator("section.ask").first.wait_for()
                other.answer(face)
                self.page.locator("h1.word, section.ask").first.wait_for()
        raise AssertionError(f"no result: {self.page.locator('main').inner_text()}")

    def answer(self, face: str) -> None:
        """The first open question: a die's face, else the first choice."""
        ask = self.page.locator("section.ask").first
        dice = ask.locator(".faces")
        if dice.count():
            wanted = dice.first.get_by_role("button", name=face, exact=True)
            self.tap(wanted if wanted.count() else dice.first.locator("button"))
        elif ask.locator("button.option, button.face-button").count():
            self.tap(ask.locator("button.option, button.face-button"))
        else:
            self.press(WORDS.send)


def screen(browser: Browser, size: dict[str, int], *, theme: str = "") -> Page:
    """A page of its own at one of the two sizes."""
    context = browser.new_context(viewport=size, has_touch=True, accept_downloads=True)  # type: ignore[arg-type]
    page = context.new_page()
    page.set_default_timeout(15_000)
    return page


def four_against_four(daemon: Daemon, *, placed: bool = True) -> str:
    """A table of eight aircraft, with positions kept or not."""
    aircraft = [
        {"key": str(n), "type": "Fw 190 A-8" if n < 5 else "Spitfire Mk IX", "side": "Axis" if n < 5 else "Allies"}
        for n in range(1, 9)
    ]
    if placed:
        for n, craft in enumerate(aircraft):
            point = [0, n % 4 * 3] if n < 4 else [2, n % 4 * 3]
            pose = {"point": point, "yaw": 0, "level": 5, "pitch": 0, "roll": -1 if n > 3 else 0}
            craft |= {"pose": pose, "speed": 12}
    setup = {"aircraft": aircraft, "sides": ["Axis", "Allies"]}
    status, made = daemon.ask("POST", "/api/tables", {"game": "aod", "setup": setup})
    assert status == 201, made
    return str(made["table"])


def seat_keys(daemon: Daemon, table: str) -> dict[str, str]:
    return {s["seat"]: s["key"] for s in daemon.ask("GET", f"/api/tables/{table}/seats")[1]}


__all__ = ["KIOSK", "PHONE", "Hand", "four_against_four", "screen", "seat_keys"]
