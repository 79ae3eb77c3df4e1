"""Every page as a browser shows it, looked at once in each size for all that can be wrong with a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page
from starlette.routing import compile_path

from companion.web.app import GROUPS
from tests.e2e.daemon import ROOT, Daemon, until
from tests.e2e.touch import KIOSK, PHONE, four_against_four, screen, seat_keys

SHOTS = ROOT / "build" / "shots"
NARROW = {"width": 360, "height": 740}
SIZES = {"kiosk": KIOSK, "phone": PHONE}
PIN = "2468"

FILES = {
    "/backup", "/charts/index.json", "/charts/{game}/{chart}/pdf", "/doctor/bundle.txt", "/e/{table}/print/{kind}",
    "/first/duplex.pdf",
}  # fmt: skip
"""What is fetched from a page and is none itself."""


class Sheet(NamedTuple):
    """A page: its name, its path, the form that leads to it if a link does not; who sees it on which screen."""

    name: str
    path: str
    form: Mapping[str, str] | None = None
    who: str = "seat"
    sizes: tuple[str, ...] = ("kiosk", "phone")
    status: int = 200


class Evening(NamedTuple):
    """Tables in every state that has a page of its own."""

    fought: str
    number: int
    throw: str
    cards: str
    wished: str
    away: str
    lesson: str
    pupil: str


@dataclass
class Seen:
    """What is wrong with a page; everything is empty on a good one."""

    axe: list[str] = field(default_factory=list)
    wide: list[str] = field(default_factory=list)
    small: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)


def page_routes() -> list[str]:
    """The paths of all pages, in the order in which they are matched."""
    rows = [row for group in GROUPS for row in object.__new__(group).rows()]  # type: ignore[type-abstract]
    return [path for path, _, method in rows if method == "GET"]


def route_of(path: str) -> str:
    """The route that answers a path."""
    plain = path.partition("?")[0]
    return next((route for route in page_routes() if compile_path(route)[0].fullmatch(plain)), "")


def prepared(daemon: Daemon) -> Evening:
    fought, throw, wished, away = (four_against_four(daemon) for _ in range(4))
    for key in (fought, throw, wished):
        daemon.ask("POST", f"/api/tables/{key}/acts", {"act": "fire:1:5"})
    for key in (fought, wished):
        until(lambda key=key: not rolled(daemon, key), what="the end of the burst")  # type: ignore[misc]
    while daemon.ask("GET", f"/api/tables/{throw}/asks")[1][0]["kind"] != "dice":
        rolled(daemon, throw)
    cards = str(daemon.ask("POST", "/api/tables", {"game": "rotl"})[1]["table"])
    daemon.ask("POST", f"/api/tables/{cards}/acts", {"act": daemon.view(cards)["acts"][0]["key"]})
    number = daemon.view(fought)["last"]["number"]
    assert number
    seat = seat_keys(daemon, wished)["Axis"]
    for path, key in ((f"/e/{wished}/undo", seat), (f"/e/{away}/away", "")):
        status, said = daemon.ask("POST", path, seat=key)
        assert status == 303, said
    lesson = str(daemon.ask("POST", "/api/tables", {"game": "fastplay"})[1]["table"])
    daemon.ask("POST", f"/api/tables/{lesson}/acts", {"act": _act(daemon, lesson, "Choose cards")})
    return Evening(fought, number, throw, cards, wished, away, lesson, next(iter(seat_keys(daemon, lesson))))


def _act(daemon: Daemon, table: str, title: str) -> str:
    return next(act["key"] for act in daemon.view(table)["acts"] if act["title"] == title)


def rolled(daemon: Daemon, table: str) -> bool:
    """Answer one ask by its first choice or a software die; whether there was one."""
    asks = daemon.ask("GET", f"/api/tables/{table}/asks")[1]
    if not asks:
        return False
    given = {"roll": True} if asks[0]["dice"] else {"choice": asks[0]["space"]["options"][0]["key"]}
    assert daemon.ask("POST", f"/api/tables/{table}/asks/{asks[0]['address']}", given)[0] == 200
    return True


def sheets(of: Evening) -> Iterator[Sheet]:
    """All of them; a test holds that no route is missing."""
    for name, path in (
        ("home", "/"), ("charts", "/charts"), ("charts-found", "/charts?q=torpedo"), ("chart", "/charts/aod/outcome"),
        ("chart-wide", "/charts/aod/movement_dice"), ("chart-one", "/charts?q=4.5.1"),
        ("new-aod", "/new/aod"), ("new-fastplay", "/new/fastplay"), ("new-rotl", "/new/rotl"),
        ("host", "/host"), ("doctor", "/doctor"), ("first", "/first"), ("first-dice", "/first/dice"),
        ("fairness", "/fairness"),
        ("club", "/club/rotl"), ("panels", "/panels/aod"),
    ):  # fmt: skip
        yield Sheet(name, path, who="host")
    yield Sheet("home-of-all", "/", who="watch", sizes=("phone",))
    yield Sheet("off", "/off", who="host", sizes=("kiosk",))
    four = "|".join(["Spitfire Mk IX"] * 4)
    yield Sheet("new-picked", "/new/aod", {"a": "|".join(["Fw 190 A-8"] * 4), "b": four, "side": "1"}, "host")
    for tab in ("panel", "flight", "load"):
        yield Sheet(f"panel-{tab}", "/panels/aod", {"row": "Fw 190 A-8", "given": "", "tab": tab}, "host")
    yield Sheet("refused", "/e/none", status=404)
    for name, end in (
        ("table", "?screen=table"), ("piece", "/piece/1"), ("log", "/log"), ("paper", "/paper"),
        ("preview-slip", "/paper/slip"), ("preview-sheet", "/paper/again"), ("preview-panel", "/paper/aod.panel"),
        ("settings", "/settings"), ("rules", "/rules"), ("set", "/set/1"), ("away", "/away"),
        ("result", f"/result/{of.number}"),
        ("rule", f"/rule/{of.number}"), ("amend", f"/amend/{of.number}?at=first/targeting"),
        ("table-charts", "/charts"), ("table-chart", "/charts/aod/targeting"),
    ):  # fmt: skip
        yield Sheet(name, f"/e/{of.fought}{end}")
    yield Sheet("seats", f"/e/{of.fought}/seats", who="host")
    yield Sheet("hand", f"/e/{of.fought}/hand", sizes=("phone",))
    yield Sheet("watching", f"/e/{of.fought}", who="watch", sizes=("phone",))
    yield Sheet("throw", f"/e/{of.throw}")
    yield Sheet("throw-charts", f"/e/{of.throw}/charts")
    yield Sheet("cover", f"/e/{of.cards}", sizes=("kiosk",))
    yield Sheet("cards", f"/e/{of.cards}")
    yield Sheet("cards-table", f"/e/{of.cards}?screen=table")
    yield Sheet("wish", f"/e/{of.wished}?screen=table")
    yield Sheet("put-away", f"/e/{of.away}/away")
    yield Sheet("lesson", f"/e/{of.lesson}")
    yield Sheet("lesson-table", f"/e/{of.lesson}?screen=table")
    yield Sheet("cover-lifted", f"/e/{of.lesson}/look", {"seat": of.pupil}, sizes=("kiosk",))


# --- looking


class Viewer:
    """A browser's windows for one size, one for each of those who look: the host, a seat, a spectator."""

    def __init__(self, browser: Browser, daemon: Daemon, size: str, of: Evening) -> None:
        self.daemon, self.size = daemon, size
        self.base = daemon.url if size == "kiosk" else daemon.spectator
        self.pages: dict[str, Page] = {}
        self.heard = Seen()
        for who in ("host", "seat", "watch") if size == "phone" else ("host",):
            page = self.pages[who] = screen(browser, SIZES[size])
            page.on("request", lambda request: self._asked(request.url))
            page.on("pageerror", lambda error: self.heard.broken.append(str(error)))
            page.on("console", lambda said: self.heard.broken.append(said.text) if said.type == "error" else None)
        if size == "phone":
            self._open(self.pages["host"], Sheet("", "/host", {"pin": PIN}))
            for table in (of.fought, of.throw, of.cards, of.wished, of.away, of.lesson):
                key = next(iter(seat_keys(self.daemon, table).values()))
                self.pages["seat"].goto(f"{self.base}/e/{table}?k={key}")

    def _asked(self, url: str) -> None:
        if not url.startswith((self.base + "/", "data:", "blob:")):
            self.heard.outside.append(url)

    def look(self, sheet: Sheet) -> Seen:
        page = self.pages.get(sheet.who, self.pages["host"])
        self.heard = seen = Seen()
        status = self._open(page, sheet)
        if status != sheet.status:
            seen.broken.append(f"status {status}")
        if len(page.locator("main").inner_text().strip()) < 20:
            seen.broken.append("blank")
        seen.broken = [said for said in seen.broken if f"status of {sheet.status}" not in said]
        self._shoot(page, sheet.name)
        seen.axe = list(_axe(page))
        for viewport in (SIZES[self.size], *([NARROW] if self.size == "phone" else [])):
            page.set_viewport_size(viewport)  # type: ignore[arg-type]
            for large in (False, True):
                page.evaluate("on => document.documentElement.classList.toggle('large', on)", large)
                at = f"{viewport['width']} px{', large' if large else ''}: "
                seen.wide += [at + str(by) for by in [page.evaluate(WIDE)] if by]
                seen.small += [at + found for found in page.evaluate(SMALL) + page.evaluate(THIN)]
        page.set_viewport_size(SIZES[self.size])  # type: ignore[arg-type]
        return seen

    def _open(self, page: Page, sheet: Sheet) -> int:
        if sheet.form is None:
            answer = page.goto(self.base + sheet.path)
        else:
            page.goto(f"{self.base}/host")
            with page.expect_navigation() as went:
                page.evaluate(SEND, [sheet.path, dict(sheet.form)])
            answer = went.value
        assert answer is not None
        return answer.status

    def _shoot(self, page: Page, name: str) -> None:
        if page.locator("body").get_attribute("data-table"):
            page.locator("#live").wait_for()
        folder = SHOTS / self.size
        folder.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=folder / f"{name}.png")


def _axe(page: Page) -> Iterator[str]:
    """All rules once; colours again in the other themes, which change nothing else."""
    page.evaluate(Axe().axe_script)
    for theme in ("dark", "light", "sunlight"):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        only: dict[str, Any] = {} if theme == "dark" else {"runOnly": ["color-contrast", "link-in-text-block"]}
        found = page.evaluate("how => axe.run(how)", {"resultTypes": ["violations"], **only})
        assert len(found["passes"]) + len(found["inapplicable"]) + len(found["incomplete"]) > 0
        for violation in found["violations"]:
            yield f"{theme} {violation['id']}: {violation['nodes'][0]['html'][:120]}"
    page.evaluate("document.documentElement.dataset.theme = 'dark'")


SEND = """([action, fields]) => {
  const form = document.createElement('form');
  form.method = 'post'; form.action = action;
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input'); input.name = name; input.value = value; form.append(input);
  }
  document.body.append(form); HTMLFormElement.prototype.submit.call(form);
}"""
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
