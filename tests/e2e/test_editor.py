"""A printed control panel entered by touch, and used in a burst at a new table."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Page, expect

from tests.e2e.daemon import Daemon, running, until


def tap(page: Page, name: str, within: str = "main") -> None:
    page.locator(within).get_by_role("button", name=name, exact=True).first.tap()


def field(page: Page, key: str) -> None:
    """Touch a field, unless it is the one that is asked for already, and wait until it is."""
    wanted = page.locator(f'button[name=pick][value="{key}"]')
    if wanted.get_attribute("aria-pressed") != "true":
        wanted.tap()
    expect(wanted).to_have_attribute("aria-pressed", "true")


def enter(page: Page, key: str, value: str) -> None:
    field(page, key)
    page.locator(f'.pad button[name=set][value="{value}"]').tap()
    expect(page.locator("input[name=given]")).to_have_value(re.compile(f"(^|[|]){key}={value}([|]|$)"))


def tab(page: Page, key: str) -> None:
    wanted = page.locator(f'button[name=tab][value="{key}"]')
    if wanted.get_attribute("aria-pressed") != "true":
        wanted.tap()
    expect(wanted).to_have_attribute("aria-pressed", "true")


def rest(page: Page, key: str) -> None:
    """What the panel does not show is none."""
    tab(page, key)
    tap(page, "The rest as shown, ? is none")
    expect(page.locator("button[name=pick]:not([data-given])")).to_have_count(0)


def fits(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= 800
    small = page.evaluate(
        "[...document.querySelectorAll('main button')].filter(b => b.getBoundingClientRect().height < 48).length"
    )
    assert small == 0, "every button is as high as a fingertip"


def entered(page: Page, daemon: Daemon) -> None:
    """A type that the box does not have, from its name to Save, by touch alone."""
    page.goto(f"{daemon.url}/new/aod")
    page.get_by_role("link", name="Your own panels").tap()
    page.get_by_label("Its name").tap()
    for letter in "kite":
        tap(page, letter, ".keys")
    tap(page, "Enter its panel")
    expect(page.locator("h1")).to_contain_text("kite")
    fits(page)
    enter(page, "fixed_bursts", "2")
    enter(page, "durability", "7")
    rest(page, "panel")
    tab(page, "signs")
    fits(page)
    field(page, "twitch")  # a toggle turns by being touched
    expect(page.locator('button[name=pick][value="twitch"]')).to_contain_text("yes")
    tab(page, "flight")
    fits(page)
    enter(page, "basic_speed", "9")
    for key in ("signs", "flight", "load", "cannon", "dashed"):
        rest(page, key)
    tab(page, "fixed")
    enter(page, "fixed:1", "5")
    enter(page, "fixed:2", "4")
    tab(page, "flexible")
    fits(page)
    enter(page, "flexible:6:above", "3")
    rest(page, "flexible")
    tap(page, "Save the panel")
    expect(page.locator("h1")).to_contain_text(re.compile(r"kite: \d+ figures are in the pack"))


def test_a_panel_is_entered_by_touch_and_used_in_a_burst(tmp_path: Path, kiosk: Page) -> None:
    with running(tmp_path) as daemon:
        entered(kiosk, daemon)
        written = (daemon.folder / "data" / "packs" / "aod-my-panels.toml").read_text()
        assert "kite = 7" in written
        # a new table with it
        kiosk.get_by_role("link", name="Back").tap()
        kiosk.locator('button[name=add][value="Fw 190 A-8"]').tap()
        kiosk.locator("button[name=to][value='1']").tap()
        kiosk.locator("button[name=add][value='kite']").tap()
        kiosk.get_by_role("button", name=re.compile("Begin: 1")).tap()
        kiosk.wait_for_url(re.compile("/e/"))
        table = kiosk.url.split("/e/")[1].split("?")[0]
        expect(kiosk.locator("main")).to_contain_text("packs: My panels")
        assert daemon.view(table)["packs"] == ["My panels"]
        # a burst at it, by hand
        kiosk.get_by_text("Fw 190 A-8 (1)").tap()
        kiosk.get_by_role("button", name="fires at kite (2)").tap()
        kiosk.get_by_role("button", name=re.compile("Strictly behind, 1d")).tap()
        answers = {"tilt": {"choices": []}, "burst": {"choice": "normal"}, "targeting": {"faces": [6]},
                   "outcome": {"faces": [1, 2]}, "rise": {"choice": "same"}, "respond": {"choice": "no"},
                   "double": {"choice": "no"}, "damage die": {"faces": ["blue"]}}  # fmt: skip
        until(lambda: daemon.asked(table).endswith("tilt"), what="the tilt")
        while address := daemon.asked(table):
            at = f"/api/tables/{table}/asks/{quote(address)}"
            status, said = daemon.ask("POST", at, answers[address.split("/")[-1].partition("~")[0]])
            assert status == 200, said
        lines = daemon.view(table)["last"]["lines"]
        mods = {m["text"]: m for line in lines for m in line["mods"]}
        assert mods["durability"]["value"] == -7
        assert not mods["durability"]["house"]
        # and the panel opens again as it was left
        kiosk.goto(f"{daemon.url}/panels/aod")
        tap(kiosk, "kite")
        expect(kiosk.locator("h1")).to_contain_text(re.compile(r"\b(\d+) of \1 entered"))  # all that there is
        field(kiosk, "durability")
        expect(kiosk.locator('button[name=pick][value="durability"]')).to_contain_text("7")
