"""Every refusal code of the game is given where it is due, with its rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from companion.rules.rotl import GAME
from companion.rules.rotl.altitude import Climber, Move, may_follow, may_stop
from companion.rules.rotl.cards import Hand
from companion.rules.rotl.exchange import Fighter
from companion.rules.rotl.refusals import refusals
from companion.rules.rotl.state import Dogfight
from companion.rules.rotl.turns import Starter, start_barred
from companion.umpire import Answer, Change, Context, Illegal, UsageError, advance, scripted
from tests.rules.rotl.hangar import TYPES
from tests.rules.rotl.tables import CONTEXT, act_of, answers, codes, dogfight, element, inputs_of, play

A1, X1 = "leader:A1.1", "leader:X1.1"


def fight(*elements, **fields) -> Dogfight:  # type: ignore[no-untyped-def]
    return dogfight(*elements, types=TYPES, **fields)


def duel(*cards: str, theirs: str = "", position: str = "", mine: str = "Zero", **fields) -> Dogfight:  # type: ignore[no-untyped-def]
    """X1 in its turn against A1; `position` is X1's to A1."""
    holds = {
        "": (),
        "Advantaged": (("X1", "Advantaged", "A1"),),
        "Tailing": (("X1", "Tailing", "A1"),),
        "Disadvantaged": (("A1", "Advantaged", "X1"),),
        "Tailed": (("A1", "Tailing", "X1"),),
    }[position]
    fields.setdefault("holds", holds)
    return fight(element("X1", mine, *cards), element("A1", "F4F", *theirs.split()), **fields)


def laid(state: Dogfight, card: str, *respond: str, key: str = A1, ctx: Context = CONTEXT) -> list[str]:
    """The codes against laying a card, or against the last response given."""
    act = act_of(GAME.due(state, ctx), key)
    assert not act.barred
    try:
        advance(GAME.procedures[act.procedure], inputs_of(act), answers(card=card, respond=list(respond)), ctx)
    except Illegal as refused:
        return [v.code for v in refused.violations]
    return []


def paid(state: Dogfight, key: str, *pay: str) -> list[str]:
    act = act_of(GAME.due(state, CONTEXT), key)
    try:
        advance(GAME.procedures[act.procedure], inputs_of(act), [Answer(role="pay", choice=list(pay))], CONTEXT)
    except Illegal as refused:
        return [v.code for v in refused.violations]
    return []


def lone(position: str, *cards: str, mini: str = "", step: str = "play") -> Dogfight:
    """X2 holds A2 and has no wingman; A1 is unengaged and in its turn."""
    return fight(
        element("A1", "Hurricane", *cards, mini=mini),
        element("X2", "Ki-43", wingman=False),
        element("A2", "Buffalo"),
        holds=(("X2", position, "A2"),),
        step=step,
        targets={"A1.2": "X2.1"} if mini else {},
    )


def start(**fields) -> list[str]:  # type: ignore[no-untyped-def]
    """The codes against a set-up of a Bf-109E against a Spitfire with these changes to the first element."""
    first = {"side": "Axis", "type": "Bf-109E", **fields.pop("first", {})}
    house = fields.pop("house", "use")
    try:
        GAME.start({"elements": [first, {"side": "Allies", "type": "Spitfire I"}], **fields}, Context(house=house))
    except Illegal as refused:
        return [v.code for v in refused.violations]
    return []


def ta152(altitude: str = "Very High", **turn) -> Dogfight:  # type: ignore[no-untyped-def]
    fields = {"holds": (("A1", "Tailing", "X1"),), **turn}
    me = element("X1", "Ta-152H-1", "man", "tit", "ver", "bar", altitude=altitude)
    return fight(me, element("A1", "Turbo", "ace", altitude=altitude), **fields)


ROCKET = {"Komet": {"side": "Axis", "nation": "Germany", "performance": [5, 4], "horsepower": [3, 2], "burst": [1, 1],
                    "capacity": [3, 6], "rocket": True}}  # fmt: skip
DIVE = Move(position="Tailed", up=True, enemy=Climber(Fighter(title="E")))

