"""Shooting: the target in the line of flight, the dice by range, the hits."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated

import msgspec
from msgspec import Meta

from companion.grid.hexes import Side
from companion.rules.fastplay.aircraft import FARTHEST, PLAIN_NEED, fleet, need
from companion.rules.fastplay.charts import charts
from companion.rules.fastplay.mat import Facing, Mat
from companion.rules.fastplay.names import Names, called
from companion.rules.fastplay.refusals import barred
from companion.umpire import (
    D6,
    Barred,
    Change,
    Dice,
    Number,
    OneOf,
    Option,
    Question,
    Slot,
    Umpire,
    at_least,
    options,
    procedure,
)

SHOOTING = "Resolve Shooting"
ACES = "Aces"

Victories = Annotated[int, Meta(ge=0, le=9999)]
Range = Annotated[int, Meta(ge=0, le=999)]


class Plane(msgspec.Struct, frozen=True):
    """A plane that might be fired at; `at` stays empty where the table keeps the hexes."""

    pilot: str
    side: str = ""
    at: str = ""
    duel: str = ""
    must_leave: bool = False


class Shot(msgspec.Struct, frozen=True):
    """One plane's fire after a card. What is None is worked out from the mat or asked; a range of 0 is the same hex."""

    shooter: str
    side: str = ""
    aircraft: str | None = None
    victories: Victories | None = None
    duel: str = ""
    must_leave: bool = False
    mat: Mat | None = None
    at: str = ""
    facing: Facing | None = None
    planes: tuple[Plane, ...] = ()
    target: str | None = None
    range: Range | None = None
    names: Names = ()

    @property
    def sees(self) -> bool:
        """Whether range and target follow from the mat."""
        return self.mat is not None and bool(self.at) and self.facing is not None


class Fired(msgspec.Struct, frozen=True):
    shooter: str
    target: str
    range: int
    dice: int
    need: int
    hits: int
    changes: tuple[Change, ...] = ()


# --- who may be fired at


def is_foe(shot: Shot, plane: Plane) -> bool:
    """Whether the two may fire at each other at all: enemies, and duellists only among themselves."""
    if shot.duel or plane.duel:
        return shot.duel == plane.pilot
    return plane.side != shot.side and not plane.must_leave


def foes(shot: Shot) -> tuple[Plane, ...]:
    return tuple(p for p in shot.planes if is_foe(shot, p))


def distances(shot: Shot) -> dict[str, int]:
    """The range of every foe that is straight ahead, 0 for one in the same hex."""
    assert shot.mat
    assert shot.facing
    here = shot.mat.hex(shot.at)
    line = (here, *here.line_of_flight(Side[shot.facing], FARTHEST))
    where = {p.pilot: shot.mat.hex(p.at) for p in foes(shot)}
    return {pilot: line.index(at) for pilot, at in where.items() if at in line}


def nearest(found: dict[str, int]) -> tuple[str, ...]:
    """The targets among the planes ahead: the nearest ones that are not in the same hex."""
    ranges = [hexes for hexes in found.values() if hexes]
    return tuple(pilot for pilot, hexes in found.items() if ranges and hexes == min(ranges))


def _violations(shot: Shot) -> tuple[Barred, ...]:
    found = [barred("DUEL_WINNER_MUST_LEAVE_FIRST")] if shot.must_leave else []
    found += _target_violations(shot)
    if shot.sees:
        found += _line_violations(shot, distances(shot))
    else:
        found += range_violations(shot.range) if shot.range is not None else []
        found += [barred("NO_ENEMY_IN_LINE_OF_FIRE")] if shot.planes and not foes(shot) else []
    return tuple(found)


def _target_violations(shot: Shot) -> list[Barred]:
    """What is wrong with the named target before anybody looks where it is."""
    plane = next((p for p in shot.planes if p.pilot == shot.target), None)
    if plane is None or is_foe(shot, plane):
        return []
    if shot.duel or plane.duel:
        return [barred("DUEL_ONLY_EACH_OTHER")]
    if plane.must_leave:
        return [barred("DUEL_WINNER_MUST_LEAVE_FIRST", "The winner of a duel is not fired at before it has left.")]
    return [barred("NO_ENEMY_IN_LINE_OF_FIRE", "That plane is no enemy.")]


def _line_violations(shot: Shot, found: dict[str, int]) -> list[Barred]:
    targets = nearest(found)
    if shot.target in targets:
        return []
    if not targets or shot.target is not None:
        same_hex = 0 in found.values() if shot.target is None else found.get(shot.target) == 0
        if same_hex:
            return [barred("SAME_HEX_NO_SHOOTING")]
        return [barred("MUST_FIRE_AT_NEAREST" if found.get(shot.target or "") else "NO_ENEMY_IN_LINE_OF_FIRE")]
    return []


