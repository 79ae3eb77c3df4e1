"""The wall around every request: origins, sizes, headers, bodies that do not fit."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from companion.game.table import Table
from companion.web.guard import LARGEST
from companion.web.words import WORDS
from tests.web.conftest import PI, Ask

PAGES = ("/", "/e/{}", "/e/{}/log", "/e/{}/piece/ann", "/api", "/api/tables/{}", "/static/companion.js", "/nowhere")


@pytest.mark.parametrize("path", PAGES)
def test_every_answer_forbids_framing_sniffing_and_foreign_code(kiosk: TestClient, table: Table, path: str) -> None:
    headers = kiosk.get(path.format(table.key)).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": f"http://{PI}.evil.example"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_a_change_from_another_site_is_refused(ask: Ask, table: Table, headers: dict[str, str]) -> None:
    for client in (ask("127.0.0.1", "localhost:8080", **headers), ask("192.168.1.50", PI, **headers)):
        before = table.version
        for path in (f"/e/{table.key}/act", f"/api/tables/{table.key}/acts", "/begin", "/look"):
            assert client.post(path, json={"act": "next"}).status_code == 403
        assert table.version == before


def test_the_same_site_may_change(ask: Ask, table: Table) -> None:
    client = ask("127.0.0.1", "localhost:8080", **{"origin": "http://localhost:8080", "sec-fetch-site": "same-origin"})
    assert client.post(f"/api/tables/{table.key}/acts", json={"act": "next"}).status_code == 201


def test_a_body_that_is_too_large_is_refused_before_it_is_read(kiosk: TestClient, table: Table) -> None:
    path = f"/api/tables/{table.key}/acts"
    assert kiosk.post(path, content=b"x" * (LARGEST + 1)).status_code == 413
    assert kiosk.post(path, content=(b"x" * 1024 for _ in range(LARGEST // 1024 + 1))).status_code == 413
    assert kiosk.post(path, content=b"", headers={"content-length": "minus"}).status_code in (400, 413)


@pytest.mark.parametrize("body", [b"{", b"[]", b'{"act": 3}', b'{"act": "next", "more": 1}', b"\xff\xfe", b"null"])
def test_a_body_that_does_not_fit_gives_one_sentence(kiosk: TestClient, table: Table, body: bytes) -> None:
    answer = kiosk.post(f"/api/tables/{table.key}/acts", content=body)
    assert answer.status_code == 400
    assert list(answer.json()) == ["error"]
    assert answer.json()["error"].endswith(".")


def test_what_a_game_refuses_names_code_and_rule(kiosk: TestClient, table: Table) -> None:
    answer = kiosk.post(f"/api/tables/{table.key}/acts", json={"act": "fly"})
    assert answer.status_code == 422
    assert [(v["code"], v["rule"]) for v in answer.json()["violations"]] == [("fuel", "toy:6")]


@pytest.mark.parametrize("path", ["//evil.example", "http://evil.example", "\\\\evil", "/\\evil.example"])
def test_no_redirect_leads_away(kiosk: TestClient, path: str) -> None:
    answer = kiosk.post("/look", data={"back": path, "theme": "light"}, follow_redirects=False)
    assert answer.headers["location"] == "/"


@pytest.mark.parametrize("path", ["/e/none", "/e/..%2f..%2fetc", "/api/tables/none", "/static/..%2fapi.py"])
def test_what_is_not_there_says_so(kiosk: TestClient, path: str) -> None:
    assert kiosk.get(path).status_code in (400, 404)


def test_text_of_players_is_never_markup(kiosk: TestClient, table: Table) -> None:
    table.aside("<script>alert(1)</script>", "<img src=x onerror=alert(2)>")
    page = kiosk.get(f"/e/{table.key}").text
    assert "<script>alert" not in page
    assert "<img" not in page
    assert "&lt;img" in page


def test_no_page_holds_inline_code_or_asks_anything_from_outside(kiosk: TestClient, table: Table) -> None:
    for path in PAGES[:4]:
        page = kiosk.get(path.format(table.key)).text
        assert "style=" not in page
        assert " onclick" not in page
        assert page.count("<script") == page.count('<script src="') == 2
        assert 'src="http' not in page
        assert 'href="http' not in page


def test_every_page_weighs_less_than_100_kilobytes(kiosk: TestClient, app: Starlette, table: Table) -> None:
    files = ("companion.js", "charts.js", "companion.css")
    static = sum(len(kiosk.get(f"/static/{name}").content) for name in files)
    for path in PAGES[:4]:
        assert static + len(kiosk.get(path.format(table.key)).content) < 100_000


@pytest.mark.parametrize("path", ["/nowhere", "/e"])
def test_an_address_without_a_page_says_so_and_shows_the_way_back(kiosk: TestClient, path: str) -> None:
    page = kiosk.get(path)
    assert page.status_code == 404
    assert WORDS.no_page in page.text
    assert 'href="/"' in page.text


def test_the_api_says_in_its_own_way_that_nothing_is_there(kiosk: TestClient) -> None:
    assert kiosk.get("/api/nowhere").json() == {"error": WORDS.no_page}
    wrong = kiosk.delete("/api/tables")
    assert (wrong.status_code, wrong.json()) == (405, {"error": WORDS.no_page})
    assert "POST" in wrong.headers["allow"]
