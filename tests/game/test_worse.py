"""The chance of this result or a worse one, counted when an act closes."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from companion.game import registry, worse
from companion.game.slip import slip
from companion.game.table import HOST, Table
from companion.game.tables import Tables
from companion.rules.aod.plain import Result
from companion.umpire import Context
from printouts import text

AOD = registry.game("aod")


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Tables(tmp_path).new("aod")


def burst(table: Table, aim: str, *outcome: str) -> int:
    number = table.open("fire:3:11", seat=HOST)
    table.answer("announce/burst", "normal", seat=HOST)
    table.answer("first/targeting", [aim], seat=HOST)
    if outcome:
        table.answer("first/outcome", list(outcome), seat=HOST)
    while table.asks:
        ask = table.asks[0]
        table.answer(ask.address, [s.die.faces[0].name for s in ask.dice.slots] if ask.dice else "no", seat=HOST)
    return number


def test_the_slip_says_it_and_the_journal_keeps_it(table: Table) -> None:
    number = burst(table, "6", "6", "6")
    record = table.record(number)
    assert record.summary["word"] == "HIT - DESTROYED"
    # A, two less: 4 of 6 dice hit; firepower 11 or so against 4 destroys from 13 on
    shift = sum(
        m["value"] for line in record.lines for m in line["mods"] if line["title"].lower().startswith("outcome")
    )
    ways = sum(a + b + shift >= 13 and (a, b) != (1, 1) for a in range(1, 7) for b in range(1, 7))
    assert Fraction(record.summary["worse"]) >= Fraction(ways, 36) * Fraction(1, 6)
    paper = " ".join(text.render(slip(table, number), 48).split())
    assert f"chance of this or worse {record.summary['worse']}" in paper
    again = Table(table.journal, table.key)
    assert again.record(number).summary["worse"] == record.summary["worse"]


def test_a_result_that_nothing_is_better_than_says_nothing(table: Table) -> None:
    record = table.record(burst(table, "1"))
    assert record.summary["worse"] == ""
    assert "or worse" not in text.render(slip(table, record.number), 48)


@pytest.mark.rule("aod:4.6")
def test_the_chance_is_exact() -> None:
    procedure = AOD.procedures["aod.burst"]
    inputs = procedure.inputs({"position": "A", "firepower": 4, "durability": 0})
    destroyed, damaged = Result(result="destroyed", destroyed=True), Result(result="damaged", damages=("wings",))
    # 5 of 6 hit; with 4 added 13 or more comes in 10 throws of 36, and a double, in 11 more, destroys what bears one
    assert worse.chance(AOD, "aod.burst", inputs, destroyed, (), Context()) == str(Fraction(5, 6) * Fraction(21, 36))
    # any throw but the snake eyes comes to 7 with 4 added
    assert worse.chance(AOD, "aod.burst", inputs, damaged, (), Context()) == str(Fraction(5, 6) * Fraction(35, 36))


def test_a_game_without_ranks_and_facts_that_are_missing_say_nothing() -> None:
    procedure = AOD.procedures["aod.burst"]
    inputs = procedure.inputs({"position": "A", "firepower": 4, "durability": 0})
    ended = Result(result="destroyed", destroyed=True)
    fire = AOD.procedures["aod.fire"]
    assert worse.chance(AOD, "aod.fire", fire.inputs({}), ended, (), Context()) == ""
    assert worse.chance(registry.game("fastplay"), "aod.burst", inputs, ended, (), Context()) == ""
