"""What must, may and may not be done now, and why. Nothing here depends on hidden cards, only on how many there are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from companion.rules.rotl import targets
from companion.rules.rotl.altitude import Climber, Move, may_move, may_roll
from companion.rules.rotl.attack import By
from companion.rules.rotl.leaving import Disengagement, Leaving, may_leave
from companion.rules.rotl.piles import stock
from companion.rules.rotl.ratings import horsepower, mini_hand
from companion.rules.rotl.state import GAME_TURNS, Dogfight, Element, Turn
from companion.rules.rotl.targets import At, leader_fighter, split
from companion.rules.rotl.turns import (
    Deal,
    Dealt,
    Declare,
    Discard,
    DrawStep,
    GiveUp,
    Pass,
    Promotion,
    Starter,
    Starts,
    may_give_up,
)
from companion.umpire import Act, Context, Due

STEP_TITLES = {
    "wingman": "wingman attack",
    "altitude": "adjust altitude",
    "play": "play cards",
    "discard": "discard",
    "draw": "draw",
}


def due(state: Dogfight, context: Context) -> Due:
    """The acts of this moment; a promotion comes before anything else."""
    promotions = tuple(_promotion(state, e) for e in state.elements if e.promote)
    if promotions:
        return Due(phase(state), promotions, promotions[0].seat)
    if state.phase == "turn":
        assert state.turn is not None
        me = state.element(state.turn.element)
        return Due(phase(state), tuple(_turn_acts(state, state.turn, me, context)), me.seat)
    acts = tuple(_table_acts(state))
    return Due(phase(state), acts, acts[0].seat if state.phase == "order" else "", state.phase == "over")


def phase(state: Dogfight) -> str:
    """The moment in the words of the table."""
    if state.turn:
        e = state.element(state.turn.element)
        return f"Game-turn {state.game_turn} of {GAME_TURNS}, {e.side} {e.key}: {STEP_TITLES[state.turn.step]}"
    words = {
        "altitudes": "Set-up: starting altitudes",
        "deal": "Set-up: deal",
        "initiative": "Set-up: initiative",
        "over": "The dogfight is over",
    }
    return words.get(state.phase) or f"Game-turn 1: {naming_side(state)} name an element"


def naming_side(state: Dogfight) -> str:
    """Who names the next element in game-turn 1: sides alternate as long as both have one left."""
    left = {e.side for e in state.fighting if e.key not in state.order}
    if not state.order:
        return state.first
    other = "Allies" if state.element(state.order[-1]).side == "Axis" else "Axis"
    return other if other in left else next(iter(left))


def act(key: str, procedure: str, title: str, seat: str, inputs: Any, *sealed: str, **fields: Any) -> Act:
    """An act; the inputs named `sealed` hold hidden cards and are kept apart."""
    seen, hidden = split(inputs, *sealed)
    return Act(key, f"rotl.{procedure}", title, seat, seen, sealed=hidden, **fields)


# --- between player-turns --------------------------------------------------------------------------


def _table_acts(state: Dogfight) -> Iterator[Act]:
    if state.phase == "altitudes":
        starters = tuple(_starter(state, e) for e in state.elements)
        yield act("altitudes", "altitudes", "Choose starting altitudes", "", Starts(starters), must=True)
    elif state.phase == "deal":
        dealt = tuple(_dealt(state, e) for e in state.elements)
        yield act("deal", "deal", "Deal the cards", "", Deal(dealt, stock(state), state.deck), must=True)
    elif state.phase == "initiative":
        yield Act("initiative", "rotl.initiative", "Flip the initiative counter", "", must=True)
    elif state.phase == "order":
        side = naming_side(state)
        for e in state.fighting:
            if e.side == side and e.key not in state.order:
                title = f"{e.key} {e.type} goes next"
                yield Act(f"begin:{e.key}", "rotl.begin", title, e.seat, {"element": e.key}, (e.key,), must=True)


def _starter(state: Dogfight, e: Element) -> Starter:
    kind = state.type_of(e)
    return Starter(e.key, e.seat, f"{e.key} {e.type}", kind.turbocharged, kind.ceiling)


def _dealt(state: Dogfight, e: Element) -> Dealt:
    kind = state.type_of(e)
    counters = kind.speed[0] + kind.methanol
    performance = state.rating(e, "performance")
    return Dealt(e.key, e.seat, performance, counters, "A" in e.skills, "CV" in e.skills)


def _promotion(state: Dogfight, e: Element) -> Act:
    kind, wingman = state.type_of(e), e.wingman
    assert wingman is not None
    methanol = kind.methanol and not wingman.damaged
    counters = max(0, kind.speed[wingman.damaged] - 1) + methanol
    cards = max(0, kind.performance[wingman.damaged] - 1)
    inputs = Promotion(e.key, e.seat, cards, counters, stock(state))
    title = f"{e.key}: the wingman takes over"
    return act(f"promote:{e.key}", "promote", title, e.seat, inputs, about=(e.key,), must=True)


# --- a player-turn ---------------------------------------------------------------------------------


def _turn_acts(state: Dogfight, turn: Turn, me: Element, context: Context) -> Iterator[Act]:
    if turn.step == "wingman":
        yield from _wingman_acts(state, turn, me)
    elif turn.step == "altitude":
        yield from _altitude_acts(state, me)
    elif turn.step == "play":
        yield from _play_acts(state, turn, me)
    elif turn.step == "discard":
        cards = Discard(me.key, me.seat, me.hand, state.deck)
        yield act("discard", "discard", "Discard any cards", me.seat, cards, "hand")
        return
    else:
        inputs = _draw_step(state, me, context)
        most = f"{inputs.most} card{'s' * (inputs.most != 1)}"
        yield act("draw", "draw", f"Draw up to {most}", me.seat, inputs)
        return
    title = {"wingman": "No (more) wingman attack", "altitude": "Stay at this altitude", "play": "No more cards"}
    yield act("pass", "pass", title[turn.step], me.seat, Pass(me.key, turn.step))


def _wingman_acts(state: Dogfight, turn: Turn, me: Element) -> Iterator[Act]:
    if me.wingman is None:
        return
    for enemy, at in _aims(state, me):
        yield _aim(state, turn, me, "wingman", enemy, at)


def _aims(state: Dogfight, me: Element) -> Iterator[tuple[Element, At]]:
    for enemy in state.enemies(me):
        yield enemy, "leader"
        if enemy.wingman:
            yield enemy, "wingman"


def _aim(state: Dogfight, turn: Turn, me: Element, by: By, enemy: Element, at: At) -> Act:
    """An attack on this target, or naming it first where mini-hands are drawn."""
    barred = targets.barred(state, turn, me, by, enemy, at)
    target = targets.target_key(enemy, at)
    shooter = targets.shooter(me, by, at)
    title = f"{by.capitalize()} attacks {enemy.key} {enemy.type}{' wingman' if at == 'wingman' else ''}"
    minis = by == "wingman" or at == "wingman"
    key = f"{by}:{target}"
    about = (shooter.removeprefix("gunner:"), target)
    if minis and turn.targets.get(shooter) != target:
        inputs = _declaration(state, me, by, shooter, enemy, at, target)
        return act(key, "declare", title, me.seat, inputs, about=about, barred=barred)
    attack = targets.attack_of(state, turn, me, by, enemy, at)
    return act(key, "attack", title, me.seat, attack, "attacker", "defender", about=about, barred=barred)


def _declaration(state: Dogfight, me: Element, by: By, shooter: str, enemy: Element, at: At, target: str) -> Declare:
    kind, theirs = state.type_of(me), state.type_of(enemy)
    offence = defence = 0
    if by == "wingman" and me.wingman:
        offence = mini_hand(kind.offence[me.wingman.damaged], me.altitude, kind, "offence")
    if at == "wingman" and enemy.wingman:
        defence = mini_hand(theirs.defence[enemy.wingman.damaged], enemy.altitude, theirs, "defence")
    fresh = not len(enemy.mini)
    return Declare(
        attacker=me.key,
        seat=me.seat,
        shooter=shooter,
        target=target,
        defender=enemy.key,
        other_seat=enemy.seat,
        offence=offence,
        defence=defence if fresh else 0,
        stock=stock(state),
    )


def move_of(state: Dogfight, me: Element, *, up: bool, free: bool = False) -> Move:
    """What a change of altitude starts from."""
    engaged = state.engaged_with(me.key)
    enemy = _follower(state, state.element(engaged)) if engaged else Climber()
    return Move(
        mover=_climber(state, me),
        altitude=me.altitude,
        up=up,
        position=state.position(me.key, engaged) if engaged else "Neutral",
        enemy=enemy,
        stock=stock(state),
        deck=state.deck,
        free=free,
        used_ta152=state.turn is not None and f"ta152:{me.leader.key}" in state.turn.used,
    )


def _climber(state: Dogfight, e: Element) -> Climber:
    kind = state.type_of(e)
    return Climber(leader_fighter(state, e), kind.ceiling, kind.powered)


def _follower(state: Dogfight, e: Element) -> Climber:
    who = _climber(state, e)
    return replace(who, pays=who.pays and (state.rocket_counters or not state.type_of(e).rocket))


def _altitude_acts(state: Dogfight, me: Element) -> Iterator[Act]:
    for up in (True, False):
        move = move_of(state, me, up=up)
        title, key = ("Climb", "climb") if up else ("Dive", "dive")
        barred = tuple(may_move(move))
        yield act(key, "adjust", title, me.seat, move, "mover", "enemy", barred=barred)


def _play_acts(state: Dogfight, turn: Turn, me: Element) -> Iterator[Act]:
    quarry = state.quarry(me.key)
    give = GiveUp(me.key, quarry.over if quarry else "", turn.held, turn.played)
    barred = tuple(may_give_up(give))
    yield act("give_up", "give_up", "Give up position", me.seat, give, about=(me.leader.key,), barred=barred)
    for enemy, at in _aims(state, me):
        yield _aim(state, turn, me, "leader", enemy, at)
        if state.gunner(me):
            yield _aim(state, turn, me, "gunner", enemy, at)
    free = _free_to_roll(state, turn, me)
    for up in (True, False):
        move = move_of(state, me, up=up, free=free)
        key, title = ("roll_up", "Climb with a Vertical Roll") if up else ("roll_down", "Dive with a Vertical Roll")
        barred = tuple(may_roll(move))
        yield act(key, "vertical", title, me.seat, move, "mover", "enemy", about=(me.leader.key,), barred=barred)
    leaving = _leaving(state, turn, me)
    barred = tuple(may_leave(leaving))
    yield act("disengage", "disengage", "Disengage", me.seat, leaving, about=(me.leader.key,), barred=barred)


def _free_to_roll(state: Dogfight, turn: Turn, me: Element) -> bool:
    """Unengaged, and no card laid yet but such rolls: a target may still be chosen at the new level."""
    first = turn.played == 0 or turn.vertical == "free"
    return first and not state.engaged_with(me.key) and me.leader.key not in turn.targets


def _leaving(state: Dogfight, turn: Turn, me: Element) -> Disengagement:
    kind, engaged = state.type_of(me), state.engaged_with(me.key)
    planes = [Leaving(me.leader.key, f"{me.key} {me.type}", me.leader.damaged)]
    if me.wingman:
        planes.append(Leaving(me.wingman.key, f"{me.key} {me.type} wingman", me.wingman.damaged))
    return Disengagement(
        element=me.key,
        seat=me.seat,
        planes=tuple(planes),
        position=state.position(me.key, engaged) if engaged else "Neutral",
        alone=not any(e.altitude == me.altitude for e in state.enemies(me)),
        powered=any((*kind.speed, *kind.thrust)),
        played=turn.played,
        stock=stock(state),
        deck=state.deck,
        discards=state.discards.known,
    )


def _draw_step(state: Dogfight, me: Element, context: Context) -> DrawStep:
    kind = state.type_of(me)
    summary = bool(context.switches.get("turbo_summary", False))
    return DrawStep(
        element=me.key,
        seat=me.seat,
        held=len(me.hand),
        performance=state.rating(me, "performance"),
        horsepower=horsepower(state.rating(me, "horsepower"), me.altitude, kind, summary=summary),
        counters=me.counters,
        speed=kind.speed[me.leader.damaged],
        thrust=kind.thrust[me.leader.damaged],
        stock=stock(state),
    )
