"""Set-up, what is due, what is seen, and what stays on the licences."""

import re
from random import Random
from typing import Any

import msgspec
import pytest

from companion.rules import fastplay
from companion.rules.fastplay import GAME
from companion.rules.fastplay.names import apart
from companion.rules.fastplay.state import Share
from companion.umpire import Answer, Change, Pick, UsageError, scripted
from tests.rules.fastplay.rig import Play, context, pilot, resolve, stack


def test_the_demo_can_be_played_at_once() -> None:
    state = GAME.start(GAME.demo(), context())
    assert [seat.key for seat in GAME.seats(state)] == ["anna", "ben", "chris", "dora"]
    choose = next(a for a in GAME.due(state, context()).acts if a.key == "choose")
    assert not choose.barred
    assert all(state.mat.is_whole(state.mat.hex(p.at)) for p in state.pilots)


def test_a_set_up_is_composed_of_picked_aircraft_by_side() -> None:
    state = GAME.start(GAME.compose([Pick("Zero", 0), Pick("Corsair", 1), Pick("Me-109", 0)]), context())
    assert [(p.key, p.side, p.aircraft) for p in state.pilots] == [
        ("axis-1", "Axis", "Zero"),
        ("axis-2", "Axis", "Me-109"),
        ("allies-1", "Allies", "Corsair"),
    ]


FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"pilots": [pilot("Anna", "Allies")]}, "Expected `array` of length >= 2"),
    ({"pilots": [pilot("Anna", "Allies"), pilot("Karl", "Axis", "Fokker")]}, "no aircraft 'Fokker'"),
    ({"pilots": [pilot("Anna", "Allies"), pilot("Karl", "Axis", at="ZZ9")]}, "'ZZ9' is no hex"),
    ({"pilots": [pilot("Anna", "Allies"), pilot("Karl", "Axis", facing="N")]}, "'N' is no facing"),
    ({"pilots": [pilot("Anna", "Allies"), pilot("anna", "Axis")]}, "key 'anna'"),
    ({"pilots": [pilot("Anna", "Allies"), pilot("Karl", "Axis", key="K!")]}, "'K!' is no key"),
    ({"pilots": [pilot("Anna", "Allies"), pilot("Karl", "Axis", key="host")]}, "'host' is no key"),
    ({"pilots": [pilot("Anna\x07", "Allies"), pilot("Karl", "Axis")]}, "no name for a pilot"),
    ({"pilots": [pilot("Anna", "Allies"), pilot("Karl", "Allies")]}, "one side only"),
    ({"pilots": [pilot("Anna", "Allies"), pilot("Karl", "Axis")], "mat": {"columns": 3}}, "columns"),
]


@pytest.mark.parametrize(("setup", "says"), FAULTS)
def test_a_wrong_set_up_is_refused_with_what_is_wrong(setup: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError) as found:
        GAME.start(setup, context())
    assert says in str(found.value)


def test_every_fault_of_a_set_up_is_told_at_once() -> None:
    with pytest.raises(UsageError) as found:
        GAME.start({"pilots": [pilot("", "Axis", "Fokker"), pilot("Karl", "Axis", facing="N")]}, context())
    assert len(str(found.value).splitlines()) == 4


def test_hexes_cannot_be_kept_without_knowing_the_cards() -> None:
    with pytest.raises(UsageError, match="phones or kiosk"):
        Play(pilot("Anna", "Allies"), pilot("Karl", "Axis"), cards="table")


def test_a_name_that_makes_no_key_gets_a_key_by_its_place() -> None:
    play = Play(pilot("Анна", "Allies"), pilot("Karl Ö. Åsen", "Axis"), pilot("Host", "Axis"))
    assert [p.key for p in play.state.pilots] == ["pilot-1", "karl-sen", "pilot-3"]


def test_every_reading_of_what_the_rulebook_leaves_open_is_marked_as_ours() -> None:
    chart = GAME.charts["readings"]
    assert {(row.key, "reading") for row in chart.rows} == chart.house


