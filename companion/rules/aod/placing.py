"""Where an aircraft has come to, told by touch: so many steps from where it was, its new heading, level and tilt."""

import re

from companion.grid.triangular import Pose
from companion.rules.aod.craft import Craft
from companion.rules.aod.show import YAWS
from companion.umpire import Part

_STEP = re.compile(r"(12|10|8|6|4|2)\+(\d{1,2})")
"""`10+3`: three points in the direction that was its 10 o'clock."""

_TILTS = (
    ("", "level"), ("up", "nose up"), ("down", "nose down"), ("left", "banked left"), ("right", "banked right"),
    ("up left", "up, banked left"), ("up right", "up, banked right"),
    ("down left", "down, banked left"), ("down right", "down, banked right"),
)  # fmt: skip
_WAYS = (
    (12, "Points straight ahead", 16),
    (10, "then ahead to the left", 9),
    (2, "or ahead to the right", 9),
    (8, "or back to the left", 9),
    (4, "or back to the right", 9),
    (6, "or straight back", 9),
)
"""Every point of the board is reached by two neighbouring directions of the six."""


def absolute(pose: Pose | None, text: str) -> str:
    """The same place without steps: `12+5 NE L6` from where it was becomes `5,0 NE L6`."""
    words = text.split()
    steps = [match for word in words if (match := _STEP.fullmatch(word))]
    rest = [word for word in words if not _STEP.fullmatch(word)]
    if pose is None or not (steps or (rest and rest[0] in YAWS)):
        return text
    point = pose.point
    for hour, count in (match.groups() for match in steps):
        point = point.ahead(pose.yaw.right(int(hour) // 2), int(count))
    return " ".join([f"{point.q},{point.r}", *rest])


def parts(craft: Craft) -> tuple[Part, ...]:
    """What can be touched: the level alone where no position is kept."""
    levels = tuple((f"L{n}", f"L{n}" if n else "LL") for n in range(15))
    level = Part("Level", levels, "" if craft.altitude is None else f"L{craft.altitude}")
    if craft.pose is None:
        return (level,)
    steps = tuple(
        Part(title, (("", "0"), *((f"{hour}+{n}", str(n)) for n in range(1, most + 1)))) for hour, title, most in _WAYS
    )
    nose = Part("Nose", tuple((yaw, yaw) for yaw in YAWS), YAWS[craft.pose.yaw])
    return (*steps, nose, level, Part("Tilt", _TILTS))
