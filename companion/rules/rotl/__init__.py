"""Rise of the Luftwaffe: rules, state, charts and pages."""

from companion.rules.rotl.game import GAME

__all__ = ["GAME"]
