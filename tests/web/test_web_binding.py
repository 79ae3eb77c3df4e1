"""Two tables on one Pi, one key for all seats, and a copy on a stick."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from companion.game.table import HOST, Table
from companion.game.tables import seat_key
from companion.sticks import sticks
from companion.web.parts import Parts
from tests.web.conftest import Ask


def test_a_screen_stays_at_its_table_until_it_is_set_free(
    kiosk: TestClient, phone: TestClient, parts: Parts, table: Table
) -> None:
    other = parts.tables.new("toy")
    page = kiosk.post("/bind", data={"table": table.key})
    assert page.url.path == f"/e/{table.key}/settings"
    assert 'aria-pressed="true">Stay at this table' in page.text
    assert kiosk.get("/").url.path == f"/e/{table.key}"
    assert phone.get("/").url.path == "/"
    assert 'aria-pressed="false">Stay at this table' in kiosk.get(f"/e/{other.key}/settings").text
    kiosk.post("/bind", data={"table": other.key})
    assert kiosk.get("/").url.path == f"/e/{other.key}"
    kiosk.post("/bind", data={"table": other.key})
    assert kiosk.get("/").url.path == "/"
    assert kiosk.post("/bind", data={"table": "nowhere"}).url.path == "/"


def test_one_key_acts_for_all_seats_and_only_the_host_can_show_it(
    kiosk: TestClient, ann: TestClient, ask: Ask, table: Table
) -> None:
    key = seat_key(table, HOST)
    assert key not in kiosk.get(f"/e/{table.key}/seats").text
    assert "sees every hand" in kiosk.get(f"/e/{table.key}/seats?solo=1").text
    assert ann.get(f"/e/{table.key}/seats?solo=1").status_code == 403
    alone = ask("192.168.1.88")
    alone.get(f"/e/{table.key}?k={key}")
    table.open("plan", seat="host")
    for seat in ("ann", "bob"):
        address = next(a.address for a in table.asks if a.seat == seat)
        alone.post(f"/e/{table.key}/answer", data={"address": address, "value": "loop", "once": seat})
    assert table.records[-1].closed


def test_a_copy_goes_on_the_stick_that_is_plugged_in(
    kiosk: TestClient, phone: TestClient, parts: Parts, table: Table, tmp_path: Path
) -> None:
    assert "Backup to the stick" not in kiosk.get("/").text
    assert "There is no stick" in kiosk.post("/backup").text
    assert phone.post("/backup").status_code == 403
    stick = tmp_path / "STICK"
    stick.mkdir()
    parts.sticks = lambda: [stick]
    assert "Backup to the stick" in kiosk.get("/").text
    assert "on the stick STICK" in kiosk.post("/backup").text
    (copy,) = stick.iterdir()
    with sqlite3.connect(copy) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    parts.sticks = lambda: [tmp_path / "pulled out"]
    assert re.search("could not be put on the stick: No such file", kiosk.post("/backup").text)


@pytest.mark.parametrize("word", ["MY STICK", "stick"])
def test_only_what_is_mounted_as_removable_is_a_stick(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    stick = tmp_path / word
    stick.mkdir()
    monkeypatch.setattr("companion.sticks.PLACES", (str(tmp_path),))
    mounts = tmp_path / "mounts"
    spelt = str(stick).replace(" ", "\\040")
    mounts.write_text(
        f"proc /proc proc rw 0 0\n/dev/sda1 {spelt} vfat rw 0 0\n/dev/sdb1 {tmp_path}/gone vfat rw 0 0\n\n"
    )
    assert sticks(mounts) == [stick]
    assert sticks(tmp_path / "nothing") == []
