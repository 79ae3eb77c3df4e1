"""The fairness page: each die of each source over all tables, in the words of the command line."""

from __future__ import annotations

from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from companion import dice
from companion.game import throws
from companion.game.intake import Intake
from companion.game.table import Table
from companion.web.parts import Parts
from drivers.dice import Face
from tests.cli.rig import run
from tests.loops import in_own_loop


def throw(table: Table, source: str, *faces: Face) -> None:
    Intake(table, lambda _seconds, _do: None, hold=0).arrive(source, faces, at=table.asked_at + 1)


def shots(table: Table, source: str, count: int) -> None:
    for _ in range(count):
        table.open("shoot:ann>bob", seat="ann")
        table.answer("far", "near", seat="ann")
        throw(table, source, Face("w", 6, "d6"))
        throw(table, source, Face("w", 6, "d6"), Face("r", 1, "d6"))


def lines(page: str) -> list[str]:
    cards = unescape(page).split('<div class="card found">')[1:]
    return [c.split("<strong>")[1].split("</strong>")[0] + ": " + c.split("</p><p>")[1].split("</p>")[0] for c in cards]


def test_page_and_command_say_the_same_of_each_die(phone: TestClient, parts: Parts, tmp_path: Path) -> None:
    assert "No dice were thrown at these tables yet." in phone.get("/fairness").text
    assert 'href="/fairness"' in phone.get("/").text
    for _ in range(2):
        shots(parts.tables.new("toy"), "Oak", 20)
    said = lines(phone.get("/fairness").text)
    assert [line.split(":")[0] for line in said] == ["Oak, die r, d6", "Oak, die w, d6", "Oak, all d6"]
    assert "6 came 80 times" in said[1]
    assert "no 6 in 40 throws" in said[0] or "1 came 40 times" in said[0]
    copy = tmp_path / "copy"
    copy.mkdir()
    parts.tables.journal.backup(copy / "companion.db")
    told = run("dice", "fairness", "--data", str(copy)).stdout.splitlines()
    assert told == said


def test_a_table_that_has_not_changed_is_not_counted_again(
    parts: Parts, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    shots(table, "Oak", 3)
    known: dict[str, tuple[int, list[object]]] = {}
    first = in_own_loop(dice.tallied(parts, known))
    monkeypatch.setattr(throws, "of_records", None)
    assert in_own_loop(dice.tallied(parts, known)) == first


def test_a_long_table_is_counted_a_few_acts_at_a_time(
    parts: Parts, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    shots(table, "Oak", 7)
    whole = throws.tallies([table])
    monkeypatch.setattr(throws, "SLICE", 3)
    assert [throws.Tally(**tally) for tally in in_own_loop(dice.tallied(parts, {}))] == whole


def test_a_die_thrown_again_by_hand_is_not_that_of_the_tower(parts: Parts, table: Table) -> None:
    table.open("shoot:ann>bob", seat="ann")
    table.answer("far", "near", seat="ann")
    throw(table, "Oak", Face("w", 6, "d6"))
    throw(table, "Oak", Face("w", 2, "d6"))
    table.void("harm", "red 1", seat="ann", reason="cocked")
    table.answer("harm", {"red 1": "4", "red 2": "3"}, seat="ann")
    assert [(t.source, t.die, t.counts) for t in throws.tallies([table])] == [
        ("Oak", "w", {"6": 1}),
        ("by hand", "", {"4": 1, "3": 1}),
    ]
