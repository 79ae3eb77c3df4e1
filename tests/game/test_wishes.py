"""What waits for the other side's agreement waits over a power cut, and is over as soon as the table goes on."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.game.errors import NotNow, NotYours, UsageError
from companion.game.proof import verify
from companion.game.table import Table
from companion.game.tables import Tables
from tests.game.conftest import again
from tests.game.test_table import HIT, fire


@pytest.fixture
def wished(table: Table) -> Table:
    """Ann wants her shot back."""
    fire(table)
    table.ask_to("undo", seat="ann", text="take back the shot", key="one tap")
    return table


def test_a_wish_is_in_the_journal_and_there_after_a_power_cut(tables: Tables, wished: Table) -> None:
    back = again(tables, wished)
    assert back.wish == wished.wish
    assert back.wish is not None
    assert back.wish.text == "take back the shot"
    back.settle_wish(seat="bob", agreed=True)
    assert back.played == []
    assert back.wish is None
    (undone,) = [e.body for e in back.journal.entries(back.key) if e.kind == "undone"]
    assert (undone["seat"], undone["agreed"], undone["key"]) == ("ann", "bob", "one tap")
    assert again(tables, back).wish is None
    assert verify(back) == []


def test_a_ruling_that_waited_is_made_as_it_was_wished(tables: Tables, table: Table) -> None:
    number = fire(table)
    ruling = {"changes": [HIT], "reason": "the book says so", "number": number, "word": "GRAZED"}
    table.ask_to("rule", seat="ann", text="grazed", **ruling)
    back = again(tables, table)
    back.settle_wish(seat="bob", agreed=True)
    record = back.record(number)
    assert record.ruled == {"seat": "ann", "agreed": "bob", "reason": "the book says so", "word": "GRAZED"}
    assert again(tables, back).state == back.state


def test_only_the_other_side_or_the_host_agrees(wished: Table) -> None:
    for nobody in ("ann", ""):
        with pytest.raises(NotYours):
            wished.settle_wish(seat=nobody, agreed=True)
    with pytest.raises(NotYours):
        wished.settle_wish(seat="", agreed=False)
    wished.settle_wish(seat="host", agreed=True)
    assert wished.played == []


@pytest.mark.parametrize("seat", ["ann", "bob"])
def test_it_is_taken_back_or_declined_for_good(tables: Tables, wished: Table, seat: str) -> None:
    wished.settle_wish(seat=seat, agreed=False)
    assert len(wished.played) == 1
    for table in (wished, again(tables, wished)):
        with pytest.raises(NotNow, match="Nothing waits"):
            table.settle_wish(seat="bob", agreed=True)


@pytest.mark.parametrize(
    ("deed", "waits"),
    [
        (lambda t: t.aside("tower", "5 came while nothing was asked"), True),
        (lambda t: t.adjust({"odds": "off"}, seat="ann"), True),
        (lambda t: t.open("shoot:bob>ann", seat="bob"), False),
        (lambda t: t.amend(t.records[0].number, "aim", {"white": 6}, seat="ann", reason="misread"), False),
        (lambda t: t.undo(seat="host", agreed="host"), False),
        (lambda t: t.rule([HIT], seat="host", reason="so it is"), False),
    ],
)
def test_it_is_over_once_anything_is_played(
    tables: Tables, wished: Table, deed: Callable[[Table], object], waits: bool
) -> None:
    deed(wished)
    assert (wished.wish is not None) == waits
    assert again(tables, wished).wish == wished.wish


def test_a_double_tap_is_one_wish_and_another_wish_takes_its_place(wished: Table) -> None:
    version = wished.version
    wished.ask_to("undo", seat="ann", text="take back the shot", key="one tap")
    assert wished.version == version
    wished.ask_to("undo", seat="bob", text="take back the shot", key="his tap")
    assert wished.wish is not None
    assert wished.wish.seat == "bob"


def test_what_was_taken_back_can_be_brought_back_after_a_wish_came_to_nothing(table: Table) -> None:
    fire(table)
    fire(table)
    table.undo(seat="host", agreed="host")
    table.ask_to("undo", seat="ann", text="the other one too")
    table.settle_wish(seat="bob", agreed=False)
    table.redo(seat="ann")
    assert len(table.played) == 2


def test_nobody_wishes_for_anything_else_and_no_spectator_wishes(table: Table) -> None:
    with pytest.raises(UsageError, match="Nobody has to agree to 'learn'"):
        table.ask_to("learn", seat="ann", text="x")
    with pytest.raises(NotYours):
        table.ask_to("undo", seat="", text="x")
