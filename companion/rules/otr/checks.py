"""Single throws of a flight and a fight: jams cleared, airframes overstressed, crews unconscious (5.6, 5.7, 10.1)."""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from companion.rules.otr.charts import charts
from companion.umpire import Barred, Change, Modifier, Number, Umpire, at_most, dice, procedure

D5, D10, D100 = dice("d5"), dice("d10"), dice("d100")


class JammedGun(Struct, frozen=True, kw_only=True):
    """A weapon group that has jammed, and what its aircraft did in this turn."""

    aircraft: str = "aircraft"
    group: str = "guns"
    seat: str = ""
    rate: Literal["EZ", "TT", "HT", "BT", "ET"] = "EZ"
    negative_g: bool = False
    snap_roll: bool = False
    vertical: bool = False
    inverted: bool = False
    tried: bool = False


class Recharged(Struct, frozen=True):
    cleared: bool
    changes: tuple[Change, ...] = ()


def _unfit(gun: JammedGun) -> tuple[Barred, ...]:
    return tuple(Barred(code, text, "10.1") for code, text in _reasons(gun))


def _reasons(gun: JammedGun) -> Iterator[tuple[str, str]]:
    if gun.tried:
        yield "tried", f"{gun.group} was tried once before; it stays jammed until {gun.aircraft} lands."
    if gun.rate in ("BT", "ET"):
        yield "rate", f"{gun.aircraft} turned harder than HT; guns are recharged at HT or less."
    for did, code, what in (
        (gun.negative_g, "negative-g", "negative-G"),
        (gun.snap_roll, "snap-roll", "a snap roll"),
        (gun.vertical, "vertical", "vertical flight"),
        (gun.inverted, "inverted", "inverted flight"),
    ):
        if did:
            yield code, f"No gun is recharged in a turn with {what}."


@procedure(
    "otr.recharge", title="Recharge a jammed gun", rule="10.1", violations=_unfit, asks={"recharge": "the die (10.1)"}
)
def recharge(ump: Umpire, gun: JammedGun) -> Recharged:
    """One try for each group."""
    cleared = charts()["recharge"].rows[0].high or 0
    words = ("cleared", "jammed until it lands")
    if ump.test("recharge", D10, (), at_most(cleared), rule="10.1", seat=gun.seat, words=words):
        text = f"{gun.aircraft}: {gun.group} is cleared"
        return Recharged(True, (Change("cleared", gun.aircraft, gun.group, text=text, rule="10.1"),))
    text = f"{gun.aircraft}: {gun.group} stays jammed"
    return Recharged(False, (Change("lost gun", gun.aircraft, gun.group, text=text, rule="10.1"),))


class Strain(Struct, frozen=True, kw_only=True):
    """An airframe that was strained: 30 degree facings and transition steps at such a rate, and earlier hits."""

    aircraft: str = "aircraft"
    seat: str = ""
    rate: Literal["HT", "BT", "ET"] = "ET"
    negative_g: bool = False
    changes: int | None = None
    spar_hits: int = 0
    tail_hits: int = 0
    severe: bool = False


class Strained(Struct, frozen=True):
    result: Literal["holds", "wing spar", "tail structure", "destroyed"]
    changes: tuple[Change, ...] = ()


def _no_strain(strain: Strain) -> tuple[Barred, ...]:
    """Sound aircraft only at ET and negative-G BT, damaged ones one rate sooner (5.6)."""
    damaged = strain.severe or strain.spar_hits or strain.tail_hits
    least = ("HT" if damaged else "BT") if strain.negative_g else ("BT" if damaged else "ET")
    rates = ("HT", "BT", "ET")
    if rates.index(strain.rate) >= rates.index(least):
        return ()
    return (Barred("no-check", f"{strain.aircraft} is not overstressed at {strain.rate}.", "5.6"),)


@procedure(
    "otr.overstress",
    title="Check for overstress",
    rule="5.6",
    violations=_no_strain,
    asks={"changes": "facings and steps (5.6)", "overstress": "the throw (5.6)", "location": "where (5.6)"},
)
def overstress(ump: Umpire, strain: Strain) -> Strained:
    """Severely damaged aircraft come apart at such rates without a throw (5.6)."""
    if strain.severe and (strain.rate == "ET" or (strain.negative_g and strain.rate == "BT")):
        ump.note(f"{strain.aircraft} is severely damaged: destroyed", "5.6")
        return Strained("destroyed", (Change("destroyed", strain.aircraft, text="overstressed", rule="5.6"),))
    text = f"How many facings of 30 degrees and steps of pitch did {strain.aircraft} make at that rate?"
    made = ump.fact("changes", Number(1, 24), strain.changes, text=text, rule="5.6")
    found = ump.table(charts()["overstress"], "overstress", D100, tuple(_overstress(strain, made)), seat=strain.seat)
    if found == "holds":
        return Strained("holds")
    mods = tuple(_earlier(strain))
    where = str(ump.table(charts()["overstress_location"], "location", D10, mods, seat=strain.seat))
    hit = Change(where, strain.aircraft, 1, text=f"{strain.aircraft}: {where} hit", rule="5.6")
    return Strained(where, (hit,))  # type: ignore[arg-type]


