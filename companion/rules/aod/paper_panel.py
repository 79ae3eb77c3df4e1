"""The control panel of a type: figures, firing directions, and a section for each aircraft (1.1.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct

from companion.packs.records import Entry, merge, read_layer
from companion.rules.aod.aircraft import Aircraft, Load
from companion.rules.aod.craft import COLOURS, Craft
from companion.rules.aod.figures import HOURS, LEVELS
from companion.rules.aod.slider import row_length, second_start, slider
from printouts import document as doc
from printouts.figures import Plane, plan_view, rosette

ROMAN = ("", "I", "II", "III", "IV", "V")
BLANK = "____"


class Planform(Struct, frozen=True):
    name: str
    span: float
    length: float
    engines: tuple[float, ...] = (0.0,)
    sweep: float = 0.0
    elliptical: bool = False
    twin_boom: bool = False
    jet: bool = False


@cache
def _planforms() -> dict[str, Entry[Planform]]:
    return merge([read_layer(Path(__file__).with_name("planforms.toml"), "planform")], Planform)


_ANY = Planform("any", 11.0, 9.5, jet=True)
"""Without propellers it says nothing of the engines."""


def drawing(kind: str, width_mm: float) -> doc.Drawing:
    """The aircraft from above, as wide as its span is against the others; a plain one for a type of a player's own."""
    entry = _planforms().get(kind)
    form = entry.value if entry else _ANY
    plane = Plane(
        form.span, form.length, form.engines, sweep=form.sweep, elliptical=form.elliptical,
        twin_boom=form.twin_boom, jet=form.jet,
    )  # fmt: skip
    width = min(width_mm, width_mm * form.span / form.length)
    return plan_view(plane, width, f"{kind if entry else 'an aircraft'} from above")


def blocks(entry: Entry[Aircraft], crafts: Sequence[Craft]) -> Iterator[doc.Block]:
    plane = entry.value
    facts = doc.Table((doc.Column(""), doc.Column("", "right")), tuple(_figures(entry)))
    yield doc.Heading(entry.name, right=", ".join(part for part in (plane.role, plane.nation) if part))
    yield doc.Columns(((drawing(entry.name, 38),), (facts,), (_rosette(entry), *_legend(entry))), (38, 46, 42), 2)
    yield from _symbols(entry)
    yield from _loaded(entry)
    for craft in crafts:
        yield doc.Panel(tuple(_section(entry, craft)), f"Aircraft {craft.key or BLANK}")


# --- where a figure comes from


def dagger(entry: Entry[Aircraft], *cells: str) -> str:
    """The mark of a house value, for fields and for cells of `figures.known_type`."""
    origins = (entry.origins.get(cell) or entry.origins.get(cell.split(":")[0]) for cell in cells)
    return "†" if any(origin and origin.house for origin in origins) else ""


def shown(entry: Entry[Aircraft], value: str, field: str, *more: str) -> str:
    """A figure with its mark; a line to write on where no pack gives it."""
    return value + dagger(entry, field, *more) if value and field in entry.origins else BLANK


def basic_speed(entry: Entry[Aircraft]) -> str:
    return shown(entry, str(entry.value.basic_speed), "basic_speed")


def durability(entry: Entry[Aircraft]) -> str:
    """`5 (3)`: the one in brackets is the frontal one (4.3.1)."""
    front = entry.value.frontal_durability
    whole = shown(entry, str(entry.value.durability), "durability")
    return whole if front is None else f"{whole} ({shown(entry, str(front), 'frontal_durability')})"


# --- the figures, in the order of the token (1.1.3)


def _figures(entry: Entry[Aircraft]) -> Iterator[tuple[str, str]]:
    plane = entry.value

    def row(label: str, value: str, field: str, *more: str) -> tuple[str, str]:
        return label, shown(entry, value, field, *more)

    if plane.fixed:
        star = "* " if len(set(plane.fixed_slots)) > 1 else ""
        yield "Firepower", f"{plane.fixed}{star}{dagger(entry, 'fixed:1')}".strip()
    yield "Basic speed", basic_speed(entry)
    yield row("Agility", agility(plane.agility, plane.agility_dots, plane.boxed), "agility", "agility_dots", "boxed")
    yield row("Ceiling", f"L{plane.ceiling}", "ceiling")
    yield "Durability", durability(entry)
    climbs = f"{plane.climb}{'•' * plane.climb_dots}, {plane.descent}"
    yield row("Climb, descent", climbs, "climb", "climb_dots", "descent")
    yield row("Stall speed", str(plane.stall), "stall")
    yield row("Endurance", _endurance(plane), "endurance", "endurance_tank")
    yield row("Blue dice", ", ".join(plane.dice), "die:m1", *(f"die:{die}" for die in plane.dice))
    if plane.booster:
        yield row("Booster", f"+{plane.booster}", "booster")


