"""Who may do what: the kiosk, the host with the PIN, a seat by its key, a spectator."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from companion.game.table import Table
from companion.game.tables import seat_key
from companion.web.identity import TRIES
from tests.web.conftest import PI, PIN, Ask

SHOOT = {"act": "shoot:ann>bob"}


def may_begin(client: TestClient) -> bool:
    return client.post("/api/tables", json={"game": "toy"}).status_code == 201


def test_only_a_browser_on_the_pi_that_asks_for_a_local_name_is_the_kiosk(ask: Ask) -> None:
    for peer in ("127.0.0.1", "::1"):
        for name in ("localhost:8080", "127.0.0.1:8080", "[::1]:8080"):
            assert may_begin(ask(peer, name))
    assert not may_begin(ask("127.0.0.1", PI))
    assert not may_begin(ask("127.0.0.1", "evil.example"))
    assert not may_begin(ask("192.168.1.50", "localhost:8080"))


@pytest.mark.parametrize("name", ["forwarded", "x-forwarded-for", "x-forwarded-host"])
def test_what_came_through_a_proxy_is_not_the_kiosk(ask: Ask, name: str) -> None:
    assert not may_begin(ask("127.0.0.1", "localhost:8080", **{name: "for=1.2.3.4"}))


def test_a_seat_key_is_swapped_for_a_cookie_and_gone_from_the_address(phone: TestClient, table: Table) -> None:
    key = seat_key(table, "ann")
    answer = phone.get(f"/e/{table.key}?k={key}", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/e/{table.key}")
    cookie = answer.headers["set-cookie"].lower()
    assert key.lower() in cookie
    assert "httponly" in cookie
    page = phone.get(answer.headers["location"])
    assert key not in page.text
    assert key not in str(page.url)
    assert phone.get(f"/api/tables/{table.key}").json()["seat"] == "ann"


def test_a_seat_key_has_at_least_128_bits_and_differs_by_seat(table: Table) -> None:
    keys = {seat_key(table, seat) for seat in ("ann", "bob", "host")}
    assert len(keys) == 3
    assert min(len(key) * 6 for key in keys) >= 128


def test_a_seat_acts_for_itself_alone(ann: TestClient, table: Table) -> None:
    refused = ann.post(f"/api/tables/{table.key}/acts", json={"act": "shoot:bob>ann"})
    assert refused.status_code == 403
    assert refused.json()["error"].endswith(".")
    assert ann.post(f"/api/tables/{table.key}/acts", json=SHOOT | {"seat": "bob"}).status_code == 403
    assert ann.post(f"/api/tables/{table.key}/acts", json=SHOOT).status_code == 201


def test_a_spectator_and_a_wrong_key_only_watch(phone: TestClient, table: Table) -> None:
    for key in ("", "nonsense", "ä" * 30):
        headers = {b"x-seat-key": key.encode()} if key else {}
        assert phone.get(f"/api/tables/{table.key}", headers=headers).json()["seat"] == ""
        assert phone.post(f"/api/tables/{table.key}/acts", json=SHOOT, headers=headers).status_code == 403
    for path in ("seats", "export"):
        assert phone.get(f"/api/tables/{table.key}/{path}").status_code == 403


def test_the_key_also_comes_in_a_header(phone: TestClient, table: Table) -> None:
    key = seat_key(table, "bob")
    for headers in ({"Authorization": f"Bearer {key}"}, {"X-Seat-Key": key}):
        assert phone.get(f"/api/tables/{table.key}", headers=headers).json()["seat"] == "bob"


def test_five_wrong_pins_lock_until_the_kiosk_unlocks(phone: TestClient, kiosk: TestClient) -> None:
    said = [phone.post("/api/host", json={"pin": f"{n}"}).json()["error"] for n in range(TRIES)]
    assert "4 tries are left" in said[0]
    assert "Unlock the PIN on the home page of the kiosk" in said[-1]
    assert phone.post("/api/host", json={"pin": PIN}).status_code == 403
    assert not may_begin(phone)
    assert kiosk.post("/api/host", json={}).status_code == 200
    assert phone.post("/api/host", json={"pin": PIN}).status_code == 200
    assert may_begin(phone)


def test_the_page_of_the_kiosk_unlocks_the_pin(phone: TestClient, kiosk: TestClient) -> None:
    assert "Unlock the PIN" not in kiosk.get("/").text + kiosk.get("/host").text
    for _ in range(TRIES):
        phone.post("/host", data={"pin": "0"})
    assert "Unlock the PIN" not in phone.get("/").text + phone.get("/host").text
    assert "Unlock the PIN" in kiosk.get("/").text
    assert "Unlock the PIN" in kiosk.get("/host").text
    assert "PIN is not locked" in kiosk.post("/host", data={}).text
    phone.post("/host", data={"pin": PIN})
    assert may_begin(phone)


def test_the_kiosk_makes_a_new_pin_and_shows_it_once(phone: TestClient, kiosk: TestClient) -> None:
    phone.post("/host", data={"pin": PIN})
    assert may_begin(phone)
    for _ in range(TRIES):
        phone.post("/api/host", json={"pin": "0"})
    made = kiosk.post("/host", data={"do": "new"})
    assert "135790" in made.text
    assert "135790" not in kiosk.get("/host").text
    assert not may_begin(phone)
    assert phone.post("/host", data={"pin": PIN}).status_code == 403
    phone.post("/host", data={"pin": "135790"})
    assert may_begin(phone)


def test_only_the_kiosk_makes_a_pin(phone: TestClient) -> None:
    assert phone.post("/host", data={"do": "new"}).status_code == 403
    assert "new PIN" not in phone.get("/host").text


def test_a_right_pin_gives_the_tries_back(phone: TestClient) -> None:
    for _ in range(TRIES - 1):
        phone.post("/api/host", json={"pin": "0"})
    assert phone.post("/api/host", json={"pin": PIN}).status_code == 200
    assert "4 tries are left" in phone.post("/api/host", json={"pin": "0"}).json()["error"]


def test_sealed_choices_of_the_other_seat_are_nowhere(ann: TestClient, table: Table) -> None:
    table.open("plan", seat="bob")
    table.answer(next(a.address for a in table.asks if a.seat == "bob"), "roll", seat="bob")
    view = ann.get(f"/api/tables/{table.key}").json()
    assert [a["seat"] for a in view["open"]["asks"]] == ["ann"]
    assert "roll" not in str(view["open"]["asks"][0].get("answers", ""))
    assert "CHOSEN" not in ann.get(f"/e/{table.key}").text
