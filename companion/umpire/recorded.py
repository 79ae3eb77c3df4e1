"""The recorded umpire: answers from what has been answered and stops at the first ask without an answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from companion.umpire.asks import Answer, Ask
from companion.umpire.base import AskAt, Context, LineOf, Umpire
from companion.umpire.errors import Missing, Unused, UsageError
from companion.umpire.readings import AGAIN, Faces, Reading


class Recorded(Umpire):
    """Answers by address first, then by role in the order given. `used` holds the indexes of the answers taken."""

    def __init__(self, context: Context | None = None, answers: Iterable[Answer] = ()) -> None:
        super().__init__(context)
        self.answers = tuple(answers)
        self.used: set[int] = set()
        self._by_address = {a.address: i for i, a in enumerate(self.answers) if a.address}
        self._roles: dict[str, list[int]] = {}
        for i, answer in enumerate(self.answers):
            if not answer.address:
                self._roles.setdefault(answer.role, []).append(i)

    def _throw(self, address: str, reading: Reading, ask: AskAt, line: LineOf) -> Any:
        attempt = address
        for again in range(1, 100):
            faces = self._faces(attempt, reading, ask)
            self._record(attempt, reading.dice, faces)
            label = reading.of(faces)
            if label is not AGAIN:
                self.lines.append(line(label, faces))
                return label
            self.note(f"{'+'.join(f.name for f in faces)} does not count and is thrown again", ask(address).rule)
            attempt = f"{address}~{again}"
        raise UsageError(f"The dice at {address} were rejected a hundred times.")

    def _faces(self, address: str, reading: Reading, ask: AskAt) -> Faces:
        given = self._find(address)
        lying = {} if given is None else reading.dice.lying(given)
        still = tuple(s.name for s in reading.dice.slots if s.name not in lying)
        if still:
            raise Missing((msgspec.structs.replace(ask(address), open_slots=still),))
        return tuple(lying[s.name] for s in reading.dice.slots)

    def _answer(self, address: str, ask: AskAt) -> Any:
        given = self._find(address)
        if given is None:
            raise Missing((ask(address),))
        return given

    def _answer_all(self, asks: Sequence[Ask]) -> dict[str, Any]:
        given = {ask.address: self._find(ask.address) for ask in asks}
        still = tuple(ask for ask in asks if given[ask.address] is None)
        if still:
            raise Missing(still)
        return given

    def _find(self, address: str) -> Any:
        index = self._by_address.get(address)
        if index is None:
            index = self._next_for(address)
        if index is None:
            return None
        self.used.add(index)
        return self.answers[index].given

    def _next_for(self, address: str) -> int | None:
        role = address.rsplit("/", 1)[-1].split("#")[0].split("~")[0]
        queue = self._roles.get(role)
        return queue.pop(0) if queue else None

    def check_leftovers(self) -> None:
        """Raise for the first answer that nothing asked for."""
        for i, answer in enumerate(self.answers):
            if i not in self.used:
                raise Unused(f"Nothing asked for the answer {answer.address or answer.role!r}.")
