"""How bad a result is for the one it is aimed at, so that the table can say the chance of this or worse."""

from __future__ import annotations

import msgspec

from companion.rules.aod import GAME
from companion.rules.aod.plain import Result


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
