"""Age of Dogfights: WWII."""

from typing import Any

TITLE = "Age of Dogfights: WWII"


def __getattr__(name: str) -> Any:
    """`GAME`, loaded when it is first asked for: the home page needs no more than the title."""
    if name != "GAME":
        raise AttributeError(name)
    from companion.rules.aod.game import GAME

    return GAME
