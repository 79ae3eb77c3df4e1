"""What a change does to the dogfight: one small function for each kind. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from companion.rules.rotl.aircraft import Altitude, Side
from companion.rules.rotl.cards import Hand
from companion.rules.rotl.ratings import Position, mirror
from companion.rules.rotl.state import GAME_TURNS, STEPS, Dogfight, Element, Hold, Phase, Plane, Turn
from companion.umpire import Change, UsageError

Apply = Callable[[Dogfight, str, Any], Dogfight]


def apply(state: Dogfight, change: Change) -> Dogfight:
    """The dogfight after a change; one that does not fit raises UsageError, as a ruling by hand may be."""
    if change.kind not in _KINDS:
        raise UsageError(f"The game has no change {change.kind[:40]!r}; it has {', '.join(sorted(_KINDS))}.")
    how, kind = _KINDS[change.kind]
    try:
        return how(state, change.target, msgspec.convert(change.value, kind))
    except msgspec.ValidationError as error:
        raise UsageError(f"The value of the change {change.kind!r} does not fit: {error}.") from None


def put(state: Dogfight, element: Element) -> Dogfight:
    return replace(state, elements=tuple(element if e.key == element.key else e for e in state.elements))


def _open(state: Dogfight) -> Turn:
    if state.turn is None:
        raise UsageError("No player-turn is open; name the next element first.")
    return state.turn


def _turn(state: Dogfight, **fields: Any) -> Dogfight:
    return replace(state, turn=replace(_open(state), **fields))


# --- cards: every one of them is in the pile, in one hand, or discarded


def _shuffle(state: Dogfight, _target: str, _value: Any) -> Dogfight:
    """The discards become the draw pile."""
    return replace(state, pile=state.pile + len(state.discards), discards=Hand())


def _take(hand: Literal["hand", "mini"]) -> Apply:
    def take(state: Dogfight, target: str, cards: Any) -> Dogfight:
        element = state.element(target)
        held: Hand = getattr(element, hand)
        return put(replace(state, pile=state.pile - len(cards)), replace(element, **{hand: held.plus(cards)}))

    return take


def _spend(hand: Literal["hand", "mini"]) -> Apply:
    def spend(state: Dogfight, target: str, cards: Any) -> Dogfight:
        element = state.element(target)
        held: Hand = getattr(element, hand)
        discards = state.discards.plus(cards)
        return put(replace(state, discards=discards), replace(element, **{hand: held.minus(cards)}))

    return spend


def _turn_up(state: Dogfight, _target: str, cards: Any) -> Dogfight:
    """From the pile straight to the discards, face up."""
    return replace(state, pile=state.pile - len(cards), discards=state.discards.plus(cards))


def _counters(state: Dogfight, target: str, count: Any) -> Dogfight:
    element = state.element(target)
    return put(state, replace(element, counters=element.counters + count))


def _ace(state: Dogfight, target: str, holds: Any) -> Dogfight:
    return put(state, replace(state.element(target), ace=holds))


# --- position and altitude


def _position(state: Dogfight, target: str, position: Any) -> Dogfight:
    """`A|B`: the position of A's leader to B's."""
    one, other = (state.element(key).key for key in (*target.split("|"), "")[:2])
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
    total = plane.hits + hits
    state = _put_plane(state, replace(plane, hits=total))
    if total >= second:
        return _destroyed(state, target, None)
    return _damaged(state, target, None) if total >= first and not plane.damaged else state


def _set_hits(state: Dogfight, target: str, hits: Any) -> Dogfight:
    """So many hits in all, as the table has ruled; the side of the card that lies up follows."""
    element = state.owner(target)
    plane = _plane(element, target)
    state = _put_plane(state, replace(plane, hits=0, damaged=False))
    return _hits(state, target, max(hits, 0))


def _damaged(state: Dogfight, target: str, _value: Any) -> Dogfight:
    """Flip the card; a methanol counter is lost with it, by a switch a jet's counters above its speed too."""
    element = state.owner(target)
    state = _put_plane(state, replace(_plane(element, target), damaged=True))
    if element.leader.key != target:
        return state
    kind = state.type_of(element)
    most = 0 if kind.methanol else kind.speed[1] if state.damaged_speed else element.counters
    return put(state, replace(state.element(element.key), counters=min(element.counters, most)))


