"""Rise of the Luftwaffe: rules, state, charts and pages."""

from typing import Any

TITLE = "Rise of the Luftwaffe"


def __getattr__(name: str) -> Any:
    """`GAME`, loaded when it is first asked for: the home page needs no more than the title."""
    if name != "GAME":
        raise AttributeError(name)
    from companion.rules.rotl.game import GAME

    return GAME
