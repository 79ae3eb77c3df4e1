"""Fast-Play WWII: cards chosen in secret, turned up one by one, and shots straight ahead."""

from typing import Any

TITLE = "Fast-Play WWII"


def __getattr__(name: str) -> Any:
    """`GAME`, loaded when it is first asked for: the home page needs no more than the title."""
    if name != "GAME":
        raise AttributeError(name)
    from companion.rules.fastplay.game import GAME

    return GAME
