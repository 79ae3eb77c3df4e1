"""Set-up: the roster of pilots with their licences, and how a game hands it back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from companion.rules.fastplay.aircraft import aircraft, plays, points
from companion.rules.fastplay.mat import FACINGS, Mat
from companion.rules.fastplay.state import Pilot, State
from companion.rules.fastplay.switches import setting
from companion.umpire import Change, Context, Formation, Pick, UsageError

MOST_PILOTS = 40

_NAME = re.compile(r"[^\W_][\w .,'’&()#/-]{0,23}")
_KEY = re.compile(r"(?!host$)[a-z0-9][a-z0-9-]{0,23}")
"""A seat's key; `host` is the host's."""


class Enrolled(msgspec.Struct, frozen=True):
    """One pilot of a roster. Without a hex the plane enters in the first turn, as one that returns does."""

    name: str
    side: str
    aircraft: str = "Me-109"
    key: str = ""
    victories: Annotated[int, Meta(ge=0, le=999)] = 0
    licence: Annotated[int, Meta(ge=1, le=999)] = 1
    hex: str = ""
    facing: str = "E"


class Setup(msgspec.Struct, frozen=True):
    pilots: Annotated[tuple[Enrolled, ...], Meta(min_length=2, max_length=MOST_PILOTS)]
    mat: Mat = Mat()


def start(setup: Mapping[str, Any], context: Context) -> State:
    try:
        given = msgspec.convert(dict(setup), Setup)
    except msgspec.ValidationError as error:
        raise UsageError(f"Set-up: {str(error).rstrip('.')}.") from None
    faults = _faults(given, context)
    if faults:
        raise UsageError("\n".join(faults))
    mat = given.mat if setting(context, "mat") else None
    pilots = tuple(_pilot(e, key, mat, context) for e, key in zip(given.pilots, _keys(given.pilots), strict=True))
    return State(pilots, mat, setting(context, "cards"), setting(context, "credit") == "card")


def _keys(pilots: Sequence[Enrolled]) -> list[str]:
    """The given keys; where one is missing, one made of the name."""
    return [p.key or _spelt(p.name, f"pilot-{n}") for n, p in enumerate(pilots, 1)]


def _spelt(name: str, otherwise: str) -> str:
    key = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return key if _KEY.fullmatch(key) else otherwise


def _pilot(given: Enrolled, key: str, mat: Mat | None, context: Context) -> Pilot:
    flies = mat is None or bool(given.hex)
    return Pilot(
        key,
        given.name,
        given.side,
        given.aircraft,
        points(context, given.aircraft),
        plays(context, given.aircraft),
        given.victories,
        given.licence,
        out="" if flies else "not in yet",
        entered=1 if flies else 0,
        at=mat.name(mat.hex(given.hex)) if mat and flies else "",
        facing=given.facing if mat and flies else "",
    )


def _faults(setup: Setup, context: Context) -> list[str]:
    """Everything that is wrong with a set-up, a sentence each."""
    keys = _keys(setup.pilots)
    faults = [
        f"Two pilots have the key {key!r}; give each its own." for key in sorted(set(keys)) if keys.count(key) > 1
    ]
    faults += [
        f"{key[:30]!r} is no key; use up to 24 small letters, digits and -." for key in keys if not _KEY.fullmatch(key)
    ]
    for enrolled in setup.pilots:
        faults += _pilot_faults(enrolled, setup.mat)
    if len({e.side for e in setup.pilots}) < 2:
        faults.append("There is one side only; put the pilots on two.")
    if setting(context, "cards") == "table" and setting(context, "mat"):
        faults.append("To keep the hexes Companion needs the cards; set cards to phones or kiosk, or turn mat off.")
    return faults


def _pilot_faults(enrolled: Enrolled, mat: Mat) -> list[str]:
    names = {"pilot": enrolled.name, "side": enrolled.side}
    faults = [
        f"{text[:30]!r} is no name for a {what}; use up to 24 letters, digits and the usual signs."
        for what, text in names.items()
        if not _NAME.fullmatch(text)
    ]
    if enrolled.facing not in FACINGS:
        faults.append(f"{enrolled.facing[:20]!r} is no facing; there are {', '.join(FACINGS)}.")
    for check in (lambda: aircraft(enrolled.aircraft), lambda: mat.hex(enrolled.hex) if enrolled.hex else None):
        try:
            check()
        except UsageError as error:
            faults.append(f"{enrolled.name[:24]}: {error}")
    return faults


def roster(state: State) -> list[dict[str, Any]]:
    """The licences after a game, as the pilots of the next set-up."""
    return [
        {
            "name": p.name,
            "side": p.side,
            "aircraft": p.aircraft,
            "key": p.key,
            "victories": p.victories,
            "licence": p.licence,
        }
        for p in state.pilots
    ]


def muster(setup: Mapping[str, Any], licences: Sequence[Mapping[str, Any]], names: Sequence[str]) -> dict[str, Any]:
    """A set-up once more, its pilots with the names and licences that they have now; who has none gets a first one."""
    known = {licence["name"]: licence for licence in licences}
    called = [pilot | {"name": name} for pilot, name in zip(setup.get("pilots", ()), names, strict=True)]
    return {**setup, "pilots": [_renewed(pilot, known.get(pilot["name"], _FIRST)) for pilot in called]}


def nickname(pilot: Pilot, name: str, licence: Mapping[str, Any] | None) -> Change:
    """Whoever has scored at this table already keeps that."""
    fresh = (pilot.victories, pilot.licence) == (_FIRST["victories"], _FIRST["licence"])
    more = {key: licence[key] for key in _FIRST} if licence and fresh else {}
    return Change("set", pilot.key, {"name": name, **more}, text=f"is called {name}", rule="Choose Cards")


_FIRST: Mapping[str, int] = {"victories": 0, "licence": 1}


def _renewed(pilot: Mapping[str, Any], licence: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in pilot.items() if key not in _FIRST}
    return kept | {key: licence[key] for key, first in _FIRST.items() if licence[key] != first}


def demo() -> dict[str, Any]:
    """Two against two on a mat, one of them a victory short of an ace."""
    return {
        "mat": {"columns": 24, "rows": 18},
        "pilots": [
            {"key": "anna", "name": "Anna", "side": "Allies", "aircraft": "Spitfire", "victories": 4, "hex": "A9"},
            {"key": "ben", "name": "Ben", "side": "Allies", "aircraft": "Lightning", "hex": "A13"},
            {"key": "chris", "name": "Chris", "side": "Axis", "aircraft": "Me-109", "hex": "X9", "facing": "W"},
            {"key": "dora", "name": "Dora", "side": "Axis", "aircraft": "Zero", "hex": "X11", "facing": "W"},
        ],
    }


def compose(picks: Sequence[Pick]) -> dict[str, Any]:
    """A pilot for each pick, called after the side; all enter in the first turn."""
    sides = ("Axis", "Allies")
    pilots = []
    for side, name in enumerate(sides):
        units = [pick.unit for pick in picks if pick.side == side]
        pilots += [
            {"name": f"{name} {n}", "side": name, "aircraft": unit, "facing": "WE"[side]}
            for n, unit in enumerate(units, 1)
        ]
    return {"pilots": pilots}


def opposite(given: dict[str, Any]) -> dict[str, Any]:
    """Each side spread along an edge of its own, noses to the middle; more pilots than rows enter in the first turn."""
    mat = Mat()
    edges = {"Axis": ("A", "E"), "Allies": (mat.name(mat.edges()[mat.columns - 1])[:-1], "W")}
    sides = {name: [p for p in given["pilots"] if p["side"] == name] for name in edges}
    rows = {name: _rows(len(pilots), mat) for name, pilots in sides.items()}
    placed = []
    for pilot in given["pilots"]:
        column, facing = edges[pilot["side"]]
        row = next(rows[pilot["side"]], None)
        placed.append({**pilot, "hex": f"{column}{row}", "facing": facing} if row else pilot)
    return {**given, "pilots": placed}


def _rows(count: int, mat: Mat) -> Iterator[int]:
    """Odd rows, whose first and last hexes are whole, evenly about the middle."""
    odd = range(1, mat.rows + 1, 2)
    first = max((len(odd) - count) // 2, 0)
    return iter(odd[first : first + count])


FORMATIONS = {
    "opposite": Formation(
        "opposite", "On opposite edges", "Each side on an edge of its own, noses to the middle.",
        "Returning to Combat", opposite, house=True,
    )
}  # fmt: skip
