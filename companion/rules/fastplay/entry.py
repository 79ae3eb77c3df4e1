"""Before the cards: coming onto the mat, and agreeing on a duel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from companion.rules.fastplay.mat import FACINGS, Facing, Mat
from companion.rules.fastplay.names import Names, called
from companion.rules.fastplay.refusals import barred
from companion.umpire import (
    Barred,
    Change,
    Choice,
    Illegal,
    Notation,
    Number,
    OneOf,
    Umpire,
    UsageError,
    YesNo,
    options,
    procedure,
)

RETURNING = "Returning to Combat"
DUELS = "Duels"
NEAREST = 6
"""Hexes that a plane keeps from the nearest enemy when it enters."""

Count = Annotated[int, Meta(ge=0, le=999)]


class Entry(msgspec.Struct, frozen=True):
    """A plane that comes onto the mat; `enemies` are the hexes of the enemies there, None where the table knows them.

    `nearest` is the distance to the nearest enemy in hexes where no mat is kept.
    """

    pilot: str
    turn: Count = 1
    out_since: Count = 0
    cards_chosen: bool = False
    mat: Mat | None = None
    enemies: tuple[str, ...] = ()
    hex: str | None = None
    facing: Facing | None = None
    nearest: Count | None = None


class Entered(msgspec.Struct, frozen=True):
    pilot: str
    hex: str
    facing: str
    changes: tuple[Change, ...]


def _entry_violations(entry: Entry) -> tuple[Barred, ...]:
    found = []
    if entry.cards_chosen:
        found.append(barred("ENTRY_HEX_BEFORE_CARDS"))
    if entry.turn <= entry.out_since:
        found.append(barred("RETURN_NEXT_TURN"))
    if entry.mat and entry.hex:
        found += hex_violations(entry, entry.hex)
    elif entry.nearest is not None:
        found += _distance_violations(entry.nearest)
    elif entry.mat and not entry.hex and not found and not open_hexes(entry):
        found.append(barred("TOO_CLOSE_TO_ENEMY", "No edge hex is six hexes away from every enemy now."))
    return tuple(found)


def hex_violations(entry: Entry, name: str) -> list[Barred]:
    """Everything that forbids this hex of the mat."""
    assert entry.mat
    at = entry.mat.hex(name)
    found = []
    if not entry.mat.is_whole(at):
        found.append(barred("NOT_A_WHOLE_HEX", f"{name} is half a hex; place the plane on a whole one."))
    elif not entry.mat.is_edge(at):
        found.append(barred("NOT_AN_EDGE_HEX", f"{name} is not on an edge of the mat."))
    near = [enemy for enemy in entry.enemies if at.distance(entry.mat.hex(enemy)) < NEAREST]
    if near:
        found.append(barred("TOO_CLOSE_TO_ENEMY", f"{name} is less than six hexes from the enemy in {near[0]}."))
    return found


def _distance_violations(hexes: int) -> list[Barred]:
    return [barred("TOO_CLOSE_TO_ENEMY")] if hexes < NEAREST else []


def open_hexes(entry: Entry) -> tuple[str, ...]:
    """Where the plane may enter."""
    assert entry.mat
    enemies = [entry.mat.hex(enemy) for enemy in entry.enemies]
    return tuple(entry.mat.name(at) for at in entry.mat.edges() if all(at.distance(e) >= NEAREST for e in enemies))


@procedure(
    "fastplay.enter",
    title="Enter or return to combat",
    rule=RETURNING,
    violations=_entry_violations,
    asks={"hex": "the edge hex", "facing": "where the nose points", "nearest": "hexes to the nearest enemy"},
)
def enter(ump: Umpire, entry: Entry) -> Entered:
    """A plane is placed, undamaged, before anybody chooses cards."""
    place = _placed(ump, entry) if entry.mat else _trusted(ump, entry)
    ump.note(f"enters{_at(place)}", RETURNING)
    change = Change("enter", entry.pilot, place, text=f"enters{_at(place)}", rule=RETURNING)
    return Entered(entry.pilot, place.get("at", ""), place.get("facing", ""), (change,))


def _at(place: Mapping[str, str]) -> str:
    return f" on {place['at']}, nose {place['facing']}" if place else ""


def _placed(ump: Umpire, entry: Entry) -> dict[str, str]:
    def read(text: str) -> str:
        found = hex_violations(entry, text)
        if found:
            raise Illegal(found)
        return text.strip().upper()

    where = entry.hex or ump.choose(
        "hex",
        entry.pilot,
        Notation(read, "A1", open_hexes(entry)),
        text="On which edge hex does the plane enter?",
        rule=RETURNING,
    )
    noses = OneOf(options(*FACINGS))
    text = "Where does the nose point?"
    nose: str = entry.facing or ump.choose("facing", entry.pilot, noses, text=text, rule=RETURNING)
    return {"at": where.strip().upper(), "facing": nose}


class _Far(Number, frozen=True):
    """A distance that is refused where it is too small."""

    def parse(self, given: Any) -> int:
        hexes = super().parse(given)
        if found := _distance_violations(hexes):
            raise Illegal(found)
        return hexes

    @property
    def legal(self) -> tuple[Any, ...]:
        return tuple(range(NEAREST, NEAREST + 6))

    def pick(self, rng: Any) -> int:
        return int(rng.choice(self.legal))


def _trusted(ump: Umpire, entry: Entry) -> dict[str, str]:
    ump.fact("nearest", _Far(0, 999), entry.nearest, text="How many hexes away is the nearest enemy?", rule=RETURNING)
    return {}


# --- duels


class Challenge(msgspec.Struct, frozen=True):
    """Two pilots, the turns in which they entered, and whether each agrees where that is known already."""

    pilot: str
    opponents: tuple[str, ...]
    opponent: str | None = None
    entered: Count = 1
    opponent_entered: Count = 1
    agreed: tuple[bool, bool] | None = None
    names: Names = ()


class Duel(msgspec.Struct, frozen=True):
    pilot: str
    opponent: str
    agreed: bool
    changes: tuple[Change, ...] = ()


def _duel_violations(challenge: Challenge) -> tuple[Barred, ...]:
    found = []
    if not challenge.opponents or challenge.entered != challenge.opponent_entered:
        found.append(barred("DUEL_NEEDS_SAME_ENTRY_TURN"))
    if challenge.agreed and not all(challenge.agreed):
        found.append(barred("DUEL_NEEDS_BOTH"))
    if challenge.opponent is not None and challenge.opponent not in challenge.opponents:
        raise UsageError(f"{challenge.opponent[:30]!r} is not one of the pilots who may be challenged.")
    return tuple(found)


@procedure(
    "fastplay.duel",
    title="Agree on a duel",
    rule=DUELS,
    violations=_duel_violations,
    asks={"opponent": "who is challenged", "agree": "whether the pilots agree"},
)
def duel(ump: Umpire, challenge: Challenge) -> Duel:
    """Two pilots who entered in the same turn fight each other alone, if both agree."""
    others = options(**{key: called(challenge.names, key) for key in challenge.opponents})
    other = challenge.opponent or ump.choose(
        "opponent", challenge.pilot, OneOf(others), text="Whom do you challenge?", rule=DUELS
    )
    pair = (challenge.pilot, other)
    agreed = all(challenge.agreed if challenge.agreed else _answers(ump, pair, challenge.names).values())
    if not agreed:
        ump.note(f"no duel: {barred('DUEL_NEEDS_BOTH').text}", DUELS)
        return Duel(*pair, agreed=False)
    ump.note("both agree: they fire only at each other, and nobody else at them", DUELS)
    return Duel(*pair, agreed=True, changes=(Change("duel", pair[0], other, text="fight a duel", rule=DUELS),))


def _answers(ump: Umpire, pair: tuple[str, str], names: Names) -> dict[str, bool]:
    both = zip(pair, pair[::-1], strict=True)
    asks = {p: Choice("duel", YesNo(), f"Fight a duel with {called(names, o)}?", DUELS) for p, o in both}
    return ump.together("agree", asks, rule=DUELS)
