"""What Fast-Play WWII prints: licences, decks, paper aircraft, markers, a summary, and slips.

Before a game there is no state: then the same pages come blank, or for the aircraft that is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from companion.rules.fastplay import cards
from companion.rules.fastplay.aircraft import PLAIN_POINTS, fleet, plays, points
from companion.rules.fastplay.charts import aircraft_table, charts, manoeuvre_table
from companion.rules.fastplay.due import phase_of
from companion.rules.fastplay.paper_cards import DAGGER, deck_cards
from companion.rules.fastplay.paper_mat import mat
from companion.rules.fastplay.paper_planes import folded, net, seen_from_above
from companion.rules.fastplay.shooting import rank
from companion.rules.fastplay.state import ACE, DOUBLE_ACE, Pilot, State
from companion.rules.fastplay.switches import SWITCHES, setting
from companion.umpire import Chart, Context, Paper, Row
from printouts import document as doc

TITLE = "Fast-Play WWII"
HOUSE = "The rulebook prints no cards: their moves and copies are house values of Companion"


def pilots_of(
    state: State | None, seat: str = "", aircraft_name: str = "", copies: str = "", context: Context | None = None
) -> tuple[Pilot, ...]:
    """Whose paper is wanted: one seat's, everybody's, or before a game some nameless pilots."""
    if state and not aircraft_name:
        return tuple(p for p in state.pilots if not seat or p.key == seat) or state.pilots
    names = [aircraft_name] if aircraft_name else list(fleet())
    count = max(1, min(int(copies[:3]), 40)) if copies.isdecimal() else 1
    return tuple(_nobody(name, context or Context()) for name in names for _ in range(count))


def _nobody(craft: str, context: Context) -> Pilot:
    return Pilot("", "", "", craft, points(context, craft), plays(context, craft))


# --- licences


def licences(
    state: State | None, seat: str = "", *, aircraft: str = "", copies: str = "", context: Context | None = None
) -> doc.Document:
    found = pilots_of(state, seat, aircraft, copies, context)
    pieces = tuple(doc.Card((_licence(p),), width_mm=88.0, height_mm=63.0) for p in found)
    return doc.Document("Pilot licences", (doc.Sheet(pieces, backs=False),), "page")


def _licence(pilot: Pilot) -> doc.Drawing:
    wide, high = 80.0, 54.5
    shapes: list[doc.Shape] = [
        doc.Label(0, 4.5, "PILOT LICENCE", 5.2, "start", bold=True),
        doc.Label(wide, 4.2, f"{TITLE}   No {pilot.licence if pilot.name else '____'}", 2.8, "end"),
        doc.Path(((0, 6.5), (wide, 6.5)), width_mm=0.6),
        *_written(0, 13, "Name", pilot.name, 48),
        *_written(0, 20.5, "Side", pilot.side, 48),
        *_written(0, 28, "Aircraft", pilot.aircraft, 48),
        *_silhouette(pilot.aircraft, 52, 9, 27, 22),
        doc.Label(0, 34.3, "Hits: cross off a circle for each", 2.6, "start"),
        *_circles(pilot, 0, 39),
        doc.Label(0, 46.3, "Victories: 5 ace (one die more), 10 double ace", 2.6, "start"),
        *_victories(pilot, 0, 48),
    ]
    name = pilot.name or "no name yet"
    alt = f"licence of {name}, {pilot.aircraft}: {pilot.hits} of {pilot.points} hits, {pilot.victories} victories"
    return doc.Drawing(wide, high, tuple(shapes), alt)


def _written(x: float, y: float, label: str, value: str, wide: float) -> list[doc.Shape]:
    return [
        doc.Label(x, y, label, 2.6, "start"),
        doc.Label(x + 13, y, value, 4.2, "start", bold=True, fit_mm=wide - 13),
        doc.Path(((x + 13, y + 1), (x + wide, y + 1)), width_mm=0.2),
    ]


def _silhouette(craft: str, x: float, y: float, wide: float, high: float) -> list[doc.Shape]:
    scale = min(1.0, high / seen_from_above(craft, wide).height_mm)
    drawing = seen_from_above(craft, wide * scale)
    return _moved(drawing.shapes, x + (wide - drawing.width_mm) / 2, y)


def _moved(shapes: Sequence[doc.Shape], x: float, y: float) -> list[doc.Shape]:
    paths = [shape for shape in shapes if isinstance(shape, doc.Path)]
    return [replace(path, points=tuple((a + x, b + y) for a, b in path.points)) for path in paths]


def _circles(pilot: Pilot, x: float, y: float) -> list[doc.Shape]:
    shapes: list[doc.Shape] = []
    for n in range(pilot.points):
        middle = x + 3.2 + n * 7.4
        shapes.append(doc.Circle(middle, y, 2.9, 0.4))
        if n < pilot.hits:
            shapes += [doc.Path(((middle - 2, y - 2 * s), (middle + 2, y + 2 * s)), width_mm=0.6) for s in (1, -1)]
    return shapes


def _victories(pilot: Pilot, x: float, y: float) -> list[doc.Shape]:
    shapes: list[doc.Shape] = []
    for n in range(1, DOUBLE_ACE + 1):
        left = x + (n - 1) * 7.0 + (2.0 if n > ACE else 0.0)
        shapes.append(doc.rectangle(left, y, 6, 6, width_mm=0.9 if n in (ACE, DOUBLE_ACE) else 0.3))
        if n <= pilot.victories:
            shapes.append(doc.Path(((left + 1, y + 5), (left + 5, y + 1)), width_mm=0.6))
        else:
            shapes.append(doc.Label(left + 3, y + 4.2, str(n), 3.0, ink="grey"))
    if pilot.victories > DOUBLE_ACE:
        shapes.append(doc.Label(x + 73, y + 4.4, f"+{pilot.victories - DOUBLE_ACE}", 3.4, "start", bold=True))
    return shapes


def licence_slip(state: State, seat: str = "", *, pilot: str = "") -> doc.Document:
    """For the receipt printer, again whenever a licence changes."""
    wanted = pilot or seat
    found = [p for p in state.pilots if not wanted or p.key == wanted]
    blocks: list[doc.Block] = []
    for each in found:
        blocks += [doc.Cut()] if blocks else []
        blocks += _slip(each)
    return doc.Document("Pilot licence", tuple(blocks), footer=TITLE)


def _slip(pilot: Pilot) -> list[doc.Block]:
    hits = tuple(_box(n, pilot.hits) for n in range(1, pilot.points + 1))
    aces = (ACE, DOUBLE_ACE)
    victories = [tuple(_box(n, pilot.victories, aces) for n in range(f, f + ACE)) for f in (1, ACE + 1)]
    more = pilot.victories - DOUBLE_ACE
    return [
        doc.Heading("PILOT LICENCE", right=f"No {pilot.licence}"),
        doc.Big(pilot.name, f"{pilot.aircraft}, {pilot.side}"),
        doc.Rule(),
        doc.Pair("Victories", str(pilot.victories), bold=True),
        doc.Track("to an ace", victories[0]),
        doc.Track("to a double ace", victories[1]),
        *([doc.Text(f"and {more} more")] if more > 0 else []),
        doc.Pair("Rank", rank(pilot.victories), bold=True),
        doc.Track(f"Hits, down at {pilot.points}", hits),
    ]


def _box(number: int, crossed: int, heavy: Sequence[int] = ()) -> doc.Box:
    return doc.Box(str(number), heavy=number in heavy, used=number <= crossed, width_mm=7, height_mm=7)


def results(state: State, seat: str = "") -> doc.Document:
    """Who has what after the turns so far."""
    order = sorted(state.pilots, key=lambda p: (-p.victories, p.name))
    rows = tuple((p.name, p.side, str(p.victories), rank(p.victories)) for p in order)
    columns = (doc.Column("Pilot"), doc.Column("Side"), doc.Column("Vict.", "right"), doc.Column("Rank"))
    sides = dict.fromkeys(p.side for p in state.pilots)
    totals = tuple(
        doc.Pair(side, str(sum(p.victories for p in state.pilots if p.side == side)), True) for side in sides
    )
    blocks: tuple[doc.Block, ...] = (
        doc.Heading("RESULTS"),
        doc.Text(phase_of(state)),
        doc.Rule(),
        *totals,
        doc.Table(columns, rows),
    )
    return doc.Document("Results", blocks, footer=TITLE)


# --- decks and aircraft


def decks(state: State | None, seat: str = "", *, aircraft: str = "", context: Context | None = None) -> doc.Document:
    """A deck for every pilot, or for one aircraft, by the table's cells and switches; before a game the plain one."""
    crafts = [p.aircraft for p in pilots_of(state, seat, aircraft)] if state or aircraft else ["Me-109"]
    pieces = tuple(card for craft in crafts for card in deck_cards(craft, context))
    return doc.Document("Manoeuvre cards", (doc.Sheet(pieces, bleed_mm=0.0),), "page", footer=_house(context))