def range_violations(hexes: int) -> list[Barred]:
    if hexes == 0:
        return [barred("SAME_HEX_NO_SHOOTING")]
    if hexes > FARTHEST:
        return [barred("NO_ENEMY_IN_LINE_OF_FIRE", f"The target is {hexes} hexes away; guns reach {FARTHEST}.")]
    return []


# --- the shot


@procedure(
    "fastplay.fire",
    title="Fire",
    rule=SHOOTING,
    violations=_violations,
    questions={"hits": Question("hits scored", lambda fired: fired.hits)},
    asks={
        "target": "which of several planes is fired at",
        "range": "hexes to the target",
        "aircraft": "what the shooter flies",
        "victories": "victories on the shooter's licence",
        "shoot": "the dice",
    },
)
def fire(ump: Umpire, shot: Shot) -> Fired:
    """Five dice at one hex and one less for each hex more; each hits on its own; an ace throws one more."""
    found = distances(shot) if shot.sees else {}
    target = _target(ump, shot, nearest(found) if shot.sees else tuple(p.pilot for p in foes(shot)))
    hexes = found.get(target) or _range(ump, shot)
    craft = ump.fact(
        "aircraft", OneOf(options(*fleet())), shot.aircraft, text="What does the shooter fly?", rule=SHOOTING
    )
    dice, extra = _dice(ump, shot, hexes)
    lowest = need(ump.context, craft, hexes)
    if lowest != PLAIN_NEED:
        ump.note(f"{craft} at {hexes}: hits on {lowest}+", "Firepower")
    title = f"{called(shot.names, shot.shooter)} at {called(shot.names, target) or 'the target'}, range {hexes}"
    hits = ump.hits("shoot", pool(dice, extra), at_least(lowest), rule=SHOOTING, title=title, seat=shot.shooter)
    return Fired(shot.shooter, target, hexes, dice + extra, lowest, hits, _changes(shot, target, hits))


def _changes(shot: Shot, target: str, hits: int) -> tuple[Change, ...]:
    fired = Change("fired", shot.shooter, text="has fired", rule=SHOOTING)
    if not hits or not target:
        return (fired,)
    scored = {"by": shot.shooter, "hits": hits}
    words = f"{hits} hit{'s' * (hits > 1)} from {called(shot.names, shot.shooter)}"
    return fired, Change("hits", target, scored, "step", words, SHOOTING)


def _target(ump: Umpire, shot: Shot, targets: Sequence[str]) -> str:
    """The shooter picks where several are equally near, or where the table alone sees the line."""
    if shot.target is not None or not targets:
        return shot.target or ""
    if shot.sees and len(targets) == 1:
        return targets[0]
    foes = OneOf(options(**{key: called(shot.names, key) for key in targets}))
    text = "Whom do you fire at? The nearest enemy straight ahead."
    return ump.choose("target", shot.shooter, foes, text=text, rule=SHOOTING)


def _range(ump: Umpire, shot: Shot) -> int:
    text = "How many hexes away is the target?"
    known = None if shot.range is None else str(shot.range)
    return int(ump.fact("range", OneOf(_RANGES), known, text=text, rule=SHOOTING))


def _range_option(hexes: int) -> Option[str]:
    found = range_violations(hexes)
    words = {0: "in the same hex", FARTHEST + 1: f"{FARTHEST + 1} or more"}.get(hexes, str(hexes))
    return Option(str(hexes), words, str(hexes), found[0] if found else None)


_RANGES = tuple(_range_option(hexes) for hexes in range(FARTHEST + 2))


def _dice(ump: Umpire, shot: Shot, hexes: int) -> tuple[int, int]:
    """Dice for the range, and those for an ace."""
    dice = int(charts()["dice"].at(hexes))
    ump.note(f"range {hexes}: {dice} dice", SHOOTING)
    text = "How many victories has the shooter?"
    victories = ump.fact("victories", Number(0, 9999), shot.victories, text=text, rule=ACES)
    extra = int(charts()["aces"].at(victories, "extra dice"))
    if extra:
        ump.note(f"{rank(victories)} with {victories} victories: one die more", ACES)
    return dice, extra


def rank(victories: int) -> str:
    """`pilot`, `ace` or `double ace`."""
    return str(charts()["aces"].at(victories))


@lru_cache(16)
def pool(dice: int, extra: int) -> Dice:
    """The dice of a shot; the one of an ace has its own name."""
    names = [f"d6 {n}" for n in range(1, dice + 1)] if dice + extra > 1 else ["d6"]
    return Dice(tuple(Slot(name, D6) for name in (*names, *["ace"] * extra)))
