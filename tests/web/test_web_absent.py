"""The host chooses for a pupil who is absent: on the host's phone, on the kiosk, and by the API; nobody else does."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from companion.game.table import Table
from companion.game.tables import seat_key
from companion.web.parts import Parts
from tests.web.conftest import PIN, Ask

CARDS = ["2ST", "2ST", "2ST"]


@pytest.fixture
def lesson(parts: Parts) -> Table:
    """Four pilots are choosing; Ben and Chris have a phone, and have chosen."""
    table = parts.tables.new("fastplay")
    table.open("choose", seat="anna")
    for who in ("ben", "chris"):
        table.answer(f"cards@{who}/stack", CARDS, seat=who)
    return table


@pytest.fixture
def teacher(ask: Ask) -> TestClient:
    """A phone on which the host's PIN was entered."""
    client = ask("192.168.1.60")
    assert client.post("/api/host", json={"pin": PIN}).status_code == 200
    return client


def pupil(ask: Ask, table: Table, seat: str) -> TestClient:
    return ask("192.168.1.61", authorization=f"Bearer {seat_key(table, seat)}")


@pytest.mark.rule("fastplay:Choose Cards")
def test_the_host_chooses_for_the_absent_by_the_api_and_a_pupil_does_not(
    ask: Ask, lesson: Table, teacher: TestClient
) -> None:
    address, asks = "cards@anna/stack", f"/api/tables/{lesson.key}/asks"
    for given in ({"choices": CARDS}, {"choices": CARDS, "seat": "anna"}):
        assert pupil(ask, lesson, "ben").post(f"{asks}/{address}", json=given).status_code == 403
    assert ask("192.168.1.70").post(f"{asks}/{address}", json={"choices": CARDS}).status_code == 403
    assert [a["seat"] for a in teacher.get(asks).json()] == ["anna", "dora"]
    assert teacher.post(f"{asks}/{address}", json={"choices": CARDS}).status_code == 200
    chosen_as_dora = {"choices": [*CARDS, "L"], "seat": "dora"}
    assert teacher.post(f"{asks}/cards@dora/stack", json=chosen_as_dora).status_code == 200
    assert [p.plan for p in lesson.state.pilots] == [tuple(CARDS)] * 3 + [(*CARDS, "L")]
    assert lesson.played[-1].by == {
        "cards@ben/stack": "ben",
        "cards@chris/stack": "chris",
        "cards@anna/stack": "host",
        "cards@dora/stack": "dora",
    }


def test_a_stack_that_the_rules_forbid_is_refused_for_the_absent_too(lesson: Table, teacher: TestClient) -> None:
    said = teacher.post(f"/api/tables/{lesson.key}/asks/cards@anna/stack", json={"choices": ["HL", "HL", "HL"]})
    assert (said.status_code, said.json()["violations"][0]["code"]) == (422, "NOT_ENOUGH_COPIES")


@pytest.mark.rule("fastplay:Choose Cards")
def test_the_hosts_phone_names_who_is_absent_and_asks_for_one_at_a_time(lesson: Table, teacher: TestClient) -> None:
    page = f"/e/{lesson.key}"
    listed = teacher.get(page).text
    assert "Still to answer: 2" in listed
    assert [who in listed for who in ("?for=anna", "?for=ben", "?for=chris", "?for=dora")] == [True, False, False, True]
    assert "Straight" not in listed, "nobody's cards lie open on it"
    shown = teacher.get(f"{page}?for=dora").text
    assert "for Dora" in shown
    assert shown.count('<section class="ask"') == 1
    given = {"address": "cards@dora/stack", "many": "1", **{f"some{n}": card for n, card in enumerate([*CARDS, "L"])}}
    after = teacher.post(f"{page}/answer", data=given).text
    assert "Still to answer: 1" in after
    assert "?for=anna" in after
    assert "for Anna" in teacher.get(f"{page}?for=anna").text
    assert "Still to answer: 1" in teacher.get(f"{page}?for=ben").text, "who has answered is not asked again"


def test_the_kiosk_passes_from_hand_to_hand_and_says_that_the_host_may_answer(
    lesson: Table, kiosk: TestClient, parts: Parts
) -> None:
    page = f"/e/{lesson.key}"
    covered = kiosk.get(page).text
    assert "Pass the screen to Anna or Dora" in covered
    assert "The host may answer for whoever is absent." in covered
    assert "Straight" not in covered
    open_ = kiosk.post(f"{page}/look", data={"seat": "anna"}).text
    assert open_.count('<section class="ask"') == 1
    given = {"address": "cards@anna/stack", "many": "1", **{f"some{n}": card for n, card in enumerate(CARDS)}}
    assert "Pass the screen to Dora" in kiosk.post(f"{page}/answer", data=given).text
    many = parts.tables.new("fastplay")
    many.open("choose", seat="anna")
    assert "Pass the screen to whoever still has to answer" in kiosk.get(f"/e/{many.key}").text


def test_dice_are_asked_on_the_hosts_phone_at_once(lesson: Table, teacher: TestClient) -> None:
    """What everybody sees needs no list of those who are absent."""
    for who, cards in (("anna", CARDS), ("dora", [*CARDS, "L"])):
        lesson.answer(f"cards@{who}/stack", cards, seat=who)
    lesson.rule(
        [{"kind": "hits", "target": "chris", "value": {"by": "anna", "hits": 6}}], seat="host", reason="seen by all"
    )
    for act in ("reveal", "move", "close", "losses"):
        lesson.open(act, seat="anna")
    shown = teacher.get(f"/e/{lesson.key}").text
    assert '<section class="ask"' in shown
    assert "Still to answer" not in shown
