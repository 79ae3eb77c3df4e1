"""What must, may and may not be done now, and the inputs that the state knows.

No act holds a card that lies face down, so acts may be shown to everybody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from companion.rules.fastplay import entry, losses, shooting, turn
from companion.rules.fastplay.names import names
from companion.rules.fastplay.refusals import barred
from companion.rules.fastplay.state import Phase, Pilot, State
from companion.umpire import Act, Barred, Context, Due

_CARD = {1: "first", 2: "second", 3: "third", 4: "fourth"}

_STEPS: Mapping[Phase, str] = {
    "entry": "choose cards",
    "reveal": "play the {card} card",
    "move": "move planes, {card} card",
    "shoot": "shooting, {card} card",
    "losses": "planes shot down, {card} card",
}


def phase_of(state: State) -> str:
    """`Turn 3, shooting, second card`."""
    if state.over:
        return f"The game is over after turn {state.turn}"
    return f"Turn {state.turn}, {_STEPS[state.phase].format(card=_CARD.get(state.card, ''))}"


def due(state: State, context: Context) -> Due:
    if state.over:
        return Due(phase_of(state), over=True)
    return Due(phase_of(state), (*_ACTS[state.phase](state), *_late_entries(state), _finish(state)))


def _act(key: str, procedure: str, title: str, inputs: msgspec.Struct, **more: Any) -> Act:
    return Act(key, f"fastplay.{procedure}", title, more.pop("seat", ""), _given(inputs), **more)


def _own(
    pilot: Pilot, procedure: str, words: str, inputs: msgspec.Struct, reasons: tuple[Barred, ...],
    about: tuple[str, ...] = (),
) -> Act:  # fmt: skip
    """What one pilot does."""
    return _act(
        f"{procedure}:{pilot.key}", procedure, f"{pilot.name} {words}", inputs,
        seat=pilot.key, about=(pilot.key, *about), barred=reasons,
    )  # fmt: skip


def _given(inputs: msgspec.Struct) -> dict[str, Any]:
    """The known inputs as plain data."""
    plain: dict[str, Any] = msgspec.to_builtins(inputs)
    return {key: value for key, value in plain.items() if value is not None}


# --- entry


def _entry_acts(state: State) -> Iterator[Act]:
    for pilot in state.pilots:
        if not pilot.flies:
            yield _enter(state, pilot)
    for pilot in state.flying:
        if pilot.entered == state.turn and not pilot.duel:
            yield _challenge(state, pilot)
    yield _choose(state)


def _late_entries(state: State) -> Iterator[Act]:
    """Whoever waits beside the mat is told why."""
    if state.phase != "entry":
        yield from (_enter(state, pilot) for pilot in state.pilots if not pilot.flies)


def _enter(state: State, pilot: Pilot) -> Act:
    enemies = state.enemies(pilot)
    inputs = entry.Entry(
        pilot.key,
        state.turn,
        pilot.out_since,
        state.phase != "entry",
        state.mat,
        tuple(p.at for p in enemies) if state.mat else (),
        nearest=None if state.mat or enemies else 999,
    )
    return _own(pilot, "enter", "comes onto the mat", inputs, entry.enter.violations(inputs))


def _challenge(state: State, pilot: Pilot) -> Act:
    free = [p for p in state.flying if p != pilot and p.entered == state.turn and not p.duel]
    inputs = entry.Challenge(
        pilot.key, tuple(p.key for p in free), None, state.turn, state.turn, names=names((pilot, *free))
    )
    return _own(pilot, "duel", "asks for a duel", inputs, entry.duel.violations(inputs))


def _player(pilot: Pilot, known: bool) -> turn.Player:
    """For a player at the table only the cards that lie face up are told."""
    return turn.Player(pilot.key, pilot.aircraft, pilot.plays, pilot.before, pilot.plan[: pilot.shown], known)


def _choose(state: State) -> Act:
    players = tuple(_player(p, state.cards == "phones") for p in state.flying)
    nobody = () if players else (barred("WRONG_STEP", "No plane is on the mat yet."),)
    title = "Choose cards" if state.cards == "phones" else "Cards are chosen"
    return _act("choose", "choose_cards", title, turn.Players(players), barred=nobody)


# --- cards, moves, shots


def _reveal_acts(state: State) -> Iterator[Act]:
    players = tuple(_player(p, state.cards == "phones") for p in state.playing(state.card))
    inputs = turn.Reveal(state.card, players, state.cards == "kiosk", names(state.playing(state.card)))
    yield _act("reveal", "reveal", f"Turn up the {_CARD[state.card]} card", inputs, must=True)


def _move_acts(state: State) -> Iterator[Act]:
    moving = tuple(
        turn.Moving(p.key, p.before, p.at, p.facing, p.hits, p.must_leave)  # type: ignore[arg-type]
        for p in state.playing(state.card)
    )
    assert state.mat
    yield _act("move", "move", "Move all planes", turn.Moves(state.mat, moving, names(state.flying)), must=True)


def _shoot_acts(state: State) -> Iterator[Act]:
    for pilot in state.flying:
        yield _shot(state, pilot)
    if state.mat is None:
        for pilot in state.flying:
            yield _leave(state, pilot)
    yield _act("close", "close", "Shooting is over", turn.Closing(state.card))


def _shot(state: State, pilot: Pilot) -> Act:
    planes = tuple(shooting.Plane(p.key, p.side, p.at, p.duel, p.must_leave) for p in state.flying if p != pilot)
    inputs = shooting.Shot(
        pilot.key,
        pilot.side,
        pilot.aircraft,
        pilot.victories,
        pilot.duel,
        pilot.must_leave,
        state.mat,
        pilot.at,
        pilot.facing or None,  # type: ignore[arg-type]
        planes,
        names=names(state.flying),
    )
    reasons = (barred("ALREADY_FIRED"),) if pilot.fired else shooting.fire.violations(inputs)
    targets = shooting.nearest(shooting.distances(inputs)) if state.mat else ()
    return _own(pilot, "fire", f"fires{_at(state, targets)}", inputs, reasons, targets)


def _at(state: State, targets: tuple[str, ...]) -> str:
    return f" at {' or '.join(state.pilot(t).name for t in targets)}" if targets else ""


def _leave(state: State, pilot: Pilot) -> Act:
    """Before the shots of a card: afterwards the plane has been shot at already."""
    strays = not turn.may_escape(pilot.hits, pilot.must_leave)
    inputs = turn.Leaving(pilot.key, pilot.hits, pilot.must_leave, strays, names((pilot,)))
    late = (barred("WRONG_STEP", "Planes leave the mat before the shots of a card."),)
    shots = any(p.fired for p in state.pilots)
    return _own(pilot, "leave", f"{'strayed off' if strays else 'leaves'} the mat", inputs, late if shots else ())


def _loss_acts(state: State) -> Iterator[Act]:
    known = names(state.pilots)
    planes = tuple(losses.Loss(p.key, p.hit_by, known) for p in state.down)
    inputs = losses.Losses(planes, {p.key: p.victories for p in state.pilots}, known)
    about = tuple(loss.pilot for loss in planes)
    fallen = ", ".join(state.pilot(key).name for key in about)
    yield _act("losses", "shot_down", f"Shot down: {fallen}", inputs, about=about, must=True)


def _finish(state: State) -> Act:
    early: tuple[Barred, ...] = ()
    if state.phase != "entry":
        early = (barred("WRONG_STEP", "Finish the turn first."),)
    return _act("finish", "finish", "End the game", losses.Finish(), barred=early)


_ACTS: Mapping[Phase, Callable[[State], Iterator[Act]]] = {
    "entry": _entry_acts,
    "reveal": _reveal_acts,
    "move": _move_acts,
    "shoot": _shoot_acts,
    "losses": _loss_acts,
}
