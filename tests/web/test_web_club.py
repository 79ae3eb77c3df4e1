"""The club's pilots on the kiosk: who they are, the same ones again, and one who is forgotten."""

from __future__ import annotations

from starlette.testclient import TestClient

from companion.web.parts import Parts


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
