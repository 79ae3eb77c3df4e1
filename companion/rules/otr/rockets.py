"""Air-to-air rockets: a volley, and whom it hits in its danger zone (10.7)."""

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from math import ceil
from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.rules.otr import shot as asked
from companion.rules.otr.charts import charts
from companion.rules.otr.checks import D100
from companion.umpire import Barred, Change, Modifier, Number, Question, Umpire, procedure


class Flyer(Struct, frozen=True, kw_only=True):
    """An aircraft in the volley's field of fire, as the firer sees it."""

    name: str
    heading: Literal[0, 30, 60, 90, 120, 150, 180] = 0
    """Degrees off the target's heading."""
    speed: Decimal = Decimal(4)
    hexes: Annotated[int, Meta(ge=0, le=40)] = 6
    increments: Annotated[int, Meta(ge=-100, le=100)] = 0
    """Higher than the firer, or lower below 0."""


class Volley(Struct, frozen=True, kw_only=True):
    firer: str = "firer"
    seat: str = ""
    target: Flyer
    others: Annotated[tuple[Flyer, ...], Meta(max_length=30)] = ()
    """Everybody else in the field of fire, friend or foe."""
    multiples: Annotated[int, Meta(ge=1, le=30)] = 1
    modifier: Annotated[int, Meta(ge=-300, le=300)] | None = None
    """What the rocketry table and the deflection add."""
    attitude: Literal["level", "shallow", "steep", "vertical"] = "level"
    upright: bool = True
    manoeuvred: bool = False
    """Anything but slips."""
    rate: asked.Rate = "EZ"


class Struck(Struct, frozen=True, kw_only=True):
    """Hits by aircraft; the first is the target's."""

    likelihood: int
    hits: tuple[tuple[str, int], ...]
    changes: tuple[Change, ...] = ()


def violations(volley: Volley) -> tuple[Barred, ...]:
    """What the flight of the firer forbids."""
    return tuple(Barred(code, text, "10.7") for code, text in _reasons(volley))


def _reasons(volley: Volley) -> Iterator[tuple[str, str]]:
    if volley.attitude not in ("level", "shallow"):
        yield "attitude", "Rockets are fired from level or shallow flight."
    if not volley.upright:
        yield "bank", "Rockets are fired in an upright bank."
    if volley.manoeuvred:
        yield "manoeuvre", f"{volley.firer} did more than slips."
    if volley.rate not in ("EZ", "TT"):
        yield "rate", f"{volley.firer} turned harder than TT."


@procedure(
    "otr.rockets",
    title="Fire air-to-air rockets",
    rule="10.7",
    violations=violations,
    questions={
        "hits on": Question(
            "Hits on",
            lambda struck, name: dict(struck.hits).get(name, 0),
            subjects=lambda volley: [flyer.name for flyer in in_danger(volley)],
        )
    },
    asks={"modifier": "the rocketry table (10.7)", "rockets": "the throw (10.7)", "victim": "each further hit (10.7)"},
)
def launch(ump: Umpire, volley: Volley) -> Struck:
    """One hit at -20 and for each 20 below, at most one for each multiple; those after the first fall at random."""
    text = "What do the rocketry table and the deflection add to the throw?"
    value = ump.fact("modifier", Number(-300, 300), volley.modifier, text=text, rule="10.7")
    mods = (Modifier(value, "rocketry", "rocketry table", "10.7"),) if value else ()
    likelihood = ump.total("rockets", D100, mods, rule="10.7", title="Rockets", seat=volley.seat)
    count = min(volley.multiples, rocket_hits(likelihood))
    names = tuple(flyer.name for flyer in in_danger(volley))
    struck: tuple[str, ...] = (volley.target.name,) if count else ()
    struck = ump.fold("hit", _one_more, struck, [names] * (count - 1))
    hits = tuple(sorted(Counter(struck).items()))
    ump.note(", ".join(f"{name}: {n}" for name, n in hits) or "no hits", "10.7")
    changes = tuple(Change("hits", name, n, "step", f"{name}: rocket hits: {n}", "10.7") for name, n in hits)
    return Struck(likelihood=likelihood, hits=hits, changes=changes)


def rocket_hits(likelihood: int) -> int:
    """The chart, and one more for each 20 below its end."""
    chart = charts()["rocket_hits"]
    end = chart.rows[-1].span[0]
    beyond = -(-(end - likelihood) // 20) if likelihood < end else 0
    return int(chart.at(max(likelihood, end))) + beyond


def _one_more(ump: Umpire, struck: tuple[str, ...], names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted((*struck, ump.one_of("victim", names, rule="10.7"))))


def in_danger(volley: Volley) -> list[Flyer]:
    """The target, and all on nearly its heading, at nearly its speed, as far for their height (10.7)."""
    heading, speed = (Decimal(str(row.cells[0])) for row in charts()["rocket_zone"].rows[:2])
    target = volley.target
    near = (
        flyer
        for flyer in volley.others
        if flyer.heading <= heading and abs(flyer.speed - target.speed) <= speed and ratio(flyer) == ratio(target)
    )
    return [target, *near]


def ratio(flyer: Flyer) -> str:
    """Distance to height, rounded down as odds are: 1500 feet away and 400 higher are 3-1 above."""
    distance, height = 3 * flyer.hexes, abs(flyer.increments)
    if not height:
        return "level"
    side = "above" if flyer.increments > 0 else "below"
    if distance >= height:
        return f"{distance // height}-1 {side}"
    return f"1-{ceil(Fraction(height, distance))} {side}" if distance else f"straight {side}"
