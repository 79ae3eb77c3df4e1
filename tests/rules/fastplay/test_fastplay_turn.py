"""The turn: choosing, turning up, moving, leaving, returning, duels."""

from typing import Any

import msgspec
import pytest

from companion.rules.fastplay import GAME
from companion.rules.fastplay.state import State
from companion.umpire import Answer, Context, Illegal, Missing, UsageError, scripted
from tests.rules.fastplay.rig import Play, codes, context, pilot, refused, resolve, stack


def two(**switches: Any) -> Play:
    return Play(pilot("Anna", "Allies", at="J5"), pilot("Karl", "Axis", at="J9", facing="W"), **switches)


def changed(play: Play, who: str, **fields: Any) -> None:
    """Put a pilot into a case that would take many turns to reach."""
    pilots = tuple(msgspec.structs.replace(p, **fields) if p.key == who else p for p in play.state.pilots)
    play.state = msgspec.structs.replace(play.state, pilots=pilots)


@pytest.mark.rule("fastplay:Sequence of Play")
def test_a_turn_is_three_times_play_move_shoot() -> None:
    play = two()
    play.choose(anna="2ST L 2ST", karl="2ST R 2ST")
    phases = []
    while play.state.turn == 1:
        phases.append(play.state.phase)
        play.do({"reveal": "reveal", "move": "move", "shoot": "close"}[play.state.phase])
    assert phases == ["reveal", "move", "shoot"] * 3
    assert GAME.due(play.state, play.context).phase == "Turn 2, choose cards"


@pytest.mark.rule("fastplay:Choose Cards: return")
def test_all_cards_are_back_in_the_deck_at_each_new_turn() -> None:
    play = two()
    for _ in range(2):
        play.choose(anna="HL HL L", karl="HR HR R")
        for _ in range(3):
            play.fly()
            play.do("close")
        assert all(p.plan == () and p.shown == 0 for p in play.state.pilots)
    assert play.state.turn == 3


@pytest.mark.rule("fastplay:Choose Cards")
def test_cards_are_sealed_until_the_last_is_in() -> None:
    play = two()
    with pytest.raises(Missing) as open_:
        play.do("choose", stack("anna", "2ST 2ST 2ST"))
    (ask,) = open_.value.asks
    assert (ask.seat, ask.options_to, ask.answer_to) == ("karl", "seat", "sealed")


@pytest.mark.rule("fastplay:Play Card and Move Planes")
def test_all_planes_move_at_once_and_only_when_all_cards_lie_face_up() -> None:
    play = two()
    play.choose(anna="L SR 2ST", karl="HL 1ST 2ST")
    before = play.at("anna"), play.at("karl")
    play.do("reveal")
    assert (play.at("anna"), play.at("karl")) == before
    play.do("move")
    assert (play.at("anna"), play.at("karl")) == (("L6", "NE"), ("I9", "SE"))


@pytest.mark.rule("fastplay:Play Card and Move Planes")
def test_only_the_cards_that_lie_face_up_are_known_to_others() -> None:
    play = two()
    play.choose(anna="L SR 2ST", karl="HL 1ST 2ST")
    play.do("reveal")
    anna = next(p for p in GAME.view(play.state, "karl", play.context).pieces if p.key == "anna")
    assert {f.label: f.value for f in anna.fields if f.label.startswith("Cards")} == {
        "Cards up": "L",
        "Cards down": "2",
    }
    hand = GAME.view(play.state, "anna", play.context).hand
    assert [(f.label, f.value.split()[0]) for f in hand] == [
        ("Card 1, face up", "L"),
        ("Card 2", "SR"),
        ("Card 3", "2ST"),
    ]
    assert GAME.view(play.state, "", play.context).hand == ()


# --- the Zero


