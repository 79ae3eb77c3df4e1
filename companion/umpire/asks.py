"""What a rule asks for, as data that a page, a lamp or a test can show, and what an answer looks like."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain, combinations, combinations_with_replacement, islice
from random import Random
from typing import Any, Generic, Literal, TypeAlias, TypeVar

import msgspec

from companion.umpire.dice import Dice, Face
from companion.umpire.errors import Barred, Illegal, UsageError
from companion.umpire.lines import Modifier

T = TypeVar("T")

Kind: TypeAlias = Literal["dice", "fact", "choose", "look_up", "draw"]
Sight: TypeAlias = Literal["all", "seat", "sealed"]
"""Who sees an answer: everybody at once, only its seat, or everybody once the last of a group is in."""

TEXT_LIMIT = 200
LISTED = 100
"""Most answers that a space lists."""


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
        """Answers that `parse` takes, as far as they can be listed: a row each in the odds by option."""
        return ()

    def pick(self, rng: Random) -> Any:
        """What a random player answers; None where nothing can be listed."""
        return rng.choice(self.legal) if self.legal else None


def _pick(listed: Sequence[Option[T]], given: Any) -> Option[T]:
    for option in listed:
        if option.key == str(given):
            if option.barred:
                raise Illegal((option.barred,))
            return option
    known = ", ".join(o.key for o in listed)
    raise UsageError(f"{str(given)[:40]!r} is not one of the choices; they are {known}.")


class OneOf(Space[T], Generic[T], frozen=True):
    """Exactly one of the options that are not barred; a list of one counts as that one."""

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
        ways = combinations_with_replacement if self.repeats else combinations
        return tuple(islice(chain.from_iterable(ways(self._keys, n) for n in self._sizes), LISTED))

    def pick(self, rng: Random) -> Any:
        if not self._sizes:
            return None
        count = rng.choice(self._sizes)
        return rng.choices(self._keys, k=count) if self.repeats and count else rng.sample(self._keys, count)

    @property
    def _keys(self) -> list[str]:
        return [o.key for o in self.choices if not o.barred]

    @property
    def _sizes(self) -> range:
        most = len(self._keys) if not self.repeats else self.most if self._keys else 0
        return range(self.least, min(self.most, most) + 1)


class Number(Space[int], frozen=True):
    """A whole number from `low` to `high`, both allowed."""

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
        return tuple(range(self.low, min(self.high, self.low + LISTED - 1) + 1))

    def pick(self, rng: Random) -> Any:
        return rng.randint(self.low, self.high)


class YesNo(Space[bool], frozen=True):
    """Yes or no, also as true and false or 1 and 0."""

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


class Part(msgspec.Struct, frozen=True):
    """One word of a notation for those who touch instead of write; `now` is the choice that is marked at first."""

    title: str
    choices: tuple[tuple[str, str], ...]
    """What is written, and what it is called."""
    now: str = ""


class Notation(Space[T], Generic[T], frozen=True, eq=False):
    """A text that the rule itself reads (a move, a course); `read` raises Illegal or UsageError.

    With `parts` it can be touched together: one choice of each, with blanks between.
    """

    read: Callable[[str], T]
    example: str = ""
    samples: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()

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

    `open_slots` are the dice that are still to be thrown; `needs` and `chart` say what the throw is read by; `owed`
    is what the answer must still settle.
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
    owed: tuple[str, ...] = ()
    options_to: Sight = "all"
    answer_to: Sight = "all"

    @property
    def role(self) -> str:
        """The last part of the address without its count: `respond#3` is the role `respond`."""
        return role_of(self.address)


def role_of(address: str) -> str:
    return address.rsplit("/", 1)[-1].split("#")[0].split("~")[0]


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was answered at an address, or to a role in the order in which the role is asked.

    `faces` by slot name, or in the order of the slots; one of the fields is given, and `void` takes dice up again.
    Answers at one address add up: dice come one by one, and otherwise the last one counts.
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
        """The one thing that was given; None where dice are only taken up again."""
        all_fields = (self.faces, self.choice, self.choices, self.fact, self.value, self.cards)
        given = [value for value in all_fields if value is not None]
        if len(given) > 1 or not (given or self.void):
            held = f"{len(given)} things; give one" if given else "nothing"
            raise UsageError(f"The answer for {self.address or self.role or '(no address)'} holds {held}.")
        return given[0] if given else None

    def lay(self, dice: Dice, lying: Mapping[str, Face]) -> dict[str, Face]:
        """The dice that lie once this answer has come too."""
        given = self.given
        faces = dict(lying) if given is None else dice.lying(given, lying)
        taken = {dice.slot(name).name for name in self.void or ()}
        return {name: face for name, face in faces.items() if name not in taken}
