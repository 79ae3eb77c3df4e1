"""Fixed guns fire at an aircraft: odds, likelihood, hits, ammunition and jams (9.4, 10.1)."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from companion.rules.otr import lost
from companion.rules.otr import shot as asked
from companion.rules.otr.charts import charts
from companion.rules.otr.likelihood import modifiers
from companion.rules.otr.shot import Burst, Shot
from companion.umpire import Change, Illegal, Modifier, Question, Umpire, add, dice, procedure

D100 = dice("d100")


class Fired(Struct, frozen=True, kw_only=True):
    """What came of a shot. The likelihood is None where the odds were too bad for one."""

    odds: str
    likelihood: int | None = None
    hits: int = 0
    jammed: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()


@procedure(
    "otr.fire",
    title="Fire fixed guns",
    rule="9.4",
    violations=asked.violations,
    questions={
        "hits": Question("Hits", lambda fired: fired.hits),
        "jams": Question("Groups that jam", lambda fired: len(fired.jammed)),
    },
    policy={"burst": lambda ask: "normal" if "normal" in ask.space.legal else ask.space.legal[0]},
    asks={
        "burst": "the burst (10.1)", "angle": "deflection (9.3)", "range": "range in hexes (9.1)", "line": "(10.2)",
        "attack": "attack factors (9.1)", "defence": "the target's defence (9.4)", "held": "tracking (10.1)",
        "speed": "end speeds (10.3)", "wing guns": "(10.2)", "rate": "turn rates (10.2)", "bank": "banks (10.2)",
        "shot": "the throw (9.4)", "jam": "which group jams (10.1)", "unreliable jam": "which MK-108 or ShKAS (10.1)",
    },
)  # fmt: skip
def fire(ump: Umpire, shot: Shot) -> Fired:
    """The strength of the guns against the target's defence, which grows with the deflection; then one throw."""
    burst = asked.burst(ump, shot)
    aim = _aim(ump, shot)
    attack, defence = _strengths(ump, shot, aim)
    raw = raw_odds(attack, defence)
    column = raw and _shifted(ump, raw, _shifts(ump, shot, burst, aim.angle))
    if not raw or not column:
        ump.note(f"{attack} against {defence}: worse than 1-4, no hits", "9.4")
        return Fired(odds="none", changes=tuple(_changes(shot, burst, 0, ())))
    mods = (*modifiers(ump, shot, aim.angle, aim.range, aim.line), *excess(attack, defence, raw))
    likelihood = ump.total("shot", D100, mods, rule="9.4", title=f"Shot at {column}", seat=shot.seat)
    hits = lost.hits(ump, column, likelihood)
    ump.note(f"{hits} hits", "9.4")
    jammed = tuple(_jams(ump, shot, burst, likelihood - add(mods)))
    changes = tuple(_changes(shot, burst, hits, jammed))
    return Fired(odds=column, likelihood=likelihood, hits=hits, jammed=jammed, changes=changes)


class _Aim(NamedTuple):
    angle: int
    range: int
    line: asked.Line


def _aim(ump: Umpire, shot: Shot) -> _Aim:
    """How the two lie to each other; a line counts nearly dead ahead or astern, and never against a spinner."""
    angle = asked.angle(ump, shot)
    range_ = asked.range_to(ump, shot)
    if range_ == 0 and (barred := tuple(asked.head_on_at_zero(angle))):
        raise Illegal(barred)
    counts = not shot.spinning and not 30 < angle < 150
    return _Aim(angle, range_, asked.line(ump, shot) if counts else "none")


def _strengths(ump: Umpire, shot: Shot, aim: _Aim) -> tuple[int, int]:
    """The attack factors, and the defence with its deflection (9.1, 9.3)."""
    attack = asked.attack(ump, shot)
    return attack, asked.defence(ump, shot) * _factor(ump, shot, aim)