@pytest.mark.rule("fastplay:Special Cases: Zero")
@pytest.mark.example("fastplay:the Zero's fourth card")
def test_a_zero_plays_a_fourth_card_and_everybody_may_shoot_after_it() -> None:
    play = Play(pilot("Anna", "Allies", at="J5"), pilot("Dora", "Axis", "Zero", at="A9"))
    with pytest.raises(Illegal) as refused_:
        play.choose(anna="2ST 2ST 2ST", dora="2ST 2ST 2ST")
    assert codes(refused_.value.violations) == {"WRONG_NUMBER_OF_CARDS"}
    play.choose(anna="1ST L HL", dora="1ST 2ST 2ST HL")
    for _ in range(3):
        play.fly()
        play.do("close")
    assert (play.state.turn, play.state.card) == (1, 4)
    stays = play.at("anna")
    play.fly()
    assert play.at("anna") == stays
    assert play.state.pilot("dora").shown == 4
    assert {"fire:anna", "fire:dora"} <= play.due().keys()
    play.do("close")
    assert play.state.turn == 2


@pytest.mark.rule("fastplay:Special Cases: Zero")
def test_without_special_cases_a_zero_plays_three() -> None:
    play = Play(pilot("Anna", "Allies", at="J5"), pilot("Dora", "Axis", "Zero", at="A9"), special_cases=False)
    play.choose(anna="2ST 2ST 2ST", dora="2ST 2ST 2ST")


@pytest.mark.rule("fastplay:Special Cases: Lightning")
@pytest.mark.example("fastplay:the Lightning before a turn")
def test_a_lightning_may_turn_after_the_straight_that_ended_its_last_turn() -> None:
    play = Play(pilot("Ben", "Allies", "Lightning", at="A9"), pilot("Karl", "Axis", at="X9", facing="W"))
    with pytest.raises(Illegal):
        play.choose(ben="L 2ST 2ST", karl="1ST 2ST 2ST")
    play.choose(ben="1ST 2ST 2ST", karl="HL HL 1ST")
    for _ in range(3):
        play.fly()
        play.do("close")
    play.choose(ben="L 2ST R", karl="2ST 2ST 2ST")


# --- paper cards


def test_paper_cards_are_entered_when_they_lie_face_up() -> None:
    play = two(cards="kiosk")
    play.do("choose")
    asked = Answer(address="card:anna", fact="HL"), Answer(address="card:karl", fact="2ST")
    play.do("reveal", *asked)
    play.do("move")
    assert (play.at("anna"), play.at("karl")) == (("K5", "NW"), ("H9", "W"))
    play.do("close")
    play.do("reveal", Answer(address="card:anna", fact="HL"), asked[1])
    play.do("move")
    play.do("close")
    with pytest.raises(Illegal) as third:
        play.do("reveal", Answer(address="card:anna", fact="HL"), asked[1])
    assert codes(third.value.violations) == {"NOT_ENOUGH_COPIES"}


def test_a_paper_card_that_a_lightning_may_not_play_is_refused_when_it_is_entered() -> None:
    play = Play(pilot("Ben", "Allies", "Lightning", at="A9"), pilot("Karl", "Axis", at="X9", facing="W"), cards="kiosk")
    play.do("choose")
    with pytest.raises(Illegal) as found:
        play.do("reveal", Answer(address="card:ben", fact="L"), Answer(address="card:karl", fact="2ST"))
    assert codes(found.value.violations) == {"LIGHTNING_NEEDS_STRAIGHT_OR_SLIP_FIRST"}


def test_where_cards_stay_at_the_table_nothing_is_asked() -> None:
    play = two(keeps_hexes=False, cards="table")
    play.do("choose")
    for _ in range(3):
        play.do("reveal")
        assert play.state.phase == "shoot"
        play.do("close")
    assert play.state.turn == 2


# --- leaving the mat


def off_the_mat(hits: int, **fields: Any) -> Play:
    play = Play(pilot("Anna", "Allies", at="W5"), pilot("Karl", "Axis", at="A9"))
    changed(play, "anna", hits=hits, **fields)
    play.choose(anna="2ST 2ST 2ST", karl="HL HL 1ST")
    play.fly()
    return play


