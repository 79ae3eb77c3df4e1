"""Slips through spool and drivers to emupos: what comes out, and what happens without paper."""

from pathlib import Path

import pytest
import zxingcpp

from companion.spool import Job, Rendering
from drivers.printers import printer_from
from printouts.document import QR, Document, Heading, Line, Sum, Text
from printouts.thermal import profile, render
from tests.emupos.conftest import Emupos
from tests.spool.rig import spooling, state, until

LINK = "http://192.168.1.23:8080/e/9f3k"


def _document(title: str) -> Document:
    lines = (Line("die  white d6", "5"), Line("distance 2d", "-1"), Line("needs 2+", "HIT"))
    blocks = (Heading(title, right="No 0042"), Text("Łódź Ёж €5"), Sum(lines, "TARGETING", "4.5.1"), QR(LINK))
    return Document(title, blocks)


def _renderer(native_qr: bool):  # type: ignore[no-untyped-def]
    # emupos prints the pages of its own printer; cp852 is 18 there, as in the data base
    till = profile("TM-T20II", native_qr=native_qr)

    def draw(job: Job, banner: str) -> Rendering:
        return Rendering(render(_document(job.title), till, banner).data)

    return draw


@pytest.mark.parametrize("native_qr", [False, True], ids=["drawn code", "native code"])
@pytest.mark.parametrize("line", ["tcp", "serial"])
def test_a_slip_with_a_code_comes_out(emupos: Emupos, tmp_path: Path, line: str, native_qr: bool) -> None:
    printer = printer_from(getattr(emupos, line), name="till")
    with spooling(tmp_path, printer, render=_renderer(native_qr)) as spool:
        number = spool.submit("till", "slip", "BURST", b"", key="1")
        assert state(spool, number, "printed", deadline_s=30), spool.job(number)
        assert until(lambda: spool.status("till").text == "ready")
        assert until(lambda: len(emupos.receipts()) == 1)
    (receipt,) = emupos.receipts()
    text = emupos.text(receipt["id"])
    assert receipt["boundary"] == "cut"
    for words in ("BURST", "No 0042", "Łódź Ёж", "die  white d6", "HIT", "4.5.1"):
        assert words in text
    picture = emupos.picture(receipt["id"])
    assert picture.width == 576
    assert [code.text for code in zxingcpp.read_barcodes(picture)] == [LINK]


@pytest.mark.parametrize("line", ["tcp", "serial"])
@pytest.mark.parametrize(("fault", "says"), [("paper-out", "no paper"), ("cover-open", "cover open")])
def test_a_fault_holds_the_job_and_lets_it_go(emupos: Emupos, tmp_path: Path, line: str, fault: str, says: str) -> None:
    emupos.fault(fault, on=True)
    printer = printer_from(getattr(emupos, line), name="till")
    with spooling(tmp_path, printer, render=_renderer(native_qr=False)) as spool:
        numbers = [spool.submit("till", "slip", f"SLIP {n}", b"", key=str(n)) for n in range(3)]
        assert until(lambda: says in spool.job(numbers[0]).note), spool.job(numbers[0])
        assert until(lambda: spool.job(numbers[2]).waited)
        assert spool.void(numbers[1])
        assert [spool.job(number).state for number in numbers] == ["queued", "void", "queued"]
        emupos.fault(fault, on=False)
        assert state(spool, numbers[2], "printed", deadline_s=30), spool.jobs()
        assert until(lambda: len(emupos.receipts()) == 2)
    texts = [emupos.text(receipt["id"]) for receipt in emupos.receipts()]
    assert ["SLIP 0" in texts[0], "SLIP 2" in texts[1]] == [True, True]
    assert all("LATE of " in text for text in texts)


def test_paper_that_runs_low_is_told_and_prints(emupos: Emupos, tmp_path: Path) -> None:
    emupos.fault("paper-near-end", on=True)
    printer = printer_from(emupos.tcp, name="till")
    with spooling(tmp_path, printer, render=_renderer(native_qr=False)) as spool:
        number = spool.submit("till", "slip", "SLIP", b"", key="1")
        assert state(spool, number, "printed", deadline_s=30)
        assert until(lambda: spool.status("till").text == "paper low")


def test_an_offline_printer_is_waited_for(emupos: Emupos, tmp_path: Path) -> None:
    emupos.fault("offline", on=True)
    printer = printer_from(emupos.tcp, name="till")
    with spooling(tmp_path, printer, render=_renderer(native_qr=False)) as spool:
        number = spool.submit("till", "slip", "SLIP", b"", key="1")
        assert until(lambda: "off line" in spool.job(number).note)
        emupos.fault("offline", on=False)
        assert state(spool, number, "printed", deadline_s=30)