def _destroyed(state: Dogfight, target: str, _value: Any) -> Dogfight:
    element = state.owner(target)
    state = _put_plane(state, replace(_plane(element, target), fate="destroyed"))
    element = state.element(element.key)
    if element.wingman and element.wingman.key == target:
        element = replace(element, wingman=None, aside=(*element.aside, element.wingman))
        return _leader_lost(state, element) if element.promote else put(state, element)
    return _leader_lost(state, element)


def _leader_lost(state: Dogfight, element: Element) -> Dogfight:
    """Hand and counters go, positions end, a flying wingman is to be promoted; without one its player-turn is over."""
    discards = state.discards.plus([*element.hand.all(), *element.mini.all()])
    holds = tuple(h for h in state.holds if element.key not in (h.by, h.over))
    promote = element.wingman is not None and element.wingman.flying
    lost = replace(element, hand=Hand(), mini=Hand(), counters=0, promote=promote, ace=False)
    state = put(replace(state, discards=discards, holds=holds), lost)
    gone = state.turn is not None and state.turn.element == element.key and not promote
    return _ended(state) if gone else state


def _promote(state: Dogfight, target: str, _value: Any) -> Dogfight:
    """The wingman is the leader now, with its hits; the pilot went down with the old one."""
    element = state.element(target)
    if element.wingman is None:
        raise UsageError(f"{target} has no wingman to take over.")
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
    return _leader_lost(put(state, element), element)


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
    return _turn(state, targets={**_open(state).targets, target: value})


def _tally(field: str) -> Apply:
    def add(state: Dogfight, _target: str, value: Any) -> Dogfight:
        return _turn(state, **{field: getattr(_open(state), field) + value})

    return add


def _used(state: Dogfight, _target: str, what: Any) -> Dogfight:
    return _turn(state, used=(*_open(state).used, what))


def _vertical(state: Dogfight, _target: str, how: Any) -> Dogfight:
    return _turn(state, vertical=how)


def _step(state: Dogfight, _target: str, _value: Any) -> Dogfight:
    """The step is over: the next one, or the next player-turn."""
    state = _no_minis(state)
    turn = _open(state)
    if turn.step == STEPS[-1]:
        return _ended(state)
    following = STEPS[STEPS.index(turn.step) + 1]
    if following == "play" and turn.no_play:
        following = "discard"
    return _turn(state, step=following)


def _no_minis(state: Dogfight) -> Dogfight:
    """Mini-hands last for one attack."""
    for element in state.elements:
        if len(element.mini):
            state = _spend("mini")(state, element.key, element.mini.all())
    return state


def _ended(state: Dogfight) -> Dogfight:
    """The player-turn is over: the next element, the next game-turn, or the end."""
    done = _open(state).element
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


Names = tuple[str, ...]
_KINDS: dict[str, tuple[Apply, Any]] = {
    "shuffle": (_shuffle, None),
    "take": (_take("hand"), Names),
    "take mini": (_take("mini"), Names),
    "spend": (_spend("hand"), Names),
    "spend mini": (_spend("mini"), Names),
    "turn up": (_turn_up, Names),
    "counters": (_counters, int),
    "ace": (_ace, bool),
    "position": (_position, Position),
    "altitude": (_altitude, Altitude),
    "hits": (_hits, int),
    "set hits": (_set_hits, int),
    "damaged": (_damaged, None),
    "destroyed": (_destroyed, None),
    "promote": (_promote, None),
    "disengaged": (_disengaged, None),
    "phase": (_phase, Phase),
    "initiative": (_initiative, Side),
    "begin": (_begin, None),
    "target": (_target, str),
    "bursts": (_tally("bursts"), int),
    "gunner": (_tally("gunner"), int),
    "extra": (_tally("extra"), int),
    "played": (_tally("played"), int),
    "used": (_used, str),
    "vertical": (_vertical, Literal["", "free", "bound"]),
    "step": (_step, None),
}
"""For each kind what it does and the type of its value."""
