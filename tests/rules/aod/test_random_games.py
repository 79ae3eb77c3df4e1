"""Games played at random: nothing that is due ever fails, and the table stays sound."""

from random import Random
from typing import Any

import msgspec
import pytest

from companion.rules.aod import GAME
from companion.rules.aod.state import Table
from companion.umpire import Answer, Change, Context, Done, Illegal, Open, Rolling, advance, run

SWITCHES: dict[str, dict[str, Any]] = {
    **{name: dict(preset) for name, preset in GAME.presets.items()},
    "night": {**GAME.presets["basic"], "night": True, "upward_guns": True, "many_turrets": True},
}


def sound(state: Table) -> None:
    assert msgspec.json.decode(msgspec.json.encode(state), type=Table) == state
    for craft in state.crafts:
        assert len(craft.damages) == len(set(craft.damages))


@pytest.mark.parametrize("poses", [True, False])
@pytest.mark.parametrize("preset", sorted(SWITCHES))
def test_whatever_is_due_can_be_done(preset: str, poses: bool) -> None:
    at = Context(cells=GAME.cells(), switches=SWITCHES[preset])
    for seed in range(3):
        rng, setup = Random(seed), GAME.demo()
        for craft in setup["aircraft"] if not poses else ():
            del craft["pose"]
        state = GAME.start(setup, at)
        for turn in range(25):
            due = GAME.due(state, at)
            acts = [act for act in due.acts if not act.barred and (turn % 5 or act.key == "end_turn")]
            if due.over or not acts:
                break
            act = rng.choice(acts)
            procedure = GAME.procedures[act.procedure]
            inputs = procedure.inputs(act.inputs)
            try:
                done = run(procedure, inputs, Rolling(at, seed=rng.randrange(10**6)))
            except Illegal:
                continue  # a random answer, such as a position without guns, may be refused
            GAME.summary(state, act.procedure, inputs, done.result)
            for change in msgspec.json.decode(msgspec.json.encode(done.changes), type=tuple[Change, ...]):
                state = GAME.apply(state, change)
            sound(state)
            assert GAME.view(state, "", at).pieces


def test_what_was_rolled_is_reached_again_from_the_recorded_answers() -> None:
    """Re-execution: the faces and choices of a random burst, given one by one by their address."""
    at = Context(cells=GAME.cells(), switches=dict(GAME.presets["basic"]))
    state = GAME.start(GAME.demo(), at)
    act = next(act for act in GAME.due(state, at).acts if act.key == "fire:3:11")
    procedure = GAME.procedures[act.procedure]
    inputs = procedure.inputs(act.inputs)
    for seed in range(30):
        first = run(procedure, inputs, Rolling(at, seed=seed, decide=lambda ask: ask.space.legal[0]))
        dice = [Answer(address=thrown.address, faces=dict(thrown.faces)) for thrown in first.thrown]
        given: list[Answer] = []
        now = advance(procedure, inputs, given, at)
        while isinstance(now, Open):
            (ask,) = now.asks
            known = [answer for answer in dice if answer.address == ask.address]
            given += known or [Answer(address=ask.address, choice=ask.space.legal[0])]  # type: ignore[union-attr]
            now = advance(procedure, inputs, given, at)
        assert isinstance(now, Done)
        assert (now.result, now.changes) == (first.result, first.changes)