@pytest.mark.rule("fastplay:Aces")
def test_pilots_live_on_in_the_roster_of_the_next_game() -> None:
    first = Play(pilot("Anna", "Allies", "Spitfire", at="J5", victories=4), pilot("Karl", "Axis", at="K5"))
    first.choose(anna="1ST 2ST 2ST", karl="1ST 2ST 2ST")
    first.fly()
    first.shoot("anna", 4, 4, 4, 4, 4)
    first.do("close")
    first.fly()
    first.shoot("anna", 4, 4, 4, 4, 4)
    first.do("close")
    undone = first.state
    first.do("losses", Answer(role="crash", faces=[1]))
    second = GAME.start({"pilots": GAME.roster(first.state)}, context())
    assert [(p.key, p.victories, p.licence) for p in second.pilots] == [("anna", 5, 1), ("karl", 0, 1)]
    assert undone.pilot("anna").victories == 4


def test_the_game_ends_when_the_table_says_so() -> None:
    play = Play(pilot("Anna", "Allies", at="J5"), pilot("Karl", "Axis", at="K5"))
    play.do("finish")
    due = GAME.due(play.state, play.context)
    assert due.over
    assert due.acts == ()
    assert GAME.view(play.state, "", play.context).headline == "The game is over after turn 1"


def test_nobody_on_the_mat_has_no_cards_to_choose() -> None:
    play = Play(pilot("Anna", "Allies"), pilot("Karl", "Axis"))
    assert play.codes("choose") == {"WRONG_STEP"}
    assert {p.out for p in GAME.view(play.state, "", play.context).pieces} == {"not on the mat yet"}


def test_an_act_names_the_planes_that_it_is_about() -> None:
    play = Play(pilot("Anna", "Allies", at="J5"), pilot("Karl", "Axis", at="K5"), pilot("Otto", "Axis", at="K5"))
    play.do("choose", *(stack(p.key, "2ST 2ST 2ST") for p in play.state.pilots))
    play.fly()
    fire = play.due()["fire:anna"]
    assert fire.about == ("anna", "karl", "otto")
    assert (fire.title, fire.seat) == ("Anna fires at Karl or Otto", "anna")


# --- a result in a glance


def word(play: Play, key: str, *answers: Answer) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
    before, act = play.state, play.due()[key]
    done = play.do(key, *answers)
    inputs = GAME.procedures[act.procedure].inputs(act.inputs)
    summary = GAME.summary(before, act.procedure, inputs, done.result)
    return summary.heading, summary.word, summary.changed


def test_each_result_is_one_word_with_what_it_changed() -> None:
    play = Play(pilot("Anna", "Allies", at="J5"), pilot("Karl", "Axis", at="K5"), pilot("Ben", "Allies"))
    place = Answer(role="hex", choice="A1"), Answer(role="facing", choice="E")
    assert word(play, "enter:ben", *place) == (("Ben",), "ENTERS", ("Ben: enters on A1, nose E",))
    agree = [Answer(address=f"agree@{who}/duel", choice=said) for who, said in (("anna", "yes"), ("ben", "no"))]
    assert word(play, "duel:anna", Answer(role="opponent", choice="ben"), *agree) == (("Anna and Ben",), "NO DUEL", ())
    plans = [stack(p.key, "2ST 2ST 2ST") for p in play.state.pilots]
    down = word(play, "choose", *plans)
    assert down[1] == "CARDS DOWN"
    assert down[2] == ("Anna: lays cards face down", "Karl: lays cards face down", "Ben: lays cards face down")
    assert word(play, "reveal")[1] == "CARDS UP"
    assert word(play, "move")[2][0] == "Anna: J5 E to L5 E"
    shot = word(play, "fire:anna", Answer(role="shoot", faces=[6, 6, 6, 6, 6]))
    assert shot == (
        ("Anna fires at Karl, range 1",),
        "5 HITS",
        ("Anna: has fired", "Karl: 5 hits from Anna"),
    )
    assert word(play, "close")[1] == "HITS COUNT"
    notes = GAME.view(play.state, "", play.context).notes
    assert "Hits this turn: Karl 5 from Anna." in notes
    assert any("†" in note for note in notes)
    play.fly()
    assert word(play, "fire:anna", Answer(role="shoot", faces=[6, 1, 1, 1, 1]))[1] == "1 HIT"
    play.do("close")
    assert word(play, "losses", Answer(role="crash", faces=[2]))[:2] == (("Shot down", "Karl"), "SURVIVES")


