"""The pages that look after the machine: the doctor's and the first evening's."""

from __future__ import annotations

import threading

from starlette.testclient import TestClient

from companion.game.table import Table
from companion.web.parts import Parts

NO_CLOCK = {"trap": "T15", "rank": "note", "cause": "This Pi has no clock.", "fix": "Set the time."}
UNDER = {"trap": "T28", "rank": "warning", "cause": "The <power> is weak.", "fix": "Take the Pi's own supply."}


def test_the_doctor_says_cause_and_fix_to_the_host_alone(
    kiosk: TestClient, phone: TestClient, ann: TestClient, parts: Parts, table: Table
) -> None:
    parts.doctor = lambda: [UNDER, NO_CLOCK]
    for other in (phone, ann):
        assert other.get("/doctor").status_code == 403
        assert "/doctor" not in other.get("/").text + other.get(f"/e/{table.key}/settings").text
    page = kiosk.get("/doctor").text
    assert "The &lt;power&gt; is weak." in page
    assert page.index("warning") < page.index("note</strong>")
    assert NO_CLOCK["cause"] in page
    assert NO_CLOCK["fix"] in page
    for path in ("/", f"/e/{table.key}/settings"):
        assert 'href="/doctor"' in kiosk.get(path).text


def test_a_healthy_machine_is_told_so(kiosk: TestClient) -> None:
    assert "Nothing is wrong that software can see." in kiosk.get("/doctor").text


def test_a_slow_doctor_stops_no_table_and_is_asked_once(
    kiosk: TestClient, phone: TestClient, parts: Parts, table: Table
) -> None:
    threads: list[str] = []
    started, let_go = threading.Event(), threading.Event()

    def slow() -> list[dict[str, str]]:
        threads.append(threading.current_thread().name)
        started.set()
        assert let_go.wait(20)
        return [UNDER]

    parts.doctor = slow
    pages: list[str] = []
    asking = [threading.Thread(target=lambda: pages.append(kiosk.get("/doctor").text)) for _ in range(2)]
    for thread in asking:
        thread.start()
    assert started.wait(20)
    assert phone.get(f"/e/{table.key}").status_code == 200
    let_go.set()
    for thread in asking:
        thread.join(20)
    assert len(pages) == 2
    assert all(UNDER["fix"].replace("'", "&#39;") in page for page in pages)
    assert len(threads) == 1
    assert not threads[0].startswith("table")
