"""The umpire as a rule sees it: everything that the rule does not know is asked here."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar

import msgspec

from companion.umpire.asks import TEXT_LIMIT, Ask, Choice, Option, Sight, Space
from companion.umpire.charts import Cell, Chart
from companion.umpire.dice import Dice, Face
from companion.umpire.errors import Missing, UsageError, answered_at
from companion.umpire.lines import Line, Modifier, add
from companion.umpire.readings import (
    Faces,
    Need,
    Reading,
    die_for,
    hits_reading,
    pick_reading,
    ranges,
    roll_reading,
    table_reading,
    test_reading,
    total_reading,
)

T = TypeVar("T")
R = TypeVar("R")
S = TypeVar("S")
P = ParamSpec("P")

AskAt = Callable[[str], Ask]
LineOf = Callable[[Any, Faces], Line]


class TableSlot(msgspec.Struct, frozen=True, eq=False):
    """A numeric table that the rulebook text lacks (an aircraft card, a play aid): filled by packs and players."""

    key: str
    title: str
    rule: str
    space: Space[Any]
    keys: tuple[str, ...] = ()


class Filled(msgspec.Struct, frozen=True):
    """A cell of such a table and where it came from; `value` None means not allowed."""

    value: Cell | None
    source: str = ""
    house: bool = False


House = Literal["use", "ask", "refuse"]


class Context(msgspec.Struct, frozen=True, eq=False):
    """What holds for a whole table: its switches, the filled cells by (slot, keys...), what house values may do."""

    switches: Mapping[str, Any] = {}
    cells: Mapping[tuple[str, ...], Filled] = {}
    house: House = "use"


class Thrown(msgspec.Struct, frozen=True):
    """Dice that were used: the address that asked and the face of each slot."""

    address: str
    faces: dict[str, str]


class Umpire(ABC):
    """Base of the three umpires. `lines` grows as the rule asks; `house` names the house values that were used."""

    def __init__(self, context: Context | None = None) -> None:
        self.context = context or Context()
        self.lines: list[Line] = []
        self.house: list[str] = []
        self._house_cells: set[tuple[str, ...]] = set()
        self.thrown: list[Thrown] = []
        self._path = ""
        self._counts: dict[str, int] = {}
        self._cells: dict[str, Any] = {}
        self._known: Iterator[Any] = iter(())
        """Odds run a rule again and again: what its next steps gave before, as far as they stay the same."""

    # --- what a rule may ask

    def test(
        self,
        role: str,
        dice: Dice,
        mods: Sequence[Modifier],
        need: Need,
        *,
        rule: str,
        title: str = "",
        seat: str = "",
        words: tuple[str, str] = ("yes", "no"),
    ) -> bool:
        """Whether the modified total reaches `need`; not asked where it cannot fail or cannot succeed."""
        for known in self._known:
            return known
        return self._test(role, dice, tuple(mods), need, rule, title or role, seat, words)

    def _test(
        self,
        role: str,
        dice: Dice,
        mods: tuple[Modifier, ...],
        need: Need,
        rule: str,
        title: str,
        seat: str,
        words: tuple[str, str],
    ) -> bool:
        """A test that is not known yet; apart, because a function with closures is slow to enter."""
        modifier = add(mods)
        reading = test_reading(dice, modifier, need)
        weights, _ = reading.weighed()
        if len(weights) == 1:
            sure: bool = weights[0][0]
            verdict = f"{words[not sure]}, no die needed"
            return self._settle(sure, Line(title, rule, mods=mods, needs=str(need), verdict=verdict))

        def line(label: bool, faces: Faces) -> Line:
            total = dice.total(faces) + modifier if faces else None
            return _line(title, rule, dice, faces, mods, total, str(need), words[not label], address)

        def ask(at: str) -> Ask:
            return Ask("dice", at, _throw_text(title, dice), rule, seat, dice, mods=mods, needs=str(need))

        address = self._address(role)
        return bool(self._throw(address, reading, ask, line))

    def table(
        self,
        chart: Chart,
        role: str,
        dice: Dice,
        mods: Sequence[Modifier] = (),
        *,
        column: str = "",
        title: str = "",
        seat: str = "",
    ) -> Cell:
        """The chart's label for the throw: natural faces first, then the modified total."""
        for known in self._known:
            return known
        if chart.house and any((column or chart.columns[0]) == c for _, c in chart.house):
            self._mark_house(f"{chart.title} [{chart.rule}]")
        return self._table(chart, role, dice, tuple(mods), column, title or chart.title, seat)

    def _table(
        self, chart: Chart, role: str, dice: Dice, mods: tuple[Modifier, ...], column: str, title: str, seat: str
    ) -> Cell:
        modifier = add(mods)

        def line(label: Cell, faces: Faces) -> Line:
            total = dice.total(faces) + modifier if faces else None
            return _line(title, chart.rule, dice, faces, mods, total, "", str(label), address)

        def ask(at: str) -> Ask:
            text = _throw_text(title, dice)
            return Ask("dice", at, text, chart.rule, seat, dice, mods=mods, chart=chart.key, column=column)

        address = self._address(role)
        return self._throw(address, table_reading(chart, dice, modifier, column), ask, line)

    def roll(
        self,
        role: str,
        dice: Dice,
        *,
        rule: str,
        title: str = "",
        seat: str = "",
        until: Callable[[Faces], bool] | None = None,
    ) -> tuple[Face, ...]:
        """The faces, one per slot; thrown again as often as `until` rejects them."""
        for known in self._known:
            return known
        return self._roll(role, dice, rule, title or role, seat, until)

    def _roll(
        self, role: str, dice: Dice, rule: str, title: str, seat: str, until: Callable[[Faces], bool] | None
    ) -> tuple[Face, ...]:
        def line(label: Faces, faces: Faces) -> Line:
            total = dice.total(faces) if len(faces) > 1 else None
            verdict = "" if faces else "+".join(f.name for f in label)
            return _line(title, rule, dice, faces, (), total, "", verdict, address)

        def ask(at: str) -> Ask:
            return Ask("dice", at, _throw_text(title, dice), rule, seat, dice)

        address = self._address(role)
        return self._throw(address, roll_reading(dice, until), ask, line)

    def total(
        self, role: str, dice: Dice, mods: Sequence[Modifier] = (), *, rule: str, title: str = "", seat: str = ""
    ) -> int:
        """The modified sum of the dice; odds branch on the sum and not on the faces."""
        for known in self._known:
            return known
        mods = tuple(mods)
        title = title or role

        def line(label: int, faces: Faces) -> Line:
            return _line(title, rule, dice, faces, mods, label, "", "" if faces else str(label), address)

        def ask(at: str) -> Ask:
            return Ask("dice", at, _throw_text(title, dice), rule, seat, dice, mods=mods)

        address = self._address(role)
        return int(self._throw(address, total_reading(dice, add(mods)), ask, line))

    def hits(self, role: str, dice: Dice, need: Need, *, rule: str, title: str = "", seat: str = "") -> int:
        """How many of the dice, each on its own, reach `need`."""
        for known in self._known:
            return known
        title = title or role

        def line(label: int, faces: Faces) -> Line:
            verdict = f"{label} of {len(dice.slots)}"
            return _line(title, rule, dice, faces, (), None, f"{need} each", verdict, address)

        def ask(at: str) -> Ask:
            return Ask("dice", at, _throw_text(title, dice), rule, seat, dice, needs=f"{need} each")

        address = self._address(role)
        return int(self._throw(address, hits_reading(dice, need), ask, line))

    def one_of(self, role: str, candidates: Sequence[T], *, rule: str, names: Sequence[str] = (), seat: str = "") -> T:
        """One of the candidates at random, on equal ranges of one die; the assignment is part of the ask."""
        if not candidates:
            raise UsageError(f"There is nothing to choose from for {role!r}.")
        if len(candidates) == 1:
            return candidates[0]
        for known in self._known:
            return candidates[known]
        throw = die_for(len(candidates))
        names = tuple(names) or tuple(str(c) for c in candidates)
        shown = tuple(f"{r}: {n}" for r, n in zip(ranges(throw, len(candidates)), names, strict=True))

        def line(label: int, faces: Faces) -> Line:
            return _line(role, rule, throw, faces, (), None, "", names[label], address)

        def ask(at: str) -> Ask:
            text = f"{_throw_text(role, throw)} ({'; '.join(shown)})"
            return Ask("dice", at, text, rule, seat, throw, ranges=shown)

        address = self._address(role)
        return candidates[self._throw(address, pick_reading(throw, len(candidates)), ask, line)]

    def fact(self, role: str, space: Space[T], known: T | None = None, *, text: str, rule: str, seat: str = "") -> T:
        """Something on the table: what is known is taken, else anybody may answer."""
        if known is not None:
            return known
        return self._parsed(role, space, lambda at: Ask("fact", at, text, rule, seat, space=space))

    def choose(
        self,
        role: str,
        seat: str,
        space: Space[T],
        *,
        text: str,
        rule: str,
        options_to: Sight = "all",
        answer_to: Sight = "all",
        owed: Sequence[str] = (),
    ) -> T:
        """A player's decision; `owed` says what it must still settle (`two VFPs`)."""

        def ask(at: str) -> Ask:
            still = tuple(owed)
            return Ask(
                "choose", at, text, rule, seat, space=space, owed=still, options_to=options_to, answer_to=answer_to
            )

        return self._parsed(role, space, ask)

    def together(self, role: str, group: Mapping[str, Choice[T]], *, rule: str) -> dict[str, T]:
        """One decision of each seat, open at once, answered in any order, sealed until the last is in.

        An illegal answer is refused when it comes, not when the seals are broken.
        """
        for known in self._known:
            return known
        asks = {seat: self._sealed(role, seat, choice, rule) for seat, choice in group.items()}
        chosen: dict[str, T] = {}
        still: list[Ask] = []
        for seat, ask in asks.items():
            try:
                chosen[seat] = self._read(group[seat].space, ask.address, lambda _at, ask=ask: ask)  # type: ignore[misc]
            except Missing as missing:
                still += missing.asks
        if still:
            raise Missing(still)
        return self._settle(chosen)

    def look_up(self, slot: TableSlot, *keys: Cell) -> Cell | None:
        """A cell of a table that the rulebook lacks: from packs and learned cells, else asked; None: not allowed."""
        name = (slot.key, *map(str, keys))
        filled = self.context.cells.get(name)
        if filled and (not filled.house or self.context.house == "use"):
            if filled.house and name not in self._house_cells:
                self._house_cells.add(name)
                self._mark_house(f"{slot.title} {'/'.join(name[1:])} [{slot.rule}]")
            return filled.value
        offered = f" (house value {filled.value}†)" if filled and self.context.house == "ask" else ""
        text = f"Read from the table {slot.title!r}: {', '.join(name[1:])}{offered}"
        space = _OrNotAllowed(slot.space)
        return self._looked_up(f"look_up:{':'.join(name)}", space, text, slot.rule)

    def draw(
        self, role: str, deck: str, n: int, *, rule: str, seat: str = "", sight: Sight = "seat", text: str = ""
    ) -> tuple[str, ...]:
        """Cards from a deck; with printed cards only their number is known, and each is `?`."""
        text = text or f"Draw {n} from the {deck}"

        def ask(at: str) -> Ask:
            return Ask("draw", at, text, rule, seat, space=space, chart=deck, count=n, answer_to=sight)

        space = Cards(n)
        return self._parsed(role, space, ask)

    def call(self, role: str, procedure: Callable[Concatenate[Umpire, P], R], *args: P.args, **kw: P.kwargs) -> R:
        """Another procedure's result; its asks have addresses below this role. Odds remember it by its values."""
        for known in self._known:
            return known
        outer = self._path
        self._path = self._address(role) + "/"
        try:
            return self._call(procedure, args, kw)
        finally:
            self._path = outer

    def fold(
        self,
        role: str,
        procedure: Callable[[Umpire, S, T], S],
        state: S,
        items: Sequence[T],
        *,
        names: Sequence[str] = (),
    ) -> S:
        """`state = procedure(state, item)` over the items in order; odds merge equal states on the way."""
        for i, item in enumerate(items):
            state = self.call(f"{role}:{names[i] if names else i + 1}", procedure, state, item)
        return state

    def on(self, switch: str) -> bool:
        """Whether an optional rule is in use at this table."""
        return bool(self.context.switches.get(switch, False))

    def note(self, text: str, rule: str) -> None:
        """A line without a die: what the rule decided and why."""
        for _known in self._known:
            return
        self._settle(None, Line("", rule, verdict=text))

    # --- what each umpire does in its own way

    @abstractmethod
    def _throw(self, address: str, reading: Reading, ask: AskAt, line: LineOf) -> Any:
        """The label of a throw; its line is added."""

    @abstractmethod
    def _answer(self, address: str, ask: AskAt) -> Any:
        """What is answered at an address, not yet parsed."""

    def _call(self, procedure: Callable[..., R], args: tuple[Any, ...], kw: dict[str, Any]) -> R:
        return procedure(self, *args, **kw)

    def _settle(self, value: T, line: Line | None = None) -> T:
        """A step with one outcome only."""
        if line:
            self.lines.append(line)
        return value

    # --- helpers

    def _parsed(self, role: str, space: Space[T], ask: AskAt) -> T:
        for known in self._known:
            return known
        return self._settle(self._read(space, self._address(role), ask))

    def _read(self, space: Space[T], address: str, ask: AskAt) -> T:
        given = self._answer(address, ask)
        with answered_at(address):
            return space.parse(given)

    def _looked_up(self, at: str, space: Space[T], text: str, rule: str) -> T:
        """A cell has one address wherever it is needed, so it is asked for once."""
        for known in self._known:
            return known
        if at not in self._cells:
            self._cells[at] = self._answer(at, lambda at: Ask("look_up", at, text, rule, space=space))
        with answered_at(at):
            return self._settle(space.parse(self._cells[at]))

    def _sealed(self, role: str, seat: str, choice: Choice[Any], rule: str) -> Ask:
        address = self._address(f"{role}@{seat}/{choice.role}")
        rule = choice.rule or rule
        return Ask(
            "choose", address, choice.text, rule, seat, space=choice.space, options_to="seat", answer_to="sealed"
        )

    def _address(self, role: str) -> str:
        full = self._path + role
        count = self._counts.get(full, 0) + 1
        self._counts[full] = count
        return full if count == 1 else f"{full}#{count}"

    def _record(self, address: str, dice: Dice, faces: Faces) -> None:
        self.thrown.append(Thrown(address, {s.name: f.name for s, f in zip(dice.slots, faces, strict=True)}))

    def _mark_house(self, what: str) -> None:
        if what not in self.house:
            self.house.append(what)