def _endurance(plane: Aircraft) -> str:
    """The second number is what a fuel tank adds (7.2.1)."""
    more = f"+{plane.endurance_tank}" if plane.endurance_tank else ""
    return f"{plane.endurance}{more}" if plane.endurance else ""


def agility(numeral: int, dots: int, boxed: bool = False) -> str:
    text = f"{ROMAN[numeral]}{'•' * dots}"
    return f"[{text}]" if boxed else text


def _rosette(entry: Entry[Aircraft]) -> doc.Drawing:
    """Firepower above, on and below the line; fixed guns stand before the flexible ones ahead (4.4.2)."""
    return rosette(tuple(_field(entry, hour) for hour in HOURS), 40)


def _field(entry: Entry[Aircraft], hour: str) -> tuple[str, str, str]:
    plane = entry.value
    values = {level: plane.flexible_at(int(hour), rise) for level, rise in LEVELS.items()}
    above, on, below = (f"{n}{dagger(entry, f'flexible:{hour}:{level}')}" if n else "" for level, n in values.items())
    if hour == "12" and plane.fixed:
        fixed = f"{plane.fixed}{dagger(entry, 'fixed:1')}"
        on = f"{fixed}+{on}" if on else fixed
    return above, on, below


def _legend(entry: Entry[Aircraft]) -> Iterator[doc.Block]:
    if entry.value.dashed or entry.value.fixed_dashed:
        yield doc.Text("Passive only: " + ", ".join(_passive(entry)), small=True)


def _passive(entry: Entry[Aircraft]) -> Iterator[str]:
    dashed = entry.value.dashed
    mark = dagger(entry, *(f"dashed:{hour}" for hour in dashed))
    if entry.value.fixed_dashed:
        yield f"fixed guns{dagger(entry, 'fixed_dashed')}"
    if len(dashed) == len(HOURS):
        yield f"all flexible guns{mark}"
    elif dashed:
        yield f"flexible guns at {', '.join(dashed)} o'clock{mark}"


_SYMBOLS = {
    "aerobatics": "aerobatics", "zigzag": "zig-zag", "steep_dive": "steep dive", "vertical_dive": "vertical dive",
    "twitch": "defensive twitch", "radar": "radar", "bombsight": "bombsight", "camera": "camera",
    "upward": "guns aimed upwards",
}  # fmt: skip
_WORDS = {
    ("size", "large"): "large target", ("size", "very small"): "very small target",
    ("capacity", "double"): "double damage capacity", ("capacity", "fragile"): "fragile",
    ("steep_turn", "both"): "steep turn", ("steep_turn", "left"): "steep turn left",
    ("steep_turn", "right"): "steep turn right",
}  # fmt: skip


def _symbols(entry: Entry[Aircraft]) -> Iterator[doc.Block]:
    plane = entry.value
    found = [(text, field) for field, text in _SYMBOLS.items() if getattr(plane, field)]
    found += [(text, field) for (field, word), text in _WORDS.items() if getattr(plane, field) == word]
    marked = [text + dagger(entry, field) for text, field in found]
    if plane.cannon_slots:
        marked.append("c: cannon burst" + dagger(entry, *(f"cannon:{n}" for n in plane.cannon_slots)))
    if marked:
        yield doc.Text(", ".join(marked), small=True)


def _loaded(entry: Entry[Aircraft]) -> Iterator[doc.Block]:
    """What changes under load, in a heavy frame (3.7)."""
    plane = entry.value
    climb = "" if plane.loaded_climb is None else f"{plane.loaded_climb}{'•' * (plane.loaded_climb_dots or 0)}"
    turns = (
        "" if plane.loaded_agility is None else f"{ROMAN[plane.loaded_agility]}{'•' * (plane.loaded_agility_dots or 1)}"
    )
    figures = (
        ("speed", str(plane.loaded_speed or "")), ("agility", turns),
        ("ceiling", f"L{plane.loaded_ceiling}" if plane.loaded_ceiling else ""), ("climb", climb),
    )  # fmt: skip
    boxes = tuple(
        doc.Box(value + dagger(entry, f"loaded_{label}", f"loaded_{label}_dots"), label, 15, 9, heavy=True)
        for label, value in figures
        if value
    )
    if boxes:
        yield doc.Track("With load", boxes, "3.7")


