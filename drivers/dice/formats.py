"""What a line of a die or tower means: pure parsers, one for each format that real devices send.

A line is taken whole or refused whole: one part out of range spoils it, because sketches are known that
glue the last die and the sum together. A format is chosen once, when the device is taught, never guessed.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Protocol

from drivers import BadSetting
from drivers.dice import UNREADABLE, EventKind, Face
from drivers.dice.firmware.protocol import crc8
from drivers.dice.kinds import fits

DICE_LIMIT = 20
JSON_LIMIT = 4096


@dataclass(frozen=True, slots=True)
class Hello:
    """What a reference tower says of itself; a new `boot` means that it counts from the start again."""

    id: str
    boot: str
    firmware: str
    dice: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """A line that was understood."""

    kind: EventKind
    faces: tuple[Face, ...] = ()
    text: str = ""
    number: int | None = None
    hello: Hello | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """A line that is no result; the reason is a plain sentence."""

    reason: str


Parsed = Reading | Refused


class Format(Protocol):
    def parse(self, line: str) -> Parsed: ...


def thrown(faces: tuple[Face, ...], kind: str = "", number: int | None = None) -> Parsed:
    """A throw, unless one of its dice cannot show what it says; `kind` is for dice that name none."""
    for one in faces:
        if not fits(one.kind or kind or None, one.value):
            return Refused(f"No {one.kind or kind or 'die'} can show {one.value}; the whole line is refused.")
    said = ", ".join(f"{one.die} {one.value}".strip() for one in faces)
    return Reading("throw", faces, f"Thrown: {said}.", number)


NOT_A_RESULT = Refused("This line is not a result.")
MOVING = Reading("moving", text="A die is moving.")


@dataclass(frozen=True, slots=True)
class Plain:
    """Numbers alone, as `4` or `3, 5, 6`; the padding of a micro:bit is allowed."""

    kind: str = "d6"

    _line: ClassVar = re.compile(r" {0,31}[0-9]{1,3}( ?, ?[0-9]{1,3}){0,19} *")

    def parse(self, line: str) -> Parsed:
        if not self._line.fullmatch(line):
            return NOT_A_RESULT
        return thrown(tuple(Face("", int(part)) for part in line.split(",")), self.kind)


@dataclass(frozen=True, slots=True)
class NameValue:
    """A name and a number: `d6:4`, `Oak = 17`, `Result: 4`, `Face 4`, or `Roll Oak: ON_FACE value: 4`.

    With `names`, no other name is a die; without, every name is, and the range alone keeps noise away.
    """

    kind: str = "d6"
    names: tuple[str, ...] = ()

    _line: ClassVar = re.compile(r"([A-Za-z][A-Za-z0-9_-]{0,15}) ?[:=] ?([0-9]{1,3}) *")
    _word: ClassVar = re.compile(r"(?:Result|Face):? ([0-9]{1,3}) *")
    _gateway: ClassVar = re.compile(r"Roll ([ -~]{1,32}): ([A-Z_]{1,16}) value: ([0-9]{1,3}) *")

    def parse(self, line: str) -> Parsed:
        if re.fullmatch(r"(?i:rolling)(\.{3})? *", line):
            return MOVING
        if word := self._word.fullmatch(line):
            return thrown((Face("", int(word[1])),), self.kind)
        if gateway := self._gateway.fullmatch(line):
            return _rolled(gateway[2], gateway[1], int(gateway[3]), None, self.kind)
        found = self._line.fullmatch(line)
        return self._named(found[1], int(found[2])) if found else NOT_A_RESULT

    def _named(self, name: str, value: int) -> Parsed:
        if re.fullmatch(r"[dD][0-9]{1,3}", name):
            return thrown((Face("", value, name.lower()),))
        if self.names and name not in self.names:
            return Refused(f"No die is called {name}.")
        return thrown((Face(name, value),), self.kind)


@dataclass(frozen=True, slots=True)
class Bare:
    """Face names alone, for special dice: `blue` or `C,blue`; only the names given are faces."""

    faces: tuple[str, ...]
    kind: str = "special"

    def parse(self, line: str) -> Parsed:
        words = [word.strip() for word in line.split(",", DICE_LIMIT)]
        if not all(word in self.faces for word in words):
            return NOT_A_RESULT
        return thrown(tuple(Face("", word, self.kind) for word in words))


# 1 was "on face" and is now "rolled properly"; 5 lies on a face without a proper roll.
_ROLL_STATES = {
    0: "unknown", 1: "rolled", 2: "handling", 3: "rolling", 4: "crooked", 5: "resting",
    "rolled": "rolled", "ON_FACE": "rolled", "handling": "handling", "rolling": "rolling",
    "crooked": "crooked", "onFace": "resting",
}  # fmt: skip


def _rolled(state: object, die: str, value: int | str, die_kind: str | None, kind: str) -> Parsed:
    plain = state if isinstance(state, int) else str(state)
    known = _ROLL_STATES.get(plain) or _ROLL_STATES.get(str(plain).lower(), "unknown")
    face = Face(die, value, die_kind)
    if known == "rolled":
        return thrown((face,), kind)
    if known == "crooked":
        return Reading("cocked", (Face(die, UNREADABLE, die_kind),), f"Die {die or 'of this source'} is cocked.")
    if known in ("handling", "rolling"):
        return Reading("moving", (Face(die, UNREADABLE, die_kind),), f"Die {die or 'of this source'} is moving.")
    return Refused("The die lies on a face without having been thrown.")


@dataclass(frozen=True, slots=True)
class Json:
    """One JSON object: Pixels gateways and their phone app, and camera readers.

    `confidence` is the bound under which a camera's reading counts as cocked. A die with a `pixelId` goes
    by it, since gateways are known that send garbage for names.
    """

    kind: str = "d6"
    confidence: float = 0.8

    def parse(self, line: str) -> Parsed:
        if len(line) > JSON_LIMIT or not line.lstrip().startswith("{"):
            return NOT_A_RESULT
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            return Refused("This line is broken JSON.")
        return self._object(data)

    def _object(self, data: dict[str, object]) -> Parsed:
        die = _text(data, "pixelId", "name", "pixelName")
        die_kind = _die_type(data.get("dieType"))
        if data.get("detected") is False or self._is_doubtful(data.get("confidence")):
            return Reading("cocked", (Face(die, UNREADABLE, die_kind),), "The camera is not sure of this die.")
        value = next((data[key] for key in ("val", "value", "faceValue", "face") if key in data), None)
        if isinstance(value, bool) or not isinstance(value, int):
            return Refused("This JSON holds no face.")
        state = data.get("state", data.get("rollState", 1))
        return _rolled(state, die, value, die_kind, self.kind)

    def _is_doubtful(self, confidence: object) -> bool:
        return isinstance(confidence, int | float) and not confidence >= self.confidence


def _text(data: Mapping[str, object], *keys: str) -> str:
    found = next((str(data[key]) for key in keys if isinstance(data.get(key), str | int)), "")
    return "".join(c for c in found if c.isprintable())[:32]


def _die_type(told: object) -> str | None:
    kind = str(told).lower()
    return kind if re.fullmatch(r"d[0-9]{1,3}", kind) else None


@dataclass(frozen=True, slots=True)
class Pattern:
    r"""A pattern of the player's own with groups `face` and, if wanted, `die`: `(?P<die>\w+) is (?P<face>\d+)`.

    Patterns that could take for ever on a hostile line are refused: no group is repeated, and there are
    few places where the match may go either way.
    """

    pattern: str
    kind: str = "d6"
    _regex: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_regex", _safe_pattern(self.pattern))

    def parse(self, line: str) -> Parsed:
        found = self._regex.fullmatch(line)
        if not found:
            return NOT_A_RESULT
        parts = found.groupdict()
        face = parts["face"] or ""
        value = int(face) if re.fullmatch("[0-9]{1,3}", face) else face
        return thrown((Face(parts.get("die") or "", value),), self.kind)


def _safe_pattern(pattern: str) -> re.Pattern[str]:
    slow = re.search(r"\)[*+{]|\\[0-9]|\(\?[^:P]|\(\?P[^<]", pattern)
    wide, narrow = len(re.findall(r"[*+{]", pattern)), len(re.findall(r"(?<!\()[?|]", pattern))
    if len(pattern) > 200 or slow or wide > 3 or wide + narrow > 4:
        raise BadSetting(
            f"The dice pattern {pattern!r} is too wide: use at most three of * + {{ and few of ? |, repeat no group."
        )
    try:
        regex = re.compile(pattern, re.ASCII)
    except re.error as problem:
        raise BadSetting(f"The dice pattern {pattern!r} is broken: {problem}.") from None
    if "face" not in regex.groupindex:
        raise BadSetting(f"The dice pattern {pattern!r} needs a group called face, as in (?P<face>[0-9]+).")
    return regex


@dataclass(frozen=True, slots=True)
class Reference:
    """The line of our own towers: numbered, checked by a CRC, sent again until it is acknowledged."""

    LIMIT: ClassVar = 80
    _line: ClassVar = re.compile(r"(CD1 ([ -~]+)) \*([0-9A-F]{2})")
    _hello: ClassVar = re.compile(
        r"hello id=([A-Za-z0-9]{1,16}) boot=([A-Za-z0-9]{1,8}) fw=([0-9.]{1,8}) dice=([A-Za-z0-9:,_-]{1,60})"
    )
    _throw: ClassVar = re.compile(r"([0-9]{1,9}) ([^ ]+)(?: t=[0-9]{1,6})?")
    _cocked: ClassVar = re.compile(r"([0-9]{1,9}) cocked ([A-Za-z0-9_-]{1,16})")
    _moving: ClassVar = re.compile(r"([0-9]{1,9}) moving")
    _die: ClassVar = re.compile(
        r"([A-Za-z0-9_-]{1,16})=([A-Za-z][A-Za-z0-9]{0,9}):([0-9]{1,3}|[A-Za-z+-][A-Za-z0-9+-]{0,9})"
    )

    def parse(self, line: str) -> Parsed:
        found = self._line.fullmatch(line.rstrip(" ")) if len(line) <= self.LIMIT else None
        if not found:
            return NOT_A_RESULT
        if f"{crc8(found[1].encode()):02X}" != found[3]:
            return Refused("The checksum is wrong, so the line was damaged on its way.")
        return self._body(found[2])

    def _body(self, body: str) -> Parsed:
        if hello := self._hello.fullmatch(body):
            return _greeting(*hello.groups())
        if moving := self._moving.fullmatch(body):
            return Reading("moving", text="Something moves in the tower.", number=int(moving[1]))
        if cocked := self._cocked.fullmatch(body):
            text = f"Die {cocked[2]} is cocked or cannot be read."
            return Reading("cocked", (Face(cocked[2], UNREADABLE),), text, int(cocked[1]))
        throw = self._throw.fullmatch(body)
        return self._dice(int(throw[1]), throw[2].split(",")) if throw else NOT_A_RESULT

    def _dice(self, number: int, parts: list[str]) -> Parsed:
        dice = [self._die.fullmatch(part) for part in parts]
        faces = tuple(Face(d[1], int(d[3]) if d[3].isdigit() else d[3], d[2]) for d in dice if d)
        if len({face.die for face in faces}) < len(parts):
            return Refused("A die of this throw cannot be read, or is there twice.")
        return thrown(faces, number=number)


def _greeting(tower: str, boot: str, firmware: str, dice: str) -> Parsed:
    pairs = tuple(tuple(one.split(":")) for one in dice.split(","))
    if any(len(pair) != 2 for pair in pairs):
        return Refused("The tower's list of dice cannot be read.")
    hello = Hello(tower, boot, firmware, pairs)  # type: ignore[arg-type]
    return Reading("hello", text=f"Tower {tower} is here with {dice}.", hello=hello)


FORMATS: dict[str, Callable[..., Format]] = {
    "plain": Plain,
    "name-value": NameValue,
    "json": Json,
    "bare": Bare,
    "pattern": Pattern,
    "cd1": Reference,
    "reference": Reference,
}


def format_named(name: str, **values: Any) -> Format:
    """The format that a config file or a lesson names, as `format_named("plain", kind="d10")`; raises BadSetting."""
    if name not in FORMATS:
        raise BadSetting(f"There is no dice format {name!r}; use {', '.join(FORMATS)}.")
    try:
        return FORMATS[name](**{key: _setting(key, value) for key, value in values.items()})
    except TypeError:
        raise BadSetting(f"The dice format {name} cannot have {values}; see its settings.") from None


def stored(form: Format) -> dict[str, Any]:
    """The format as plain values, such that `format_named(**stored(form))` is the same."""
    name = next(name for name, maker in FORMATS.items() if maker is type(form))
    settings = [one.name for one in fields(form) if one.init]  # type: ignore[arg-type]
    return {"name": name} | {one: getattr(form, one) for one in settings}


def _setting(key: str, value: Any) -> Any:
    if key in ("faces", "names") and isinstance(value, list | tuple) and all(isinstance(v, str) for v in value):
        return tuple(value)
    if key not in ("faces", "names") and isinstance(value, float if key == "confidence" else str):
        return value
    raise TypeError(key)
