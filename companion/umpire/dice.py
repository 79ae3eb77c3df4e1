"""Dice as physical things: named faces, slots, and what a set of faces adds up to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, reduce
from math import prod
from typing import NamedTuple

import msgspec
from msgspec.structs import force_setattr

from companion.umpire.errors import UsageError


class Face(msgspec.Struct, frozen=True, cache_hash=True):
    """One side: the name that is shown and recorded, its number, and the dots beside it (3.1; None: no dots, X)."""

    name: str
    value: int = 0
    dots: int | None = None


class Sums(NamedTuple):
    """What dice can add up to: the lowest sum, and the number of ways to each sum from there on."""

    low: int
    ways: Sequence[int]

    def plus(self, other: Sums) -> Sums:
        """With more dice. Counts that fit in a byte are multiplied as two large numbers, whose places add up."""
        low, size = self.low + other.low, len(self.ways) + len(other.ways) - 1
        if sum(self.ways) * sum(other.ways) < 256:
            both = int.from_bytes(self.ways, "little") * int.from_bytes(other.ways, "little")
            return Sums(low, both.to_bytes(size, "little"))
        ways = [0] * size
        for place, n in enumerate(self.ways):
            for sum_, more in enumerate(other.ways, place):
                ways[sum_] += n * more
        return Sums(low, ways)


class Die(msgspec.Struct, frozen=True, eq=False):
    """A kind of die. `faces` lists every physical side, equal ones repeated, so each is equally likely."""

    kind: str
    faces: tuple[Face, ...]
    sides: tuple[tuple[Face, int], ...] = ()
    """The different faces, each with the number of sides that show it."""
    sums: Sums = Sums(0, (1,))
    """Its lowest number, and how many sides show each number from there on."""

    def __post_init__(self) -> None:
        force_setattr(self, "sides", tuple(Counter(self.faces).items()))
        numbers = [face.value for face in self.faces]
        low, high = min(numbers), max(numbers)
        force_setattr(self, "sums", Sums(low, tuple(map(numbers.count, range(low, high + 1)))))

    def face(self, given: object) -> Face:
        """The face that an entry means: its name, its place on the die, or value and dots of a printed movement die."""
        if isinstance(given, Mapping):
            return self._printed(given)
        text = str(given).strip()[:40]
        for face in self.faces:
            if face.name == text or (self.is_plain and text.isdecimal() and int(face.name) == int(text)):
                return face
        if text.isdecimal() and 1 <= int(text) <= len(self.faces) and not self.is_plain:
            return self.faces[int(text) - 1]
        printed = _PRINTED.fullmatch(text) if self.has_dots else None
        if printed:
            return self._printed({"value": int(printed[1]), "dots": _dots_of(printed[2])})
        raise UsageError(f"{text!r} is not a face of the {self.kind}; it has {', '.join(self.names)}.")

    def _printed(self, given: Mapping[object, object]) -> Face:
        """What a player's own printed die shows wins over any layout, as long as the die has that number."""
        value, dots = given.get("value"), given.get("dots")
        if not isinstance(value, int) or value not in {f.value for f in self.faces}:
            raise UsageError(f"The {self.kind} has no side {str(value)[:40]!r}; it has {', '.join(self.names)}.")
        if dots not in (None, "X", "x", 0, 1, 2, 3):
            raise UsageError(f"A {self.kind} side shows 0 to 3 dots or X, not {str(dots)[:40]!r}.")
        return _movement_face(value, dots if isinstance(dots, int) else None)

    def named(self, name: str) -> list[Face]:
        """Every side with this name."""
        return [face for face in self.faces if face.name == name]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(f.name for f in self.faces))

    @property
    def is_plain(self) -> bool:
        """Names are numbers, so a number means the face of that name and never its place."""
        return all(f.name.isdecimal() for f in self.faces)

    @property
    def has_dots(self) -> bool:
        return any("•" in f.name for f in self.faces)


_PRINTED = re.compile(r"([+-]?\d+) ?(•{0,3}|X)")


