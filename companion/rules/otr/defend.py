"""Defensive guns fire at an attacker, those of several aircraft together (10.5)."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.rules.otr import lost
from companion.rules.otr import shot as asked
from companion.rules.otr.charts import charts
from companion.rules.otr.fire import D100, Fired, excess, raw_odds
from companion.rules.otr.shot import Quality, Rate
from companion.umpire import Barred, Change, Modifier, OneOf, Option, Question, Umpire, add, procedure

Class = Literal["F", "MF", "D", "L", "M", "H", "SH"]
_HARDEST: dict[str, tuple[Rate, ...]] = {
    "turret": ("EZ", "TT", "HT"), "manual": ("EZ", "TT"), "manual, heavy": ("EZ",), "agile": ("EZ", "TT", "HT"),
}  # fmt: skip


class Gunner(Struct, frozen=True, kw_only=True):
    """The guns of one aircraft that fire, all of one critical rating, and what their aircraft did."""

    aircraft: str
    firepower: Annotated[int, Meta(ge=0, le=300)]
    """Already a part of itself by its own deflection, as the diagram of the play aid says."""
    range: Annotated[int, Meta(ge=0, le=30)]
    kind: Literal["turret", "manual"] = "turret"
    agility: Class = "H"
    rate: Rate = "EZ"
    negative_g: bool = False
    snap_roll: bool = False
    inverted: bool = False
    ended_vertical: bool = False
    speed: Decimal | None = None
    quality: Quality = "regular"
    slipped: bool = False
    attacked: bool = False
    """The enemy fires at this aircraft, so that its guns may always answer."""
    tracked: bool = False
    """The enemy has a tracking shot at it."""


class Defence(Struct, frozen=True, kw_only=True):
    """All who fire together at one enemy."""

    target: str = "target"
    seat: str = ""
    firing: Annotated[tuple[Gunner, ...], Meta(min_length=1, max_length=12)]
    formation: Literal["fixed formation", "flexible formation", "no formation"] = "no formation"
    defence: Annotated[int, Meta(ge=1, le=50)] | None = None
    target_speed: Decimal | None = None
    shortest: Annotated[int, Meta(ge=0, le=30)] | None = None
    """The shortest range from the enemy to any aircraft of the formation; of those who fire, if it is not given."""


def violations(fire: Defence) -> tuple[Barred, ...]:
    """Too many who fire, too far from where the fight is, or guns that their aircraft's flight keeps silent."""
    return tuple(_violations(fire))


def _violations(fire: Defence) -> Iterator[Barred]:
    most = int(charts()["combined_fire"].at(fire.formation))
    if len(fire.firing) > most:
        yield Barred("many", f"At most {most} aircraft in {fire.formation} combine their fire.", "8.5.3")
    shortest = min(gunner.range for gunner in fire.firing) if fire.shortest is None else fire.shortest
    for gunner in fire.firing:
        if gunner.range > shortest + 1 and not gunner.attacked:
            text = f"{gunner.aircraft} is at range {gunner.range}; others fire up to the shortest range +1."
            yield Barred("far", text, "10.5")
        yield from _silent(gunner)


def _silent(gunner: Gunner) -> Iterator[Barred]:
    """The gunners of fighters and dive bombers are used to more (10.5)."""
    agile = gunner.agility in ("F", "MF", "D")
    heavy = ", heavy" if gunner.kind == "manual" and gunner.agility in ("H", "SH") else ""
    if gunner.rate not in _HARDEST["agile" if agile else gunner.kind + heavy]:
        yield Barred("rate", f"{gunner.aircraft} turned too hard for its {gunner.kind} guns.", "10.5")
    upset = (gunner.negative_g, gunner.snap_roll, gunner.inverted, gunner.ended_vertical and not agile)
    words = ("pulled negative G", "did a snap roll", "was inverted", "ended vertical")
    for happened, did in zip(upset, words, strict=True):
        if happened:
            yield Barred("upset", f"{gunner.aircraft} {did}; its defensive guns stay silent.", "10.5")


