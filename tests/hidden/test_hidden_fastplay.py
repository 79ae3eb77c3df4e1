"""Fast-Play WWII: a stack that lies face down is its own pilot's alone, until each card is turned up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise

import pytest

from tests.hidden.tables import Room, printed, same

SETUP = {
    "mat": {"columns": 16, "rows": 14},
    "pilots": [
        {"key": "anna", "name": "Anna", "side": "Allies", "aircraft": "Spitfire", "hex": "B7"},
        {"key": "ben", "name": "Ben", "side": "Allies", "aircraft": "Mustang", "hex": "B11"},
        {"key": "chris", "name": "Chris", "side": "Axis", "aircraft": "Me-109", "hex": "C7"},
    ],
}
PLANS = {"anna": "1ST 2ST L", "ben": "2ST SR R", "chris": "1ST 2ST HL"}
OTHERS = {"anna": "2ST HL SL", "ben": "L 2ST 1ST", "chris": "R SL 2ST"}
SPECTATORS = ("", "kiosk")


def other_plans(seat: str, shown: int) -> dict[str, str]:
    """The others' stacks with other cards where they lie face down."""
    kept = {s: plan.split()[:shown] for s, plan in PLANS.items()}
    fresh = {s: [c for c in (*OTHERS[s].split(), "SL", "SR") if c not in kept[s]][: 3 - shown] for s in PLANS}
    return {s: PLANS[s] if s == seat else " ".join(kept[s] + fresh[s]) for s in PLANS}


def choose(room: Room, seat: str, plan: str) -> None:
    room.table.answer(f"cards@{seat}/stack", plan.split(), seat=seat)


@pytest.mark.rule("fastplay:Choose Cards")
@pytest.mark.parametrize("seat", [*PLANS, *SPECTATORS])
def test_what_a_seat_is_sent_does_not_depend_on_cards_that_lie_face_down(room: Callable[..., Room], seat: str) -> None:
    """Turn up no, one and two cards: only the hidden rest of the others' stacks differs."""
    for shown in range(3):
        rooms = {"one": room("fastplay", SETUP), "other": room("fastplay", SETUP)}
        plans = {"one": PLANS, "other": other_plans(seat, shown)}
        assert any(plans["other"][s] != PLANS[s] for s in PLANS if s != seat)
        _follow(rooms, plans, seat, shown)


def _follow(rooms: Mapping[str, Room], plans: Mapping[str, Mapping[str, str]], seat: str, shown: int) -> None:
    def check(what: str) -> None:
        sent = [{**r.sent(seat), **printed(r, "" if seat in SPECTATORS else seat)} for r in rooms.values()]
        for one, other in pairwise(sent):
            same(one, other, f"{seat or 'a spectator'}, {shown} up, {what}")

    for each in rooms.values():
        each.table.open("choose", seat="anna")
    for pilot in ("chris", "ben", "anna"):
        for name, each in rooms.items():
            choose(each, pilot, plans[name][pilot])
        check(f"{pilot} has chosen")
    for number in range(shown):
        for act in ("reveal", "move", "close"):
            for each in rooms.values():
                each.table.open(act, seat="anna")
        check(f"card {number + 1} is up")


@pytest.mark.parametrize("seat", ["anna", *SPECTATORS])
def test_a_stack_that_was_amended_is_not_told(room: Callable[..., Room], seat: str) -> None:
    """Chris amends his stack while it lies face down: that he did is told, the cards are not."""
    sent = []
    for cards in ("2ST 1ST SL", "HR SL L"):
        each = room("fastplay", SETUP)
        number = each.table.open("choose", seat="anna")
        for pilot, plan in PLANS.items():
            choose(each, pilot, plan)
        each.table.amend(number, "cards@chris/stack", cards.split(), seat="chris", reason="wrong card")
        sent.append(each.sent(seat))
    same(sent[0], sent[1], f"{seat or 'a spectator'}, amended")
    assert b"wrong card" in b"".join(sent[0].values())


@pytest.mark.parametrize("seat", ["anna", *SPECTATORS])
def test_a_choice_that_was_taken_back_stays_secret(room: Callable[..., Room], seat: str) -> None:
    sent = []
    for plan in (PLANS, OTHERS):
        each = room("fastplay", SETUP)
        each.table.open("choose", seat="anna")
        for pilot in PLANS:
            choose(each, pilot, PLANS[pilot] if pilot == seat else plan[pilot])
        each.table.undo(seat="host", agreed="host")
        sent.append(each.sent(seat))
        each.table.redo(seat="host")
        sent.append(each.sent(seat))
    same(sent[0], sent[2], f"{seat or 'a spectator'}, taken back")
    same(sent[1], sent[3], f"{seat or 'a spectator'}, brought back")
