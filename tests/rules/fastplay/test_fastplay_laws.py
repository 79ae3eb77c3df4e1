"""What holds in every game: many random ones, card by card, through the rolling umpire.

Ten thousand: `tests/soak_fastplay --games 10000`.
"""

from __future__ import annotations

from itertools import permutations
from random import Random
from typing import Any

import msgspec
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from companion.rules.fastplay import GAME
from companion.rules.fastplay.cards import deck, known_copies, lightning_may
from companion.rules.fastplay.state import Pilot, State
from companion.umpire import Act, Change
from tests.rules.fastplay.rig import Play, pilot

GAMES = 300

TABLES: list[dict[str, Any]] = [
    {},
    {"cards": "kiosk"},
    {"credit": "card"},
    {"special_cases": False, "manoeuvrability": False},
    {"keeps_hexes": False, "cards": "table"},
    {"keeps_hexes": False},
]
HEXES = [("F5", "E"), ("H5", "W"), ("F7", "SE"), ("H7", "SW"), ("A1", "NE"), ("L9", "W")]


def dumped(state: State, seat: str, play: Play) -> bytes:
    """All that a seat is sent of a state: its view, and what is due with its inputs."""
    return msgspec.json.encode([GAME.view(state, seat, play.context), GAME.due(state, play.context)])


def wound(play: Play, rng: Random) -> None:
    """Many planes have been hit already, so that random shots shoot some down."""
    for p in play.state.flying:
        if rng.random() < 0.6:
            by = next(q.key for q in play.state.pilots if q.side != p.side)
            play.fold([Change("hits", p.key, {"by": by, "hits": rng.randrange(p.points)})])


class Games(RuleBasedStateMachine):
    @initialize(seed=st.integers(0, 2**32), table=st.sampled_from(TABLES), count=st.integers(2, 6))
    def begin(self, seed: int, table: dict[str, Any], count: int) -> None:
        self.rng = Random(seed)
        planes = [self._pilot(n) for n in range(count)]
        self.play = Play(*planes, mat=(14, 12), **table)
        wound(self.play, self.rng)
        self.first = self.play.state
        self.victories = sum(p.victories for p in self.first.pilots)

    def _pilot(self, number: int) -> dict[str, Any]:
        at, facing = HEXES[number] if self.rng.random() < 0.8 else ("", "E")
        craft = self.rng.choice(GAME.units).key
        side = ("Allies", "Axis")[number % 2]
        return pilot(f"P{number}", side, craft, at, facing, victories=self.rng.choice([0, 4, 9]))

    @rule(data=st.data())
    def act(self, data: st.DataObject) -> None:
        """Some act that is due; one that is barred is never taken by the procedure either."""
        acts = [a for a in self.play.due().values() if a.key != "finish"]
        for barred in (a for a in acts if a.barred and a.procedure in ("fastplay.enter", "fastplay.duel")):
            procedure = GAME.procedures[barred.procedure]
            assert procedure.violations(procedure.inputs(barred.inputs)) == barred.barred
        free = [a for a in acts if not a.barred]
        shots = [a for a in free if a.procedure == "fastplay.fire"]
        chosen = data.draw(st.sampled_from(shots or [a for a in free if a.must] or free))
        self._take(chosen)

    @rule()
    def turn(self) -> None:
        """On to the next turn, with every shot that there is."""
        now = self.play.state.turn
        while self.play.state.turn == now:
            free = [a for a in self.play.due().values() if not a.barred and a.key != "finish"]
            order = ("fastplay.enter", "fastplay.fire")
            self._take(next((a for name in order for a in free if a.procedure == name), None) or _onward(free))

    def _take(self, act: Act) -> None:
        before = self.play.state
        done = self.play.roll(act.key, self.rng)
        assert GAME.summary(before, act.procedure, None, done.result).word
        for was in before.flying:
            _no_card_lost(was, before, self.play)
        if act.procedure == "fastplay.choose_cards":
            self._plans_obey(before)
        if act.procedure == "fastplay.shot_down":
            self._victories_counted(before, done.result)

    def _plans_obey(self, before: State) -> None:
        """Counted here on its own: copies, number, and the Lightning's cards before its turns."""
        for p in self.play.state.flying:
            if self.play.state.cards != "phones":
                continue
            held = dict(deck(self.play.context, known_copies(self.play.context), p.aircraft))
            assert len(p.plan) == p.plays
            assert all(p.plan.count(card) <= held[card] for card in p.plan)
            if p.aircraft == "Lightning" and self.play.context.switches["special_cases"]:
                pairs = zip((before.pilot(p.key).before, *p.plan), p.plan, strict=False)
                assert all(lightning_may(card, earlier) for earlier, card in pairs)

    def _victories_counted(self, before: State, result: Any) -> None:
        """Each plane down is one victory for an enemy, or none; each lost licence takes its own."""
        won = [f.victor for f in result.fates if f.victor]
        lost = sum(before.pilot(f.pilot).victories + won.count(f.pilot) for f in result.fates if not f.survives)
        self.victories += len(won) - lost
        for fate in result.fates:
            assert fate.victor != fate.pilot

    @invariant()
    def no_pilot_is_lost_or_doubled(self) -> None:
        if not hasattr(self, "play"):
            return
        state = self.play.state
        assert [p.key for p in state.pilots] == [p.key for p in self.first.pilots]
        assert [p.name for p in state.pilots] == [p.name for p in self.first.pilots]
        assert sum(p.victories for p in state.pilots) == self.victories
        for p in state.pilots:
            _sound(p, state)

    def teardown(self) -> None:
        """The changes of the whole game, written and read again, lead to the same state."""
        if hasattr(self, "play"):
            again = Play.__new__(Play)
            again.state, again.held = self.first, []
            again.fold(msgspec.json.decode(msgspec.json.encode(self.play.log), type=list[Change]))
            assert again.state == self.play.state

    @invariant()
    def hidden_cards_of_others_are_not_seen(self) -> None:
        if not hasattr(self, "play"):
            return
        state = self.play.state
        holders = [p for p in state.flying if len(p.plan) > p.shown]
        if not holders:
            return
        for seat in ("", state.pilots[0].key):
            seen = dumped(state, seat, self.play)
            for other in _permuted(state, [p for p in holders if p.key != seat]):
                assert dumped(other, seat, self.play) == seen


