"""What the table page shows: every aircraft as a card, the score, and a result in a glance."""

from collections.abc import Callable, Iterator
from typing import Any

from companion.rules.aod import figures
from companion.rules.aod.craft import COLOURS, Craft, Damage
from companion.rules.aod.fire import Engagement, back_fire
from companion.rules.aod.outcome import Body
from companion.rules.aod.passive import Break, Mover, ready
from companion.rules.aod.plain import Result
from companion.rules.aod.rockets import Salvo
from companion.rules.aod.slider import row_length, slider
from companion.rules.aod.state import Table
from companion.rules.aod.switches import on
from companion.umpire import Context, Field, Piece, Summary, TableSlot, View

YAWS = ("E", "NE", "NW", "W", "SW", "SE")


def view(table: Table, context: Context) -> View:
    """Nothing is hidden in this game, so every seat sees the same."""
    pieces = tuple(_piece(craft, context) for craft in table.crafts)
    limit = f" of {table.rounds}" if table.rounds else ""
    return View(f"Round {table.round}{limit}, {table.side} turn", pieces, tuple(_score(table)))


def _piece(craft: Craft, context: Context) -> Piece:
    return Piece(craft.key, craft.name, craft.side, craft.seat, tuple(_fields(craft, context)), craft.out, craft.type)


def _fields(craft: Craft, context: Context) -> Iterator[Field]:
    yield Field("Altitude", "?" if craft.altitude is None else f"L{craft.altitude}".replace("L0", "LL"), "1.1.4")
    if craft.pose:
        yield Field("Heading", YAWS[craft.pose.yaw] + _tilt(craft), "3")
    if craft.speed is not None:
        yield Field("Speed", str(craft.speed), "3.1")
    yield from _ammunition(craft, context)
    yield from _throttle(craft, context)
    for damage in craft.damages:
        yield Field("Damage", damage, "4.6.1", letter=damage[0].upper(), colour=COLOURS[damage])
    for label, value, rule in (("Pilot", craft.pilot, "7.5"), ("Manoeuvre", craft.manoeuvre, "3.4")):
        if value:
            yield Field(label, value, rule)
    if craft.evading:
        yield Field("Evading", "turns first", "4.5.8")


def _tilt(craft: Craft) -> str:
    assert craft.pose
    pitch = {1: ", nose up", -1: ", nose down"}.get(craft.pose.pitch, "")
    return pitch + {1: ", banked right", -1: ", banked left"}.get(craft.pose.roll, "")


def _ammunition(craft: Craft, context: Context) -> Iterator[Field]:
    for gun, slot, row, spent in (
        ("Fixed guns", figures.FIXED_BURSTS, figures.FIXED_ROW, craft.fixed_spent),
        ("Flexible guns", figures.FLEXIBLE_BURSTS, figures.FLEXIBLE_ROW, craft.flexible_spent),
    ):
        bursts, house = _figure(context, slot, craft)
        if bursts:
            printed, _ = _figure(context, row, craft)
            chit = _chit(context, bursts, spent, printed)
            yield Field(
                gun, f"{halves(2 * bursts - spent)}/{bursts}{chit}", "4.2", house=house or bool(chit and not printed)
            )
    if craft.rockets:
        yield Field("Rockets", str(craft.rockets), "4.10")


def _chit(context: Context, bursts: int, spent: int, printed: int) -> str:
    """On the second pass over a short row the re-slide chit lies beside the slider (4.2.1)."""
    at = slider(bursts, spent, row_length(bursts, again=on(context, "re_sliding"), printed=printed))
    return f", chit on slot {at.slot}" if at and at.chit else ""


def halves(number: int) -> str:
    """`4½`."""
    whole, half = divmod(max(number, 0), 2)
    return f"{whole}½" if half and whole else "½" if half else str(whole)


def _throttle(craft: Craft, context: Context) -> Iterator[Field]:
    safe, house = _figure(context, figures.THROTTLE, craft)
    if safe:
        left = safe - craft.throttle
        yield Field("Full throttle", str(left) if left > 0 else "!" if left == 0 else "none", "3.1", house=house)


def _figure(context: Context, slot: TableSlot, craft: Craft) -> tuple[int, bool]:
    filled = context.cells.get((slot.key, craft.type))
    return (int(filled.value or 0), filled.house) if filled else (0, False)