def _house(context: Context | None) -> str:
    """What the foot says of decks and moves, where not all of them are the players' own."""
    return HOUSE if cards.is_house(context or Context()) else ""


def planes(state: State | None, seat: str = "", *, aircraft: str = "", copies: str = "") -> doc.Document:
    steps = (
        "1. Cut along the lines, also between nose and tail.",
        "2. Fold along the dashes: the wings stay flat, the middle goes down and becomes a stand.",
        "3. Tape the two halves together along the top.",
    )
    how = tuple(doc.Text(step, small=True) for step in steps)
    head = doc.Heading("Paper aircraft, 1:144"), doc.Columns((how, (folded(),)), (1.2, 1.0))
    nets = [doc.Keep((doc.Space(4), net(p.aircraft, p.name))) for p in pilots_of(state, seat, aircraft, copies)]
    return doc.Document("Paper aircraft", (*head, *nets), "page")


def markers(state: State | None = None, seat: str = "") -> doc.Document:
    """Hits, duels and what else lies beside a plane."""
    pieces = [
        doc.Chit(doc.Face(str(n), small="hits", fill="red" if n >= 4 else "yellow"), width_mm=18, height_mm=18)
        for n in range(1, 8)
        for _ in range(4)
    ]
    duels = [doc.Chit(doc.Face(letter, small="duel", heavy=True), width_mm=18, height_mm=18) for letter in "AABBCC"]
    words = {"LEAVE": "duel won", "ACE": "one die more", "FIRED": "this card", "ENTRY": "next turn"}
    others = [
        doc.Chit(doc.Face(text, small=small), width_mm=18, height_mm=18)
        for text, small in words.items()
        for _ in range(4)
    ]
    return doc.Document("Markers", (doc.Sheet((*pieces, *duels, *others), backs=False),), "page")


