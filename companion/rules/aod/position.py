"""The firing positions of chapter 4, worked out from two poses on the triangular grid.

Readings where the rulebook leaves a choice:
- Position A at 1d: the nose must point at the target's level (4.4.1 with 4.7.1), even if both have the same pitch.
- A parallel target straight ahead is fired at from position A. Where the nose does not point at its level,
  flexible guns that cover it still fire as in 4.5.4, but in column A.
- A shot passes through no aircraft at its own level; one above or below the point between is no obstacle.
- "Below the tail" is seen along the defender's own pitch (4.5.8, diagram 114).
Where roll tilt is not played (7.11), give poses without roll.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from companion.grid.triangular import Pose
from companion.umpire.errors import Barred

Name = Literal["A", "B", "C-frontal", "C-parallel", "upward", "rocket"]


class Solution(Struct, frozen=True, kw_only=True):
    """One firing position, whether or not it may be used; every reason why not is in `barred`."""

    position: Name
    distance: int
    rise: int = 0
    """Levels from the attacker up to the target."""
    ahead: int | None = 12
    """The hour at which the attacker sees the target: where its guns must point."""
    back: int | None = 6
    """The hour at which the target sees the attacker: where guns must point that fire passively."""
    roll_differs: bool = False
    pitch_differs: bool = False
    target_pitched: bool = False
    target_banked: bool = False
    parallel_pose: bool = False
    """Same yaw, pitch and roll, as a double burst needs (4.6.5)."""
    below_tail: bool = False
    barred: tuple[Barred, ...] = ()

    @property
    def permitted(self) -> bool:
        return not self.barred

    @property
    def column(self) -> str:
        """The column of the targeting chart (4.5); rockets have a chart of their own (4.10)."""
        if self.position == "C-parallel" and self.ahead == 12:
            return "A"
        return "" if self.position == "rocket" else self.position[0].replace("u", "C")

    @property
    def frontal(self) -> bool:
        """The target is hit from its 12 o'clock, whatever tilt and level (4.3.1)."""
        return self.back == 12

    @property
    def frontal_passive(self) -> bool:
        """Fire going back hits the attacker from its own 12 o'clock (4.3.1)."""
        return self.ahead == 12

    @property
    def passive(self) -> bool:
        """Guns may answer an aircraft that ended here (4.7.1 names 4.5.1 to 4.5.4 alone)."""
        return self.permitted and self.position in ("A", "B", "C-frontal", "C-parallel")

    @property
    def double_burst(self) -> bool:
        """The place and the tilt allow a double burst (4.6.5)."""
        return self.permitted and self.parallel_pose and self.position in ("A", "C-parallel", "upward")

    @property
    def twitch(self) -> bool:
        """A defender with the symbol may twitch (4.5.8)."""
        return self.permitted and self.position == "A" and not self.target_banked and not self.below_tail


def firing_position(attacker: Pose, target: Pose, others: Iterable[Pose] = ()) -> tuple[Solution, ...]:
    """All six positions of an attacker that has ended its movement, each with every reason against it.

    For passive fire the attacker is the aircraft that has just moved, the target the one that answers (4.7.1).
    """
    return _solutions(attacker, target, tuple(others))


@lru_cache(512)
def _solutions(attacker: Pose, target: Pose, others: tuple[Pose, ...]) -> tuple[Solution, ...]:
    """Remembered by the poses: an open act is run again for each answer, and nobody moves meanwhile."""
    blocked = tuple(_blocked(attacker, target, others))
    return tuple(
        _solution(name, attacker, target, (*reasons(attacker, target), *blocked)) for name, reasons in _POSITIONS
    )


def permitted(solutions: Iterable[Solution]) -> tuple[Solution, ...]:
    return tuple(solution for solution in solutions if solution.permitted)


def nearest(solutions: Iterable[Solution]) -> Solution:
    """The position that the fewest reasons speak against: what a player most likely meant."""
    return min(solutions, key=lambda solution: len(solution.barred))


def passive_positions(mover: Pose, defender: Pose, others: Iterable[Pose] = ()) -> tuple[Solution, ...]:
    """The positions from which a mover may be answered, whether or not it fired (4.7.1)."""
    return tuple(solution for solution in firing_position(mover, defender, others) if solution.passive)


def _solution(name: Name, attacker: Pose, target: Pose, barred: tuple[Barred, ...]) -> Solution:
    rise = target.level - attacker.level
    return Solution(
        position=name,
        distance=attacker.point.distance(target.point),
        rise=rise,
        ahead=attacker.clock(target.point),
        back=target.clock(attacker.point),
        roll_differs=attacker.roll != target.roll,
        pitch_differs=attacker.pitch != target.pitch,
        target_pitched=target.pitch != 0,
        target_banked=target.roll != 0,
        parallel_pose=_tilt(attacker) == _tilt(target),
        below_tail=rise > target.pitch,
        barred=barred,
    )


def _tilt(pose: Pose) -> tuple[int, int, int]:
    return pose.yaw, pose.pitch, pose.roll


Reasons = Iterable[Barred]


def _strictly_behind(attacker: Pose, target: Pose) -> Reasons:
    """Position A (4.5.1)."""
    rule = "4.5.1"
    yield from _reach(attacker, target, (1, 2), rule)
    yield from _straight_behind(attacker, target, rule)
    if attacker.point.distance(target.point) > 1:
        yield from _same_level(attacker, target, rule)
        yield from _level_pitch(attacker, rule)
    elif not _aimed(attacker, target):
        yield Barred("aim", "The attacker's nose does not point at the level of the target.", "4.4.1")
    if attacker.roll * target.roll < 0:
        yield Barred("opposite-roll", "The two aircraft are banked to opposite sides.", rule)
    if attacker.pitch * target.pitch < 0:
        yield Barred("opposite-pitch", "One aircraft is pitched up and the other down.", rule)


