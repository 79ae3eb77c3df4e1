"""The game at a real table: a journal on disk, seats that see their own cards, a power cut in the middle of a chain."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.game import dealing, foresight
from companion.game.chances import of_open_act
from companion.game.errors import NotYours
from companion.game.journal import Journal
from companion.game.proof import verify
from companion.game.table import Table
from companion.game.views import view
from companion.rules.rotl import GAME
from companion.rules.rotl.state import Dogfight
from tests.rules.rotl.tables import liking

SEATS = ("axis", "allies")


@pytest.fixture(autouse=True)
def same_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """The deck is dealt alike each time."""
    monkeypatch.setattr(dealing, "_RANDOM", Random(1))


@pytest.fixture
def journal(tmp_path: Path) -> Any:
    found = Journal(tmp_path)
    yield found
    found.close()


def new_table(journal: Journal, **switches: Any) -> Table:
    return Table.create(journal, "t", "rotl", GAME.demo(), switches=switches)


def one_step(table: Table, rng: Random) -> None:
    """Answer what is asked, or open an act; each by the seat that may."""
    if table.asks:
        ask = table.asks[0]
        if ask.dice is not None:
            table.answer(ask.address, [rng.choice(ask.dice.slots[0].die.names)], seat="host")
            return
        assert ask.space is not None
        table.answer(ask.address, ask.space.pick(rng), seat=ask.seat)
        return
    acts = [a for a in table.due().acts if not a.barred and a.key != "disengage"]
    act = rng.choices(acts, [liking(a.key) for a in acts])[0]
    table.open(act.key, seat=act.seat or "host")


def play_until(table: Table, rng: Random, done: Any) -> None:
    for _ in range(4000):
        if done(table):
            return
        one_step(table, rng)
    raise AssertionError("That does not happen.")


def in_a_chain(table: Table) -> bool:
    return any(a.role == "respond" for a in table.asks)


def test_a_whole_game_with_the_tables_own_deck(journal: Journal) -> None:
    table, rng = new_table(journal), Random(2)
    play_until(table, rng, lambda t: t.due().over)
    state: Dogfight = table.state
    assert state.phase == "over"
    again = Table(journal, "t")
    assert again.state == state
    assert any(r.procedure == "rotl.attack" for r in table.records)


def test_a_draw_is_the_tables_to_answer_and_gives_cards_that_are_there(journal: Journal) -> None:
    table = new_table(journal)
    play_until(table, Random(3), lambda t: t.state.phase == "initiative")
    state: Dogfight = table.state
    assert [len(e.hand) for e in state.elements] == [5, 5, 3, 4]
    assert len(GAME.pile(state) or ()) == state.pile == 80 - 17


def test_printed_cards_are_drawn_by_the_players(journal: Journal) -> None:
    table = new_table(journal, cards="printed")
    play_until(table, Random(3), lambda t: any(a.kind == "draw" for a in t.asks))
    table.answer(table.asks[0].address, 5, seat=table.asks[0].seat)
    assert table.asks[0].kind == "draw"


def test_a_power_cut_in_the_middle_of_a_chain_changes_nothing(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    table, rng = new_table(journal), Random(5)
    play_until(table, rng, in_a_chain)
    before = [view(table, seat) for seat in SEATS]
    journal.close()
    journal = Journal(tmp_path)
    again = Table(journal, "t")
    assert [view(again, seat) for seat in SEATS] == before
    play_until(again, rng, lambda t: not t.asks)
    journal.close()


def test_cards_that_were_taken_back_come_again(journal: Journal) -> None:
    table, rng = new_table(journal), Random(7)
    play_until(table, rng, lambda t: t.state.phase == "initiative" and not t.asks)
    hands = [e.hand for e in table.state.elements]
    with pytest.raises(NotYours):
        table.undo(seat="axis")
    table.undo(seat="axis", agreed="allies")
    assert table.state.phase == "deal"
    play_until(table, rng, lambda t: t.state.phase == "initiative")
    assert [e.hand for e in table.state.elements] == hands


def test_what_a_seat_is_sent_names_no_card_of_another(journal: Journal) -> None:
    """The host's eyes aside, options and odds of a secret choice go to its own seat alone."""
    table, rng = new_table(journal), Random(11)
    checked = 0
    while not table.due().over:
        if in_a_chain(table):
            ask = table.asks[0]
            other = next(s for s in SEATS if s != ask.seat)
            assert "space" in asked(table, ask.seat)
            assert "space" not in asked(table, other)
            assert "space" not in asked(table, "")
            assert of_open_act(table, other)["outcomes"] == []
            checked += 1
        one_step(table, rng)
    assert checked


def asked(table: Table, seat: str) -> dict[str, Any]:
    return view(table, seat)["open"]["asks"][0]  # type: ignore[no-any-return]


def test_every_act_of_a_game_is_verified_by_playing_it_again(journal: Journal) -> None:
    table, rng = new_table(journal), Random(13)
    play_until(table, rng, lambda t: t.state.game_turn == 2 and not t.asks)
    assert verify(Table(journal, "t")) == []


def test_a_seat_is_shown_the_chance_of_an_answer_to_each_card_and_no_other_seat_is(journal: Journal) -> None:
    table, rng = new_table(journal), Random(11)
    play_until(table, rng, in_a_chain)
    ask = table.asks[0]
    other = next(s for s in SEATS if s != ask.seat)
    for eyes in (other, "host", ""):
        assert foresight.of_open_act(table, eyes)["groups"] == []
    assert ask.space is not None
    legal = [key for key in ask.space.legal if key != "pass"]
    shown = {
        g["option"]: [row["result"] for row in g["rows"]] for g in foresight.of_open_act(table, ask.seat)["groups"]
    }
    assert set(shown) == set(legal)
    assert all("answer" in words for rows in shown.values() for words in rows)


def test_nothing_is_foretold_where_nothing_is_left_to_chance(journal: Journal) -> None:
    table, rng = new_table(journal), Random(11)
    play_until(table, rng, lambda t: any(a.role == "discard" for a in t.asks))
    assert foresight.of_open_act(table, table.asks[0].seat)["groups"] == []


def test_a_table_without_odds_shows_none(journal: Journal) -> None:
    table, rng = new_table(journal), Random(11)
    play_until(table, rng, lambda t: t.state.turn is not None and not t.asks)
    seat = table.due().seat
    assert view(table, seat)["view"]["odds"]
    for setting in ("asked", "off"):
        table.adjust({"odds": setting}, seat="host")
        assert view(table, seat)["view"]["odds"] == []
