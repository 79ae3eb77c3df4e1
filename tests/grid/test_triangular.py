"""Laws of the triangular board."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.grid import lattice
from companion.grid.triangular import Point, Pose, Yaw

points = st.builds(Point, st.integers(-30, 30), st.integers(-30, 30))
yaws = st.sampled_from(Yaw)
poses = st.builds(Pose, points, yaws, st.integers(0, 13), st.sampled_from((-1, 0, 1)), st.sampled_from((-1, 0, 1)))


def turned(point: Point, sixths: int) -> Point:
    return Point(*lattice.turned((point.q, point.r), sixths))


def moved(point: Point, by: Point) -> Point:
    return Point(point.q + by.q, point.r + by.r)


@given(points, points, points)
def test_distance_is_a_metric(a: Point, b: Point, c: Point) -> None:
    assert a.distance(b) == b.distance(a)
    assert (a.distance(b) == 0) == (a == b)
    assert a.distance(c) <= a.distance(b) + b.distance(c)


@given(points, yaws, st.integers(1, 20))
def test_n_steps_ahead_are_n_d_away_on_that_line_at_twelve(start: Point, yaw: Yaw, n: int) -> None:
    there = start.ahead(yaw, n)
    assert start.distance(there) == n
    assert start.line_to(there) is yaw
    assert there.line_to(start) is yaw.opposite
    assert start.clock(yaw, there) == 12
    assert there.clock(yaw, start) == 6
    assert start.between(there) == tuple(start.ahead(yaw, k) for k in range(1, n))


@given(points, points, yaws, st.integers(-7, 7), points)
def test_the_clock_is_the_same_wherever_both_are_turned_and_moved(
    a: Point, b: Point, yaw: Yaw, sixths: int, by: Point
) -> None:
    assert a.clock(yaw, b) == moved(turned(a, sixths), by).clock(yaw.left(sixths), moved(turned(b, sixths), by))
    assert a.distance(b) == turned(a, sixths).distance(turned(b, sixths))


@given(points, yaws, st.integers(0, 5), st.integers(1, 5), st.integers(1, 5))
def test_between_two_lines_lies_the_odd_hour_between_their_hours(
    a: Point, yaw: Yaw, rightward: int, first: int, second: int
) -> None:
    hour = 2 * rightward or 12
    near = a.ahead(yaw.right(rightward), first)
    assert a.clock(yaw, near) == hour
    off = near.ahead(yaw.right(rightward + 1), second)
    assert a.clock(yaw, off) == 2 * rightward + 1
    assert a.line_to(off) is None
    assert a.between(off) == ()


@given(points, points)
def test_opposite_hours(a: Point, b: Point) -> None:
    there, back = a.clock(Yaw.E, b), b.clock(Yaw.E, a)
    if a == b:
        assert there is None
        assert back is None
    else:
        assert there is not None
        assert back is not None
        assert (there - back) % 12 == 6


@given(poses)
def test_six_turns_the_same_way_come_home(pose: Pose) -> None:
    for turn in (Pose.left, Pose.right):
        flown = pose
        for _ in range(6):
            flown = turn(flown)
        assert flown == pose


@given(poses)
def test_a_left_and_a_right_turn_lead_to_ten_and_two_and_leave_the_tilt_alone(pose: Pose) -> None:
    assert pose.clock(pose.left().point) == 10
    assert pose.clock(pose.right().point) == 2
    assert pose.left().yaw is pose.yaw.left()
    assert pose.right().yaw is pose.yaw.right()
    assert (pose.left().level, pose.left().pitch, pose.left().roll) == (pose.level, pose.pitch, pose.roll)


def test_the_yaws_run_counter_clockwise_from_east() -> None:
    here = Point(0, 0)
    assert [here.ahead(yaw) for yaw in (Yaw.E, Yaw.NE, Yaw.NW, Yaw.W, Yaw.SW, Yaw.SE)] == [
        Point(1, 0), Point(0, 1), Point(-1, 1), Point(-1, 0), Point(0, -1), Point(1, -1),
    ]  # fmt: skip
    assert Pose(here, Yaw.E).clock(Point(0, 1)) == 10


def test_untilted_means_neither_pitch_nor_roll() -> None:
    here = Point(0, 0)
    assert Pose(here, Yaw.E).untilted
    assert not Pose(here, Yaw.E, pitch=1).untilted
    assert not Pose(here, Yaw.E, roll=-1).untilted


@given(poses)
def test_a_pose_survives_json(pose: Pose) -> None:
    assert msgspec.json.decode(msgspec.json.encode(pose), type=Pose) == pose


@pytest.mark.parametrize(
    "text",
    [
        '{"point":[0,0],"yaw":6}', '{"point":[0,0],"yaw":0,"level":15}', '{"point":[0,0],"yaw":0,"pitch":2}',
        '{"point":[0,99999],"yaw":0}', '{"point":[0],"yaw":0}',
    ],
)  # fmt: skip
def test_what_is_no_pose_is_refused(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=Pose)
