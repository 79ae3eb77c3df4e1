"""Only what lies still is a throw, die by die."""

from drivers.dice import Event, EventKind, Face
from drivers.dice.settle import Settler


def said(kind: EventKind, at: float, die: str = "", value: int | str = "?") -> Event:
    return Event(kind, "dice", (Face(die, value),), None, at, "", "")


def test_without_a_settling_time_all_passes() -> None:
    events = [said("throw", 0.0, "", 4), said("throw", 0.0, "", 5)]
    assert Settler().pass_on(events) == events


def test_the_last_face_counts_once_it_has_lain_still() -> None:
    settler = Settler(0.5)
    settler.pass_on([said("throw", 0.0, "", 3), said("throw", 0.1, "", 5), said("throw", 0.4, "", 5)])
    assert settler.tick(0.59) == []
    assert [event.faces[0].value for event in settler.tick(0.6)] == [5]
    assert settler.tick(9.0) == []


def test_one_die_that_rolls_does_not_void_another() -> None:
    settler = Settler(0.5, needs_rolling=True)
    settler.pass_on([said("moving", 0.0, "w"), said("throw", 0.1, "w", 4), said("moving", 0.2, "r")])
    assert [event.faces[0] for event in settler.tick(0.7)] == [Face("w", 4)]
    (nudged,) = settler.pass_on([said("throw", 0.8, "w", 6)])
    assert nudged.kind == "moving"
    settler.pass_on([said("throw", 0.9, "r", 2)])
    assert [event.faces[0] for event in settler.tick(1.5)] == [Face("r", 2)]


def test_a_die_that_moves_on_or_lies_askew_voids_what_it_showed() -> None:
    settler = Settler(0.5)
    for kind in ("moving", "cocked"):
        settler.pass_on([said("throw", 0.0, "w", 4), said(kind, 0.1, "w")])
        assert settler.tick(5.0) == []
    settler.pass_on([said("throw", 6.0, "w", 4)])
    settler.restart()
    assert settler.tick(9.0) == []
