"""A set-up from units that were picked on a screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.game import registry
from companion.umpire import Pick


def setup(game: str, sides: Sequence[Sequence[str]]) -> dict[str, Any]:
    """What `Tables.new` takes; `sides` are the units of each side, Axis first."""
    picks = tuple(Pick(unit, n) for n, side in enumerate(sides) for unit in side)
    return registry.game(game).compose(picks)
