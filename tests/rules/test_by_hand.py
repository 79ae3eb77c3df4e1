"""What a ruling by hand may set in each game; that each choice fits is tested with the page."""

from __future__ import annotations

from typing import Any

import pytest

from companion.game import registry
from companion.umpire import Change, Context, Settable, UsageError


def begun(key: str, setup: dict[str, Any] | None = None) -> tuple[Any, Any, Context]:
    game = registry.game(key)
    context = Context({k: s.default for k, s in game.switches.items()}, game.cells())
    return game, game.start(setup or game.demo(), context), context


def labels(values: tuple[Settable, ...], piece: str) -> dict[str, str]:
    return {v.label: v.now for v in values if v.piece == piece}


def test_without_positions_a_level_is_set_and_no_pose() -> None:
    game, state, context = begun(
        "aod", {"aircraft": [{"key": "1", "type": "Fw 190 A-8"}, {"key": "2", "type": "Dakota"}]}
    )
    found = labels(game.settable(state, context), "1")
    assert found["Altitude"] == ""
    assert {"Heading", "Bank"}.isdisjoint(found)
    assert "Fixed guns" not in labels(game.settable(state, context), "2")
    state = game.apply(state, Change("set", "1", {"level": 4, "used": ["active"]}))
    found = labels(game.settable(state, context), "1")
    assert (found["Altitude"], found["Has fired this round"]) == ("L4", "yes")


@pytest.mark.parametrize("value", [{"pose": {"level": 99}}, {"pose": "north"}, 7])
def test_a_value_that_fits_no_aircraft_is_refused(value: Any) -> None:
    game, state, _ = begun("aod")
    with pytest.raises(UsageError, match="That cannot be set"):
        game.apply(state, Change("set", "3", value))


def test_a_plane_that_is_out_has_no_facing_and_comes_back_by_hand() -> None:
    game, state, context = begun("fastplay")
    state = game.apply(state, Change("set", "anna", {"out": "shot down"}))
    found = labels(game.settable(state, context), "anna")
    assert found["On the mat"] == "shot down"
    assert "Facing" not in found
    with pytest.raises(UsageError, match="That cannot be set"):
        game.apply(state, Change("set", "anna", {"hits": "many"}))


def test_hits_of_an_aircraft_are_set_as_a_whole_and_its_side_follows() -> None:
    game, state, context = begun("rotl")
    state = game.apply(state, Change("hits", "X1.1", 3))
    state = game.apply(state, Change("set hits", "X1.1", 1))
    assert state.element("X1").leader.hits == 1
    most = next(v for v in game.settable(state, context) if v.label == "Hits" and v.piece == "X1.1").choices[-1][1]
    down = game.apply(state, Change("set hits", "X1.1", most))
    assert down.element("X1").leader.key != "X1.1" or down.element("X1").leader.fate == "destroyed"
    assert "X1.1" not in {v.piece for v in game.settable(down, context)}
