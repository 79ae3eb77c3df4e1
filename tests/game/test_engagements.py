"""Slips by engagement: which acts belong together, when one is over, and how much paper it takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.game import engagements
from companion.game.slip import slip
from companion.game.table import Table
from companion.game.tables import Tables
from printouts import thermal
from printouts.document import Document


@pytest.fixture
def fight(tmp_path: Path) -> Table:
    return Tables(tmp_path).new("aod")


def play(table: Table, act: str, *faces: str) -> int:
    """An act to its end: every choice the first, every die the next of these faces, or a six."""
    thrown = list(faces)
    table.open(act, seat="host")
    number = table.version
    while table.current:
        ask = table.asks[0]
        if ask.dice is not None:
            names = ask.dice.slots[0].die.names
            face = thrown.pop(0) if thrown else "6" if "6" in names else names[0]
            table.answer(ask.address, [face] * len(ask.open_slots), seat="host")
        else:
            legal = ask.space.legal[0] if ask.space else None
            table.answer(ask.address, list(legal) if isinstance(legal, tuple) else legal, seat="host")
    return number


def slips(groups: list[list[object]]) -> list[list[int]]:
    return [[record.slip for record in group] for group in groups]  # type: ignore[attr-defined]


def test_an_engagement_lasts_until_another_piece_acts(fight: Table) -> None:
    play(fight, "fire:3:11", "1")
    assert slips(engagements.of(fight)) == [[1]]
    assert engagements.over(fight) == []
    play(fight, "throttle:3")
    assert slips(engagements.of(fight)) == [[1, 2]]
    fight.open("throttle:4", seat="host")
    assert slips(engagements.over(fight)) == [[1, 2]]
    fight.undo(seat="host", agreed="host")
    assert engagements.over(fight) == []
    play(fight, "end_turn")
    assert slips(engagements.of(fight)) == [[1, 2], [4]] or slips(engagements.of(fight)) == [[1, 2], [3]]
    assert slips(engagements.over(fight)) == [[1, 2]]  # nothing was thrown at the end of a turn


def test_a_table_that_is_put_away_ends_its_engagement_and_undone_acts_are_no_part_of_it(fight: Table) -> None:
    play(fight, "fire:3:11", "1")
    play(fight, "throttle:3")
    fight.undo(seat="host", agreed="host")
    assert slips(engagements.of(fight)) == [[1]]
    fight.set_away(True)
    assert slips(engagements.over(fight)) == [[1]]


def length_mm(document: Document) -> float:
    """Of paper of 58 mm, with the feed past the cutter."""
    return thermal.render(document, thermal.Profile("till", cutter="partial")).paper_mm


def test_a_burst_takes_twelve_centimetres_and_each_further_one_five(fight: Table) -> None:
    """A hit with all its lines and the code; the further act is another burst, the fullest of its kind."""
    first = play(fight, "fire:3:11", "6", "6", "6")
    link = "http://192.168.1.23:8080/e/9f3k"
    one = length_mm(slip(fight, first, link=link))
    two = length_mm(slip(fight, first, link=link, more=[first]))
    fight.adjust({"length": "short"}, seat="host")
    assert one <= 120
    assert two - one <= 50
    assert length_mm(slip(fight, first, link=link)) < one - 20


def test_one_slip_holds_every_act_and_a_short_one_leaves_the_sums_out(fight: Table) -> None:
    first = play(fight, "fire:3:11", "1")
    more = [play(fight, "throttle:3"), play(fight, "throttle:3")]
    text = repr(slip(fight, first, more=more))
    assert text.count("Full throttle") >= 2
    assert "No 0002" in text
    fight.adjust({"length": "short"}, seat="host")
    short = repr(slip(fight, first, more=more))
    assert "TARGETING" not in short
    assert "MISS" in short
    fight.undo(seat="host", agreed="host")
    assert "No 0003 was taken back" in repr(slip(fight, first, more=more))