@pytest.mark.rule("fastplay:Leaving the Board")
def test_a_plane_with_four_hits_flies_off_the_mat_and_is_restored() -> None:
    anna = off_the_mat(4).state.pilot("anna")
    assert (anna.out, anna.hits, anna.at, anna.plan) == ("left the mat", 0, "", ())


@pytest.mark.rule("fastplay:Leaving the Board")
def test_a_plane_with_three_hits_strays_off_and_keeps_them() -> None:
    play = off_the_mat(3)
    assert (play.state.pilot("anna").out, play.state.pilot("anna").hits) == ("strayed off the mat", 3)


@pytest.mark.rule("fastplay:Leaving the Board")
def test_a_plane_at_the_edge_of_a_shifted_row_may_still_fly_in_the_half_hex() -> None:
    play = Play(pilot("Anna", "Allies", at="X6"), pilot("Karl", "Axis", at="A9"))
    play.choose(anna="1ST HL 2ST", karl="HL HL 1ST")
    play.fly()
    assert play.at("anna") == ("Y6", "E")


@pytest.mark.rule("fastplay:Leaving the Board")
def test_without_hexes_an_escape_needs_four_hits_and_comes_before_the_shots() -> None:
    assert refused("leave", {"pilot": "anna", "hits": 3}) == {"ESCAPE_NEEDS_4_DAMAGE"}
    assert refused("leave", {"pilot": "anna", "hits": 4}) == set()
    play = two(keeps_hexes=False, cards="table")
    changed(play, "anna", hits=4)
    play.do("choose")
    play.do("reveal")
    play.do(
        "fire:karl", Answer(role="target", choice="anna"), Answer(role="range", fact=5), Answer(role="shoot", faces=[1])
    )
    assert play.codes("leave:anna") == {"WRONG_STEP"}
    play.do("close")
    play.do("reveal")
    assert play.do("leave:anna").result.restored
    assert not play.do("leave:karl").result.restored
    assert [p.out for p in play.state.pilots] == ["left the mat", "strayed off the mat"]
    play.do("close")
    assert play.state.turn == 2


# --- entering and returning


def back(**fields: Any) -> Play:
    """Anna may return in turn 2; Karl flies in the middle of the mat."""
    play = Play(pilot("Anna", "Allies"), pilot("Karl", "Axis", at="L9"))
    changed(play, "anna", out="left the mat", out_since=1, **fields)
    play.state = msgspec.structs.replace(play.state, turn=2)
    return play


def place(hex_: str) -> tuple[Answer, Answer]:
    return Answer(role="hex", choice=hex_), Answer(role="facing", choice="NE")


@pytest.mark.rule("fastplay:Returning to Combat")
def test_a_plane_returns_on_an_edge_hex_undamaged() -> None:
    play = back()
    done = play.do("enter:anna", *place("a1"))
    assert (play.at("anna"), play.state.pilot("anna").entered) == (("A1", "NE"), 2)
    assert (done.result.hex, play.state.pilot("anna").hits) == ("A1", 0)


@pytest.mark.rule("fastplay:Returning to Combat")
@pytest.mark.parametrize(
    ("where", "code"),
    [("L5", "NOT_AN_EDGE_HEX"), ("A2", "NOT_A_WHOLE_HEX"), ("Y2", "NOT_A_WHOLE_HEX"), ("L9", "NOT_AN_EDGE_HEX")],
)
def test_a_plane_returns_on_a_whole_hex_of_an_edge_only(where: str, code: str) -> None:
    with pytest.raises(Illegal) as found:
        back().do("enter:anna", *place(where))
    assert code in codes(found.value.violations)


@pytest.mark.rule("fastplay:Returning to Combat")
@pytest.mark.parametrize(("enemy", "allowed"), [("F1", False), ("G1", True)])
def test_six_hexes_from_the_nearest_enemy_are_enough_and_five_are_not(enemy: str, allowed: bool) -> None:
    play = Play(pilot("Anna", "Allies"), pilot("Karl", "Axis", at=enemy), pilot("Ben", "Allies", at="B1"))
    if allowed:
        play.do("enter:anna", *place("A1"))
    else:
        with pytest.raises(Illegal) as found:
            play.do("enter:anna", *place("A1"))
        assert codes(found.value.violations) == {"TOO_CLOSE_TO_ENEMY"}


