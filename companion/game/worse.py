"""How lucky a result was: the exact chance of it or of a worse one, before any die lay.

A game offers `rank(procedure, result)`: worse is higher, None where there is no such thing. What the players decided is
given; where nothing was asked in what came, the procedure's own policy decides. For a rank much of a fight makes no
difference: `alike` says by function what its results come to, so that few cases are left to count. What nobody looked
at on the table, because it never came to that, is left out where the game says in `unseen` what that means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from companion.umpire import Answer, CompanionError, Context, Game, Odds
from companion.umpire.errors import Missing
from companion.umpire.odds import Counted

LONGEST = 10_000
"""The largest denominator that a slip has room for; beyond it the chance is rounded to a hundredth of a per cent."""

Alike = Mapping[Callable[..., Any], Callable[[Any], Any]]
Unseen = Mapping[Callable[..., Any], tuple[Callable[..., Any], str]]
"""By function: its result where facts are missing, from what it was given, and that in words."""


class _Merged(Odds):
    """Odds in which results that come to the same are one."""

    alike: Alike = {}
    unseen: Unseen = {}
    left_out = ""

    def _counted(self, procedure: Callable[..., Any], args: tuple[Any, ...], kw: dict[str, Any]) -> Counted:
        try:
            found = super()._counted(procedure, args, kw)
        except Missing:
            if procedure not in self.unseen:
                raise
            plain, self.left_out = self.unseen[procedure]
            return Counted(((plain(*args), 1),), 1, {})
        same = self.alike.get(procedure)
        if same is None:
            return found
        weights: dict[Any, int] = {}
        for result, weight in found.weights:
            weights[same(result)] = weights.get(same(result), 0) + weight
        return Counted(tuple(weights.items()), found.total, {})


def chance(game: Game, name: str, inputs: Any, result: Any, answers: Iterable[Answer], context: Context) -> str:
    """`11/24`; empty where the game knows no worse, or any throw is as bad."""
    ranked: Callable[[str, Any], int | None] = getattr(game, "rank", lambda *_: None)
    mine = ranked(name, result)
    if not mine:  # whatever comes is as bad
        return ""
    procedure = game.procedures[name]
    odds = _Merged(context, [answer for answer in answers if answer.faces is None], procedure.policy)
    odds.alike, odds.unseen = getattr(game, "alike", {}), getattr(game, "unseen", {})
    try:
        weights, total, _ = odds.count(lambda ump: (ranked(name, procedure.run(ump, inputs)) or 0) >= mine)
    except (CompanionError, RecursionError):
        return ""
    found = Fraction(dict(weights).get(True, 0), total)
    if found == 1:
        return ""
    words = str(found) if found.denominator <= LONGEST else f"{float(100 * found):.2f}%"
    return f"{words} {odds.left_out}".rstrip()
