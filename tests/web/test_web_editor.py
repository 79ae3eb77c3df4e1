"""The editor of panels: what its pages take, refuse and keep."""

from __future__ import annotations

import re

from starlette.testclient import TestClient

from companion.web.parts import Parts

AT = "/panels/aod"


def touch(kiosk: TestClient, **fields: str) -> str:
    return kiosk.post(AT, data=fields).text


def hidden(html: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', html)
    assert found
    return found[1]


def test_each_touch_carries_the_panel_on(kiosk: TestClient) -> None:
    html = touch(kiosk, row="Kite", pack="Mine")
    html = touch(kiosk, row="Kite", pack="Mine", given="", at="fixed_bursts", set="2", section="panel")
    assert hidden(html, "given") == "fixed_bursts=2"
    html = touch(kiosk, row="Kite", pack="Mine", given="fixed_bursts=2", at="", tab="fixed", section="panel")
    assert 'value="fixed:2"' in html
    html = touch(kiosk, row="Kite", pack="Mine", given="fixed_bursts=2", at="fixed:1", set="5", section="fixed")
    assert hidden(html, "given") == "fixed_bursts=2|fixed:1=5"
    assert hidden(html, "at") == "fixed:2"


def test_a_saved_panel_is_written_beside_the_others_and_opens_again(kiosk: TestClient, parts: Parts) -> None:
    for row, value in (("Kite", "3"), ("Hawk", "4"), ("Kite", "5")):
        assert "1 figures" in touch(kiosk, row=row, pack="Mine", given=f"durability={value}", save="1")
    assert parts.tables.shelf.of("aod") == {"Mine": {"durability:Hawk": 4, "durability:Kite": 5}}
    assert hidden(touch(kiosk, row="Kite", pack="Mine"), "given") == "durability=5"
    assert 'value="Hawk"' in kiosk.get(AT).text
    assert 'value="Hawk"' in kiosk.get("/new/aod").text


def test_a_pack_written_by_hand_is_never_written_over(kiosk: TestClient, parts: Parts) -> None:
    parts.tables.shelf.save("aod", "Mine", 'pack = "Mine"\ngame = "aod" # by hand\n')
    refused = kiosk.post(AT, data={"row": "Kite", "pack": "Mine", "given": "durability=3", "save": "1"})
    assert refused.status_code == 400
    assert "by hand" in refused.text
    assert "# by hand" in parts.tables.shelf.file_for("aod", "Mine").read_text()


def test_only_the_kiosk_or_the_host_enters_panels_and_wrong_values_are_said(
    kiosk: TestClient, phone: TestClient
) -> None:
    assert phone.get(AT).status_code == 403
    assert phone.post(AT, data={"row": "Kite", "save": "1"}).status_code == 403
    assert kiosk.post(AT, data={"row": "Kite", "given": "durability=99"}).status_code == 400
    assert kiosk.post(AT, data={"row": "a:b"}).status_code == 400
    assert kiosk.get("/panels/chess").status_code == 400


def test_the_rest_is_as_shown_or_none(kiosk: TestClient) -> None:
    html = touch(kiosk, row="Kite", given="durability=3", section="panel", keep="1", at="durability")
    given = hidden(html, "given").split("|")
    assert {"durability=3", "fixed_dashed=no", "upward=0", "fixed_bursts=-", "role=other"} <= set(given)
