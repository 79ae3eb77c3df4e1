"""The first evening by touch: read a calibration slip, teach a stranger's dice by throwing them, lend the Pi a time."""

from __future__ import annotations

import os
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.daemon import Daemon, running, until
from tests.e2e.touch import Hand


class Dice:
    """A stranger's dice, on a pseudo terminal under a name that stays."""

    def __init__(self, link: Path) -> None:
        self._master, slave = os.openpty()
        tty.setraw(slave)
        link.symlink_to(os.ttyname(slave))
        os.close(slave)

    def say(self, line: str) -> None:
        os.write(self._master, line.encode() + b"\r\n")

    def close(self) -> None:
        os.close(self._master)


@pytest.fixture
def dice(tmp_path: Path) -> Iterator[Dice]:
    made = Dice(tmp_path / "usb-Acme_Dice")
    yield made
    made.close()


@pytest.fixture
def daemon(tmp_path: Path, dice: Dice) -> Iterator[Daemon]:
    settings = (
        'pin = "2468"\n'
        f'[[printers]]\nname = "till"\naddress = "file:{tmp_path}/slips"\n'
        f'[[dice]]\nname = "Ash"\nport = "{tmp_path}/usb-Acme_Dice"\nformat = "json"\n'
    )
    with running(tmp_path / "pi", settings) as made:
        yield made


def test_the_kiosk_alone_sets_up_printer_and_dice_which_then_play(
    kiosk: Page, daemon: Daemon, dice: Dice, tmp_path: Path
) -> None:
    hand = Hand(kiosk)
    kiosk.goto(f"{daemon.url}/")
    hand.press("First evening")
    hand.touch(kiosk.get_by_role("button", name="Print the calibration slip on till"))
    slip = until(lambda: list((tmp_path / "slips").glob("*.bin")), what="the slip")[0]
    assert b"5 CUTTER" in slip.read_bytes()
    kiosk.goto(f"{daemon.url}/first")
    for name in ("48", "576", "17 cp866 ЙЖ", "24 mm"):
        hand.press(name, exact=True)
        expect(kiosk.get_by_role("button", name=name, exact=True)).to_have_attribute("aria-pressed", "true")
    hand.press("Teach dice")
    hand.press("Begin")
    for face in (2, 6, 3):
        dice.say(f"red={face}")
        hand.press(str(face), exact=True)
    expect(kiosk.get_by_text("It can be read.")).to_be_visible()
    hand.press("Keep it and play")
    kept = (tmp_path / "pi/data/touched.toml").read_text()
    assert all(
        line in kept for line in ("columns = 48", "dots = 576", "head_to_cutter_mm = 24.0", '"cp866"', 'port = "')
    )
    daemon.ask("POST", "/api/tables", {"game": "aod"})
    table = daemon.table()
    daemon.ask("POST", f"/api/tables/{table}/acts", {"act": "fire:3:11", "seat": "host"})
    daemon.ask("POST", f"/api/tables/{table}/asks/announce/burst", {"choice": "normal", "seat": "host"})
    kiosk.goto(f"{daemon.url}/e/{table}")
    expect(kiosk.get_by_text("throw white d6")).to_be_visible()
    until(lambda: _thrown(daemon, dice, table), what="the throw to count")


def _thrown(daemon: Daemon, dice: Dice, table: str) -> bool:
    """Thrown until the port has been given back to the dice."""
    if daemon.asked(table) == "first/targeting":
        dice.say("red=6")
    return daemon.asked(table) == "first/outcome"


def test_the_host_s_phone_lends_its_time_and_a_spectator_s_does_not(phone: Page, daemon: Daemon) -> None:
    hand = Hand(phone)
    phone.goto(f"{daemon.spectator}/first")
    expect(phone.get_by_text("Only the kiosk or the host looks after the machine.")).to_be_visible()
    phone.goto(f"{daemon.spectator}/host")
    phone.locator("input[name=pin]").fill("2468")
    hand.press("Send")
    phone.goto(f"{daemon.spectator}/first")
    hand.press("Set it by this phone")
    expect(phone.get_by_text("Journal and slips go by the time of your phone")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
