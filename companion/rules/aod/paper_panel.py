"""The control panel of a type: figures, firing directions, and a section for each aircraft (1.1.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct

from companion.packs.records import Entry, merge, read_layer
from companion.rules.aod.aircraft import Aircraft
from companion.rules.aod.craft import COLOURS, Craft
from companion.rules.aod.slider import row_length, second_start, slider
from printouts import document as doc
from printouts.figures import Plane, plan_view, rosette

ROMAN = ("", "I", "II", "III", "IV", "V")
HOURS = (12, 2, 4, 6, 8, 10)


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


def drawing(kind: str, width_mm: float) -> tuple[doc.Drawing, ...]:
    """The aircraft from above, as wide as its span is against the others; none for a type of a player's own."""
    entry = _planforms().get(kind)
    if entry is None:
        return ()
    form = entry.value
    plane = Plane(
        form.span, form.length, form.engines, sweep=form.sweep, elliptical=form.elliptical,
        twin_boom=form.twin_boom, jet=form.jet,
    )  # fmt: skip
    width = min(width_mm, width_mm * form.span / form.length)
    return (plan_view(plane, width, f"{kind} from above"),)


def blocks(entry: Entry[Aircraft], crafts: Sequence[Craft]) -> Iterator[doc.Block]:
    plane = entry.value
    facts = doc.Table((doc.Column(""), doc.Column("", "right")), tuple(_figures(entry)))
    yield doc.Heading(entry.name, right=", ".join(part for part in (plane.role, plane.nation) if part))
    yield doc.Columns((drawing(entry.name, 38), (facts,), (_rosette(plane), *_legend(plane))), (38, 46, 42), 2)
    yield from _symbols(plane)
    yield from _loaded(entry)
    for craft in crafts:
        yield doc.Panel(tuple(_section(plane, craft)), f"Aircraft {craft.key}".strip())


# --- the figures, in the order of the token (1.1.3)


def _figures(entry: Entry[Aircraft]) -> Iterator[tuple[str, str]]:
    plane = entry.value

    def row(label: str, value: str, *fields: str) -> tuple[str, str]:
        return label, value + ("†" if entry.house & set(fields) else "")

    if plane.fixed:
        star = "*" if len(set(plane.fixed_slots)) > 1 else ""
        yield row("Firepower", f"{plane.fixed}{star}", "fixed")
    yield row("Basic speed", str(plane.basic_speed), "basic_speed")
    yield row("Agility", agility(plane.agility, plane.agility_dots, plane.boxed), "agility")
    yield row("Ceiling", f"L{plane.ceiling}", "ceiling")
    front = "" if plane.frontal_durability is None else f" ({plane.frontal_durability})"
    yield row("Durability", f"{plane.durability}{front}", "durability")
    yield row("Climb, descent", f"{plane.climb}{'•' * plane.climb_dots}, {plane.descent}", "climb", "descent")
    yield row("Stall speed", str(plane.stall), "stall")
    if plane.booster:
        yield row("Booster", f"+{plane.booster}", "booster")


def agility(numeral: int, dots: int, boxed: bool = False) -> str:
    text = f"{ROMAN[numeral]}{'•' * dots}"
    return f"[{text}]" if boxed else text


def _rosette(plane: Aircraft) -> doc.Drawing:
    """Firepower above, on and below the line; fixed guns stand before the flexible ones ahead (4.4.2)."""
    return rosette(tuple(_field(plane, hour) for hour in HOURS), 40)


def _field(plane: Aircraft, hour: int) -> tuple[str, str, str]:
    above, on, below = (plane.flexible_at(hour, rise) for rise in (1, 0, -1))
    middle = str(on or "")
    if hour == 12 and plane.fixed:
        middle = f"{plane.fixed}+{on}" if on else str(plane.fixed)
    return str(above or ""), middle, str(below or "")


def _legend(plane: Aircraft) -> Iterator[doc.Block]:
    if plane.dashed or plane.fixed_dashed:
        yield doc.Text("Passive only: " + ", ".join(_passive(plane)), small=True)


def _passive(plane: Aircraft) -> Iterator[str]:
    if plane.fixed_dashed:
        yield "fixed guns"
    if len(plane.dashed) == len(HOURS):
        yield "all flexible guns"
    elif plane.dashed:
        yield f"flexible guns at {', '.join(plane.dashed)} o'clock"


def _symbols(plane: Aircraft) -> Iterator[doc.Block]:
    found = [
        text
        for text, shown in (
            ("aerobatics", plane.aerobatics), ("zig-zag", plane.zigzag), ("steep dive", plane.steep_dive),
            ("vertical dive", plane.vertical_dive),
            ("defensive twitch", plane.twitch), ("radar", plane.radar), ("bombsight", plane.bombsight),
            ("camera", plane.camera), ("large target", plane.size == "large"),
            ("very small target", plane.size == "very small"), ("double damage capacity", plane.capacity == "double"),
            ("fragile", plane.capacity == "fragile"), ("guns aimed upwards", bool(plane.upward)),
            ("c: cannon burst", bool(plane.cannon_slots)),
        )
        if shown
    ]  # fmt: skip
    if plane.steep_turn != "no":
        found.append("steep turn" if plane.steep_turn == "both" else f"steep turn {plane.steep_turn}")
    if found:
        yield doc.Text(", ".join(found), small=True)


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
    boxes = tuple(doc.Box(value, label, 15, 9, heavy=True) for label, value in figures if value)
    if boxes:
        yield doc.Track("With load", boxes, "3.7")


# --- one aircraft


def _section(plane: Aircraft, craft: Craft) -> Iterator[doc.Block]:
    if plane.fixed and plane.fixed_bursts:
        yield _ammunition(plane, craft)
    if plane.flexible_bursts:
        yield _row("Flexible", plane.flexible_bursts, craft.flexible_spent, [""] * plane.flexible_bursts)
    if plane.throttle:
        yield doc.Track("Throttle", tuple(_throttle(plane, craft)), "3.1")
    if plane.air_rockets:
        left = craft.rockets or plane.air_rockets
        boxes = tuple(doc.Box(str(n), used=n > left) for n in range(plane.air_rockets, 0, -1))
        yield doc.Track("Rockets", boxes, "4.10")
    if plane.loads:
        yield doc.Track("Load", tuple(doc.Box(str(load.power or ""), load.kind, 18, 9) for load in plane.loads), "5.1")
    pilot = doc.Box(craft.pilot, "pilot", 24, 9), doc.Box(_number(craft.speed), "speed", 14, 9)
    yield doc.Track("Damage", (*(_damage(craft, damage) for damage in COLOURS), *pilot), "4.6.1")


def _number(value: int | None) -> str:
    return "" if value is None else str(value)


def _damage(craft: Craft, damage: str) -> doc.Box:
    hit = damage in craft.damages
    return doc.Box(damage[0].upper(), damage, 15, 9, heavy=hit, used=hit, fill=COLOURS[damage])  # type: ignore[index, arg-type]


def _ammunition(plane: Aircraft, craft: Craft) -> doc.Track:
    bursts = plane.fixed_bursts or 0
    slots = [f"{plane.slot(n)}{'c' if n in plane.cannon_slots else ''}" for n in range(1, bursts + 1)]
    return _row("Ammunition", bursts, craft.fixed_spent, slots)


def _row(label: str, bursts: int, spent: int, slots: Sequence[str]) -> doc.Track:
    """Slots with what is left on each; a long row is used again from the slot with two numbers (4.2.1)."""
    row = row_length(bursts, again=True)
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
