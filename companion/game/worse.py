"""How lucky a result was: the exact chance of it or of a worse one, before any die lay.

A game offers `rank(procedure, result)`: worse is higher, None where there is no such thing. What the players decided is
given; where nothing was asked in what came, the procedure's own policy decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from companion.umpire import Answer, CompanionError, Context, Game, Odds, TooLarge

MOST_LEAVES = 150
"""Cases that may be counted while a slip waits: some milliseconds."""

LONGEST = 10_000
"""The largest denominator that a slip has room for; beyond it the chance is rounded to a hundredth of a per cent."""


class _Few(Odds):
    def call(self, role: str, procedure: Any, *args: Any, **kw: Any) -> Any:
        if self.leaves > MOST_LEAVES:
            raise TooLarge("There are too many cases to count while a slip waits.")
        return super().call(role, procedure, *args, **kw)


def chance(game: Game, name: str, inputs: Any, result: Any, answers: Iterable[Answer], context: Context) -> str:
    """`11/24`; empty where the game knows no worse, any throw is as bad, or counting would take long."""
    ranked: Callable[[str, Any], int | None] = getattr(game, "rank", lambda *_: None)
    mine = ranked(name, result)
    if mine is None:
        return ""
    procedure = game.procedures[name]
    decided = [answer for answer in answers if answer.faces is None]
    try:
        weights, total, _ = _Few(context, decided, procedure.policy).count(procedure.run, inputs)
    except (CompanionError, RecursionError):
        return ""
    found = Fraction(sum(weight for each, weight in weights if (ranked(name, each) or 0) >= mine), total)
    if found == 1:
        return ""
    return str(found) if found.denominator <= LONGEST else f"{float(100 * found):.2f}%"
