"""What the table may set by hand on an aircraft."""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.rotl.aircraft import ALTITUDES
from companion.rules.rotl.state import Dogfight, Element
from companion.umpire import Context, Settable


def settable(state: Dogfight, _context: Context) -> tuple[Settable, ...]:
    """The altitude of an element, at its leader, and the hits of each aircraft that flies."""
    return tuple(found for element in state.elements for found in _of(state, element))


def _of(state: Dogfight, element: Element) -> Iterator[Settable]:
    if element.leader.flying:
        levels = tuple((level, level) for level in ALTITUDES)
        yield Settable(element.leader.key, "Altitude", "Altitude", "altitude", levels, element.altitude, element.key)
    for plane in element.planes:
        if plane.flying:
            _, last = state.capacity(element, plane)
            hits = tuple((str(n), n) for n in range(last + 1))
            yield Settable(plane.key, "Hits", "Altitude / Hit Markers", "set hits", hits, str(plane.hits))
