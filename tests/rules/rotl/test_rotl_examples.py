"""Every worked example of the rulebook, replayed."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.rules.rotl import GAME
from companion.rules.rotl.attack import Attack, limit_of
from companion.rules.rotl.ratings import Position, burst_limit
from companion.rules.rotl.state import Dogfight
from companion.rules.rotl.victory import Flown, Forces, balance
from companion.umpire import Change, Illegal, Rolling, run
from tests.rules.rotl.hangar import TYPES
from tests.rules.rotl.tables import CONTEXT, act_of, answers, codes, dogfight, element, inputs_of, play


def fight(*elements, **fields) -> Dogfight:  # type: ignore[no-untyped-def]
    return dogfight(*elements, types=TYPES, **fields)


@pytest.mark.example("rotl:Leader Card Combat Values, Damage Capacity")
@pytest.mark.rule("rotl:Damage Capacity")
def test_a_bf_109e_is_damaged_by_three_hits_and_destroyed_by_six() -> None:
    state = dogfight(element("A1", "Spitfire I"), element("X1", "Bf-109E", wingman=False))
    after = []
    for _ in range(6):
        state = GAME.apply(state, Change("hits", "X1.1", 1))
        leader = state.element("X1").leader
        after.append((leader.damaged, leader.fate))
    assert after == [(False, "flying")] * 2 + [(True, "flying")] * 3 + [(True, "destroyed")]


def disadvantaged(mine: str, other: str, cards: str, theirs: str) -> Dogfight:
    me, enemy = element("X1", mine, *cards.split()), element("A1", other, *theirs.split())
    return fight(me, enemy, holds=(("A1", "Advantaged", "X1"),))


@pytest.mark.example("rotl:Agile Aircraft, example 1")
@pytest.mark.rule("rotl:Agile")
def test_a_zero_lays_a_maneuver_as_scissors() -> None:
    state = disadvantaged("Zero", "F4F", "sci man", "sci")
    state, done = play(state, "leader:A1.1", *answers(card="sci", respond=["sci", "man:agile", "pass"]))
    assert state.position("X1", "A1") == "Advantaged"
    assert state.position("A1", "X1") == "Disadvantaged"
    assert done.result.laid == ("Scissors", "Scissors", "Maneuvering as SCI (agile)")


@pytest.mark.example("rotl:Agile Aircraft, example 1, a second conversion")
def test_an_agile_aircraft_converts_one_card_a_turn() -> None:
    state = disadvantaged("Zero", "F4F", "sci man hal", "sci sci")
    act = act_of(GAME.due(state, CONTEXT), "leader:A1.1")
    with pytest.raises(Illegal, match="Scissors, and it has"):
        play(state, act.key, *answers(card="sci", respond=["sci", "man:agile", "sci", "hal:agile"]))
    state, _ = play(state, act.key, *answers(card="sci", respond=["sci", "man:agile", "sci", "pass"]))
    assert state.position("X1", "A1") == "Disadvantaged"


@pytest.mark.example("rotl:Agile Aircraft, example 2")
def test_agile_does_not_work_in_the_enemys_turn() -> None:
    state = fight(element("A1", "F4F", "sci"), element("X1", "Zero", "man"), holds=(("X1", "Advantaged", "A1"),))
    with pytest.raises(Illegal, match="own player-turn"):
        play(state, "leader:X1.1", *answers(card="sci", respond=["man:agile"]))
    state, _ = play(state, "leader:X1.1", *answers(card="sci", respond="pass"))
    assert state.position("A1", "X1") == "Advantaged"


@pytest.mark.example("rotl:Agile Aircraft, example 3")
def test_two_agile_aircraft_and_only_the_one_in_turn_converts() -> None:
    types = {**TYPES, "Gladiator": replace(TYPES["C.R. 42"], name="Gladiator", side="Allies")}
    state = dogfight(
        element("A1", "Gladiator", "sci", "oos-2b"),
        element("X1", "C.R. 42", "sci", "man"),
        holds=(("X1", "Advantaged", "A1"),),
        types=types,
    )
    with pytest.raises(Illegal, match="own player-turn"):
        play(state, "leader:X1.1", *answers(card="sci", respond=["sci", "oos-2b:agile", "man:agile"]))
    state, _ = play(state, "leader:X1.1", *answers(card="sci", respond=["sci", "oos-2b:agile", "pass"]))
    assert state.position("A1", "X1") == "Advantaged"
    assert state.turn
    assert state.turn.bursts == 0


def neutral(mine: str, other: str, cards: str, theirs: str, **fields) -> Dogfight:  # type: ignore[no-untyped-def]
    me = element("A1" if mine in ("F4F", "Hurricane", "P-40") else "X1", mine, *cards.split())
    enemy = element("X1" if me.key == "A1" else "A1", other, *theirs.split())
    return fight(me, enemy, **fields)


@pytest.mark.example("rotl:Adjusting Position, Maneuvering")
@pytest.mark.rule("rotl:MAN")
def test_a_maneuver_is_answered_by_tight_turns_and_succeeds() -> None:
    state = neutral("F4F", "Zero", "man tit", "tit")
    state, _ = play(state, "leader:X1.1", *answers(card="man", respond=["tit", "tit", "pass"]))
    assert (state.position("A1", "X1"), state.position("X1", "A1")) == ("Advantaged", "Disadvantaged")


@pytest.mark.example("rotl:Adjusting Position, Half Loop")
@pytest.mark.rule("rotl:HAL")
def test_a_half_loop_shakes_off_a_tailing_f4f() -> None:
    state = fight(element("X1", "Zero", "hal", "ace"), element("A1", "F4F", "ace"), holds=(("A1", "Tailing", "X1"),))
    state, _ = play(state, "leader:A1.1", *answers(card="hal", respond=["ace", "ace", "pass"]))
    assert state.position("X1", "A1") == "Neutral"
    assert state.holds == ()


@pytest.mark.example("rotl:Adjusting Position, Full Throttle")
@pytest.mark.rule("rotl:FUT")
def test_full_throttle_is_answered_by_a_counter() -> None:
    p51, jet = element("A1", "P-51", "fut", "ace"), element("X1", "Jet", counters=2)
    state = fight(p51, jet, holds=(("X1", "Tailing", "A1"),))
    state, done = play(state, "leader:X1.1", *answers(card="fut", respond=["counter", "ace", "pass"]))
    assert state.position("A1", "X1") == "Disadvantaged"
    assert state.element("X1").counters == 1
    assert done.result.laid[1] == "a Full Throttle counter"


@pytest.mark.example("rotl:Adjusting Position, Scissors")
@pytest.mark.rule("rotl:SCI")
def test_scissors_turn_the_tables() -> None:
    me, enemy = element("A1", "Hurricane", "sci", "sci"), element("X1", "Bf-109E", "sci")
    state = fight(me, enemy, holds=(("X1", "Advantaged", "A1"),))
    state, _ = play(state, "leader:X1.1", *answers(card="sci", respond=["sci", "sci", "pass"]))
    assert state.position("A1", "X1") == "Advantaged"


@pytest.mark.example("rotl:Effects of Position, P.11c")
@pytest.mark.example("rotl:Effects of Position, Hurricane")
@pytest.mark.rule("rotl:Burst limits")
@pytest.mark.parametrize(
    ("position", "p11", "hurricane"),
    [("Tailed", None, None), ("Disadvantaged", None, None), ("Neutral", 0, 1), ("Advantaged", 1, 2), ("Tailing", 3, 4)],
)
def test_bursts_by_position(position: Position, p11: int | None, hurricane: int | None) -> None:
    assert burst_limit(0, position) == p11
    assert burst_limit(1, position) == hurricane


def zero_fights(*cards: str) -> Dogfight:
    return fight(element("X1", "Zero", *cards), element("A1", "F4F"), holds=(("A1", "Advantaged", "X1"),))


def lay(state: Dogfight, *cards: str) -> Dogfight:
    for card in cards:
        state, _ = play(state, "leader:A1.1", *answers(card=card, respond="pass"))
    return state


def bursts_left(state: Dogfight) -> int:
    attack: Attack = inputs_of(act_of(GAME.due(state, CONTEXT), "leader:A1.1"))
    limit = limit_of(attack)
    return -1 if limit is None else limit - attack.used


ZERO = ("man", "man", "man", "hal", "ims-1b1d", "ims-1b2d")


@pytest.mark.rule("rotl:Burst rating")
@pytest.mark.example("rotl:Effects of Position, Zero gains a burst")
def test_a_disadvantaged_zero_may_fire_once_it_is_neutral() -> None:
    state = zero_fights(*ZERO)
    assert bursts_left(state) == -1
    state = lay(state, "man")
    assert (state.position("X1", "A1"), bursts_left(state)) == ("Neutral", 1)


@pytest.mark.example("rotl:Effects of Position, Zero fires, then MAN")
@pytest.mark.rule("rotl:Improve mid-turn")
def test_a_maneuver_after_a_burst_gives_one_more() -> None:
    state = lay(zero_fights(*ZERO), "man", "ims-1b2d")
    assert bursts_left(state) == 0
    state = lay(state, "man")
    assert (state.position("X1", "A1"), bursts_left(state)) == ("Advantaged", 1)


@pytest.mark.example("rotl:Effects of Position, Zero fires, then two MAN or a HAL")
@pytest.mark.parametrize("cards", [("man", "man"), ("hal",)])
def test_tailing_after_a_burst_gives_three_more(cards: tuple[str, ...]) -> None:
    state = lay(zero_fights(*ZERO), "man", "ims-1b2d", *cards)
    assert (state.position("X1", "A1"), bursts_left(state)) == ("Tailing", 3)


@pytest.mark.example("rotl:Effects of Position, Zero fires twice, then MAN")
def test_tailing_after_two_bursts_gives_two_more() -> None:
    state = lay(zero_fights(*ZERO), "man", "ims-1b2d", "man", "ims-1b1d", "man")
    assert (state.position("X1", "A1"), bursts_left(state)) == ("Tailing", 2)


@pytest.mark.example("rotl:Lone Leader, example 1")
@pytest.mark.rule("rotl:Lone leader exception")
@pytest.mark.rule("rotl:Overshoot")
def test_a_lone_leader_is_prised_off_and_the_attacker_takes_the_position() -> None:
    state = fight(
        element("A1", "Hurricane", "sci", "ace", "man"),
        element("X1", "Ki-43", "ace", wingman=False),
        element("A2", "Buffalo"),
        holds=(("X1", "Advantaged", "A2"),),
    )
    assert codes(state, "leader:X1.1") == []
    state, _ = play(state, "leader:X1.1", *answers(card="sci", respond=["ace", "ace", "pass"]))
    assert state.position("A2", "X1") == "Neutral"
    assert state.position("A1", "X1") == "Advantaged"
    assert codes(state, "leader:X1.1") == []
    state, _ = play(state, "leader:X1.1", *answers(card="man", respond="pass"))
    assert state.position("A1", "X1") == "Tailing"


@pytest.mark.rule("rotl:Engaged LDR targets")
@pytest.mark.rule("rotl:Engaged WM targets")
@pytest.mark.rule("rotl:Unengaged LDR targets")
@pytest.mark.rule("rotl:Unengaged WM targets")
@pytest.mark.example("rotl:Lone Leader, example 2")
@pytest.mark.rule("rotl:Outsiders")
def test_who_may_act_against_an_engaged_pair() -> None:
    def may(me: str, step: str = "play") -> set[str]:
        elements = {
            "A1": element("A1", "P-38F", "man"),
            "X1": element("X1", "Bf-109E", "man"),
            "A2": element("A2", "Spitfire I", "man"),
            "X2": element("X2", "Fw-190A", "man"),
        }
        order = [elements.pop(me), *elements.values()]
        state = dogfight(*order, holds=(("A1", "Advantaged", "X1"),), step=step)
        acts = GAME.due(state, CONTEXT).acts
        return {a.key.split(":")[1] for a in acts if ":" in a.key and not a.barred}

    assert may("X1") == {"A1.1"}
    assert may("X1", "wingman") == {"A1.1", "A1.2"}
    assert may("A1") == {"X1.1"}
    assert may("A1", "wingman") == {"X1.1", "X1.2"}
    assert may("A2") == may("A2", "wingman") == {"X1.2", "X2.1", "X2.2"}
    assert may("X2") == may("X2", "wingman") == {"A1.2", "A2.1", "A2.2"}


@pytest.mark.example("rotl:During Adjust Altitude Step, following a climb")
@pytest.mark.rule("rotl:Follow, Advantaged")
def test_an_advantaged_follower_of_a_climb_discards_two() -> None:
    state = fight(
        element("X1", "Zero", "man"),
        element("A1", "F4F", "tit", "tit", "bar"),
        step="altitude",
        holds=(("A1", "Advantaged", "X1"),),
    )
    state, _ = play(state, "climb", *answers(pay=[["man"], ["tit", "tit"]], follow="follow"))
    assert (state.element("X1").altitude, state.element("A1").altitude) == ("High", "High")
    assert state.element("A1").hand.known == ("bar",)
    assert state.position("A1", "X1") == "Advantaged"


@pytest.mark.example("rotl:Maneuver and Combat, example 1")
@pytest.mark.rule("rotl:Chain result")
def test_a_zero_maneuvers_against_a_p40() -> None:
    state = neutral("Zero", "P-40", "man tit", "tit bar")
    state, _ = play(state, "leader:A1.1", *answers(card="man", respond=["tit", "tit", "pass"]))
    assert state.position("X1", "A1") == "Advantaged"


@pytest.mark.example("rotl:Maneuver and Combat, example 2")
@pytest.mark.rule("rotl:New attack")
def test_a_negated_burst_is_spent_and_the_next_hits_for_two() -> None:
    me = element("X1", "Zero", "ims-1b2d", "ims-1b2d", "man")
    state = fight(me, element("A1", "P-40", "bar"), holds=(("X1", "Advantaged", "A1"),))
    state, first = play(state, "leader:A1.1", *answers(card="ims-1b2d", respond=["bar", "pass"]))
    assert not first.result.stands
    assert bursts_left(state) == 1
    state, _ = play(state, "leader:A1.1", *answers(card="ims-1b2d", respond="pass"))
    assert state.element("A1").leader.hits == 2
    assert bursts_left(state) == 0
    assert bursts_left(lay(state, "man")) == 2


@pytest.mark.example("rotl:Responding to a Response")
@pytest.mark.rule("rotl:Respond to response")
def test_five_cards_deep_the_attacker_is_last_and_all_are_discarded() -> None:
    state = neutral("Zero", "P-40", "ims-1b1d tit ace", "tit sci")
    state, done = play(state, "leader:A1.1", *answers(card="ims-1b1d", respond=["tit", "tit", "sci", "ace", "pass"]))
    assert done.result.stands
    assert state.element("A1").leader.hits == 1
    assert state.discards.known == ("ace", "ims-1b1d", "sci", "tit", "tit")
    assert not len(state.element("X1").hand)
    assert not len(state.element("A1").hand)


@pytest.mark.example("rotl:Gunner Attacks")
@pytest.mark.rule("rotl:Gunner responses")
@pytest.mark.rule("rotl:Gunner bursts")
def test_a_gunner_never_answers_and_its_pilot_may_still_maneuver_and_fire() -> None:
    me = element("X1", "Bf-110", "ims-1b1d", "ims-1b2d", "tit", "sci")
    state = fight(me, element("A1", "Spitfire", "tit"), holds=(("A1", "Advantaged", "X1"),))
    state, done = play(state, "gunner:A1.1", *answers(card="ims-1b1d", respond="tit"))
    assert not done.result.stands
    assert done.result.ended_by == "GUNNER_CANNOT_RESPOND"
    with pytest.raises(Illegal, match="needs 1 bursts; 0 of 1 are left"):
        play(state, "gunner:A1.1", *answers(card="ims-1b2d"))
    state = lay(state, "sci")
    state, _ = play(state, "leader:A1.1", *answers(card="ims-1b2d", respond="pass"))
    assert state.element("A1").leader.hits == 2


def wing(mine: str, other: str, mini: str, theirs: str = "", target: str = "A1.1", **fields) -> Dogfight:  # type: ignore[no-untyped-def]
    """A wingman's attack with its target named and the mini-hands drawn."""
    at_wingman = target.endswith("2")
    enemy = element("A1", other, *([] if at_wingman else theirs.split()), mini=theirs if at_wingman else "")
    me = element("X1", mine, mini=mini)
    return fight(me, enemy, step="wingman", targets={"X1.2": target}, **fields)


