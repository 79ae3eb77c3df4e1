"""Age of Dogfights: WWII."""

from companion.rules.aod.game import GAME

__all__ = ["GAME"]
