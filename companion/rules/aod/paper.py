"""What Age of Dogfights prints: control panels, logs, the player aid, odds cards, chits.

Before a game there is no state: then the same pages come blank, for the type that is asked for. Figures are those of
the table, with its players' own packs; before a game they are the house's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from companion.packs.records import Entry
from companion.rules.aod import paper_aid, paper_chits, paper_odds, paper_panel, paper_roll
from companion.rules.aod.aircraft import Aircraft
from companion.rules.aod.craft import Craft
from companion.rules.aod.figures import known_type, known_types
from companion.rules.aod.state import Table
from companion.umpire import Context, Paper, UsageError
from printouts import document as doc

TITLE = "Age of Dogfights: WWII"
ROUNDS = 24


def wanted(state: Table | None, seat: str, kind: str, numbers: str, context: Context | None) -> tuple[Craft, ...]:
    """The aircraft whose paper it is: of the table, of one seat or type, or blank ones with these numbers."""
    if state and not kind:
        return tuple(c for c in state.crafts if not c.out and seat in ("", c.seat)) or state.crafts
    entry = _type(context, kind)
    if state:
        on_table = tuple(c for c in state.crafts if c.type == kind and not c.out)
        if on_table:
            return on_table
    tokens = [str(n) for n in entry.value.tokens] or ["", ""]
    keys = [n.strip()[:8] for n in numbers.split(",")][:12] if numbers else tokens
    return tuple(Craft(key=key, type=kind) for key in keys)


def _type(context: Context | None, kind: str) -> Entry[Aircraft]:
    known = known_types(context)
    if kind not in known:
        raise UsageError(f"There is no aircraft type {kind[:40]!r}; there are {', '.join(known)}.")
    return known_type(context, kind)


# --- control panels


def panel(
    state: Table | None, seat: str = "", *, aircraft: str = "", numbers: str = "", context: Context | None = None
) -> doc.Document:
    """One page for each type, a section for each aircraft."""
    blocks = tuple(_panels(wanted(state, seat, aircraft, numbers, context), context))
    return doc.Document("Control panels", blocks, "a5", footer=TITLE)


def panel_strip(
    state: Table | None, seat: str = "", *, aircraft: str = "", numbers: str = "", context: Context | None = None
) -> doc.Document:
    """The same for the receipt printer."""
    return replace(panel(state, seat, aircraft=aircraft, numbers=numbers, context=context), paper="slip")


def _panels(crafts: tuple[Craft, ...], context: Context | None) -> Iterator[doc.Block]:
    for n, name in enumerate(dict.fromkeys(craft.type for craft in crafts)):
        if n:
            yield doc.Cut()
        yield from paper_panel.blocks(known_type(context, name), [craft for craft in crafts if craft.type == name])


# --- logs


def aircraft_log(
    state: Table | None, seat: str = "", *, aircraft: str = "", numbers: str = "", link: str = "",
    context: Context | None = None,
) -> doc.Document:  # fmt: skip
    """One sheet for each aircraft: a line for each round."""
    blocks: list[doc.Block] = []
    for craft in wanted(state, seat, aircraft, numbers, context):
        blocks += [doc.Cut()] if blocks else []
        blocks += _aircraft_log(craft, known_type(context, craft.type), link)
    return doc.Document("Aircraft log", tuple(blocks), "page", footer=TITLE)


def _aircraft_log(craft: Craft, entry: Entry[Aircraft], link: str) -> Iterator[doc.Block]:
    facts = (
        doc.Pair("Side", craft.side or "_" * 18),
        doc.Pair("Pilot", craft.pilot or "_" * 18),
        doc.Pair("Basic speed", paper_panel.basic_speed(entry)),
        doc.Pair("Durability", paper_panel.durability(entry)),
    )
    yield doc.Heading(f"{craft.type}   No {craft.key or '____'}", right="AIRCRAFT LOG")
    yield from _with_link(facts, link)
    yield _rounds(
        ("Place", 28), ("Level", 13), ("Tilt", 18), ("Speed", 14), ("Bursts left", 20), ("Fired at, damage, notes", 73)
    )


def game_log(state: Table | None, seat: str = "", *, link: str = "") -> doc.Document:
    """One sheet for the whole game."""
    sides = state.sides if state else ("", "")
    score = tuple(doc.Pair(f"Side {side or '_' * 18}", "Points ______") for side in sides)
    table = _rounds(("Who fired", 34), ("At whom", 34), ("Position", 18), ("Result", 46), ("Bursts left", 34))
    blocks = (doc.Heading(TITLE, right="GAME LOG"), *_with_link(score, link), table)
    return doc.Document("Game log", blocks, "page", footer=TITLE)


def _with_link(facts: tuple[doc.Block, ...], link: str) -> Iterator[doc.Block]:
    if link:
        yield doc.Columns((facts, (doc.QR(link, size_mm=20),)), (3, 1))
    else:
        yield from facts


def _rounds(*columns: tuple[str, float]) -> doc.Table:
    """A line for each round, high enough for a pencil."""
    titles = (doc.Column("Round", mm=14), *(doc.Column(title, mm=mm) for title, mm in columns))
    return doc.Table(titles, tuple((str(n), *("",) * len(columns)) for n in range(1, ROUNDS + 1)), row_mm=9)


# --- aid, odds, chits


def player_aid(state: Table | None, seat: str = "") -> doc.Document:
    """Every chart of the rulebook, as the rules read it."""
    return doc.Document("Player aid", tuple(paper_aid.blocks()), "page", footer=TITLE)


def odds_card(
    state: Table | None, seat: str = "", *, attacker: str = "", target: str = "", context: Context | None = None
) -> doc.Document:
    """What one type can do to another, in per cent."""
    pair = _type(context, attacker), _type(context, target)
    for entry in pair:
        if "durability" not in entry.origins:
            raise UsageError(f"No pack gives the durability of {entry.name}; odds need it.")
    blocks = tuple(paper_odds.blocks(*pair))
    return doc.Document(f"{attacker} against {target}", blocks, "a5", footer=TITLE)


SIZES = (
    "Cut along the lines. Round, hexagonal and angled pieces have the shapes of the rulebook; it gives no sizes, so all"
    " sizes are house sizes. Zones, ships and sectors follow the spacing of the points: measure it on your board."
)


def chits(state: Table | None, seat: str = "", *, spacing: str = "") -> doc.Document:
    """Chits and markers of the box to cut out (1.1.7 to 1.1.11, 1.1.13, 1.1.14)."""
    sheet = doc.Sheet(tuple(paper_chits.chits(_spacing(spacing))))
    words = (doc.Heading("Chits and markers", right="1.1.7 to 1.1.14"), doc.Text(SIZES))
    return doc.Document("Chits and markers", (sheet, *words), "page", footer=TITLE)


def chit(state: Table | None, seat: str = "", *, name: str = "", copies: str = "", spacing: str = "") -> doc.Document:
    """One of them, as often as wanted, for the receipt printer."""
    wide, kind = _spacing(spacing), name.strip().lower()
    count = max(1, min(int(copies), 30)) if copies.isdecimal() and len(copies) < 4 else 1
    if kind == paper_chits.BARRAGE:
        blocks = tuple(paper_roll.strips(paper_chits.barrage(wide), paper_chits.between_rows(wide)))
        return doc.Document("Barrage sector", blocks * count, "slip")
    found = paper_chits.named(kind, wide)
    if found is None:
        raise UsageError(f"There is no chit {name[:40]!r}; there are {', '.join(paper_chits.kinds())}.")
    return doc.Document(f"Chit: {name}", tuple(paper_roll.single(found, count)), "slip")


def barrage(state: Table | None, seat: str = "", *, spacing: str = "") -> doc.Document:
    """A barrage sector to lay on the board (1.1.12); best on transparent film."""
    blocks = (
        doc.Heading("Barrage sector", right="6.2"),
        paper_chits.barrage(_spacing(spacing)),
        doc.Text("Print at 100 %, on film. " + SIZES, small=True),
    )
    return doc.Document("Barrage sector", blocks, "page", footer=TITLE)


def _spacing(given: str) -> float:
    """Millimetres between two points of the board."""
    if not given:
        return paper_chits.SPACING
    if given.isdecimal() and len(given) < 3 and 15 <= int(given) <= 30:
        return float(given)
    raise UsageError(f"spacing is {given[:20]!r}; give the millimetres between two points of your board, 15 to 30.")


_TYPE = ("aircraft", "numbers")
PAPERS: Mapping[str, Paper] = {
    paper.key: paper
    for paper in (
        Paper("panel", "Control panel", panel, _TYPE, "a5", context=True),
        Paper("panel_strip", "Control panel, strip", panel_strip, _TYPE, "80", context=True),
        Paper("aircraft_log", "Aircraft log", aircraft_log, (*_TYPE, "link"), context=True),
        Paper("game_log", "Game log", game_log, ("link",)),
        Paper("player_aid", "Player aid", player_aid),
        Paper("odds_card", "Odds card for a pair", odds_card, ("attacker", "target"), "a5", context=True),
        Paper("chits", "Chits and markers", chits, ("spacing",)),
        Paper("chit", "One chit or marker", chit, ("name", "copies", "spacing"), "58"),
        Paper("barrage", "Barrage sector", barrage, ("spacing",)),
    )
}
