"""Decks, moves and stacks of cards."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.grid.hexes import Hex, Side
from companion.rules.fastplay import GAME, cards
from companion.rules.fastplay.aircraft import fleet
from companion.rules.fastplay.mat import flown
from companion.umpire import Context, Filled, Illegal, Recorded, UsageError
from tests.rules.fastplay.rig import codes, context

STANDARD = {"1ST": 1, "2ST": 3, "3ST": 0, "SL": 1, "SR": 1, "L": 2, "R": 2, "HL": 2, "HR": 2}

DECKS = {
    "Me-109": {},
    "Me-109A": {},
    "Me-110": {"HR": -1, "HL": -1},
    "Fw-190D": {"3ST": 1},
    "Me-262": {"HR": -1, "HL": -1, "3ST": 1},
    "Me-163": {"HR": -1, "HL": -1, "3ST": 1},
    "Spitfire": {"3ST": 1},
    "Hurricane": {"HR": -1, "HL": -1},
    "Mosquito": {"HR": -1, "HL": -1},
    "Mustang": {"HR": -1, "HL": -1, "3ST": 1},
    "Thunderbolt": {"HR": -1, "HL": -1},
    "Lightning": {"HR": -2, "HL": -2, "R": -1, "L": -1, "3ST": 2},
    "Corsair": {"HR": -1, "HL": -1},
    "Zero": {},
}


def deck_of(craft: str, at: Context) -> dict[str, int]:
    return dict(cards.deck(at, cards.known_copies(at), craft))


@pytest.mark.rule("fastplay:Maneuverability")
@pytest.mark.parametrize("craft", DECKS)
def test_each_aircraft_changes_the_deck_as_the_table_says(craft: str) -> None:
    expected = {code: count + DECKS[craft].get(code, 0) for code, count in STANDARD.items()}
    assert deck_of(craft, context()) == expected
    assert deck_of(craft, context(manoeuvrability=False)) == STANDARD


def test_the_table_has_all_aircraft_and_no_other() -> None:
    assert list(fleet()) == list(DECKS)


def test_the_deck_and_the_moves_are_marked_as_house_values_and_the_fast_straight_is_not() -> None:
    cells = GAME.cells()
    assert cells["fastplay.deck", "standard"].house
    assert {code for code in STANDARD if not cells["fastplay.move", code].house} == {"3ST"}
    assert ("3ST", "move") not in GAME.charts["manoeuvres"].house
    assert ("HL", "copies") in GAME.charts["manoeuvres"].house


def test_a_players_own_deck_wins_over_the_house_deck() -> None:
    own = Filled("1ST 2, 2ST 2, L 2, R 2, HL 3, HR 3", "learned at this table")
    at = Context({}, {**GAME.cells(), ("fastplay.deck", "standard"): own})
    umpire = Recorded(at)
    assert dict(cards.deck(at, cards.copies(umpire), "Hurricane"))["HL"] == 2
    assert umpire.house == []


def test_an_unknown_deck_counts_as_the_house_deck_on_a_page_only() -> None:
    assert cards.known_copies(Context()) == "1ST 1, 2ST 3, 3ST 0, SL 1, SR 1, L 2, R 2, HL 2, HR 2"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("HL two", "HL two"),
        ("XX 2", "XX 2"),
        ("HL 10", "HL 10"),
        ("HL 1, HR 2, L 2, R 2", "Lightning removes 2 HL"),
    ],
)
def test_a_deck_that_cannot_be_is_refused_with_its_reason(text: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        cards.COPIES.space.parse(text)


@pytest.mark.parametrize("text", ["", "TL F", "F X", "F F F F F F F F F"])
def test_a_move_that_the_mat_does_not_know_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is no path"):
        cards.PATH.space.parse(text)


def test_a_move_may_be_typed_in_small_letters() -> None:
    assert cards.PATH.space.parse("f tl f") == "F TL F"


# --- where the cards lead: every move ends facing a hexside, one to three hexes away

ENDS = {
    "1ST": (Hex(1, 0), Side.E),
    "2ST": (Hex(2, 0), Side.E),
    "3ST": (Hex(3, 0), Side.E),
    "SL": (Hex(1, 1), Side.E),
    "SR": (Hex(2, -1), Side.E),
    "L": (Hex(1, 1), Side.NE),
    "R": (Hex(2, -1), Side.SE),
    "HL": (Hex(1, 0), Side.NW),
    "HR": (Hex(1, 0), Side.SW),
}


@pytest.mark.rule("fastplay:Play Card and Move Planes: facing")
@pytest.mark.parametrize("code", ENDS)
def test_each_card_ends_where_the_house_move_says(code: str) -> None:
    path = GAME.cells()["fastplay.move", code].value
    assert flown(Hex(0, 0), Side.E, str(path)) == ENDS[code]


@given(st.sampled_from(sorted(ENDS)), st.sampled_from(list(Side)), st.integers(-20, 20), st.integers(-20, 20))
def test_a_card_and_its_mirror_image_lead_to_mirror_images(code: str, facing: Side, q: int, r: int) -> None:
    mirrored = code.translate(str.maketrans("LR", "RL")) if code[-1] in "LR" else code
    here = Hex(q, r)
    cells = GAME.cells()
    end, nose = flown(here, facing, str(cells["fastplay.move", code].value))
    other, other_nose = flown(here, facing, str(cells["fastplay.move", mirrored].value))
    assert here.distance(end) == here.distance(other) <= 3
    assert (nose - facing) % 6 == (facing - other_nose) % 6


# --- what a card looks like on a screen

SEEN = {"1ST": (0, 1, 90), "3ST": (0, 3, 90), "L": (-0.866, 1.5, 150), "R": (0.866, 1.5, 30), "HR": (0, 1, -30)}
"""To the right, up, and where the nose points, counter-clockwise from the right; the plane starts with its nose up."""


@pytest.mark.parametrize("role", ["stack", "card:anna"])
@pytest.mark.parametrize("code", SEEN)
def test_the_picture_of_a_card_shows_where_it_leads(code: str, role: str) -> None:
    seen = GAME.scene(context(), role, code)
    assert seen is not None
    x, y, nose = SEEN[code]
    assert (seen.own.x, seen.own.y, (seen.own.nose - nose) % 360) == (x, y, 0)
    assert seen.other is not None
    assert (seen.other.x, seen.other.y, seen.other.nose) == (0, 0, 90)


def test_the_picture_of_a_card_is_that_of_the_tables_own_move() -> None:
    at = Context({}, {("fastplay.move", "HL"): Filled("F F", "club cards")}, "use")
    seen = GAME.scene(at, "stack", "HL")
    assert seen is not None
    assert (seen.own.y, seen.own.nose) == (2, 90)


def test_other_asks_have_no_picture() -> None:
    assert GAME.scene(context(), "target", "1ST") is None
    assert GAME.scene(context(), "stack", "anna") is None


# --- stacks


def stack_of(craft: str, plays: int = 3, before: str = "") -> cards.Stack:
    return cards.stack(context(), cards.known_copies(context()), craft, plays, before)


def refusals(stack: cards.Stack, *chosen: str) -> set[str]:
    with pytest.raises(Illegal) as refused:
        stack.parse(list(chosen))
    return codes(refused.value.violations)


@pytest.mark.rule("fastplay:Choose Cards")
def test_a_stack_holds_three_cards_in_their_order() -> None:
    assert stack_of("Me-109").parse(["HL", "2st", "HL"]) == ("HL", "2ST", "HL")


def test_every_reason_against_a_stack_is_told_at_once() -> None:
    found = refusals(stack_of("Lightning"), "HL", "SL", "SL", "L")
    assert found == {"WRONG_NUMBER_OF_CARDS", "NOT_ENOUGH_COPIES", "LIGHTNING_NEEDS_STRAIGHT_OR_SLIP_FIRST"}


@pytest.mark.parametrize("given", ["2ST", ["2ST", "2ST", "XX"], 3])
def test_what_is_no_stack_of_cards_is_not_understood(given: object) -> None:
    with pytest.raises(UsageError):
        stack_of("Me-109").parse(given)


@pytest.mark.rule("fastplay:Special Cases: Lightning")
@pytest.mark.parametrize(
    ("before", "chosen", "allowed"),
    [
        ("", ["L", "2ST", "2ST"], False),
        ("2ST", ["L", "2ST", "2ST"], True),
        ("SL", ["R", "SL", "L"], True),
        ("3ST", ["L", "3ST", "R"], True),
        ("", ["SR", "L", "2ST"], True),
        ("", ["2ST", "L", "R"], False),
        ("L", ["3ST", "3ST", "L"], True),
    ],
)
def test_a_lightning_flies_straight_or_slips_on_the_card_before_a_turn(
    before: str, chosen: list[str], allowed: bool
) -> None:
    stack = stack_of("Lightning", before=before)
    if allowed:
        assert stack.parse(chosen) == tuple(chosen)
    else:
        assert "LIGHTNING_NEEDS_STRAIGHT_OR_SLIP_FIRST" in refusals(stack, *chosen)


@pytest.mark.rule("fastplay:Special Cases: Lightning")
def test_a_table_without_special_cases_lets_a_lightning_turn_at_once() -> None:
    at = context(special_cases=False)
    stack = cards.stack(at, cards.known_copies(at), "Lightning", 3, "")
    assert stack.parse(["L", "R", "2ST"]) == ("L", "R", "2ST")


@given(st.sampled_from(sorted(DECKS)), st.integers(3, 4), st.sampled_from(["", "HL", "2ST"]), st.integers(0, 2**32))
def test_a_random_player_only_lays_stacks_that_are_allowed(craft: str, plays: int, before: str, seed: int) -> None:
    stack = stack_of(craft, plays, before)
    for chosen in (*stack.legal, stack.pick(Random(seed))):
        assert stack.parse(list(chosen)) == chosen


def test_a_card_that_the_deck_lacks_stays_listed_with_its_reason() -> None:
    reasons = {o.key: o.barred.code for o in stack_of("Lightning").listed if o.barred}
    assert reasons == {"HL": "NOT_ENOUGH_COPIES", "HR": "NOT_ENOUGH_COPIES"}