@pytest.mark.example("rotl:Wingmen Attacking Leaders, example 1")
@pytest.mark.rule("rotl:WM vs LDR")
@pytest.mark.rule("rotl:WM general")
def test_a_wingman_improves_its_leaders_position_and_fires() -> None:
    state = wing("Zero", "F4F", "ims-1b1d man", "bar", holds=(("A1", "Tailing", "X1"),))
    state, _ = play(state, "wingman:A1.1", *answers(card="man", respond="pass"))
    assert state.position("X1", "A1") == "Disadvantaged"
    state, _ = play(state, "wingman:A1.1", *answers(card="ims-1b1d", respond=["bar", "pass"]))
    assert state.element("A1").leader.hits == 0


@pytest.mark.example("rotl:Wingmen Attacking Leaders, example 2")
@pytest.mark.rule("rotl:WM mini-hand, attack")
def test_a_wingmans_half_loop_puts_its_leader_on_the_tail() -> None:
    state = fight(element("X1", "Zero"), element("A1", "F4F"), step="wingman")
    draw = act_of(GAME.due(state, CONTEXT), "wingman:A1.1")
    assert inputs_of(draw).offence == 2
    done = run(GAME.procedures[draw.procedure], inputs_of(draw), Rolling(CONTEXT, 1, lambda ask: ["tit", "hal"]))
    for change in done.changes:
        state = GAME.apply(state, change)
    state, _ = play(state, "wingman:A1.1", *answers(card="hal", respond="pass"))
    assert state.position("X1", "A1") == "Tailing"
    state, _ = play(state, "pass")
    assert state.discards.known == ("hal", "tit")