CASES: dict[str, Callable[[], list[str]]] = {
    "ACE_SKILL_NEEDS_A_CARD": lambda: laid(_ace(cards=""), "man", ":ace"),
    "ACE_SKILL_SPENT": lambda: laid(_ace(ace=False), "man", "man:ace"),
    "AGILE_ALREADY_USED": lambda: laid(duel("man", "tit", position="Disadvantaged", used=("agile:X1.1",)), "man:agile"),
    "AGILE_ONLY_OWN_TURN": lambda: laid(
        fight(element("A1", "F4F", "sci"), element("X1", "Zero", "man"), holds=(("X1", "Advantaged", "A1"),)),
        "sci",
        "man:agile",
        key=X1,
    ),
    "ALTITUDE_CEILING": lambda: (
        codes(_levels("High", "Lowflyer"), "climb") + _start_level("Very High", ceiling="High", turbo=True)
    ),
    "ALTITUDE_LIMIT": lambda: codes(_levels("Very Low"), "dive") + codes(_levels("Very High"), "climb"),
    "BURST_LIMIT": lambda: laid(duel("ims-2b"), "ims-2b"),
    "CARD_NOT_IN_HAND": lambda: laid(duel("man", "tit"), "tit", key="roll_up") + _not_held(),
    "CLIMB_NEEDS_DISCARD": lambda: codes(duel(step="altitude"), "climb") + codes(duel("ver"), "roll_up"),
    "DIFFERENT_ALTITUDE": lambda: codes(
        fight(element("X1", "Zero", altitude="High"), element("A1", "F4F", altitude="Low")), A1
    ),
    "DISENGAGE_INSTEAD_OF_PLAYING": lambda: codes(duel("man", played=1), "disengage"),
    "ENGAGED_LDR_ONLY_ITS_OPPONENT": lambda: codes(_two(), "leader:A2.1") + codes(_two(), "leader:A1.2"),
    "ENGAGED_WM_ONLY_OPPONENT_ELEMENT": lambda: codes(_two(step="wingman"), "wingman:A2.2"),
    "FIRST_PLAYER_FIRST_TURN": lambda: codes(duel(step="wingman", game_turn=1), "wingman:A1.1"),
    "FOLLOW_COST": lambda: [b.code for b in may_follow(replace(DIVE, enemy=_poor()), ver=True)],
    "FUT_ONLY_WHEN_DISADVANTAGED_OR_TAILED": lambda: laid(duel("fut"), "fut"),
    "GIVE_UP_ONLY_AT_START_OF_PLAY_CARDS": lambda: codes(duel("man", position="Tailing", played=1), "give_up"),
    "GIVE_UP_ONLY_IF_HELD_AT_TURN_START": lambda: codes(duel(position="Tailing", held=False), "give_up"),
    "GIVE_UP_ONLY_WHEN_ADVANTAGED_OR_TAILING": lambda: codes(duel(position="Tailed"), "give_up"),
    "GUNNER_CANNOT_RESPOND": lambda: _gunner_ends(),
    "GUNNER_ONLY_FIRES": lambda: laid(_gunner(), "man", key="gunner:A1.1"),
    "GUNNER_TARGET_NOT_BEHIND": lambda: codes(duel("ims-1b1d", mine="Bf-110", position="Advantaged"), "gunner:A1.1"),
    "HAL_NEEDS_TWO_STEPS": lambda: laid(duel("hal", position="Advantaged"), "hal"),
    "LONE_LEADER_BREAK_FIRST": lambda: laid(lone("Tailing", "ims-1b1d"), "ims-1b1d", key="leader:X2.1"),
    "LONE_LEADER_SCI_ONLY_WHEN_ADVANTAGED": lambda: laid(lone("Tailing", "sci"), "sci", key="leader:X2.1"),
    "MAN_ALREADY_TAILING": lambda: laid(duel("man", position="Tailing"), "man"),
    "NOT_AGAINST_WINGMAN": lambda: laid(duel("sci", targets={"X1.1": "A1.2"}), "sci", key="leader:A1.2"),
    "NOT_AN_ATTACK_CARD": lambda: laid(duel("tit", "ver"), "tit") + laid(duel("tit", "ver"), "ver"),
    "NOT_A_RESPONSE_CARD": lambda: laid(duel("man", theirs="man"), "man", "man"),
    "NO_BURSTS_WHEN_DISADVANTAGED_OR_TAILED": lambda: laid(duel("ims-1b1d", position="Tailed"), "ims-1b1d"),
    "NO_CARD_LEFT": lambda: (
        codes(duel(), A1)
        + codes(duel(mine="Bf-110", position="Disadvantaged"), "gunner:A1.1")
        + codes(_mosquito(""), "wingman:A1.1")
    ),
    "NO_COUNTER_LEFT": lambda: paid(_jet(), "climb", "counter"),
    "ONE_TARGET_PER_TURN": lambda: codes(_free_two(), "leader:A2.1"),
    "ONLY_ADVANTAGED_OR_TAILING_MAY_FOLLOW": lambda: [b.code for b in may_follow(Move(), ver=False)],
    "PACK_INCOMPLETE": lambda: start(first={"type": "He-219"}) + start(house="refuse"),
    "PILOT_NATION_MISMATCH": lambda: start(first={"pilot": {"name": "A", "nation": "France"}}),
    "PILOT_TYPE_MISMATCH": lambda: start(first={"pilot": {"type": "Fw-190"}}),
    "RESPONSE_NOT_LISTED": lambda: laid(duel("man", theirs="bar"), "man", "bar"),
    "ROCKETS_FLY_ALONE": lambda: start(first={"type": "Komet", "wingman": True}, aircraft=ROCKET),
    "SCI_ONLY_WHEN_DISADVANTAGED": lambda: laid(duel("sci"), "sci"),
    "SMALL_TARGET_WM_1B1D": lambda: laid(_mosquito(), "ims-1b1d", key="wingman:A1.1"),
    "START_VERY_HIGH_NEEDS_TURBO": lambda: _start_level("Very High"),
    "TA152_ALREADY_USED": lambda: laid(ta152(used=("ta152:X1.1",)), "man:ta152"),
    "TA152_NOT_VERY_HIGH_ALL_TURN": lambda: (
        laid(ta152("High"), "man:ta152")
        + laid(ta152(moved=True), "man:ta152")
        + codes(ta152(used=("ta152:X1.1",)), "roll_down")
    ),
    "TARGET_LDR_ENGAGED": lambda: codes(_outsider(), "leader:A1.1"),
    "VER_FIRST_AND_UNENGAGED": lambda: codes(duel("man", vertical="bound"), A1),
    "VER_STOP_ONLY_BY_ADVANTAGED_OR_TAILING": lambda: [b.code for b in may_stop(Move(position="Advantaged"))],
    "WM_NO_VER_ATTACK": lambda: laid(_mosquito("ver"), "ver", key="wingman:A1.1"),
    "WM_VS_WM_NO_POSITION_CARDS": lambda: laid(_wings(), "man", key="wingman:A1.2"),
    "WRONG_SIDE": lambda: start(first={"side": "Allies"}),
    "YEAR_NOT_YET": lambda: start(year=1936),
}


