"""A pilot's licence comes out again by itself when it changes, and when the change is taken back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from companion.config import Config, PrinterConfig
from companion.game.table import Table
from companion.game.tables import Tables
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
LANDED, LOST = 1, 6


def fought(tables: Tables, landing: int = LANDED, setup: Any = PILOTS, **settings: str) -> Table:
    """Anna shoots Karl down."""
    table = tables.new("fastplay", setup)
    if settings:
        table.adjust(settings, seat="host")
    table.open("choose", seat="anna")
    for who in ("anna", "karl"):
        table.answer(f"cards@{who}/stack", ["2ST", "2ST", "2ST"], seat=who)
    for hits in (5, 1):
        for act in ("reveal", "move", "fire:anna"):
            table.open(act, seat="anna")
        dice = table.asks[0].dice
        assert dice is not None
        table.answer("shoot", ([6] * hits + [1] * 6)[: len(dice.slots)], seat="anna")
        table.open("close", seat="anna")
    table.open("losses", seat="anna")
    table.answer("landing:karl/crash", [landing], seat="karl")
    return table


@dataclass
class Till:
    """A receipt printer, and the Pi of one evening after the other with the same data."""

    folder: Path
    device: VirtualPrinter
    config: Config

    @contextmanager
    def evening(self) -> Iterator[Machine]:
        with working(self.folder, self.config) as machine:
            yield machine

    @contextmanager
    def without_printer(self) -> Iterator[Tables]:
        """The power goes after the journal has it and before the print queue does."""
        tables = Tables(self.folder)
        yield tables
        tables.close()

    def printed(self, count: int) -> list[tuple[str, str, str]]:
        """Name, number and victories of each licence on paper, when there are so many."""
        until(lambda: len(self.device.slips) >= count, what=f"licence {count}")
        found = [_read(slip.text) for slip in self.device.slips]
        assert len(found) == count, found
        return found


def _read(slip: str) -> tuple[str, str, str]:
    lines = [line.strip() for line in slip.splitlines()]
    number = next(line.split()[-1] for line in lines if line.startswith("PILOT LICENCE"))
    return (
        next(name for name in ("Anna", "Karl") if name in lines),
        number,
        next(line.split()[-1] for line in lines if line.startswith("Victories")),
    )


@pytest.fixture
def till(tmp_path: Path) -> Iterator[Till]:
    device = VirtualPrinter(80)
    with TcpOffer(device) as offer:
        printer = PrinterConfig("till", offer.description, paper=80, cutter="partial")
        yield Till(tmp_path, device, Config(slips="off", printers=[printer]))


def latest(machine: Machine) -> Table:
    found = in_worker(machine, machine.tables.latest)
    assert isinstance(found, Table)
    return found


@pytest.mark.rule("fastplay:Victories")
def test_a_licence_is_printed_again_when_it_changes_and_when_that_is_undone(till: Till) -> None:
    with till.evening() as machine:
        table = in_worker(machine, lambda: fought(machine.tables))
        assert till.printed(1) == [("Anna", "1", "5")]
        in_worker(machine, lambda: table.undo(seat="host", agreed="host"))
        assert till.printed(2)[-1] == ("Anna", "1", "4")
        in_worker(machine, lambda: table.redo(seat="host"))
        assert till.printed(3)[-1] == ("Anna", "1", "5")


@pytest.mark.rule("fastplay:Crash Landings")
def test_a_lost_licence_is_printed_anew_also_where_the_landing_is_amended(till: Till) -> None:
    with till.evening() as machine:
        table = in_worker(machine, lambda: fought(machine.tables))
        number = table.played[-1].number
        for face, licence in ((LOST, "2"), (LANDED, "1")):
            in_worker(
                machine,
                lambda face=face: table.amend(
                    number, "landing:karl/crash", {"d6": str(face)}, seat="host", reason="misread"
                ),
            )
            assert till.printed(2 if licence == "2" else 3)[-1] == ("Karl", licence, "0")


def test_a_ruling_prints_the_licence_that_it_changes(till: Till) -> None:
    with till.evening() as machine:
        table = in_worker(machine, lambda: machine.tables.new("fastplay", PILOTS))
        won = [{"kind": "victory", "target": "karl"}]
        in_worker(machine, lambda: table.rule(won, seat="host", reason="seen by all"))
        assert till.printed(1) == [("Karl", "1", "1")]


def test_a_licence_that_a_power_cut_kept_from_the_printer_comes_out_afterwards_once(till: Till) -> None:
    with till.without_printer() as tables:
        fought(tables, LOST)
    with till.evening() as machine:
        assert sorted(till.printed(2)) == [("Anna", "1", "5"), ("Karl", "2", "0")]
        latest(machine)
    with till.evening() as machine:
        table = latest(machine)
        in_worker(machine, lambda: table.rule([{"kind": "victory", "target": "karl"}], seat="host", reason="seen"))
        assert till.printed(3)[-1] == ("Karl", "2", "1"), "and nothing before it a second time"


def test_what_a_power_cut_kept_taken_back_comes_out_afterwards(till: Till) -> None:
    with till.evening() as machine:
        in_worker(machine, lambda: fought(machine.tables))
        assert till.printed(1) == [("Anna", "1", "5")]
    with till.without_printer() as tables:
        table = tables.latest()
        assert table is not None
        table.undo(seat="host", agreed="host")
    with till.evening():
        assert till.printed(2)[-1] == ("Anna", "1", "4")


def test_a_printer_that_is_new_does_not_print_the_licences_of_long_ago(till: Till) -> None:
    """Karl's was won some acts before, Anna's by the last act."""
    with till.without_printer() as tables:
        table = tables.new("fastplay", PILOTS)
        for who in ("karl", "anna"):
            table.rule([{"kind": "victory", "target": who}], seat="host", reason="seen by all")
    with till.evening() as machine:
        in_worker(machine, lambda: _latest(machine).rule([], seat="host", reason="talk", word="NOTHING"))
        assert till.printed(1) == [("Anna", "1", "5")]


def _latest(machine: Machine) -> Table:
    found = machine.tables.latest()
    assert found is not None
    return found


def test_pilots_go_on_with_their_licences_in_the_next_game_after_a_power_cut(till: Till) -> None:
    """Anna's fifth victory in one game, her sixth in the next on another evening, and that one is undone."""
    with till.evening() as machine:
        table = in_worker(machine, lambda: fought(machine.tables))
        in_worker(machine, lambda: table.set_away(True))
        assert till.printed(1) == [("Anna", "1", "5")]
    with till.evening() as machine:
        again = in_worker(machine, lambda: machine.tables.club.setup_again(_latest(machine)))
        in_worker(machine, lambda: fought(machine.tables, setup=again))
        assert till.printed(2)[-1] == ("Anna", "1", "6")
    with till.evening() as machine:
        second = latest(machine)
        assert second.state.pilot("anna").victories == 6
        in_worker(machine, lambda: second.undo(seat="host", agreed="host"))
        assert till.printed(3)[-1] == ("Anna", "1", "5")


def test_a_table_may_print_licences_on_asking_alone(till: Till) -> None:
    with till.evening() as machine:
        in_worker(machine, lambda: fought(machine.tables, papers="asked"))
        assert machine.printing.jobs() == []


def test_a_roster_that_a_power_cut_kept_from_the_club_is_taken_at_the_next_start(
    till: Till, monkeypatch: pytest.MonkeyPatch
) -> None:
    with till.without_printer() as tables:
        table = fought(tables)
        with monkeypatch.context() as cut:
            cut.setattr(tables.club, "follow", lambda table: None)
            table.set_away(True)
        assert tables.club.pilots("fastplay") == []
    with till.evening() as machine:
        latest(machine)
        assert [(p["name"], p["victories"]) for p in machine.tables.club.pilots("fastplay")] == [
            ("Anna", 5),
            ("Karl", 0),
        ]
