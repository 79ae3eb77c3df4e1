"""Rules of engagement: who may attack whom now, and what an attack starts from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import to_builtins

from companion.rules.rotl.aircraft import Type
from companion.rules.rotl.attack import Attack, By
from companion.rules.rotl.exchange import Fighter, Power
from companion.rules.rotl.ratings import mirror
from companion.rules.rotl.refusals import refuse
from companion.rules.rotl.state import Dogfight, Element, Turn
from companion.umpire import Barred

At = Literal["leader", "wingman"]


def barred(state: Dogfight, turn: Turn, me: Element, by: By, enemy: Element, at: At) -> tuple[Barred, ...]:
    """Every reason why this aircraft may not attack that one now."""
    reasons = (_one_target, _altitude, _engagement, _lone, _first_turn)
    found = tuple(b for reason in reasons for b in reason(state, turn, me, by, enemy, at))
    return found or tuple(_no_card(turn, me, by, enemy, at))


def target_key(enemy: Element, at: At) -> str:
    plane = enemy.leader if at == "leader" else enemy.wingman
    assert plane is not None
    return plane.key


def shooter(me: Element, by: By, at: At) -> str:
    """Under which key an aircraft's one target is kept; a gunner may also fire at the pursuer's wingman."""
    if by == "wingman":
        assert me.wingman is not None
        return me.wingman.key
    return f"gunner:{me.leader.key}" if (by, at) == ("gunner", "wingman") else me.leader.key


def _no_card(turn: Turn, me: Element, by: By, enemy: Element, at: At) -> Iterator[Barred]:
    """How many cards there are is seen by all; a wingman's mini-hand is drawn once it has a target."""
    if by == "wingman":
        drawn = turn.targets.get(shooter(me, by, at)) == target_key(enemy, at)
        empty = drawn and not len(me.mini)
    else:
        empty = not len(me.hand) and (by == "gunner" or not me.counters)
    if empty:
        yield refuse("NO_CARD_LEFT")


def _one_target(_state: Dogfight, turn: Turn, me: Element, by: By, enemy: Element, at: At) -> Iterator[Barred]:
    before = turn.targets.get(shooter(me, by, at))
    if before and before != target_key(enemy, at):
        yield refuse("ONE_TARGET_PER_TURN")


def _altitude(state: Dogfight, turn: Turn, me: Element, by: By, enemy: Element, _at: At) -> Iterator[Barred]:
    if me.altitude != enemy.altitude:
        yield refuse("DIFFERENT_ALTITUDE", there=enemy.altitude, here=me.altitude)
    elif by == "leader" and turn.vertical == "bound" and state.engaged_with(me.key) != enemy.key:
        yield refuse("VER_FIRST_AND_UNENGAGED")


def _engagement(state: Dogfight, _turn: Turn, me: Element, by: By, enemy: Element, at: At) -> Iterator[Barred]:
    engaged = state.engaged_with(me.key)
    if by == "gunner":
        if not any(h.by == enemy.key and h.over == me.key for h in state.holds):
            yield refuse("GUNNER_TARGET_NOT_BEHIND")
    elif by == "wingman" and engaged and engaged != enemy.key:
        yield refuse("ENGAGED_WM_ONLY_OPPONENT_ELEMENT")
    elif by == "leader" and engaged and (engaged, "leader") != (enemy.key, at):
        yield refuse("ENGAGED_LDR_ONLY_ITS_OPPONENT")


def _lone(state: Dogfight, _turn: Turn, me: Element, by: By, enemy: Element, at: At) -> Iterator[Barred]:
    """An engaged leader is left alone by others, unless it holds a position and has no wingman."""
    theirs = state.engaged_with(enemy.key)
    if at == "leader" and by != "gunner" and theirs not in ("", me.key) and not state.is_lone_holder(enemy):
        yield refuse("TARGET_LDR_ENGAGED")


def _first_turn(state: Dogfight, _turn: Turn, me: Element, by: By, _enemy: Element, _at: At) -> Iterator[Barred]:
    if by == "wingman" and state.game_turn == 1 and state.order[0] == me.key:
        yield refuse("FIRST_PLAYER_FIRST_TURN")


# --- what an attack starts from --------------------------------------------------------------------


def leader_fighter(state: Dogfight, element: Element) -> Fighter:
    kind = state.type_of(element)
    plane = element.leader.key
    return Fighter(
        element=element.key,
        plane=plane,
        seat=element.seat,
        title=f"{element.key} {element.type}",
        hand=element.hand,
        counters=element.counters,
        agile=_power(state, element, f"agile:{plane}", True) if kind.agile else "",
        ta152=_power(state, element, f"ta152:{plane}", _very_high(state, element)) if kind.ta152 else "",
        ace=("ready" if element.ace else "used") if "A" in element.skills else "",
    )


def wingman_fighter(state: Dogfight, element: Element) -> Fighter:
    assert element.wingman is not None
    plane = element.wingman.key
    agile = state.type_of(element).wing_agile
    return Fighter(
        element=element.key,
        plane=plane,
        seat=element.seat,
        title=f"{element.key} {element.type} wingman",
        hand=element.mini,
        mini=True,
        agile=_power(state, element, f"agile:{plane}", True) if agile else "",
    )


def _power(state: Dogfight, element: Element, use: str, allowed: bool) -> Power:
    turn = state.turn
    if turn is None or turn.element != element.key or not allowed:
        return "not now"
    return "used" if use in turn.used else "ready"


def _very_high(state: Dogfight, element: Element) -> bool:
    turn = state.turn
    return turn is not None and turn.began_at == element.altitude == "Very High" and not turn.moved


def fighter(state: Dogfight, element: Element, at: At) -> Fighter:
    return leader_fighter(state, element) if at == "leader" else wingman_fighter(state, element)


def attack_of(state: Dogfight, turn: Turn, me: Element, by: By, enemy: Element, at: At) -> Attack:
    """What is known of an attack, hands included."""
    kind, target = state.type_of(me), state.type_of(enemy)
    lone = state.quarry(enemy.key) if state.engaged_with(enemy.key) not in ("", me.key) and at == "leader" else None
    position = mirror(lone.position) if lone else state.position(me.key, enemy.key)
    return Attack(
        by=by,
        at=at,
        attacker=fighter(state, me, "wingman" if by == "wingman" else "leader"),
        defender=fighter(state, enemy, at),
        position=position,
        lone=lone.over if lone else "",
        rating=state.gunner(me) if by == "gunner" else state.rating(me, "burst"),
        used=turn.gunner if by == "gunner" else turn.bursts,
        extra=turn.extra,
        small=target.small and by != "gunner",
        heavy=_wing_heavy(me, kind) if by == "wingman" else state.rating(me, "heavy"),
        deck=state.deck,
    )


def _wing_heavy(me: Element, kind: Type) -> int:
    return kind.wing_heavy[me.wingman.damaged] if me.wingman else 0


def split(inputs: Any, *sealed: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Inputs as plain data: what everybody may see, and what holds hidden cards."""
    plain = to_builtins(inputs)
    return {k: v for k, v in plain.items() if k not in sealed}, {k: plain[k] for k in sealed}