def _score(table: Table) -> Iterator[Field]:
    """Destroyed 1, damaged ½ for the other side (2.2.1)."""
    for side in table.sides:
        enemies = [craft for craft in table.crafts if craft.side != side]
        points = sum(2 if c.out == "destroyed" else 1 if c.damages else 0 for c in enemies)
        yield Field(side, halves(points), "2.2.1")


# --- a result in a glance


def summary(table: Table | None, procedure: str, inputs: Any, result: Any) -> Summary:
    heading, word = _SUMMARIES[procedure](inputs, result)
    return Summary(heading, word, tuple(change.text for change in result.changes if change.text))


def _fire(shot: Any, result: Any) -> tuple[tuple[str, ...], str]:
    heading = (f"{shot.attacker.name} fires at", shot.target.name)
    new = _new(result.target_damages, shot.target)
    word = _hit(result.double or result.first, result.target_destroyed, new)
    if result.attacker_destroyed:
        word += ", ATTACKER DESTROYED"
    return heading, word


def _new(damages: tuple[str, ...], craft: Craft) -> tuple[str, ...]:
    return tuple(damage for damage in damages if damage not in craft.damages)


def _hit(word: str, destroyed: bool, new: tuple[str, ...]) -> str:
    if destroyed:
        return "HIT - DESTROYED"
    if new:
        return f"HIT - {' AND '.join(new).upper()} DAMAGE"
    return "MISS" if word == "miss" else "HIT - NO DAMAGE"


def _break(passage: Any, result: Any) -> tuple[tuple[str, ...], str]:
    new = _new(result.damages, passage.mover)
    word = "DESTROYED" if result.destroyed else f"{' AND '.join(new).upper()} DAMAGE" if new else "NO DAMAGE"
    return ("Break action against", passage.mover.name), word


def _rockets(shot: Any, result: Any) -> tuple[tuple[str, ...], str]:
    heading = (f"{shot.attacker.name} launches rockets at", shot.target.name)
    return heading, "HIT - DESTROYED" if result.destroyed else "MISS"


def _throttled(given: Any, result: Any) -> tuple[tuple[str, ...], str]:
    word = "DESTROYED" if result.destroyed else "ENGINE DAMAGE" if result.damaged else f"{result.speed:+d}"
    return ("Full throttle", given.craft.name), word


_SUMMARIES: dict[str, Callable[[Any, Any], tuple[tuple[str, ...], str]]] = {
    "aod.fire": _fire,
    "aod.break": _break,
    "aod.rockets": _rockets,
    "aod.burst": lambda given, r: (("A burst by its numbers",), _hit(r.result, r.destroyed, r.damages)),
    "aod.throttle": _throttled,
    "aod.search": lambda given, r: (("Search at night", given.craft.name), "FOUND" if r.found else "NOT FOUND"),
    "aod.place": lambda given, r: (("Set down", given.craft.name), "PLACED"),
    "aod.end_turn": lambda given, r: (("End of the turn", given.side), "NEXT"),
}


_DOWN = 9


def rank(result: Any) -> int | None:
    """The number of damages of the aircraft that is fired at, more when it is destroyed; None where nobody is."""
    match result:
        case Engagement():
            return _DOWN if result.target_destroyed else len(result.target_damages)
        case Break() | Result():
            return _DOWN if result.destroyed else len(result.damages)
        case Salvo():
            return _DOWN if result.destroyed else 0
    return None


def _came_through(mover: Mover) -> Mover:
    """How the attacker came out of a break action, as far as its own fire depends on it (4.6.5)."""
    guns: tuple[Damage, ...] = ("guns",) if "guns" in mover.body.damages else ()
    return Mover(Body(mover.body.capacity, guns, mover.body.destroyed))


ALIKE: dict[Callable[..., Any], Callable[[Any], Any]] = {back_fire: _came_through}
"""What the rank of a result depends on, where that is less than the result of a part."""

_HOLD = "if the rest hold fire"
UNSEEN: dict[Callable[..., Any], tuple[Callable[..., Any], str]] = {
    back_fire: (lambda stand, *_: Mover(Body()), _HOLD),
    ready: (lambda _: None, _HOLD),
}
"""How a defender stands that never came to answer, nobody has looked at: then it is taken not to."""
