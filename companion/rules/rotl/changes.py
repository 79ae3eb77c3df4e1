"""What a change does to the dogfight: one small function for each kind. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from companion.rules.rotl.cards import Hand
from companion.rules.rotl.ratings import mirror
from companion.rules.rotl.state import GAME_TURNS, STEPS, Dogfight, Element, Hold, Plane, Turn
from companion.umpire import Change, UsageError

Apply = Callable[[Dogfight, str, Any], Dogfight]


def apply(state: Dogfight, change: Change) -> Dogfight:
    """The dogfight after a change."""
    try:
        how = _KINDS[change.kind]
    except KeyError:
        raise UsageError(
            f"Rise of the Luftwaffe has no change {change.kind!r}; it has {', '.join(sorted(_KINDS))}."
        ) from None
    return how(state, change.target, change.value)


def put(state: Dogfight, element: Element) -> Dogfight:
    return replace(state, elements=tuple(element if e.key == element.key else e for e in state.elements))


def _turn(state: Dogfight, **fields: Any) -> Dogfight:
    return replace(state, turn=replace(state.turn, **fields)) if state.turn else state


# --- cards: every one of them is in the pile, in one hand, or discarded


def _shuffle(state: Dogfight, _target: str, _value: Any) -> Dogfight:
    """The discards become the draw pile."""
    return replace(state, pile=state.pile + len(state.discards), discards=Hand())


def _take(state: Dogfight, target: str, cards: Any) -> Dogfight:
    element = state.element(target)
    state = replace(state, pile=state.pile - len(cards))
    return put(state, replace(element, hand=element.hand.plus(cards)))


def _take_mini(state: Dogfight, target: str, cards: Any) -> Dogfight:
    element = state.element(target)
    state = replace(state, pile=state.pile - len(cards))
    return put(state, replace(element, mini=element.mini.plus(cards)))


def _spend(state: Dogfight, target: str, cards: Any) -> Dogfight:
    element = state.element(target)
    state = replace(state, discards=state.discards.plus(cards))
    return put(state, replace(element, hand=element.hand.minus(cards)))


def _spend_mini(state: Dogfight, target: str, cards: Any) -> Dogfight:
    element = state.element(target)
    state = replace(state, discards=state.discards.plus(cards))
    return put(state, replace(element, mini=element.mini.minus(cards)))


def _turn_up(state: Dogfight, _target: str, cards: Any) -> Dogfight:
    """From the pile straight to the discards, face up."""
    return replace(state, pile=state.pile - len(cards), discards=state.discards.plus(cards))


def _counters(state: Dogfight, target: str, count: Any) -> Dogfight:
    element = state.element(target)
    return put(state, replace(element, counters=element.counters + int(count)))


def _ace(state: Dogfight, target: str, holds: Any) -> Dogfight:
    return put(state, replace(state.element(target), ace=bool(holds)))


# --- position and altitude


def _position(state: Dogfight, target: str, position: Any) -> Dogfight:
    """`A|B`: the position of A's leader to B's."""
    one, other = target.split("|")
    holds = tuple(h for h in state.holds if {h.by, h.over} != {one, other})
    if position in ("Disadvantaged", "Tailed"):
        one, other, position = other, one, mirror(position)
    if position != "Neutral":
        holds = (*holds, Hold(one, other, position))
    return replace(state, holds=holds)


def _altitude(state: Dogfight, target: str, level: Any) -> Dogfight:
    state = put(state, replace(state.element(target), altitude=level))
    if state.turn and state.turn.element == target:
        return _turn(state, moved=True)
    return state


# --- hits and losses


def _hits(state: Dogfight, target: str, hits: Any) -> Dogfight:
    """Hits on an aircraft: it is damaged and shot down by all hits together."""
    element = state.owner(target)
    plane = _plane(element, target)
    first, second = state.capacity(element, plane)
    total = plane.hits + int(hits)
    state = _put_plane(state, replace(plane, hits=total))
    if total >= second:
        return _destroyed(state, target, None)
    return _damaged(state, target, None) if total >= first and not plane.damaged else state


def _damaged(state: Dogfight, target: str, _value: Any) -> Dogfight:
    """Flip the card; a methanol counter is lost with it."""
    element = state.owner(target)
    state = _put_plane(state, replace(_plane(element, target), damaged=True))
    if state.type_of(element).methanol and element.leader.key == target:
        return put(state, replace(state.element(element.key), counters=0))
    return state


def _destroyed(state: Dogfight, target: str, _value: Any) -> Dogfight:
    element = state.owner(target)
    state = _put_plane(state, replace(_plane(element, target), fate="destroyed"))
    element = state.element(element.key)
    if element.wingman and element.wingman.key == target:
        return put(state, replace(element, wingman=None, aside=(*element.aside, element.wingman)))
    return _leader_lost(state, element)


def _leader_lost(state: Dogfight, element: Element) -> Dogfight:
    """Hand and counters go, positions end, and a flying wingman is to be promoted."""
    discards = state.discards.plus([*element.hand.all(), *element.mini.all()])
    holds = tuple(h for h in state.holds if element.key not in (h.by, h.over))
    promote = element.wingman is not None and element.wingman.flying
    lost = replace(element, hand=Hand(), mini=Hand(), counters=0, promote=promote, ace=False)
    return put(replace(state, discards=discards, holds=holds), lost)


def _promote(state: Dogfight, target: str, _value: Any) -> Dogfight:
    """The wingman is the leader now, with its hits; the pilot went down with the old one."""
    element = state.element(target)
    assert element.wingman is not None
    risen = replace(
        element,
        leader=element.wingman,
        wingman=None,
        aside=(*element.aside, element.leader),
        promote=False,
        pilot="",
        skills=(),
    )
    state = put(state, risen)
    if state.turn is None or state.turn.element != target or state.turn.step == "wingman":
        return state
    step = "discard" if state.turn.step == "play" else state.turn.step
    return _turn(state, no_play=True, step=step)


def _disengaged(state: Dogfight, target: str, _value: Any) -> Dogfight:
    """Out of the fight: what is not destroyed got away."""
    element = state.element(target)
    element = replace(element, leader=_away(element.leader), wingman=element.wingman and _away(element.wingman))
    state = _leader_lost(put(state, element), element)
    return _ended(state) if state.turn and state.turn.element == target else state


def _away(plane: Plane) -> Plane:
    return replace(plane, fate="disengaged") if plane.flying else plane


def _plane(element: Element, key: str) -> Plane:
    return next(p for p in element.planes if p.key == key)


def _put_plane(state: Dogfight, plane: Plane) -> Dogfight:
    element = state.owner(plane.key)
    if element.leader.key == plane.key:
        return put(state, replace(element, leader=plane))
    if element.wingman and element.wingman.key == plane.key:
        return put(state, replace(element, wingman=plane))
    return put(state, replace(element, aside=tuple(plane if p.key == plane.key else p for p in element.aside)))


# --- set-up, order and the player-turn


def _phase(state: Dogfight, _target: str, phase: Any) -> Dogfight:
    return replace(state, phase=phase)


def _initiative(state: Dogfight, _target: str, side: Any) -> Dogfight:
    return replace(state, first=side, phase="order")


def _begin(state: Dogfight, target: str, _value: Any) -> Dogfight:
    """An element's player-turn begins; in game-turn 1 this fixes the order."""
    element = state.element(target)
    order = state.order if target in state.order else (*state.order, target)
    held = state.quarry(target) is not None
    turn = Turn(target, began_at=element.altitude, held=held)
    return replace(state, phase="turn", order=order, turn=turn)


