"""How bad a result is for the one it is aimed at, so that the table can say the chance of this or worse."""

from __future__ import annotations

import msgspec

from companion.rules.aod import GAME, paper_chits, show
from companion.rules.aod.plain import Result
from companion.rules.aod.rockets import Salvo


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
