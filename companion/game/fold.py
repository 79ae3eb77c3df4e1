"""State as the fold of changes: what is due now is applied, the rest is held until its moment comes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from companion.umpire import MOMENT, Answer, Change, Game


class Standing(msgspec.Struct, frozen=True):
    """A game's state and the changes that wait for their moment, in the order in which they were made."""

    state: Any
    held: tuple[Change, ...] = ()


def apply(game: Game, standing: Standing, changes: Iterable[Change]) -> Standing:
    """The standing after these changes. Pure."""
    state, held = standing.state, standing.held
    for change in changes:
        if change.kind == MOMENT:
            for waiting in held:
                if waiting.when == change.target:
                    state = game.apply(state, waiting)
            held = tuple(h for h in held if h.when != change.target)
            state = game.apply(state, change)
        elif change.when == "now":
            state = game.apply(state, change)
        else:
            held = (*held, change)
    return Standing(state, held)


class Record:
    """One act of a table: a procedure with its inputs, what was answered, and how it ended.

    `number` is the journal's number of its opening and names it for good. `answers` by address: faces by slot for
    dice, else what was given. `sources` says by address and slot where a face came from, `by` which
    seat chose, and `secret` names those choices whose options only that seat saw.
    """

    __slots__ = (
        "act",
        "amended",
        "answers",
        "attempts",
        "by",
        "changes",
        "closed",
        "house",
        "inputs",
        "lines",
        "number",
        "procedure",
        "result",
        "ruled",
        "seat",
        "secret",
        "slip",
        "sources",
        "summary",
        "thrown",
        "title",
        "undone",
    )  # fmt: skip

    def __init__(self, number: int, body: Mapping[str, Any]) -> None:
        self.number = number
        self.act: str = body["act"]
        self.title: str = body["title"]
        self.procedure: str = body["procedure"]
        self.inputs: dict[str, Any] = body["inputs"]
        self.seat: str = body["seat"]
        self.answers: dict[str, Any] = {}
        self.sources: dict[str, dict[str, str]] = {}
        self.by: dict[str, str] = {}
        self.secret: set[str] = set()
        self.attempts: list[dict[str, Any]] = []
        self.closed = self.undone = False
        self.amended: list[dict[str, Any]] = []
        self.result: Any = None
        self.lines: list[dict[str, Any]] = []
        self.changes: tuple[Change, ...] = ()
        self.thrown: list[dict[str, Any]] = []
        self.house: list[str] = []
        self.summary: dict[str, Any] = {}
        self.slip = 0
        self.ruled: dict[str, Any] | None = None

    def given(self) -> tuple[Answer, ...]:
        """The answers as the umpire takes them."""
        return tuple(as_answer(address, value) for address, value in self.answers.items())

    def take(self, body: Mapping[str, Any]) -> None:
        """Add an answer: dice slot by slot, anything else whole."""
        address, source = body["address"], body.get("source", "")
        if "faces" in body:
            self.answers.setdefault(address, {}).update(body["faces"])
            self.sources.setdefault(address, {}).update(dict.fromkeys(body["faces"], source))
        else:
            self.answers[address] = body["given"]
            self.by[address] = body["seat"]
            if body.get("secret"):
                self.secret.add(address)

    def end(self, body: Mapping[str, Any]) -> None:
        self.closed = True
        self.result, self.lines, self.summary = body["result"], body["lines"], body["summary"]
        self.changes = tuple(msgspec.convert(c, Change) for c in body["changes"])
        self.thrown, self.house, self.slip = body["thrown"], body["house"], body["slip"]
        self.ruled = body.get("ruled")


def as_answer(address: str, value: Any) -> Answer:
    """Faces are kept by slot in a mapping; every other kind of answer has one form here."""
    if isinstance(value, dict):
        return Answer(address=address, faces=value)
    return Answer(address=address, value=value)
