"""The set-up-again sheet: everything that a spectator sees of a table, on paper, for every game."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import papers
from companion.game import registry, views
from companion.game.errors import UsageError
from companion.game.tables import Tables
from drivers.printers.virtual import VirtualPrinter
from printouts import qr, text, thermal

LINK = "http://192.168.1.23:8080/e/x"


def _flat(printed: str) -> str:
    return " ".join(printed.split())


@pytest.mark.parametrize("game", registry.keys())
def test_every_value_of_every_piece_is_on_the_sheet(game: str, tmp_path: Path) -> None:
    tables = Tables(tmp_path)
    table = tables.new(game)
    seen = views.view(table, "")
    document = papers.document(tables, "again", {"table": table.key, "link": LINK})
    printed = _flat(text.render(document, 200))
    for piece in seen["view"]["pieces"]:
        after = printed[printed.index(piece["title"]) :]
        for field in piece["fields"]:
            assert f"{field['label']} {field['value']}" in after, (piece["title"], field["label"])
    for told in (table.name, seen["phase"], seen["chain"], qr.address(LINK)):
        assert told in printed
    tables.close()


def test_an_act_under_way_is_told_with_the_dice_that_lie(tmp_path: Path) -> None:
    tables = Tables(tmp_path)
    table = tables.new("aod")
    table.open("fire:3:11", seat="host")
    table.answer("announce/burst", "normal", seat="host")
    table.answer(table.asks[0].address, [6], seat="host")
    printed = _flat(text.render(papers.document(tables, "again", {"table": table.key}), 48))
    assert f"Turn of {table.due().seat}" in printed
    assert table.current is not None
    assert table.current.title in printed
    assert all(_flat(ask.text) in printed for ask in table.asks)
    tables.close()


def test_a_seat_that_is_not_at_the_table_sees_nothing(tmp_path: Path) -> None:
    tables = Tables(tmp_path)
    key = tables.new("rotl").key
    for seat in ("host", "nobody"):
        with pytest.raises(UsageError, match="has no seat"):
            papers.document(tables, "again", {"table": key, "seat": seat})
    tables.close()


def test_it_also_prints_on_a_till(tmp_path: Path) -> None:
    tables = Tables(tmp_path)
    document = papers.document(tables, "again", {"table": tables.new("aod").key, "link": LINK})
    paper = VirtualPrinter(58)
    paper.open()
    paper.write(thermal.render(document, thermal.Profile("till")).data, 20.0)
    assert "SET UP AGAIN" in paper.tape.text
    tables.close()
