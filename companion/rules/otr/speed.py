"""What a turn of flight does to an aircraft's speed: power, dives, climbs, turns and drag (3.5, 4.1 to 4.4)."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import partial
from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.rules.otr import lost
from companion.rules.otr import shot as asked
from companion.rules.otr.charts import charts
from companion.umpire import Barred, Change, Notation, OneOf, Umpire, UsageError, options, procedure

Power = Literal["idle", "endurance", "cruise", "military", "emergency"]
Load = Literal["normal", "loaded", "overloaded"]
Rate = Literal["EZ", "TT", "HT", "BT", "ET"]
HALF = Decimal("0.5")
_RATES: tuple[Rate, ...] = ("EZ", "TT", "HT", "BT", "ET")
_POWERS: OneOf[Power] = OneOf(options("idle", "endurance", "cruise", "military", "emergency"))  # type: ignore[arg-type]


class Flight(Struct, frozen=True, kw_only=True):
    """An aircraft's figures for its altitude band, and what it did in the turn. Points and speeds go in halves."""

    aircraft: str = "aircraft"
    seat: str = ""
    speed: Decimal | None = None
    """The start speed, before idle takes its half."""
    half_carried: bool = False
    """A half FP is carried from earlier turns (3.5)."""
    listed: Decimal | None = None
    """The maximum level speed that the card lists."""
    power: Power | None = None
    military: Decimal = Decimal(0)
    """Accel of all engines at military power, after losses, damage and load."""
    emergency: Decimal | None = None
    """The same at emergency power; None where there is none."""
    taken: Decimal | None = None
    """What is taken of it at cruise or military."""
    jet: bool = False
    fighter: bool = True
    """Class F or MF."""
    high: bool = False
    """In the HI band or above."""
    load: Load = "normal"
    severe: bool = False
    power_losses: Annotated[int, Meta(ge=0, le=24)] = 0
    starts: Literal["level", "climb", "dive"] = "level"
    ends: Literal["level", "climb", "dive"] = "level"
    attitude: Decimal = Decimal(0)
    """What the card lists for a start in a dive (accel) or in a climb (decel)."""
    increments: Annotated[int, Meta(ge=-200, le=200)] = 0
    """Increments of 100 feet: gained above 0, lost below."""
    card: Mapping[Rate, Decimal] = {}
    """Decel for each rate that the card lists."""
    facings: Mapping[Rate, Annotated[int, Meta(ge=0, le=24)]] = {}
    """Facings of 30 degrees and steps of transition by the rate that was used."""
    dive_brakes: Annotated[int, Meta(ge=0, le=10)] = 0
    snap_steps: Annotated[int, Meta(ge=0, le=12)] = 0
    bay_open: bool = False
    windmilling: Annotated[int, Meta(ge=0, le=8)] = 0
    other: Decimal = Decimal(0)
    """Other decel: gear, flaps, slips and skids."""
    carry: Decimal = Decimal(0)
    """Points carried from the turn before: accel above 0, decel below."""


class Speed(Struct, frozen=True, kw_only=True):
    """The FPs of this turn, and the speed and carry of the next."""

    fps: int
    half_carried: bool
    attainable: Decimal
    speed: Decimal
    carry: Decimal
    changes: tuple[Change, ...] = ()


def violations(flight: Flight) -> tuple[Barred, ...]:
    """Every reason against these figures."""
    return tuple(_violations(flight))


def _violations(flight: Flight) -> Iterator[Barred]:
    if not all(asked.is_speed(speed) for speed in (flight.speed, flight.listed) if speed is not None):
        yield Barred("speed", "Speeds go from 0 to 30 flight points in halves, such as 6.5.", "3.5")
    points = (flight.military, flight.emergency, flight.attitude, flight.other, flight.carry, *flight.card.values())
    if any(asked.read_halves(str(number)) is None for number in points if number is not None):
        yield Barred("points", "Accel and decel go in halves, such as 2.5.", "4.3")
    if flight.power == "emergency" and flight.emergency is None:
        yield Barred("emergency", f"{flight.aircraft} has no emergency power here.", "4.1")
    if 0 < flight.dive_brakes < 5:
        yield Barred("brakes", "Dive brakes take from 5 to 10 decel.", "4.2")
    if set(_needed(flight)) - set(flight.card):
        text = f"Give the decel of the card for {', '.join(_needed(flight))}: a high speed pays a lower rate."
        yield Barred("card", text, "4.2")