@pytest.mark.example("rotl:Wingmen Attacking Wingmen")
@pytest.mark.rule("rotl:WM vs WM")
def test_an_fw_190_wingman_fires_at_a_p38_wingman() -> None:
    state = wing("Fw-190A", "P-38F", "man ims-2b sci", "tit ims-1b1d", target="A1.2")
    with pytest.raises(Illegal, match="only fires at a wingman"):
        play(state, "wingman:A1.2", *answers(card="man"))
    state, _ = play(state, "wingman:A1.2", *answers(card="ims-2b", respond=["tit", "sci", "pass"]))
    wingman = state.element("A1").wingman
    assert wingman
    assert wingman.hits == 3


@pytest.mark.example("rotl:Leaders Attacking Wingmen")
@pytest.mark.rule("rotl:LDR vs WM")
def test_a_leader_gains_bursts_against_a_wingman() -> None:
    cards = ("man", "man", "hal", "ims-1b1d", "ims-1b1d", "oos-2b")
    state = fight(element("X1", "Zero", *cards), element("A1", "Buffalo", mini="tit"), targets={"X1.1": "A1.2"})
    key = "leader:A1.2"
    state, _ = play(state, key, *answers(card="man", respond=["tit", "pass"]))
    for card in ("man", "hal"):
        state, _ = play(state, key, *answers(card=card, respond="pass"))
    assert limit_of(inputs_of(act_of(GAME.due(state, CONTEXT), key))) == 4
    for card in ("ims-1b1d", "ims-1b1d", "oos-2b"):
        state, _ = play(state, key, *answers(card=card, respond="pass"))
    assert state.turn
    assert state.turn.bursts == 4
    assert state.position("X1", "A1") == "Neutral"


