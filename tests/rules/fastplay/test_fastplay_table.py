"""The game at a real table: its journal on disk, mended and read again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion import papers
from companion.game.club import Club, as_csv
from companion.game.errors import UsageError
from companion.game.journal import CLUB, Journal
from companion.game.table import Table
from companion.game.tables import Tables
from printouts import document as doc
from printouts import text
from tests.rules.fastplay.rig import pilot


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    found = Journal(tmp_path)
    yield found
    found.close()


def fought(journal: Journal) -> Table:
    """Anna, four victories on her licence, has shot Karl down; his landing is still to be rolled."""
    pilots = [pilot("Anna", "Allies", at="J5", victories=4), pilot("Karl", "Axis", at="K5")]
    table = Table.create(journal, "t", "fastplay", {"pilots": pilots})
    table.open("choose", seat="anna")
    for who in ("anna", "karl"):
        table.answer(f"cards@{who}/stack", ["2ST", "2ST", "2ST"], seat=who)
    for faces in ([6, 6, 6, 6, 6], [6, 1, 1, 1, 1]):
        table.open("reveal", seat="anna")
        table.open("move", seat="anna")
        table.open("fire:anna", seat="anna")
        table.answer("shoot", faces, seat="anna")
        table.open("close", seat="anna")
    table.open("losses", seat="anna")
    return table


def licence(table: Table, who: str) -> tuple[int, int]:
    pilot = table.state.pilot(who)
    return pilot.victories, pilot.licence


@pytest.mark.rule("fastplay:Victories")
@pytest.mark.rule("fastplay:Crash Landings: out of action")
def test_undo_takes_a_victory_off_again_and_gives_a_lost_licence_back(journal: Journal) -> None:
    table = fought(journal)
    table.answer("landing:karl/crash", [6], seat="karl")
    assert (licence(table, "anna"), licence(table, "karl")) == ((5, 1), (0, 2))
    table.undo(seat="anna")
    assert (licence(table, "anna"), licence(table, "karl")) == ((4, 1), (0, 1))
    again = Table(journal, "t")
    assert again.state == table.state
    again.redo(seat="anna")
    assert (licence(again, "anna"), licence(again, "karl")) == ((5, 1), (0, 2))


@pytest.mark.rule("fastplay:Crash Landings")
def test_an_amended_landing_gives_the_licence_back(journal: Journal) -> None:
    table = fought(journal)
    table.answer("landing:karl/crash", [6], seat="karl")
    number = table.played[-1].number
    table.amend(number, "landing:karl/crash", {"d6": "2"}, seat="anna", reason="misread")
    assert licence(table, "karl") == (0, 1)
    assert licence(Table(journal, "t"), "karl") == (0, 1)


def test_a_deck_is_printed_with_the_tables_own_cells_and_switches(tmp_path: Path) -> None:
    """Two hard turns fewer by the table's deck, and one card that moves by the players' own pack, without a dagger."""
    tables = Tables(tmp_path)
    cells = {
        "fastplay.deck:standard": "1ST 1, 2ST 3, 3ST 0, SL 1, SR 1, L 2, R 2, HL 2, HR 2",
        "fastplay.move:SL": "F F SL",
    }
    pilots = [pilot("Anna", "Allies", "Hurricane"), pilot("Karl", "Axis")]
    table = tables.new("fastplay", {"pilots": pilots}, cells=cells, switches={"manoeuvrability": False})
    made = papers.document(tables, "fastplay.decks", {"table": table.key, "seat": "anna"})
    alts = [block.alt for block in doc.walk(made.blocks) if isinstance(block, doc.Drawing)]
    fronts = [alt for alt in alts if not alt.startswith("back")]
    assert sum(alt.startswith("HL,") for alt in fronts) == 2, "the switch leaves the Hurricane its turns"
    assert "SL, Sideslip left: F F SL" in fronts
    summed = text.render(papers.document(tables, "fastplay.summary", {"table": table.key}), 80)
    assert "Not at this table: Decks differ by aircraft." in summed
    assert "F F SL" in summed
    tables.close()


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    found = Tables(tmp_path)
    yield found
    found.close()


def licences(tables: Tables) -> dict[str, tuple[int, int]]:
    return {p["name"]: (p["victories"], p["licence"]) for p in tables.club.pilots("fastplay")}


EVE = {"name": "Eve", "side": "Allies", "aircraft": "Zero", "victories": 0, "licence": 1}
LOST = 6
"""A landing that the pilot does not survive."""
PILOTS = {"pilots": [pilot("Anna", "Allies", at="J5", victories=4), pilot("Karl", "Axis", at="K5", victories=2)]}


def one_game(tables: Tables, setup: dict[str, Any] = PILOTS) -> Table:
    """Anna wins a victory by a ruling, and the teacher ends the game."""
    table = tables.new("fastplay", setup)
    table.rule([{"kind": "victory", "target": "anna"}], seat="host", reason="seen by all")
    table.open("finish", seat="anna")
    return table


@pytest.mark.rule("fastplay:Victories")
def test_pilots_live_on_in_the_club_from_game_to_game(tables: Tables) -> None:
    first = one_game(tables)
    assert licences(tables) == {"Anna": (5, 1), "Karl": (2, 1)}
    second = one_game(tables, tables.club.setup_again(first))
    assert second.state.pilot("anna").victories == 6
    assert (second.state.pilot("anna").at, second.state.pilot("karl").victories) == ("J5", 2)
    third = tables.new("fastplay", tables.club.setup_again(second))
    won(third, "karl")
    assert licences(tables)["Karl"] == (2, 1), "a game that goes on has not handed in its licences"
    third.set_away(True)
    assert licences(tables) == {"Anna": (6, 1), "Karl": (3, 1)}
    assert Club(tables.journal).pilots("fastplay") == tables.club.pilots("fastplay"), "read again from the disk"


def test_a_pilot_who_is_forgotten_begins_with_a_first_licence(tables: Tables) -> None:
    first = one_game(tables)
    tables.club.forget("fastplay", "Anna")
    with pytest.raises(UsageError, match="no pilot 'Anna'"):
        tables.club.forget("fastplay", "Anna")
    assert licences(tables) == {"Karl": (2, 1)}
    again = tables.new("fastplay", tables.club.setup_again(first))
    assert (licence(again, "anna"), licence(again, "karl")) == ((0, 1), (2, 1))


def won(table: Table, who: str, victories: int = 1) -> None:
    table.rule([{"kind": "victory", "target": who}] * victories, seat="host", reason="seen by all")


def test_a_pilot_who_is_forgotten_does_not_come_back_with_a_game_that_goes_on(tables: Tables) -> None:
    first = one_game(tables)
    tables.club.forget("fastplay", "Anna")
    won(first, "anna")
    first.set_away(True)
    assert licences(tables) == {"Karl": (2, 1)}
    anew = tables.new("fastplay", PILOTS)
    anew.set_away(True)
    assert licences(tables)["Anna"] == (4, 1), "a new game enrols her as a new pilot"
    won(first, "anna")
    assert licences(tables)["Anna"] == (4, 1)


def test_a_renamed_pilot_keeps_the_licence_in_old_games_and_new_ones(tables: Tables) -> None:
    first = one_game(tables)
    tables.club.rename("fastplay", "Anna", "Falcon")
    tables.club.rename("fastplay", "Falcon", "Kite 2")
    assert licences(tables) == {"Kite 2": (5, 1), "Karl": (2, 1)}
    won(first, "anna")
    assert licences(tables) == {"Kite 2": (6, 1), "Karl": (2, 1)}
    again = tables.new("fastplay", tables.club.setup_again(first))
    assert (again.state.pilots[0].name, again.state.pilots[0].victories) == ("Kite 2", 6)
    again.set_away(True)
    other = tables.new("fastplay", PILOTS)
    other.set_away(True)
    assert licences(tables) == {"Kite 2": (6, 1), "Karl": (2, 1), "Anna": (4, 1)}, "another child took the old name"
    assert Club(tables.journal).pilots("fastplay") == tables.club.pilots("fastplay"), "read again from the disk"


@pytest.mark.parametrize(("name", "to"), [("Anna", ""), ("Anna", "x" * 25), ("Anna", "Karl"), ("Otto", "Bea")])
def test_a_name_that_cannot_be_is_refused(tables: Tables, name: str, to: str) -> None:
    one_game(tables)
    with pytest.raises(UsageError):
        tables.club.rename("fastplay", name, to)
    assert licences(tables) == {"Anna": (5, 1), "Karl": (2, 1)}


def test_whoever_is_forgotten_is_not_renamed_into_an_old_game(tables: Tables) -> None:
    first = one_game(tables)
    tables.club.forget("fastplay", "Anna")
    tables.new("fastplay", PILOTS).set_away(True)
    tables.club.rename("fastplay", "Anna", "Bea")
    won(first, "anna")
    assert licences(tables) == {"Bea": (4, 1), "Karl": (2, 1)}


@pytest.mark.rule("fastplay:Victories")
def test_a_victory_that_is_taken_back_in_a_game_that_is_over_comes_off_the_licence_that_flies_on(
    tables: Tables,
) -> None:
    """Anna won one by dice, then flew two games more; the first game is put right, undone and brought back."""
    first = fought(tables.journal)
    first = tables.get(first.key)
    first.answer("landing:karl/crash", [LOST], seat="karl")
    first.set_away(True)
    assert licences(tables) == {"Anna": (5, 1), "Karl": (0, 2)}
    for _ in range(2):
        latest = tables.latest()
        assert latest is not None
        again = tables.new("fastplay", tables.club.setup_again(latest))
        for who in ("anna", "karl"):
            won(again, who)
        again.set_away(True)
    assert licences(tables) == {"Anna": (7, 1), "Karl": (2, 2)}
    first.undo(seat="host", agreed="host")
    assert licences(tables) == {"Anna": (6, 1), "Karl": (2, 1)}
    first.redo(seat="host")
    assert licences(tables) == {"Anna": (7, 1), "Karl": (2, 2)}
    assert Club(tables.journal).pilots("fastplay") == tables.club.pilots("fastplay")


def test_a_victory_that_is_taken_back_takes_none_from_a_licence_that_was_begun_since(tables: Tables) -> None:
    first = fought(tables.journal)
    first = tables.get(first.key)
    first.answer("landing:karl/crash", [1], seat="karl")
    first.set_away(True)
    again = tables.new("fastplay", tables.club.setup_again(first))
    again.rule([{"kind": "out_of_action", "target": "anna"}], seat="host", reason="seen by all")
    won(again, "anna", 2)
    again.set_away(True)
    assert licences(tables)["Anna"] == (2, 2)
    first.undo(seat="host", agreed="host")
    assert licences(tables)["Anna"] == (2, 2)


def test_the_list_of_pilots_is_a_file_for_a_spreadsheet(tables: Tables) -> None:
    one_game(tables)
    lines = as_csv([*tables.club.pilots("fastplay"), {**EVE, "name": "=1+1"}]).splitlines()
    assert lines == [
        "name,side,aircraft,victories,licence",
        "Anna,Allies,Me-109,5,1",
        "Karl,Axis,Me-109,2,1",
        "'=1+1,Allies,Zero,0,1",
    ]


def test_what_a_club_keeps_is_written_once(tables: Tables) -> None:
    """A game that is over and changes no more adds nothing to the club's stream."""
    table = one_game(tables)
    before = tables.journal.head(CLUB)
    table.set_away(True)
    table.set_away(False)
    assert tables.journal.head(CLUB) == before
