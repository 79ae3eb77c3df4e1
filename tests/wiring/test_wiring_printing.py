"""Slips on their way: what is taken back while it prints, and the pages that a printer may use."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.config import Config, PrinterConfig
from companion.printing import _profile
from companion.umpire import CompanionError
from drivers.printers.offer import TcpOffer
from drivers.printers.virtual import Faults, VirtualPrinter
from printouts.profiles import UnknownProfile
from tests.e2e.daemon import until
from tests.wiring.rig import burst, in_worker, working


def test_an_act_taken_back_while_its_slip_prints_is_followed_by_a_void_slip(tmp_path: Path) -> None:
    device = VirtualPrinter(58, faults=Faults(slow=6000))
    with TcpOffer(device) as offer:
        config = Config(printers=[PrinterConfig("till", offer.description, cutter="partial")])
        with working(tmp_path, config) as machine:
            table = burst(machine)
            in_worker(machine, lambda: table.answer(table.asks[0].address, [1], seat="host"))
            spool = machine.printing.spool
            assert spool is not None
            until(lambda: spool.jobs()[0].state == "sending", what="the slip to be on its way")
            in_worker(machine, lambda: table.undo(seat="host"))
            assert device.until(lambda: len(device.slips) == 2, 20)
    assert ["VOID" in slip.text for slip in device.slips] == [False, True]


def test_only_the_code_pages_that_are_allowed_are_used() -> None:
    every = _profile(PrinterConfig("till", "tcp://x:9100", profile="TM-T88V"))
    few = _profile(PrinterConfig("till", "tcp://x:9100", profile="TM-T88V", code_pages=["cp858", "cp437"]))
    assert {codec for _, codec in few.code_pages} == {"cp858", "cp437"}
    assert len(every.code_pages) > 2
    none = _profile(PrinterConfig("till", "tcp://x:9100", profile="TM-T88V", code_pages=["cp1"]))
    assert none.code_pages == every.code_pages[:1]


def test_an_unknown_profile_names_those_that_are_near() -> None:
    with pytest.raises(UnknownProfile, match=r"no printer profile 'TM-T88'; near it are .*TM-T88V"):
        _profile(PrinterConfig("till", "tcp://x:9100", profile="TM-T88"))


def test_the_calibration_slip_goes_through_the_queue_of_its_printer(tmp_path: Path) -> None:
    device = VirtualPrinter(80, cutter=True)
    with TcpOffer(device) as offer:
        config = Config(printers=[PrinterConfig("till", offer.description, paper=80, cutter="partial")])
        with working(tmp_path, config) as machine:
            with pytest.raises(CompanionError, match="calibration has no field 'table'"):
                machine.printing.paper("till", "calibration", {"table": "x"})
            machine.printing.paper("till", "calibration", {})
            assert device.until(lambda: bool(device.slips), 20)
            assert [(j["kind"], j["title"]) for j in machine.printing.jobs()] == [("calibration", "calibration slip")]
    assert "CUTTER" in device.slips[0].text + device.tape.text