@procedure(
    "otr.defend",
    title="Fire defensive guns",
    rule="10.5",
    violations=violations,
    questions={"hits": Question("Hits", lambda fired: fired.hits)},
    policy={"prime": lambda ask: ask.space.legal[0]},
    asks={
        "defence": "the enemy's defence (9.4)", "prime": "whose modifiers count (10.5)", "speed": "end speeds (10.5)",
        "shot": "the throw (9.4)", "jam": "which guns jam (10.1)",
    },
)  # fmt: skip
def defend(ump: Umpire, fire: Defence) -> Fired:
    """Firepower is added up, the enemy's defence stays as it is; the prime shooter's modifiers alone count."""
    text = f"What is the defence strength of {fire.target}?"
    defence = ump.fact("defence", asked.DEFENCE, fire.defence, text=text, rule="9.4")
    attack = sum(gunner.firepower for gunner in fire.firing)
    column = raw_odds(attack, defence)
    if column is None:
        ump.note(f"{attack} against {defence}: worse than 1-4, no hits", "9.4")
        return Fired(odds="none")
    ump.note(f"{attack} against {defence}: {column}", "9.4")
    mods = (*_modifiers(ump, fire, _prime(ump, fire)), *excess(attack, defence, column))
    likelihood = ump.total("shot", D100, mods, rule="9.4", title=f"Defensive fire at {column}", seat=fire.seat)
    hits = lost.hits(ump, column, likelihood)
    ump.note(f"{hits} hits", "9.4")
    jammed = tuple(_jams(ump, fire, likelihood - add(mods)))
    changes = tuple(_changes(fire, hits, jammed))
    return Fired(odds=column, likelihood=likelihood, hits=hits, jammed=jammed, changes=changes)


def _prime(ump: Umpire, fire: Defence) -> Gunner:
    """The strongest, of these the closest, of these the one that the player picks."""
    best = min((-gunner.firepower, gunner.range) for gunner in fire.firing)
    equal = [gunner for gunner in fire.firing if (-gunner.firepower, gunner.range) == best]
    if len(equal) == 1:
        return equal[0]
    space = OneOf(tuple(Option(gunner.aircraft, gunner.aircraft, gunner) for gunner in equal))
    return ump.choose("prime", fire.seat, space, text="Who is the prime shooter?", rule="10.5")


def _modifiers(ump: Umpire, fire: Defence, prime: Gunner) -> Iterator[Modifier]:
    bomber = prime.agility not in ("F", "L")
    mine = asked.speed(ump, prime.aircraft, prime.speed)
    if abs(mine - asked.speed(ump, fire.target, fire.target_speed)) >= prime.range:
        yield lost.modifier(ump, "relative speed", bomber)
    if prime.rate != "EZ":
        yield lost.modifier(ump, f"{prime.rate} turn", bomber)
    if prime.quality != "regular":
        yield lost.modifier(ump, prime.quality, bomber)
    if prime.slipped:
        yield lost.modifier(ump, "slip or skid", bomber)
    if prime.tracked:
        value = int(charts()["gun_modifiers"].at("defensive fire at a tracking shot on the prime shooter"))
        yield Modifier(value, "tracked", "the enemy tracks it", "10.5")


def _jams(ump: Umpire, fire: Defence, natural: int) -> Iterator[str]:
    if natural >= int(charts()["jams"].at("other bursts, defensive fire")):
        yield ump.one_of("jam", [gunner.aircraft for gunner in fire.firing], rule="10.1", seat=fire.seat)


def _changes(fire: Defence, hits: int, jammed: Sequence[str]) -> Iterator[Change]:
    if hits:
        yield Change("hits", fire.target, hits, "step", f"{fire.target} takes {hits} hits", "9.4")
    for aircraft in jammed:
        yield Change("jam", aircraft, "defensive guns", "step", f"{aircraft}: a defensive gun jams", "10.1")