def _dots_of(text: str) -> int | None:
    return None if text == "X" else len(text)


def _movement_face(value: int, dots: int | None) -> Face:
    sign = "0" if value == 0 else f"{value:+d}"
    return Face(f"{sign} {'X' if dots is None else '•' * dots}".strip(), value, dots)


def numbered(kind: str, sides: int) -> Die:
    return Die(kind, tuple(Face(str(n), n) for n in range(1, sides + 1)))


def movement(kind: str, values: Sequence[int], dots: Sequence[int | None]) -> Die:
    """A movement die: its numbers in ascending order and the dots that a layout puts beside them."""
    return Die(kind, tuple(_movement_face(v, d) for v, d in zip(values, dots, strict=True)))


def named(kind: str, faces: Iterable[str]) -> Die:
    return Die(kind, tuple(Face(name, i) for i, name in enumerate(faces, 1)))


D6 = numbered("d6", 6)
D10 = numbered("d10", 10)
D20 = numbered("d20", 20)
D5 = Die("d5", tuple(Face(str(n), (n + 1) // 2) for n in range(1, 11)))
"""A halved ten-sided die: entered as the face of the d10."""
TENS = Die("d00", tuple(Face(f"{n:02d}", n) for n in range(0, 100, 10)))
UNITS = Die("d10 units", tuple(Face(str(n), n) for n in range(10)))

_KINDS: dict[str, Die] = {die.kind: die for die in (D6, D10, D20, D5, TENS, UNITS)}


def register(*dice: Die) -> None:
    """Make a game's own dice known by their kind."""
    _KINDS.update((die.kind, die) for die in dice)


def die(kind: str) -> Die:
    try:
        return _KINDS[kind]
    except KeyError:
        raise UsageError(f"There is no die called {kind!r}; there are {', '.join(sorted(_KINDS))}.") from None


class Slot(msgspec.Struct, frozen=True):
    """One die of a throw: the name that the players use for it (`white`, `red 1`) and its kind."""

    name: str
    die: Die


class Dice(msgspec.Struct, frozen=True, eq=False):
    """The dice of one throw, in order. `percent`: tens and units are read as 1 to 100, 00 and 0 as 100."""

    slots: tuple[Slot, ...]
    percent: bool = False
    words: str = ""
    """As a player says it: `white d6`, `red 2d6`, `d100`."""

    def __post_init__(self) -> None:
        force_setattr(self, "words", "d100" if self.percent else _words(self.slots))

    def total(self, faces: Sequence[Face]) -> int:
        total = sum([face.value for face in faces])
        return 100 if self.percent and total == 0 else total

    @property
    def low(self) -> int:
        return 1 if self.percent else sum(min(f.value for f in s.die.faces) for s in self.slots)

    @property
    def high(self) -> int:
        return 100 if self.percent else sum(max(f.value for f in s.die.faces) for s in self.slots)

    def ways(self, fixed: Mapping[str, Face] = {}) -> int:
        """In how many ways they can fall, dice that already lie held fixed."""
        return prod([len(s.die.faces) for s in self.slots if s.name not in fixed])

    def all_faces(self, fixed: Mapping[str, Face] = {}) -> list[tuple[tuple[Face, ...], int]]:
        """Every throw with its weight, dice that already lie held fixed."""
        sides = [((fixed[s.name], 1),) if s.name in fixed else s.die.sides for s in self.slots]
        throws: list[tuple[tuple[Face, ...], int]] = [((), 1)]
        for slot in sides:
            throws = [((*faces, face), n * more) for faces, n in throws for face, more in slot]
        return throws

    def sums_with(self, lying: Mapping[str, Face]) -> Sums:
        """What they can add up to, dice that already lie held fixed."""
        if len(self.slots) == 1 and not lying:
            return self.slots[0].die.sums
        each = [Sums(lying[s.name].value, (1,)) if s.name in lying else s.die.sums for s in self.slots]
        low, ways = sums = reduce(Sums.plus, each)
        if not self.percent or low:
            return sums
        return Sums(1, [*ways[1:], *[0] * (100 - len(ways)), ways[0]])

    def read(self, given: Sequence[object]) -> dict[str, Face]:
        """Faces entered in the order of the slots; a d100 also as one number, `74` or `[70, 4]`."""
        if self.percent and len(given) == 1 and str(given[0]).isdecimal() and 0 <= int(str(given[0])) <= 100:
            number = int(str(given[0])) % 100
            given = [f"{number // 10 * 10:02d}", number % 10]
        if self.percent and len(given) == 2:
            given = [f"{int(str(given[0])):02d}" if str(given[0]).isdecimal() else given[0], given[1]]
        if len(given) > len(self.slots):
            raise UsageError(f"{len(given)} faces were given for {self.words}, which has {len(self.slots)}.")
        return {s.name: s.die.face(g) for s, g in zip(self.slots, given, strict=False)}

    def lying(self, given: object, already: Mapping[str, Face] = {}) -> dict[str, Face]:
        """The faces that lie, by slot, once `given` has come: by slot, as one face, or as a list.

        A list fills the slots that are still open, in order; where none or all are open it starts at the first.
        """
        if isinstance(given, Mapping) and not ("value" in given and given.keys() <= {"value", "dots"}):
            return {**already, **{self.slot(name).name: self.slot(name).die.face(f) for name, f in given.items()}}
        faces = given if isinstance(given, (list, tuple)) else [given]
        still = [s for s in self.slots if s.name not in already]
        if len(still) in (0, len(self.slots)):
            return {**already, **self.read(faces)}
        if len(faces) > len(still):
            raise UsageError(f"{len(faces)} faces were given where {len(still)} of {self.words} are open.")
        return {**already, **{s.name: s.die.face(f) for s, f in zip(still, faces, strict=False)}}

    def slot(self, name: object) -> Slot:
        for slot in self.slots:
            if slot.name == name:
                return slot
        known = ", ".join(s.name for s in self.slots)
        raise UsageError(f"There is no die {str(name)[:40]!r} in this throw; there are {known}.")


def _words(slots: tuple[Slot, ...]) -> str:
    """Numbered dice are counted; others, such as one for each of two pilots, are named one by one."""
    kinds = [s.die.kind for s in slots]
    numbered = any(s.name.rsplit(" ", 1)[-1].isdecimal() for s in slots)
    if len(set(kinds)) > 1 or (len(slots) > 1 and not numbered):
        return " and ".join(f"{s.name} {s.die.kind}" if s.name != s.die.kind else s.name for s in slots)
    name = slots[0].name.rsplit(" ", 1)[0] if len(kinds) > 1 else slots[0].name
    count = f"{len(kinds)}{kinds[0]}" if len(kinds) > 1 else kinds[0]
    return count if name == kinds[0] else f"{name} {count}"


_SPEC = re.compile(r"(\d*)([a-zA-Z].*|d\d+)")


@lru_cache(1024)
def dice(spec: str, name: str = "") -> Dice:
    """The dice that a text such as `2d6`, `d100` or `m5` means; `name` is their colour or role on the table."""
    if spec == "d100":
        return Dice((Slot("tens", TENS), Slot("units", UNITS)), percent=True)
    slots: list[Slot] = []
    for part in spec.split("+"):
        match = _SPEC.fullmatch(part.strip())
        if not match:
            raise UsageError(f"{spec!r} does not name dice; write for example 2d6, d100 or m5.")
        count, kind = int(match[1] or 1), die(match[2])
        label = name if name and "+" not in spec else f"{name} {kind.kind}".strip()
        slots += [Slot(label if count == 1 else f"{label} {i}", kind) for i in range(1, count + 1)]
    return Dice(tuple(slots))


def dice_of(**slots: str) -> Dice:
    """Dice by the name of each: `dice_of(white="d6", targeting="m5")`."""
    return _dice_of(tuple(slots.items()))


@lru_cache(1024)
def _dice_of(slots: tuple[tuple[str, str], ...]) -> Dice:
    return Dice(tuple(Slot(name.replace("_", " "), die(kind)) for name, kind in slots))
