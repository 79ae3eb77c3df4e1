"""Rise of the Luftwaffe prints a slip for each exchange; the plain steps between them take no paper."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion.config import Config, PrinterConfig
from companion.game.table import HOST, Table
from companion.rules.rotl import GAME
from drivers.printers.offer import TcpOffer
from drivers.printers.virtual import VirtualPrinter
from tests.rules.rotl.tables import liking
from tests.wiring.rig import in_worker, working


def loud(table: Table) -> list[int]:
    """The numbers of the slips of exchanges."""
    return [r.slip for r in table.records if r.slip and r.summary["weight"] == "slip"]


def fought(table: Table, rng: Random) -> None:
    """All meet at medium altitude and attack until three exchanges are over, and a step is ended after them."""
    while len(loud(table)) < 3 or table.current or table.records[-1].slip in loud(table):
        if not table.asks:
            acts = [a for a in table.due().acts if not a.barred and a.key != "disengage"]
            table.open(rng.choices(acts, [liking(a.key) for a in acts])[0].key, seat=HOST)
            continue
        ask = table.asks[0]
        if ask.dice is not None:
            table.answer(ask.address, ["1"], seat=HOST)
        elif ask.role == "altitude":
            assert ask.space is not None
            table.answer(ask.address, [o.key for o in ask.space.listed if o.key.endswith("Medium")], seat=HOST)
        else:
            assert ask.space is not None
            table.answer(ask.address, ask.space.pick(rng), seat=HOST)


@pytest.mark.parametrize("slips", ["each", "engagement"])
def test_a_slip_for_each_exchange_and_none_for_the_steps_between(tmp_path: Path, slips: str) -> None:
    device = VirtualPrinter(58, cutter=True)
    with TcpOffer(device) as offer:
        config = Config(slips=slips, printers=[PrinterConfig("till", offer.description, cutter="partial")])
        with working(tmp_path, config) as machine:
            table: Table = in_worker(machine, lambda: machine.tables.new("rotl", GAME.demo()))
            in_worker(machine, lambda: fought(table, Random(8)))
            in_worker(machine, lambda: table.set_away(True))
            quiet = {r.slip for r in table.records if r.summary["weight"] == "quiet"}
            exchanges = loud(table)
            passes = {r.slip for r in table.records if r.procedure == "rotl.pass"}
            assert {r.procedure for r in table.records if r.slip in quiet} >= {"rotl.begin", "rotl.pass"}
            assert device.until(lambda: all(f"No {n:04d}" in _printed(device) for n in exchanges), 20)
            assert len(exchanges) >= 3
            if slips == "each":
                assert not any(f"No {n:04d}" in _printed(device) for n in quiet)
            else:
                assert not any(f"No {n:04d}" in slip.text.splitlines()[0] for slip in device.slips for n in passes)


def _printed(device: VirtualPrinter) -> str:
    return "\n".join(slip.text for slip in device.slips)
