"""Cards, counters and sheets: what stands on them, and that house values are marked."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from companion.rules.rotl import GAME
from companion.rules.rotl.cards import house_deck, own_deck
from companion.rules.rotl.state import Dogfight
from companion.umpire import Change, UsageError
from printouts import document as doc
from printouts import text
from tests.rules.rotl.hangar import TYPES
from tests.rules.rotl.tables import dogfight, element


def make(key: str, state: Dogfight | None = None, seat: str = "", **fields: str) -> doc.Document:
    return GAME.papers[key].make(state, seat, **fields)  # type: ignore[no-any-return]


def words(block: doc.Block | doc.Card | doc.Document) -> str:
    """All that can be read of it."""
    blocks = block.front + block.back if isinstance(block, doc.Card) else getattr(block, "blocks", (block,))
    return text.render(doc.Document("", tuple(blocks)), 110)


def pieces(document: doc.Document) -> tuple[doc.Card | doc.Chit, ...]:
    (sheet,) = (b for b in document.blocks if isinstance(b, doc.Sheet))
    return sheet.pieces


def test_leader_and_wingman_cards_have_both_sides_at_card_size() -> None:
    leader, wingman = pieces(make("aircraft", aircraft="Bf-110C"))
    assert {(p.width_mm, p.height_mm) for p in (leader, wingman)} == {(63.0, 88.0)}
    assert isinstance(leader, doc.Card)
    assert isinstance(wingman, doc.Card)
    front, back = (words(doc.Document("", side)) for side in (leader.front, leader.back))
    assert "DAMAGED" in back
    assert "Shot down at" in back
    assert [line.split()[-1] for line in front.splitlines() if "Gunner" in line] == ["1"]
    assert "3†" in front
    assert "Offensive" in words(wingman)
    assert len(pieces(make("aircraft"))) == 28
    assert [line.split()[-1] for line in front.splitlines() if "service" in line or "Points" in line] == ["1939†", "4"]
    unknown = words(doc.Document("", pieces(make("aircraft", _unknown()))[0].front))  # type: ignore[union-attr]
    assert "service" not in unknown
    assert "Points" not in unknown


def _unknown() -> Dogfight:
    """Cards whose year and points nobody has read."""
    return dogfight(element("X1", "Jet"), element("A1", "Turbo"), types=TYPES)


def test_a_damaged_side_is_house_even_where_the_undamaged_is_printed() -> None:
    _, wingman = pieces(make("aircraft", aircraft="Fw-190A"))
    assert isinstance(wingman, doc.Card)
    front, back = (words(doc.Document("", side)) for side in (wingman.front, wingman.back))
    lines = [next(line for line in side.splitlines() if "Offensive" in line) for side in (front, back)]
    assert ["†" in line for line in lines] == [False, True]


def test_cards_of_a_table_are_those_of_a_seat_and_rockets_have_no_wingman() -> None:
    state = dogfight(element("X1", "Rocket", wingman=False), element("A1", "Mosquito"), types=TYPES)
    assert len(pieces(make("aircraft", state, "axis"))) == 1
    assert len(pieces(make("aircraft", state))) == 3
    assert "small target" in words(pieces(make("aircraft", state, "allies"))[0])
    (special, _) = pieces(make("aircraft", state, aircraft="Ta-152H-1"))
    assert "Full Throttle at Very High" in words(special)
    (methanol, _) = pieces(make("aircraft", state, aircraft="Bf-109G"))
    assert "1 Full Throttle counter" in words(methanol)
    assert "†" not in words(methanol)
    (low, _) = pieces(make("aircraft", state, aircraft="Lowflyer"))
    assert "Highest level" in words(low)
    with pytest.raises(UsageError, match="no aircraft 'Camel'"):
        make("aircraft", aircraft="Camel")


def test_every_action_card_is_there_as_often_as_in_the_deck() -> None:
    cards = pieces(make("cards"))
    assert len(cards) == 80
    names = Counter(words(card).splitlines()[0].strip("[] ") for card in cards)
    assert sorted(names.values()) == sorted(c.copies for c in house_deck().values())
    assert "any card" in words(pieces(make("cards"))[_index("ace")])
    assert "†" not in words(pieces(make("cards"))[_index("ace")]), "the text says what an ACE answers"
    assert "OOS, VER†" in words(pieces(make("cards"))[_index("ver")])
    assert "1B / 2" in words(pieces(make("cards"))[_index("ims-1b2d")])
    assert "2B / 3†" in words(pieces(make("cards"))[_index("ims-2b")])


def _index(key: str) -> int:
    """Where the first card of this kind lies in the sheet."""
    keys = [k for k, card in house_deck().items() for _ in range(card.copies)]
    return keys.index(key)


def test_cards_of_an_own_deck_bear_no_dagger() -> None:
    deck = own_deck({"x": {"kind": "IMS", "title": "Mine", "colour": "red", "level": "E", "bursts": 1, "hits": 1}})
    state = replace(dogfight(element("X1", "Bf-109E"), element("A1", "P-51D")), deck=deck)
    (card,) = pieces(make("cards", state))
    assert "1B / 1" in words(card)
    assert "†" not in words(card)
    assert "†" not in words(make("aid", state))


def test_the_counters_are_enough_for_a_table() -> None:
    faces = Counter(p.front.text for p in pieces(make("counters")) if isinstance(p, doc.Chit))
    assert (faces["VH"], faces["L"], faces["FUT"], faces["M"]) == (6, 6, 12, 0)
    orders = [p for p in pieces(make("counters")) if isinstance(p, doc.Chit) and p.front.small == "order"]
    assert len(orders) == 6
    (initiative,) = (p for p in pieces(make("counters")) if isinstance(p, doc.Chit) and p.front.small == "initiative")
    assert initiative.back
    assert (initiative.front.text, initiative.back.text) == ("Axis", "Allies")
    two = dogfight(element("X1", "Bf-109E"), element("A1", "P-51D"))
    assert sum(p.front.text == "VL" for p in pieces(make("counters", two)) if isinstance(p, doc.Chit)) == 2


def test_pilot_counters_by_name_or_of_a_table() -> None:
    (anna,) = pieces(make("pilots", name="Anna", nation="Germany", skills="bu, a", aircraft="Bf-109"))
    assert isinstance(anna, doc.Chit)
    assert (anna.front.text, anna.front.small) == ("A BU", "Anna · Germany · Bf-109")
    with pytest.raises(UsageError, match="'X' is not a pilot's skill"):
        make("pilots", skills="X")
    state = dogfight(element("X1", "Bf-109E", pilot="Otto", skills=("D",)), element("A1", "P-51D"))
    (otto,) = pieces(make("pilots", state))
    assert isinstance(otto, doc.Chit)
    assert otto.front.small == "Otto · Bf-109E"
    nobody = dogfight(element("X1", "Bf-109E"), element("A1", "P-51D"))
    assert not any(isinstance(b, doc.Sheet) for b in make("pilots", nobody).blocks)


def test_the_log_is_filled_in_as_far_as_it_is_known() -> None:
    state = dogfight(element("X1", "Bf-109E"), element("A1", "P-51D"), holds=(("X1", "Tailing", "A1"),))
    state = GAME.apply(state, Change("hits", "X1.1", 2))
    log = make("log", state, "axis")
    (panel,) = (b for b in doc.walk(log.blocks) if isinstance(b, doc.Panel))
    assert panel.title == "X1 Bf-109E · Axis"
    (table,) = (b for b in panel.blocks if isinstance(b, doc.Table))
    assert table.rows[1][:5] == ("2", "Medium", "Tailing A1", "0", "1")
    first = next(b for b in panel.blocks if isinstance(b, doc.Track))
    assert [(b.used, b.heavy) for b in first.boxes] == [
        (True, False), (True, False), (False, True), (False, False), (False, False), (False, True)
    ]  # fmt: skip
    other = make("log", replace(state, holds=()), "axis")
    assert "Neutral" in words(other)
    assert sum(isinstance(b, doc.Panel) for b in doc.walk(make("log").blocks)) == 6


def test_the_victory_sheet_adds_up() -> None:
    elements = [element("X1", "Bf-109E"), element("A1", "P-51D")]
    state = GAME.apply(dogfight(*elements), Change("hits", "A1.1", 4))
    sheet = words(make("victory", state))
    assert "Axis Marginal Victory" in sheet
    assert "+2" in sheet
    rows = [row for b in make("victory", state).blocks if isinstance(b, doc.Table) for row in b.rows]
    assert ("A1 P-51D", "A1.1", "flying, damaged", "4", "2 Axis") in rows
    assert ("X1 Bf-109E", "X1.1", "flying", "0", "") in rows
    given = replace(state, bonus={"Axis": 0, "Allies": 3})
    assert "Allies, as a bonus" in words(make("victory", given))
    assert "Axis, as a bonus" not in words(make("victory", given))
    even = words(make("victory", dogfight(*elements)))
    assert "Axis less Allies" in even
    assert "+0" not in even
    one = dogfight(element("X1", "Bf-109E", wingman=False), element("A1", "P-51D", wingman=False))
    assert "not graded" in words(make("victory", one))
    assert "Destroyed 5" in words(make("victory"))


def test_the_play_aid_marks_answers_that_nothing_proves() -> None:
    aid = words(make("aid"))
    assert "yes†" in aid
    assert "house value" in aid
    for chart in ("Following an altitude change", "Disengagement", "Cards that change position"):
        assert chart in aid
