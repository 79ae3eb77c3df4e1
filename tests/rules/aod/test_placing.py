"""An aircraft set down by touch: steps from where it was instead of coordinates."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.game import registry
from companion.grid.triangular import Point, Pose, Yaw
from companion.rules.aod.craft import Craft
from companion.rules.aod.placing import absolute, parts
from companion.rules.aod.turn import Placing, place, read_place
from companion.umpire import Answer, UsageError, scripted

HERE = Pose(Point(2, 1), Yaw.NE, 5, 0, 0)


def placed(text: str, pose: Pose | None = HERE) -> tuple[Pose | None, int]:
    return read_place(absolute(pose, text))


@pytest.mark.rule("aod:3.2-step")
def test_steps_count_from_where_it_was_and_along_its_old_heading() -> None:
    ahead = Point(2, 1).ahead(Yaw.NE, 5)
    assert placed("12+5 NE L6") == (Pose(ahead, Yaw.NE, 6, 0, 0), 6)
    assert placed("12+5 10+2 W L4 up left") == (Pose(ahead.ahead(Yaw.NW, 2), Yaw.W, 4, 1, -1), 4)
    assert placed("E L5") == (Pose(HERE.point, Yaw.E, 5, 0, 0), 5)
    assert placed("6+1 SW L5")[0] == Pose(HERE.point.ahead(Yaw.SW), Yaw.SW, 5, 0, 0)


def test_what_was_written_before_is_read_as_before() -> None:
    assert placed("0,0 E L4") == (Pose(Point(0, 0), Yaw.E, 4, 0, 0), 4)
    assert placed("L4") == (None, 4)
    assert placed("L4", None) == (None, 4)
    for wrong in ("12+5", "12+5 NE", "12+99 NE L4 x", "", "E"):
        with pytest.raises(UsageError):
            placed(wrong)
    with pytest.raises(UsageError):
        placed("12+5 NE L6", None)


@given(st.integers(0, 14), st.sampled_from(list(Yaw)), st.data())
def test_whatever_is_touched_can_be_read(level: int, yaw: Yaw, data: st.DataObject) -> None:
    """One choice of each part, whatever the pose; what is marked at first is where the aircraft stands."""
    pose = Pose(Point(0, 0), yaw, level, 0, 0)
    groups = parts(Craft(key="1", pose=pose))
    marked = " ".join(part.now for part in groups if part.now)
    assert placed(marked, pose) == (pose, level)
    words = [data.draw(st.sampled_from([key for key, _ in part.choices])) for part in groups]
    found, height = placed(" ".join(word for word in words if word), pose)
    assert found is not None
    assert found.level == height


def test_without_a_position_only_the_level_is_touched() -> None:
    (level,) = parts(Craft(key="1", level=3))
    assert level.now == "L3"
    assert placed("L9", None) == (None, 9)
    assert parts(Craft(key="1"))[0].now == ""


def test_the_procedure_takes_both() -> None:
    craft = Craft(key="1", type="Fw 190 A-8", pose=HERE)
    touched = scripted(place, Placing(craft=craft), [Answer("place", fact="12+1 NE L5"), Answer("speed", fact=9)])
    (change,) = touched.result.changes
    assert change.value[0].point == HERE.point.ahead(Yaw.NE)
    known = scripted(place, Placing(craft=craft, place="12+1 NE L5", speed=9), [])
    assert known.result.changes == touched.result.changes
    assert registry.game("aod").procedures["aod.place"] is place
