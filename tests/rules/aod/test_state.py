"""The game as the table sees it: set-up, what is due, what changes, what is shown."""

from typing import Any

import msgspec
import pytest

from companion.rules.aod import GAME
from companion.rules.aod.slider import Slider, row_length, second_start, slider
from companion.rules.aod.state import Table
from companion.rules.aod.turn import read_place
from companion.umpire import Act, Change, Context, Game, Illegal, Pick, Rolling, UsageError, advance, run
from tests.rules.aod.hangar import answers, context, enemy, fighter, kind, pose, turret

AT = Context(cells=GAME.cells())
NIGHT = Context(cells=GAME.cells(), switches={"night": True})


def table(*crafts: Any, moved: str = "", at: Context = AT) -> Table:
    found = GAME.start({"aircraft": [msgspec.to_builtins(craft) for craft in crafts]}, at)
    return msgspec.structs.replace(found, moved=moved)


def act(state: Table, key: str, at: Context = AT) -> Act:
    return next(act for act in GAME.due(state, at).acts if act.key == key)


def keys(state: Table, at: Context = AT) -> list[str]:
    return [act.key for act in GAME.due(state, at).acts]


def test_the_game_offers_what_every_game_offers() -> None:
    game: Game = GAME
    assert set(game.presets) == {"basic", "simplified", "full"}
    assert all(set(preset) == set(game.switches) for preset in game.presets.values())
    assert {unit.key for unit in game.units} >= {"Fw 190 A-8", "Spitfire Mk IX"}
    assert {cell[0] for cell in game.cells()} == set(game.slots)


def test_the_demo_is_legal_and_its_first_burst_can_be_fired() -> None:
    state = GAME.start(GAME.demo(), AT)
    first = act(state, "fire:3:11")
    assert not first.barred
    assert first.about == ("3", "11")
    procedure = GAME.procedures[first.procedure]
    done = run(procedure, procedure.inputs(first.inputs), Rolling(AT, seed=1))
    for change in done.changes:
        state = GAME.apply(state, change)
    assert GAME.summary(state, first.procedure, procedure.inputs(first.inputs), done.result).word
    assert msgspec.json.decode(msgspec.json.encode(state), type=Table) == state
    assert len(GAME.view(state, "", AT).pieces) == 6
    assert [seat.key for seat in GAME.seats(state)] == ["Axis", "Allies"]


@pytest.mark.rule("aod:2.1")
def test_turns_and_rounds_follow_one_another_until_the_mission_is_over() -> None:
    state = GAME.start({**GAME.demo(), "rounds": 1}, AT)
    assert GAME.due(state, AT).phase == "Round 1, Axis turn"
    state = GAME.apply(state, Change("used", "3", "active"))
    state = GAME.apply(state, Change("turn", "Axis"))
    assert (GAME.due(state, AT).phase, state.craft("3").used) == ("Round 1, Allies turn", ("active",))
    state = GAME.apply(state, Change("turn", "Allies"))
    assert (state.round, state.craft("3").used) == (2, ())
    assert GAME.due(state, AT).over


@pytest.mark.rule("aod:4.8")
@pytest.mark.example("aod:134")
def test_only_the_aircraft_that_was_just_moved_is_answered() -> None:
    """X can answer P from behind; Q stands beside X and was not moved."""
    at = context(kind("P", fixed=1), kind("X", flexible=turret(6, 8, same=1)), tracer=False)
    x = enemy("X", pose=pose(q=2))
    p, q = fighter("P", key="5", pose=pose()), fighter("P", key="7", pose=pose(q=1, r=1))
    both = table(p, q, x, at=at)
    assert {"break:5", "break:7"} <= set(keys(both, at))
    assert [k for k in keys(table(p, q, x, moved="5", at=at), at) if k.startswith("break")] == ["break:5"]


def test_nobody_is_asked_for_an_answer_without_guns() -> None:
    at = context(kind("P", fixed=1), kind("X"))
    assert not [
        k for k in keys(table(fighter("P", pose=pose()), enemy("X", pose=pose(q=2)), at=at), at) if "break" in k
    ]


