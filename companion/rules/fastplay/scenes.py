"""A small picture of a card's move: where the plane is now, and where the card takes it. Ahead is up, as on paper."""

from __future__ import annotations

from math import sqrt

from companion.grid.hexes import Hex, Side
from companion.rules.fastplay.cards import known_path, manoeuvres
from companion.rules.fastplay.mat import flown
from companion.umpire import Context, Mark, Scene


def scene(context: Context, role: str, option: str) -> Scene | None:
    """The move by the table's own cells, for whoever chooses a card or says which one lies there."""
    if option not in manoeuvres() or role.split(":")[0] not in ("stack", "card"):
        return None
    at, nose = flown(Hex(0, 0), Side.E, known_path(context, option)[0])
    left = at.r * sqrt(3) / 2
    return Scene("above", Mark(round(-left, 3), at.q + at.r / 2, 90 + 60 * nose), Mark(nose=90))
