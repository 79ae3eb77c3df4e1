"""Slips by engagement: one for all acts about the same aircraft, once it is over."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.config import Config, PrinterConfig
from companion.game.table import Table
from companion.wiring import Machine
from drivers.printers.offer import TcpOffer
from drivers.printers.virtual import VirtualPrinter
from tests.game.test_engagements import play
from tests.wiring.rig import in_worker, working

Do = Callable[[Callable[[], Any]], Any]


def config(offer: TcpOffer) -> Config:
    return Config(slips="engagement", printers=[PrinterConfig("till", offer.description, cutter="partial")])


def keys(machine: Machine) -> list[str]:
    """What was queued, the first first, without the table."""
    return [f"{j['kind']} {j['key'].split(':')[2]}" for j in reversed(machine.printing.jobs())]


def test_acts_about_one_aircraft_come_on_one_slip_and_what_is_taken_back_is_voided(tmp_path: Path) -> None:
    device = VirtualPrinter(58, cutter=True)
    with TcpOffer(device) as offer, working(tmp_path, config(offer)) as machine:
        table: Table = in_worker(machine, lambda: machine.tables.new("aod"))
        first = in_worker(machine, lambda: play(table, "fire:3:11", "1"))
        second = in_worker(machine, lambda: play(table, "throttle:3"))
        assert machine.printing.jobs() == []
        in_worker(machine, lambda: play(table, "throttle:4"))
        assert device.until(lambda: len(device.slips) == 1, 20)
        assert "No 0001" in device.slips[0].text
        assert "No 0002" in device.slips[0].text
        in_worker(machine, lambda: table.undo(seat="host", agreed="host", acts=2))
        assert device.until(lambda: len(device.slips) == 2, 20)
        assert "VOID" in device.slips[1].text
        assert keys(machine) == [f"engagement {first}", f"void {second}"]
        in_worker(machine, lambda: table.set_away(True))
        assert keys(machine) == [f"engagement {first}", f"void {second}"]


@pytest.mark.field(40)
def test_an_act_of_a_printed_engagement_that_is_brought_back_comes_as_a_copy(tmp_path: Path) -> None:
    device = VirtualPrinter(58, cutter=True)
    with TcpOffer(device) as offer, working(tmp_path, config(offer)) as machine:
        table: Table = in_worker(machine, lambda: machine.tables.new("aod"))
        in_worker(machine, lambda: play(table, "fire:3:11", "1"))
        in_worker(machine, lambda: table.set_away(True))
        assert device.until(lambda: len(device.slips) == 1, 20)
        in_worker(machine, lambda: table.undo(seat="host", agreed="host"))
        assert device.until(lambda: len(device.slips) == 2, 20)
        in_worker(machine, lambda: table.redo(seat="host"))
        assert device.until(lambda: len(device.slips) == 3, 20)
    assert [("VOID" in slip.text, "COPY" in slip.text) for slip in device.slips] == [
        (False, False), (True, False), (False, True),
    ]  # fmt: skip


@pytest.mark.parametrize("lost", [True, False])
def test_an_engagement_that_a_power_cut_kept_from_the_queue_is_printed_once(tmp_path: Path, lost: bool) -> None:
    device = VirtualPrinter(58, cutter=True)
    with TcpOffer(device) as offer:
        settings = config(offer)
        with working(tmp_path, Config() if lost else settings) as machine:
            table: Table = in_worker(machine, lambda: machine.tables.new("aod"))
            first = in_worker(machine, lambda: play(table, "fire:3:11", "1"))
            in_worker(machine, lambda: play(table, "throttle:4"))
            if not lost:
                assert device.until(lambda: len(device.slips) == 1, 20)
        with working(tmp_path, settings) as machine:
            in_worker(machine, lambda: machine.tables.latest())
            assert keys(machine) == [f"engagement {first}"]
            assert device.until(lambda: len(device.slips) == 1, 20)


def test_slips_of_before_the_setting_are_not_printed_again(tmp_path: Path) -> None:
    device = VirtualPrinter(58, cutter=True)
    with TcpOffer(device) as offer:
        asked = Config(slips="asked", printers=[PrinterConfig("till", offer.description, cutter="partial")])
        with working(tmp_path, asked) as machine:
            table: Table = in_worker(machine, lambda: machine.tables.new("aod"))
            in_worker(machine, lambda: play(table, "fire:3:11", "1"))
            in_worker(machine, lambda: play(table, "throttle:4"))
            in_worker(machine, lambda: table.adjust({"slips": "engagement"}, seat="host"))
            assert machine.printing.jobs() == []
            in_worker(machine, lambda: play(table, "end_turn"))
            assert len(machine.printing.jobs()) == 1
