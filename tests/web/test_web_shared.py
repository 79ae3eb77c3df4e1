"""Many phones that follow one table: its page is drawn once for each version, and never a seat's page for another."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from companion.game import views
from companion.game.table import Table

MAIN = {"X-Part": "main"}


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Whose views were made."""
    seen: list[str] = []
    real = views.view

    def counted(table: Table, seat: str) -> dict[str, object]:
        seen.append(seat)
        return real(table, seat)

    monkeypatch.setattr(views, "view", counted)
    return seen


def test_spectators_share_one_drawing_of_each_version(phone: TestClient, table: Table, drawn: list[str]) -> None:
    first = [phone.get(f"/e/{table.key}", headers=MAIN).text for _ in range(5)]
    assert len(set(first)) == 1
    assert len(drawn) == 1
    table.open("next", seat="ann")
    after = phone.get(f"/e/{table.key}", headers=MAIN)
    assert "Round 2" in after.text
    assert after.headers["x-version"] == str(table.version)
    assert len(drawn) == 2


def test_a_seat_and_the_kiosk_have_their_own(
    ann: TestClient, phone: TestClient, kiosk: TestClient, table: Table, drawn: list[str]
) -> None:
    table.open("plan", seat="ann")
    drawn.clear()
    pages = [client.get(f"/e/{table.key}", headers=MAIN).text for client in (phone, ann, kiosk, phone)]
    assert len(set(pages)) == 3
    assert pages[0] == pages[3]
    assert "Choose a card" in pages[1]
    assert "Choose a card" not in pages[0]


def test_a_page_that_failed_is_drawn_again(phone: TestClient, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    real = views.view
    monkeypatch.setattr(views, "view", lambda table, seat: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        phone.get(f"/e/{table.key}", headers=MAIN)
    monkeypatch.setattr(views, "view", real)
    assert phone.get(f"/e/{table.key}", headers=MAIN).status_code == 200
