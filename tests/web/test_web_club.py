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
    assert "licence 1, 5 victories" in page
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