@pytest.mark.rule("fastplay:Returning to Combat")
def test_where_no_edge_hex_is_far_enough_the_pilot_waits() -> None:
    ring = [pilot(f"K{n}", "Axis", at=at) for n, at in enumerate(["A1", "H1", "A8", "H8", "D4", "E5"])]
    play = Play(pilot("Anna", "Allies"), *ring, mat=(8, 8))
    assert play.codes("enter:anna") == {"TOO_CLOSE_TO_ENEMY"}


@pytest.mark.rule("fastplay:Returning to Combat: announced")
def test_whoever_is_off_the_mat_waits_for_the_next_turn_and_enters_before_the_cards() -> None:
    play = off_the_mat(4)
    assert play.codes("enter:anna") == {"ENTRY_HEX_BEFORE_CARDS", "RETURN_NEXT_TURN"}
    play.do("close")
    for _ in range(2):
        play.fly()
        play.do("close")
    assert play.codes("enter:anna") == set()
    play.choose(karl="2ST 2ST 2ST")
    assert play.codes("enter:anna") == {"ENTRY_HEX_BEFORE_CARDS"}


@pytest.mark.rule("fastplay:Returning to Combat")
def test_without_hexes_the_distance_is_asked() -> None:
    entry = {"pilot": "anna", "turn": 2, "out_since": 1}
    assert resolve("enter", entry, Answer(role="nearest", fact=6)).result.hex == ""
    with pytest.raises(Illegal):
        resolve("enter", entry, Answer(role="nearest", fact=5))
    assert refused("enter", entry | {"nearest": 5}) == {"TOO_CLOSE_TO_ENEMY"}
    with pytest.raises(UsageError):
        resolve("enter", entry, Answer(role="nearest", fact="far"))


def test_an_entry_hex_that_is_named_at_once_is_judged_at_once() -> None:
    entry = {"pilot": "anna", "mat": {"columns": 24, "rows": 18}, "enemies": ["C1"], "facing": "E"}
    assert refused("enter", entry | {"hex": "C2"}) == {"NOT_AN_EDGE_HEX", "TOO_CLOSE_TO_ENEMY"}
    assert resolve("enter", entry | {"hex": "x1"}).result.hex == "X1"


# --- duels


def yes(*who: str) -> list[Answer]:
    return [Answer(address=f"agree@{w}/duel", choice="yes" if w in who else "no") for w in ("anna", "karl")]


@pytest.mark.rule("fastplay:Duels: start")
def test_two_pilots_who_entered_in_the_same_turn_and_agree_fight_a_duel() -> None:
    play = two()
    done = play.do("duel:anna", Answer(role="opponent", choice="karl"), *yes("anna", "karl"))
    assert done.result.agreed
    assert [p.duel for p in play.state.pilots] == ["karl", "anna"]
    assert not any(key.startswith("duel:") for key in play.due())


@pytest.mark.rule("fastplay:Duels: start")
def test_a_duel_that_one_refuses_is_none() -> None:
    play = two()
    done = play.do("duel:anna", Answer(role="opponent", choice="karl"), *yes("anna"))
    assert not done.result.agreed
    assert all(not p.duel for p in play.state.pilots)
    assert refused("duel", {"pilot": "anna", "opponents": ["karl"], "agreed": [True, False]}) == {"DUEL_NEEDS_BOTH"}
    both = {"pilot": "anna", "opponents": ["karl"], "opponent": "karl", "agreed": [True, True]}
    assert resolve("duel", both).result.agreed


