"""Reports 10, 15, 16 and 30 by the whole daemon: what dice and pages do while a printer is slow, stuck or off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pypdfium2
import pytest
import zxingcpp

from companion import papers
from companion.config import Config, PrinterConfig
from drivers.dice.virtual import VirtualTower
from drivers.printers.offer import TcpOffer
from drivers.printers.virtual import Faults, VirtualPrinter
from tests.e2e.daemon import Daemon, running, until
from tests.wiring.rig import burst, in_worker, working


@contextmanager
def playing(folder: Path, till: VirtualPrinter) -> Iterator[tuple[Daemon, VirtualTower]]:
    tower = VirtualTower(folder / "usb-Companion_Tower")
    tower.start()
    with TcpOffer(till) as offer:
        dice = f'[[dice]]\nname = "oak"\nport = "{tower._link}"\nformat = "cd1"\n'
        printer = f'[[printers]]\nname = "till"\naddress = "{offer.description}"\ncutter = "partial"\n'
        try:
            with running(folder / "pi", dice + printer) as daemon:
                yield daemon, tower
        finally:
            tower.stop()


def missed(daemon: Daemon, tower: VirtualTower, table: str) -> int:
    """A burst by real dice that misses; the number of its slip."""
    daemon.ask("POST", f"/api/tables/{table}/acts", {"act": "fire:3:11"})
    daemon.ask("POST", f"/api/tables/{table}/asks/announce/burst", {"value": "normal"})

    def over() -> bool:
        if tower.is_armed:
            tower.throw({"w": 1})
        return daemon.view(table)["open"] is None

    until(over, 20, "the burst to be over")
    slip: int = daemon.view(table)["last"]["slip"]
    return slip


def taken_back(daemon: Daemon, table: str) -> None:
    assert daemon.ask("POST", f"/api/tables/{table}/undo", {"fresh": True})[0] == 200


def job(daemon: Daemon) -> str:
    """What the printer's state says that it is at work on."""
    state = daemon.ask("GET", "/api/printers")[1][0]
    return f"job {state['job']}" if state["job"] is not None else ""


@pytest.mark.field(10)
@pytest.mark.field(15)
@pytest.mark.parametrize("faults", [Faults(slow=60), Faults(stall_at=700)], ids=["slow", "stuck"])
def test_dice_and_pages_go_on_while_a_slip_is_on_its_way(tmp_path: Path, faults: Faults) -> None:
    till = VirtualPrinter(58, faults=faults)
    with playing(tmp_path, till) as (daemon, tower):
        table = daemon.ask("POST", "/api/tables", {"game": "aod"})[1]["table"]
        assert missed(daemon, tower, table) == 1
        first = until(lambda: job(daemon), what="the slip to be on its way")
        for slip in (2, 3):
            taken_back(daemon, table)
            assert missed(daemon, tower, table) == slip
        assert daemon.ask("GET", f"/e/{table}")[0] == 200
        assert job(daemon) == first  # all of that happened while the first slip was being sent
        assert len(till.slips) == 0
        till.set(slow=0, stall_at=None)
        until(lambda: len(till.slips) == 3, 60, "what waited")
    found = [("VOID" in slip.text, re.findall(r"No (\d{4})", slip.text)) for slip in till.slips]
    assert found == [(False, ["0001"]), (True, ["0001"]), (False, ["0003"])]


@pytest.mark.field(15)
def test_a_slip_on_a_stuck_printer_is_cancelled_from_the_page(tmp_path: Path) -> None:
    till = VirtualPrinter(58, faults=Faults(stall_at=700))
    with playing(tmp_path, till) as (daemon, tower):
        table = daemon.ask("POST", "/api/tables", {"game": "aod"})[1]["table"]
        missed(daemon, tower, table)
        number = until(lambda: daemon.ask("GET", "/api/printers")[1][0]["job"], what="the slip to be on its way")
        page = daemon.ask("GET", f"/e/{table}/paper")[1].decode()
        assert f'name="job" value="{number}"' in page
        assert 'value="cancel"' in page
        daemon.form(f"/e/{table}/job", job=str(number), answer="cancel")
        until(lambda: daemon.ask("GET", "/api/printers")[1][0]["job"] != number, 30, "the slip to be given up")


@pytest.mark.field(16)
def test_slips_of_a_game_wait_for_the_printer_over_a_power_cut(tmp_path: Path) -> None:
    till = VirtualPrinter(58, faults=Faults(off=True))
    with playing(tmp_path, till) as (daemon, tower):
        table = daemon.ask("POST", "/api/tables", {"game": "aod"})[1]["table"]
        missed(daemon, tower, table)
        taken_back(daemon, table)
        missed(daemon, tower, table)
        daemon.kill()
        daemon.start()
        until(lambda: daemon.ask("GET", "/api/printers")[1][0]["queued"] == 1, 20, "the slip to wait again")
        till.set(off=False)
        until(lambda: len(till.slips) == 1, 60, "the slip")
        until(lambda: daemon.ask("GET", "/api/printers")[1][0]["queued"] == 0, 60, "the queue to be empty")
    assert [re.findall(r"No (\d{4})", slip.text) for slip in till.slips] == [["0002"]]  # the first was taken back
    assert "LATE of" in till.slips[0].text


@pytest.mark.field(30)
def test_slip_sheet_and_screen_show_the_address_of_the_proxy(tmp_path: Path) -> None:
    """The slip is printed by a die: no request of a page has told where the phones are."""
    till = VirtualPrinter(58)
    with TcpOffer(till) as offer:
        config = Config(
            public_url="https://dice.example/game",
            printers=[PrinterConfig("till", offer.description, cutter="partial")],
        )
        with working(tmp_path / "data", config) as machine:
            table = burst(machine)
            in_worker(machine, lambda: table.answer(table.asks[0].address, [1], seat="host"))
            assert till.until(lambda: len(till.slips) == 1, 30)
            link = f"https://dice.example/game/e/{table.key}"
            assert machine.link(table) == link
            fields = {"table": table.key, "link": machine.link(table)}
            (pdf,) = papers.rendered(papers.document(machine.tables, "again", fields), "pdf")
    (code,) = zxingcpp.read_barcodes(till.slips[0].picture())
    assert code.text == link
    assert link.removeprefix("https://") in till.slips[0].text.replace("\n", "")
    (on_paper,) = zxingcpp.read_barcodes(pypdfium2.PdfDocument(pdf)[0].render(scale=3).to_pil())
    assert on_paper.text == link