def test_a_shot_that_misses_and_one_without_a_known_target() -> None:
    play = Play(pilot("Anna", "Allies"), pilot("Karl", "Axis"), keeps_hexes=False, cards="table")
    fired = GAME.procedures["fastplay.fire"]
    done = Play.take(play, _lone(fired))
    summary = GAME.summary(play.state, "fastplay.fire", None, done.result)
    assert GAME.view(play.state, "", play.context).notes == ()
    assert (summary.heading, summary.word) == (("Anna fires, range 5",), "NO HIT")


def _lone(procedure: Any) -> Any:
    inputs = procedure.inputs({"shooter": "anna", "aircraft": "Me-109", "victories": 0, "range": 5})
    return scripted(procedure, inputs, [Answer(role="shoot", faces=[1])], context())


@pytest.mark.parametrize(("faces", "says"), [((1, 1), "ALL SURVIVE"), ((1, 6), "1 LOST"), ((5, 6), "2 LOST")])
def test_several_planes_shot_down_at_once(faces: tuple[int, int], says: str) -> None:
    both = {"planes": [{"pilot": "anna"}, {"pilot": "karl"}]}
    done = resolve("shot_down", both, *(Answer(role="crash", faces=[f]) for f in faces))
    play = Play(pilot("Anna", "Allies"), pilot("Karl", "Axis"))
    assert GAME.summary(play.state, "fastplay.shot_down", None, done.result).word == says


@pytest.mark.parametrize(
    ("procedure", "result", "says"),
    [
        ("crash_landing", True, "SURVIVES"),
        ("crash_landing", False, "OUT OF ACTION"),
        ("credit", "karl", "KARL"),
        ("credit", "", "NOBODY"),
    ],
)
def test_a_landing_or_a_credit_on_its_own(procedure: str, result: object, says: str) -> None:
    play = Play(pilot("Anna", "Allies"), pilot("Karl", "Axis"))
    assert GAME.summary(play.state, f"fastplay.{procedure}", None, result).word == says


# --- the shape of a game


def test_procedures_charts_and_slots_are_found_by_their_own_keys() -> None:
    assert all(name == p.name and name.startswith("fastplay.") for name, p in GAME.procedures.items())
    assert all(key == c.key and c.rule for key, c in GAME.charts.items())
    assert all(key == slot.key for key, slot in GAME.slots.items())
    assert all(set(preset) <= set(GAME.switches) for preset in GAME.presets.values())
    assert [u.key for u in GAME.units] == [row.key for row in GAME.charts["aircraft"].rows]
    assert all(p.describe()["inputs"] for p in GAME.procedures.values())


def test_the_package_knows_its_title_before_the_game_is_loaded() -> None:
    assert GAME.title == fastplay.TITLE
    with pytest.raises(AttributeError):
        fastplay.game_of_chess  # noqa: B018


