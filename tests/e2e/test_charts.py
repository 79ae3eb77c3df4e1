"""A chart looked up: in the browser, ranked as the command ranks, above the keys, without a line, without scripts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.game import lookup
from companion.game.shelf import pages
from companion.web.words import SITUATIONS, WORDS
from tests.e2e.daemon import Daemon, running
from tests.e2e.touch import KIOSK, PHONE, Hand, four_against_four, screen

RANK = """async ([url, queries]) => {
  const { rank } = await import(url), file = document.querySelector('form[data-charts]').dataset.charts;
  const charts = await (await fetch(file)).json();
  return queries.map(([words, game]) => rank(charts, words, game).map((c) => `${c.game} ${c.key}`));
}"""


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with running(tmp_path_factory.mktemp("charts")) as daemon:
        yield daemon


@pytest.fixture(scope="module")
def table(daemon: Daemon) -> str:
    """A burst from behind at 2d; its targeting die is asked for."""
    table = four_against_four(daemon)
    daemon.ask("POST", f"/api/tables/{table}/acts", {"act": "fire:1:5"})
    asked = daemon.ask("GET", f"/api/tables/{table}/asks")[1][0]
    choice = {"choice": asked["space"]["options"][0]["key"]}
    assert daemon.ask("POST", f"/api/tables/{table}/asks/{asked['address']}", choice)[0] == 200
    return table


def opened(browser: Browser, size: dict[str, int], url: str) -> Page:
    """The search, with its charts there."""
    page = screen(browser, size)
    with page.expect_response(lambda answer: "/charts/index.json" in answer.url) as index:
        page.goto(url)
    index.value.finished()
    return page


def queries() -> list[tuple[str, str]]:
    """Beginnings, whole words, other forms and pairs of the words of all charts; numbers of rules; what is nowhere."""
    index, pick = lookup.Index(pages()), random.Random(7)
    words = sorted({word for _, weights in index.rows for word in weights})
    numbers = sorted({lookup.number_of(page) for page, _ in index.rows})
    found = [*SITUATIONS, *numbers, "", "STRAFE_ing  torpedoed", "½ × §", "4.", "zzz", "no chart has this"]
    found += [word[: pick.randint(1, 8)] for word in words]
    found += [f"{word}{end}" for word in pick.sample(words, 40) for end in ("s", "ed", "ing")]
    found += [" ".join(pick.sample(words, 2)) for _ in range(200)]
    return [(words, pick.choice(("", "aod", "fastplay", "rotl"))) for words in found]


def test_browser_and_command_rank_alike(browser: Browser, daemon: Daemon) -> None:
    index, asked = lookup.Index(pages()), queries()
    page = opened(browser, KIOSK, f"{daemon.url}/charts")
    module = page.locator("script[type=module]").get_attribute("src")
    ranked = page.evaluate(RANK, [module, asked])
    ours = [[f"{p.game} {p.key}" for p in index.find(words, game)] for words, game in asked]
    assert [(q, theirs) for q, theirs, own in zip(asked, ranked, ours, strict=True) if theirs != own] == []
    assert sum(map(bool, ours)) > len(asked) / 3


LATE = """() => { const list = document.getElementById('found'), was = list.innerHTML;
  addEventListener('keydown', (key) => { window.took = 0;
    new MutationObserver((_, seen) => { seen.disconnect();
      requestAnimationFrame(() => setTimeout(() => { window.took = performance.now() - key.timeStamp; }));
    }).observe(list, { childList: true, subtree: true });
  }, { capture: true, once: true }); }"""


def first_key_to_result(page: Page, letter: str) -> float:
    """Milliseconds from the first key on a page to the frame that shows its charts."""
    with page.expect_response(lambda answer: "/charts/index.json" in answer.url) as index:
        page.reload()
    index.value.finished()
    page.evaluate("new Promise(rested => requestIdleCallback(rested))")
    page.evaluate(LATE)
    page.get_by_role("searchbox").press(letter)
    page.wait_for_function("() => window.took > 0")
    return float(page.evaluate("window.took"))


@pytest.mark.alone
def test_the_charts_answer_within_100_ms_of_a_key(browser: Browser, daemon: Daemon, table: str) -> None:
    for url in (f"{daemon.url}/charts", f"{daemon.url}/e/{table}/charts"):
        page = opened(browser, KIOSK, url)
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
        took: list[float] = []
        while len(took) < 8 or (min(took) > 100 and len(took) < 60):  # whatever else this machine does is not ours
            took.append(first_key_to_result(page, "tsbadpfm"[len(took) % 8]))
        assert min(took) <= 100, sorted(took)


def test_a_chart_is_found_and_read_without_a_line(browser: Browser, daemon: Daemon, table: str) -> None:
    page = opened(browser, PHONE, f"{daemon.spectator}/e/{table}/charts")
    page.context.set_offline(True)
    page.get_by_role("searchbox").fill("position a")
    page.locator("#found a", has_text="Position A").tap()
    expect(page.locator("tr.hit")).to_have_count(2)
    page.get_by_role("link", name=WORDS.back).tap()
    expect(page.get_by_role("searchbox")).to_have_value("position a")
    page.get_by_role("searchbox").fill("4.5.1")
    expect(page.locator("table.chart")).to_be_visible()
    expect(page.locator("tr.hit")).to_have_count(2)


def test_without_scripts_the_form_finds_the_same(browser: Browser, daemon: Daemon) -> None:
    context = browser.new_context(viewport=KIOSK, java_script_enabled=False)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{daemon.url}/charts")
    page.get_by_role("searchbox").fill("strafe")
    page.get_by_role("button", name=WORDS.send).click()
    shown = page.locator("#found strong").all_inner_texts()
    assert shown == [p.title + "†" * p.house for p in lookup.Index(pages()).find("strafe")][:12]
    page.locator("#found a").first.click()
    expect(page.locator("table.chart")).to_be_visible()
    context.close()


def whole(page: Page, what: str) -> dict[str, Any]:
    box = page.locator(what).first.bounding_box()
    assert box is not None
    return dict(box)


@pytest.mark.parametrize("words", ["tor", "4.6.1", "4.5.1"])
def test_what_is_found_stands_above_the_keys(browser: Browser, daemon: Daemon, table: str, words: str) -> None:
    hand = Hand(opened(browser, KIOSK, f"{daemon.url}/e/{table}/charts"))
    page = hand.page
    hand.touch(page.get_by_role("searchbox"))
    for key in words:
        hand.touch(page.locator(".keys").get_by_role("button", name=key, exact=True))
    expect(page.get_by_role("searchbox")).to_have_value(words)
    keys = whole(page, ".keys")
    assert keys["y"] + keys["height"] <= KIOSK["height"]
    one = page.locator("table.chart").count() > 0
    for what in ("#found h1", "table.chart thead") if one else ("#found a",):
        box = whole(page, what)
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= keys["y"]
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    hand.touch(page.locator(".keys").get_by_role("button", name="close the keys"))
    expect(page.locator(".keys")).to_have_count(0)


@pytest.mark.rule("aod:4.5.1")
def test_what_counts_now_is_one_touch_away_and_marked(browser: Browser, daemon: Daemon, table: str) -> None:
    page = opened(browser, KIOSK, f"{daemon.url}/e/{table}/charts")
    titles = ["Targeting: least number to hit", "Other modifiers when firing", "Position A: distance and tilt"]
    expect(page.locator("#now strong")).to_have_text(titles)
    page.locator("#now a", has_text="Position A").tap()
    rows = ("distance 2d", "different roll")
    for _ in range(2):  # by the browser itself, and read again from the server
        expect(page.locator("tr.hit th")).to_have_text([f"{row} {WORDS.applies}" for row in rows])
        expect(page.locator("td.this")).to_have_text(["-1", "-1"])
        page.reload()


def test_a_chart_that_is_open_follows_the_table(browser: Browser, daemon: Daemon) -> None:
    fight = four_against_four(daemon)
    page = opened(browser, PHONE, f"{daemon.spectator}/e/{fight}/charts")
    page.get_by_role("searchbox").fill("position a")
    page.locator("#found a", has_text="Position A").tap()
    expect(page.get_by_role("searchbox")).to_be_hidden()
    daemon.ask("POST", f"/api/tables/{fight}/acts", {"act": "fire:1:5"})
    asked = daemon.ask("GET", f"/api/tables/{fight}/asks")[1][0]
    choice = {"choice": asked["space"]["options"][0]["key"]}
    daemon.ask("POST", f"/api/tables/{fight}/asks/{asked['address']}", choice)
    expect(page.locator("tr.hit")).to_have_count(2)
    page.get_by_role("link", name=WORDS.charts, exact=True).tap()
    expect(page.get_by_role("searchbox")).to_be_visible()
    expect(page.locator("#now a")).to_have_count(3)


def test_a_situation_is_one_touch(browser: Browser, daemon: Daemon) -> None:
    page = opened(browser, PHONE, f"{daemon.spectator}/charts")
    page.locator(".chips a", has_text="torpedo").tap()
    expect(page.get_by_role("searchbox")).to_have_value("torpedo")
    assert page.url.endswith("/charts?q=torpedo&game=")
    best = page.locator("#found strong").first.inner_text()
    assert best == lookup.Index(pages()).find("torpedo")[0].title
    page.reload()
    expect(page.locator("#found strong").first).to_have_text(best)