def _onward(free: list[Act]) -> Act:
    return next(a for a in free if a.key in ("choose", "reveal", "move", "close", "losses"))


def _no_card_lost(was: Pilot, before: State, play: Play) -> None:
    """Within a turn what lies stays as it lies, and no card lies oftener than the deck holds it."""
    now = play.state.pilot(was.key)
    if not now.flies or play.state.turn != before.turn:
        assert now.plan == ()
        return
    assert now.plan[: len(was.plan)] == was.plan
    assert now.shown >= was.shown
    held = dict(deck(play.context, known_copies(play.context), now.aircraft))
    assert all(now.plan.count(card) <= held[card] for card in now.plan)


def _sound(p: Pilot, state: State) -> None:
    assert 0 <= p.hits <= p.points
    assert p.shown <= len(p.plan)
    assert not (p.out and (p.at or p.plan or p.must_leave))
    assert sum(s.hits for s in p.hit_by) >= 0
    if p.flies and state.phase != "losses":
        assert p.hits < p.points
    if state.mat and p.flies:
        assert state.mat.holds(state.mat.hex(p.at))
    if p.duel:
        assert state.pilot(p.duel).duel == p.key
    if p.out in ("left the mat", "shot down", "out of action"):
        assert p.hits == 0


def _permuted(state: State, holders: list[Pilot]) -> list[State]:
    """The state with each holder's hidden cards in other orders, and with cards that lie in no stack at all."""
    states = []
    for p in holders:
        hidden = p.plan[p.shown :]
        for order in [*permutations(hidden), ("HL",) * len(hidden)]:
            swapped = msgspec.structs.replace(p, plan=p.plan[: p.shown] + tuple(order))
            states.append(
                msgspec.structs.replace(state, pilots=tuple(swapped if q.key == p.key else q for q in state.pilots))
            )
    return states


SETTINGS = settings(
    max_examples=GAMES, stateful_step_count=15, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestGames = Games.TestCase
TestGames.settings = SETTINGS


def test_random_games_come_to_losses_returns_and_duels() -> None:
    """That the random games are worth their name: everything happens in some of them."""
    seen: set[str] = set()
    for seed in range(16):
        rng = Random(seed)
        planes = [pilot(f"P{n}", ("Allies", "Axis")[n % 2], at=at, facing=nose) for n, (at, nose) in enumerate(HEXES)]
        play = Play(*planes, mat=(14, 12))
        wound(play, rng)
        while play.state.turn < 8:
            free = [a for a in play.due().values() if not a.barred and a.key != "finish"]
            shots = [a for a in free if a.procedure == "fastplay.fire"]
            seen |= {change.kind for change in play.roll(rng.choice(shots or free).key, rng).changes}
    assert {"duel", "leave", "enter", "hits", "victory", "survived", "out_of_action"} <= seen