def _needed(flight: Flight) -> tuple[Rate, ...]:
    """Rates that may have to be paid: those up to the hardest that was used; EZ is half of TT."""
    used = [_RATES.index(rate) for rate, times in flight.facings.items() if times]
    return _RATES[1 : max(1, *used) + 1] if used else ()


@procedure(
    "otr.speed",
    title="Work out the next speed",
    rule="4.3",
    violations=violations,
    asks={"speed": "start speed (4.3)", "listed": "maximum (4.3.1)", "power": "setting (4.1)", "taken": "accel (4.1)"},
)
def change_speed(ump: Umpire, flight: Flight) -> Speed:
    """Accel less decel; each full 5 points are half a point of speed, and the rest is carried (4.3)."""
    power = ump.fact("power", _POWERS, flight.power, text="At which power setting?", rule="4.1", seat=flight.seat)
    start = asked.speed(ump, flight.aircraft, flight.speed)
    if power == "idle" and not flight.jet:
        start = max(Decimal(0), start - HALF)
        ump.note(f"idle: start speed {_text(start)}", "4.1")
    limit = attainable(ump, flight, power)
    net = flight.carry + _accel(ump, flight, power, start, limit) - _decel(ump, flight, start, limit)
    steps = int(net / 5)
    rest = net - 5 * steps
    speed = max(Decimal(0), start + HALF * steps)
    ump.note(f"net {_signed(net)}: speed {_text(speed)}, {_signed(rest)} carried", "4.3")
    if speed >= limit and net > 0 and "dive" not in (flight.starts, flight.ends):
        speed, rest = max(start, min(speed, limit)), Decimal(0)
        ump.note(f"no faster than {_text(limit)} and nothing carried without a dive: speed {_text(speed)}", "4.4")
    fps, half = full_fps(start, flight.half_carried)
    text = f"{flight.aircraft}: speed {_text(speed)}, carry {_signed(rest)}"
    change = Change("speed", flight.aircraft, _text(speed), "next turn", text, "4.3")
    return Speed(fps=fps, half_carried=half, attainable=limit, speed=speed, carry=rest, changes=(change,))


def full_fps(speed: Decimal, carried: bool) -> tuple[int, bool]:
    """FPs to play, and whether a half is carried on; a half joins only a speed with a half (3.5)."""
    whole, has_half = int(speed), speed % 1 != 0
    if has_half and carried:
        return whole + 1, False
    return whole, has_half or carried


def attainable(ump: Umpire, flight: Flight, power: Power) -> Decimal:
    """Maximum attainable level speed: for load, damage and power, in that order (4.3.1)."""
    text = f"Which maximum level speed is listed for {flight.aircraft}?"
    listed = ump.fact("listed", asked.SPEED, flight.listed, text=text, rule="4.3.1")
    off = {"normal": Decimal(0), "loaded": HALF, "overloaded": Decimal(1)}[flight.load]
    laden = max(Decimal(0), listed - off - (1 if flight.severe else 0) - HALF * flight.power_losses)
    found = max(Decimal(0), _at_power(ump, flight, power, listed, laden))
    ump.note(f"attainable {_text(found)} of {_text(listed)}", "4.3.1")
    return found


def _at_power(ump: Umpire, flight: Flight, power: Power, listed: Decimal, laden: Decimal) -> Decimal:
    match power:
        case "idle":
            return lost.fraction(ump, listed, "1/2")
        case "endurance":
            return lost.fraction(ump, laden, "1/2")
        case "cruise" if flight.fighter:
            return laden - (1 if flight.high else Decimal("1.5"))
        case "cruise":
            return min(listed - 1, laden - HALF)
    return laden


