"""Three hundred games as a state machine: no rule is broken, no card lost or doubled, positions are mirror images."""

from __future__ import annotations

from random import Random
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from companion.rules.rotl import GAME
from companion.rules.rotl.state import Dogfight
from companion.umpire import Act, Context
from tests.rules.rotl.soak import cards_are_whole, check, positions_are_mirrored, random_context, random_setup
from tests.rules.rotl.tables import CONTEXT, played, random_act

GAMES = 300
PARTS = 6
STEPS = 40
LONGEST = 3000
"""Acts after which a game would never end."""


class Games(RuleBasedStateMachine):
    """One game; what the steps leave of it is played to its end."""

    part = 0
    ended: ClassVar[list[Dogfight]] = []
    state: Dogfight | None = None
    context: Context = CONTEXT
    rng = Random(0)

    @initialize(seed=st.integers(0, 2**32))
    def begin(self, seed: int) -> None:
        self.rng = Random(seed * PARTS + self.part)
        self.context = random_context(self.rng)
        self.state = GAME.start(random_setup(self.rng), self.context)

    @rule(data=st.data())
    def act(self, data: st.DataObject) -> None:
        """Some act that is due; one that is barred is refused by the procedure too, where it has inputs to judge."""
        due = GAME.due(self.now, self.context)
        if due.over:
            return
        for barred in (a for a in due.acts if a.barred and a.procedure in ("rotl.adjust", "rotl.vertical")):
            self._is_refused(barred)
        self.state = played(self.now, data.draw(st.sampled_from(_open(due.acts))), self.rng, self.context, check)

    @rule()
    def turn(self) -> None:
        """On to the next player-turn, with a liking for the fight."""
        now = self._whose()
        for _ in range(LONGEST):
            due = GAME.due(self.now, self.context)
            if due.over or self._whose() != now:
                return
            self.state = random_act(self.now, due, self.rng, self.context, check)
        raise AssertionError("The player-turn does not end.")

    def _whose(self) -> tuple[int, str, str]:
        return self.now.game_turn, self.now.phase, self.now.turn.element if self.now.turn else ""

    def _is_refused(self, barred: Act) -> None:
        procedure = GAME.procedures[barred.procedure]
        inputs = procedure.inputs({**barred.inputs, **barred.sealed})
        assert {b.code for b in barred.barred} == {b.code for b in procedure.violations(inputs)}

    @property
    def now(self) -> Dogfight:
        assert self.state is not None
        return self.state

    @invariant()
    def no_card_is_lost_or_doubled(self) -> None:
        if self.state:
            cards_are_whole(self.state)

    @invariant()
    def positions_are_mirror_images(self) -> None:
        if self.state:
            positions_are_mirrored(self.state)

    def teardown(self) -> None:
        for _ in range(LONGEST):
            due = GAME.due(self.now, self.context) if self.state else None
            if due is None:
                return
            if due.over:
                self.ended.append(self.now)
                return
            self.state = random_act(self.now, due, self.rng, self.context, check)
        raise AssertionError("The game does not end.")


def _open(acts: tuple[Act, ...]) -> list[Act]:
    return [a for a in acts if not a.barred]


@pytest.mark.rule("rotl:Turn structure")
@pytest.mark.rule("rotl:One engagement")
@pytest.mark.rule("rotl:One target per PT")
@pytest.mark.parametrize("part", range(PARTS))
def test_three_hundred_games_break_no_rule(part: int) -> None:
    games: type[Games] = type(f"Games{part}", (Games,), {"part": part, "ended": []})
    slow = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    run_state_machine_as_test(
        games,
        settings=settings(
            max_examples=GAMES // PARTS,
            stateful_step_count=STEPS,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=slow,
        ),
    )
    assert len(games.ended) >= GAMES // PARTS
    assert {state.phase for state in games.ended} == {"over"}
