"""Pieces to cut out: leader and wingman cards, action cards, counters."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from companion.rules.rotl.aircraft import ALTITUDES, SIDES, Type
from companion.rules.rotl.cards import Card
from companion.rules.rotl.pilots import SKILLS, Pilot
from companion.rules.rotl.state import GAME_TURNS
from companion.umpire import UsageError
from printouts import document as doc
from printouts.figures import Plane, plan_view

DAGGER = "†"
FOOT = "Down in Flames: Rise of the Luftwaffe"
HOUSE = f"{DAGGER} house value: the rulebook does not print it"
INK: dict[str, doc.Ink] = {"red": "red", "blue": "blue", "white": "none"}


# --- aircraft cards ----------------------------------------------------------------------------------


def leader_card(kind: Type) -> doc.Card:
    """The undamaged side in front, the damaged side behind."""
    return doc.Card(_leader_side(kind, 0), _leader_side(kind, 1))


def _leader_side(kind: Type, side: int) -> tuple[doc.Block, ...]:
    rows = [(name, value) for name, value in _leader_rows(kind, side) if value]
    return (
        doc.Heading(kind.name, 2, right="LEADER"),
        _line(kind, side),
        _silhouette(kind, 30),
        doc.Table(COLUMNS, tuple(rows)),
        doc.Text(" · ".join(_marks(kind)) or " ", small=True),
        *_house_foot(rows),
    )


COLUMNS = (doc.Column(mm=37.0), doc.Column(align="right", mm=18.0))


def _line(kind: Type, side: int) -> doc.Text:
    """Who flies it, and which side of the card this is."""
    words = [kind.side, kind.nation, *(["DAMAGED"] if side else [])]
    return doc.Text(" · ".join(word for word in words if word), small=True)


def _leader_rows(kind: Type, side: int) -> Iterator[tuple[str, str]]:
    mark = "T" if kind.turbocharged else "R" if kind.rocket else ""
    heavy = f"+{kind.heavy[side]}" if kind.heavy[side] else ""
    yield "Performance", _value(kind, side, "performance", str(kind.performance[side]))
    yield "Horsepower", _value(kind, side, "horsepower", f"{kind.horsepower[side]}{mark}")
    yield "Bursts", _value(kind, side, "burst", f"{kind.burst[side]}{heavy}")
    yield "Gunner's bursts", _value(kind, side, "gunner", str(kind.gunner[side])) if kind.gunner else ""
    yield ("Shot down at" if side else "Damaged at"), _value(kind, side, "capacity", f"{kind.capacity[side]} hits")
    jet = f"{kind.speed[side]} / {kind.thrust[side]}" if any(kind.speed) else ""
    yield "Speed / thrust", _value(kind, side, "speed", jet) if jet else ""
    yield "Highest level", kind.ceiling if kind.ceiling != "Very High" else ""
    yield "In service since", _value(kind, 0, "year", str(kind.year)) if kind.year > OLDEST else ""
    yield "Points / alone", " / ".join("-" if v is None else str(v) for v in kind.value) if any(kind.value) else ""


OLDEST = 1900
"""The year of a type whose card nobody has read."""


def wingman_card(kind: Type) -> doc.Card:
    return doc.Card(_wingman_side(kind, 0), _wingman_side(kind, 1))


def _wingman_side(kind: Type, side: int) -> tuple[doc.Block, ...]:
    heavy = f"+{kind.wing_heavy[side]}" if kind.wing_heavy[side] else ""
    field, capacity = ("wing_capacity", kind.wing_capacity) if kind.wing_capacity else ("capacity", kind.capacity)
    rows = [
        ("Offensive", _value(kind, side, "offence", f"{kind.offence[side]}{heavy}")),
        ("Defensive", _value(kind, side, "defence", str(kind.defence[side]))),
        ("Shot down at" if side else "Damaged at", _value(kind, side, field, f"{capacity[side]} hits")),
    ]
    return (
        doc.Heading(kind.name, 2, right="WINGMAN"),
        _line(kind, side),
        _silhouette(kind, 24),
        doc.Table(COLUMNS, tuple(rows)),
        *_house_foot(rows),
    )


def _value(kind: Type, side: int, field: str, text: str) -> str:
    return text + (DAGGER if kind.is_house(field, damaged=bool(side)) else "")


def _house_foot(rows: list[tuple[str, str]]) -> tuple[doc.Block, ...]:
    return (doc.Text(HOUSE, small=True),) if any(DAGGER in value for _, value in rows) else ()


def _marks(kind: Type) -> Iterator[str]:
    if kind.agile:
        yield "agile"
    if kind.small:
        yield "small target"
    if kind.methanol:
        yield "1 Full Throttle counter"
    if kind.ta152:
        yield "one card as Full Throttle at Very High"


def _silhouette(kind: Type, width_mm: float) -> doc.Drawing:
    plane = Plane(kind.span, kind.length, kind.engines, jet=kind.jet or kind.rocket)
    drawn = plan_view(plane, min(width_mm, width_mm * kind.span / kind.length), f"{kind.name} from above")
    return dataclasses.replace(drawn, align="centre")


# --- action cards ------------------------------------------------------------------------------------

WIDE, HIGH, BAR = 55.0, 79.5, 11.0
"""Of the field inside a card's frame, and of the bar at its left edge, which a hand held as a fan shows."""


