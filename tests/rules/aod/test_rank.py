"""How bad a result is for the one it is aimed at, so that the table can say the chance of this or worse."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import msgspec
import pytest

from companion.game import worse
from companion.rules.aod import GAME, paper_chits, show
from companion.rules.aod.plain import Result
from companion.rules.aod.rockets import Salvo
from companion.umpire import Answer, Context, Open, advance, odds, scripted
from tests.benches.engagement import CONTEXT, fights, fought
from tests.rules.aod.hangar import A1, FIRE, context, defender, enemy, fighter, kind, shot, turret


def test_worse_is_higher() -> None:
    plain = msgspec.convert({"result": "none"}, Result)
    once = msgspec.structs.replace(plain, damages=("wings",))
    twice = msgspec.structs.replace(plain, damages=("wings", "tail"))
    down = msgspec.structs.replace(plain, destroyed=True)
    ranks = [GAME.rank("aod.burst", result) for result in (plain, once, twice, down)]
    assert ranks == sorted(set(ranks), key=ranks.index)
    assert None not in ranks
    assert ranks == sorted(ranks)  # type: ignore[type-var]


def test_what_is_aimed_at_nobody_has_no_rank() -> None:
    class Nothing(msgspec.Struct, frozen=True):
        pass

    assert GAME.rank("aod.end_turn", Nothing()) is None
    assert show.rank(Nothing()) is None


def test_a_salvo_destroys_or_does_nothing() -> None:
    assert GAME.rank("aod.rockets", Salvo(destroyed=False)) == 0
    assert GAME.rank("aod.rockets", Salvo(destroyed=True)) > 0  # type: ignore[operator]


def test_a_word_on_a_chit_has_its_rule_below_if_there_is_one() -> None:
    with_rule = list(paper_chits._words(10, 10, "no twitch", "4.5.8", 20))
    without = list(paper_chits._words(10, 10, "no twitch", "", 20))
    assert len(with_rule) == len(without) + 1


@pytest.mark.parametrize("seed", range(6))
def test_the_chance_is_that_of_all_cases_however_many_defenders_answer(seed: int) -> None:
    """Against the odds of the whole result, where nothing is merged; none is left out for its size."""
    rng = Random(seed)
    for fight in fights(rng):
        answers = fought(fight, rng)
        result = scripted(fight.procedure, fight.inputs, answers, CONTEXT).result
        mine = GAME.rank(fight.name, result) or 0
        decided = [answer for answer in answers if answer.faces is None]
        every = odds(fight.procedure, fight.inputs, decided, CONTEXT)
        as_bad = sum((c.chance for c in every if (GAME.rank(fight.name, c.result) or 0) >= mine), Fraction(0))
        said = worse.chance(GAME, fight.name, fight.inputs, result, answers, CONTEXT)
        if as_bad == 1:
            assert said == ""
        elif said.endswith("%"):
            assert said == f"{float(100 * as_bad):.2f}%"
        else:
            assert Fraction(said) == as_bad


def test_a_defender_that_nobody_looked_at_is_taken_to_hold_fire() -> None:
    """Destroyed at once: where the target and the one beside it stand was never asked, so the chance says so."""
    armed = kind("Enemy", flexible=turret(6, above=3, same=3, below=3), durability=3)
    at = context(kind("Fighter", fixed=11, fixed_bursts=4), armed, clouds=True)
    given = shot(fighter(), enemy(), bystanders=(defender(enemy(key="3")),), **A1)
    asked = {"cloud": "no", "burst": "normal", "rise": "same", "answering": []}
    answers = play_to_the_end(given, at, asked)
    result = scripted(FIRE, given, answers, at).result
    assert result.target_destroyed
    assert worse.chance(GAME, "aod.fire", given, result, answers, at).endswith("if the rest hold fire")


def play_to_the_end(given: object, at: Context, asked: dict[str, object]) -> list[Answer]:
    """The target hit at once and destroyed; every other ask as `asked` says."""
    answers: list[Answer] = []
    while isinstance(now := advance(FIRE, given, answers, at), Open):
        for ask in now.asks:
            role = ask.address.rsplit("/", 1)[-1]
            if ask.dice:
                answers.append(Answer(address=ask.address, faces={s.name: 6 for s in ask.dice.slots}))
            elif isinstance(asked[role], list):
                answers.append(Answer(address=ask.address, choices=asked[role]))
            else:
                answers.append(Answer(address=ask.address, choice=asked[role]))
    return answers
