"""The game as it stands: pilots with their licences and planes, the turn, and what each change does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from companion.rules.fastplay.mat import Mat
from companion.umpire import MOMENT, Change, UsageError

ESCAPE_HITS = 4
ACE, DOUBLE_ACE = 5, 10

Phase = Literal["entry", "reveal", "move", "shoot", "losses"]
Cards = Literal["phones", "kiosk", "table"]
Out = Literal["", "not in yet", "left the mat", "strayed off the mat", "shot down", "out of action"]


class Share(msgspec.Struct, frozen=True):
    """Hits by one pilot on one plane this turn; `lost` where that pilot has been put out of action since."""

    by: str
    hits: int
    lost: bool = False


class Pilot(msgspec.Struct, frozen=True):
    """A pilot with licence and plane; `out` says why the plane is not on the mat, '' that it flies.

    `plan` are the cards of this turn and `shown` how many of them lie face up; `before` is the last card played.
    `at` and `facing` stay empty where the table keeps the hexes itself. `licence` counts the licences.
    """

    key: str
    name: str
    side: str
    aircraft: str
    points: int
    plays: int
    victories: int = 0
    licence: int = 1
    hits: int = 0
    out: Out = "not in yet"
    out_since: int = 0
    entered: int = 0
    at: str = ""
    facing: str = ""
    plan: tuple[str, ...] = ()
    shown: int = 0
    before: str = ""
    fired: bool = False
    hit_by: tuple[Share, ...] = ()
    duel: str = ""
    must_leave: bool = False

    @property
    def flies(self) -> bool:
        return not self.out

    @property
    def is_down(self) -> bool:
        return self.flies and self.hits >= self.points


class State(msgspec.Struct, frozen=True):
    """`mat` is None where the table keeps the hexes; `card` counts the cards of this turn, 0 before they are chosen."""

    pilots: tuple[Pilot, ...]
    mat: Mat | None
    cards: Cards
    credit_by_card: bool = False
    turn: int = 1
    phase: Phase = "entry"
    card: int = 0
    over: bool = False

    @property
    def flying(self) -> tuple[Pilot, ...]:
        return tuple(p for p in self.pilots if p.flies)

    @property
    def down(self) -> tuple[Pilot, ...]:
        return tuple(p for p in self.pilots if p.is_down)

    def pilot(self, key: str) -> Pilot:
        return next(p for p in self.pilots if p.key == key)

    def enemies(self, pilot: Pilot) -> tuple[Pilot, ...]:
        return tuple(p for p in self.flying if p.side != pilot.side)

    def playing(self, card: int) -> tuple[Pilot, ...]:
        """Who plays this card of the turn: everybody the first three, the Zero a fourth."""
        return tuple(p for p in self.flying if p.plays >= card)


def apply(state: State, change: Change) -> State:
    return _CHANGES[change.kind](state, change.target, change.value)


def _set(state: State, key: str, **fields: Any) -> State:
    return replace(state, pilots=tuple(replace(p, **fields) if p.key == key else p for p in state.pilots))


def _set_all(state: State, **fields: Any) -> State:
    return replace(state, pilots=tuple(replace(p, **fields) for p in state.pilots))


# --- entering, duels, leaving


def _enter(state: State, key: str, place: Mapping[str, str]) -> State:
    fields = {"out": "", "entered": state.turn, "before": "", "must_leave": False}
    return _set(state, key, **fields, at=place.get("at", ""), facing=place.get("facing", ""))


def _duel(state: State, key: str, other: str) -> State:
    return _set(_set(state, key, duel=other), other, duel=key)


def _leave(state: State, key: str, restored: bool) -> State:
    out: Out = "left the mat" if restored else "strayed off the mat"
    state = _off(state, key, out)
    return _set(state, key, hits=0) if restored else state


def _off(state: State, key: str, out: Out) -> State:
    gone = {"out": out, "out_since": state.turn, "at": "", "facing": "", "must_leave": False}
    return _set(state, key, **gone, plan=(), shown=0, before="", hit_by=())


# --- cards and moves


def _plan(state: State, key: str, cards: Iterable[str]) -> State:
    return _set(state, key, plan=tuple(cards))


def _locked(state: State, _key: str, _value: Any) -> State:
    """The cards of the turn lie; a duellist who has not come back by now has given up the duel."""
    gone = {p.key for p in state.pilots if p.out and p.out_since < state.turn}
    over = {key for p in state.pilots if p.duel and p.key in gone for key in (p.key, p.duel)}
    pilots = tuple(replace(p, duel="") if p.key in over else p for p in state.pilots)
    return replace(state, pilots=pilots, phase="reveal", card=1)


def _reveal(state: State, key: str, card: str | None) -> State:
    """Turn up the next card of a stack, or lay down one that had not been known."""
    pilot = state.pilot(key)
    plan = pilot.plan if card is None else (*pilot.plan, card)
    return _set(state, key, plan=plan, shown=pilot.shown + 1, before=plan[pilot.shown])


def _revealed(state: State, _key: str, _value: Any) -> State:
    return replace(state, phase="move") if state.mat else _moved(state, "", None)


def _move(state: State, key: str, place: Mapping[str, str]) -> State:
    return _set(state, key, at=place["at"], facing=place["facing"])


def _moved(state: State, _key: str, _value: Any) -> State:
    fresh = {"hit_by": ()} if state.credit_by_card else {}
    return replace(_set_all(state, fired=False, **fresh), phase="shoot")


# --- shots and losses


def _fired(state: State, key: str, _value: Any) -> State:
    return _set(state, key, fired=True)


def _hits(state: State, key: str, scored: Mapping[str, Any]) -> State:
    """Circles are crossed off up to the last one; every hit counts for the victory."""
    pilot = state.pilot(key)
    count, by = scored["hits"], scored["by"]
    shares = {s.by: s for s in pilot.hit_by}
    shares[by] = Share(by, count + (shares[by].hits if by in shares else 0))
    return _set(state, key, hits=min(pilot.points, pilot.hits + count), hit_by=tuple(shares.values()))


def _step_over(state: State, _moment: str, _value: Any) -> State:
    return replace(state, phase="losses") if state.down else _next_card(state, "", None)


def _victory(state: State, key: str, _value: Any) -> State:
    return _set(state, key, victories=state.pilot(key).victories + 1)


def _survived(state: State, key: str, _value: Any) -> State:
    state = _duel_won(state, state.pilot(key).duel)
    return _set(_off(state, key, "shot down"), key, hits=0, duel="")


def _out_of_action(state: State, key: str, _value: Any) -> State:
    """A new licence and plane; what the lost licence had scored this turn stays with it."""
    state = _set(_survived(state, key, None), key, out="out of action", victories=0)
    state = _set(state, key, licence=state.pilot(key).licence + 1)
    return replace(state, pilots=tuple(replace(p, hit_by=_lost(p.hit_by, key)) for p in state.pilots))


def _lost(shares: tuple[Share, ...], key: str) -> tuple[Share, ...]:
    return tuple(replace(s, lost=True) if s.by == key else s for s in shares)


def _duel_won(state: State, winner: str) -> State:
    if not winner:
        return state
    return _set(state, winner, duel="", must_leave=state.pilot(winner).flies)


def _next_card(state: State, _key: str, _value: Any) -> State:
    """The next card that somebody plays, else the next turn with all cards back in their decks."""
    if state.playing(state.card + 1):
        return replace(state, phase="reveal", card=state.card + 1)
    state = _set_all(state, plan=(), shown=0, hit_by=(), fired=False)
    return replace(state, phase="entry", card=0, turn=state.turn + 1)


def _by_hand(state: State, key: str, values: Mapping[str, Any]) -> State:
    """Any field to any value that fits, as the table has ruled."""
    try:
        pilot = msgspec.convert({**msgspec.to_builtins(state.pilot(key)), **values}, Pilot)
    except (msgspec.ValidationError, TypeError) as error:
        raise UsageError(f"That cannot be set: {str(error).rstrip('.')}.") from None
    return replace(state, pilots=tuple(pilot if p.key == key else p for p in state.pilots))


def _over(state: State, _key: str, _value: Any) -> State:
    return replace(state, over=True)


_CHANGES: Mapping[str, Callable[[State, str, Any], State]] = {
    "enter": _enter,
    "duel": _duel,
    "leave": _leave,
    "plan": _plan,
    "locked": _locked,
    "reveal": _reveal,
    "revealed": _revealed,
    "move": _move,
    "moved": _moved,
    "fired": _fired,
    "hits": _hits,
    MOMENT: _step_over,
    "victory": _victory,
    "survived": _survived,
    "out_of_action": _out_of_action,
    "resolved": _next_card,
    "over": _over,
    "set": _by_hand,
}
