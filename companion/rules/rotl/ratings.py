"""Figures of the rulebook as small functions: positions, bursts, altitude, hands. Charts give the numbers."""

from __future__ import annotations

from typing import Literal, TypeAlias

from companion.rules.rotl.aircraft import ALTITUDES, Altitude, Type, charts
from companion.rules.rotl.refusals import refuse
from companion.umpire import Barred

Position: TypeAlias = Literal["Tailed", "Disadvantaged", "Neutral", "Advantaged", "Tailing"]
POSITIONS: tuple[Position, ...] = ("Tailed", "Disadvantaged", "Neutral", "Advantaged", "Tailing")


def mirror(position: Position) -> Position:
    """The same relation as the other leader sees it."""
    return POSITIONS[4 - POSITIONS.index(position)]


def behind(position: Position) -> bool:
    """Disadvantaged or Tailed."""
    return POSITIONS.index(position) < 2


def ahead(position: Position) -> bool:
    """Advantaged or Tailing."""
    return POSITIONS.index(position) > 2


def step(kind: str, position: Position) -> Position | None:
    """Where a card takes the leader, or None where it has no effect."""
    found = str(charts()["steps"].at(position, kind))
    return next((p for p in POSITIONS if p == found), None)


def no_step(kind: str, position: Position, *, lone: bool = False) -> Barred:
    """Why a card has no effect from here."""
    if kind == "SCI" and lone:
        return refuse("LONE_LEADER_SCI_ONLY_WHEN_ADVANTAGED")
    return refuse(_NO_STEP[kind], position=position)


_NO_STEP = {
    "SCI": "SCI_ONLY_WHEN_DISADVANTAGED",
    "FUT": "FUT_ONLY_WHEN_DISADVANTAGED_OR_TAILED",
    "HAL": "HAL_NEEDS_TWO_STEPS",
    "MAN": "MAN_ALREADY_TAILING",
}


def burst_limit(rating: int, position: Position, *, small: bool = False) -> int | None:
    """Bursts for a player-turn from a position, the small target counted; None: no bursts at all from there."""
    cell = str(charts()["steps"].at(position, "bursts"))
    return None if cell == "none" else max(0, rating + int(cell.removeprefix("rating") or 0) - small)


def wingman_bursts(rating: int, extra: int, *, small: bool = False) -> int:
    """Bursts of a leader against a wingman: each manoeuvre adds 1, each half loop 2, without limit."""
    return max(0, rating + extra - small)


def horsepower(rating: int, altitude: Altitude, kind: Type, *, summary: bool = False) -> int:
    """Cards that may be drawn. `summary`: as the summary page has turbochargers, 0 at Very High."""
    if summary and kind.turbocharged and not kind.rocket and altitude == "Very High":
        return rating
    column = "rocket" if kind.rocket else "turbo" if kind.turbocharged else "piston"
    return max(0, rating + int(charts()["horsepower"].at(altitude, column)))


def mini_hand(rating: int, altitude: Altitude, kind: Type, use: Literal["offence", "defence"]) -> int:
    """Cards of a wingman's mini-hand."""
    column = f"turbo {use}" if kind.turbocharged else use
    return max(0, rating + int(charts()["wingman"].at(altitude, column)))


def follow_cost(position: Position, *, climb: bool, ver: bool) -> tuple[int, int]:
    """Cards that the follower (Advantaged or Tailing) discards and then draws."""
    row = f"{position}, {'climb' if climb else 'dive'}{' by VER' if ver else ''}"
    chart = charts()["follow"]
    return int(chart.at(row, "discard")), int(chart.at(row, "draw"))


def next_level(altitude: Altitude, *, up: bool) -> Altitude | None:
    """The adjacent level, or None beyond Very High or Very Low."""
    index = ALTITUDES.index(altitude) + (1 if up else -1)
    return ALTITUDES[index] if 0 <= index < len(ALTITUDES) else None


def level_barred(altitude: Altitude, *, up: bool, who: str, ceiling: Altitude) -> Barred | None:
    """Why the adjacent level may not be flown."""
    level = next_level(altitude, up=up)
    if level is None:
        return refuse("ALTITUDE_LIMIT", altitude=altitude)
    return above_ceiling(level, who, ceiling)


def above_ceiling(level: Altitude, who: str, ceiling: Altitude) -> Barred | None:
    """Why this level is too high for a type."""
    too_high = ALTITUDES.index(level) > ALTITUDES.index(ceiling)
    return refuse("ALTITUDE_CEILING", who=who, ceiling=ceiling) if too_high else None
