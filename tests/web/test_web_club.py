"""The club's pilots on the kiosk: who they are, the same ones again, and one who is forgotten."""

from __future__ import annotations

from starlette.testclient import TestClient

from companion.game.tables import seat_key
from companion.web.parts import Parts
from tests.web.conftest import Ask


def test_the_same_pilots_begin_with_their_licences_and_one_is_forgotten(
    kiosk: TestClient, phone: TestClient, parts: Parts
) -> None:
    table = parts.tables.new("fastplay")
    table.rule([{"kind": "victory", "target": "anna"}], seat="host", reason="seen by all")
    kiosk.post(f"/e/{table.key}/away", data={"back": "0"})
    page = kiosk.get("/club/fastplay").text
    assert page.index("Anna") < page.index("Ben")
    assert "licence 1; victories: 5" in page
    assert 'href="/club/fastplay"' in kiosk.get("/new/fastplay").text
    assert 'href="/club/' not in kiosk.get("/new/toy").text
    assert kiosk.post("/begin", data={"game": "fastplay", "same": table.key}).status_code == 200
    newest = parts.tables.latest()
    assert newest is not None
    assert (newest.key != table.key, newest.state.pilot("anna").victories) == (True, 5)
    assert kiosk.post("/club/fastplay/forget", data={"name": "Anna"}).status_code == 200
    assert "Anna" not in kiosk.get("/club/fastplay").text
    assert kiosk.post("/club/fastplay/forget", data={"name": "Anna"}).status_code == 400
    assert kiosk.get("/club/nothing").status_code == 400
    for path in ("/club/fastplay",):
        assert phone.get(path).status_code == 403
    assert phone.post("/club/fastplay/forget", data={"name": "Ben"}).status_code == 403


def test_the_api_lists_renames_exports_and_forgets_pilots_for_the_host_alone(
    kiosk: TestClient, phone: TestClient, parts: Parts
) -> None:
    parts.tables.new("fastplay").set_away(True)
    club = "/api/club/fastplay"
    listed = kiosk.get(club).json()
    assert (listed["game"], listed["pilots"][0]["name"], listed["pilots"][0]["victories"]) == ("fastplay", "Anna", 4)
    renamed = kiosk.post(f"{club}/rename", json={"name": "Anna", "to": "  Falcon "})
    assert [p["name"] for p in renamed.json()["pilots"]] == ["Falcon", "Ben", "Chris", "Dora"]
    assert "Falcon,Allies,Spitfire,4,1" in kiosk.get(f"{club}/export").text
    assert kiosk.get(f"{club}/export").headers["content-type"] == "text/csv; charset=utf-8"
    forgotten = kiosk.post(f"{club}/forget", json={"name": "Falcon"})
    assert [p["name"] for p in forgotten.json()["pilots"]] == ["Ben", "Chris", "Dora"]
    assert "no pilot 'Falcon'" in kiosk.post(f"{club}/forget", json={"name": "Falcon"}).json()["error"]
    assert kiosk.post(f"{club}/rename", json={"name": "Ben", "to": "Chris"}).status_code == 400
    assert kiosk.get("/api/club/nothing").status_code == 400
    assert [phone.get(f"{club}{end}").status_code for end in ("", "/export")] == [403, 403]
    assert phone.post(f"{club}/rename", json={"name": "Ben", "to": "Eve"}).status_code == 403
    assert phone.post(f"{club}/forget", json={"name": "Ben"}).status_code == 403


def test_the_api_of_the_club_is_described(kiosk: TestClient) -> None:
    described = kiosk.get("/api").json()
    paths = described["paths"]
    assert {path: sorted(paths[path]) for path in paths if path.startswith("/api/club")} == {
        "/api/club/{game}": ["get"],
        "/api/club/{game}/export": ["get"],
        "/api/club/{game}/rename": ["post"],
        "/api/club/{game}/forget": ["post"],
    }
    assert described["components"]["schemas"]["Renaming"]["required"] == ["name", "to"]
    assert paths["/api/club/{game}"]["get"]["parameters"][0]["name"] == "game"


def test_a_pilot_is_renamed_on_the_page(kiosk: TestClient, phone: TestClient, parts: Parts) -> None:
    parts.tables.new("fastplay").set_away(True)
    assert "Falcon" in kiosk.post("/club/fastplay/rename", data={"name": "Anna", "to": "Falcon"}).text
    assert phone.post("/club/fastplay/rename", data={"name": "Ben", "to": "Eve"}).status_code == 403
    assert kiosk.post("/club/fastplay/rename", data={"name": "Ben", "to": "<b>"}).status_code == 400