def _ace(cards: str = "man", ace: bool = True) -> Dogfight:
    defender = element("A1", "P-40", *cards.split(), skills=("A",), ace=ace)
    return fight(element("X1", "Zero", "man"), defender)


def _levels(level: str, mine: str = "Turbo") -> Dogfight:
    me, enemy = element("X1", mine, "man", altitude=level), element("A1", "F4F", altitude=level)
    return fight(me, enemy, step="altitude")


def _two(step: str = "play") -> Dogfight:
    """X1 is engaged with A1; A2 stands by."""
    elements = element("X1", "Zero"), element("A1", "F4F"), element("A2", "P-40")
    return fight(*elements, holds=(("X1", "Advantaged", "A1"),), step=step)


def _free_two() -> Dogfight:
    elements = element("X1", "Zero"), element("A1", "F4F"), element("A2", "P-40")
    return fight(*elements, targets={"X1.1": "A1.1"})


def _outsider() -> Dogfight:
    """A1 is engaged with X2 and is the one behind."""
    elements = element("X1", "Zero"), element("A1", "F4F", wingman=False), element("X2", "Ki-43")
    return fight(*elements, holds=(("X2", "Tailing", "A1"),))


def _poor() -> Climber:
    return Climber(Fighter(title="E", hand=element("A1", "F4F", "tit").hand))


def _gunner() -> Dogfight:
    return duel("ims-1b1d", "man", "tit", theirs="tit", mine="Bf-110", position="Disadvantaged")


def _gunner_ends() -> list[str]:
    _, done = play(_gunner(), "gunner:A1.1", *answers(card="ims-1b1d", respond="tit"))
    return [done.result.ended_by]


def _jet() -> Dogfight:
    return fight(element("X1", "Jet", "man"), element("A1", "F4F"), step="altitude")


def _mosquito(mini: str = "ims-1b1d") -> Dogfight:
    me, enemy = element("X1", "Zero", mini=mini), element("A1", "Mosquito")
    return fight(me, enemy, step="wingman", targets={"X1.2": "A1.1"})


def _wings() -> Dogfight:
    me, enemy = element("X1", "Zero", mini="man"), element("A1", "F4F", mini="tit")
    return fight(me, enemy, step="wingman", targets={"X1.2": "A1.2"})


def _not_held() -> list[str]:
    """A ruling by hand that takes a card which is not there."""
    with pytest.raises(Illegal) as refused:
        GAME.apply(_levels("High"), Change("spend", "X1", ("ace",)))
    return [v.code for v in refused.value.violations]


