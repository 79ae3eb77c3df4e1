"""A set-up from units that were picked on a screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.game import offers, registry
from companion.umpire import Pick, UsageError


def setup(game: str, sides: Sequence[Sequence[str]], formation: str = "") -> dict[str, Any]:
    """What `Tables.new` takes; `sides` are the units of each side, Axis first. '' leaves places to the table."""
    picks = tuple(Pick(unit, n) for n, side in enumerate(sides) for unit in side)
    found = registry.game(game)
    formations = offers.formations(found)
    if formation and formation not in formations:
        raise UsageError(
            f"{found.title} has no formation {formation[:40]!r}; it has {', '.join(formations) or 'none'}."
        )
    composed = found.compose(picks)
    return formations[formation].place(composed) if formation else composed
