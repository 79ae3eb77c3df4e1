"""Paper is short: a burst with its link takes at most 12 cm of the narrow roll, each one after it at most 5 cm."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from companion.config import PrinterConfig
from companion.game.slip import slip
from companion.game.table import HOST, Table
from companion.game.tables import Tables
from companion.printing import _profile
from companion.umpire import Illegal
from drivers.printers.virtual import VirtualPrinter
from printouts import thermal

LINK = "http://192.168.1.23:8080/e/9f3k"
DOTS_A_MM = 203 / 25.4
SIDES = (
    {"key": "1", "type": "Me 262 Schwalbe", "pilot": "Ace", "side": "Axis"},
    {"key": "2", "type": "Me 410 Hornisse", "side": "Axis"},
    {"key": "11", "type": "B-17 Flying Fortress", "side": "Allies"},
    {"key": "12", "type": "B-25 J Mitchell", "side": "Allies"},
    {"key": "13", "type": "Spitfire Mk IX", "side": "Allies", "manoeuvre": "steep dive"},
)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tables]:
    found = Tables(tmp_path_factory.mktemp("tables"))
    yield found
    found.close()


def fought(tables: Tables, rng: Random) -> tuple[Table, int] | None:
    """An engagement with every optional rule, dice and decisions at random; None where it was not allowed."""
    table = tables.new("aod", {"aircraft": list(SIDES)}, preset="full")
    acts = [act for act in table.due().acts if act.procedure == "aod.fire" and not act.barred]
    try:
        number = table.open(rng.choice(acts).key, seat=HOST)
        while table.asks:
            ask = table.asks[0]
            role = ask.address.rsplit("/", 1)[-1]
            if ask.dice:
                given: object = [rng.choice(slot.die.faces).name for slot in ask.dice.slots]
            elif role.startswith("speed"):
                given = rng.randint(8, 11)
            elif role in ("cloud", "fog"):
                given = "no"
            else:
                assert ask.space
                chosen = rng.choice(ask.space.legal)
                given = list(chosen) if isinstance(chosen, tuple) else chosen
            table.answer(ask.address, given, seat=HOST)
    except Illegal:
        return None
    return table, number


def length_mm(table: Table, number: int) -> float:
    """As it comes out of a printer, to the cut."""
    paper = _profile(PrinterConfig("till", "tcp://127.0.0.1", cutter="partial"))
    printer = VirtualPrinter(58)
    printer.open()
    printer.write(thermal.render(slip(table, number, link=LINK), paper).data, 5.0)
    return printer.slips[-1].picture().height / DOTS_A_MM


@pytest.mark.parametrize("seed", range(8))
def test_a_burst_takes_12_cm_and_each_one_after_it_5(tables: Tables, seed: int) -> None:
    rng, seen = Random(seed), 0
    while seen < 12:
        done = fought(tables, rng)
        if done is None or not done[0].record(done[1]).slip:
            continue
        seen += 1
        table, number = done
        bursts = sum("targeting" in line["title"].lower() for line in table.record(number).lines)
        assert length_mm(table, number) <= 120 + 50 * (bursts - 1)
