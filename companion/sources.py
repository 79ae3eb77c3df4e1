"""From a setting to a source of dice: its driver, the kinds of its dice, and what stands in for a part that fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.config import DiceConfig
from drivers import BadSetting
from drivers.dice import DiceSource, Face, Sink, Slot, Status
from drivers.dice.kinds import faces_of, fits

if TYPE_CHECKING:
    from drivers.dice.formats import Format, Parsed

ANY = "any"
"""A kind that takes every number, for a format whose dice are told apart by name."""

_TELL_THEIR_KINDS = ("cd1", "reference")


class OffSource:
    """In the place of a source that cannot be made: it says why, and nothing else."""

    def __init__(self, name: str, reason: str) -> None:
        self.name, self._reason = name, reason

    def start(self, sink: Sink) -> None: ...

    def stop(self) -> None: ...

    def arm(self, slots: Sequence[Slot]) -> None: ...

    def acknowledge(self, number: int) -> None: ...

    def status(self) -> Status:
        return Status("off", off(self._reason))


class KnownDice:
    """A format whose dice are known by name, as `{w = "d6", t = "d20"}`: each is read as what it is."""

    def __init__(self, form: Format, kinds: Mapping[str, str]) -> None:
        self._form, self._kinds = form, kinds

    def parse(self, line: str) -> Parsed:
        from drivers.dice.formats import Reading, Refused

        parsed = self._form.parse(line)
        if not isinstance(parsed, Reading):
            return parsed
        faces = tuple(replace(f, kind=f.kind or self._kinds.get(f.die)) for f in parsed.faces)
        wrong = next((f for f in faces if parsed.kind == "throw" and not self._fits(f)), None)
        return Refused(_why(wrong)) if wrong else replace(parsed, faces=faces)

    def _fits(self, face: Face) -> bool:
        return face.kind is not None and fits(face.kind, face.value)


def _why(face: Face) -> str:
    if face.kind is None:
        return f"No die is called {face.die!r}; name it under dice in the settings."
    return f"No {face.kind} can show {face.value}; the whole line is refused."


def node(port: str) -> str:
    """What a port leads to now; the name itself where nothing is there."""
    from drivers import DriverError
    from drivers.dice.ports import find_port

    try:
        return find_port(port)
    except DriverError:
        return port


def make(die: DiceConfig) -> DiceSource:
    """The source of a setting; one that cannot be made is there too, and says what to do."""
    try:
        return source_from(die)
    except Exception as error:  # a driver of any kind, a library that is missing
        return OffSource(die.name, str(error))


def off(reason: str) -> str:
    """As every part says that it does not work."""
    return reason if reason.startswith("off: ") else f"off: {reason}"


def source_from(die: DiceConfig) -> DiceSource:
    """The driver that a setting names; raises BadSetting."""
    if die.kind == "gpio":
        from drivers.dice.gpio import GpioDice, Pins

        return GpioDice(die.name, Pins.of(die.pins))
    if die.kind == "software":
        from drivers.dice.software import SoftwareDice

        return SoftwareDice(die.name, at_once=True)
    from drivers.dice.serial import SerialDice

    if not die.port:
        raise BadSetting(f"The dice {die.name} have no port; set one, best from /dev/serial/by-id.")
    return SerialDice(die.name, die.port, form_of(die), die.baud, settle_s=die.settle)


def form_of(die: DiceConfig) -> Format:
    """The format with all that the setting says of its dice; raises BadSetting."""
    from drivers.dice.formats import format_named

    settings: dict[str, Any] = die.settings | ({"pattern": die.pattern} if die.pattern else {})
    if not die.dice or die.format in _TELL_THEIR_KINDS:
        return format_named(die.format, **settings)
    named = {"names": list(die.dice)} if die.format == "name-value" else {}
    return KnownDice(format_named(die.format, **{"kind": ANY, **named, **settings}), die.dice)


def serves(die: DiceConfig, kind: str, sides: int) -> bool:
    """Whether this source has a die for a slot of that kind: any six-sided one does for all six-sided ones."""
    if die.kind == "software" or {"roll", "dial_a"} & die.pins.keys():
        return True
    six = sides == 6
    if die.kind == "gpio":
        return six and sum(name.startswith("face_") for name in die.pins) == 6
    kinds = set(die.dice.values()) or {str(die.settings.get("kind", "d6"))}
    return bool(kinds & {kind, kind.split(" ")[0]}) or (six and "d6" in kinds)


def drawable(kind: str, sides: int) -> str:
    """The kind as sources know it: a special die is asked for by its number of sides, and read by place."""
    return kind if faces_of(kind) else f"d{sides}"
