"""Fast-Play with cards of paper: nobody needs a phone, the kiosk is told each card as it is turned up."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from companion.web.parts import Parts


def touch(kiosk: TestClient, page: str, button: str) -> str:
    """Touch a button of the page by its words; the page that comes."""
    for form in re.findall(r"<form.*?</form>", page, re.S):
        picture = r"(?:<svg(?:(?!</svg>).)*</svg>)?"
        found = re.search(rf'<button(?: name="(\w+)" value="([^"]*)")?[^>]*>\s*{picture}{re.escape(button)}', form)
        if found:
            fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
            fields |= {found[1]: found[2]} if found[1] else {}
            action = re.search(r'action="([^"]*)"', form)
            assert action
            return kiosk.post(action[1], data=fields).text
    raise AssertionError(f"there is no button {button!r} on {page}")


@pytest.mark.rule("fastplay:Play Card and Move Planes")
def test_paper_cards_are_entered_at_the_kiosk_by_touch(kiosk: TestClient, parts: Parts) -> None:
    """A whole turn of four pilots, the Zero's fourth card among it."""
    page = kiosk.post("/begin", data={"game": "fastplay", "preset": "paper cards"}).text
    table = parts.tables.latest()
    assert table is not None
    page = touch(kiosk, page, "Cards are chosen")
    page = touch(kiosk, page, "Next")
    for place, laid, pilots in (("first", 3, 4), ("second", 2, 4), ("third", 1, 4), ("fourth", 0, 1)):
        page = touch(kiosk, page, f"Turn up the {place} card")
        for _ in range(pilots):
            assert "Which card did" in page
            page = touch(kiosk, page, f"Straight ×{laid}" if laid else "Left turn ×2")
        page = kiosk.get(f"/e/{table.key}?screen=table").text
        page = touch(kiosk, page, "Move all planes")
        page = kiosk.get(f"/e/{table.key}?screen=table").text
        page = touch(kiosk, page, "Shooting is over")
        page = kiosk.get(f"/e/{table.key}?screen=table").text
    assert "Turn 2, choose cards" in page
    assert table.state.pilot("anna").at == "G9"