# --- one aircraft


def _section(entry: Entry[Aircraft], craft: Craft) -> Iterator[doc.Block]:
    plane = entry.value
    if plane.fixed and plane.fixed_bursts:
        yield _ammunition(entry, craft)
    if plane.flexible_bursts:
        yield _row(
            f"Flexible{dagger(entry, 'flexible_bursts')}",
            plane.flexible_bursts,
            craft.flexible_spent,
            [""] * plane.flexible_bursts,
            plane.flexible_row,
        )
    if plane.throttle:
        yield doc.Track(f"Throttle{dagger(entry, 'throttle')}", tuple(_throttle(plane, craft)), "3.1")
    if plane.air_rockets:
        left = craft.rockets or plane.air_rockets
        boxes = tuple(doc.Box(str(n), used=n > left) for n in range(plane.air_rockets, 0, -1))
        yield doc.Track(f"Rockets{dagger(entry, 'air_rockets')}", boxes, "4.10")
    if plane.loads:
        yield doc.Track("Load", tuple(_load(entry, load) for load in plane.loads), "5.1")
    pilot = doc.Box(craft.pilot, "pilot", 24, 9), doc.Box(_number(craft.speed), "speed", 14, 9)
    yield doc.Track("Damage", (*(_damage(craft, damage) for damage in COLOURS), *pilot), "4.6.1")


def _load(entry: Entry[Aircraft], load: Load) -> doc.Box:
    """Where it is carried is printed for those who make scenarios (5.1)."""
    place = {"internal": "int.", "external": "ext.", "both": "int., ext."}.get(load.place, "")
    value = f"{load.power or ''}{dagger(entry, f'load:{load.kind}')}"
    return doc.Box(value, f"{load.kind} {place}".strip(), 24, 9)


def _number(value: int | None) -> str:
    return "" if value is None else str(value)


def _damage(craft: Craft, damage: str) -> doc.Box:
    hit = damage in craft.damages
    return doc.Box(damage[0].upper(), damage, 15, 9, heavy=hit, used=hit, fill=COLOURS[damage])  # type: ignore[index, arg-type]


def _ammunition(entry: Entry[Aircraft], craft: Craft) -> doc.Track:
    bursts = entry.value.fixed_bursts or 0
    slots = [_slot(entry, n) for n in range(1, bursts + 1)]
    return _row(f"Ammunition{dagger(entry, 'fixed_bursts')}", bursts, craft.fixed_spent, slots, entry.value.fixed_row)


def _slot(entry: Entry[Aircraft], burst: int) -> str:
    """Left empty where no pack gives its firepower."""
    printed, cannon = entry.value.slot(burst), "c" if burst in entry.value.cannon_slots else ""
    return f"{printed or ''}{cannon}{dagger(entry, f'fixed:{burst}') if printed else ''}"


def _row(label: str, bursts: int, spent: int, slots: Sequence[str], printed: int | None) -> doc.Track:
    """Slots with what is left on each; a long row is used again from the slot with two numbers (4.2.1)."""
    row = row_length(bursts, again=True, printed=printed or 0)
    if row < bursts and not printed:
        label = f"{label.rstrip('†')}†"
    again = second_start(bursts, row)
    at = slider(bursts, spent, row)
    boxes = []
    for slot in range(1, row + 1):
        left = bursts - slot + 1
        second = f"/{left - bursts + row}" if again and slot >= again else ""
        gone = at is None or (slot < at.slot if not at.chit else slot < (again or 0) or slot < at.slot)
        here = at is not None and at.slot == slot and spent > 0
        boxes.append(doc.Box(slots[slot - 1], f"{left}{second}", half=True, used=gone, heavy=here))
    return doc.Track(label, tuple(boxes), "4.2")


def _throttle(plane: Aircraft, craft: Craft) -> Iterator[doc.Box]:
    """The safe uses, then the slot marked "!" (3.1)."""
    for n in range(plane.throttle):
        yield doc.Box("", str(plane.throttle - n), used=n < craft.throttle)
    yield doc.Box("!", heavy=True, used=craft.throttle > plane.throttle)
