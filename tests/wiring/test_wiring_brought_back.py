"""What was taken back and is brought back: the paper on the table says what counts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.config import Config, PrinterConfig
from companion.game.table import Table
from companion.wiring import Machine
from drivers.printers.offer import TcpOffer
from drivers.printers.virtual import Faults, VirtualPrinter
from tests.e2e.daemon import until
from tests.wiring.rig import burst, in_worker, working

pytestmark = pytest.mark.field(40)


@contextmanager
def missed(folder: Path, till: VirtualPrinter) -> Iterator[tuple[Machine, Table]]:
    """A machine with a printer and a burst that is over."""
    with TcpOffer(till) as offer:
        config = Config(printers=[PrinterConfig("till", offer.description, cutter="partial")])
        with working(folder, config) as machine:
            table = burst(machine)
            in_worker(machine, lambda: table.answer(table.asks[0].address, [1], seat="host"))
            yield machine, table


def marks(till: VirtualPrinter) -> list[str]:
    """What each slip says of itself before its heading."""
    return [" ".join(re.findall("VOID|COPY", slip.text)) for slip in till.slips]


def undo(machine: Machine, table: Table) -> None:
    in_worker(machine, lambda: table.undo(seat="host"))


def redo(machine: Machine, table: Table) -> None:
    in_worker(machine, lambda: table.redo(seat="host"))


def idle(machine: Machine) -> None:
    until(lambda: all(j["state"] not in ("queued", "sending") for j in machine.printing.jobs()), 30, "an idle printer")


def test_a_slip_that_was_called_void_comes_again_and_is_called_void_again(tmp_path: Path) -> None:
    till = VirtualPrinter(58)
    with missed(tmp_path, till) as (machine, table):
        for deed in (lambda *_: None, undo, redo, undo):
            deed(machine, table)
            idle(machine)
    assert marks(till) == ["", "VOID", "COPY", "VOID"]


def test_a_void_slip_that_waits_is_dropped(tmp_path: Path) -> None:
    till = VirtualPrinter(58)
    with missed(tmp_path, till) as (machine, table):
        idle(machine)
        till.set(paper="out")
        undo(machine, table)
        redo(machine, table)
        till.set(paper="ok")
        idle(machine)
    assert marks(till) == [""]


def test_a_slip_that_was_dropped_is_printed_after_all(tmp_path: Path) -> None:
    till = VirtualPrinter(58, faults=Faults(off=True))
    with missed(tmp_path, till) as (machine, table):
        undo(machine, table)
        redo(machine, table)
        till.set(off=False)
        idle(machine)
    assert marks(till) == [""]


def test_a_redo_that_a_power_cut_kept_from_the_queue_is_printed_once(tmp_path: Path) -> None:
    till = VirtualPrinter(58)
    with missed(tmp_path, till) as (machine, table):
        idle(machine)
        undo(machine, table)
        idle(machine)
        machine.printing.follow = lambda _table: None  # type: ignore[method-assign]
        machine.tables.listeners.clear()  # the power goes before the queue hears of it
        redo(machine, table)
    for _ in range(2):
        with TcpOffer(till) as offer:
            config = Config(printers=[PrinterConfig("till", offer.description, cutter="partial")])
            with working(tmp_path, config) as machine:
                in_worker(machine, machine.tables.latest)
                idle(machine)
    assert marks(till) == ["", "VOID", "COPY"]