def test_a_barred_act_stays_listed_with_every_reason() -> None:
    far = table(fighter("Fw 190 A-8", pose=pose()), enemy("Spitfire Mk IX", pose=pose(q=5)))
    assert {reason.code for reason in act(far, "fire:1:2").barred} == {"distance"}


@pytest.mark.rule("aod:4.8")
def test_who_has_fired_actively_is_barred_at_once_from_every_other_target() -> None:
    """Also where poses are not kept, before position and tilt are asked."""
    used = fighter("Me 262 Schwalbe", rockets=2, used=("active",))
    state = table(used, enemy("Spitfire Mk IX"), enemy("B-25 J Mitchell", key="9"))
    for key in ("fire:1:2", "fire:1:9", "rockets:1:9"):
        assert [(reason.code, reason.rule) for reason in act(state, key).barred] == [("fired", "4.8")], key
    assert not act(table(fighter("Me 262 Schwalbe"), enemy("Spitfire Mk IX")), "fire:1:2").barred


def test_without_poses_the_enemies_of_a_shot_are_all_who_may_answer() -> None:
    state = table(fighter("Fw 190 A-8"), enemy("Spitfire Mk IX"), enemy("B-25 J Mitchell", key="9"))
    shot = GAME.procedures["aod.fire"].inputs(act(state, "fire:1:2").inputs)
    assert [d.craft.key for d in shot.bystanders] == ["9"]
    given = answers(("position", "A 2d"), ("tilt", []), ("burst", "normal"), ("targeting", 1))
    (ask,) = advance(GAME.procedures["aod.fire"], shot, given, AT).asks  # type: ignore[union-attr]
    assert (ask.role, [o.key for o in ask.space.listed]) == ("answering", ["9"])


def test_rockets_searches_and_throttle_are_due_where_they_apply() -> None:
    state = table(fighter("Me 262 Schwalbe", rockets=2, pose=pose()), enemy("Lancaster B Mk I", pose=pose(q=3)))
    assert {"rockets:1:2", "throttle:1", "place:1"} <= set(keys(state))
    assert not act(state, "rockets:1:2").barred
    assert "search:1" in keys(state, NIGHT)
    assert "search:1" not in keys(state)
    lancaster = GAME.apply(state, Change("turn", ""))
    assert not [k for k in keys(lancaster) if k.startswith("throttle")]


@pytest.mark.parametrize(
    ("setup", "words"),
    [
        ({"aircraft": []}, "cannot be read"),
        ({"aircraft": [{"key": "1", "type": "Kite"}, {"key": "1", "type": "Dakota"}]}, "no aircraft type 'Kite'"),
        ({"aircraft": [{"key": "1", "type": "Dakota"}, {"key": "2", "type": "Dakota"}]}, "two sides"),
        ({"aircraft": [{"key": "1", "type": "Dakota", "pilot": "Ace"}, {"key": "2", "type": "Ju 87 Stuka"}]}, "pilot"),
    ],
)
def test_a_set_up_that_cannot_be_says_why(setup: dict[str, Any], words: str) -> None:
    with pytest.raises((Illegal, UsageError), match=words):
        GAME.start(setup, AT)


@pytest.mark.parametrize(
    ("change", "field", "value"),
    [
        (Change("ammunition", "1", ["fixed", 3]), "fixed_spent", 3),
        (Change("damage", "1", "tail"), "damages", ("tail",)),
        (Change("destroyed", "1"), "out", "destroyed"),
        (Change("left", "1"), "out", "left"),
        (Change("evading", "1", True), "evading", True),
        (Change("rockets", "1", 1), "rockets", 1),
        (Change("throttle", "1", 2), "throttle", 2),
        (Change("search", "1", "found"), "search", "found"),
        (Change("used", "1", "active"), "used", ("active",)),
        (Change("place", "1", [None, 4, 9]), "level", 4),
        (Change("set", "1", {"pilot": "Ace"}), "pilot", "Ace"),
    ],
)
def test_each_change_does_what_it_says(change: Change, field: str, value: Any) -> None:
    state = table(fighter("Fw 190 A-8"), enemy("Spitfire Mk IX"))
    once = GAME.apply(state, change)
    assert getattr(once.craft("1"), field) == value
    if change.kind == "used":
        assert GAME.apply(once, change) == once


