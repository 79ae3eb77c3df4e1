"""How two aircraft stand to each other: worked out from their poses, or asked for where poses are not kept."""

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.grid.triangular import Pose
from companion.rules.aod.craft import Craft
from companion.rules.aod.position import Name, Solution, firing_position, nearest, permitted
from companion.rules.aod.switches import on
from companion.umpire import Barred, Illegal, OneOf, Option, SomeOf, Umpire, options

Tilt = Literal["roll differs", "pitch differs", "target banked", "target pitched"]
Hour = Annotated[int, Meta(ge=1, le=12)]

_OPPOSITE = Barred("opposite", "Aircraft tilted to opposite sides cannot be fired at from behind.", "4.5.1")
_BANKED = Barred("target-banked", "The target is banked, so it cannot be fired at from the front.", "4.5.3")

_TILTS: dict[str, tuple[Option[str], ...]] = {
    "A": (
        *options(**{"roll differs": "One is banked, the other is not", "pitch differs": "One is pitched, one is not"}),
        Option("opposite", "Banked or pitched to opposite sides", "opposite", _OPPOSITE),
    ),
    "B": options(**{"target banked": "The target is banked", "target pitched": "The target is pitched"}),
    "C-frontal": (
        *options(**{"target pitched": "The target is pitched"}),
        Option("target banked", "The target is banked", "target banked", _BANKED),
    ),
    "C-parallel": options(**{"target banked": "The target is banked", "target pitched": "Both are pitched"}),
}
_TILTS["rocket"] = _TILTS["B"]

_PLACES = (
    ("A 1d", "Strictly behind, 1d", "4.5.1"),
    ("A 2d", "Strictly behind, 2d", "4.5.1"),
    ("B", "Behind at an angle, 1d", "4.5.2"),
    ("C-frontal", "Head-on, 2d", "4.5.3"),
    ("C-parallel", "Beside it, 1d, same heading", "4.5.4"),
)
_UPWARD = ("upward", "Behind, 1d, one level below, guns aimed upwards", "4.5.5")
_SIDES: dict[str, tuple[int, int]] = {
    "A": (12, 6), "B": (12, 4), "C-frontal": (12, 12), "upward": (12, 6), "rocket": (12, 6),
}  # fmt: skip
"""The hour at which the attacker sees the target, and the target the attacker (at an angle: 4 or 8)."""


