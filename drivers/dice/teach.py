"""Finds out how a device writes what it sees, from faces that the player showed it and the lines that came.

Pure. Nothing is guessed in play: this runs once, shows what it found, and the result is stored for the port.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from drivers import BadSetting
from drivers.dice import shown
from drivers.dice.formats import (
    Bare,
    Format,
    Json,
    NameValue,
    Pattern,
    Plain,
    Reading,
    Reference,
    Refused,
    stored,
)

LEAST_FACES = 3


@dataclass(frozen=True, slots=True)
class Sample:
    """The player put the die on `face`; `lines` came meanwhile, without their ends."""

    face: int | str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A format that reads every sample right, with a sentence that says so."""

    form: Format
    text: str


def infer(samples: Sequence[Sample], kind: str = "d6") -> Lesson | Refused:
    """The strictest format that reads each sample as its face and as nothing else, or why there is none."""
    if reason := _too_little(samples):
        return Refused(reason)
    for form in _candidates(samples, kind):
        if all(_read(form, sample) == {sample.face} for sample in samples):
            return Lesson(form, f"The format is {stored(form)['name']}: {_example(form, samples[-1])}.")
    return Refused(_why_not(samples, kind))


def _too_little(samples: Sequence[Sample]) -> str:
    if any(not sample.lines for sample in samples):
        face = next(sample.face for sample in samples if not sample.lines)
        return f"Nothing came for face {face}: check cable and baud rate, and that the device ends its lines."
    if len({sample.face for sample in samples}) < LEAST_FACES:
        return f"Show at least {LEAST_FACES} different faces, or chance alone could look like a rule."
    return ""


def _candidates(samples: Sequence[Sample], kind: str) -> Iterable[Format]:
    yield Reference()
    yield Json(kind)
    names = _names(samples)
    yield from (NameValue(kind, some) for some in (names, *((name,) for name in names)))
    yield Plain(kind)
    named = tuple(sorted({sample.face for sample in samples if isinstance(sample.face, str)}))
    if named:
        yield Bare(named, kind)
    yield from _frames(samples, kind)


def _names(samples: Sequence[Sample]) -> tuple[str, ...]:
    """The names that stand before a value in every sample; a line that came once by chance has another."""
    form, each = NameValue(kind="any"), []
    for sample in samples:
        readings = [form.parse(line) for line in sample.lines]
        each.append({face.die for reading in readings if isinstance(reading, Reading) for face in reading.faces})
    return tuple(sorted(set.intersection(*each) - {""}))


def _read(form: Format, sample: Sample) -> set[int | str]:
    """Every face that the format takes from the sample's lines; a throw of several dice is one odd value."""
    throws = [one for one in map(form.parse, sample.lines) if isinstance(one, Reading) and one.kind == "throw"]
    return {one.faces[0].value if len(one.faces) == 1 else "several" for one in throws}


def _frames(samples: Sequence[Sample], kind: str) -> Iterable[Format]:
    """Patterns made of what stands around the face in each sample alike, as in `You rolled a [4]!`."""
    each = [set(_around(sample)) for sample in samples]
    for before, after in sorted(set.intersection(*each), key=lambda frame: -len("".join(frame))):
        face = "(?P<face>[0-9]{1,3})" if isinstance(samples[0].face, int) else "(?P<face>[A-Za-z0-9]{1,16})"
        try:
            yield Pattern(re.escape(before) + face + re.escape(after), kind)
        except BadSetting:  # too long a line to be a pattern
            continue


def _around(sample: Sample) -> Iterable[tuple[str, str]]:
    word = rf"(?<![A-Za-z0-9]){re.escape(str(sample.face))}(?![A-Za-z0-9])"
    for line in sample.lines:
        for found in re.finditer(word, line):
            yield line[: found.start()], line[found.end() :]


def _why_not(samples: Sequence[Sample], kind: str) -> str:
    for form in (Json("any"), NameValue("any"), Plain("any")):
        apart = {_distance(form, sample) for sample in samples}
        if len(apart) == 1 and (shift := apart.pop()):
            way = "more" if shift > 0 else "less"
            return f"The device always says {abs(shift)} {way} than the face: it sends an index; mend its program."
    mixed = next((one for one in samples if len(_read(NameValue("any"), one) | _read(Plain(kind), one)) > 1), None)
    if mixed:
        return f"Several values came for face {mixed.face} alone: put down one die, and wait until it lies still."
    line = shown(samples[-1].lines[-1])
    return f"No rule fits: for face {samples[-1].face} the last line was {line!r}; give a pattern of your own."


def _distance(form: Format, sample: Sample) -> int | None:
    values = _read(form, sample)
    only = next(iter(values)) if len(values) == 1 else None
    return only - sample.face if isinstance(only, int) and isinstance(sample.face, int) else None


def _example(form: Format, sample: Sample) -> str:
    for line in sample.lines:
        parsed = form.parse(line)
        if isinstance(parsed, Reading) and parsed.kind == "throw":
            return f"{shown(line.strip())!r} is {sample.face}"
    return ""
