"""Every page: readable by everybody in every theme, quick under a finger, right again after a gap."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.e2e.daemon import Daemon, free_port, running, until
from tests.e2e.touch import KIOSK, PHONE, Hand, four_against_four, screen, seat_keys

NARROW = {"width": 360, "height": 740}
THEMES = ("dark", "light", "sunlight")


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Daemon, list[str]]]:
    """A daemon with a finished burst, an open throw and a hidden choice; the paths of all pages."""
    with running(tmp_path_factory.mktemp("pages"), "", "--demo") as daemon:
        table, throw, cards = four_against_four(daemon), four_against_four(daemon), ""
        for key in (table, throw):
            daemon.ask("POST", f"/api/tables/{key}/acts", {"act": "fire:1:5"})
        until(lambda: not _rolled(daemon, table), what="the end of the burst")
        while daemon.ask("GET", f"/api/tables/{throw}/asks")[1][0]["kind"] != "dice":
            _rolled(daemon, throw)
        cards = str(daemon.ask("POST", "/api/tables", {"game": "rotl"})[1]["table"])
        daemon.ask("POST", f"/api/tables/{cards}/acts", {"act": daemon.view(cards)["acts"][0]["key"]})
        number = daemon.view(table)["last"]["number"]
        assert number
        yield daemon, [
            "/", "/charts", "/charts?q=torpedo", "/charts/aod/outcome", "/new/aod", "/host", "/doctor", "/first",
            *(f"/e/{table}{end}" for end in (
                "", "?screen=table", "/piece/1", "/log", "/paper", "/paper/slip", "/settings", "/rules", "/seats",
                "/away", f"/result/{number}", f"/rule/{number}", f"/amend/{number}?at=first/targeting", "/charts",
            )),
            f"/e/{throw}", f"/e/{cards}", f"/e/{cards}?screen=table",
        ]  # fmt: skip


def _rolled(daemon: Daemon, table: str) -> bool:
    """Answer one ask by its first choice or a software die; whether there was one."""
    asks = daemon.ask("GET", f"/api/tables/{table}/asks")[1]
    if not asks:
        return False
    given = {"roll": True} if asks[0]["dice"] else {"choice": asks[0]["space"]["options"][0]["key"]}
    assert daemon.ask("POST", f"/api/tables/{table}/asks/{asks[0]['address']}", given)[0] == 200
    return True


def dressed(browser: Browser, size: dict[str, int], daemon: Daemon, theme: str, *, large: bool = False) -> Page:
    page = screen(browser, size)
    for name, value in (("theme", theme), ("large", "1" if large else "0")):
        page.context.add_cookies([{"name": name, "value": value, "url": daemon.url}])
    return page


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", [KIOSK, PHONE], ids=["kiosk", "phone"])
def test_axe_finds_nothing_on_any_page(
    browser: Browser, evening: tuple[Daemon, list[str]], size: dict[str, int], theme: str
) -> None:
    daemon, paths = evening
    page = dressed(browser, size, daemon, theme)
    found = []
    for path in paths:
        page.goto(daemon.url + path)
        for violation in Axe().run(page).response["violations"]:
            found.append((path, violation["id"], violation["nodes"][0]["html"][:120]))
    assert found == []


# every text, and every control, as a browser lays them out; what is only for screen readers has no size to judge
SMALL = """() => [...document.querySelectorAll('body *')].filter(e => {
  const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
  return own && !e.closest('.hear,.live-word,svg,title,option') && parseFloat(getComputedStyle(e).fontSize) < 18;
}).map(e => e.outerHTML.slice(0, 120))"""
THIN = """() => [...document.querySelectorAll('button,a,input:not([type=hidden]),select,summary')].filter(e => {
  const box = (e.closest('label.toggle') || e).getBoundingClientRect();
  const inside = e.closest('p,td,caption,.big-row') && e.tagName === 'A' && !e.matches('.button,.die-link');
  return box.width && !inside && (box.height < 47.5 || box.width < 47.5);
}).map(e => e.outerHTML.slice(0, 120))"""
WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.field(33)
@pytest.mark.parametrize("size", [KIOSK, PHONE, NARROW], ids=["kiosk", "phone", "narrow"])
def test_nothing_scrolls_sideways_and_all_is_large_enough(
    browser: Browser, evening: tuple[Daemon, list[str]], size: dict[str, int]
) -> None:
    daemon, paths = evening
    found = []
    for large in (False, True):
        page = dressed(browser, size, daemon, "dark", large=large)
        for path in paths:
            page.goto(daemon.url + path)
            assert page.evaluate(WIDE) == 0, (path, large)
            found += [(path, small) for small in page.evaluate(SMALL)] + [(path, thin) for thin in page.evaluate(THIN)]
    assert found == []


def size_of(page: Page, what: str) -> float:
    return float(page.locator(what).first.evaluate("e => parseFloat(getComputedStyle(e).fontSize)"))


def test_task_and_result_are_read_from_afar(browser: Browser, evening: tuple[Daemon, list[str]]) -> None:
    daemon, paths = evening
    result, throw = next(p for p in paths if "/result/" in p), paths[-3]
    for size, word in ((KIOSK, 56), (PHONE, 44)):
        page = screen(browser, size)
        page.goto(daemon.url + result)
        assert size_of(page, "h1.word") >= word
        page.goto(daemon.url + throw)
        assert size_of(page, "h1.task") >= 32
        big = dressed(browser, size, daemon, "dark", large=True)
        big.goto(daemon.url + throw)
        assert min(size_of(big, "h1.task"), size_of(big, ".face-button")) >= 44
        big.goto(daemon.url + result)
        assert size_of(big, "h1.word") >= 44


def slowed(page: Page) -> Page:
    """A processor four times slower."""
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
    return page


def test_every_touch_is_heard_within_100_ms(browser: Browser, evening: tuple[Daemon, list[str]]) -> None:
    daemon, paths = evening
    page = slowed(screen(browser, KIOSK))
    for path in (paths[-3], next(p for p in paths if p.endswith("/settings"))):
        assert min(_heard(page, daemon.url + path) for _ in range(4)) <= 100


def _heard(page: Page, url: str) -> float:
    """Milliseconds from a touch to the sign that it was heard, while the server says nothing at all."""
    page.goto(url)
    page.route("**/*", lambda route: None)
    page.evaluate("""() => { addEventListener('pointerdown', () => { window.at = performance.now(); }, true);
      const heard = () => document.querySelector('.heard');
      new MutationObserver(() => { if (heard()) window.took ??= performance.now() - window.at; })
        .observe(document.body, { attributes: true, subtree: true }); }""")
    page.locator("main form button").first.tap()
    page.wait_for_function("() => window.took !== undefined")
    page.unroute("**/*")
    return float(page.evaluate("window.took"))


def test_a_throw_is_entered_by_keyboard_alone(browser: Browser, tmp_path: Path) -> None:
    with running(tmp_path) as daemon:
        table = four_against_four(daemon)
        page = screen(browser, KIOSK)
        page.goto(f"{daemon.url}/e/{table}?screen=table")
        for wanted in ("(1)", "Fires at"):
            for _ in range(40):
                page.keyboard.press("Tab")
                if wanted in (page.evaluate("document.activeElement.textContent") or ""):
                    break
            assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
            page.keyboard.press("Enter")
            page.wait_for_load_state()
            expect(page.locator("section.ask, .acts").first).to_be_visible()
        expect(page.locator("h1.task")).to_be_visible()


class Line:
    """A wire between phone and Pi that can go dead without closing (field report 31)."""

    def __init__(self, to: int) -> None:
        self.to, self.port = to, free_port()
        self.dead = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", self.port))
        self.open = True
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while self.open:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(("127.0.0.1", self.to))
            except OSError:
                near.close()
                continue
            for a, b in ((near, far), (far, near)):
                threading.Thread(target=self._pump, args=(a, b), daemon=True).start()

    def _pump(self, a: socket.socket, b: socket.socket) -> None:
        try:
            while data := a.recv(65536):
                while self.dead.is_set():
                    time.sleep(0.02)
                b.sendall(data)
        except OSError:
            pass
        finally:
            for end in (a, b):
                end.close()


@contextmanager
def wire(to: int) -> Iterator[Line]:
    line = Line(to)
    try:
        yield line
    finally:
        line.open = False
        line.dead.clear()
        line.listener.close()


@pytest.mark.field(31)
def test_a_dead_line_is_said_and_mended_by_itself(tmp_path: Path, browser: Browser) -> None:
    with running(tmp_path) as daemon, wire(daemon.port) as line:
        table = four_against_four(daemon)
        phone = screen(browser, PHONE)
        key = seat_keys(daemon, table)["Axis"]
        phone.goto(f"http://phone.localhost:{line.port}/e/{table}?k={key}")
        expect(phone.locator("#live")).to_be_visible()
        line.dead.set()
        expect(phone.locator("#gone")).to_be_visible(timeout=15_000)
        assert phone.locator("main button").first.get_attribute("aria-disabled") is not None
        # in the gap: a burst to its end, and one more that is taken back
        daemon.ask("POST", f"/api/tables/{table}/acts", {"act": "fire:1:5"})
        while _rolled(daemon, table):
            pass
        daemon.ask("POST", f"/api/tables/{table}/undo", {})
        line.dead.clear()
        expect(phone.locator("#live")).to_be_visible(timeout=30_000)
        until(lambda: phone.locator("body").inner_text().count("Redo"), 20, "the page to show the undo")
        assert len(daemon.view(table)["log"]) == 1


@pytest.mark.field(31)
def test_an_update_in_the_gap_reloads_the_page_once(tmp_path: Path, browser: Browser) -> None:
    with running(tmp_path) as daemon:
        table = four_against_four(daemon)
        phone = screen(browser, PHONE)
        phone.goto(f"{daemon.spectator}/e/{table}")
        expect(phone.locator("#live")).to_be_visible()
        loads: list[str] = []
        phone.on("load", lambda page: loads.append(page.url))
        told = 'retry: 2000\ndata: {"version": 1, "page": 1, "build": "another"}\n\n'
        events = f"**/api/tables/{table}/events"
        phone.route(events, lambda r: r.fulfill(body=told, content_type="text/event-stream"), times=1)
        phone.evaluate("dispatchEvent(new Event('online'))")
        until(lambda: _wait(phone) and loads, 15, "the reload")
        expect(phone.locator("#live")).to_be_visible()
        phone.wait_for_timeout(1000)
        assert len(loads) == 1


def _wait(page: Page) -> bool:
    page.wait_for_timeout(50)
    return True


def test_a_restart_in_the_gap_loses_nothing(tmp_path: Path, browser: Browser) -> None:
    with running(tmp_path) as daemon:
        table = four_against_four(daemon)
        phone = Hand(screen(browser, PHONE))
        phone.page.goto(f"{daemon.spectator}/e/{table}")
        daemon.kill()
        expect(phone.page.locator("#gone")).to_be_visible(timeout=15_000)
        daemon.start()
        daemon.ask("POST", f"/api/tables/{table}/acts", {"act": "fire:1:5"})
        expect(phone.page.locator("#live")).to_be_visible(timeout=25_000)
        expect(phone.page.locator(".banner")).to_be_visible(timeout=15_000)