def _overstress(strain: Strain, made: int) -> Iterator[Modifier]:
    per_change, per_hit, severe = (int(row.cells[0]) for row in charts()["overstress_modifiers"].rows)
    hits = strain.spar_hits + strain.tail_hits
    yield from _some("changes", per_change * (made - 1), f"{made} changes", "5.6")
    yield from _some("hits", per_hit * hits, f"{hits} spar and tail hits", "5.6")
    yield from _some("severe", severe * strain.severe, "severely damaged", "5.6")


def _earlier(strain: Strain) -> Iterator[Modifier]:
    """Where it broke before, it breaks again."""
    yield from _some("tail", 2 * strain.tail_hits, f"{strain.tail_hits} tail hits", "5.6")
    yield from _some("spar", -2 * strain.spar_hits, f"{strain.spar_hits} spar hits", "5.6")


def _some(code: str, value: int, text: str, rule: str) -> tuple[Modifier, ...]:
    return (Modifier(value, code, text, rule),) if value else ()


class Crewman(Struct, frozen=True, kw_only=True):
    """Somebody aboard an aircraft that turned so hard that he may lose consciousness."""

    name: str = "pilot"
    seat: str = ""
    rate: Literal["BT", "ET"] = "ET"
    negative_g: bool = False
    changes: int | None = None
    turns: int = 1
    """Turns in a row at such a rate."""
    recruit: bool = False
    wounded: bool = False
    g_suit: bool = False


class Conscious(Struct, frozen=True):
    turns: int
    """Game turns without consciousness; 0 for awake."""
    changes: tuple[Change, ...] = ()


def _no_blackout(man: Crewman) -> tuple[Barred, ...]:
    if man.rate == "ET" or man.negative_g or man.recruit or man.wounded:
        return ()
    return (Barred("no-check", f"At BT only wounded and recruit crew can black out, not {man.name}.", "5.7"),)


@procedure(
    "otr.blackout",
    title="Check for black-out or red-out",
    rule="5.7",
    violations=_no_blackout,
    asks={"changes": "facings and steps (5.7)", "blackout": "the throw (5.7)", "turns": "for how long (5.7)"},
)
def blackout(ump: Umpire, man: Crewman) -> Conscious:
    """Positive G: 2 to 6 turns; negative G: two turns, and no suit helps (5.7)."""
    text = "How many facings of 30 degrees and steps of pitch were made at that rate?"
    made = ump.fact("changes", Number(1, 24), man.changes, text=text, rule="5.7")
    title = "Red-out" if man.negative_g else "Black-out"
    mods = tuple(_blackout(man, made))
    found = ump.table(charts()["blackout"], "blackout", D100, mods, title=title, seat=man.seat)
    if found == "awake":
        return Conscious(0)
    turns = 2 if man.negative_g else 1 + ump.total("turns", D5, rule="5.7", title="Black-out lasts 1 +", seat=man.seat)
    out = Change("unconscious", man.name, turns, text=f"{man.name} is unconscious for {turns} turns", rule="5.7")
    return Conscious(turns, (out,))


def _blackout(man: Crewman, made: int) -> Iterator[Modifier]:
    column = "red-out" if man.negative_g else "black-out"
    per_change, per_turn, wounded, suit = (row.key for row in charts()["blackout_modifiers"].rows)

    def printed(row: str) -> int:
        return int(charts()["blackout_modifiers"].at(row, column))

    yield from _some("changes", printed(per_change) * (made - 1), f"{made} changes", "5.7")
    yield from _some("turns", printed(per_turn) * (man.turns - 1), f"{man.turns} turns in a row", "5.7")
    yield from _some("wounded", printed(wounded) * man.wounded, "wounded", "5.7")
    if man.g_suit and not man.negative_g:
        yield from _some("suit", printed(suit), "G-suit", "5.7")
