"""What a rule asks for, as data that a page, a lamp or a test can show, and what an answer looks like."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, Literal, TypeAlias, TypeVar

import msgspec

from companion.umpire.dice import Dice
from companion.umpire.errors import Barred, Illegal, UsageError
from companion.umpire.lines import Modifier

T = TypeVar("T")

Kind: TypeAlias = Literal["dice", "fact", "choose", "look_up", "draw"]
Sight: TypeAlias = Literal["all", "seat", "sealed"]
"""Who sees an answer: everybody at once, only its seat, or everybody once the last of a group is in."""

TEXT_LIMIT = 200


class Option(msgspec.Struct, Generic[T], frozen=True):
    """One thing that may be chosen. A barred one stays listed and says why."""

    key: str
    text: str
    value: T
    barred: Barred | None = None


def options(*values: str, **named: str) -> tuple[Option[str], ...]:
    """Options whose value is their own key."""
    return tuple(Option(v, v, v) for v in values) + tuple(Option(k, t, k) for k, t in named.items())


class Space(msgspec.Struct, Generic[T], frozen=True):
    """What may be answered; `parse` turns what was given into the value or raises with a sentence."""

    def parse(self, given: Any) -> T:
        raise AssertionError

    @property
    def listed(self) -> tuple[Option[Any], ...]:
        return ()

    @property
    def legal(self) -> tuple[Any, ...]:
        """Every answer that `parse` takes, where they can be listed; a random player picks among them."""
        return ()


def _pick(listed: Sequence[Option[T]], given: Any) -> Option[T]:
    for option in listed:
        if option.key == str(given):
            if option.barred:
                raise Illegal((option.barred,))
            return option
    known = ", ".join(o.key for o in listed)
    raise UsageError(f"{str(given)[:40]!r} is not one of the choices; they are {known}.")


class OneOf(Space[T], Generic[T], frozen=True):
    choices: tuple[Option[T], ...]

    def parse(self, given: Any) -> T:
        if isinstance(given, (list, tuple)) and len(given) == 1:
            given = given[0]
        return _pick(self.choices, given).value

    @property
    def listed(self) -> tuple[Option[T], ...]:
        return self.choices

    @property
    def legal(self) -> tuple[Any, ...]:
        return tuple(o.key for o in self.choices if not o.barred)


class SomeOf(Space[tuple[T, ...]], Generic[T], frozen=True):
    """Several, each at most once unless `repeats`; in the order given, so a sequence is the same space."""

    choices: tuple[Option[T], ...]
    least: int = 0
    most: int = 99
    repeats: bool = False

    def parse(self, given: Any) -> tuple[T, ...]:
        if not isinstance(given, (list, tuple)):
            raise UsageError(f"Give a list of choices here, not {str(given)[:40]!r}.")
        if not self.least <= len(given) <= self.most:
            raise UsageError(f"Choose {self._count}, not {len(given)}.")
        if not self.repeats and len({str(g) for g in given}) < len(given):
            raise UsageError("The same choice was given twice; each may be given once.")
        return tuple(_pick(self.choices, g).value for g in given)

    @property
    def _count(self) -> str:
        return str(self.least) if self.least == self.most else f"{self.least} to {self.most}"

    @property
    def listed(self) -> tuple[Option[T], ...]:
        return self.choices

    @property
    def legal(self) -> tuple[Any, ...]:
        keys = [o.key for o in self.choices if not o.barred]
        return ([*keys][: self.least] if not self.repeats else keys[:1] * self.least,)


class Number(Space[int], frozen=True):
    low: int
    high: int

    def parse(self, given: Any) -> int:
        try:
            number = int(str(given))
        except ValueError:
            raise UsageError(f"{str(given)[:40]!r} is not a number; give {self.low} to {self.high}.") from None
        if not self.low <= number <= self.high:
            raise UsageError(f"{number} is out of range; give {self.low} to {self.high}.")
        return number

    @property
    def legal(self) -> tuple[Any, ...]:
        return tuple(range(self.low, min(self.high, self.low + 99) + 1))


class YesNo(Space[bool], frozen=True):
    def parse(self, given: Any) -> bool:
        words = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
        try:
            return words[str(given).strip().lower()]
        except KeyError:
            raise UsageError(f"{str(given)[:40]!r} is neither yes nor no.") from None

    @property
    def listed(self) -> tuple[Option[bool], ...]:
        return (Option("yes", "Yes", True), Option("no", "No", False))

    @property
    def legal(self) -> tuple[Any, ...]:
        return ("yes", "no")


class Notation(Space[T], Generic[T], frozen=True, eq=False):
    """A text that the rule itself reads (a move, a course); `read` raises Illegal or UsageError."""

    read: Callable[[str], T]
    example: str = ""
    samples: tuple[str, ...] = ()

    def parse(self, given: Any) -> T:
        if not isinstance(given, str) or len(given) > TEXT_LIMIT:
            raise UsageError(f"Write it as a short text, for example {self.example!r}.")
        return self.read(given)

    @property
    def legal(self) -> tuple[Any, ...]:
        return self.samples


class Choice(msgspec.Struct, Generic[T], frozen=True, eq=False):
    """One member of a group that is asked together."""

    role: str
    space: Space[T]
    text: str
    rule: str = ""


class Ask(msgspec.Struct, frozen=True, eq=False):
    """One open question.

    `open_slots` are the dice that are still to be thrown; `needs` and `chart` say what the throw is read by.
    """

    kind: Kind
    address: str
    text: str
    rule: str
    seat: str = ""
    dice: Dice | None = None
    open_slots: tuple[str, ...] = ()
    mods: tuple[Modifier, ...] = ()
    needs: str = ""
    chart: str = ""
    column: str = ""
    space: Space[Any] | None = None
    ranges: tuple[str, ...] = ()
    count: int = 0
    options_to: Sight = "all"
    answer_to: Sight = "all"

    @property
    def role(self) -> str:
        """The last part of the address without its count: `respond#3` is the role `respond`."""
        return self.address.rsplit("/", 1)[-1].split("#")[0]


class Answer(msgspec.Struct, omit_defaults=True):
    """What was answered at an address or, where only one such ask can be meant, to a role.

    `faces` by slot name, or in the order of the slots; exactly one of the fields is given.
    """

    address: str = ""
    role: str = ""
    faces: dict[str, Any] | list[Any] | None = None
    choice: Any = None
    choices: list[Any] | None = None
    fact: Any = None
    value: Any = None
    cards: list[str] | int | None = None
    void: list[str] | None = None

    @property
    def given(self) -> Any:
        """The one thing that was given."""
        for value in (self.faces, self.choice, self.choices, self.fact, self.value, self.cards):
            if value is not None:
                return value
        raise UsageError(f"The answer for {self.address or self.role or '(no address)'} holds nothing.")