class _OrNotAllowed(Space[Any], frozen=True):
    """A cell of a printed table: its own space, or a dash for `not allowed`."""

    inner: Space[Any]

    def parse(self, given: Any) -> Any:
        return None if given in ("-", "not allowed") else self.inner.parse(given)

    @property
    def listed(self) -> tuple[Option[Any], ...]:
        return self.inner.listed

    @property
    def legal(self) -> tuple[Any, ...]:
        return self.inner.legal

    def pick(self, rng: Random) -> Any:
        return self.inner.pick(rng)


class Cards(Space[tuple[str, ...]], frozen=True):
    """At most `n` cards, by name, or only how many were taken."""

    n: int

    def parse(self, given: Any) -> tuple[str, ...]:
        if isinstance(given, str) and given.isdecimal():
            given = int(given[:9])
        if isinstance(given, int) and 0 <= given <= self.n:
            return ("?",) * given
        if not isinstance(given, (list, tuple)) or len(given) > self.n:
            raise UsageError(f"Give the names of at most {self.n} cards, or how many of them were taken.")
        return tuple(str(card)[:TEXT_LIMIT] for card in given)

    @property
    def listed(self) -> tuple[Option[str], ...]:
        """How many printed cards were taken, as a touch says it: all of them first."""
        counts = [str(count) for count in range(self.n, -1, -1)]
        return tuple(Option(count, f"{count} taken", count) for count in counts)


def _line(
    title: str,
    rule: str,
    dice: Dice,
    faces: Faces,
    mods: tuple[Modifier, ...],
    total: int | None,
    needs: str,
    verdict: str,
    address: str,
) -> Line:
    return Line(title, rule, dice.words, tuple([f.name for f in faces]), mods, total, needs, verdict, address)


def _throw_text(title: str, dice: Dice) -> str:
    return f"{title[:1].upper()}{title[1:]}: throw {dice.words}"


def option(key: str, text: str) -> Option[str]:
    return Option(key, text, key)


__all__ = ["Context", "Filled", "TableSlot", "Thrown", "Umpire", "option"]
