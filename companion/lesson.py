"""A lesson: dice are thrown one at a time, somebody says what lies there, and the way they write is found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.config import DiceConfig
from companion.game.errors import UsageError
from companion.sources import ANY

KINDS = ("d6", "d10", "d20", "d12", "d8", "d4")


@dataclass
class Lesson:
    """What was thrown so far. The first die teaches the format; each further one is thrown once, for its name."""

    name: str
    port: str
    baud: int
    kind: str = "d6"
    samples: list[tuple[int | str, tuple[str, ...]]] = field(default_factory=list)
    form: dict[str, Any] = field(default_factory=dict)
    dice: dict[str, str] = field(default_factory=dict)
    text: str = ""

    def take(self, face: int | str, lines: Sequence[str]) -> None:
        """This face lay there when these lines had come; `text` says what it taught. Raises UsageError."""
        if not lines:
            raise UsageError("Nothing has come from the die yet: check cable, port and speed, and throw it again.")
        if self.form:
            self._further(face, lines)
        elif not self.is_our_tower(lines):
            self.show(face, lines)
            self._try()

    def show(self, face: int | str, lines: Sequence[str]) -> None:
        """As `take`, but nothing is concluded from it yet."""
        self.samples.append((face, tuple(lines)))

    def find(self) -> None:
        """The format that fits all that was shown; raises UsageError with the reason where none does."""
        if reason := self._infer():
            raise UsageError(reason)

    def _try(self) -> None:
        from drivers.dice.teach import LEAST_FACES

        seen = len({face for face, _ in self.samples})
        reason = self._infer()
        if reason:
            self.text = reason if seen >= LEAST_FACES else f"{seen} of {LEAST_FACES} different faces so far."

    def _infer(self) -> str:
        """Why no format fits, or ''."""
        from drivers.dice.formats import Refused, stored
        from drivers.dice.teach import Sample, infer

        lesson = infer([Sample(*sample) for sample in self.samples], self.kind)
        if isinstance(lesson, Refused):
            return lesson.reason
        self.form, self.text = stored(lesson.form), lesson.text
        self.dice = dict.fromkeys(self._names(self.samples[-1][1], self.samples[-1][0]), self.kind)
        return ""

    def is_our_tower(self, lines: Sequence[str]) -> bool:
        """A tower of the reference format tells what its dice are: there is nothing to teach it."""
        from drivers.dice.formats import Reading, Reference

        said = [one for one in map(Reference().parse, lines) if isinstance(one, Reading)]
        if said:
            self.form, self.text = (
                {"name": "reference"},
                "This tower names its dice itself: there is nothing to teach it.",
            )
        return bool(said)

    def other(self, kind: str) -> None:
        """The next die is of this kind."""
        if kind not in KINDS:
            raise UsageError(f"A lesson is for {', '.join(KINDS)}; other dice are named in the settings file.")
        if self.form and not self.dice:
            raise UsageError("These dice do not say which of them was thrown, so all must be of the kind just taught.")
        if not self.form:
            self.samples.clear()
        self.kind = kind

    def _further(self, face: int | str, lines: Sequence[str]) -> None:
        fresh = [name for name in self._names(lines, face) if name not in self.dice]
        if len(fresh) != 1:
            raise UsageError(f"No single new die says {face} in what came; throw one die alone, then touch its face.")
        self.dice[fresh[0]] = self.kind
        self.text = f"Die {fresh[0]} is a {self.kind}."

    def _names(self, lines: Sequence[str], face: int | str) -> list[str]:
        """The dice that say this face, by name, whatever they are called."""
        from drivers.dice.formats import Reading, format_named

        own = {key: value for key, value in self.form.items() if key not in ("name", "names")}
        form = format_named(self.form["name"], **({**own, "kind": ANY} if "kind" in own else own))
        readings = [one for one in map(form.parse, lines) if isinstance(one, Reading) and one.kind == "throw"]
        return list(dict.fromkeys(f.die for one in readings for f in one.faces if f.die and f.value == face))

    def learned(self) -> DiceConfig:
        """The source as a setting; raises UsageError before anything was learned."""
        if not self.form:
            raise UsageError("Nothing is learned yet: throw the die, and touch the face that lies there.")
        named = self.form["name"] not in ("reference", "cd1") and (self.dice if len(self.dice) > 1 else {})
        dropped = {"name", "pattern", *(("names", "kind") if named else ())}
        settings = {key: _plain(value) for key, value in self.form.items() if key not in dropped}
        return DiceConfig(
            self.name, port=self.port, format=self.form["name"], baud=self.baud, pattern=self.form.get("pattern", ""),
            settings=settings, dice=named or {},
        )  # fmt: skip


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
