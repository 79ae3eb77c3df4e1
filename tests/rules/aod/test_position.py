"""Firing positions from two poses: the worked examples, then each rule's edges, then symmetry."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.grid import lattice
from companion.grid.triangular import Point, Pose, Yaw
from companion.rules.aod.position import (
    Solution,
    firing_position,
    nearest,
    passive_positions,
    permitted,
)

HERE = Point(0, 0)
TARGET = Pose(HERE, Yaw.E, level=6)


def target(pitch: int = 0, roll: int = 0, level: int = 6) -> Pose:
    return Pose(HERE, Yaw.E, level, pitch, roll)  # type: ignore[arg-type]


def seen_at(clock: int, distance: int, yaw: Yaw, level: int = 6, pitch: int = 0, roll: int = 0) -> Pose:
    """An attacker that the target at the origin, flying east, sees at this hour."""
    return Pose(HERE.ahead(Yaw.E.right(clock // 2), distance), yaw, level, pitch, roll)  # type: ignore[arg-type]


def behind(distance: int = 1, **tilt: int) -> Pose:
    return seen_at(6, distance, Yaw.E, **tilt)


def head_on(distance: int = 2, **tilt: int) -> Pose:
    return seen_at(12, distance, Yaw.W, **tilt)


def at(position: str, attacker: Pose, aim: Pose = TARGET, others: tuple[Pose, ...] = ()) -> Solution:
    (found,) = [s for s in firing_position(attacker, aim, others) if s.position == position]
    return found


def names(attacker: Pose, aim: Pose = TARGET) -> list[str]:
    return [s.position for s in permitted(firing_position(attacker, aim))]


def codes(solution: Solution) -> list[str]:
    return [reason.code for reason in solution.barred]


@pytest.mark.rule("aod:4.5.1")
@pytest.mark.example("aod:88")
def test_strictly_from_behind() -> None:
    p = at("A", behind(roll=-1), target(roll=-1))
    assert (p.permitted, p.distance, p.roll_differs, p.pitch_differs) == (True, 1, False, False)
    q = at("A", behind(level=7, pitch=-1, roll=1), target(pitch=-1))
    assert (q.permitted, q.distance, q.roll_differs, q.pitch_differs) == (True, 1, True, False)
    r = at("A", behind(2), target(pitch=1, roll=1))
    assert (r.permitted, r.distance, r.roll_differs, r.pitch_differs) == (True, 2, True, True)
    s = at("A", behind(level=5, pitch=1), target(pitch=-1))
    assert codes(s) == ["opposite-pitch"]


@pytest.mark.rule("aod:4.5.2")
@pytest.mark.example("aod:99")
def test_angled_from_behind() -> None:
    p = at("B", seen_at(4, 1, Yaw.NE))
    assert (p.permitted, p.target_banked, p.target_pitched) == (True, False, False)
    q = at("B", seen_at(8, 1, Yaw.SE), target(pitch=1, roll=-1))
    assert (q.permitted, q.target_banked, q.target_pitched) == (True, True, True)
    assert codes(at("B", seen_at(4, 1, Yaw.NE, roll=1))) == ["attacker-banked"]


@pytest.mark.rule("aod:4.5.4")
@pytest.mark.example("aod:101")
def test_parallel() -> None:
    p = at("C-parallel", seen_at(12, 1, Yaw.E, level=5))
    assert (p.permitted, p.rise, p.ahead, p.target_banked, p.target_pitched) == (True, 1, 6, False, False)
    q = at("C-parallel", seen_at(2, 1, Yaw.E, pitch=-1), target(pitch=-1, roll=1))
    assert (q.permitted, q.target_banked, q.target_pitched, q.pitch_differs) == (True, True, True, False)


@pytest.mark.rule("aod:4.5.3")
@pytest.mark.example("aod:103")
def test_frontal() -> None:
    p = at("C-frontal", head_on(), target(pitch=1))
    assert (p.permitted, p.distance, p.target_pitched, p.frontal) == (True, 2, True, True)
    assert codes(at("C-frontal", head_on(), target(roll=1))) == ["target-banked"]
    assert codes(at("C-frontal", head_on(roll=-1))) == ["attacker-banked"]


@pytest.mark.example("aod:113")
def test_the_best_position_has_no_difference_of_tilt() -> None:
    found = at("A", behind(level=7, pitch=-1, roll=1), target(pitch=-1, roll=1))
    assert (found.permitted, found.roll_differs, found.pitch_differs, found.double_burst) == (
        True, False, False, True,
    )  # fmt: skip


@pytest.mark.rule("aod:4.5.8")
@pytest.mark.example("aod:115")
def test_twitch_against_an_attack_with_both_tilts_different() -> None:
    found = at("A", behind(level=7, pitch=-1, roll=1))
    assert (found.permitted, found.roll_differs, found.pitch_differs, found.twitch) == (True, True, True, True)


@pytest.mark.rule("aod:4.3.1")
@pytest.mark.example("aod:119")
def test_parallel_fire_from_straight_ahead_meets_the_front() -> None:
    p = at("C-parallel", seen_at(12, 1, Yaw.E))
    assert (p.permitted, p.frontal, p.double_burst) == (True, True, True)
    q = at("C-parallel", seen_at(10, 1, Yaw.E, level=7))
    assert (q.permitted, q.frontal) == (True, False)


@pytest.mark.rule("aod:4.3.1")
@pytest.mark.parametrize("level", [5, 6, 7])
@pytest.mark.parametrize("pitch", [-1, 0, 1])
@pytest.mark.parametrize("roll", [-1, 0, 1])
def test_the_front_is_twelve_o_clock_whatever_tilt_and_level(level: int, pitch: int, roll: int) -> None:
    assert at("C-parallel", seen_at(12, 1, Yaw.E, level), target(pitch, roll)).frontal
    assert not at("C-parallel", seen_at(2, 1, Yaw.E, level), target(pitch, roll)).frontal


@pytest.mark.rule("aod:4.3.1")
def test_fire_going_back_meets_the_front_of_an_attacker_that_faces_it() -> None:
    assert at("A", behind()).frontal_passive
    assert at("B", seen_at(4, 1, Yaw.NE)).frontal_passive
    assert not at("C-parallel", seen_at(12, 1, Yaw.E)).frontal_passive


@pytest.mark.rule("aod:4.7.1")
@pytest.mark.example("aod:127")
def test_an_angled_attacker_is_answered_from_the_angle() -> None:
    (answer,) = passive_positions(seen_at(8, 1, Yaw.SE), TARGET)
    assert (answer.position, answer.column, answer.back, answer.target_banked) == ("B", "B", 8, False)


@pytest.mark.rule("aod:4.7.1")
@pytest.mark.example("aod:128")
def test_a_parallel_attacker_ahead_is_answered_and_may_then_fire_again() -> None:
    (answer,) = passive_positions(seen_at(12, 1, Yaw.E), TARGET)
    assert (answer.position, answer.column, answer.back, answer.frontal_passive) == ("C-parallel", "C", 12, False)
    assert answer.double_burst


@pytest.mark.rule("aod:4.7.1")
@pytest.mark.example("aod:129")
def test_the_tilts_of_the_answering_aircraft_weigh_on_its_own_fire() -> None:
    (answer,) = passive_positions(seen_at(2, 1, Yaw.E, pitch=-1), target(pitch=-1, roll=1))
    assert (answer.position, answer.target_banked, answer.target_pitched) == ("C-parallel", True, True)


@pytest.mark.rule("aod:4.7.1")
@pytest.mark.example("aod:130")
def test_a_bomber_that_comes_alongside_is_answered() -> None:
    (answer,) = passive_positions(seen_at(4, 1, Yaw.E), target(roll=1))
    assert (answer.position, answer.target_banked, answer.target_pitched) == ("C-parallel", True, False)


@pytest.mark.rule("aod:4.7.1")
@pytest.mark.example("aod:131")
def test_a_bystander_answers_by_its_own_geometry() -> None:
    p = behind()
    bystander = Pose(p.point.ahead(Yaw.NE), Yaw.E, level=6)
    assert at("A", p).permitted
    (answer,) = passive_positions(p, bystander)
    assert (answer.position, answer.target_banked, answer.target_pitched) == ("C-parallel", False, False)


@pytest.mark.rule("aod:4.7.1")
@pytest.mark.example("aod:131-continued")
def test_three_defenders_see_one_attacker_three_ways() -> None:
    p = seen_at(4, 1, Yaw.NE)
    assert [s.position for s in passive_positions(p, target(pitch=1))] == ["B"]
    y = Pose(p.point.ahead(Yaw.E), Yaw.E, level=6)
    assert passive_positions(p, y) == ()
    z = Pose(p.point.ahead(Yaw.NW), Yaw.NE, level=5, roll=-1)
    (answer,) = passive_positions(p, z)
    assert (answer.position, answer.target_banked, answer.target_pitched) == ("C-parallel", True, False)


@pytest.mark.example("aod:132")
def test_one_attacker_may_see_two_targets_in_two_ways() -> None:
    p = seen_at(4, 1, Yaw.NE)
    assert names(p) == ["B"]
    assert names(p, Pose(p.point.ahead(Yaw.NW), Yaw.NE, level=6)) == ["C-parallel"]


@pytest.mark.example("aod:135")
def test_a_pitched_target_at_two_d_is_seen_alike_from_both_sides() -> None:
    found = at("A", behind(2), target(pitch=1))
    assert (found.permitted, found.passive, found.pitch_differs) == (True, True, True)


@pytest.mark.example("aod:136")
def test_head_on_both_may_fire() -> None:
    assert at("C-frontal", head_on()).passive


@pytest.mark.rule("aod:4.10")
@pytest.mark.example("aod:141")
def test_rockets_reach_three_d_and_guns_do_not_answer() -> None:
    found = at("rocket", behind(3), target(roll=1))
    assert (found.permitted, found.distance, found.target_banked, found.target_pitched) == (True, 3, True, False)
    assert names(behind(3), target(roll=1)) == ["rocket"]
    assert passive_positions(behind(3), target(roll=1)) == ()


@pytest.mark.rule("aod:4.10")
def test_where_rockets_are_not_launched() -> None:
    assert names(behind(2)) == ["A", "rocket"]
    assert codes(at("rocket", behind(1))) == ["distance"]
    assert codes(at("rocket", behind(2, level=5))) == ["level"]
    assert codes(at("rocket", behind(2, pitch=1, roll=1))) == ["attacker-pitched", "attacker-banked"]
    assert "not-behind" in codes(at("rocket", head_on(2)))
    assert at("rocket", behind(2)).column == ""


@pytest.mark.rule("aod:4.4.1")
@pytest.mark.rule("aod:4.5.1")
@pytest.mark.parametrize("pitch", [-1, 0, 1])
@pytest.mark.parametrize("level", [4, 5, 6, 7, 8])
def test_at_one_d_the_nose_points_at_the_target(pitch: int, level: int) -> None:
    aimed = TARGET.level - level == pitch
    assert at("A", behind(level=level, pitch=pitch), target(pitch)).permitted == aimed
    assert codes(at("A", behind(level=level, pitch=pitch), target(pitch))) == ([] if aimed else ["aim"])


@pytest.mark.rule("aod:4.5.1")
def test_the_edges_of_position_a() -> None:
    assert codes(at("A", behind(3))) == ["distance"]
    assert codes(at("A", behind(2, level=5))) == ["level"]
    assert codes(at("A", behind(2, pitch=1), target(pitch=1))) == ["attacker-pitched"]
    assert codes(at("A", behind(roll=-1), target(roll=1))) == ["opposite-roll"]
    assert codes(at("A", seen_at(6, 1, Yaw.NE))) == ["heading"]
    assert codes(at("A", seen_at(12, 1, Yaw.E))) == ["not-behind"]
    assert codes(at("A", behind(level=7, pitch=-1, roll=-1), target(pitch=1, roll=1))) == [
        "opposite-roll", "opposite-pitch",
    ]  # fmt: skip


@pytest.mark.rule("aod:4.5.1")
def test_a_third_aircraft_on_the_line_of_fire() -> None:
    between = behind(1)
    assert codes(at("A", behind(2), others=(between,))) == ["blocked"]
    assert codes(at("rocket", behind(3), others=(behind(2),))) == ["blocked"]
    assert codes(at("C-frontal", head_on(2), others=(head_on(1),))) == ["blocked"]
    assert at("A", behind(2), others=(behind(1, level=5), behind(3), seen_at(4, 1, Yaw.E))).permitted


@pytest.mark.rule("aod:4.5.2")
def test_the_edges_of_position_b() -> None:
    assert codes(at("B", seen_at(4, 2, Yaw.NE))) == ["distance"]
    assert codes(at("B", seen_at(4, 1, Yaw.NE, level=7))) == ["level"]
    assert codes(at("B", seen_at(8, 1, Yaw.SE, pitch=1, roll=1))) == ["attacker-pitched", "attacker-banked"]
    assert codes(at("B", behind())) == ["not-angled"]
    assert codes(at("B", seen_at(2, 1, Yaw.NW))) == ["not-angled"]
    assert "not-ahead" in codes(at("B", seen_at(4, 1, Yaw.NW)))
    assert not at("B", seen_at(4, 1, Yaw.NE)).double_burst


@pytest.mark.rule("aod:4.5.3")
def test_the_edges_of_the_frontal_position() -> None:
    assert codes(at("C-frontal", head_on(1))) == ["distance"]
    assert codes(at("C-frontal", head_on(level=7))) == ["level"]
    assert codes(at("C-frontal", head_on(pitch=1))) == ["attacker-pitched"]
    assert codes(at("C-frontal", seen_at(2, 2, Yaw.NW))) == ["not-head-on"]
    assert "not-ahead" in codes(at("C-frontal", seen_at(12, 2, Yaw.NW)))
    assert names(head_on(1)) == []


@pytest.mark.rule("aod:4.5.4")
def test_the_edges_of_the_parallel_position() -> None:
    assert codes(at("C-parallel", seen_at(4, 2, Yaw.E))) == ["distance"]
    assert codes(at("C-parallel", seen_at(4, 1, Yaw.NE))) == ["ahead", "heading"]
    assert codes(at("C-parallel", seen_at(4, 1, Yaw.E, level=8))) == ["level"]
    assert codes(at("C-parallel", seen_at(4, 1, Yaw.E, pitch=1))) == ["pitch-differs"]
    assert codes(at("C-parallel", seen_at(4, 1, Yaw.E, roll=1), target(roll=1))) == ["attacker-banked"]
    assert codes(at("C-parallel", behind())) == ["ahead"]


@pytest.mark.rule("aod:4.5.4")
@pytest.mark.parametrize("clock", [12, 2, 4, 8, 10])
@pytest.mark.parametrize("level", [5, 6, 7])
def test_the_parallel_position_is_all_around_and_one_level_up_or_down(clock: int, level: int) -> None:
    found = at("C-parallel", seen_at(clock, 1, Yaw.E, level))
    assert (found.permitted, found.column, found.rise) == (True, "C", 6 - level)
    assert (found.back, found.ahead) == (clock, (clock + 6) % 12 or 12)


@pytest.mark.rule("aod:4.5.4")
def test_flexible_guns_reach_a_parallel_target_ahead_that_the_nose_misses() -> None:
    found = at("C-parallel", behind(level=5))
    assert (found.permitted, found.column, found.ahead) == (True, "A", 12)
    assert at("C-parallel", behind(pitch=1), target(pitch=1)).column == "A"


@pytest.mark.rule("aod:4.5.5")
def test_guns_aimed_upwards() -> None:
    found = at("upward", behind(level=5))
    assert (found.permitted, found.column, found.double_burst, found.passive) == (True, "C", True, False)
    assert codes(at("upward", behind(level=5), target(roll=1))) == ["tilted"]
    assert codes(at("upward", behind(level=5, pitch=1))) == ["tilted"]
    assert codes(at("upward", behind())) == ["level"]
    assert codes(at("upward", behind(2, level=5))) == ["distance"]
    assert "not-behind" in codes(at("upward", seen_at(4, 1, Yaw.E, level=5)))


@pytest.mark.rule("aod:4.5.8")
@pytest.mark.parametrize(
    ("attacker", "aim", "may"),
    [
        (behind(), TARGET, True),
        (behind(2), TARGET, True),
        (behind(), target(roll=1), False),
        (behind(level=5, pitch=1), TARGET, False),
        (behind(level=5, pitch=1), target(pitch=1), True),
        (behind(level=7, pitch=-1), TARGET, True),
        (behind(2), target(pitch=-1), False),
        (behind(2), target(pitch=1), True),
    ],
)
def test_a_twitch_needs_an_unbanked_defender_and_no_attacker_below_the_tail(
    attacker: Pose, aim: Pose, may: bool
) -> None:
    found = at("A", attacker, aim)
    assert found.permitted
    assert found.twitch == may


@pytest.mark.rule("aod:4.5.8")
def test_no_twitch_away_from_position_a() -> None:
    assert not at("B", seen_at(4, 1, Yaw.NE)).twitch
    assert not at("A", behind(3)).twitch


@pytest.mark.rule("aod:4.6.5")
def test_a_double_burst_needs_exactly_equal_tilt() -> None:
    assert at("A", behind(2)).double_burst
    assert not at("A", behind(), target(roll=1)).double_burst
    assert not at("A", behind(2), target(pitch=1)).double_burst
    assert not at("C-parallel", seen_at(4, 1, Yaw.E), target(roll=-1)).double_burst
    assert at("C-parallel", seen_at(4, 1, Yaw.E, pitch=1), target(pitch=1)).double_burst
    assert not at("C-frontal", head_on()).double_burst


@pytest.mark.rule("aod:4.7.1")
def test_guns_aimed_upwards_and_rockets_are_no_passive_positions() -> None:
    assert [s.position for s in passive_positions(behind(2), TARGET)] == ["A"]


def test_the_nearest_position_is_the_one_with_the_fewest_reasons_against_it() -> None:
    assert nearest(firing_position(head_on(), target(roll=1))).position == "C-frontal"
    assert nearest(firing_position(behind(roll=1), target(roll=-1))).position == "A"


def test_every_reason_is_given_at_once_with_a_sentence_and_a_rule() -> None:
    found = at("B", seen_at(2, 3, Yaw.E, level=9, pitch=1, roll=1))
    assert codes(found) == ["distance", "not-ahead", "not-angled", "level", "attacker-pitched", "attacker-banked"]
    assert all(reason.text.endswith(".") and reason.rule == "4.5.2" for reason in found.barred)
    assert found.barred[0].text == "The target is at 3d; this position needs 1d."


tilts = st.sampled_from((-1, 0, 1))
poses = st.builds(
    Pose,
    st.builds(Point, st.integers(-3, 3), st.integers(-3, 3)),
    st.sampled_from(Yaw),
    st.integers(4, 8),
    tilts,
    tilts,
)


def moved(pose: Pose, sixths: int, by: Point, levels: int) -> Pose:
    q, r = lattice.turned((pose.point.q, pose.point.r), sixths)
    return Pose(Point(q + by.q, r + by.r), pose.yaw.left(sixths), pose.level + levels, pose.pitch, pose.roll)


@given(poses, poses, st.integers(0, 5), st.builds(Point, st.integers(-9, 9), st.integers(-9, 9)), st.integers(-4, 5))
def test_turning_and_moving_both_changes_nothing(a: Pose, b: Pose, sixths: int, by: Point, levels: int) -> None:
    assert firing_position(a, b) == firing_position(moved(a, sixths, by, levels), moved(b, sixths, by, levels))


def mirrored(pose: Pose) -> Pose:
    point = Point(pose.point.q + pose.point.r, -pose.point.r)
    return Pose(point, Yaw(-pose.yaw % 6), pose.level, pose.pitch, -pose.roll)  # type: ignore[arg-type]


@given(poses, poses)
def test_left_and_right_are_alike(a: Pose, b: Pose) -> None:
    mine = [(s.position, s.permitted, s.roll_differs) for s in firing_position(a, b)]
    assert mine == [(s.position, s.permitted, s.roll_differs) for s in firing_position(mirrored(a), mirrored(b))]


@given(poses, poses)
def test_at_most_one_way_to_aim_a_gun_except_guns_aimed_upwards(a: Pose, b: Pose) -> None:
    guns = [name for name in names(a, b) if name not in ("upward", "rocket")]
    assert len(guns) <= 1
