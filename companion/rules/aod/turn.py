"""What else happens in a turn: setting an aircraft down, full throttle, the search at night, the end of the turn."""

from typing import Annotated

from msgspec import Meta, Struct

from companion.grid.triangular import Point, Pose, Yaw
from companion.rules.aod import figures
from companion.rules.aod.changes import after_hits
from companion.rules.aod.charts import charts
from companion.rules.aod.craft import Craft
from companion.rules.aod.dice import GREEN, WHITE
from companion.rules.aod.figures import figure, number
from companion.rules.aod.outcome import Body, damaged
from companion.rules.aod.placing import absolute, parts
from companion.umpire import (
    Barred,
    Change,
    Illegal,
    Notation,
    Number,
    Question,
    Umpire,
    UsageError,
    at_least,
    procedure,
)  # fmt: skip

# --- setting down


class Placing(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An aircraft that has ended its movement; what is None is asked for."""

    craft: Craft = Craft()
    place: Annotated[str, Meta(max_length=40)] | None = None
    """`3,-2 NE L6 up left`, or only `L6` where positions are not kept."""
    speed: Annotated[int, Meta(ge=-2, le=30)] | None = None


class Placed(Struct, frozen=True):
    changes: tuple[Change, ...]


_PITCHES = {"up": 1, "down": -1}
_ROLLS = {"left": -1, "right": 1}


def read_place(text: str) -> tuple[Pose | None, int]:
    """A pose, or None with the level alone."""
    words = text.replace("LL", "L0").split()
    level = next((int(w[1:]) for w in words if w[:1] == "L" and w[1:].isdigit()), None)
    if level is None or level > 14:
        raise UsageError(f"{text[:40]!r} does not name a level, LL or L1 to L14.")
    if len(words) == 1:
        return None, level
    return _pose(text, words, level), level


def _pose(text: str, words: list[str], level: int) -> Pose:
    try:
        q, r = (int(n) for n in words[0].split(","))
        yaw = Yaw[words[1]]
        tilt = words[3:]
        pitch = sum(_PITCHES.get(w, 0) for w in tilt)
        roll = sum(_ROLLS.get(w, 0) for w in tilt)
        if len(tilt) != abs(pitch) + abs(roll) or len(tilt) > abs(pitch * roll) + 1 or max(abs(q), abs(r)) > 500:
            raise ValueError(text)
    except (ValueError, KeyError, IndexError):
        raise UsageError(f"{text[:40]!r} is not a place; write for example '3,-2 NE L6 up left'.") from None
    return Pose(Point(q, r), yaw, level, pitch, roll)  # type: ignore[arg-type]


@procedure("aod.place", title="Set an aircraft down", rule="3", asks={"place": "where it stands", "speed": "its speed"})
def place(ump: Umpire, placing: Placing) -> Placed:
    """Where an aircraft has ended its movement and at what speed (3.1)."""
    craft = placing.craft

    def read(text: str) -> tuple[Pose | None, int]:
        return read_place(absolute(craft.pose, text))

    known = None if placing.place is None else read(placing.place)
    space = Notation(read, "3,-2 NE L6 up left", ("L4", "0,0 E L4"), parts(craft))
    text = f"Where does {craft.name} stand?"
    pose, level = ump.fact("place", space, known, text=text, rule="3.2")
    text = f"At what final speed does {craft.name} fly?"
    speed = ump.fact("speed", Number(-2, 30), placing.speed, text=text, rule="3.1")
    words = f"{craft.name} at L{level}, speed {speed}".replace("L0", "LL")
    return Placed((Change("place", craft.key, (pose, level, speed), text=words, rule="3"),))


# --- full throttle


class Throttle(Struct, frozen=True, kw_only=True, omit_defaults=True):
    craft: Craft = Craft()


class Throttled(Struct, frozen=True):
    """The green die, and whether the engine suffered."""

    speed: int
    damaged: bool = False
    destroyed: bool = False
    changes: tuple[Change, ...] = ()


_RED_FACES = (0, 1)


@procedure(
    "aod.throttle",
    title="Full throttle",
    rule="4.6.3",
    questions={"engine": Question("Whether the engine suffers", lambda t: t.damaged or t.destroyed)},
    asks={"throttle": "the green die (3.1)"},
)
def throttle(ump: Umpire, given: Throttle) -> Throttled:
    """The green die; past the safe uses a red number, 0 or +1, damages the engine (3.1, 4.6.3)."""
    craft = given.craft
    safe = number(ump, figures.THROTTLE, craft.type)
    if not safe or craft.throttle > safe:
        text = f"{craft.name} may not use full throttle" + (" any more." if safe else ".")
        raise Illegal((Barred("throttle", text, "3.1"),))
    (face,) = ump.roll("throttle", GREEN, rule="3.1", title="Full throttle")
    used = Change("throttle", craft.key, craft.throttle + 1, text=f"{craft.name} used full throttle", rule="3.1")
    if craft.throttle < safe or face.value not in _RED_FACES:
        return Throttled(face.value, changes=(used,))
    body = _overused(ump, craft)
    damaged = not body.destroyed
    return Throttled(face.value, damaged, body.destroyed, (used, *after_hits(craft, body)))


def _overused(ump: Umpire, craft: Craft) -> Body:
    """The engine is damaged, or the aircraft destroyed if it can take no more (4.6.2, 4.6.3)."""
    capacity = figures.word(ump, figures.CAPACITY, craft.type)
    ump.note("the green die shows a red number past the safe uses: engine damaged", "4.6.3")
    limit = 2 if capacity == "double" and "engine" not in craft.damages else 1
    if capacity == "fragile" or len(craft.damages) >= limit:
        return Body(capacity, craft.damages, destroyed=True)  # type: ignore[arg-type]
    return damaged(Body(capacity, craft.damages), "engine")  # type: ignore[arg-type]


# --- night


class Search(Struct, frozen=True, kw_only=True, omit_defaults=True):
    craft: Craft = Craft()


class Searched(Struct, frozen=True):
    found: bool
    changes: tuple[Change, ...] = ()


@procedure("aod.search", title="Search for a target at night", rule="7.7", asks={"search": "a die before movement"})
def search(ump: Umpire, given: Search) -> Searched:
    """Before its movement, an aircraft without radar that means to fire (7.7)."""
    craft = given.craft
    if figure(ump, figures.RADAR, craft.type):
        ump.note(f"{craft.name} has radar", "7.7")
        return Searched(True)
    chart = charts()["night_search"]
    least = next(row.low for row in chart.rows if row.cells == ("found",))
    found = ump.test("search", WHITE, (), at_least(least or 0), rule="7.7", words=("found", "not found"))
    word = "found" if found else "not found"
    change = Change("search", craft.key, word, text=f"{craft.name}: target {word}", rule="7.7")
    return Searched(found, (change,))


# --- the end of the turn


class Ending(Struct, frozen=True, kw_only=True, omit_defaults=True):
    side: Annotated[str, Meta(max_length=60)] = ""


@procedure("aod.end_turn", title="End the turn", rule="2.1")
def end_turn(ump: Umpire, ending: Ending) -> Placed:
    """The other side's turn, or the next round (2.1)."""
    return Placed((Change("turn", ending.side, text=f"{ending.side} ends its turn".strip(), rule="2.1"),))