def test_anything_may_be_set_by_hand_but_only_to_what_fits() -> None:
    state = table(fighter("Fw 190 A-8"), enemy("Spitfire Mk IX"))
    assert GAME.apply(state, Change("set", "", {"round": 7})).round == 7
    for change in (
        Change("set", "1", {"pilot": "Baron"}),
        Change("set", "1", 5),
        Change("fly", "1"),
        Change("damage", "8"),
    ):
        with pytest.raises(UsageError):
            GAME.apply(state, change)


def test_an_aircraft_is_set_down_by_a_short_text() -> None:
    place = GAME.procedures["aod.place"]
    state = table(fighter("Fw 190 A-8", evading=True), enemy("Spitfire Mk IX"))
    given = answers(("place", "3,-2 NE L6 up left"), ("speed", 12))
    done = advance(place, place.inputs({"craft": {"key": "1"}}), given, AT)
    state = GAME.apply(state, done.changes[0])  # type: ignore[union-attr]
    craft = state.craft("1")
    assert (craft.pose, craft.speed, craft.evading, state.moved) == (pose(3, -2, 1, 6, 1, -1), 12, False, "1")
    assert read_place("LL") == (None, 0)


@pytest.mark.parametrize(
    "text", ["", "here", "L99", "1,2 NE L6 up up", "1,2 N L6", "1 NE L6", "9999,0 E L6", "1,2 E L6 sideways"]
)
def test_a_place_that_is_none_is_refused_in_words(text: str) -> None:
    with pytest.raises(UsageError, match=r"place; write|level"):
        read_place(text)


def test_a_card_shows_what_players_need_to_see() -> None:
    craft = fighter(
        "Me 262 Schwalbe", pose=pose(level=0, pitch=1, roll=-1), speed=15, damages=("engine",), pilot="Ace",
        rockets=2, evading=True, manoeuvre="forward slip", throttle=9, fixed_spent=3, out="left",
    )  # fmt: skip
    (piece, other) = GAME.view(table(craft, enemy("Spitfire Mk IX")), "", AT).pieces
    fields = {field.label: field for field in piece.fields}
    assert (fields["Altitude"].value, fields["Heading"].value) == ("LL", "E, nose up, banked left")
    assert (fields["Damage"].letter, fields["Damage"].colour) == ("E", "green")
    assert (piece.out, fields["Rockets"].value, fields["Evading"].value) == ("left", "2", "turns first")
    assert fields["Fixed guns"].value.startswith(f"{int(AT.cells['fixed_bursts', craft.type].value or 0) - 2}½/")
    assert other.fields[0].value == "?"


@pytest.mark.rule("aod:2.2.1")
def test_the_score_counts_the_destroyed_and_the_damaged() -> None:
    state = table(
        fighter("Fw 190 A-8"), enemy("Spitfire Mk IX", out="destroyed"), enemy("Dakota", key="9", damages=("tail",))
    )
    assert {field.label: field.value for field in GAME.view(state, "", AT).score} == {"red": "1½", "blue": "0"}


@pytest.mark.rule("aod:4.2")
def test_the_slider_moves_half_by_half_and_leaves_the_panel() -> None:
    assert [slider(2, spent, 2) for spent in range(5)] == [
        Slider(1), Slider(1, hollow=True), Slider(2), Slider(2, hollow=True), None,
    ]  # fmt: skip


@pytest.mark.rule("aod:4.2.1")
def test_a_short_row_is_used_again_from_the_slot_with_two_numbers() -> None:
    row = row_length(14, again=True)
    assert (row, second_start(14, row)) == (8, 3)
    places = [slider(14, 2 * fired, row) for fired in range(15)]
    assert [p.slot for p in places if p] == [1, 2, 3, 4, 5, 6, 7, 8, 3, 4, 5, 6, 7, 8]
    assert [p.chit for p in places if p] == [False] * 8 + [True] * 6
    assert places[13] == Slider(8, chit=True), "one burst is left on the rightmost slot"
    assert (row_length(14, again=False), second_start(8, 8)) == (14, None)


