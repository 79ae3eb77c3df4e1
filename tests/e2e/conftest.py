"""Browser, tower and printer for walks through the whole product."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from drivers.dice.virtual import VirtualTower
from drivers.printers.offer import TcpOffer
from drivers.printers.virtual import VirtualPrinter
from tests.emupos.conftest import _tills, emupos  # noqa: F401  (the second judge)

PATIENCE_MS = 30_000
KIOSK, PHONE = {"width": 800, "height": 480}, {"width": 390, "height": 844}
QUIET = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]  # fmt: skip


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Gone at the end of this room: while it runs, no other test of the process may have an event loop."""
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path="/usr/bin/chromium", args=QUIET)
        yield chromium
        chromium.close()


@pytest.fixture
def kiosk(browser: Browser) -> Iterator[Page]:
    yield from _page(browser, KIOSK, touch=True)


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    yield from _page(browser, PHONE, touch=True)


def _page(browser: Browser, size: dict[str, int], *, touch: bool) -> Iterator[Page]:
    """A page in a profile of its own; an error of its script or a blocked resource fails the test."""
    context = browser.new_context(viewport=size, has_touch=touch)  # type: ignore[arg-type]
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if "Content Security Policy" in said.text else None)
    yield page
    context.close()
    assert errors == []


@pytest.fixture
def tower(tmp_path: Path) -> Iterator[VirtualTower]:
    made = VirtualTower(tmp_path / "usb-Companion_Tower")
    made.start()
    yield made
    made.stop()


@pytest.fixture
def printer() -> VirtualPrinter:
    return VirtualPrinter(58, cutter=True)


@pytest.fixture
def offer(printer: VirtualPrinter) -> Iterator[TcpOffer]:
    with TcpOffer(printer) as offered:
        yield offered


def wired(tower: VirtualTower, address: str) -> str:
    """Settings with the test's own tower and a printer at an address."""
    return (
        f'[[dice]]\nname = "tower Oak"\nport = "{tower._link}"\nformat = "cd1"\n'
        f'[[printers]]\nname = "till"\naddress = "{address}"\ncutter = "partial"\n'
    )
