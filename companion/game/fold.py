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


class Ending(msgspec.Struct, frozen=True):
    """How an act came out, as its entry in the journal tells it."""

    result: Any = None
    lines: list[dict[str, Any]] = []
    changes: tuple[Change, ...] = ()
    thrown: list[dict[str, Any]] = []
    house: list[str] = []
    ruled: dict[str, Any] | None = None


_OPEN = Ending()


class Record:
    """One act of a table: a procedure with its inputs, what was answered, and how it ended.

    How it ended is most of what it weighs: for an act of long ago, `pack` keeps that as the journal's own text, which
    is read again when somebody asks.

    `number` is the journal's number of its opening and names it for good, `mark` is a piece of that entry's hash.
    `answers` by address: faces by slot for dice, else what was given. `sources` says by address and slot where a face
    came from and `dies` which die of it, `by` which seat answered last, `said` what was asked there and answered in
    words, and `secret` names those choices whose options only that seat saw.
    """

    __slots__ = (
        "_ending",
        "about",
        "act",
        "amended",
        "answers",
        "attempts",
        "by",
        "closed",
        "dies",
        "inputs",
        "mark",
        "number",
        "procedure",
        "said",
        "seat",
        "secret",
        "slip",
        "sources",
        "summary",
        "title",
        "turns",
        "undone",
    )  # fmt: skip

    def __init__(self, number: int, body: Mapping[str, Any]) -> None:
        self.number, self.mark, self.turns = number, "", 0
        self.act: str = body["act"]
        self.about: tuple[str, ...] = tuple(body.get("about", ()))
        self.title: str = body["title"]
        self.procedure: str = body["procedure"]
        self.inputs: dict[str, Any] = body["inputs"]
        self.seat: str = body["seat"]
        self.answers: dict[str, Any] = {}
        self.sources: dict[str, dict[str, str]] = {}
        self.dies: dict[str, dict[str, str]] = {}
        self.by: dict[str, str] = {}
        self.said: dict[str, tuple[str, str]] = {}
        self.secret: set[str] = set()
        self.attempts: list[dict[str, Any]] = []
        self.closed = self.undone = False
        self.amended: list[dict[str, Any]] = []
        self.summary: dict[str, Any] = {}
        self.slip = 0
        self._ending: Ending | bytes = _OPEN

    def given(self) -> tuple[Answer, ...]:
        """The answers as the umpire takes them."""
        return tuple(as_answer(address, value) for address, value in self.answers.items())

    def take(self, body: Mapping[str, Any]) -> None:
        """Add an answer: dice slot by slot, anything else whole."""
        address, source = body["address"], body.get("source", "")
        self.by[address] = body["seat"]
        if "faces" in body:
            self.answers.setdefault(address, {}).update(body["faces"])
            self.sources.setdefault(address, {}).update(dict.fromkeys(body["faces"], source))
            if "dice" in body or address in self.dies:
                named = body.get("dice", {})
                self.dies.setdefault(address, {}).update({slot: named.get(slot, "") for slot in body["faces"]})
        else:
            self.answers[address] = body["given"]
            if "asked" in body:
                self.said[address] = body["asked"], body["said"]
            if body.get("secret"):
                self.secret.add(address)

    def end(self, body: Mapping[str, Any]) -> None:
        self.closed = True
        self.summary, self.slip = body["summary"], body["slip"]
        self._ending = msgspec.convert(body, Ending)

    def turn(self, *, undone: bool) -> None:
        """Taken back or brought back; `turns` counts both."""
        self.undone, self.turns = undone, self.turns + 1

    def pack(self) -> None:
        """Hold the ending in few bytes from now on."""
        if isinstance(self._ending, Ending):
            self._ending = _encode(self._ending)

    @property
    def ending(self) -> Ending:
        return self._ending if isinstance(self._ending, Ending) else _ending(self._ending)

    @property
    def result(self) -> Any:
        return self.ending.result

    @property
    def lines(self) -> list[dict[str, Any]]:
        return self.ending.lines

    @property
    def changes(self) -> tuple[Change, ...]:
        return self.ending.changes

    @property
    def thrown(self) -> list[dict[str, Any]]:
        return self.ending.thrown

    @property
    def house(self) -> list[str]:
        return self.ending.house

    @property
    def ruled(self) -> dict[str, Any] | None:
        return self.ending.ruled


def as_answer(address: str, value: Any) -> Answer:
    """Faces are kept by slot in a mapping; every other kind of answer has one form here."""
    if isinstance(value, dict):
        return Answer(address=address, faces=value)
    return Answer(address=address, value=value)


_encode = msgspec.json.Encoder().encode
_ending = msgspec.json.Decoder(Ending).decode
