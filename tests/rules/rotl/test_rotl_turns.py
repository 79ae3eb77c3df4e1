"""Set-up, the steps of a player-turn, altitude, losses and promotion, disengagement, pilots, views."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.packs.errors import PackError
from companion.rules.rotl import GAME
from companion.rules.rotl.altitude import Move, Moved, adjust, vertical
from companion.rules.rotl.attack import Attack, Exchange, attack
from companion.rules.rotl.cards import Hand, from_hand, house_deck
from companion.rules.rotl.chance import Unseen, chance, unseen_by
from companion.rules.rotl.leaving import Disengagement, Leaving, disengage
from companion.rules.rotl.piles import Stock
from companion.rules.rotl.pilots import Chosen, Counter, Cup, Pilot, pilots
from companion.rules.rotl.state import Dogfight
from companion.rules.rotl.targets import leader_fighter, wingman_fighter
from companion.rules.rotl.turns import (
    Deal,
    Dealt,
    DrawStep,
    Nothing,
    Starter,
    Starts,
    altitudes,
    deal,
    draw_cards,
    initiative,
    start_levels,
)
from companion.rules.rotl.victory import Balance, Victory, victory_points
from companion.umpire import (
    Answer,
    Change,
    Context,
    Illegal,
    Missing,
    Open,
    Pick,
    Recorded,
    UsageError,
    advance,
    run,
    scripted,
)
from tests.rules.rotl.hangar import TYPES
from tests.rules.rotl.tables import CONTEXT, act_of, answers, codes, context, dogfight, element, fold, inputs_of, play


def fight(*elements, **fields) -> Dogfight:  # type: ignore[no-untyped-def]
    return dogfight(*elements, types=TYPES, **fields)


def drawn(*cards: str) -> Answer:
    return Answer(role="draw:X1", cards=list(cards))


# --- set-up ------------------------------------------------------------------------------------------

DUEL = {
    "elements": [{"side": "Axis", "type": "Bf-109E", "seat": "a"}, {"side": "Allies", "type": "P-51D", "seat": "b"}]
}


@pytest.mark.rule("rotl:Aircraft Cards")
@pytest.mark.rule("rotl:Set-up teams")
@pytest.mark.rule("rotl:Year")
def test_a_set_up_that_cannot_be_read_says_where() -> None:
    with pytest.raises(UsageError, match="The set-up cannot be used"):
        GAME.start({"elements": [{"side": "Neutral", "type": "x"}] * 2}, CONTEXT)
    with pytest.raises(Illegal, match="no element of the Axis"):
        GAME.start({"elements": [{"side": "Allies", "type": "P-51D"}] * 2}, CONTEXT)
    with pytest.raises(PackError, match="capacity is missing"):
        GAME.start({**DUEL, "aircraft": {"Zero": {"side": "Axis"}}}, CONTEXT)


@pytest.mark.rule("rotl:Secret start altitude")
def test_altitudes_are_chosen_in_secret_and_revealed_together() -> None:
    state = GAME.start(DUEL, CONTEXT)
    act = act_of(GAME.due(state, CONTEXT), "altitudes")
    procedure, inputs = GAME.procedures[act.procedure], inputs_of(act)
    first = Answer(address="altitudes@a/altitude", choice="Low")
    with pytest.raises(Missing) as missing:
        run(procedure, inputs, Recorded(CONTEXT, [first]))
    (ask,) = missing.value.asks
    assert (ask.seat, ask.answer_to, ask.options_to) == ("b", "sealed", "seat")
    second = Answer(address="altitudes@b/altitude", choice=["Very High"])
    state = fold(state, scripted(procedure, inputs, [first, second], CONTEXT))
    assert [e.altitude for e in state.elements] == ["Low", "Very High"]
    assert state.phase == "deal"


def test_a_seat_with_two_elements_gives_a_level_for_each() -> None:
    space = start_levels([Starter("X1", "a"), Starter("X2", "a", turbo=True)])
    assert space.parse(["X2=Very High", "X1=Low"]) == ("X2=Very High", "X1=Low")
    assert [o.key for o in space.listed if o.barred] == ["X1=Very High"]
    assert len(space.legal) == 20
    for wrong, sentence in ((["X1=Low"], "Choose 2"), (["X1=Low", "X1=High"], "one level for each of X1, X2")):
        with pytest.raises(UsageError, match=sentence):
            space.parse(wrong)
    starters = Starts((Starter("X1", "a"), Starter("X2", "a")))
    done = run(altitudes, starters, Recorded(CONTEXT, answers(altitude=[["X2=Low", "X1=High"]])))
    assert [(c.target, c.value) for c in done.changes[:2]] == [("X1", "High"), ("X2", "Low")]


@pytest.mark.rule("rotl:Initial deal")
@pytest.mark.rule("rotl:Skill CV")
@pytest.mark.rule("rotl:Jet start")
@pytest.mark.rule("rotl:Methanol")
def test_the_deal_gives_performance_cards_counters_and_one_exchange() -> None:
    state = GAME.start(
        {
            "elements": [
                {"side": "Axis", "type": "Me-262A", "seat": "a", "pilot": {"skills": ["CV", "A", "P"]}},
                {"side": "Allies", "type": "Gladiator", "seat": "b"},
            ]
        },
        CONTEXT,
    )
    state = replace(state, phase="deal")
    act = act_of(GAME.due(state, CONTEXT), "deal")
    jet = ["man"] * 8
    given = [
        Answer(role="draw:X1", cards=jet),
        Answer(role="draw:A1", cards=["tit", "bar", "ace"]),
        Answer(role="exchange", choice=["man", "man"]),
        Answer(role="draw:X1", cards=["hal", "ace"]),
    ]
    done = scripted(GAME.procedures[act.procedure], inputs_of(act), given, CONTEXT)
    state = fold(state, done)
    me = state.element("X1")
    assert (len(me.hand), me.counters, me.ace, state.pile) == (8, 4, True, 67)
    assert me.hand.known == ("ace", "hal", *["man"] * 6)
    assert state.discards.known == ("man", "man")
    kept = run(
        deal, Deal((Dealt("X1", "a", 1, vision=True),)), Recorded(CONTEXT, [drawn("man"), *answers(exchange=[[]])])
    )
    assert [c.kind for c in kept.changes] == ["take", "phase"]


@pytest.mark.rule("rotl:Order")
def test_the_counter_is_flipped_and_sides_alternate_as_long_as_they_can() -> None:
    heads = run(initiative, Nothing(), Recorded(CONTEXT, [Answer(role="initiative", faces=[2])]))
    tails = run(initiative, Nothing(), Recorded(CONTEXT, [Answer(role="initiative", faces=[5])]))
    assert (heads.changes[0].value, tails.changes[0].value) == ("Axis", "Allies")
    elements = [element("X1", "Zero"), element("A1", "F4F"), element("A2", "P-40")]
    state = replace(fight(*elements), phase="order", turn=None, order=(), first="Allies", game_turn=1)
    named = []
    for _ in range(3):
        acts = GAME.due(state, CONTEXT).acts
        named.append([a.key for a in acts])
        state, _ = play(state, acts[0].key)
        assert state.turn
        state = replace(state, turn=replace(state.turn, step="draw"))
        state = GAME.apply(state, Change("step", state.turn.element if state.turn else ""))
    assert named == [["begin:A1", "begin:A2"], ["begin:X1"], ["begin:A2"]]
    assert state.order == ("A1", "X1", "A2")
    assert state.game_turn == 2
    assert state.turn
    assert state.turn.element == "A1"


@pytest.mark.rule("rotl:VP for weaker side")
def test_a_balanced_set_up_gives_the_weaker_side_points() -> None:
    state = GAME.start({**DUEL, "balance": True, "bonus": {"Axis": 1}}, CONTEXT)
    assert state.bonus == {"Axis": 7, "Allies": 0}
    other = {"elements": [{"side": "Axis", "type": "Fw-190A"}, {"side": "Allies", "type": "I-16"}], "balance": True}
    assert GAME.start(other, CONTEXT).bonus == {"Axis": 0, "Allies": 7}
    even = {
        "elements": [{"side": "Axis", "type": "Bf-109E"}, {"side": "Allies", "type": "Spitfire I"}],
        "balance": True,
    }
    assert GAME.start(even, CONTEXT).bonus == {"Axis": 0, "Allies": 0}
    assert victory_points(state, "Axis") == 7


def test_a_players_own_deck_and_aircraft_are_no_house_values() -> None:
    own = {"kurve": {"kind": "TIT", "title": "Kurve", "colour": "blue", "level": "H", "copies": 9, "answers": ["*"]},
           "schuss": {"kind": "IMS", "title": "Schuss", "colour": "red", "level": "E", "copies": 9, "bursts": 1,
                      "hits": 2}}  # fmt: skip
    ratings = {"side": "Axis", "nation": "Germany", "performance": [5, 4], "horsepower": [3, 2], "burst": [1, 1],
               "capacity": [3, 6]}  # fmt: skip
    state = GAME.start({**DUEL, "deck": own, "aircraft": {"Bf-109E": ratings}}, CONTEXT)
    assert state.pile == 18
    assert state.types["Bf-109E"].offence == (0, 0)
    fields = [f for p in GAME.view(state, "", CONTEXT).pieces if p.key == "X1.1" for f in p.fields]
    assert not any(f.house for f in fields)
    me, enemy = element("X1", "Bf-109E", "schuss"), element("A1", "P-51D", "kurve")
    table = replace(dogfight(me, enemy, pile=16), deck=state.deck)
    after, done = play(table, "leader:A1.1", *answers(card="schuss", respond="pass"))
    assert after.element("A1").leader.hits == 2
    assert done.house == ()
    assert not GAME.view(after, "allies", CONTEXT).hand[0].house


def test_house_hits_are_named_and_may_be_refused() -> None:
    state = dogfight(element("X1", "Bf-109E", "oos-1b", "ims-1b2d"), element("A1", "P-51D"))
    _, done = play(state, "leader:A1.1", *answers(card="oos-1b", respond="pass"))
    assert done.house == ("Hits on the card oos-1b [Damage Capacity]",)
    _, printed = play(state, "leader:A1.1", *answers(card="ims-1b2d", respond="pass"))
    assert printed.house == ()
    own = Context(CONTEXT.switches, GAME.cells(), "refuse")
    given = [*answers(card="oos-1b", respond="pass"), Answer(role="look_up:card_hits:oos-1b", value=3)]
    after, asked = play(state, "leader:A1.1", *given, ctx=own)
    assert asked.house == ()
    assert after.element("A1").leader.hits == 3


# --- steps -------------------------------------------------------------------------------------------


@pytest.mark.rule("rotl:Step list")
def test_the_steps_follow_each_other_to_the_next_player_turn() -> None:
    state = fight(element("X1", "Zero", "man", "tit"), element("A1", "F4F"), step="wingman")
    for key, step in (("pass", "altitude"), ("pass", "play"), ("pass", "discard")):
        state, _ = play(state, key)
        assert state.turn
        assert state.turn.step == step
    state, _ = play(state, "discard", *answers(discard=[["man"]]))
    assert state.discards.known == ("man",)
    draw = act_of(GAME.due(state, CONTEXT), "draw")
    assert draw.title == "Draw up to 3 cards"
    state, _ = play(state, "draw", *answers(count=2), drawn("ace", "hal"))
    assert state.element("X1").hand.known == ("ace", "hal", "tit")
    assert state.turn
    assert state.turn.element == "A1"


@pytest.mark.rule("rotl:Elimination")
def test_the_dogfight_ends_after_six_turns_or_with_one_side() -> None:
    state = fight(element("X1", "Zero"), element("A1", "F4F"), step="draw", game_turn=6)
    last = replace(state, order=("A1", "X1"))
    over = GAME.apply(last, Change("step", "X1"))
    assert GAME.due(over, CONTEXT).over
    assert GAME.view(over, "", CONTEXT).score[-1].value == "Draw"
    gone = GAME.apply(state, Change("destroyed", "A1.2"))
    gone = GAME.apply(GAME.apply(gone, Change("destroyed", "A1.1")), Change("step", "X1"))
    assert gone.phase == "over"
    assert victory_points(gone, "Axis") == 10
    assert GAME.view(replace(gone, elements=gone.elements[:1]), "", CONTEXT).score[-1].value.startswith("The table")


@pytest.mark.rule("rotl:Performance")
@pytest.mark.rule("rotl:Thrust")
@pytest.mark.parametrize(
    ("step", "most", "gain"),
    [
        (DrawStep("X1", held=2, performance=5, horsepower=4), 3, 0),
        (DrawStep("X1", held=2, performance=5, horsepower=1), 1, 0),
        (DrawStep("X1", held=6, performance=5, horsepower=3), 0, 0),
        (DrawStep("X1", counters=1, speed=4, thrust=2), 3, 2),
        (DrawStep("X1", counters=3, speed=4, thrust=2), 3, 1),
        (DrawStep("X1", counters=5, speed=4, thrust=2), 3, 0),
    ],
)
def test_what_the_draw_step_allows(step: DrawStep, most: int, gain: int) -> None:
    assert (step.most, step.gain) == (most, gain)


def test_a_full_hand_draws_nothing_and_thrust_is_gained() -> None:
    step = DrawStep("X1", held=5, performance=5, counters=1, speed=4, thrust=2)
    done = run(draw_cards, step, Recorded(CONTEXT))
    assert [(c.kind, c.value) for c in done.changes] == [("counters", 2), ("step", None)]
    empty = run(draw_cards, DrawStep("X1", stock=Stock(0, 0)), Recorded(CONTEXT, answers(count=2)))
    assert empty.result.done == "X1 draws 0"


@pytest.mark.rule("rotl:Give up position")
def test_a_position_held_since_the_turn_began_is_given_up() -> None:
    state = fight(element("X1", "Zero"), element("A1", "F4F"), holds=(("X1", "Tailing", "A1"),))
    state, _ = play(state, "give_up")
    assert state.holds == ()


@pytest.mark.rule("rotl:WM mini-hand, defence")
def test_a_wingman_that_is_attacked_draws_before_the_first_card() -> None:
    state = fight(element("X1", "Zero", "man"), element("A1", "F4F"))
    act = act_of(GAME.due(state, CONTEXT), "leader:A1.2")
    assert act.procedure == "rotl.declare"
    assert (inputs_of(act).offence, inputs_of(act).defence) == (0, 2)
    state, _ = play(state, "leader:A1.2", Answer(role="draw:A1", cards=["tit", "bar"]))
    assert len(state.element("A1").mini) == 2
    assert act_of(GAME.due(state, CONTEXT), "leader:A1.2").procedure == "rotl.attack"
    assert codes(state, "leader:A1.1") == ["ONE_TARGET_PER_TURN"]
    state, _ = play(state, "pass")
    assert state.discards.known == ("bar", "tit")


@pytest.mark.rule("rotl:Gunner targets")
def test_a_gunner_may_fire_at_the_pursuers_wingman() -> None:
    me, enemy = element("X1", "Bf-110", "ims-1b1d", "man"), element("A1", "F4F", mini="")
    state = fight(me, enemy, holds=(("A1", "Tailing", "X1"),))
    state, _ = play(state, "gunner:A1.2", Answer(role="draw:A1", cards=["man", "man"]))
    state, done = play(state, "gunner:A1.2", *answers(card="ims-1b1d", respond="pass"))
    assert done.result.effect == "1 hit on A1 F4F wingman"
    assert codes(state, "leader:A1.1") == []
    assert codes(state, "gunner:A1.2") == []


@pytest.mark.rule("rotl:Skill BM, S")
@pytest.mark.rule("rotl:Skill G")
@pytest.mark.rule("rotl:Skill BU")
@pytest.mark.rule("rotl:Skill D")
@pytest.mark.rule("rotl:Skill H, P")
def test_skills_raise_ratings() -> None:
    me = element("X1", "Bf-110", skills=("G", "BU", "D", "H", "P"))
    state = fight(me, element("A1", "F4F"))
    assert state.gunner(me) == 2
    assert [state.rating(me, r) for r in ("burst", "horsepower", "performance")] == [3, 4, 6]
    assert state.capacity(me, me.leader) == (5, 9)
    assert me.wingman
    assert state.capacity(me, me.wingman) == (4, 8)


@pytest.mark.rule("rotl:Heavy cannon")
def test_heavy_cannons_add_to_each_hit_but_not_for_the_gunner() -> None:
    me = element("X1", "Jet", "ims-1b1d", mini="ims-1b1d")
    state = fight(me, element("A1", "F4F"))
    state, _ = play(state, "leader:A1.1", *answers(card="ims-1b1d", respond="pass"))
    assert state.element("A1").leader.hits == 2
    wing = fight(me, element("A1", "F4F"), step="wingman", targets={"X1.2": "A1.1"})
    wing, _ = play(wing, "wingman:A1.1", *answers(card="ims-1b1d", respond="pass"))
    assert wing.element("A1").leader.hits == 3
    gunner = Attack(by="gunner", heavy=2)
    done = run(attack, gunner, Recorded(CONTEXT, answers(card="ims-1b1d", respond="pass")))
    assert done.result.effect == "1 hit on the defender"


@pytest.mark.rule("rotl:Initiate")
def test_an_attack_may_be_left_and_nothing_is_changed() -> None:
    state = fight(element("X1", "Zero", "man"), element("A1", "F4F"))
    after, done = play(state, "leader:A1.1", *answers(card="back"))
    assert after == state
    assert done.result == Exchange()
    rolled, _ = play(state, "roll_down", *answers(card="back"))
    assert rolled == state


@pytest.mark.rule("rotl:Agile")
def test_a_wingman_marked_agile_converts_too() -> None:
    me = element("X1", "Wingman Ace", mini="man")
    state = fight(
        me, element("A1", "F4F"), step="wingman", targets={"X1.2": "A1.1"}, holds=(("A1", "Advantaged", "X1"),)
    )
    state, _ = play(state, "wingman:A1.1", *answers(card="man:agile", respond="pass"))
    assert state.position("X1", "A1") == "Advantaged"


@pytest.mark.rule("rotl:Ta-152H-1")
def test_a_ta_152_lays_any_card_as_full_throttle_once_at_very_high() -> None:
    me = element("X1", "Ta-152H-1", "man", "tit", altitude="Very High")
    state = fight(me, element("A1", "Turbo", altitude="Very High"), holds=(("A1", "Tailing", "X1"),))
    state, _ = play(state, "leader:A1.1", *answers(card="man:ta152", respond="pass"))
    assert state.position("X1", "A1") == "Disadvantaged"
    assert state.turn
    assert state.turn.used == ("ta152:X1.1",)


# --- the lone leader ---------------------------------------------------------------------------------


@pytest.mark.rule("rotl:Lone leader exception")
@pytest.mark.parametrize(
    ("held", "card", "friend", "mine"),
    [
        ("Tailing", "man", "Disadvantaged", "Neutral"),
        ("Tailing", "hal", "Neutral", "Neutral"),
        ("Tailing", "fut", "Disadvantaged", "Neutral"),
        ("Advantaged", "man", "Neutral", "Neutral"),
        ("Advantaged", "hal", "Neutral", "Advantaged"),
        ("Advantaged", "fut", "Neutral", "Neutral"),
        ("Advantaged", "sci", "Neutral", "Advantaged"),
    ],
)
def test_each_card_against_a_lone_leader(held: str, card: str, friend: str, mine: str) -> None:
    state = fight(
        element("A1", "Hurricane", card),
        element("X1", "Ki-43", wingman=False),
        element("A2", "Buffalo"),
        holds=(("X1", held, "A2"),),
    )
    state, _ = play(state, "leader:X1.1", *answers(card=card, respond="pass"))
    assert state.position("A2", "X1") == friend
    assert state.position("A1", "X1") == mine


# --- altitude ----------------------------------------------------------------------------------------


@pytest.mark.rule("rotl:Adjust step")
@pytest.mark.rule("rotl:Dive")
@pytest.mark.rule("rotl:Own position lost")
def test_a_dive_draws_a_card_beyond_the_limit_and_loses_the_position() -> None:
    me = element("X1", "Zero", *["man"] * 5)
    state = fight(me, element("A1", "F4F"), step="altitude", holds=(("X1", "Tailing", "A1"),))
    state, _ = play(state, "dive", drawn("ace"))
    assert state.element("X1").altitude == "Low"
    assert len(state.element("X1").hand) == 6
    assert state.holds == ()
    assert state.turn
    assert (state.turn.step, state.turn.moved) == ("play", True)


@pytest.mark.rule("rotl:Follow, Tailing")
def test_a_tailing_enemy_follows_a_dive_freely_and_draws() -> None:
    state = fight(element("X1", "Zero"), element("A1", "F4F"), step="altitude", holds=(("A1", "Tailing", "X1"),))
    given = [drawn("man"), *answers(follow="follow"), Answer(role="draw:A1", cards=["tit"])]
    free = [a for a in given if a.role != "pay"]
    state, _ = play(state, "dive", *free)
    assert state.position("A1", "X1") == "Tailing"
    assert state.element("A1").hand.known == ("tit",)
    assert state.element("A1").altitude == "Low"


@pytest.mark.rule("rotl:Not following")
def test_an_enemy_that_stays_is_neutral() -> None:
    state = fight(element("X1", "Zero"), element("A1", "F4F"), step="altitude", holds=(("A1", "Tailing", "X1"),))
    state, _ = play(state, "dive", drawn("man"), *answers(follow="stay"))
    assert state.holds == ()
    assert state.element("A1").altitude == "Medium"


@pytest.mark.rule("rotl:Climb")
@pytest.mark.rule("rotl:Counters as cards")
def test_a_jet_pays_a_climb_with_a_counter_and_follows_with_counters() -> None:
    state = fight(element("X1", "Jet", counters=1), element("A1", "F4F"), step="altitude")
    climbed, _ = play(state, "climb", *answers(pay=[["counter"]]))
    assert (climbed.element("X1").counters, climbed.element("X1").altitude) == (0, "High")
    state = fight(
        element("A1", "F4F", "man"), element("X1", "Jet", "tit", counters=2), step="altitude",
        holds=(("X1", "Advantaged", "A1"),),
    )  # fmt: skip
    state, _ = play(state, "climb", *answers(pay=[["man"], ["counter", "tit"]], follow="follow"))
    assert (state.element("X1").counters, len(state.element("X1").hand)) == (1, 0)
    assert state.position("X1", "A1") == "Advantaged"


@pytest.mark.rule("rotl:Altitude gate")
@pytest.mark.rule("rotl:VER to change altitude")
@pytest.mark.rule("rotl:Neutral VER")
@pytest.mark.rule("rotl:VER first, then attack")
def test_a_neutral_leader_rolls_to_the_level_of_its_target() -> None:
    state = fight(element("X1", "Zero", "ver", "man"), element("A1", "F4F", "ver", altitude="Low"))
    assert codes(state, "leader:A1.1") == ["DIFFERENT_ALTITUDE"]
    state, _ = play(state, "roll_down", *answers(card="ver"), drawn("tit"))
    assert state.turn
    assert (state.turn.vertical, state.turn.played) == ("free", 1)
    assert codes(state, "leader:A1.1") == []
    state, _ = play(state, "leader:A1.1", *answers(card="man", respond="pass"))
    assert state.position("X1", "A1") == "Advantaged"
    late = fight(element("X1", "Zero", "ver"), element("A1", "F4F", altitude="Low"), played=1)
    late, _ = play(late, "roll_down", *answers(card="ver"), drawn("tit"))
    assert codes(late, "leader:A1.1") == ["VER_FIRST_AND_UNENGAGED"]


@pytest.mark.rule("rotl:Stop a VER")
def test_a_pursuer_stops_a_roll_with_ver_or_ace_alone() -> None:
    me, enemy = element("X1", "Zero", "ver", "ver"), element("A1", "F4F", "ver", "ace", "sci")
    state = fight(me, enemy, holds=(("A1", "Tailing", "X1"),))
    stopped, done = play(state, "roll_down", *answers(card="ver", respond=["ver", "pass"]))
    assert isinstance(done.result, Moved)
    assert not done.result.changed
    assert stopped.element("X1").altitude == "Medium"
    with pytest.raises(Illegal, match="does not list VER"):
        play(state, "roll_down", *answers(card="ver", respond=["sci"]))
    given = answers(card="ver", respond=["ver", "ver", "pass"], pay=[["ace"]], follow="follow")
    with_pay, _ = play(state, "roll_down", *given, drawn("tit"), Answer(role="draw:A1", cards=["man"]))
    assert with_pay.position("A1", "X1") == "Tailing"
    assert with_pay.element("A1").altitude == "Low"
    assert with_pay.element("A1").hand.known == ("man", "sci")


def test_a_card_of_a_players_own_deck_may_list_ver_and_still_not_stop_it() -> None:
    white, blue = {"colour": "white", "level": "H", "copies": 9}, {"colour": "blue", "level": "H", "copies": 9}
    deck = {
        "ver": {"kind": "VER", "title": "VER", "answers": ["VER"], **white},
        "tit": {"kind": "TIT", "title": "TIT", "answers": ["VER"], **blue},
        "ace": {"kind": "ACE", "title": "ACE", "answers": ["*"], **blue},
    }
    own = GAME.start({**DUEL, "deck": deck}, CONTEXT).deck
    me, enemy = element("X1", "Zero", "ver"), element("A1", "F4F", "tit", "ace")
    state = replace(fight(me, enemy, holds=(("A1", "Tailing", "X1"),), pile=24), deck=own)
    with pytest.raises(Illegal, match="TIT does not list VER"):
        play(state, "roll_down", *answers(card="ver", respond=["tit"]))
    stopped, _ = play(state, "roll_down", *answers(card="ver", respond=["ace", "pass"]))
    assert stopped.element("X1").altitude == "Medium"


def test_a_roll_whose_climb_cannot_be_paid_any_more_fails() -> None:
    me, enemy = element("X1", "Zero", "ver", "ver"), element("A1", "F4F", "ver")
    state = fight(me, enemy, holds=(("A1", "Tailing", "X1"),))
    state, done = play(state, "roll_up", *answers(card="ver", respond=["ver", "ver", "pass"]))
    assert not done.result.changed
    assert state.discards.known == ("ver", "ver", "ver")
    assert codes(fight(element("X1", "Zero"), enemy), "roll_down") == ["CARD_NOT_IN_HAND"]


@pytest.mark.rule("rotl:VER as response")
def test_a_roll_as_response_moves_nobody() -> None:
    state = fight(element("X1", "Zero", "hal"), element("A1", "F4F", "ver"))
    state, done = play(state, "leader:A1.1", *answers(card="hal", respond=["ver", "pass"]))
    assert not done.result.stands
    assert {e.altitude for e in state.elements} == {"Medium"}


@pytest.mark.rule("rotl:Ceilings and floor")
def test_a_follower_below_its_ceiling_only() -> None:
    me = element("A1", "Turbo", "man", altitude="High")
    enemy = element("X1", "Lowflyer", *["tit"] * 4, altitude="High")
    state = fight(me, enemy, step="altitude", holds=(("X1", "Tailing", "A1"),))
    with pytest.raises(Illegal, match="flies no higher than High"):
        play(state, "climb", *answers(pay=[["man"]], follow="follow"))
    state, _ = play(state, "climb", *answers(pay=[["man"]], follow="stay"))
    assert state.element("X1").altitude == "High"
    assert run(adjust, Move(up=False), Recorded(CONTEXT, [Answer(role="draw:dive", cards=["man"])])).result.changed
    assert run(vertical, Move(), Recorded(CONTEXT, answers(card="back"))).result.level == "Medium"


# --- losses ------------------------------------------------------------------------------------------


@pytest.mark.rule("rotl:WM down")
def test_a_wingman_shot_down_is_set_aside() -> None:
    state = fight(element("X1", "Zero"), element("A1", "F4F"))
    state = GAME.apply(state, Change("hits", "A1.2", 8))
    a1 = state.element("A1")
    assert a1.wingman is None
    assert [p.fate for p in a1.aside] == ["destroyed"]
    assert victory_points(state, "Axis") == 5
    assert GAME.view(state, "", CONTEXT).pieces[-1].out == "destroyed"


@pytest.mark.rule("rotl:LDR down")
def test_the_wingman_takes_over_with_its_hits_and_a_smaller_hand() -> None:
    enemy = element("A1", "F4F", "man", "tit", mini="ace", skills=("P", "A"), pilot="Foss", ace=True)
    state = fight(element("X1", "Zero", "man"), enemy, holds=(("X1", "Tailing", "A1"),), step="wingman")
    for plane, hits in (("A1.2", 5), ("A1.1", 8)):
        state = GAME.apply(state, Change("hits", plane, hits))
    due = GAME.due(state, CONTEXT)
    assert [(a.key, a.must) for a in due.acts] == [("promote:A1", True)]
    assert state.holds == ()
    assert state.discards.known == ("ace", "man", "tit")
    assert inputs_of(due.acts[0]).cards == 3
    state, _ = play(state, "promote:A1", Answer(role="draw:A1", cards=["hal", "hal", "bar"]))
    a1 = state.element("A1")
    assert (a1.leader.key, a1.leader.hits, a1.leader.damaged) == ("A1.2", 5, True)
    assert (a1.wingman, a1.skills, a1.ace, len(a1.hand)) == (None, (), False, 3)
    again = GAME.apply(GAME.apply(state, Change("hits", "A1.1", 1)), Change("hits", "A1.2", 9))
    assert not again.element("A1").fighting


@pytest.mark.rule("rotl:Jet start")
@pytest.mark.rule("rotl:Methanol")
def test_counters_of_a_promoted_leader() -> None:
    for name, hits, counters in (("Jet", 0, 3), ("Bf-109G", 0, 1), ("Bf-109G", 5, 0)):
        state = fight(element("A1", "F4F"), element("X1", name, counters=2))
        state = GAME.apply(GAME.apply(state, Change("hits", "X1.2", hits)), Change("hits", "X1.1", 9))
        assert state.element("X1").counters == 0
        state, _ = play(state, "promote:X1", drawn("man"))
        assert state.element("X1").counters == counters


@pytest.mark.rule("rotl:Methanol")
def test_a_methanol_counter_is_lost_when_the_leader_is_damaged() -> None:
    state = fight(element("A1", "F4F"), element("X1", "Bf-109G", counters=1))
    assert GAME.apply(state, Change("hits", "X1.2", 5)).element("X1").counters == 1
    assert GAME.apply(state, Change("hits", "X1.1", 5)).element("X1").counters == 0


@pytest.mark.rule("rotl:LDR down in own PT")
def test_an_element_that_is_lost_in_its_own_turn_goes_no_further() -> None:
    state = fight(element("X1", "Zero"), element("A1", "F4F"), element("X2", "Zero"))
    for plane in ("X1.1", "X1.2"):
        state = GAME.apply(state, Change("destroyed", plane))
    assert not state.element("X1").fighting
    assert state.turn
    assert state.turn.element == "A1"


@pytest.mark.rule("rotl:LDR down in own PT")
@pytest.mark.parametrize(
    ("step", "goes_on", "then"),
    [("wingman", "wingman", "altitude"), ("altitude", "altitude", "discard"), ("play", "discard", "draw")],
)
def test_a_leader_lost_in_its_own_turn_plays_no_cards(step: str, goes_on: str, then: str) -> None:
    state = fight(element("X1", "Zero"), element("A1", "F4F"), step=step)
    state = GAME.apply(GAME.apply(state, Change("destroyed", "X1.1")), Change("promote", "X1"))
    assert state.turn
    assert state.turn.step == goes_on
    after = GAME.apply(state, Change("step", "X1")).turn
    assert after
    assert after.step == then


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (Change("teleport", "X1"), "no change 'teleport'"),
        (Change("hits", "Z9", 1), "no aircraft 'Z9'"),
        (Change("altitude", "Z9", "Low"), "no element 'Z9'"),
        (Change("altitude", "X1", "Moon"), "does not fit"),
        (Change("hits", "X1.1", "many"), "does not fit"),
        (Change("position", "X1", "Neutral"), "no element ''"),
        (Change("bursts", "X1", 1), "No player-turn is open"),
        (Change("promote", "X2"), "no wingman to take over"),
    ],
)
def test_a_change_that_does_not_fit_is_refused(change: Change, sentence: str) -> None:
    idle = replace(fight(element("X1", "Zero"), element("A1", "F4F"), element("X2", "Zero", wingman=False)), turn=None)
    with pytest.raises(UsageError, match=sentence):
        GAME.apply(idle, change)


def test_a_change_between_player_turns() -> None:
    idle = replace(fight(element("X1", "Zero"), element("A1", "F4F")), turn=None)
    assert GAME.apply(idle, Change("altitude", "X1", "Low")).element("X1").altitude == "Low"
    assert GAME.apply(idle, Change("disengaged", "A1")).element("A1").leader.fate == "disengaged"


# --- disengagement -----------------------------------------------------------------------------------


@pytest.mark.rule("rotl:Voluntary disengagement")
def test_each_aircraft_of_a_leaving_element_draws_a_card() -> None:
    me = element("X1", "Zero", "man")
    state = fight(me, element("A1", "F4F"), holds=(("A1", "Tailing", "X1"),))
    given = [Answer(role="draw:X1.1", cards=["ims-1b1d"]), Answer(role="draw:X1.2", cards=["ims-2b"])]
    state, done = play(state, "disengage", *given)
    assert done.result.fates == ("Damaged", "Destroyed")
    x1 = state.element("X1")
    assert (x1.leader.fate, x1.leader.damaged, x1.aside[0].fate) == ("disengaged", True, "destroyed")
    assert state.discards.known == ("ims-1b1d", "ims-2b", "man")
    assert victory_points(state, "Allies") == 7
    assert state.phase == "over"


def test_a_leader_destroyed_while_leaving_is_not_replaced() -> None:
    state = fight(element("X1", "Zero"), element("A1", "F4F"), element("X2", "Zero"))
    given = [Answer(role="draw:X1.1", cards=["oos-1b"]), Answer(role="draw:X1.2", cards=["ace"])]
    state, _ = play(state, "disengage", *given)
    assert not state.element("X1").fighting
    assert not state.element("X1").promote
    assert state.turn
    assert state.turn.element == "A1"


def test_a_printed_card_is_read_off_and_an_empty_pile_counts_as_any_other_card() -> None:
    inputs = Disengagement("X1", planes=(Leaving("X1.1"),))
    given = [Answer(role="draw:X1.1", cards=1), Answer(role="card", fact="man")]
    done = scripted(disengage, inputs, given, CONTEXT)
    assert done.result.fates == ("Safe Escape",)
    assert done.changes[0].value == ("man",)
    refilled = replace(inputs, stock=Stock(0, 3))
    done = scripted(disengage, refilled, [Answer(role="draw:X1.1", cards=["oos-1b"])], CONTEXT)
    assert [c.kind for c in done.changes] == ["shuffle", "turn up", "destroyed", "disengaged"]
    assert run(disengage, replace(inputs, stock=Stock(0, 0)), Recorded(CONTEXT)).result.fates == ("Safe Escape",)


def test_no_enemy_at_that_level_makes_leaving_safer() -> None:
    state = fight(element("X1", "Jet"), element("A1", "F4F", altitude="Low"))
    act = act_of(GAME.due(state, CONTEXT), "disengage")
    assert (inputs_of(act).alone, inputs_of(act).powered) == (True, True)


# --- pilots ------------------------------------------------------------------------------------------


@pytest.mark.rule("rotl:Pilot choice")
@pytest.mark.rule("rotl:Pilot limits")
def test_pilots_are_drawn_flipped_and_only_the_skilled_stay() -> None:
    cup = Cup((Counter(Pilot("Anna", skills=("A",)), Pilot("Bert")), Counter(Pilot("Carl"), Pilot("Dora"))), leaders=3)
    given = [Answer(role="counter", faces=[1]), Answer(role="side", faces=[1]), Answer(role="side", faces=[6])]
    chosen = scripted(pilots, cup, given, CONTEXT).result.pilots
    assert chosen == (Pilot("Anna", skills=("A",)), None)


# --- cards in hands ----------------------------------------------------------------------------------


def test_hands_of_known_and_unknown_cards() -> None:
    hand = Hand(("man",), 2)
    assert len(hand) == 3
    assert hand.minus(["man", "ace"]) == Hand((), 1)
    assert hand.plus(["?", "ace"]) == Hand(("ace", "man"), 3)
    space = from_hand(hand, 0, 3, house_deck(), counters=1)
    assert space.parse("man") == ("man",)
    assert space.parse(["?", "?"]) == space.parse(["?", "?#2"]) == ("?", "?")
    assert [o.key for o in space.listed] == ["man", "?", "?#2", "counter"]
    with pytest.raises(UsageError, match="not one of the choices"):
        space.parse(["man", "man"])


# --- odds and views ----------------------------------------------------------------------------------


def test_unseen_cards_are_all_but_ones_own_and_the_discards() -> None:
    state = fight(
        element("X1", "Zero", "tit", "man"), element("A1", "F4F", "ace", "bar", mini="tit"), discards=Hand(("ace",))
    )
    enemy = leader_fighter(state, state.element("A1"))
    assert unseen_by(state, "axis", enemy, "MAN", attack=True) == Unseen(77, 9 + 3, 2)
    assert unseen_by(state, "axis", wingman_fighter(state, state.element("A1")), "MAN", attack=True).cards == 1
    armed = replace(enemy, counters=1)
    assert unseen_by(state, "axis", armed, "FUT", attack=True).sure
    assert not unseen_by(state, "axis", armed, "FUT", attack=True, laid=["counter"]).sure, "it is spent"
    assert not unseen_by(state, "axis", armed, "FUT", attack=True, only=("VER", "ACE")).sure
    assert not unseen_by(state, "axis", armed, "MAN", attack=True).sure
    ace = replace(enemy, ace="ready")
    assert unseen_by(state, "axis", ace, "HAL", attack=True).sure
    assert not unseen_by(state, "axis", ace, "HAL", attack=True, laid=["bar", "bar"]).sure, "no card is left to lay"
    agile = replace(enemy, agile="ready")
    assert unseen_by(state, "axis", agile, "TIT", attack=False).sure
    assert not unseen_by(state, "axis", agile, "IMS", attack=True).sure
    laid = unseen_by(state, "axis", enemy, "MAN", attack=True, laid=["tit"])
    assert laid == Unseen(76, 8 + 3, 1)


def foreseen(state: Dogfight, key: str, seat: str, *laid: str) -> dict[str, list[str]]:
    """In words what a seat may reckon with, after these cards of an act."""
    act = act_of(GAME.due(state, CONTEXT), key)
    procedure, inputs = GAME.procedures[act.procedure], inputs_of(act)
    given = answers(card=laid[0], respond=list(laid[1:])) if laid else []
    now = advance(procedure, inputs, given, CONTEXT)
    assert isinstance(now, Open)
    rows = GAME.foresee(state, seat, inputs, now.asks[0], laid)
    return {option: [f"{words} {chance}" for words, chance in of] for option, of in rows.items()}


def test_each_card_that_may_be_laid_shows_the_chance_of_an_answer() -> None:
    state = fight(element("X1", "Zero", "man", "ims-1b1d", "tit"), element("A1", "F4F", "ace", "tit"))
    shown = foreseen(state, "leader:A1.1", "axis")
    assert set(shown) == {"man", "ims-1b1d"}
    unseen = unseen_by(state, "axis", leader_fighter(state, state.element("A1")), "MAN", attack=True)
    assert shown["man"][0] == f"A1 F4F can answer {chance(unseen)}"
    assert foreseen(state, "leader:A1.1", "allies") == foreseen(state, "leader:A1.1", "") == {}
    reply = foreseen(state, "leader:A1.1", "allies", "man")
    assert set(reply) == {"tit", "ace"}
    assert reply["tit"][0].startswith("X1 Zero can answer")
    assert foreseen(state, "leader:A1.1", "axis", "man") == {}
    again = foreseen(state, "leader:A1.1", "axis", "man", "tit")
    left = unseen_by(state, "axis", leader_fighter(state, state.element("A1")), "TIT", attack=False, laid=["tit"])
    assert set(again) == {"tit", "tit:agile", "ims-1b1d:agile"}
    assert again["tit"] == [f"A1 F4F can answer {chance(left)}", f"A1 F4F has no answer {1 - chance(left)}"]


def test_a_roll_is_answered_by_a_pursuer_alone_and_a_gunner_by_nobody_twice() -> None:
    me, enemy = element("X1", "Zero", "ver", "man"), element("A1", "F4F", "tit", "bar")
    free = fight(me, enemy)
    assert foreseen(free, "roll_down", "axis") == {}
    tailed = fight(me, enemy, holds=(("A1", "Tailing", "X1"),))
    unseen = unseen_by(
        tailed, "axis", leader_fighter(tailed, tailed.element("A1")), "VER", attack=True, only=("VER", "ACE")
    )
    assert foreseen(tailed, "roll_down", "axis")["ver"][0] == f"A1 F4F can answer {chance(unseen)}"
    guns = fight(
        element("X1", "Bf-110", "ims-1b1d", "tit"), element("A1", "F4F", "tit"), holds=(("A1", "Tailing", "X1"),)
    )
    assert foreseen(guns, "gunner:A1.1", "axis")
    assert foreseen(guns, "gunner:A1.1", "allies", "ims-1b1d") == {}
    assert GAME.foresee(guns, "axis", Nothing(), advance(*_deal_ask()).asks[0], ()) == {}  # type: ignore[union-attr]


def _deal_ask() -> tuple[Any, Any, Any]:
    """An ask that is no card of an exchange."""
    return (
        GAME.procedures["rotl.discard"],
        GAME.procedures["rotl.discard"].inputs({"element": "X1", "seat": "axis"}),
        (),
    )


@pytest.mark.rule("rotl:Table layout")
@pytest.mark.rule("rotl:Counters")
def test_a_seat_sees_its_own_cards_and_of_others_how_many() -> None:
    me = element("X1", "Bf-109E", "tit", "tit", mini="man", skills=("A",), ace=True, pilot="Anna", counters=1)
    state = fight(me, element("A1", "P-51D", "ace"), holds=(("X1", "Tailing", "A1"),))
    mine, theirs, nobody = (GAME.view(state, seat, CONTEXT) for seat in ("axis", "allies", ""))
    assert [f.value for f in mine.hand] == ["Tight Turn x2", "Maneuvering"]
    assert [f.value for f in theirs.hand] == ["Ace Pilot"]
    assert nobody.hand == ()
    assert any("Chance that A1" in line for line in mine.odds)
    assert theirs.odds == nobody.odds == ()
    fields = {f.label: f.value for f in mine.pieces[0].fields}
    assert fields["Position"] == "Tailing to A1"
    assert (fields["Cards"], fields["Full Throttle"], fields["Pilot"]) == ("2", "1", "Anna A")
    assert fields["Ace ability"] == "ready"
    wingman = {f.label: f.value for f in mine.pieces[1].fields}
    assert wingman["Mini-hand"] == "1"
    printed = replace(state, elements=(replace(me, hand=Hand((), 4)), *state.elements[1:]))
    assert GAME.view(printed, "axis", CONTEXT).hand[0].value == "4 cards in the hand"


@pytest.mark.parametrize(
    ("inputs", "result", "heading", "word"),
    [
        (Attack(), Exchange(effect="2 hits"), ("the attacker attacks the defender",), "2 HITS"),
        (Move(), Moved("Low", True), (), "NOW AT LOW"),
        (Move(), Moved("Low", False), (), "STAYS AT LOW"),
        (Nothing(), Victory(3, "Draw"), (), "DRAW"),
        (Nothing(), Balance(4, 6, 2, 2, "Axis", 2, ()), (), "AXIS +2 VP"),
        (Nothing(), Balance(6, 6, 2, 2, "", 0, ()), (), "BALANCED"),
        (Cup(()), Chosen((Pilot("Anna"), None)), (), "ANNA, UNSKILLED"),
        (Unseen(), True, (), "YES"),
        (Unseen(), False, (), "NO"),
    ],
)
def test_a_result_in_a_glance(inputs: Any, result: Any, heading: tuple[str, ...], word: str) -> None:
    state = fight(element("X1", "Zero"), element("A1", "F4F"))
    found = GAME.summary(state, "rotl.any", inputs, result)
    assert (found.heading, found.word) == (heading, word)


def test_summaries_of_whole_procedures() -> None:
    state = fight(element("X1", "Zero", "man"), element("A1", "F4F"))
    for key, given, word in (
        ("pass", [], "X1 GOES ON"),
        ("disengage", [Answer(role=f"draw:X1.{n}", cards=["ace"]) for n in (1, 2)], "SAFE ESCAPE, SAFE ESCAPE"),
    ):
        act = act_of(GAME.due(state, CONTEXT), key)
        _, done = play(state, key, *given)
        assert GAME.summary(state, act.procedure, inputs_of(act), done.result).word == word


@pytest.mark.rule("rotl:Set-up teams")
def test_a_set_up_is_composed_of_picked_types() -> None:
    setup = GAME.compose([Pick("Bf-109E", 0), Pick("P-51D", 1), Pick("Gladiator alone", 1)])
    state = GAME.start(setup, CONTEXT)
    assert state.bonus == {"Axis": 0, "Allies": 0}
    assert GAME.start(setup, context(balance=True)).bonus == {"Axis": 12 + 1 - 6, "Allies": 0}
    assert [(e.key, e.type, e.seat, e.wingman is None) for e in state.elements] == [
        ("X1", "Bf-109E", "axis", False), ("A1", "P-51D", "allies", False), ("A2", "Gladiator", "allies", True)
    ]  # fmt: skip
    with pytest.raises(Illegal, match="No pack gives these figures of the Camel: side, performance"):
        GAME.start(GAME.compose([Pick("Camel", 0), Pick("P-51D", 1)]), CONTEXT)


def test_what_the_game_offers() -> None:
    state = GAME.start(GAME.demo(), CONTEXT)
    assert {s.key: s.side for s in GAME.seats(state)} == {"axis": "Axis", "allies": "Allies"}
    assert len(GAME.units) == 28
    assert {u.role for u in GAME.units if u.title == "Bf-109E"} == {"in service 1939", "leader alone"}
    assert set(GAME.switches) == {
        "balance", "cards", "turbo_summary", "lone_break_first", "rocket_follows_with_cards", "damaged_speed",
        "beyond_table",
    }  # fmt: skip
    for procedure in GAME.procedures.values():
        described = procedure.describe()
        assert described["rule"]
        assert msgspec.json.encode(described)
    assert advance(GAME.procedures["rotl.begin"], GAME.procedures["rotl.begin"].inputs({"element": "X1"}), ()).changes  # type: ignore[union-attr]
    assert context(cards="printed").switches["cards"] == "printed"


def test_an_empty_hand_is_not_asked_what_it_discards() -> None:
    state = fight(element("X1", "Zero"), element("A1", "F4F"), step="discard")
    after, done = play(state, "discard")
    assert done.result.done == "X1 discards 0"
    assert after.turn
    assert after.turn.step == "draw"