def action_card(card: Card) -> doc.Card:
    """The name up the left edge in the colour of its kind; what it does, what it answers, how it disengages."""
    return doc.Card((_action_side(card),), _back())


def _action_side(card: Card) -> doc.Drawing:
    role = {"red": "attack", "blue": "response", "white": "attack or response"}[card.colour]
    middle = (BAR + WIDE) / 2 + 1
    wide = WIDE - BAR - 3
    shapes: list[doc.Shape] = [
        doc.rectangle(0, 0, BAR, HIGH, fill=INK[card.colour]),
        doc.Label(BAR / 2 + 2, 3, card.title, 6, "end", bold=True, angle=-90, fit_mm=HIGH - 6),
        doc.Label(middle, 5, role, 4, fit_mm=wide),
        *_effect(card, middle, wide),
        *_answers(card, wide),
        doc.Label(BAR + 3, HIGH - 6, f"Disengaging: level {card.level}", 3.2, "start", fit_mm=wide),
    ]
    if _marked(card):
        shapes.append(doc.Label(BAR + 3, HIGH - 1.5, HOUSE, 2.4, "start", fit_mm=wide))
    return doc.Drawing(WIDE, HIGH, tuple(shapes), " ".join(_words(card, role)))


def _effect(card: Card, middle: float, wide: float) -> Iterator[doc.Shape]:
    if card.bursts:
        cost, damage = (DAGGER if field in card.house else "" for field in ("bursts", "hits"))
        yield doc.Label(middle, 24, f"{card.bursts}B{cost} / {card.hits}{damage}", 15, bold=True, fit_mm=wide)
        yield doc.Label(middle, 31, f"bursts / {'hit' if card.hits == 1 else 'hits'}", 4, fit_mm=wide)
    else:
        yield doc.Label(middle, 24, card.kind, 17, bold=True, fit_mm=wide)
        yield doc.Label(middle, 31, ATTACKS.get(card.kind, ""), 4, fit_mm=wide)


def _answers(card: Card, wide: float) -> Iterator[doc.Shape]:
    """Two to a line, large enough to be found while somebody waits."""
    mark = DAGGER if any(field.startswith("answers") for field in card.house) else ""
    met = ["any card" if name == "*" else name for name in card.answers]
    yield doc.Label(BAR + 3, 41, f"Answers{mark}" if met else f"Answers nothing{mark}", 4, "start", fit_mm=wide)
    for line, n in enumerate(range(0, len(met), 2)):
        yield doc.Label(BAR + 3, 47.5 + 6 * line, ", ".join(met[n : n + 2]), 5, "start", bold=True, fit_mm=wide)