def _accel(ump: Umpire, flight: Flight, power: Power, start: Decimal, limit: Decimal) -> Decimal:
    total = Decimal(0)
    if start > limit:
        ump.note("faster than attainable: no accel from the engines", "4.4")
    else:
        total += _noted(ump, _engines(ump, flight, power), f"{power} power", "4.1")
    if flight.starts == "dive":
        total += _noted(ump, flight.attitude, "start in a dive", "4.1")
    if flight.increments < 0:
        points = -flight.increments * lost.climb_dive(ump, start)
        total += _noted(ump, points, f"{-flight.increments} increments dived", "4.1")
    return total


def _engines(ump: Umpire, flight: Flight, power: Power) -> Decimal:
    """What the setting gives, or how much of it the pilot takes (4.1)."""
    if power == "emergency":
        return flight.emergency or Decimal(0)
    if power not in ("cruise", "military"):
        return Decimal(0)
    third = lost.fraction(ump, flight.military, "1/3")
    low, high = (Decimal(0), third) if power == "cruise" else (min(third + HALF, flight.military), flight.military)
    if low == high:
        return high
    text = f"How much accel from {_text(low)} to {_text(high)}?"
    space = Notation(partial(_between, low, high), _text(high), (_text(low), _text(high)))
    if flight.taken is not None:
        return space.parse(_text(flight.taken))
    return ump.choose("taken", flight.seat, space, text=text, rule="4.1")


def _between(low: Decimal, high: Decimal, text: str) -> Decimal:
    found = asked.read_halves(text)
    if found is None or not low <= found <= high:
        raise UsageError(f"{text[:40]!r} does not do; give {_text(low)} to {_text(high)} in halves.")
    return found


def _decel(ump: Umpire, flight: Flight, start: Decimal, limit: Decimal) -> Decimal:
    total = sum((_noted(ump, -points, what, rule) for points, what, rule in _drags(flight)), Decimal(0))
    if start > limit:
        total += _noted(ump, -2 * (start - limit), f"{_text(start - limit)} above attainable", "4.2")
    if flight.increments > 0:
        points = flight.increments * lost.climb_dive(ump, start)
        total += _noted(ump, -points, f"{flight.increments} increments climbed", "4.2")
    for rate, times in flight.facings.items():
        total += _turns(ump, flight, rate, times, start)
    return -total


def _drags(flight: Flight) -> Iterator[tuple[Decimal, str, str]]:
    """Decel that needs no table (4.2)."""
    if flight.starts == "climb":
        yield flight.attitude, "start in a climb", "4.2"
    yield Decimal(flight.dive_brakes), "dive brakes", "4.2"
    yield Decimal(int(charts()["snap_roll"].at("decel for each step")) * flight.snap_steps), "snap rolls", "7.2"
    yield Decimal(int(flight.bay_open)), "bomb bay", "12.0"
    yield Decimal(2 * flight.windmilling), "windmilling propellers", "4.2"
    yield flight.other, "other drag", "4.2"


def _turns(ump: Umpire, flight: Flight, rate: Rate, times: int, start: Decimal) -> Decimal:
    """Each facing pays the rate that the speed band lowers it to; EZ pays half of TT (4.2, 5.5.1)."""
    if not times:
        return Decimal(0)
    paid = _paid(rate, _band(start))
    each = flight.card[paid] if paid != "EZ" else lost.fraction(ump, flight.card["TT"], "1/2")
    what = f"{times} facings or steps at {rate}" + (f", paid as {paid}" if paid != rate else "")
    return _noted(ump, -each * times, what, "5.5.1" if paid != rate else "4.2")


def _paid(rate: Rate, band: int) -> Rate:
    paid: Rate = charts()["high_speed_decel"].at(rate, charts()["high_speed_decel"].columns[band])  # type: ignore[assignment]
    return paid


def _band(speed: Decimal) -> int:
    """The speed band of the card, from 0: up to 4.5, 7.5, 9.5 and above."""
    return sum(speed >= edge for edge in (5, 8, 10))


def _noted(ump: Umpire, points: Decimal, what: str, rule: str) -> Decimal:
    if points:
        ump.note(f"{_signed(points)} {what}", rule)
    return points


def _text(points: Decimal) -> str:
    return f"{points.quantize(Decimal('0.1'))}"


def _signed(points: Decimal) -> str:
    return f"{points.quantize(Decimal('0.1')):+}"
