"""What Rise of the Luftwaffe prints: cards, counters, the dogfight log, the victory sheet, the charts."""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.rotl.aircraft import SIDES, Side, Type, find, house_types
from companion.rules.rotl.cards import deck_of
from companion.rules.rotl.lookup import charts, response_matrix
from companion.rules.rotl.pieces import (
    DAGGER,
    FOOT,
    HOUSE,
    action_card,
    counters,
    leader_card,
    pilot_counter,
    pilot_from,
    wingman_card,
)
from companion.rules.rotl.pilots import SKILLS, Pilot
from companion.rules.rotl.state import GAME_TURNS, Dogfight, Element, Plane
from companion.rules.rotl.victory import grade, points_for, victory_points
from companion.umpire import Chart, Paper, Row
from printouts import document as doc


def _sheet(title: str, pieces: tuple[doc.Card | doc.Chit, ...]) -> doc.Document:
    return doc.Document(title, (doc.Sheet(pieces, bleed_mm=0.0),), "page", footer=FOOT)


# --- pieces ------------------------------------------------------------------------------------------


def aircraft_cards(state: Dogfight | None, seat: str = "", *, aircraft: str = "") -> doc.Document:
    """Leader and wingman cards: of one type, of a table's elements, or of all types."""
    found = []
    for kind in _kinds(state, seat, aircraft):
        found.append(leader_card(kind))
        if not kind.rocket:
            found.append(wingman_card(kind))
    return _sheet("Aircraft cards", tuple(found))


def _kinds(state: Dogfight | None, seat: str, name: str) -> list[Type]:
    if name:
        return [find(name, state.types if state else {})]
    if state:
        return [state.type_of(e) for e in state.elements if seat in ("", e.seat)]
    return list(house_types().values())


def action_cards(state: Dogfight | None, seat: str = "") -> doc.Document:
    """The whole deck, each card as often as it is there."""
    own = state.deck if state else {}
    cards = [action_card(card) for card in deck_of(own).values() for _ in range(card.copies)]
    return _sheet("Action cards", tuple(cards))


def counter_sheet(state: Dogfight | None, seat: str = "") -> doc.Document:
    return _sheet("Counters", counters(len(state.elements) if state else 6))


def pilot_counters(
    state: Dogfight | None, seat: str = "", *, name: str = "", nation: str = "", skills: str = "", aircraft: str = ""
) -> doc.Document:
    """A pilot by name and letters, or those of a table."""
    if state and not (name or skills):
        found = [Pilot(e.pilot, "", e.type, e.skills) for e in state.elements if e.skills or e.pilot]
    else:
        found = [pilot_from(name, nation, skills, aircraft)]
    letters = doc.Table((doc.Column("Letter"), doc.Column("Skill")), tuple(SKILLS.items()))
    sheet = doc.Sheet(tuple(map(pilot_counter, found)), backs=False)
    return doc.Document("Pilot counters", (sheet, letters) if found else (letters,), "page", footer=FOOT)


# --- the log -----------------------------------------------------------------------------------------


def dogfight_log(state: Dogfight | None, seat: str = "") -> doc.Document:
    """One panel for each element: what a pencil needs for six game-turns, filled in as far as it is known."""
    elements = [e for e in state.elements if seat in ("", e.seat)] if state else [None] * 6
    panels: list[doc.Block] = [doc.Heading("Dogfight log", right="Rise of the Luftwaffe")]
    panels += [doc.Keep((_log_panel(state, e),)) for e in elements]
    return doc.Document("Dogfight log", tuple(panels), "page", footer=FOOT)


LOG = (
    ("Turn", 12.0),
    ("Level", 22.0),
    ("Position to", 36.0),
    ("Cards", 14.0),
    ("Bursts", 15.0),
    ("Attack, result", 76.0),
)


def _log_panel(state: Dogfight | None, e: Element | None) -> doc.Panel:
    title = f"{e.key} {e.type} · {e.side}" if e else "Element ______  Type __________  Side ________"
    columns = tuple(doc.Column(title, mm=mm) for title, mm in LOG)
    rows = tuple(_log_row(state, e, n) for n in range(1, GAME_TURNS + 1))
    blocks: list[doc.Block] = [doc.Table(columns, rows, row_mm=7.0)]
    for plane in e.planes if e else (None, None):
        down = state.capacity(e, plane) if state and e and plane else (0, 10)
        hits = plane.hits if plane else 0
        boxes = tuple(_hit_box(n, down, hits) for n in range(1, down[1] + 1))
        blocks.append(doc.Track(f"Hits {plane.key}" if plane else "Hits", boxes))
    return doc.Panel(tuple(blocks), title)


def _hit_box(number: int, down: tuple[int, int], hits: int) -> doc.Box:
    return doc.Box(str(number), heavy=number in down, used=number <= hits, width_mm=7, height_mm=7)