@pytest.mark.rule("aod:4.2.1")
@pytest.mark.parametrize(
    ("again", "row", "shown", "house"),
    [
        (True, None, "4½/14, chit on slot 4", True),
        (True, 10, "4½/14", False),
        (True, 7, "4½/14, chit on slot 3", False),
        (False, None, "4½/14", False),
    ],
)
def test_a_card_says_where_the_re_slide_chit_lies(again: bool, row: int | None, shown: str, house: bool) -> None:
    """In a row of our own length, which is a house value, or of the one that the player's panel has."""
    at = context(kind("Longwing", fixed=5, fixed_bursts=14, fixed_row=row), kind("X"), re_sliding=again)
    (piece, _) = GAME.view(table(fighter("Longwing", fixed_spent=19), enemy("X"), at=at), "", at).pieces
    assert {field.label: (field.value, field.house) for field in piece.fields}["Fixed guns"] == (shown, house)


def test_a_result_is_one_large_word() -> None:
    from companion.rules.aod.fire import Engagement, Shot
    from companion.rules.aod.passive import Break, Passage
    from companion.rules.aod.rockets import Salvo
    from companion.rules.aod.turn import Ending, Placed, Placing, Search, Searched, Throttle, Throttled

    cases: list[tuple[str, Any, Any, str]] = [
        ("fire", Shot(), Engagement(first="miss"), "MISS"),
        ("fire", Shot(), Engagement(first="none"), "HIT - NO DAMAGE"),
        ("fire", Shot(), Engagement(first="damaged", target_damages=("tail",)), "HIT - TAIL DAMAGE"),
        ("fire", Shot(), Engagement(first="miss", attacker_destroyed=True), "MISS, ATTACKER DESTROYED"),
        ("fire", Shot(), Engagement(first="destroyed", target_destroyed=True), "HIT - DESTROYED"),
        ("break", Passage(), Break(destroyed=True, damages=()), "DESTROYED"),
        ("break", Passage(), Break(destroyed=False, damages=("guns",)), "GUNS DAMAGE"),
        ("break", Passage(), Break(destroyed=False, damages=()), "NO DAMAGE"),
        ("rockets", Shot(), Salvo(destroyed=False), "MISS"),
        ("rockets", Shot(), Salvo(destroyed=True), "HIT - DESTROYED"),
        ("throttle", Throttle(), Throttled(2), "+2"),
        ("throttle", Throttle(), Throttled(0, damaged=True), "ENGINE DAMAGE"),
        ("throttle", Throttle(), Throttled(0, destroyed=True), "DESTROYED"),
        ("search", Search(), Searched(found=True), "FOUND"),
        ("search", Search(), Searched(found=False), "NOT FOUND"),
        ("place", Placing(), Placed(()), "PLACED"),
        ("end_turn", Ending(), Placed(()), "NEXT"),
    ]
    state = GAME.start(GAME.demo(), AT)
    assert [GAME.summary(state, f"aod.{name}", given, result).word for name, given, result, _ in cases] == [
        word for *_, word in cases
    ]


def test_the_end_of_a_turn_is_an_act_like_any_other() -> None:
    state = GAME.start(GAME.demo(), AT)
    end = act(state, "end_turn")
    procedure = GAME.procedures[end.procedure]
    done = advance(procedure, procedure.inputs(end.inputs), (), AT)
    assert GAME.apply(state, done.changes[0]).side == "Allies"  # type: ignore[union-attr]


def test_a_game_is_composed_from_picks() -> None:
    state = GAME.start(GAME.compose([Pick("Dakota", 1), Pick("Ju 87 Stuka", 0), Pick("Fw 190 A-8", 0)]), AT)
    assert [(c.key, c.side) for c in state.crafts] == [("1", "Allies"), ("2", "Axis"), ("3", "Axis")]
    assert state.sides == ("Axis", "Allies")
