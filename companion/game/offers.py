"""What only some games offer beside what each must: pictures, values to set by hand, scenarios, formations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.game.table import Table
from companion.umpire import Formation, Mark, Scenario, Scene, Settable


def scene(table: Table, ask: Mapping[str, Any], option: Mapping[str, Any]) -> Scene | None:
    """How it looks where an option is right: worked out by the game, or listed by role and by words or key."""
    game: Any = table.game
    if hasattr(game, "scene"):
        found: Scene | None = game.scene(table.context, ask["role"], option["key"])
        return found
    listed: Mapping[str, Scene] = getattr(game, "scenes", {}).get(ask["role"].split(" ")[0], {})
    return listed.get(option["text"]) or listed.get(option["key"])


def settable(table: Table, piece: str = "") -> list[Settable]:
    """What a ruling may set on a piece, or on any."""
    found = getattr(table.game, "settable", lambda *_: ())(table.state, table.context)
    return [value for value in found if piece in ("", value.piece)]


def scenarios(game: Any) -> Mapping[str, Scenario]:
    return getattr(game, "scenarios", {})


def formations(game: Any) -> Mapping[str, Formation]:
    return getattr(game, "formations", {})


__all__ = ["Mark", "Scene", "Settable", "formations", "scenarios", "scene", "settable"]