# --- one page with the rules in short


def summary(state: State | None = None, seat: str = "", *, context: Context | None = None) -> doc.Document:
    """The rules as this table plays them; a column of the aircraft data table that it leaves out is left out."""
    at = context or Context()
    rules = doc.Columns(
        ((doc.Panel(_lines(*_turn(at)), "A turn"),), (doc.Panel(_lines(*_also(at)), "Also"),)),
    )
    small = doc.Columns(tuple((_table(charts()[key]),) for key in ("dice", "crash", "aces")))
    moves = manoeuvre_table(at)
    planes = aircraft_table(at)
    beside: tuple[doc.Block, ...] = (
        _table(moves),
        doc.Text(moves.note, small=True),
        *(doc.Text(text, small=True) for text in _changed(at)),
    )
    large = doc.Columns(((_table(planes),), beside), (1.75, 1.0)) if planes.columns else doc.Columns((beside,))
    blocks = (doc.Heading(f"{TITLE}: summary"), rules, small, large)
    return doc.Document("Summary", blocks, "page", footer=_house(context))


def _lines(*texts: str) -> tuple[doc.Block, ...]:
    return tuple(block for text in texts for block in (doc.Text(text), doc.Space(0.8)))


def _turn(at: Context) -> Iterator[str]:
    four = " (a Zero four)" if setting(at, "special_cases") else ""
    guns = "A die hits on 4 to 6" + (" unless the table says otherwise." if setting(at, "firepower") else ".")
    yield f"1. All lay three cards face down in the order of play{four}."
    yield "2. All turn up the first card and move together."
    yield (
        "3. Shoot at the nearest enemy straight ahead, 1 to 5 hexes. Friends in between do not matter; planes in your "
        f"own hex cannot be shot at. {guns} All hits count at once."
    )
    yield "4. The same with the second and the third card. Then take all cards back."


def _also(at: Context) -> Iterator[str]:
    down = "the plane's points" if setting(at, "damage_points") else f"{PLAIN_POINTS} hits"
    when = "with this card" if setting(at, "credit") == "card" else "in the turn"
    yield (f"Shot down at {down}: roll for the crash landing. Who hit it most {when} has the victory; equal: high die.")
    yield "Four or more hits: fly off the mat and the plane is repaired."
    yield ("Come back next turn before cards are chosen: a whole hex of the edge, every enemy six hexes away or more.")
    yield "Duel: two who enter in the same turn may agree to fight alone. The winner flies off first."
    if setting(at, "special_cases"):
        yield "Lightning: a straight or a sideslip before each turn."


def _changed(at: Context) -> Iterator[str]:
    """The rules that this table leaves out, and whose figures it plays by."""
    off = (switch.title for key, switch in SWITCHES.items() if setting(at, key) is False)
    yield from (f"Not at this table: {title}." for title in off)
    yield from (f"Figures of the cards: {source}." for source in cards.own_sources(at))


def _table(chart: Chart) -> doc.Table:
    columns = doc.Column(""), *(doc.Column(name) for name in chart.columns)
    return doc.Table(columns, tuple((row.key, *_cells(chart, row)) for row in chart.rows), chart.title)


def _cells(chart: Chart, row: Row) -> list[str]:
    pairs = zip(chart.columns, row.cells, strict=True)
    return [f"{cell}{DAGGER if (row.key, column) in chart.house else ''}" for column, cell in pairs]


_BY_CONTEXT = ("licences", "decks", "summary")


def _papers(*papers: tuple[str, str, Callable[..., doc.Document], tuple[str, ...], str, bool]) -> Mapping[str, Paper]:
    return {
        key: Paper(key, title, make, fields, paper, needs, context=key in _BY_CONTEXT)
        for key, title, make, fields, paper, needs in papers
    }


PAPERS: Mapping[str, Paper] = _papers(
    ("licences", "Pilot licences", licences, ("aircraft", "copies"), "a4", False),
    ("decks", "Manoeuvre cards", decks, ("aircraft",), "a4", False),
    ("planes", "Paper aircraft", planes, ("aircraft", "copies"), "a4", False),
    ("mat", "Hex mat, on sheets to join", mat, ("hex_mm", "columns", "rows"), "a4", False),
    ("markers", "Hit and duel markers", markers, (), "a4", False),
    ("summary", "Summary of the rules", summary, (), "a4", False),
    ("licence", "Licence on a slip", licence_slip, ("pilot",), "80", True),
    ("results", "Results on a slip", results, (), "80", True),
)