@pytest.mark.example("rotl:VPs versus Superior Aircraft, one element each")
@pytest.mark.example("rotl:VPs versus Superior Aircraft, two elements each")
@pytest.mark.rule("rotl:VP for weaker side")
@pytest.mark.parametrize(
    ("axis", "allies", "to", "points"),
    [(("Zero",), ("Buffalo",), "Allies", 2), (("Zero", "Ki-43"), ("P-40E", "F4F"), "Axis", 2)],
)
def test_the_difference_in_value_is_given_as_points(
    axis: tuple[str, ...], allies: tuple[str, ...], to: str, points: int
) -> None:
    forces = Forces(tuple(map(Flown, axis)), tuple(map(Flown, allies)))
    result = run(balance, forces, Rolling(CONTEXT, 1)).result
    assert (result.bonus_to, result.bonus) == (to, points)


@pytest.mark.example("rotl:Pilot Skills, A")
@pytest.mark.rule("rotl:Skill A")
def test_an_ace_pilot_declares_any_card_an_ace() -> None:
    state = fight(
        element("A1", "P-40", "oos-1b", "ver"),
        element("X1", "Ki-43", "ver", "oos-2b", skills=("A",), ace=True),
        holds=(("A1", "Advantaged", "X1"),),
    )
    given = answers(card="oos-1b", respond=["ver", "ver", "oos-2b:ace", "pass"])
    after, done = play(state, "leader:X1.1", *given)
    assert not done.result.stands
    assert not after.element("X1").ace
    assert after.discards.known == ("oos-1b", "oos-2b", "ver", "ver")