def _start_level(level: str, **fields) -> list[str]:  # type: ignore[no-untyped-def]
    barred = start_barred(Starter("X1", "axis", **fields), level)  # type: ignore[arg-type]
    return [barred.code] if barred else []


@pytest.mark.rule("rotl:First-turn rule")
@pytest.mark.rule("rotl:WM altitude")
@pytest.mark.parametrize("code", sorted({name.split("/")[0] for name in refusals()}))
def test_each_refusal_is_given_where_it_is_due(code: str) -> None:
    found = CASES[code]()
    assert found
    assert set(found) == {code}


FROM_THE_RULEBOOK = {
    "ACE_SKILL_NEEDS_A_CARD", "ACE_SKILL_SPENT", "AGILE_ALREADY_USED", "AGILE_ONLY_OWN_TURN", "ALTITUDE_CEILING",
    "ALTITUDE_LIMIT", "BURST_LIMIT", "CLIMB_NEEDS_DISCARD", "DIFFERENT_ALTITUDE", "DISENGAGE_INSTEAD_OF_PLAYING",
    "ENGAGED_LDR_ONLY_ITS_OPPONENT", "ENGAGED_WM_ONLY_OPPONENT_ELEMENT", "FIRST_PLAYER_FIRST_TURN", "FOLLOW_COST",
    "FUT_ONLY_WHEN_DISADVANTAGED_OR_TAILED", "GIVE_UP_ONLY_AT_START_OF_PLAY_CARDS",
    "GIVE_UP_ONLY_IF_HELD_AT_TURN_START", "GIVE_UP_ONLY_WHEN_ADVANTAGED_OR_TAILING", "GUNNER_CANNOT_RESPOND",
    "GUNNER_TARGET_NOT_BEHIND", "HAL_NEEDS_TWO_STEPS", "LONE_LEADER_BREAK_FIRST",
    "LONE_LEADER_SCI_ONLY_WHEN_ADVANTAGED", "NOT_AGAINST_WINGMAN", "NOT_AN_ATTACK_CARD", "NOT_A_RESPONSE_CARD",
    "NO_BURSTS_WHEN_DISADVANTAGED_OR_TAILED", "ONE_TARGET_PER_TURN", "ONLY_ADVANTAGED_OR_TAILING_MAY_FOLLOW",
    "SCI_ONLY_WHEN_DISADVANTAGED", "SMALL_TARGET_WM_1B1D", "START_VERY_HIGH_NEEDS_TURBO", "TA152_ALREADY_USED",
    "TA152_NOT_VERY_HIGH_ALL_TURN", "TARGET_LDR_ENGAGED", "VER_STOP_ONLY_BY_ADVANTAGED_OR_TAILING",
    "WM_NO_VER_ATTACK", "WM_VS_WM_NO_POSITION_CARDS",
}  # fmt: skip


def test_no_refusal_of_the_rulebook_is_missing() -> None:
    assert set(refusals()) >= FROM_THE_RULEBOOK


def test_a_wingman_breaks_the_hold_first_only_where_the_table_plays_so() -> None:
    state = lone("Tailing", mini="ims-1b1d", step="wingman")
    assert laid(state, "ims-1b1d", key="wingman:X2.1") == []
    strict = Context({**CONTEXT.switches, "lone_break_first": True}, CONTEXT.cells)
    assert laid(state, "ims-1b1d", key="wingman:X2.1", ctx=strict) == ["LONE_LEADER_BREAK_FIRST"]


@pytest.mark.parametrize(
    ("hand", "says"),
    [
        ({"known": ["nonsense"]}, "There is no action card 'nonsense' in this deck"),
        ({"unknown": -3}, "hand.unknown"),
        ({"unknown": 10**20}, "hand.unknown"),
    ],
)
def test_a_hand_that_cannot_be_is_refused_in_one_sentence(hand: dict[str, Any], says: str) -> None:
    procedure = GAME.procedures["rotl.discard"]
    with pytest.raises(UsageError, match=says):
        scripted(procedure, procedure.inputs({"element": "X1", "hand": hand}), (), CONTEXT)


@pytest.mark.parametrize(
    ("position", "held", "says"),
    [
        ("Disadvantaged", 0, "Following costs 2 cards; there are 0."),
        ("Disadvantaged", 1, "Following costs 2 cards; there is 1."),
        ("Tailed", 0, "Following costs 1 card; there are 0."),
    ],
)
def test_one_card_is_a_card(position: Any, held: int, says: str) -> None:
    pursuer = Climber(Fighter(title="E", hand=Hand((), held)))
    (barred,) = may_follow(Move(position=position, up=True, enemy=pursuer), ver=False)
    assert barred.text == says