def _angled_behind(attacker: Pose, target: Pose) -> Reasons:
    """Position B (4.5.2)."""
    rule = "4.5.2"
    yield from _reach(attacker, target, (1,), rule)
    yield from _straight_ahead(attacker, target, rule)
    if target.clock(attacker.point) not in (4, 8):
        yield Barred("not-angled", "The attacker is not at the target's 4 or 8 o'clock.", rule)
    yield from _same_level(attacker, target, rule)
    yield from _level_pitch(attacker, rule)
    yield from _unbanked(attacker, rule)


def _frontal(attacker: Pose, target: Pose) -> Reasons:
    """Frontal position C (4.5.3)."""
    rule = "4.5.3"
    yield from _reach(attacker, target, (2,), rule)
    yield from _straight_ahead(attacker, target, rule)
    if attacker.yaw != target.yaw.opposite:
        yield Barred("not-head-on", "The two aircraft do not fly straight at each other.", rule)
    yield from _same_level(attacker, target, rule)
    yield from _level_pitch(attacker, rule)
    yield from _unbanked(attacker, rule)
    if target.roll:
        yield Barred("target-banked", "The target is banked, so it cannot be fired at from the front.", rule)


def _parallel(attacker: Pose, target: Pose) -> Reasons:
    """Parallel position C (4.5.4)."""
    rule = "4.5.4"
    yield from _reach(attacker, target, (1,), rule)
    if attacker.clock(target.point) == 12 and _aimed(attacker, target):
        yield Barred("ahead", "A target straight ahead is fired at from position A.", rule)
    yield from _same_heading(attacker, target, rule)
    if abs(target.level - attacker.level) > 1:
        yield Barred("level", "The target is more than one level above or below.", rule)
    if attacker.pitch != target.pitch:
        yield Barred("pitch-differs", "The two aircraft are not in the same pitch.", rule)
    yield from _unbanked(attacker, rule)


def _upward(attacker: Pose, target: Pose) -> Reasons:
    """Guns aimed upwards, column C (4.5.5)."""
    rule = "4.5.5"
    yield from _reach(attacker, target, (1,), rule)
    yield from _straight_behind(attacker, target, rule)
    if target.level - attacker.level != 1:
        yield Barred("level", "The attacker is not exactly one level below the target.", rule)
    if not (attacker.untilted and target.untilted):
        yield Barred("tilted", "Both aircraft must be without pitch and bank.", rule)


def _rocket(attacker: Pose, target: Pose) -> Reasons:
    """Air-to-air rockets (4.10)."""
    rule = "4.10"
    yield from _reach(attacker, target, (2, 3), rule)
    yield from _straight_behind(attacker, target, rule)
    yield from _same_level(attacker, target, rule)
    yield from _level_pitch(attacker, rule)
    yield from _unbanked(attacker, rule)


_POSITIONS: tuple[tuple[Name, Callable[[Pose, Pose], Reasons]], ...] = (
    ("A", _strictly_behind),
    ("B", _angled_behind),
    ("C-frontal", _frontal),
    ("C-parallel", _parallel),
    ("upward", _upward),
    ("rocket", _rocket),
)


def _reach(attacker: Pose, target: Pose, distances: tuple[int, ...], rule: str) -> Reasons:
    distance = attacker.point.distance(target.point)
    if distance not in distances:
        needed = " or ".join(f"{d}d" for d in distances)
        yield Barred("distance", f"The target is at {distance}d; this position needs {needed}.", rule)


def _straight_behind(attacker: Pose, target: Pose, rule: str) -> Reasons:
    if target.clock(attacker.point) != 6:
        yield Barred("not-behind", "The attacker is not at the target's 6 o'clock.", rule)
    yield from _same_heading(attacker, target, rule)


def _same_heading(attacker: Pose, target: Pose, rule: str) -> Reasons:
    if attacker.yaw != target.yaw:
        yield Barred("heading", "The two aircraft do not fly in the same direction.", rule)


def _straight_ahead(attacker: Pose, target: Pose, rule: str) -> Reasons:
    if attacker.clock(target.point) != 12:
        yield Barred("not-ahead", "The target is not at the attacker's 12 o'clock.", rule)


def _aimed(attacker: Pose, target: Pose) -> bool:
    """The nose points at the level of a target at 1d (4.4.1)."""
    return target.level - attacker.level == attacker.pitch


def _same_level(attacker: Pose, target: Pose, rule: str) -> Reasons:
    if attacker.level != target.level:
        yield Barred("level", "The two aircraft are not at the same altitude level.", rule)


def _level_pitch(attacker: Pose, rule: str) -> Reasons:
    if attacker.pitch:
        yield Barred("attacker-pitched", "The attacker is pitched up or down.", rule)


def _unbanked(attacker: Pose, rule: str) -> Reasons:
    if attacker.roll:
        yield Barred("attacker-banked", "The attacker is banked.", rule)


def _blocked(attacker: Pose, target: Pose, others: Iterable[Pose]) -> Reasons:
    between = attacker.point.between(target.point)
    if any(other.point in between and other.level == attacker.level for other in others):
        yield Barred("blocked", "Another aircraft is on the line of fire.", "4.5.1")
