"""What the table may set by hand on a pilot and a plane."""

from collections.abc import Iterator

from companion.rules.fastplay.mat import FACINGS
from companion.rules.fastplay.state import Pilot, State
from companion.umpire import Context, Settable

_MOST_VICTORIES = 20


def settable(state: State, _context: Context) -> tuple[Settable, ...]:
    """Hits, victories, facing, and whether the plane flies."""
    return tuple(found for pilot in state.pilots for found in _of(pilot, state))


def _of(pilot: Pilot, state: State) -> Iterator[Settable]:
    yield _one(pilot, "Hits", "Resolve Shooting", "hits", range(pilot.points + 1))
    yield _one(pilot, "Victories", "Victories", "victories", range(max(_MOST_VICTORIES, pilot.victories) + 1))
    if state.mat and pilot.flies:
        yield _one(pilot, "Facing", "Play Card and Move Planes", "facing", FACINGS)
    now = "yes" if pilot.flies else pilot.out
    choices = (("yes", {"out": ""}), ("shot down", {"out": "shot down"}), ("left the mat", {"out": "left the mat"}))
    yield Settable(pilot.key, "On the mat", "Leaving the Board", "set", choices, now)


def _one(pilot: Pilot, label: str, rule: str, field: str, values: range | tuple[str, ...]) -> Settable:
    choices = tuple((str(value), {field: value}) for value in values)
    return Settable(pilot.key, label, rule, "set", choices, str(getattr(pilot, field)))
