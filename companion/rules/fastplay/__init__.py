"""Fast-Play WWII: cards chosen in secret, turned up one by one, and shots straight ahead."""

from companion.rules.fastplay.game import GAME

__all__ = ["GAME"]