def test_a_pupil_takes_a_nickname_and_the_licence_that_goes_with_it(
    kiosk: TestClient, phone: TestClient, ask: Ask, parts: Parts
) -> None:
    """Two evenings with tables that were picked at the kiosk, where pilots begin without a name of their own."""
    places = {"Allies": "A1", "Axis": "X1"}
    picked = {"pilots": [{"name": f"{side} 1", "side": side, "hex": at} for side, at in places.items()]}
    first, second = (parts.tables.new("fastplay", picked) for _ in range(2))
    pupils = {t.key: ask("192.168.1.61", authorization=f"Bearer {seat_key(t, 'allies-1')}") for t in (first, second)}
    assert "My nickname" in pupils[first.key].get(f"/e/{first.key}/settings").text
    assert "My nickname" not in kiosk.get(f"/e/{first.key}/settings").text
    page = f"/e/{first.key}/nickname"
    assert "Сокол" in pupils[first.key].post(page, data={"to": " Сокол "}).text
    first.rule([{"kind": "victory", "target": "allies-1"}] * 5, seat="host", reason="seen by all")
    first.set_away(True)
    pupils[second.key].post(f"/e/{second.key}/nickname", data={"to": "Сокол"})
    pilot = second.state.pilot("allies-1")
    assert (pilot.name, pilot.victories) == ("Сокол", 5)
    assert pupils[second.key].post(f"/e/{second.key}/nickname", data={"to": "Axis 1"}).status_code == 400
    assert pupils[second.key].post(f"/e/{second.key}/nickname", data={"to": "<i>"}).status_code == 400
    assert pupils[second.key].post(f"/e/{second.key}/nickname", data={"to": "Eve", "seat": "axis-1"}).status_code == 403
    assert phone.post(f"/e/{second.key}/nickname", data={"to": "Eve"}).status_code == 403
    assert kiosk.post(f"/e/{second.key}/nickname", data={"to": "Eve"}).status_code == 400
    assert "Owl" in kiosk.post(f"/e/{second.key}/nickname", data={"to": "Owl", "seat": "axis-1"}).text
    second.rule([{"kind": "victory", "target": "allies-1"}], seat="host", reason="seen by all")
    second.set_away(True)
    club = {p["name"]: p["victories"] for p in parts.tables.club.pilots("fastplay")}
    assert club == {"Сокол": 6, "Axis 1": 0, "Owl": 0}
    pupils[second.key].post(f"/e/{second.key}/nickname", data={"to": "Red Kite"})
    again = parts.tables.new("fastplay", parts.tables.club.setup_again(second))
    assert [(p.name, p.victories) for p in again.state.pilots] == [("Red Kite", 6), ("Owl", 0)]
    assert "Сокол" not in {p["name"] for p in parts.tables.club.pilots("fastplay")}, "it is the same pilot"


def test_a_nickname_taken_while_cards_are_chosen_disturbs_nobody(kiosk: TestClient, parts: Parts) -> None:
    table = parts.tables.new("fastplay")
    table.open("choose", seat="anna")
    table.answer("cards@ben/stack", ["2ST", "2ST", "2ST"], seat="ben")
    assert kiosk.post(f"/e/{table.key}/nickname", data={"to": "Owl", "seat": "ben"}).status_code == 200
    assert [open_.seat for open_ in table.asks] == ["anna", "chris", "dora"]
    for who, count in (("anna", 3), ("chris", 3), ("dora", 4)):
        table.answer(f"cards@{who}/stack", ["2ST", "2ST", "2ST", "1ST"][:count], seat=who)
    ben = table.state.pilot("ben")
    assert (ben.name, ben.plan) == ("Owl", ("2ST", "2ST", "2ST"))


def test_a_teacher_chooses_paper_and_mat_by_touch(kiosk: TestClient, parts: Parts) -> None:
    """On Letter, with other hexes; what cannot be printed says why."""
    table = parts.tables.new("fastplay")
    page = f"/e/{table.key}/paper/fastplay.mat"
    shown = kiosk.get(page).text
    assert "1 / 19" in shown
    for words in ('name="hex_mm"', "hexes across", 'value="a4" class="small" aria-pressed="true">A4<', ">Letter<"):
        assert words in shown
    other = kiosk.get(page, params={"hex_mm": "60", "columns": "8", "rows": "8", "paper": "letter"}).text
    assert 'name="hex_mm" size="8" maxlength="40" value="60"' in other
    assert 'value="letter" class="small" aria-pressed="true">' in other
    assert f'href="/e/{table.key}/print/fastplay.mat.pdf?hex_mm=60&amp;columns=8&amp;rows=8&amp;paper=letter"' in other
    assert "give a whole number" in kiosk.get(page, params={"hex_mm": "9"}).text
    assert 'name="table"' not in kiosk.get(f"/e/{table.key}/paper/fastplay.licences").text
