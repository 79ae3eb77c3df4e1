"""What is added to the targeting die (4.5), each from its chart and each counted once."""

from collections.abc import Iterator

from msgspec.structs import replace

from companion.rules.aod import figures
from companion.rules.aod.charts import charts
from companion.rules.aod.craft import Craft
from companion.rules.aod.figures import figure, is_house, number
from companion.rules.aod.position import Solution
from companion.rules.aod.switches import on
from companion.umpire import Barred, Illegal, Modifier, Number, Umpire

_OTHER_RULES = {
    "Ace": "7.5", "Rookie": "7.5", "large target": "4.5.6", "very small target": "4.5.6", "tracer burst": "4.5.7",
    "double burst": "4.6.5", "sun behind target": "7.6.2", "passive firing": "4.7.2", "twitch": "4.5.8",
    "target prepared for a steep dive": "3.4.2", "after a forward slip": "3.4.4", "night": "7.7",
}  # fmt: skip

FIRST_HIT = Modifier(2, "double", "first burst hit", "4.6.5")
"""What a double burst adds to its outcome where the first burst was no miss."""

_CHARTS = {
    "A": "position_a",
    "B": "position_b",
    "C-frontal": "position_frontal",
    "C-parallel": "position_parallel",
    "rocket": "rocket_tilt",
}


def other(row: str) -> Modifier:
    """A modifier that does not depend on the position."""
    return Modifier(int(charts()["targeting_modifiers"].at(row)), row.replace(" ", "-"), row, _OTHER_RULES[row])


def tilt_and_distance(solution: Solution) -> Iterator[Modifier]:
    """The penalties of the firing position (4.5.1 to 4.5.4, 4.10)."""
    if solution.position == "upward":
        return
    chart = charts()[_CHARTS[solution.position]]
    for row in _tilts(solution):
        yield Modifier(int(chart.at(row)), row.replace(" ", "-"), row, chart.rule)


def _tilts(seen: Solution) -> Iterator[str]:
    if seen.position == "A":
        yield from (["distance 2d"] if seen.distance == 2 else [])
        yield from (["different roll"] if seen.roll_differs else [])
        yield from (["different pitch"] if seen.pitch_differs else [])
    else:
        yield from (["target banked"] if seen.target_banked else [])
        if seen.target_pitched:
            yield "both pitched" if seen.position == "C-parallel" else "target pitched"


def speed(ump: Umpire, seen: Solution, attacker: Craft, target: Craft) -> tuple[Modifier, ...]:
    """Speed difference (4.9): the attacker is whoever has just moved, also when fire goes back at it."""
    if not on(ump, "speed_difference"):
        return ()
    mine, theirs = final_speed(ump, attacker, "attacker"), final_speed(ump, target, "target")
    if seen.position == "C-frontal":
        return _by_chart("speed_frontal", mine + theirs, f"total speed {mine + theirs}")
    difference = mine - theirs
    if abs(difference) > 6 and seen.position not in ("A", "B"):
        text = f"With a speed difference of {abs(difference)} only positions A and B are permitted."
        raise Illegal((Barred("speed-position", text, "4.9"),))
    key, words = ("speed_slower", "slower") if difference < 0 else ("speed_faster", "faster")
    return _by_chart(key, abs(difference), f"{words} by {abs(difference)}")


def final_speed(ump: Umpire, craft: Craft, role: str) -> int:
    """As its speed indicator shows."""
    text = f"What is the speed of {craft.name}?"
    return ump.fact(f"speed {role}", Number(-2, 30), craft.speed, text=text, rule="4.9")


def _by_chart(key: str, number: int, text: str) -> tuple[Modifier, ...]:
    value = charts()[key].at(max(number, 0))
    if not isinstance(value, int):
        raise Illegal((Barred("speed", f"The speeds are too far apart to fire: {text}.", "4.9"),))
    return (Modifier(value, "speed", text, "4.9"),) if value else ()


def size(ump: Umpire, target: Craft) -> Iterator[Modifier]:
    """Target size (4.5.6)."""
    kind = figures.word(ump, figures.SIZE, target.type)
    if kind != "normal":
        yield replace(other(f"{kind} target"), house=is_house(ump, figures.SIZE, target.type))


def toughness(ump: Umpire, craft: Craft, frontal: bool) -> Modifier:
    """Durability, the frontal one where there is one and the aircraft is hit from its 12 o'clock (4.3, 4.3.1)."""
    if frontal and on(ump, "frontal_durability"):
        front = figure(ump, figures.FRONTAL, craft.type)
        if front is not None:
            house = is_house(ump, figures.FRONTAL, craft.type)
            return Modifier(-int(front), "durability", "frontal durability", "4.3.1", house)
    house = is_house(ump, figures.DURABILITY, craft.type)
    return Modifier(-number(ump, figures.DURABILITY, craft.type), "durability", "durability", "4.3", house)


def manoeuvres(shooter: Craft, target: Craft) -> Iterator[Modifier]:
    """Fire after a forward slip, and at targets prepared for a steep dive (3.4.2, 3.4.4)."""
    if shooter.manoeuvre == "forward slip":
        yield other("after a forward slip")
    yield from steep_dive(target)


def steep_dive(target: Craft) -> Iterator[Modifier]:
    if target.manoeuvre == "steep dive":
        yield other("target prepared for a steep dive")
