"""The pages that look after the machine: the doctor's and the first evening's."""

from __future__ import annotations

import threading

from starlette.testclient import TestClient

from companion.config import Config, DiceConfig
from companion.game.table import Table
from companion.web.parts import Parts
from printouts import qr
from tests.web.conftest import Host, Till

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


def test_the_file_for_a_helper_is_the_host_s(kiosk: TestClient, phone: TestClient, parts: Parts) -> None:
    parts.bundle = lambda: "== Companion\n"
    assert 'href="/doctor/bundle.txt"' in kiosk.get("/doctor").text
    file = kiosk.get("/doctor/bundle.txt")
    assert (file.text, file.headers["content-type"]) == ("== Companion\n", "text/plain; charset=utf-8")
    assert "attachment" in file.headers["content-disposition"]
    assert phone.get("/doctor/bundle.txt").status_code == 403


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


def test_what_is_read_off_the_slip_is_touched_in(kiosk: TestClient, phone: TestClient, host: Host) -> None:
    page = kiosk.get("/first").text
    assert "17 cp866 ЙЖ" in page
    for what, value in (("columns", "48"), ("page", "cp866"), ("native_qr", "yes"), ("cut", "30")):
        assert f'name="what" value="{what}"' in page
        assert f'value="{value}"' in page
        answer = kiosk.post("/first/read", data={"printer": "till", "what": what, "value": value})
        assert answer.url.path == "/first"
    assert host.done == [
        ("read", "till", "columns", "48"), ("read", "till", "page", "cp866"), ("read", "till", "native_qr", "yes"),
        ("read", "till", "cut", "30"),
    ]  # fmt: skip
    assert phone.post("/first/read", data={"printer": "till", "what": "cut", "value": "none"}).status_code == 403


def test_the_clock_is_set_by_the_host_s_phone_and_not_by_the_kiosk_that_has_none(
    kiosk: TestClient, phone: TestClient, host: Host
) -> None:
    assert "15.06.2025" in kiosk.get("/first").text
    assert "data-now" not in kiosk.get("/first").text
    assert phone.post("/first/clock", data={"now": "1750000000000"}).status_code == 403
    phone.post("/host", data={"pin": "2468"})
    assert "data-now" in phone.get("/first").text
    assert "is set" in phone.post("/first/clock", data={"now": "1760000000500"}).text
    assert host.wall.told == [1760000000.5]
    for odd in ("", "now", "-5", "9" * 16, "١٢٣"):
        assert phone.post("/first/clock", data={"now": odd}).status_code == 400
    host.wall.is_set = True
    assert "data-now" not in phone.get("/first").text


def test_the_own_wifi_is_offered_only_where_it_is_set_up(kiosk: TestClient, host: Host) -> None:
    assert "/first/hotspot" not in kiosk.get("/first").text
    host.own_wifi = "off"
    assert "/first/hotspot" in kiosk.get("/first").text
    assert "It is on." in kiosk.post("/first/hotspot").text
    host.own_wifi = "on"
    assert "The Pi&#39;s own Wi-Fi is on." in kiosk.get("/first").text
    kiosk.post("/first/wifi", data={"name": "Club", "password": "spitfires"})
    assert host.done == [("hotspot",), ("wifi", "Club", "spitfires")]


def test_a_printer_that_no_setting_names_is_taken_by_touch(kiosk: TestClient, phone: TestClient, host: Host) -> None:
    assert 'value="usb:/dev/usb/lp3"' in kiosk.get("/first").text
    kiosk.post("/first/printer", data={"address": "usb:/dev/usb/lp3"})
    assert host.done == [("printer", "usb:/dev/usb/lp3")]
    assert phone.post("/first/printer", data={"address": "usb:/dev/usb/lp3"}).status_code == 403


def test_backs_are_measured_on_a_page_and_touched_in(kiosk: TestClient, phone: TestClient, host: Host) -> None:
    for sheet, box in (("a4", b"595"), ("letter", b"612 792")):
        page = kiosk.get(f"/first/duplex.pdf?paper={sheet}")
        assert page.headers["content-type"] == "application/pdf"
        assert box in page.content
    assert phone.get("/first/duplex.pdf").status_code == 403
    kiosk.post("/first/backs", data={"right": "1.5", "down": "-0.5"})
    assert host.done == [("backs", "1.5", "-0.5")]
    assert kiosk.post("/first/backs", data={"right": "much", "down": "0"}).status_code == 400


def test_dice_are_taught_by_touch(kiosk: TestClient, phone: TestClient, host: Host) -> None:
    assert phone.get("/first/dice").status_code == 403
    page = kiosk.get("/first/dice").text
    assert "usb-Acme_Die" in page
    kiosk.post("/first/dice", data={"port": "/dev/serial/by-id/usb-Acme_Die", "name": "Oak", "baud": "9600"})
    host.going = {
        "name": "Oak", "port": "/dev/x", "kind": "d6", "kinds": ("d6", "d20"), "text": "1 of 3 <faces>", "dice": {},
        "faces": range(1, 7), "found": False, "more": False, "heard": ["You rolled a [4]!"],
    }  # fmt: skip
    page = kiosk.get("/first/dice").text
    assert "You rolled a [4]!" in page
    assert "1 of 3 &lt;faces&gt;" in page
    assert "Keep it and play" not in page
    kiosk.post("/first/dice/face", data={"face": "4"})
    kiosk.post("/first/dice/kind", data={"kind": "d20"})
    host.going |= {"found": True, "more": True, "dice": {"w": "d6"}}
    assert "Keep it and play" in kiosk.get("/first/dice").text
    assert kiosk.post("/first/dice/end", data={"keep": "yes"}).url.path == "/first"
    kiosk.post("/first/dice/end", data={"keep": "no"})
    assert host.done == [
        ("begin", "/dev/serial/by-id/usb-Acme_Die", "Oak", "9600"), ("face", "4"), ("kind", "d20"), ("keep",), ("end",)
    ]  # fmt: skip


def test_dice_that_tell_what_they_are_have_nothing_to_be_taught(parts: Parts, kiosk: TestClient) -> None:
    parts.dice = lambda _table: [{"name": n, "state": "ready", "text": f"{n} is ready."} for n in ("Oak", "my die")]
    odd = DiceConfig("my die", port="/dev/serial/by-id/x y", format="json", baud=9600)
    page = _first(parts, kiosk, Config(dice=[DiceConfig("Oak", port="/dev/companion-dice"), odd]))
    plain = " ".join(page.replace("</strong>: ", " ").split())
    assert "Oak is ready. There is nothing to teach it." in plain
    assert "my die is ready. There" not in plain


def test_the_code_to_join_is_shown_once_both_its_settings_are_there(parts: Parts, kiosk: TestClient) -> None:
    assert "Name and password of the Wi-Fi make a code" in _first(parts, kiosk, Config(wifi_name="Club"))
    page = _first(parts, kiosk, Config(wifi_name="Club;1", wifi_password="spitfires"))
    assert qr.outline(r"WIFI:T:WPA;S:Club\;1;P:spitfires;;") in page
    assert "spitfires" not in page
