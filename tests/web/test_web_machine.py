"""The pages that look after the machine: the doctor's and the first evening's."""

from __future__ import annotations

import shlex
import threading
from html import unescape

from click import Command
from starlette.testclient import TestClient

from companion.cli.dice import dice
from companion.config import Config, DiceConfig
from companion.game.table import Table
from companion.web.parts import Parts
from printouts import qr
from tests.web.conftest import Till

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


def test_the_first_evening_is_for_the_host(phone: TestClient, kiosk: TestClient, till: Till) -> None:
    assert phone.get("/first").status_code == 403
    assert phone.post("/first", data={"printer": "till"}).status_code == 403
    assert "/first" not in phone.get("/").text
    assert 'href="/first"' in kiosk.get("/").text
    assert till.sent == []


def test_a_calibration_slip_is_sent_and_explained(kiosk: TestClient, till: Till) -> None:
    page = kiosk.get("/first").text
    assert "Print the calibration slip on till" in page
    assert all(key in page for key in ("paper", "code_pages", "native_qr", "cutter"))
    assert kiosk.post("/first", data={"printer": "till"}).url.path == "/first"
    assert till.sent == [("till", "calibration", {})]


def test_only_a_calibration_slip_is_asked_about_there(kiosk: TestClient, till: Till) -> None:
    """Those of a table are asked about at their table."""
    assert "slip 0001" not in kiosk.get("/first").text
    till.held |= {"kind": "calibration", "title": "calibration slip"}
    assert "calibration slip</strong>" in kiosk.get("/first").text
    assert kiosk.post("/first/job", data={"job": "7", "answer": "cancel"}).status_code == 400
    kiosk.post("/first/job", data={"job": "7", "answer": "yes"})
    assert till.settled == [(7, "yes")]


def test_clock_and_worst_trouble_are_told_apart(kiosk: TestClient, parts: Parts) -> None:
    parts.doctor = lambda: [UNDER, {**UNDER, "cause": "Less bad."}, NO_CLOCK]
    page = kiosk.get("/first").text
    assert UNDER["fix"].replace("'", "&#39;") in page
    assert "Less bad." not in page
    assert "Doctor: 2 more" in page
    assert page.count(NO_CLOCK["cause"]) == 1


def _first(parts: Parts, kiosk: TestClient, config: Config) -> str:
    parts.config = config
    return str(kiosk.get("/first").text)


def test_dice_that_write_their_own_lines_have_a_command_to_teach_them(parts: Parts, kiosk: TestClient) -> None:
    assert "companion dice teach /dev/ttyUSB0" in kiosk.get("/first").text
    parts.dice = lambda _table: [{"name": n, "state": "ready", "text": f"{n} is ready."} for n in ("Oak", "my die")]
    odd = DiceConfig("my die", port="/dev/serial/by-id/x y", format="json", baud=9600)
    page = _first(parts, kiosk, Config(dice=[DiceConfig("Oak", port="/dev/companion-dice"), odd]))
    assert "Oak is ready. There is nothing to teach it." in " ".join(page.replace("</strong>: ", " ").split())
    shown = unescape(page.split('<code class="typed">')[1].split("</code>")[0])
    words = shlex.split(shown)
    assert words[:4] == ["companion", "dice", "teach", odd.port]
    teach: Command = dice.commands[words[2]]
    assert teach.make_context("teach", words[3:]).params["name"] == "my die"


def test_the_code_to_join_is_shown_once_both_its_settings_are_there(parts: Parts, kiosk: TestClient) -> None:
    assert "write wifi_name and wifi_password" in _first(parts, kiosk, Config(wifi_name="Club"))
    page = _first(parts, kiosk, Config(wifi_name="Club;1", wifi_password="spitfires"))
    assert qr.outline(r"WIFI:T:WPA;S:Club\;1;P:spitfires;;") in page
    assert "spitfires" not in page
