"""The recorded umpire: answers from what has been answered and stops at the first ask without an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias, TypeVar

import msgspec

from companion.umpire.asks import Answer, role_of
from companion.umpire.base import AskAt, Context, LineOf, Umpire
from companion.umpire.dice import Dice, Face
from companion.umpire.errors import Missing, Unused, UsageError, answered_at
from companion.umpire.readings import AGAIN, Faces, Reading

R = TypeVar("R")

Memo: TypeAlias = dict[Any, Any]
"""Calls of one open act that are over, by path and arguments."""

ATTEMPTS = 100


class Recorded(Umpire):
    """Answers by address first, then by role in the order given.

    With a `memo`, calls that came to their end are not run again while answers are only added: their results, lines,
    dice and house values are taken from it. Whoever owns it empties it when an answer is changed or taken away.
    """

    def __init__(
        self, context: Context | None = None, answers: Iterable[Answer] = (), memo: Memo | None = None
    ) -> None:
        super().__init__(context)
        self._memo = memo
        self.answers = tuple(answers)
        self.taken: dict[int, str] = {}
        """For each answer that was used, by its place: the address that took it."""
        self._by_address: dict[str, list[int]] = {}
        self._by_role: dict[str, list[int]] = {}
        for i, answer in enumerate(self.answers):
            if answer.address:
                self._by_address.setdefault(answer.address, []).append(i)
            else:
                self._by_role.setdefault(answer.role, []).append(i)

    def _throw(self, address: str, reading: Reading, ask: AskAt, line: LineOf) -> Any:
        attempt = address
        for again in range(1, ATTEMPTS):
            faces = self._faces(attempt, reading.dice, ask)
            self._record(attempt, reading.dice, faces)
            label = reading.of(faces)
            if label is not AGAIN:
                self.lines.append(line(label, faces))
                return label
            self.note(f"{'+'.join(f.name for f in faces)} does not count and is thrown again", ask(address).rule)
            attempt = f"{address}~{again}"
        raise UsageError(f"The dice at {address} were rejected {ATTEMPTS} times; enter another face.")

    def _faces(self, address: str, dice: Dice, ask: AskAt) -> Faces:
        lying: dict[str, Face] = {}
        with answered_at(address):
            for i in self._by_address.get(address, ()):
                lying = self._take(i, address).lay(dice, lying)
            queue = self._by_role.get(role_of(address), [])
            while queue and len(lying) < len(dice.slots):
                lying = self._take(queue.pop(0), address).lay(dice, lying)
        still = tuple(s.name for s in dice.slots if s.name not in lying)
        if still:
            raise Missing((msgspec.structs.replace(ask(address), open_slots=still),))
        return tuple(lying[s.name] for s in dice.slots)

    def _call(self, procedure: Callable[..., R], args: tuple[Any, ...], kw: dict[str, Any]) -> R:
        memo, key = self._memo, (self._path, procedure, args, *kw.items())
        if memo is None or not _hashable(key):
            return procedure(self, *args, **kw)
        kept = memo.get(key)
        if kept is None:
            lines, thrown, house = len(self.lines), len(self.thrown), len(self.house)
            result = procedure(self, *args, **kw)
            memo[key] = result, self.lines[lines:], self.thrown[thrown:], self.house[house:]
            return result
        result, more_lines, more_thrown, more_house = kept
        self.lines += more_lines
        self.thrown += more_thrown
        for what in more_house:
            self._mark_house(what)
        return result

    def _answer(self, address: str, ask: AskAt) -> Any:
        indexes = self._by_address.get(address) or self._by_role.get(role_of(address), [])[:1]
        if not indexes:
            raise Missing((ask(address),))
        if address not in self._by_address:
            self._by_role[role_of(address)].pop(0)
        return [self._take(i, address) for i in indexes][-1].given

    def _take(self, index: int, address: str) -> Answer:
        self.taken[index] = address
        return self.answers[index]

    def placed(self) -> tuple[Answer, ...]:
        """The answers, those that were given to a role and used now at the address that took them."""
        return tuple(
            msgspec.structs.replace(a, address=self.taken.get(i, a.address), role="" if i in self.taken else a.role)
            for i, a in enumerate(self.answers)
        )

    def check_leftovers(self) -> None:
        """Raise for the first answer that nothing asked for."""
        for i, answer in enumerate(self.answers):
            if i not in self.taken:
                raise Unused(f"Nothing asked for the answer {answer.address or answer.role!r}.")


def _hashable(key: Any) -> bool:
    try:
        hash(key)
    except TypeError:
        return False
    return True
