"""What each answer to the open question would lead to: the modifiers of the next throw, and the chances after it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.game.chances import chance_data, default_question, seen_by
from companion.game.table import Table
from companion.umpire import (
    Answer,
    Ask,
    Chance,
    CompanionError,
    Illegal,
    Missing,
    Open,
    Procedure,
    SomeOf,
    advance,
    odds,
)
from companion.umpire.asks import role_of

MOST = 12
"""Answers that are looked at; a page has room for fewer."""
STEPS = 8
"""Questions that are answered for the players on the way to a throw."""


def of_open_act(table: Table, seat: str) -> dict[str, Any]:
    """A group for each answer that may be given now, or one alone where dice are asked for.

    What nobody has said yet is taken from the procedure's policy, what nobody has looked at from the game's
    `presumed`, else as none of what is listed; `assumed` names these. Empty where a seat could learn what it may
    not see.
    """
    with table.mutex:
        record = table.current
        if record is None or len(table.asks) != 1 or table.asks[0].answer_to != "all":
            return {"groups": [], "assumed": []}
        ask = table.asks[0]
        given = tuple(a for a in record.given() if seen_by(a.address, seat))
        ahead = _Ahead(table, table.game.procedures[record.procedure], record.inputs, seat)
        if ask.dice is not None:
            groups = [ahead.group("", given)]
        else:
            groups = _reckoned(table, seat, ahead.inputs, ask, given) or [
                ahead.group(key, (*given, answer)) for key, answer in _each(ask)
            ]
        groups = [g for g in groups if g]
        if ask.dice is None and all(_certain(g) for g in groups):
            return {"groups": [], "assumed": []}
        return {"groups": groups, "assumed": [list(each) for each in ahead.assumed]}


def _certain(group: Mapping[str, Any]) -> bool:
    """An answer after which no throw comes and nothing is left to chance."""
    return len(group["rows"]) < 2 and not (group["mods"] or group["needs"] or group["barred"])


CARDS = ("card", "respond")
"""Roles of asks that are answered by laying a card."""


def _reckoned(table: Table, seat: str, inputs: Any, ask: Ask, given: Sequence[Answer]) -> list[dict[str, Any]]:
    """What the game itself reckons where hidden cards decide and not dice, from what this seat has seen."""
    foresee = getattr(table.game, "foresee", None)
    if foresee is None:
        return []
    laid = [str(a.given) for a in given if role_of(a.address) in CARDS]
    return [
        {"option": option, "mods": [], "needs": "", "barred": [], "rows": [chance_data(Chance(*row)) for row in rows]}
        for option, rows in foresee(table.state, seat, inputs, ask, laid).items()
    ]


def _each(ask: Ask) -> Iterator[tuple[str, Answer]]:
    legal: Sequence[Any] = ask.space.legal if ask.space is not None else ()
    if len(legal) <= MOST:
        for option in legal:
            key = "|".join(map(str, option)) if isinstance(option, tuple) else str(option)
            yield key, Answer(address=ask.address, value=list(option) if isinstance(option, tuple) else option)


class _Ahead:
    """One look ahead; what it had to assume is collected."""

    def __init__(self, table: Table, procedure: Procedure[Any, Any], inputs: Any, seat: str) -> None:
        self.procedure, self.context, self.seat = procedure, table.context, seat
        self.inputs = procedure.inputs(inputs)
        self.about = default_question(procedure)
        self.presumed: Mapping[str, str] = getattr(table.game, "presumed", {})
        self.assumed: dict[tuple[str, str], None] = {}

    def group(self, option: str, answers: tuple[Answer, ...]) -> dict[str, Any]:
        """The next throw and the chances after these answers; {} where they cannot be counted."""
        try:
            throw = self._throw(answers)
            chances = self._chances(answers)
        except Illegal as illegal:
            barred = [{"text": v.text, "rule": v.rule} for v in illegal.violations]
            return {"option": option, "mods": [], "needs": "", "rows": [], "barred": barred}
        except CompanionError:
            return {}
        mods = [
            {"value": m.value, "text": m.text, "rule": m.rule, "house": m.house} for m in (throw.mods if throw else ())
        ]
        return {"option": option, "mods": mods, "needs": throw.needs if throw else "", "rows": chances, "barred": []}

    def _throw(self, answers: tuple[Answer, ...]) -> Ask | None:
        """The next throw that these answers lead to."""
        for _ in range(STEPS):
            now = advance(self.procedure, self.inputs, answers, self.context)
            if not isinstance(now, Open) or not now.asks:
                return None
            ask = now.asks[0]
            if ask.dice is not None:
                return ask
            answers = (*answers, self._assume(ask))
        return None

    def _chances(self, answers: tuple[Answer, ...]) -> list[dict[str, Any]]:
        for _ in range(STEPS):
            try:
                found = odds(self.procedure, self.inputs, answers, self.context, about=self.about, seat=self.seat)
            except Missing as missing:
                answers = (*answers, self._assume(missing.asks[0]))
                continue
            return [chance_data(c) for c in sorted(found, key=lambda c: c.chance, reverse=True)]
        return []

    def _assume(self, ask: Ask) -> Answer:
        decided = self.procedure.policy.get(ask.role)
        if decided is not None:
            return Answer(address=ask.address, value=decided(ask) if callable(decided) else decided)
        if isinstance(ask.space, SomeOf) and not ask.space.least:
            self.assumed[ask.text, ""] = None
            return Answer(address=ask.address, value=[])
        option = next((o for o in _listed(ask) if o.key == self.presumed.get(ask.role)), None)
        if option is None:
            raise Missing((ask,))
        self.assumed[ask.text, option.text] = None
        return Answer(address=ask.address, value=option.key)


def _listed(ask: Ask) -> Sequence[Any]:
    return ask.space.listed if ask.space is not None else ()
