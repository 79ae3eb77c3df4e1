"""Pilot counters: nationality, aircraft, skills, and choosing them out of a cup."""

from __future__ import annotations

from collections.abc import Iterator
from math import perm
from typing import Annotated

import msgspec
from msgspec import Meta

from companion.rules.rotl.aircraft import Type
from companion.rules.rotl.refusals import refuse
from companion.rules.rotl.state import Skill
from companion.umpire import Barred, Question, Umpire, procedure

RULE = "Pilots"

SKILLS: dict[Skill, str] = {
    "A": "one response may be declared an ACE",
    "BM": "one more bomb card (campaign)",
    "BU": "Burst Rating +1",
    "CV": "may exchange cards once after the deal",
    "D": "hit capacity +1 on both sides",
    "G": "gunner's bursts +1",
    "H": "Horsepower +1",
    "P": "Performance +1",
    "S": "one more strafe card (campaign)",
}


class Pilot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One side of a pilot counter. `type` is the aircraft of a skilled pilot, any model of it."""

    name: Annotated[str, Meta(max_length=40)] = ""
    nation: Annotated[str, Meta(max_length=40)] = ""
    type: Annotated[str, Meta(max_length=40)] = ""
    skills: Annotated[tuple[Skill, ...], Meta(max_length=4)] = ()


def pilot_barred(pilot: Pilot, kind: Type) -> Iterator[Barred]:
    """Every reason why this pilot may not fly this type."""
    who = pilot.name or "The pilot"
    if pilot.nation and pilot.nation != kind.nation:
        yield refuse("PILOT_NATION_MISMATCH", pilot=who, nation=pilot.nation, who=kind.name, theirs=kind.nation)
    if pilot.type and not kind.name.startswith(pilot.type):
        yield refuse("PILOT_TYPE_MISMATCH", pilot=who, type=pilot.type, who=kind.name)


class Counter(msgspec.Struct, frozen=True):
    """A pilot counter: a pilot on the front, another on the back."""

    front: Pilot
    back: Pilot


class Cup(msgspec.Struct, frozen=True):
    """Counters that may fly with the leaders, and how many leaders there are."""

    counters: tuple[Counter, ...]
    leaders: int = 1


class Chosen(msgspec.Struct, frozen=True):
    """The pilot of each leader; None where an unskilled one was discarded."""

    pilots: tuple[Pilot | None, ...]


def _cases(cup: Cup) -> int:
    """Every order in which counters come out of the cup, on either side."""
    drawn = min(cup.leaders, len(cup.counters))
    return int(perm(len(cup.counters), drawn) * 2**drawn)


@procedure(
    "rotl.pilots",
    title="Select pilots",
    rule=RULE,
    asks={"counter": "out of the cup", "side": "the flip"},
    questions={"who": Question("Who flies", lambda result: ", ".join(p.name if p else "-" for p in result.pilots))},
    cases=_cases,
)
def pilots(ump: Umpire, cup: Cup) -> Chosen:
    """One counter at random for each leader, flipped; only a skilled pilot stays."""
    left = list(cup.counters)
    found: list[Pilot | None] = []
    for _ in range(min(cup.leaders, len(left))):
        counter = left[ump.one_of("counter", range(len(left)), names=[c.front.name for c in left], rule=RULE)]
        left.remove(counter)
        sides = (counter.front, counter.back)
        pilot = ump.one_of("side", sides, names=[p.name for p in sides], rule=RULE)
        ump.note(f"{pilot.name}: {' '.join(pilot.skills) or 'unskilled, discarded'}", RULE)
        found.append(pilot if pilot.skills else None)
    return Chosen(tuple(found))