def _marked(card: Card) -> bool:
    return any(field != "copies" for field in card.house)


def _words(card: Card, role: str) -> Iterator[str]:
    """The card in words, for paper that takes no drawing."""
    cost, damage = (DAGGER if field in card.house else "" for field in ("bursts", "hits"))
    answers = DAGGER if any(field.startswith("answers") for field in card.house) else ""
    yield f"{card.title}: {role}."
    if card.bursts:
        yield f"{card.bursts}B{cost} / {card.hits}{damage}."
    yield f"Answers {', '.join(card.answers).replace('*', 'any card') or 'nothing'}{answers}."
    yield f"Disengaging: level {card.level}."


ATTACKS = {
    "MAN": "one position",
    "HAL": "two positions",
    "SCI": "Disadvantaged to Advantaged",
    "FUT": "one position when behind",
    "VER": "one level",
}


def _back() -> tuple[doc.Block, ...]:
    rings: list[doc.Shape] = [doc.Circle(WIDE / 2, HIGH / 2, r, 0.4, ink="grey") for r in (25, 21)]
    name = doc.Label(WIDE / 2, HIGH / 2 + 2.5, "ACTION", 8, bold=True, fit_mm=36)
    game = doc.Label(WIDE / 2, HIGH - 2, "Rise of the Luftwaffe", 3.2)
    return (doc.Drawing(WIDE, HIGH, (*rings, name, game), "back of an action card"),)


# --- counters ----------------------------------------------------------------------------------------

SIZE = 16.0


def counters(elements: int = 6) -> tuple[doc.Chit, ...]:
    """Altitude (Medium has none), hits, Full Throttle, turn, order, initiative, agile and ace."""
    levels = [level for level in ALTITUDES if level != "Medium"]
    return (
        *(_chit(_initials(level), "altitude", fill="light") for level in levels for _ in range(elements)),
        *(_chit(str(n), "hits", _face(str(n + 4), "hits", "red"), fill="red") for n in (1, 2, 3, 4) for _ in range(6)),
        *(_chit("FUT", "counter", fill="yellow") for _ in range(12)),
        *(_chit(str(n), "game-turn") for n in range(1, GAME_TURNS + 1)),
        *(_chit(str(n), "order", fill="green") for n in range(1, elements + 1)),
        _chit(SIDES[0], "initiative", _face(SIDES[1], "initiative", "blue"), fill="grey"),
        *(_chit("AGILE", "", _face("used", "agile")) for _ in range(4)),
        *(_chit("ACE", "ability", fill="yellow") for _ in range(4)),
    )


def _initials(level: str) -> str:
    return "".join(word[0] for word in level.split())


def _face(text: str, small: str, fill: doc.Ink = "none") -> doc.Face:
    return doc.Face(text, small, fill=fill)


def _chit(text: str, small: str, back: doc.Face | None = None, fill: doc.Ink = "none") -> doc.Chit:
    front = _face(text, small, fill)
    return doc.Chit(front, back or front, SIZE, SIZE)


def pilot_counter(pilot: Pilot) -> doc.Chit:
    """A pilot's letters, name, nation and aircraft."""
    small = " · ".join(p for p in (pilot.name, pilot.nation, pilot.type) if p)
    return doc.Chit(doc.Face(" ".join(pilot.skills) or "-", small), None, 25.0, 25.0)


def pilot_from(name: str = "", nation: str = "", skills: str = "", aircraft: str = "") -> Pilot:
    """A pilot from the fields of a form; letters are parted by spaces or commas."""
    letters = skills.upper().replace(",", " ").split()
    for letter in letters:
        if letter not in SKILLS:
            raise UsageError(f"{letter[:10]!r} is not a pilot's skill; they are {', '.join(SKILLS)}.")
    known = tuple(skill for skill in SKILLS if skill in letters)
    return Pilot(name[:40], nation[:40], aircraft[:40], known)
