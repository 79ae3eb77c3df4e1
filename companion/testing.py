"""For those who write packs and games: judge a pack, run a procedure with it, play a table, rehearse tower and printer.

It stands on what the product itself uses; nothing here needs a Pi. `companion/docs/developer.md` shows it at work.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import copy2
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from companion.game import own, resolving
from companion.game.errors import CompanionError
from companion.game.own import Pack
from companion.game.statuses import DONE
from companion.rehearsal import Rehearsal
from companion.umpire import Answer, Filled

if TYPE_CHECKING:
    from companion.game.table import Table

House = Literal["use", "ask", "refuse"]
Packs = Sequence[Path | str]


class NotDone(CompanionError, AssertionError):
    """A case came to no result; `said` holds its asks or its violations, `status` is the exit status."""

    def __init__(self, said: Mapping[str, Any], status: int) -> None:
        self.said, self.status = said, status
        reasons = [said.get("error", ""), *(v["text"] for v in said.get("violations", ()))]
        asks = ", ".join(ask["address"] for ask in said.get("asks", ()))
        super().__init__(" ".join(filter(None, [*reasons, asks and f"An answer is missing: {asks}."])))


def pack(file: Path | str, game: str = "") -> Pack:
    """The figures of a pack; raises PackError with every fault. A CSV file does not say its game: name it."""
    return own.read(Path(file), game)


def resolve(
    procedure: str,
    *,
    answers: Sequence[Mapping[str, Any]] = (),
    packs: Packs = (),
    switches: Mapping[str, Any] | None = None,
    house: House = "use",
    **inputs: Any,
) -> dict[str, Any]:
    """What `companion resolve` gives, with the figures of these packs; raises NotDone where it gives no result."""
    return _done(resolving.resolve(procedure, _case(inputs, answers, switches, house), figures=_figures(packs)))


def odds(
    procedure: str,
    *,
    answers: Sequence[Mapping[str, Any]] = (),
    packs: Packs = (),
    switches: Mapping[str, Any] | None = None,
    house: House = "use",
    about: str = "",
    **inputs: Any,
) -> dict[str, Any]:
    """What `companion odds` gives, with the figures of these packs; raises NotDone where it gives none."""
    case = _case(inputs, answers, switches, house)
    return _done(resolving.odds(procedure, case, about=about, figures=_figures(packs)))


@contextmanager
def table(game: str, *, packs: Packs = (), house: str = "use", preset: str = "") -> Iterator[Table]:
    """A new table of a game in a folder of its own, with these packs; gone at the end."""
    from companion.game.tables import Tables

    with tempfile.TemporaryDirectory(prefix="companion-testing-") as folder:
        shelf = Path(folder) / "packs"
        shelf.mkdir()
        for file in packs:
            copy2(file, shelf)
        tables = Tables(Path(folder))
        try:
            yield tables.new(game, preset=preset, house=house)
        finally:
            tables.close()


@contextmanager
def rehearsal(faults: str = "") -> Iterator[Rehearsal]:
    """A virtual tower on a real serial line and a virtual printer on a real network line, as `serve --demo` has them.

    `adapt` puts them into settings, `throw` throws, `switch` has other faults from then on.
    """
    made = Rehearsal(faults)
    try:
        yield made
    finally:
        made.close()


def _case(
    inputs: Mapping[str, Any], answers: Sequence[Mapping[str, Any]], switches: Mapping[str, Any] | None, house: House
) -> resolving.Case:
    given = [msgspec.convert(dict(answer), Answer) for answer in answers]
    return resolving.Case(dict(inputs), dict(switches or {}), given, house)


def _figures(packs: Packs) -> dict[tuple[str, ...], Filled]:
    return {keys: cell for file in packs for keys, cell in pack(file).cells.items()}


def _done(outcome: resolving.Outcome) -> dict[str, Any]:
    said, status = outcome
    if status != DONE:
        raise NotDone(said, status)
    return said


__all__ = ["NotDone", "Pack", "Rehearsal", "odds", "pack", "rehearsal", "resolve", "table"]
