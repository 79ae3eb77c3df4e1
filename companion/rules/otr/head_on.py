"""Head-on attacks: the nerve to fire, the danger zone, and collisions (3.3, 10.3)."""

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from math import ceil
from typing import Annotated

from msgspec import Meta, Struct

from companion.rules.otr import lost
from companion.rules.otr import shot as asked
from companion.rules.otr.charts import charts
from companion.rules.otr.fire import D100
from companion.rules.otr.shot import Angle, Quality
from companion.umpire import Barred, Change, Modifier, Number, Question, Umpire, at_least, at_most, dice, procedure

DEEPEST = 9
"""Further inside the risk range nobody has less nerve."""


class Pilot(Struct, frozen=True, kw_only=True):
    """One of the two who fly at each other."""

    name: str
    seat: str = ""
    speed: Decimal | None = None
    quality: Quality = "regular"
    hero: bool = False
    fires: bool = True
    """Whether he has fixed guns that bear and means to use them."""


class HeadOn(Struct, frozen=True, kw_only=True):
    attacker: Pilot
    target: Pilot
    range: Annotated[int, Meta(ge=0, le=30)] | None = None


class Resolve(Struct, frozen=True, kw_only=True):
    """Who may fire, and how far inside the collision risk range they are; 0 is outside."""

    firing: tuple[str, ...]
    inside: int
    changes: tuple[Change, ...] = ()


def _at_zero(head_on: HeadOn) -> tuple[Barred, ...]:
    return tuple(asked.head_on_at_zero(180)) if head_on.range == 0 else ()


@procedure(
    "otr.head_on",
    title="Find the nerve for a head-on attack",
    rule="10.3",
    violations=_at_zero,
    asks={"speed": "speeds (10.3)", "range": "range (10.3)", "determination": "each pilot's throw (10.3)"},
)
def head_on(ump: Umpire, attack: HeadOn) -> Resolve:
    """Inside the risk range each pilot must throw for his shot, and a danger zone opens, fired or not."""
    pilots = (attack.attacker, attack.target)
    together = sum(asked.speed(ump, pilot.name, pilot.speed) for pilot in pilots)
    text = "At which range is the attack declared?"
    range_ = ump.fact("range", Number(1, 30), attack.range, text=text, rule="10.3")
    inside = max(0, risk_range(Decimal(together)) + 1 - range_)
    ump.note(f"risk range {risk_range(Decimal(together))}, {inside} inside", "10.3")
    firing = tuple(pilot.name for pilot in pilots if pilot.fires and _dares(ump, pilot, inside))
    return Resolve(firing=firing, inside=inside, changes=tuple(_zone(attack, inside)))


def risk_range(together: Decimal) -> int:
    """A third of the combined speed, rounded up (10.3)."""
    return ceil(Fraction(together) / 3)


def _dares(ump: Umpire, pilot: Pilot, inside: int) -> bool:
    if not inside:
        return True
    need = sum(m.value for m in _nerve(ump, pilot, inside))
    role = f"determination:{pilot.name}"
    words = ("fires", "breaks off the shot")
    return ump.test(role, D100, (), at_most(need), rule="10.3", title=pilot.name, seat=pilot.seat, words=words)


def _nerve(ump: Umpire, pilot: Pilot, inside: int) -> Iterator[Modifier]:
    """What his throw must not pass."""
    yield lost.nerve(ump, str(min(inside, DEEPEST)))
    if pilot.quality != "regular":
        yield lost.nerve(ump, pilot.quality)
    if pilot.hero:
        yield lost.nerve(ump, "hero")


def _zone(attack: HeadOn, inside: int) -> Iterator[Change]:
    if inside:
        name = attack.attacker.name
        text = f"a danger zone around {name} and {attack.target.name}, until they pass each other"
        yield Change("danger zone", name, inside, text=text, rule="10.3")


class Near(Struct, frozen=True, kw_only=True):
    """An aircraft that must check for a collision, and those that it may hit."""

    mover: str = "mover"
    seat: str = ""
    others: Annotated[tuple[str, ...], Meta(min_length=1, max_length=10)] = ("other",)
    angle: Angle | None = None
    modifier: Annotated[int, Meta(ge=-100, le=100)] | None = None
    """What the game tables add to the throw."""
    mover_speed: Decimal | None = None
    other_speed: Decimal | None = None
    tailing: bool = False


class Crash(Struct, frozen=True, kw_only=True):
    """Whom it hit, if anybody, and the hits that each of the two takes."""

    victim: str = ""
    hits: tuple[int, ...] = ()
    changes: tuple[Change, ...] = ()


def _tails(near: Near) -> tuple[Barred, ...]:
    if not near.tailing:
        return ()
    return (Barred("tailing", f"{near.mover} tails it, and so there is no risk of collision.", "3.3"),)


@procedure(
    "otr.collision",
    title="Check for a collision",
    rule="3.3",
    violations=_tails,
    questions={"collision": Question("Whether they collide", lambda crash: "collision" if crash.victim else "clear")},
    asks={
        "modifier": "the game tables (3.3)", "collision": "the throw (3.3)", "victim": "which one (3.3)",
        "angle": "deflection (9.3)", "hits": "each one's damage (3.3)", "speed": "speeds (3.3)",
    },
)  # fmt: skip
def collision(ump: Umpire, near: Near) -> Crash:
    """Both throw for their own hits, by the angle between them (3.3)."""
    text = "What do the game tables add to the throw?"
    value = ump.fact("modifier", Number(-100, 100), near.modifier, text=text, rule="3.3")
    mods = (Modifier(value, "tables", "the game tables", "3.3"),) if value else ()
    need = at_least(charts()["collision"].rows[-1].low or 0)
    if not ump.test("collision", D100, mods, need, rule="3.3", seat=near.seat, words=("collision", "clear")):
        return Crash()
    victim = ump.one_of("victim", near.others, rule="3.3", seat=near.seat)
    angle = ump.fact("angle", asked.ANGLES, near.angle, text="What is the deflection angle?", rule="9.3")
    extra = tuple(_speed_difference(ump, near, victim)) if angle <= 30 else ()
    both = (near.mover, victim)
    hits = tuple(_damage(ump, who, angle, extra) for who in both)
    changes = tuple(change for who, taken in zip(both, hits, strict=True) for change in _harm(who, taken))
    return Crash(victim=victim, hits=hits, changes=changes)


def _speed_difference(ump: Umpire, near: Near, victim: str) -> Iterator[Modifier]:
    """One hit for each 0.5 where they fly the same way."""
    mine = asked.speed(ump, near.mover, near.mover_speed)
    difference = int(abs(mine - asked.speed(ump, victim, near.other_speed)) * 2)
    if difference:
        yield Modifier(difference, "speed", "speed difference", "3.3")


def _damage(ump: Umpire, who: str, angle: int, extra: tuple[Modifier, ...]) -> int:
    count = 2 if angle <= 30 else 4 if angle >= 150 else 3
    return ump.total(f"hits:{who}", dice(f"{count}d10"), extra, rule="3.3", title=f"{who} takes")


def _harm(who: str, hits: int) -> Iterator[Change]:
    """One critical hit for 3 hits."""
    yield Change("hits", who, hits, text=f"{who} takes {hits} hits", rule="3.3")
    if hits >= 3:
        yield Change("criticals", who, hits // 3, text=f"{who}: critical hits: {hits // 3}", rule="3.3")
