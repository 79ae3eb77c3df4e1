"""Pictures of a situation for the asks about it: where both stand, how they are tilted, how far they are apart."""

from collections.abc import Mapping
from math import cos, radians, sin

from companion.umpire import Mark, Scene

_ME = Mark()
_CLOCK = {"12": 0, "2": -60, "4": -120, "6": 180, "8": 120, "10": 60}
"""Degrees to the left of the nose."""


def _at(hour: str, steps: int = 1) -> tuple[float, float]:
    turn = radians(_CLOCK[hour])
    return round(steps * cos(turn), 3), round(steps * sin(turn), 3)


def _ahead(steps: int) -> Scene:
    return Scene("above", _ME, Mark(steps, 0))


def _beside(hour: str) -> Scene:
    return Scene("above", _ME, Mark(*_at(hour)))


def _rise(levels: int) -> Scene:
    return Scene("side", _ME, Mark(1.2, levels))


_B = Scene("above", Mark(*_at("4"), 60), _ME)
"""At the target's 4 o'clock, the nose on it (4.5.2)."""
_HEAD_ON = Scene("above", _ME, Mark(2, 0, 180))
_BANKED = Scene("behind", _ME, Mark(0, 0.8, tilt=1))
_PITCHED = Scene("side", _ME, Mark(1.3, 0.2, tilt=1))

SCENES: Mapping[str, Mapping[str, Scene]] = {
    "position": {
        "A 1d": _ahead(1),
        "A 2d": _ahead(2),
        "A": _ahead(1),
        "B": _B,
        "C": _HEAD_ON,
        "C-frontal": _HEAD_ON,
        "C-parallel": _beside("10"),
        "upward": Scene("side", Mark(tilt=0), Mark(1, 1)),
    },
    "tilt": {
        "roll differs": _BANKED,
        "target banked": _BANKED,
        "pitch differs": _PITCHED,
        "target pitched": _PITCHED,
        "Both are pitched": Scene("side", Mark(tilt=1), Mark(1.3, 0.5, tilt=1)),
        "opposite": Scene("behind", Mark(tilt=-1), Mark(0, 0.8, tilt=1)),
    },
    "distance": {f"{steps}d": _ahead(steps) for steps in (1, 2, 3)},
    "hour": {hour: _beside(hour) for hour in _CLOCK},
    "rise": {"above": _rise(1), "same": _rise(0), "below": _rise(-1)},
    "pitch": {"level": Scene("side", _ME), "up": Scene("side", Mark(tilt=1)), "down": Scene("side", Mark(tilt=-1))},
    "roll": {
        "level": Scene("behind", _ME),
        "left": Scene("behind", Mark(tilt=-1)),
        "right": Scene("behind", Mark(tilt=1)),
    },
}
"""By role, and by an option's key or its words."""

PRESUMED: Mapping[str, str] = {"rise": "same", "hour": "12", "pitch": "level", "roll": "level"}
"""What chances take for granted before it is asked; the page says so."""
