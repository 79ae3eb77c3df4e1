"""A shot of fixed guns at an aircraft, as far as the table knows it; what is None is asked for (9, 10)."""

from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.umpire import Barred, Notation, Number, OneOf, Option, Umpire, UsageError, YesNo, options

Angle = Literal[0, 30, 60, 90, 120, 150, 180]
Bank = Literal["LV", "LB", "IL", "IV", "IR", "RB"]
Burst = Literal["half", "normal", "long"]
Held = Literal["less", "any", "last"]
"""For how many FPs the target was in the horizontal field: less than 2/3 of them, any 2/3, the last 2/3."""
Line = Literal["none", "six", "nose"]
"""Where the shooter's 12:00 line lies: over neither, the target's 6:00 or its 12:00 line."""
Quality = Literal["recruit", "green", "regular", "veteran"]
Rate = Literal["EZ", "TT", "HT", "BT", "ET"]


class Shot(Struct, frozen=True, kw_only=True):
    """The shooter's guns and flight, the target, and how the two lie to each other."""

    shooter: str = "shooter"
    target: str = "target"
    seat: str = ""
    attack: Annotated[int, Meta(ge=0, le=500)] | None = None
    """The attack factors of every group that fires, at this range (9.1)."""
    defence: Annotated[int, Meta(ge=1, le=50)] | None = None
    range: Annotated[int, Meta(ge=0, le=30)] | None = None
    angle: Angle | None = None
    line: Line | None = None
    shooter_speed: Decimal | None = None
    target_speed: Decimal | None = None
    shooter_rate: Rate | None = None
    target_rate: Rate | None = None
    shooter_bank: Bank | None = None
    target_bank: Bank | None = None
    wing_guns: bool | None = None
    """Whether at least half of the guns stand in the wings (10.2)."""
    held: Held | None = None
    burst: Burst | None = None
    bomber: bool = False
    """Class MF, M or H, to which the larger modifiers apply (10.4)."""
    quality: Quality = "regular"
    ace: bool = False
    crack_shot: bool = False
    wounded: bool = False
    sight: Literal["reflector", "ring", "gyro"] = "reflector"
    groups: Annotated[tuple[str, ...], Meta(min_length=1, max_length=12)] = ("guns",)
    unreliable: tuple[str, ...] = ()
    """Those of the groups that are MK-108 or ShKAS (10.1)."""
    short_of_ammo: bool = False
    small_hits: Annotated[int, Meta(ge=0, le=60)] = 0
    """Hits that the smaller guns have scored before these big ones fire (10.4)."""
    beam: bool = False
    too_slow: bool = False
    """End speed below the adjusted minimum (4.4)."""
    slipped: bool = False
    unsteady: bool = False
    """Slats or flaps at work (5.8)."""
    spinning: bool = False
    """The target spins (4.5.2)."""


def violations(shot: Shot) -> tuple[Barred, ...]:
    """Every reason against a shot that is known before anything is asked."""
    return tuple(_violations(shot))


def _violations(shot: Shot) -> Iterator[Barred]:
    if shot.shooter_rate == "ET":
        yield Barred("et", f"{shot.shooter} used the ET rate and may not fight in this turn.", "5.2")
    if shot.quality == "recruit" and shot.wounded:
        yield Barred("wounded", "A wounded recruit makes no attack.", "13.1")
    if shot.burst in _barred_bursts(shot):
        yield _barred_bursts(shot)[shot.burst]
    if shot.range == 0 and shot.angle is not None:
        yield from head_on_at_zero(shot.angle)
    if not all(speed is None or is_speed(speed) for speed in (shot.shooter_speed, shot.target_speed)):
        yield Barred("speed", "Speeds go from 0 to 30 flight points in halves, such as 6.5.", "3.5")
    if set(shot.unreliable) - set(shot.groups):
        yield Barred("groups", "Only groups that fire can be unreliable; name them among the groups too.", "10.1")


def head_on_at_zero(angle: int) -> Iterator[Barred]:
    if angle >= 150:
        yield Barred("zero", "There are no head-on attacks at range 0.", "10.3")