def _log_row(state: Dogfight | None, e: Element | None, turn: int) -> tuple[str, ...]:
    if not (state and e and turn == state.game_turn):
        return (str(turn), "", "", "", "", "")
    engaged = state.engaged_with(e.key)
    position = f"{state.position(e.key, engaged)} {engaged}" if engaged else "Neutral"
    return (str(turn), e.altitude, position, str(len(e.hand)), str(state.rating(e, "burst")), "")


# --- victory -----------------------------------------------------------------------------------------


def victory_sheet(state: Dogfight | None, seat: str = "") -> doc.Document:
    """Points of each aircraft, the difference, and the table; before a game with room for a pencil."""
    blocks: list[doc.Block] = [doc.Heading("Victory", right="Rise of the Luftwaffe")]
    if state:
        blocks += _scored(state)
    else:
        blocks.append(_blank_score())
    blocks += [_table(charts()["victory"]), doc.Text(charts()["victory"].note, small=True)]
    return doc.Document("Victory sheet", tuple(blocks), "page", footer=FOOT)


def _scored(state: Dogfight) -> Iterator[doc.Block]:
    rows = tuple(_fate(state, e, plane) for e in state.elements for plane in e.planes)
    yield doc.Table(tuple(doc.Column(title) for title in ("Element", "Aircraft", "Fate", "Hits", "VP")), rows)
    points = {side: victory_points(state, side) for side in SIDES}
    difference = points["Axis"] - points["Allies"]
    lines = [doc.Line(f"{side}, as a bonus", str(extra)) for side, extra in state.bonus.items() if extra]
    lines += [doc.Line(f"{side} in all", str(points[side])) for side in SIDES]
    result = grade(difference, state.aircraft) or "not graded"
    lines += [
        doc.Line("Axis less Allies", f"{difference:+d}" if difference else "0", role="total"),
        doc.Line(result, role="result"),
    ]
    yield doc.Sum(tuple(lines), f"{state.aircraft} aircraft at the start")


def _fate(state: Dogfight, e: Element, plane: Plane) -> tuple[str, ...]:
    """An aircraft, what became of it, and what that is worth to the enemy."""
    fate = plane.fate + (", damaged" if plane.damaged and plane.flying else "")
    points = points_for(plane, powered=state.type_of(e).powered)
    return f"{e.key} {e.type}", plane.key, fate, str(plane.hits), f"{points} {_other(e.side)}" if points else ""


def _other(side: Side) -> str:
    return SIDES[1 - SIDES.index(side)]


def _blank_score() -> doc.Block:
    columns = (("Aircraft", 62.0), ("Destroyed 5", 28.0), ("Damaged or disengaged 2", 48.0), ("Jet, rocket x2", 30.0))
    titles = (*(doc.Column(title, mm=mm) for title, mm in columns), doc.Column("VP", mm=14.0))
    return doc.Table(titles, (("",) * 5,) * 15, row_mm=9.0)


def _table(chart: Chart) -> doc.Table:
    columns = (doc.Column(""), *(doc.Column(c) for c in chart.columns))
    rows = tuple(_row(chart, r) for r in chart.rows)
    return doc.Table(columns, rows, f"{chart.title} [{chart.rule}]")


def _row(chart: Chart, row: Row) -> tuple[str, ...]:
    return (row.key, *(_cell(chart, row.key, c, v) for c, v in zip(chart.columns, row.cells, strict=True)))


def _cell(chart: Chart, row: str, column: str, value: object) -> str:
    return f"{value}{DAGGER}" if (row, column) in chart.house and value != "-" else str(value)


AIDS = (("follow", "horsepower"), ("disengagement", "disengagement_shifts", "wingman"))
"""Charts of the play aid in two columns, below the matrix of responses and the table of positions."""


def play_aid(state: Dogfight | None, seat: str = "") -> doc.Document:
    """The charts of play on one page, and which card answers which."""
    responses = response_matrix(deck_of(state.deck if state else {}))
    tables = {key: _table(charts()[key]) for column in AIDS for key in column}
    left, right = (tuple(tables[key] for key in column) for column in AIDS)
    marked = (doc.Text(HOUSE, small=True),) if responses.house else ()
    note = doc.Text(charts()["horsepower"].note, small=True)
    blocks: list[doc.Block] = [
        doc.Heading("Play aid", right="Rise of the Luftwaffe"),
        _table(charts()["steps"]),
        doc.Columns(((_table(responses), *marked, *left, note), right)),
    ]
    return doc.Document("Play aid", tuple(blocks), "page", footer=FOOT)


PAPERS: tuple[Paper, ...] = (
    Paper("aircraft", "Leader and wingman cards", aircraft_cards, ("aircraft",)),
    Paper("cards", "Action cards", action_cards),
    Paper("counters", "Counters", counter_sheet),
    Paper("pilots", "Pilot counters", pilot_counters, ("name", "nation", "skills", "aircraft")),
    Paper("log", "Dogfight log", dogfight_log),
    Paper("victory", "Victory sheet", victory_sheet),
    Paper("aid", "Play aid", play_aid),
)
