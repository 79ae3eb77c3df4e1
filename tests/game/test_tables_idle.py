"""Tables that nobody looks at leave the memory, come back equal, and are never two at once."""

from __future__ import annotations

import gc
import tracemalloc
import weakref

import pytest

from companion.game import ledger
from companion.game.errors import NoTable
from companion.game.ledger import UNPACKED
from companion.game.proof import verify
from companion.game.table import Table
from companion.game.tables import KEPT, Tables
from companion.game.throws import tallies
from companion.game.views import result_data, view
from tests.game.conftest import again, shown
from tests.game.test_table import fire


def others(tables: Tables) -> None:
    """Enough other tables are asked for."""
    for _ in range(KEPT):
        tables.new("toy")
    gc.collect()


def test_an_idle_table_is_let_go_and_comes_back_equal(tables: Tables) -> None:
    table = tables.new("toy")
    fire(table)
    table.open("shoot:bob>ann", seat="bob")
    key, before, seen = table.key, shown(table), view(table, "bob")
    gone = weakref.ref(table)
    del table
    others(tables)
    assert gone() is None
    assert tables.known(key) is None
    back = tables.get(key)
    assert shown(back) == before
    assert view(back, "bob") == seen
    back.answer("far", "near", seat="bob")
    assert verify(back) == []


def test_a_table_that_somebody_holds_is_the_same_for_all(tables: Tables) -> None:
    held = tables.new("toy")
    others(tables)
    assert tables.get(held.key) is held
    others(tables)
    assert held in tables.open_tables()
    assert tables.known(held.key) is held


def test_hooks_and_listeners_are_there_again(tables: Tables) -> None:
    opened: list[str] = []
    changed: list[str] = []
    tables.opened.append(lambda table: opened.append(table.key))
    tables.listeners.append(lambda table: changed.append(table.key))
    key = tables.new("toy").key
    others(tables)
    fire(tables.get(key))
    assert opened.count(key) == 2
    assert changed.count(key) == 4


def test_a_list_opens_no_table_that_has_not_changed(tables: Tables) -> None:
    keys = [tables.new("toy", name=f"T{n}").key for n in range(3 * KEPT)]
    assert [tables.summary(key).name for key in keys] == [f"T{n}" for n in range(3 * KEPT)]
    opened: list[Table] = []
    tables.opened.append(opened.append)
    assert [tables.summary(key).phase for key in keys] == ["Round 1"] * len(keys)
    assert opened == []
    tables.get(keys[0]).set_away(True)
    others(tables)
    opened.clear()
    assert [key for key in keys if tables.summary(key).away] == [keys[0]]
    assert [table.key for table in opened] == [keys[0]]


def test_the_dice_of_tables_long_closed_are_counted(tables: Tables) -> None:
    for _ in range(2 * KEPT):
        fire(tables.new("toy"))
    assert sum(sum(tally.counts.values()) for tally in tallies(map(tables.get, tables.listed()))) == 2 * KEPT * 3


def test_names_that_never_were_leave_nothing_behind(tables: Tables) -> None:
    tables.new("toy")
    known = len(tables.journal._heads)
    for n in range(100):
        with pytest.raises(NoTable):
            tables.get(f"none{n}")
    assert len(tables.journal._heads) == known


def test_an_old_act_reads_as_before_and_is_mended_as_before(tables: Tables, table: Table) -> None:
    numbers = [fire(table) for _ in range(UNPACKED)]
    first = table.record(numbers[0])
    unpacked = result_data(table, first) | {"latest": False}
    numbers += [fire(table) for _ in range(UNPACKED)]
    assert isinstance(first._ending, bytes)
    assert result_data(table, first) == unpacked
    table.amend(numbers[0], "harm", {"red 1": 6}, seat="ann", reason="misread")
    assert isinstance(first._ending, bytes)
    assert first.lines != unpacked["lines"]
    table.undo(seat="host", acts=len(numbers) - 1)
    assert table.state.hits["bob"] == 6 + 3
    assert shown(again(tables, table)) == shown(table)
    assert verify(table) == []


def weight(table: Table, acts: int) -> int:
    """Bytes that so many acts more leave in memory."""
    gc.collect()
    tracemalloc.start()
    try:
        for _ in range(acts):
            fire(table)
        gc.collect()
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


def test_an_act_of_long_ago_weighs_less(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = weight(tables.new("toy"), 50)
    monkeypatch.setattr(ledger, "UNPACKED", 1000)
    assert packed < 0.75 * weight(tables.new("toy"), 50)


def test_many_tables_take_no_more_memory_than_a_few(tables: Tables) -> None:
    def evening(count: int) -> None:
        for _ in range(count):
            table = tables.new("toy")
            for _ in range(4):
                fire(table)

    evening(2 * KEPT)
    gc.collect()
    tracemalloc.start()
    try:
        evening(KEPT)
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        evening(6 * KEPT)
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert len(tables.open_tables()) == KEPT
    assert grown < before / 2