def _barred_bursts(shot: Shot) -> dict[str, Barred]:
    """Bursts that the pilot's quality does not allow (13.1)."""
    if shot.quality == "recruit":
        barred = Barred("long", "A recruit always fires long bursts.", "13.1")
        return {"half": barred, "normal": barred}
    if shot.quality == "green":
        return {"half": Barred("half", "A green pilot fires no half bursts.", "13.1")}
    return {}


# --- what is asked where it is not known

_BANKS: OneOf[Bank] = OneOf(options("LV", "LB", "IL", "IV", "IR", "RB"))  # type: ignore[arg-type]
_RATES: OneOf[Rate] = OneOf(options("TT", "HT", "BT", EZ="EZ or no turn"))  # type: ignore[arg-type]
_HELD: OneOf[Held] = OneOf(
    options(less="less than 2/3, or it moved later", any="2/3 or more", last="the last 2/3 or more")  # type: ignore[arg-type]
)
_LINES: OneOf[Line] = OneOf(
    options(none="neither", six="the target's 6:00 line", nose="the target's 12:00 line")  # type: ignore[arg-type]
)
YES_NO = YesNo()
DEFENCE = Number(1, 50)
ANGLES: OneOf[int] = OneOf(tuple(Option(str(n), f"{n} degrees", n) for n in range(0, 181, 30)))


def burst(ump: Umpire, shot: Shot) -> Burst:
    """Announced before anything is resolved (10.1)."""
    if shot.burst is not None:
        return shot.burst
    barred = _barred_bursts(shot)
    choices = tuple(Option(b, b, b, barred.get(b)) for b in ("half", "normal", "long"))
    space: OneOf[Burst] = OneOf(choices)  # type: ignore[arg-type]
    return ump.choose("burst", shot.seat, space, text="Which burst?", rule="10.1")


def range_to(ump: Umpire, shot: Shot) -> int:
    return ump.fact("range", Number(0, 30), shot.range, text=f"What is the range to {shot.target}?", rule="9.1")


def attack(ump: Umpire, shot: Shot) -> int:
    text = "What do the attack factors of the groups that fire add up to at this range?"
    return ump.fact("attack", Number(0, 500), shot.attack, text=text, rule="9.1")


def defence(ump: Umpire, shot: Shot) -> int:
    text = f"What is the defence strength of {shot.target}?"
    return ump.fact("defence", DEFENCE, shot.defence, text=text, rule="9.4")


def angle(ump: Umpire, shot: Shot) -> int:
    return ump.fact("angle", ANGLES, shot.angle, text="What is the final deflection angle?", rule="9.3")


def line(ump: Umpire, shot: Shot) -> Line:
    text = f"Over which line of {shot.target} does the 12:00 line of {shot.shooter} lie?"
    return ump.fact("line", _LINES, shot.line, text=text, rule="10.2")


def held(ump: Umpire, shot: Shot) -> Held:
    text = f"For how many FPs did {shot.shooter} hold {shot.target} in the horizontal field?"
    return ump.fact("held", _HELD, shot.held, text=text, rule="10.1")


def rate(ump: Umpire, who: str, known: Rate | None) -> Rate:
    return ump.fact(f"rate:{who}", _RATES, known, text=f"Which turn rate did {who} use?", rule="10.2")


def bank(ump: Umpire, who: str, known: Bank | None) -> Bank:
    return ump.fact(f"bank:{who}", _BANKS, known, text=f"What is the angle of bank of {who}?", rule="10.2")


def speed(ump: Umpire, who: str, known: Decimal | None) -> Decimal:
    return ump.fact(f"speed:{who}", SPEED, known, text=f"What is the speed of {who}?", rule="3.5")


def read_speed(text: str) -> Decimal:
    """A speed in flight points, with or without a half."""
    found = read_halves(text)
    if found is None or not is_speed(found):
        raise UsageError(f"{text[:40]!r} is no speed; give flight points from 0 to 30 in halves, such as 6.5.")
    return found


SPEED = Notation(read_speed, "6.5", ("6.5",))


def read_halves(text: str) -> Decimal | None:
    """A number that goes in halves; None where it is none."""
    try:
        found = Decimal(text)
    except InvalidOperation:
        return None
    return found if found.is_finite() and abs(found) < 1000 and found % Decimal("0.5") == 0 else None


def is_speed(speed: Decimal) -> bool:
    return speed.is_finite() and 0 <= speed <= 30 and speed % Decimal("0.5") == 0
