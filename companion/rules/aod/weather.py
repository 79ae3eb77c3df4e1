"""Sun, clouds, fog and night as they bear on fire in the air (7.6.2 to 7.6.4, 7.7).

The sun is worked out where poses are kept. Clouds are pieces of any outline laid on the board in any orientation, and
fog has the bounds of its scenario: where they lie is not kept, so it is asked, but for levels that no cloud can have.
"""

from collections.abc import Iterator

from companion.rules.aod import figures, modifiers
from companion.rules.aod.craft import Craft
from companion.rules.aod.figures import figure
from companion.rules.aod.position import Solution
from companion.rules.aod.switches import on, setting
from companion.umpire import Barred, Illegal, Modifier, Umpire, YesNo


def check(ump: Umpire, seen: Solution, shooter: Craft, *, passive: bool = False) -> None:
    """Raise for everything that the weather and the night forbid."""
    rise = -seen.rise if passive else seen.rise
    reasons = (*_hidden(ump, shooter, rise), *_dark(ump, seen, shooter, passive))
    if reasons:
        raise Illegal(reasons)


CLOUD_LEVELS = range(2, 7)
"""Clouds cover a range of altitudes between L2 and L6 (7.6.3)."""


def _hidden(ump: Umpire, shooter: Craft, rise: int) -> Iterator[Barred]:
    """No fire into, out of or through a cloud; fog is one (7.6.3, 7.6.4)."""
    for switch, name, rule in (("clouds", "cloud", "7.6.3"), ("fog", "fog", "7.6.4")):
        if on(ump, switch):
            text = f"Is either aircraft in {name}, or {name} between them?"
            known = False if name == "cloud" and _clear(shooter, rise) else None
            if ump.fact(name, YesNo(), known, text=text, rule=rule):
                yield Barred(name, f"There is {name} between them.", rule)


def _clear(shooter: Craft, rise: int) -> bool:
    """Whether both fly below, or both above, all that a cloud may cover."""
    return shooter.pose is not None and not {shooter.pose.level, shooter.pose.level + rise} & set(CLOUD_LEVELS)


def _dark(ump: Umpire, seen: Solution, shooter: Craft, passive: bool) -> Iterator[Barred]:
    """At night only from close behind or beside, and only at what has been found (7.7)."""
    if not on(ump, "night"):
        return
    if seen.distance > 1 or seen.position not in ("A", "C-parallel", "upward"):
        yield Barred("night", "At night fire is possible only at 1d, from strictly behind or beside.", "7.7")
    if not passive and shooter.search != "found" and not figure(ump, figures.RADAR, shooter.type):
        yield Barred("not-found", f"{shooter.name} has no radar and has not found a target in this round.", "7.7")


def penalties(ump: Umpire, seen: Solution, shooter: Craft, target: Craft, rise: int) -> Iterator[Modifier]:
    """What the sun and the night take from the targeting die; `rise` is from the shooter to what it fires at."""
    if on(ump, "night"):
        yield modifiers.other("night")
    if on(ump, "sun") and _sun_behind(ump, shooter, target, rise) and not _cloud_behind(ump):
        yield modifiers.other("sun behind target")


def _sun_behind(ump: Umpire, shooter: Craft, target: Craft, rise: int) -> bool:
    """In the east or west at equal altitude; in the southeast or southwest behind a target above (7.6.2)."""
    known = None
    if shooter.pose and target.pose:
        sun = setting(ump, "sun")
        towards = shooter.pose.point.line_to(target.pose.point)
        known = towards is not None and towards.name == sun and rise == (0 if sun in ("E", "W") else 1)
    return ump.fact("sun", YesNo(), known, text="Is the sun directly behind the target?", rule="7.6.2")


def _cloud_behind(ump: Umpire) -> bool:
    """A cloud behind the target takes the sun away (7.6.2)."""
    if not on(ump, "clouds"):
        return False
    return ump.fact("cloud behind", YesNo(), text="Is there a cloud behind the target?", rule="7.6.2")
