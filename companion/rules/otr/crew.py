"""Crews that are hit, and what they have to do without: wounds, oxygen, navigation (11)."""

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.rules.otr.charts import charts
from companion.rules.otr.checks import D5, D10, D100
from companion.umpire import Barred, Change, Modifier, Umpire, at_most, procedure

Band = Literal["VL", "LO", "ML", "MH", "HI", "VH"]


class Hurt(Struct, frozen=True, kw_only=True):
    """Somebody aboard who has been wounded, with this wound."""

    name: str = "pilot"
    seat: str = ""
    pilot: bool = True
    wounds: Annotated[int, Meta(ge=1, le=3)] = 1


class Wounded(Struct, frozen=True, kw_only=True):
    """`turns` until a pilot can do no more; `op_turns` that the disabled live without help."""

    result: str
    turns: int = 0
    op_turns: int = 0
    changes: tuple[Change, ...] = ()


_NTH = ("first", "second", "third")


@procedure(
    "otr.wound",
    title="Wound",
    rule="11",
    asks={"wound": "a pilot's second wound (11)", "mortality": "how long he lives (11)"},
)
def wound(ump: Umpire, hurt: Hurt) -> Wounded:
    """The first only hinders a pilot; of the second he dies or goes on for some turns; others are out at once."""
    result = str(charts()["wounds"].at(_NTH[min(hurt.wounds, 3 if hurt.pilot else 2) - 1], _column(hurt)))
    turns = op_turns = 0
    if result == "disabled" and hurt.pilot:
        found = ump.table(charts()["disabled_pilot"], "wound", D10, seat=hurt.seat)
        result, turns = ("killed", 0) if found == "killed" else (result, int(found))
    if result == "disabled":
        op_turns = 3 * ump.total("mortality", D10, rule="11", title="Op-turns without help, a third", seat=hurt.seat)
    ump.note(f"{hurt.name} is {result}", "11")
    change = Change(result, hurt.name, turns, text=f"{hurt.name} is {result}", rule="11")
    return Wounded(result=result, turns=turns, op_turns=op_turns, changes=(change,))


def _column(hurt: Hurt) -> str:
    return "pilot" if hurt.pilot else "other crew"


class NoPilot(Struct, frozen=True, kw_only=True):
    aircraft: str = "aircraft"
    seat: str = ""
    role: Literal["bombardier", "navigator"] = "bombardier"


class Takeover(Struct, frozen=True, kw_only=True):
    flies: bool
    changes: tuple[Change, ...] = ()


@procedure("otr.take_over", title="Take over from the pilots", rule="11", asks={"take over": "the throw (11)"})
def take_over(ump: Umpire, it: NoPilot) -> Takeover:
    """One try; he flies as a wounded recruit."""
    need = at_most(charts()["take_over"].rows[0].high or 0)
    if not ump.test("take over", D100, (), need, rule="11", seat=it.seat, words=("flies", "cannot")):
        return Takeover(flies=False)
    text = f"the {it.role} of {it.aircraft} flies it as a wounded recruit"
    return Takeover(flies=True, changes=(Change("pilot", it.aircraft, it.role, text=text, rule="11"),))


class Airless(Struct, frozen=True, kw_only=True):
    """An aircraft whose oxygen is lost, at the end of a turn."""

    aircraft: str = "aircraft"
    seat: str = ""
    band: Band
    turns: Annotated[int, Meta(ge=0, le=200)]
    """Game turns since the oxygen was lost."""
    crew: Annotated[tuple[str, ...], Meta(min_length=1, max_length=12)] = ("pilot",)
    """Those who are still active."""


class Fainted(Struct, frozen=True, kw_only=True):
    unconscious: tuple[str, ...]
    changes: tuple[Change, ...] = ()


def _enough_air(it: Airless) -> tuple[Barred, ...]:
    return tuple(Barred(code, text, "11") for code, text in _no_check(it))


def _no_check(it: Airless) -> Iterator[tuple[str, str]]:
    if it.band in ("VL", "LO"):
        yield "low", f"Nobody needs oxygen in the {it.band} band."
    elif it.turns <= int(charts()["oxygen"].at(it.band, "turns")):
        yield "early", f"In the {it.band} band there is no effect yet after {it.turns} turns."


@procedure(
    "otr.oxygen",
    title="Go without oxygen",
    rule="11",
    violations=_enough_air,
    asks={"strain": "a D5 (11)", "resistance": "a D10 (11)", "victim": "who is tested (11)", "faint": "each one (11)"},
)
def oxygen(ump: Umpire, it: Airless) -> Fainted:
    """As many of the crew as the D5 is higher than the D10, each unconscious on an odd throw."""
    added = int(charts()["oxygen"].at(it.band, "added to the D5"))
    mods = (Modifier(added, "band", f"{it.band} band", "11"),) if added else ()
    strain = ump.total("strain", D5, mods, rule="11", title="Want of oxygen", seat=it.seat)
    tested = strain - ump.total("resistance", D10, rule="11", title="Resistance", seat=it.seat)
    left, out = list(it.crew), []
    for _ in range(min(tested, len(it.crew))):
        victim = ump.one_of("victim", left, rule="11", seat=it.seat)
        left.remove(victim)
        (face,) = ump.roll("faint", D10, rule="11", title=victim, seat=it.seat)
        if face.value % 2:
            out.append(victim)
    changes = tuple(Change("unconscious", name, text=f"{name} is unconscious", rule="11") for name in out)
    return Fainted(unconscious=tuple(out), changes=changes)


class Lost(Struct, frozen=True, kw_only=True):
    aircraft: str = "aircraft"
    seat: str = ""
    led: bool = False
    """In formation with an aircraft that can navigate."""


class Course(Struct, frozen=True, kw_only=True):
    result: str
    endurance: int = 0
    changes: tuple[Change, ...] = ()


def _led(it: Lost) -> tuple[Barred, ...]:
    return (Barred("led", f"{it.aircraft} follows an aircraft that can navigate.", "11"),) if it.led else ()


@procedure(
    "otr.navigation",
    title="Fly without navigation instruments",
    rule="11",
    violations=_led,
    asks={"navigation": "the throw (11)", "endurance": "minutes lost (11)"},
)
def navigation(ump: Umpire, it: Lost) -> Course:
    """Once each Op-turn."""
    result = str(ump.table(charts()["navigation_lost"], "navigation", D10, seat=it.seat))
    if not result.startswith("D5"):
        return Course(result=result)
    minutes = ump.total("endurance", D5, rule="11", title="Endurance lost", seat=it.seat)
    change = Change("endurance", it.aircraft, -minutes, text=f"{it.aircraft} loses {minutes} of endurance", rule="11")
    return Course(result=result, endurance=minutes, changes=(change,))