class Sight(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where an attacker has ended its movement, seen from one enemy; used where poses are not kept."""

    position: Name | None = None
    distance: Annotated[int, Meta(ge=1, le=3)] | None = None
    tilt: Annotated[tuple[Tilt, ...], Meta(max_length=2)] | None = None
    hour: Hour | None = None
    """At what o'clock the attacker sees the target, in a parallel position."""
    rise: Annotated[int, Meta(ge=-1, le=1)] | None = None
    """Levels from the attacker up to the target."""


def worked_out(ump: Umpire, attacker: Craft, target: Craft, others: Sequence[Pose] = ()) -> tuple[Solution, ...] | None:
    """Every position with the reasons against it; None where a pose is not kept."""
    if attacker.pose is None or target.pose is None:
        return None
    if on(ump, "roll_tilt"):
        return firing_position(attacker.pose, target.pose, others)
    return firing_position(_unbanked(attacker.pose), _unbanked(target.pose), others)


def _unbanked(pose: Pose) -> Pose:
    """Where roll tilt is skipped nobody is banked (7.11)."""
    return replace(pose, roll=0)


def one_position(ump: Umpire, seat: str, solutions: Sequence[Solution]) -> Solution:
    """The permitted position; where there are several the player says which."""
    good = permitted(solutions)
    if not good:
        raise Illegal(nearest(solutions).barred)
    if len(good) == 1:
        return good[0]
    name = ump.choose(
        "position", seat, OneOf(options(*(s.position for s in good))), text="Which firing position?", rule="4.5"
    )
    return next(s for s in good if s.position == name)


def asked(ump: Umpire, sight: Sight, attacker: Craft, target: Craft, *, beside: bool = False) -> Solution:
    """The position as the players see it; `beside` also asks for the level of a target close ahead."""
    position, distance = _position(ump, sight, f"How does {attacker.name} stand to {target.name}?")
    tilts = _tilt(ump, position, sight.tilt)
    ahead, back = _hours(ump, position, sight.hour)
    rise = sight.rise or int(position == "upward")
    if position == "C-parallel" or (beside and position == "A" and distance == 1):
        rise = _rise(ump, sight.rise)
    return Solution(
        position=position,
        distance=distance,
        rise=rise,
        ahead=ahead,
        back=back,
        roll_differs="roll differs" in tilts,
        pitch_differs="pitch differs" in tilts,
        target_pitched="target pitched" in tilts,
        target_banked="target banked" in tilts,
        parallel_pose=_parallel_pose(position, tilts),
    )


def _position(ump: Umpire, sight: Sight, text: str = "") -> tuple[Name, int]:
    if sight.position == "rocket":
        return "rocket", int(_distance(ump, sight, "2d", "3d", rule="4.10"))
    if sight.position == "A":
        return "A", int(_distance(ump, sight, "1d", "2d", rule="4.5.1"))
    if sight.position:
        return sight.position, 2 if sight.position == "C-frontal" else 1
    places = (*_PLACES, _UPWARD) if on(ump, "upward_guns") else _PLACES
    space = OneOf(tuple(Option(key, words, key) for key, words, _ in places))
    key = ump.fact("position", space, text=text, rule="4.5")
    return _position(ump, _SIGHTS[key])


_SIGHTS = {
    "A 1d": Sight(position="A", distance=1),
    "A 2d": Sight(position="A", distance=2),
    "B": Sight(position="B"),
    "C-frontal": Sight(position="C-frontal"),
    "C-parallel": Sight(position="C-parallel"),
    "upward": Sight(position="upward"),
}


def _distance(ump: Umpire, sight: Sight, *allowed: str, rule: str) -> str:
    known = None if sight.distance is None else f"{sight.distance}d"
    if known and known not in allowed:
        raise Illegal((Barred("distance", f"At {known} it may not fire; it needs {' or '.join(allowed)}.", rule),))
    return ump.fact("distance", OneOf(options(*allowed)), known, text="How far away is the target?", rule=rule)[0]


def _tilt(ump: Umpire, position: Name, known: tuple[Tilt, ...] | None) -> tuple[str, ...]:
    if position == "upward":
        return ()
    listed = _TILTS[position]
    if not on(ump, "roll_tilt"):
        listed = tuple(o for o in listed if o.key in ("pitch differs", "target pitched"))
    space = SomeOf(listed)
    if known is not None:
        return space.parse([t for t in known if t in {o.key for o in listed}])
    return ump.fact("tilt", space, text="How are they tilted?", rule="4.5")


def _hours(ump: Umpire, position: Name, hour: int | None) -> tuple[int, int]:
    if position != "C-parallel":
        return _SIDES[position]
    hours = OneOf(tuple(Option(str(h), f"{h} o'clock", h) for h in range(2, 13, 2)))
    ahead = ump.fact("hour", hours, hour, text="At what o'clock does it see the target?", rule="4.5.4")
    return ahead, (ahead + 5) % 12 + 1


def _rise(ump: Umpire, known: int | None) -> int:
    listed = (("above", "One level above", 1), ("same", "Same level", 0), ("below", "One level below", -1))
    levels = OneOf(tuple(Option(*each) for each in listed))
    return ump.fact("rise", levels, known, text="At what level is the target?", rule="4.4.2")


def _parallel_pose(position: Name, tilts: Sequence[str]) -> bool:
    if position == "C-parallel":
        return "target banked" not in tilts
    return position in ("A", "upward") and not tilts
