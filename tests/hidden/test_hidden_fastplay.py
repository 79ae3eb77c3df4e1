"""Fast-Play WWII: a stack that lies face down is its own pilot's alone, until each card is turned up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from companion.game.table import Table
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


# --- games at random: four planes of all kinds, which fire and come down, and what nobody has turned up is another card

CRAFTS = ("Spitfire", "Lightning", "Zero", "Me-262")
EYES = ("p0", "p2", *SPECTATORS)
GAMES = 8


def random_setup(rng: Random) -> dict[str, Any]:
    """Two against two, close together and already hit, so that shots bring planes down."""
    places = [("F5", "E"), ("H5", "W"), ("F7", "E"), ("I7", "W")]
    pilots = [
        {"name": f"P{n}", "side": ("Allies", "Axis")[n % 2], "aircraft": rng.choice(CRAFTS), "hex": at, "facing": nose,
         "victories": rng.choice([0, 4])}
        for n, (at, nose) in enumerate(places)
    ]  # fmt: skip
    return {"mat": {"columns": 14, "rows": 12}, "pilots": pilots}


def stacks(table: Table, rng: Random) -> dict[str, list[str]]:
    return {ask.seat: list(ask.space.pick(rng)) for ask in table.asks if ask.space}


def changed(table: Table, stacks: Mapping[str, list[str]], seat: str, shown: int, rng: Random) -> dict[str, list[str]]:
    """The same but for the others' cards that will not have been turned up: legal ones, and not the same."""
    found = dict(stacks)
    for ask in table.asks:
        while ask.space and ask.seat != seat and found[ask.seat] == stacks[ask.seat]:
            other = list(ask.space.pick(rng))
            found[ask.seat] = stacks[ask.seat][:shown] + other[shown:]
            if ask.space.reasons(found[ask.seat]):  # type: ignore[attr-defined]
                found[ask.seat] = stacks[ask.seat]
    return found


def play_on(table: Table, rng: Random) -> None:
    """One card: all turn it up, move, fire at whoever is there, come down; all by the same dice."""
    table.open("reveal", seat="host")
    table.open("move", seat="host")
    free = [a.key for a in table.due().acts if a.key.startswith("fire:") and not a.barred]
    for act in (*free, "close", "losses"):
        if any(a.key == act and not a.barred for a in table.due().acts):
            table.open(act, seat="host")
        while table.asks:
            ask = table.asks[0]
            if ask.dice:
                table.answer(ask.address, [rng.choice(slot.die.names) for slot in ask.dice.slots], seat="host")
            else:
                assert ask.space
                table.answer(ask.address, ask.space.legal[0], seat="host")


@pytest.mark.rule("fastplay:Choose Cards")
@pytest.mark.parametrize("seed", range(GAMES))
def test_in_random_games_no_seat_is_sent_a_byte_of_what_others_have_face_down(
    room: Callable[..., Room], seed: int
) -> None:
    rng, seat, shown = Random(seed), EYES[seed % len(EYES)], seed // len(EYES) + 1
    setup = random_setup(rng)
    one, other = room("fastplay", setup), room("fastplay", setup)
    for each in (one, other):
        each.table.rule(
            [{"kind": "hits", "target": f"p{n}", "value": {"by": f"p{(n + 1) % 4}", "hits": 4}} for n in range(4)],
            seat="host", reason="old hits",
        )  # fmt: skip
        each.table.open("choose", seat="host")
    plans = stacks(one.table, rng)
    for each, chosen in ((one, plans), (other, changed(one.table, plans, seat, shown, rng))):
        for who, cards in chosen.items():
            each.table.answer(f"cards@{who}/stack", cards, seat=who)
    eyes = "" if seat in SPECTATORS else seat
    for card in range(shown):
        for each in (one, other):
            play_on(each.table, Random(seed * 10 + card))
        sent = [{**each.sent(seat), **printed(each, eyes)} for each in (one, other)]
        same(sent[0], sent[1], f"game {seed}, {seat or 'a spectator'}, card {card + 1}")
    assert one.table.state != other.table.state or not any(p.plan[p.shown :] for p in one.table.state.pilots)