def _target(state: Dogfight, target: str, value: Any) -> Dogfight:
    assert state.turn is not None
    return _turn(state, targets={**state.turn.targets, target: value})


def _tally(field: str) -> Apply:
    def add(state: Dogfight, _target: str, value: Any) -> Dogfight:
        return _turn(state, **{field: getattr(state.turn, field) + int(value)})

    return add


def _used(state: Dogfight, _target: str, what: Any) -> Dogfight:
    assert state.turn is not None
    return _turn(state, used=(*state.turn.used, what))


def _vertical(state: Dogfight, _target: str, how: Any) -> Dogfight:
    return _turn(state, vertical=how)


def _step(state: Dogfight, _target: str, _value: Any) -> Dogfight:
    """The step is over: the next one, or the next player-turn."""
    state = _no_minis(state)
    assert state.turn is not None
    if state.turn.step == STEPS[-1]:
        return _ended(state)
    following = STEPS[STEPS.index(state.turn.step) + 1]
    if following == "play" and state.turn.no_play:
        following = "discard"
    return _turn(state, step=following)


def _no_minis(state: Dogfight) -> Dogfight:
    """Mini-hands last for one attack."""
    for element in state.elements:
        if len(element.mini):
            state = _spend_mini(state, element.key, element.mini.all())
    return state


def _ended(state: Dogfight) -> Dogfight:
    """The player-turn is over: the next element, the next game-turn, or the end."""
    assert state.turn is not None
    done = state.turn.element
    state = replace(_no_minis(state), turn=None)
    if len({e.side for e in state.fighting}) < 2:
        return replace(state, phase="over")
    if state.game_turn == 1 and any(e.key not in state.order for e in state.fighting):
        return replace(state, phase="order")
    left = [k for k in state.order[state.order.index(done) + 1 :] if state.element(k).fighting]
    if left:
        return _begin(state, left[0], None)
    if state.game_turn == GAME_TURNS:
        return replace(state, phase="over")
    first = next(k for k in state.order if state.element(k).fighting)
    return _begin(replace(state, game_turn=state.game_turn + 1), first, None)


_KINDS: dict[str, Apply] = {
    "shuffle": _shuffle,
    "take": _take,
    "take mini": _take_mini,
    "spend": _spend,
    "spend mini": _spend_mini,
    "turn up": _turn_up,
    "counters": _counters,
    "ace": _ace,
    "position": _position,
    "altitude": _altitude,
    "hits": _hits,
    "damaged": _damaged,
    "destroyed": _destroyed,
    "promote": _promote,
    "disengaged": _disengaged,
    "phase": _phase,
    "initiative": _initiative,
    "begin": _begin,
    "target": _target,
    "bursts": _tally("bursts"),
    "gunner": _tally("gunner"),
    "extra": _tally("extra"),
    "played": _tally("played"),
    "used": _used,
    "vertical": _vertical,
    "step": _step,
}