@pytest.mark.rule("fastplay:Aircraft Data Table")
def test_the_printed_table_row_by_row() -> None:
    printed = {r.key: r.cells[:4] for r in GAME.charts["aircraft"].rows}
    assert printed == {
        "Me-109": ("*", "*", "*", 6),
        "Me-109A": ("*", "*", "3-6 @ 1 hex", 6),
        "Me-110": ("1xHR, 1xHL", "*", "3-6", 7),
        "Fw-190D": ("*", "1x3ST", "3-6 @ 1 hex", 6),
        "Me-262": ("1xHR, 1xHL", "1x3ST", "3-6 @ 1 hex", 7),
        "Me-163": ("1xHR, 1xHL", "1x3ST", "3-6 @ 1 hex", 7),
        "Spitfire": ("*", "1x3ST", "*", 6),
        "Hurricane": ("1xHR, 1xHL", "*", "*", 6),
        "Mosquito": ("1xHR, 1xHL", "*", "*", 6),
        "Mustang": ("1xHR, 1xHL", "1x3ST", "*", 6),
        "Thunderbolt": ("1xHR, 1xHL", "*", "*", 6),
        "Lightning": ("2xHR, 2xHL, 1xR, 1xL", "2x3ST", "3-6 @ 1-3 hexes", 8),
        "Corsair": ("1xHR, 1xHL", "*", "*", 6),
        "Zero": ("*", "*", "5-6 @ 3-5 hexes", 5),
    }


# --- nicknames


def test_pilots_are_called_by_their_nicknames_in_any_letters() -> None:
    """No key of a seat stands in a line, a change or a question; two who tie throw a die each by their own names."""
    places = (("Юля", "Allies", "J5"), ("Red Kite", "Allies", "I5"), ("Zoë", "Axis", "K5"))
    play = Play(*(pilot(name, side, at=at) for name, side, at in places), cards="kiosk")
    keys = [p.key for p in play.state.pilots]
    assert keys == ["pilot-1", "red-kite", "zo"]
    said = []
    for act in ("choose", "reveal", "move", "close"):
        done = play.roll(act, Random(3))
        said += [line.text for line in done.lines] + [change.text for change in done.changes]
    hit_by = (Share("pilot-1", 5), Share("red-kite", 5))
    down = msgspec.structs.replace(play.state.pilot("zo"), out="", hits=6, hit_by=hit_by)
    play.state = msgspec.structs.replace(play.state, pilots=(*play.state.pilots[:2], down), phase="losses")
    dice = Answer(role="high", faces={"Юля": 2, "Red Kite": 5})
    done = play.do("losses", dice, Answer(role="crash", faces=[2]))
    said += [line.text for line in done.lines]
    words = " ".join(said)
    assert all(name in words for name in ("Юля", "Red Kite", "Zoë"))
    assert not [key for key in keys if re.search(rf"\b{key}\b", words)]
    assert "Red Kite hit Zoë 5 times" in words
    assert "2+5 Юля d6 and Red Kite d6" in words


def test_two_pilots_of_one_name_throw_by_their_keys() -> None:
    known = (("anna", "Anna"), ("anna-2", "Anna"))
    assert apart(known, ["anna", "anna-2"]) == ["anna", "anna-2"]
    assert apart(known, ["anna", "karl"]) == ["Anna", "karl"]


def test_a_duel_is_shown_with_the_others_nickname() -> None:
    play = Play(pilot("Red Kite", "Allies", at="J5"), pilot("Owl", "Axis", at="K5"))
    agree = [Answer(address=f"agree@{who}/duel", choice="yes") for who in ("owl", "red-kite")]
    play.do("duel:owl", Answer(role="opponent", choice="red-kite"), *agree)
    owl = GAME.view(play.state, "", play.context).pieces[1]
    assert ("Duel", "with Red Kite") in [(field.label, field.value) for field in owl.fields]


def test_a_licence_is_worth_printing_again_when_victories_or_its_number_change_and_not_for_hits() -> None:
    play = Play(pilot("Anna", "Allies", at="J5", victories=4), pilot("Karl", "Axis", at="K5"))
    before = GAME.lasting(play.state)
    play.fold([Change("hits", "karl", {"by": "anna", "hits": 5})])
    assert GAME.lasting(play.state) == before
    play.fold([Change("victory", "anna"), Change("out_of_action", "karl")])
    assert [paper.content for paper in GAME.lasting(play.state)] == ["1.5.Anna", "2.0.Karl"]
