"""Every refusal has its code, its sentence, its heading, and a case."""

from typing import Any

import pytest

from companion.rules.fastplay import GAME
from companion.rules.fastplay.refusals import CODES, barred
from companion.umpire import Answer, Illegal
from tests.rules.fastplay.rig import Play, codes, pilot, refused, resolve, stack

INVENTORY = {
    "DUEL_NEEDS_BOTH",
    "DUEL_NEEDS_SAME_ENTRY_TURN",
    "DUEL_WINNER_MUST_LEAVE_FIRST",
    "ENTRY_HEX_BEFORE_CARDS",
    "ESCAPE_NEEDS_4_DAMAGE",
    "LIGHTNING_NEEDS_STRAIGHT_OR_SLIP_FIRST",
    "MUST_FIRE_AT_NEAREST",
    "NOT_AN_EDGE_HEX",
    "NOT_A_WHOLE_HEX",
    "NOT_ENOUGH_COPIES",
    "NO_ENEMY_IN_LINE_OF_FIRE",
    "RETURN_NEXT_TURN",
    "SAME_HEX_NO_SHOOTING",
    "TOO_CLOSE_TO_ENEMY",
    "WRONG_NUMBER_OF_CARDS",
}

MAT = {"columns": 24, "rows": 18}
LINE = {
    "shooter": "anna",
    "side": "Allies",
    "mat": MAT,
    "at": "J5",
    "facing": "E",
    "planes": [
        {"pilot": "karl", "side": "Axis", "at": "K5"},
        {"pilot": "otto", "side": "Axis", "at": "L5", "duel": "x"},
    ],
}
ENTRY = {"pilot": "anna", "turn": 3, "out_since": 2, "mat": MAT}

CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "DUEL_NEEDS_BOTH": ("duel", {"pilot": "anna", "opponents": ["karl"], "agreed": [False, True]}),
    "DUEL_NEEDS_SAME_ENTRY_TURN": ("duel", {"pilot": "anna", "opponents": []}),
    "DUEL_ONLY_EACH_OTHER": ("fire", LINE | {"target": "otto"}),
    "DUEL_WINNER_MUST_LEAVE_FIRST": ("fire", LINE | {"must_leave": True}),
    "ENTRY_HEX_BEFORE_CARDS": ("enter", ENTRY | {"cards_chosen": True}),
    "ESCAPE_NEEDS_4_DAMAGE": ("leave", {"pilot": "anna", "hits": 3}),
    "MUST_FIRE_AT_NEAREST": (
        "fire",
        LINE | {"target": "emil", "planes": [LINE["planes"][0], {"pilot": "emil", "side": "Axis", "at": "M5"}]},
    ),
    "NOT_AN_EDGE_HEX": ("enter", ENTRY | {"hex": "J5"}),
    "NOT_A_WHOLE_HEX": ("enter", ENTRY | {"hex": "A2"}),
    "NO_ENEMY_IN_LINE_OF_FIRE": ("fire", LINE | {"facing": "NE"}),
    "RETURN_NEXT_TURN": ("enter", ENTRY | {"out_since": 3}),
    "SAME_HEX_NO_SHOOTING": ("fire", LINE | {"at": "K5"}),
    "TOO_CLOSE_TO_ENEMY": ("enter", ENTRY | {"hex": "A1", "enemies": ["F1"]}),
}
AT_THE_ANSWER = {
    "WRONG_NUMBER_OF_CARDS": ("Me-109", "2ST 2ST"),
    "NOT_ENOUGH_COPIES": ("Me-109", "SL SL 2ST"),
    "LIGHTNING_NEEDS_STRAIGHT_OR_SLIP_FIRST": ("Lightning", "L 2ST 2ST"),
}
AT_THE_TABLE = {"ALREADY_FIRED", "WRONG_STEP"}


def test_each_code_has_a_case_here_and_those_of_the_inventory_are_all_used() -> None:
    assert CASES.keys() | AT_THE_ANSWER.keys() | AT_THE_TABLE == CODES
    assert INVENTORY <= CODES


@pytest.mark.parametrize("code", CASES)
def test_inputs_that_are_not_allowed_are_refused_before_the_first_ask(code: str) -> None:
    name, inputs = CASES[code]
    assert code in refused(name, inputs)


@pytest.mark.parametrize("code", AT_THE_ANSWER)
def test_an_answer_that_is_not_allowed_is_refused_where_it_is_given(code: str) -> None:
    craft, chosen = AT_THE_ANSWER[code]
    with pytest.raises(Illegal) as found:
        resolve("choose_cards", {"players": [{"pilot": "anna", "aircraft": craft}]}, stack("anna", chosen))
    assert codes(found.value.violations) == {code}


def test_a_plane_fires_once_after_a_card_and_the_game_ends_between_turns() -> None:
    play = Play(pilot("Anna", "Allies", at="J5"), pilot("Karl", "Axis", at="K5"))
    play.choose(anna="1ST 2ST 2ST", karl="1ST 2ST 2ST")
    assert play.codes("finish") == {"WRONG_STEP"}
    play.fly()
    play.do("fire:anna", Answer(role="shoot", faces=[1] * 5))
    assert play.codes("fire:anna") == {"ALREADY_FIRED"}


@pytest.mark.parametrize("code", sorted(CODES))
def test_each_refusal_is_one_plain_sentence_with_its_heading(code: str) -> None:
    refusal = barred(code)
    assert refusal.text.endswith(".")
    assert ":" not in refusal.rule
    assert refusal.rule in {p.rule for p in GAME.procedures.values()} | {
        "Special Cases",
        "Planes in the Same Hex",
        "Sequence of Play",
    }
