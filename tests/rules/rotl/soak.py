"""Random legal games with every invariant checked after every act."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import msgspec

from companion.rules.rotl import GAME
from companion.rules.rotl.aircraft import ALTITUDES, house_types
from companion.rules.rotl.ratings import mirror
from companion.rules.rotl.state import GAME_TURNS, Dogfight
from companion.umpire import Act, Context, Done
from tests.rules.rotl.hangar import TYPES
from tests.rules.rotl.tables import context, held_cards, random_game

SKILLS = ("A", "BU", "CV", "D", "G", "H", "P")


def random_setup(rng: Random) -> dict[str, Any]:
    """Two to six elements of all kinds: lone leaders, jets, rockets, pilots."""
    own = {name: _record(kind) for name, kind in TYPES.items()}
    kinds = {**house_types(), **TYPES}
    elements = []
    for side in ("Axis", "Allies"):
        names = sorted(name for name, kind in kinds.items() if kind.side == side)
        for _ in range(rng.randint(1, 3)):
            name = rng.choice(names)
            alone = kinds[name].rocket or rng.random() < 0.25
            pilot = {"name": "Someone", "skills": rng.sample(SKILLS, 2)} if rng.random() < 0.3 else None
            elements.append({"side": side, "type": name, "seat": side, "wingman": not alone, "pilot": pilot})
    return {"elements": elements, "aircraft": own}


def _record(kind: Any) -> dict[str, Any]:
    record = msgspec.to_builtins(kind)
    del record["name"]
    return {key: list(v) if isinstance(v, tuple) else v for key, v in record.items() if v is not None}


def random_context(rng: Random) -> Context:
    return context(
        cards=rng.choice(["virtual", "virtual", "printed"]),
        turbo_summary=rng.random() < 0.5,
        lone_break_first=rng.random() < 0.5,
        beyond_table=rng.random() < 0.5,
    )


def check(before: Dogfight, after: Dogfight, act: Act, done: Done) -> None:
    """What holds after every act, whatever was played."""
    cards_are_whole(after)
    positions_are_mirrored(after)
    _aircraft(after)
    _turn(before, after, act)
    assert len(done.changes) == len([c for c in done.changes if c.when == "now"])


def cards_are_whole(state: Dogfight) -> None:
    """No card is lost or doubled."""
    deck = Counter({key: card.copies for key, card in state.cards.items()})
    assert state.pile >= 0
    assert state.pile + held_cards(state) == deck.total()
    if state.virtual:
        assert len(GAME.pile(state)) == (state.pile or len(state.discards))
        lying = Counter(state.discards.all())
        for e in state.elements:
            lying.update((*e.hand.all(), *e.mini.all()))
        assert lying <= deck


def positions_are_mirrored(state: Dogfight) -> None:
    """Positions are mirror images, each leader is engaged with one other at most, at its own altitude."""
    engaged = [key for hold in state.holds for key in (hold.by, hold.over)]
    assert len(engaged) == len(set(engaged))
    for one in state.elements:
        for other in state.elements:
            assert state.position(one.key, other.key) == mirror(state.position(other.key, one.key))
    for hold in state.holds:
        by, over = state.element(hold.by), state.element(hold.over)
        assert by.side != over.side
        assert by.altitude == over.altitude
        assert by.leader.flying
        assert over.leader.flying


def _aircraft(state: Dogfight) -> None:
    for e in state.elements:
        kind = state.type_of(e)
        assert e.counters >= 0
        assert ALTITUDES.index(e.altitude) <= ALTITUDES.index(kind.ceiling)
        assert not (kind.rocket and e.wingman)
        for plane in e.planes:
            first, second = state.capacity(e, plane)
            if plane.flying:
                assert plane.hits < second
                assert plane.damaged or plane.hits < first
        if not e.fighting:
            assert not len(e.hand)
            assert not len(e.mini)


def _turn(before: Dogfight, after: Dogfight, act: Act) -> None:
    assert after.game_turn <= GAME_TURNS
    assert len(set(after.order)) == len(after.order)
    if before.turn and after.turn and before.turn.element == after.turn.element:
        for plane, target in before.turn.targets.items():
            assert after.turn.targets[plane] == target, "an aircraft attacks one other in a player-turn"
    if before.turn is None:
        return
    me = before.element(before.turn.element)
    enemies = {p.key for e in before.elements if e.side != me.side for p in e.planes}
    if act.procedure == "rotl.attack":
        assert act.about[1] in enemies
        assert before.owner(act.about[1]).altitude == me.altitude


def play(seed: int) -> Dogfight:
    """One whole game, checked."""
    rng = Random(seed)
    return random_game(random_setup(rng), rng, random_context(rng), check)