@pytest.mark.rule("fastplay:Duels: start")
def test_a_duel_needs_the_same_turn_of_entry() -> None:
    play = back()
    play.do("enter:anna", *place("A1"))
    assert play.codes("duel:anna") == {"DUEL_NEEDS_SAME_ENTRY_TURN"}
    late = {"pilot": "anna", "opponents": ["karl"], "entered": 2, "opponent_entered": 1}
    assert refused("duel", late) == {"DUEL_NEEDS_SAME_ENTRY_TURN"}


def test_only_those_who_may_be_challenged_are_known() -> None:
    with pytest.raises(UsageError):
        refused("duel", {"pilot": "anna", "opponents": ["karl"], "opponent": "otto"})


def duel_lost(*dead: str) -> Play:
    play = two()
    play.do("duel:anna", Answer(role="opponent", choice="karl"), *yes("anna", "karl"))
    play.choose(anna="2ST 2ST 2ST", karl="2ST 2ST 2ST")
    play.fly()
    for who in dead:
        changed(play, who, hits=6)
    play.do("close")
    play.do("losses", *[Answer(role="crash", faces=[1])] * len(dead))
    return play


@pytest.mark.rule("fastplay:Duels: end")
def test_the_winner_of_a_duel_has_to_fly_off_the_mat_first() -> None:
    play = duel_lost("karl")
    anna = play.state.pilot("anna")
    assert (anna.duel, anna.must_leave) == ("", True)
    assert ("Duel", "won: has to fly off the mat") in [
        (f.label, f.value) for f in GAME.view(play.state, "", play.context).pieces[0].fields
    ]
    changed(play, "anna", at="W5")
    play.fly()
    assert (play.state.pilot("anna").out, play.state.pilot("anna").must_leave) == ("left the mat", False)


@pytest.mark.rule("fastplay:Duels: end")
def test_where_both_are_shot_down_nobody_has_to_leave() -> None:
    play = duel_lost("anna", "karl")
    assert [(p.duel, p.must_leave, p.out) for p in play.state.pilots] == [("", False, "shot down")] * 2


@pytest.mark.rule("fastplay:Duels: end")
@pytest.mark.parametrize("returns", [True, False])
def test_a_duel_goes_on_only_if_a_duellist_off_the_mat_returns_the_next_turn(returns: bool) -> None:
    play = two()
    play.do("duel:anna", Answer(role="opponent", choice="karl"), *yes("anna", "karl"))
    play.choose(anna="2ST 2ST 2ST", karl="2ST 2ST 2ST")
    changed(play, "anna", at="W5", facing="E")
    while play.state.turn == 1:
        play.fly()
        play.do("close")
    assert (play.state.pilot("anna").flies, play.state.pilot("karl").duel) == (False, "anna")
    if returns:
        play.do("enter:anna", *place("A1"))
    play.do("choose", *(stack(p.key, "2ST 2ST 2ST") for p in play.state.flying))
    assert [p.duel for p in play.state.pilots] == (["karl", "anna"] if returns else ["", ""])


# --- the state


def test_a_state_survives_being_written_and_read() -> None:
    play = duel_lost("karl")
    assert msgspec.json.decode(msgspec.json.encode(play.state), type=State) == play.state


def test_house_values_are_named_by_what_used_them_and_not_without() -> None:
    play = two()
    house = play.choose(anna="2ST 2ST 2ST", karl="2ST 2ST 2ST").house
    assert house == ("Manoeuvre deck standard [Choose Cards]",)
    play.do("reveal")
    assert play.do("move").house == ("Move of a manoeuvre card 2ST [Play Card and Move Planes]",)


def test_a_table_that_refuses_house_values_is_asked_for_the_deck() -> None:
    procedure = GAME.procedures["fastplay.choose_cards"]
    inputs = procedure.inputs({"players": [{"pilot": "anna", "aircraft": "Me-109"}]})
    at = Context(context().switches, GAME.cells(), "refuse")
    own = Answer(address="look_up:fastplay.deck:standard", value="2ST 3, L 2, R 2, HL 2, HR 2")
    assert scripted(procedure, inputs, [own, stack("anna", "2ST 2ST 2ST")], at).house == ()
