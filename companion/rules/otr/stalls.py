"""Aircraft out of control: stalls, spins, turn stalls, hammerheads, random flight (4.5, 4.6, 5.7.1, 7.0)."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Annotated, Literal, cast

from msgspec import Meta, Struct

from companion.rules.otr import lost
from companion.rules.otr import shot as asked
from companion.rules.otr.charts import charts
from companion.rules.otr.checks import D5, D10, D100
from companion.rules.otr.shot import Bank, Quality
from companion.umpire import Barred, Change, Face, Modifier, Umpire, at_most, procedure

Side = Literal["left", "right"]
_LEFTWARDS: tuple[Bank, ...] = ("LV", "LB", "IL", "IV", "IR", "RB")
"""Each roll of one step to the left leads to the next of these."""


class Stalling(Struct, frozen=True, kw_only=True):
    """An aircraft that is too slow, its pilot and its power."""

    aircraft: str = "aircraft"
    seat: str = ""
    bank: Bank | None = None
    quality: Quality = "regular"
    gifted: bool = False
    idle: bool = False
    single_engine_power: bool = False
    """One engine, at military or emergency power."""
    severe: bool = False
    slats: bool = False
    night: bool = False
    spinning: Annotated[int, Meta(ge=0, le=60)] = 0
    """Turns of spin in which a recovery has been tried."""


class Stalled(Struct, frozen=True, kw_only=True):
    result: Literal["stall", "spin", "recovers", "spins on", "faces about", "fails"]
    bank: str = ""
    changes: tuple[Change, ...] = ()


def _modifiers(ump: Umpire, it: Stalling) -> Iterator[Modifier]:
    """Pilot and power by the lost table; night is printed (32.3.2)."""
    if it.quality != "regular":
        yield lost.stall(ump, it.quality)
    for happens, row in (
        (it.gifted, "gifted"),
        (it.idle, "idle"),
        (it.single_engine_power, "single engine at military or emergency"),
        (it.severe, "severely damaged"),
        (it.slats, "slats"),
    ):
        if happens:
            yield lost.stall(ump, row)
    if it.night:
        yield Modifier(int(str(charts()["night_stall"].at("stall and spin checks"))), "night", "night", "32.3.2")


_ASKS = {"bank": "its bank (4.5.1)", "stall": "the throw (4.5)", "wings": "the wings (4.5.1)"}


@procedure("otr.stall", title="Stall or spin", rule="4.5", asks=_ASKS)
def stall(ump: Umpire, it: Stalling) -> Stalled:
    """Below the adjusted minimum: a spin from 60, else a stall, in which the wings may roll (4.5, 4.5.1)."""
    mods = tuple(_modifiers(ump, it))
    if ump.table(charts()["stall_or_spin"], "stall", D100, mods, seat=it.seat) == "spin":
        spins = Change("spin", it.aircraft, text=f"{it.aircraft} spins", rule="4.5")
        return Stalled(result="spin", changes=(spins,))
    bank = asked.bank(ump, it.aircraft, it.bank)
    rolled = str(ump.table(charts()["stalled_bank"], "wings", D10, title="Wings of a stalled aircraft", seat=it.seat))
    new = _level(bank) if rolled.startswith("LV") else roll(bank, "left" if rolled.endswith("left") else "right")
    change = Change("bank", it.aircraft, new, text=f"{it.aircraft} stalls, bank {new}", rule="4.5.1")
    return Stalled(result="stall", bank=new, changes=(change,))


def _level(bank: Bank) -> Bank:
    return "LV" if bank in ("LV", "LB", "RB") else "IV"


def roll(bank: Bank, side: Side) -> Bank:
    """The bank one step further to that side (5.1)."""
    step = 1 if side == "left" else -1
    return _LEFTWARDS[(_LEFTWARDS.index(bank) + step) % 6]


@procedure("otr.recover", title="Recover from a spin", rule="4.5.2", asks={"recovery": "the throw (4.5.2)"})
def recover(ump: Umpire, it: Stalling) -> Stalled:
    """With the modifiers of stalls; the number to reach is lost, and easier for each try before."""
    need = lost.number(ump, "recovery")
    tried = it.spinning * lost.number(ump, "each try before")
    mods = tuple(_modifiers(ump, it))
    words = ("recovers", "spins on")
    if not ump.test("recovery", D100, mods, at_most(need + tried), rule="4.5.2", seat=it.seat, words=words):
        return Stalled(result="spins on")
    text = f"{it.aircraft} recovers: wings level, a steep or vertical dive"
    done = Change("recovered", it.aircraft, text=text, rule="4.5.2")
    return Stalled(result="recovers", bank="LV", changes=(done,))


@procedure("otr.hammerhead", title="Hammerhead", rule="7.0", asks={"hammerhead": "the throw (7.0)"})
def hammerhead(ump: Umpire, it: Stalling) -> Stalled:
    """At the start of the move after a turn that ended in a vertical climb (7.0)."""
    mods = tuple(m for m in _modifiers(ump, it) if m.code not in ("severely-damaged", "slats", "night"))
    found = str(ump.table(charts()["hammerhead"], "hammerhead", D100, mods, seat=it.seat))
    result: Literal["faces about", "fails"] = "fails" if found.startswith("fails") else "faces about"
    return Stalled(result=result, changes=(Change(result, it.aircraft, text=f"{it.aircraft} {found}", rule="7.0"),))


class Spin(Struct, frozen=True, kw_only=True):
    """A turn of spin; its side is thrown for in the first."""

    aircraft: str = "aircraft"
    seat: str = ""
    turns: Annotated[int, Meta(ge=1, le=60)] = 1
    """Turns in the spin with this one."""
    side: Side | None = None
    listed_minimum: Decimal | None = None


class Spun(Struct, frozen=True, kw_only=True):
    side: Side
    facings: int
    lost: Decimal
    """Increments of altitude."""
    changes: tuple[Change, ...] = ()


def _spin_violations(spin: Spin) -> tuple[Barred, ...]:
    if spin.turns > 1 and spin.side is None:
        return (Barred("side", "Say to which side it spins; that was thrown for in its first turn.", "4.5.2"),)
    if spin.listed_minimum is not None and not asked.is_speed(spin.listed_minimum):
        return (Barred("speed", "Speeds go from 0 to 30 flight points in halves, such as 6.5.", "3.5"),)
    return ()


@procedure(
    "otr.spin",
    title="Spin for a turn",
    rule="4.5.2",
    violations=_spin_violations,
    asks={"side": "to which side (4.5.2)", "facings": "how far (4.5.2)", "loss": "how deep (4.5.2)"},
)
def spin(ump: Umpire, it: Spin) -> Spun:
    """No FPs; facings by a D10, and increments: turns in the spin times the listed minimum, and a D5 (4.5.2)."""
    text = f"Which minimum speed is listed for {it.aircraft}?"
    minimum = ump.fact("minimum", asked.SPEED, it.listed_minimum, text=text, rule="4.5.2")
    side = it.side or _side(ump, "side", "Side of the spin", "4.5.2", it.seat)
    facings = ump.total("facings", D10, rule="4.5.2", title="Facings", seat=it.seat)
    deep = it.turns * minimum + ump.total("loss", D5, rule="4.5.2", title="Increments beyond", seat=it.seat)
    bank = "LB" if side == "left" else "RB"
    words = f"{it.aircraft} spins {facings} facings to the {side}, {deep:.1f} increments down"
    change = Change("spun", it.aircraft, [facings, f"{deep:.1f}", bank], text=words, rule="4.5.2")
    return Spun(side=side, facings=facings, lost=deep, changes=(change,))


def _side(ump: Umpire, role: str, title: str, rule: str, seat: str) -> Side:
    """Odd is left, even right."""
    (face,) = ump.roll(role, D10, rule=rule, title=title, seat=seat)
    return _odd(face)


def _odd(face: Face) -> Side:
    return "left" if face.value % 2 else "right"


class Rash(Struct, frozen=True, kw_only=True):
    """An aircraft that turned or changed its pitch without the speed for it."""

    aircraft: str = "aircraft"
    seat: str = ""
    quality: Quality = "regular"
    gifted: bool = False
    speed: Decimal | None = None


class TurnStall(Struct, frozen=True, kw_only=True):
    fps: int
    side: Side
    rolls: int
    """FPs of rolling that it is credited with."""
    decel: int
    changes: tuple[Change, ...] = ()


def _rash_violations(rash: Rash) -> tuple[Barred, ...]:
    if rash.speed is None or asked.is_speed(rash.speed):
        return ()
    return (Barred("speed", "Speeds go from 0 to 30 flight points in halves, such as 6.5.", "3.5"),)


@procedure(
    "otr.turn_stall",
    title="Turn stall",
    rule="4.6",
    violations=_rash_violations,
    asks={"duration": "for how long (4.6)", "side": "to which side (4.6)", "rolls": "how far it rolls (4.6)"},
)
def turn_stall(ump: Umpire, rash: Rash) -> TurnStall:
    """At most twice the speed in FPs; rolling is not longer than the stall, and costs 1 decel each beyond 5 (4.6)."""
    speed = asked.speed(ump, rash.aircraft, rash.speed)
    mods = tuple(_duration(rash))
    thrown = ump.total("duration", D5, mods, rule="4.6", title="FPs of the turn stall", seat=rash.seat)
    fps = max(0, min(thrown, int(2 * speed)))
    side = _side(ump, "side", "Side of the roll", "4.6", rash.seat)
    rolls = min(fps, ump.total("rolls", D5, rule="4.6", title="FPs of rolling", seat=rash.seat))
    decel = 5 + rolls
    text = f"{rash.aircraft}: turn stall for {fps} FPs, {rolls} FPs of rolling {side}, {decel} decel"
    change = Change("turn stall", rash.aircraft, fps, text=text, rule="4.6")
    return TurnStall(fps=fps, side=side, rolls=rolls, decel=decel, changes=(change,))


def _duration(rash: Rash) -> Iterator[Modifier]:
    for row in (rash.quality, *(["gifted"] if rash.gifted else [])):
        yield Modifier(int(charts()["turn_stall_duration"].at(row)), row, row, "4.6")


class Adrift(Struct, frozen=True, kw_only=True):
    """An aircraft that nobody flies."""

    aircraft: str = "aircraft"
    seat: str = ""
    bank: Bank | None = None


class Drifted(Struct, frozen=True, kw_only=True):
    pitch: str
    bank: Bank
    turn: str
    changes: tuple[Change, ...] = ()


@procedure(
    "otr.random_flight",
    title="Random flight",
    rule="5.7.1",
    asks={"bank": "(5.1)", "pitch": "(5.7.1)", "roll": "(5.7.1)", "turn": "if it was banked (5.7.1)"},
)
def random_flight(ump: Umpire, it: Adrift) -> Drifted:
    """A throw each for pitch, bank and, if it starts banked, turning, which a roll to LV or IV ends (5.7.1)."""
    chart = charts()["random_flight"]
    bank = asked.bank(ump, it.aircraft, it.bank)
    pitch = str(ump.table(chart, "pitch", D10, column="pitch", title="Pitch", seat=it.seat))
    rolled = str(ump.table(chart, "roll", D10, column="bank", title="Bank", seat=it.seat))
    new = bank if rolled == "no change" else roll(bank, cast(Side, rolled.removeprefix("roll ")))
    turn = "none"
    if bank not in ("LV", "IV"):
        turn = str(ump.table(chart, "turn", D10, column="turn, if banked", title="Turn", seat=it.seat))
    if new != bank and new in ("LV", "IV"):
        turn = "none"
    text = f"{it.aircraft}: {pitch}; bank {new}; turn {turn}"
    change = Change("random flight", it.aircraft, [pitch, new, turn], text=text, rule="5.7.1")
    return Drifted(pitch=pitch, bank=new, turn=turn, changes=(change,))