def _factor(ump: Umpire, shot: Shot, aim: _Aim) -> int:
    """What the target's defence is multiplied by; head-on along one line it is one less (9.3, 10.2)."""
    if shot.spinning:
        factor = int(str(charts()["deflection"].at("spinning target")).removeprefix("x"))
    else:
        factor = max(1, lost.factor(ump, aim.angle) - (aim.line == "nose"))
    ump.note(f"defence x{factor}, deflection {aim.angle}", "9.3")
    return factor


def raw_odds(attack: int, defence: int) -> str | None:
    """The column before any shift, rounded down; None below the worst (9.4)."""
    if attack >= defence:
        return f"{min(6, attack // defence)}-1"
    return next((f"1-{n}" for n in (2, 3, 4) if attack * n >= defence), None)


def _shifted(ump: Umpire, column: str, shifts: Sequence[tuple[str, int]]) -> str | None:
    """The column after the shifts; not better than the best, and None when worse than the worst."""
    place = lost.COLUMNS.index(column) + sum(columns for _, columns in shifts)
    shown = "".join(f", {columns:+d} {what}" for what, columns in shifts)
    if place < 0:
        return None
    found = lost.COLUMNS[min(place, len(lost.COLUMNS) - 1)]
    ump.note(f"odds {column}{shown}: {found}", "10.1")
    return found


def _shifts(ump: Umpire, shot: Shot, burst: Burst, angle: int) -> list[tuple[str, int]]:
    """Columns to the right or left, each with its reason (10.1, 10.3)."""
    held = asked.held(ump, shot) if angle <= 60 or burst == "long" else "less"
    crack = ", crack shot" if shot.crack_shot else ""
    reasons = []
    if held == "last" and angle <= 60 and not shot.spinning:
        reasons.append("tracking shot")
    if burst == "long" and held != "less":
        reasons.append("long burst")
    if burst == "half":
        reasons.append(f"half burst{crack}")
    if burst == "normal" and shot.short_of_ammo and not crack:
        reasons.append("groups short of ammo")
    if shot.beam and angle == 90:
        reasons.append("beam attack")
    return [(reason, int(charts()["odds_shifts"].at(reason))) for reason in reasons]


def excess(attack: int, defence: int, column: str) -> Iterator[Modifier]:
    """Factors beyond those that the raw odds take, as a part of the final defence (9.4)."""
    over = attack - defence * int(column[0])
    if column[2:] != "1" or over * 3 < defence:
        return
    part = "2/3" if over * 3 >= defence * 2 else "1/2" if over * 2 >= defence else "1/3"
    yield Modifier(int(charts()["excess_firepower"].at(part)), "excess", f"excess firepower {part}", "9.4")


def _jams(ump: Umpire, shot: Shot, burst: Burst, natural: int) -> Iterator[str]:
    """By the throw without modifiers: an unreliable gun first, then any of the others (10.1)."""
    groups = list(shot.groups)
    if shot.unreliable and natural >= int(charts()["jams"].at("MK-108 or ShKAS, any burst")):
        first = ump.one_of("unreliable jam", shot.unreliable, rule="10.1", seat=shot.seat)
        groups.remove(first)
        yield first
    if groups and natural >= int(charts()["bursts"].at(burst, "jams from")):
        yield ump.one_of("jam", groups, rule="10.1", seat=shot.seat)


def _changes(shot: Shot, burst: Burst, hits: int, jammed: Sequence[str]) -> Iterator[Change]:
    ammo = str(charts()["bursts"].at(burst, "ammo"))
    text = f"{shot.shooter}: {ammo} of ammo of each group used"
    yield Change("ammo", shot.shooter, ammo, text=text, rule="10.1")
    if hits:
        yield Change("hits", shot.target, hits, "step", f"{shot.target} takes {hits} hits", "9.4")
    for group in jammed:
        yield Change("jam", shot.shooter, group, "step", f"{shot.shooter}: {group} jams", "10.1")
