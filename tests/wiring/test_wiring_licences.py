"""A pilot's licence comes out again by itself when it changes, and when the change is taken back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.config import Config, PrinterConfig
from companion.wiring import Machine
from drivers.printers.offer import TcpOffer
from drivers.printers.virtual import VirtualPrinter
from tests.e2e.daemon import until
from tests.wiring.rig import in_worker, working

PILOTS: dict[str, Any] = {
    "pilots": [
        {"name": "Anna", "side": "Allies", "aircraft": "Spitfire", "hex": "J5", "victories": 4},
        {"name": "Karl", "side": "Axis", "aircraft": "Me-109", "hex": "K5"},
    ]
}


def fought(machine: Machine, **settings: str) -> Any:
    """Anna shoots Karl down; he lands."""
    table = machine.tables.new("fastplay", PILOTS)
    if settings:
        table.adjust(settings, seat="host")
    table.open("choose", seat="anna")
    for who in ("anna", "karl"):
        table.answer(f"cards@{who}/stack", ["2ST", "2ST", "2ST"], seat=who)
    for faces in ([6] * 5, [6, 1, 1, 1, 1]):
        for act in ("reveal", "move", "fire:anna"):
            table.open(act, seat="anna")
        table.answer("shoot", faces, seat="anna")
        table.open("close", seat="anna")
    table.open("losses", seat="anna")
    table.answer("landing:karl/crash", [1], seat="karl")
    return table


def jobs(machine: Machine) -> list[str]:
    return [job["title"] for job in reversed(machine.printing.jobs())]


@pytest.mark.rule("fastplay:Victories")
def test_a_licence_is_printed_again_when_it_changes(tmp_path: Path) -> None:
    device = VirtualPrinter(80)
    with TcpOffer(device) as offer:
        config = Config(slips="off", printers=[PrinterConfig("till", offer.description, paper=80, cutter="partial")])
        with working(tmp_path, config) as machine:
            table = in_worker(machine, lambda: fought(machine))
            until(lambda: len(device.slips) == 1, what="Anna's licence")
            assert "Anna" in device.slips[0].text
            assert "Karl" not in device.slips[0].text
            assert [line.split()[-1] for line in device.slips[0].text.splitlines() if "Victories" in line] == ["5"]
            in_worker(machine, lambda: table.undo(seat="host", agreed="host"))
            until(lambda: len(device.slips) == 2, what="her licence without the victory")
            assert [line.split()[-1] for line in device.slips[1].text.splitlines() if "Victories" in line] == ["4"]


def test_a_table_may_print_licences_on_asking_alone(tmp_path: Path) -> None:
    with TcpOffer(VirtualPrinter(80)) as offer:
        config = Config(slips="off", printers=[PrinterConfig("till", offer.description, paper=80, cutter="partial")])
        with working(tmp_path, config) as machine:
            in_worker(machine, lambda: fought(machine, papers="asked"))
            assert jobs(machine) == []
