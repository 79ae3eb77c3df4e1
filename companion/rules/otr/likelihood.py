"""What is added to the likelihood number of a shot of fixed guns (9.4, 10.2 to 10.4)."""

from collections.abc import Iterator
from decimal import ROUND_CEILING, Decimal

from companion.rules.otr import lost
from companion.rules.otr import shot as asked
from companion.rules.otr.charts import charts
from companion.rules.otr.shot import Bank, Line, Shot
from companion.umpire import Modifier, Umpire

FAST = ("HT", "BT", "ET")
"""Rates at which a lift vector that does not match counts."""


def modifiers(ump: Umpire, shot: Shot, angle: int, range_: int, line: Line) -> Iterator[Modifier]:
    """All but the excess firepower, which hangs on the odds."""
    yield from _state(shot)
    yield from _combined_speed(ump, shot, angle)
    if asked_wings(ump, shot, range_):
        yield from wing_harmony(range_)
    if line == "six" and not shot.spinning:
        yield _printed("near-zero deflection", 1, "10.2")
    yield from _rates(ump, shot, angle)
    for name in _of_the_lost_table(shot):
        yield lost.modifier(ump, name, shot.bomber)


def _printed(row: str, times: int, rule: str, text: str = "") -> Modifier:
    value = int(charts()["gun_modifiers"].at(row))
    return Modifier(value * times, row.replace(" ", "-"), text or row, rule)


def _state(shot: Shot) -> Iterator[Modifier]:
    if shot.too_slow:
        yield _printed("end speed below adjusted minimum", 1, "4.4", "too slow")
    if shot.small_hits:
        text = f"{shot.small_hits} hits of the smaller guns"
        yield _printed("big gun, each hit of the smaller guns", shot.small_hits, "10.4", text)


def _combined_speed(ump: Umpire, shot: Shot, angle: int) -> Iterator[Modifier]:
    """+5 for each 1.0 or less of it (10.3)."""
    mine = asked.speed(ump, shot.shooter, shot.shooter_speed)
    theirs = asked.speed(ump, shot.target, shot.target_speed)
    together = combined_speed(angle, mine, theirs)
    steps = int(together.to_integral_value(ROUND_CEILING))
    if steps > 0:
        yield _printed("each 1.0 or less of combined speed", steps, "10.3", f"combined speed {together.normalize():f}")


def combined_speed(angle: int, shooter: Decimal, target: Decimal) -> Decimal:
    """By deflection; a shooter that closes from behind has none (10.3)."""
    fast, slow = max(shooter, target), min(shooter, target)
    if angle <= 30:
        return max(Decimal(0), target - shooter)
    return {60: fast - slow / 2, 90: fast, 120: fast + slow / 2}.get(angle, fast + slow)


def asked_wings(ump: Umpire, shot: Shot, range_: int) -> bool:
    """Whether half the guns stand in the wings; it makes no difference nearer than range 2."""
    text = f"Do at least half of the guns that {shot.shooter} fires stand in the wings?"
    return range_ >= 2 and ump.fact("wing guns", asked.YES_NO, shot.wing_guns, text=text, rule="10.2")


def wing_harmony(range_: int) -> Iterator[Modifier]:
    """Guns in the wings converge at range 2 or 3 (10.2)."""
    row = f"range {range_}" if range_ <= 3 else "each hex beyond 3"
    value = int(charts()["wing_harmony"].at(row)) * max(1, range_ - 3)
    yield Modifier(value, "wing-harmony", f"wing guns at range {range_}", "10.2")


def _rates(ump: Umpire, shot: Shot, angle: int) -> Iterator[Modifier]:
    """The shooter's own turn, and lift vectors that do not match (9.4, 10.2)."""
    mine = asked.rate(ump, shot.shooter, shot.shooter_rate)
    if mine != "EZ":
        yield lost.modifier(ump, f"{mine} turn", shot.bomber)
    if shot.spinning:
        return
    theirs = asked.rate(ump, shot.target, shot.target_rate)
    fast = sum(rate in FAST for rate in (mine, theirs))
    if fast:
        my_bank = asked.bank(ump, shot.shooter, shot.shooter_bank)
        steps = mismatch(angle, my_bank, asked.bank(ump, shot.target, shot.target_bank))
        value = int(charts()["lift_vector"].at(steps, "one" if fast == 1 else "both"))
        if value:
            yield Modifier(value, "lift-vector", f"lift vectors {steps} steps apart", "10.2")


_OPPOSITE: dict[Bank, tuple[Bank, ...]] = {
    "LV": ("LV",), "LB": ("RB", "IL"), "IL": ("IR", "LB"), "IV": ("IV",), "IR": ("IL", "RB"), "RB": ("LB", "IR"),
}  # fmt: skip
"""Banks that match at 120 and more: both turn towards each other."""
_SAME_SIDE: dict[Bank, tuple[Bank, ...]] = {
    "LV": ("LV",), "LB": ("LB", "IL"), "IL": ("LB", "IL"), "IV": ("IV",), "IR": ("RB", "IR"), "RB": ("RB", "IR"),
}  # fmt: skip


def mismatch(angle: int, shooter: Bank, target: Bank) -> int:
    """Steps from the target's bank to the nearest one that would match the shooter's (10.2)."""
    matching = (shooter,) if angle <= 60 else _SAME_SIDE[shooter] if angle == 90 else _OPPOSITE[shooter]
    return min(int(charts()["bank_steps"].at(target, bank)) for bank in matching)


def _of_the_lost_table(shot: Shot) -> Iterator[str]:
    if shot.quality != "regular":
        yield shot.quality
    if shot.ace:
        yield "ace"
    if shot.crack_shot:
        yield "crack shot"
    if shot.sight != "reflector":
        yield f"{shot.sight} sight"
    if shot.slipped:
        yield "slip or skid"
    if shot.unsteady:
        yield "slats or flaps at work"
