"""What is printed: the figures that stand on it, and that every paper renders."""

from fractions import Fraction
from typing import Any

import pypdfium2
import pytest

from companion.packs.records import Entry
from companion.rules.aod import GAME, paper_chits, paper_roll
from companion.rules.aod.aircraft import Aircraft
from companion.rules.aod.charts import charts
from companion.rules.aod.figures import types
from companion.rules.aod.paper_odds import percent
from companion.rules.aod.paper_panel import agility, blocks, drawing
from companion.umpire import Change, Context, UsageError
from printouts import document as doc
from printouts import pdf, text, thermal
from tests.rules.aod.hangar import fighter, kind, turret

AT = Context(cells=GAME.cells())
LINK = "http://192.168.1.23:8080/t/KESTREL"


def table() -> Any:
    return GAME.start(GAME.demo(), AT)


def make(key: str, state: Any = None, seat: str = "", **fields: str) -> doc.Document:
    found: doc.Document = GAME.papers[key].make(state, seat, **fields)
    return found


def everything(block: doc.Block) -> list[doc.Block]:
    return [block, *(each for part in doc.inside(block) for each in everything(part))]


def found(document: doc.Document, wanted: type) -> list[Any]:
    return [each for block in document.blocks for each in everything(block) if isinstance(each, wanted)]


def boxes(document: doc.Document, label: str) -> list[doc.Box]:
    return [box for track in found(document, doc.Track) if track.label.rstrip("†") == label for box in track.boxes]


@pytest.mark.parametrize(
    ("key", "fields"),
    [
        ("panel", {"aircraft": "P-61 B Black Widow", "numbers": "21, 22"}),
        ("panel_strip", {"aircraft": "B-25 J Mitchell"}),
        ("aircraft_log", {"aircraft": "Dakota", "link": LINK}),
        ("game_log", {"link": LINK}),
        ("player_aid", {}),
        ("odds_card", {"attacker": "Fw 190 A-8", "target": "B-25 J Mitchell"}),
        ("chits", {"spacing": "20"}),
        ("chit", {"name": "bomb", "copies": "3"}),
        ("barrage", {}),
    ],
)
def test_every_paper_prints_before_a_game_and_twice_the_same(key: str, fields: dict[str, str]) -> None:
    document = make(key, **fields)
    assert pdf.render(document) == pdf.render(make(key, **fields))
    assert set(GAME.papers[key].fields) >= set(fields)


@pytest.mark.parametrize("kind_", sorted(types()))
def test_every_type_has_its_panel_and_its_drawing(kind_: str) -> None:
    lines = text.render(make("panel_strip", aircraft=kind_, numbers="7"), 48)
    assert kind_ in lines
    assert f"{types()[kind_].value.basic_speed}" in lines
    assert drawing(kind_, 40).alt == f"{kind_} from above"


def test_a_panel_shows_the_sliders_as_they_stand() -> None:
    state = table()
    for change in (
        Change("ammunition", "3", ("fixed", 5)), Change("damage", "3", "engine"), Change("throttle", "3", 4),
        Change("destroyed", "4"),
    ):  # fmt: skip
        state = GAME.apply(state, change)
    sheet = make("panel", state, aircraft="Fw 190 A-8")
    assert [panel.title for panel in found(sheet, doc.Panel)] == ["Aircraft 3"]
    row = boxes(sheet, "Ammunition")
    assert [box.value for box in row] == ["11c†"] * 3 + ["7c†"] * 5
    assert [box.used for box in row] == [True, True] + [False] * 6
    assert row[2].heavy
    assert [box.used for box in boxes(sheet, "Throttle")] == [True] * 4
    assert [box.label for box in boxes(sheet, "Damage") if box.used] == ["engine"]


@pytest.mark.rule("aod:4.2.1")
def test_a_long_row_is_printed_once_with_two_numbers_where_it_starts_again() -> None:
    entry = kind("Longwing", fixed=5, fixed_bursts=14, flexible_bursts=3, flexible=turret(12, same=2))
    panel = doc.Document("", tuple(blocks(entry, [fighter("Longwing", fixed_spent=18)])), "a5")
    row = boxes(panel, "Ammunition")
    assert [box.label for box in row] == ["14", "13", "12/6", "11/5", "10/4", "9/3", "8/2", "7/1"]
    assert [box.used for box in row] == [True, True, True] + [False] * 5, "nine bursts gone"
    assert row[3].heavy
    empty = doc.Document("", tuple(blocks(entry, [fighter("Longwing", fixed_spent=28)])), "a5")
    assert all(box.used for box in boxes(empty, "Ammunition"))
    assert len(boxes(panel, "Flexible")) == 3


def test_a_type_of_a_players_own_has_a_plain_drawing_and_marks_nothing_as_house() -> None:
    own = kind(
        "Kite", fixed=4, fixed_dashed=True, flexible=turret(2, 12, above=1, same=2), dashed=("2",), boxed=True,
        frontal_durability=3, loaded_speed=7, loaded_agility=2, loaded_climb=1, loaded_ceiling=6, steep_turn="left",
        capacity="fragile", size="very small", upward=3, booster=2,
    )  # fmt: skip
    lines = " ".join(text.render(doc.Document("Kite", tuple(blocks(own, [])), "slip"), 48).split())
    assert "†" not in lines
    for words in ("5 (3)", "fragile", "very small target", "steep turn left", "[II•]", "fixed guns", "2 o'clock", "L6"):
        assert words in lines, words
    assert drawing("Kite", 40).alt == "an aircraft from above"
    assert agility(3, 2) == "III••"


def test_a_log_sheet_has_room_for_every_round_and_a_way_to_the_live_page() -> None:
    sheet = make("aircraft_log", table(), "Allies", link=LINK)
    assert [h.text.split("   ")[1] for h in found(sheet, doc.Heading)] == ["No 11", "No 12", "No 15"]
    assert all(len(t.rows) >= 20 for t in found(sheet, doc.Table))
    assert {qr.link for qr in found(sheet, doc.QR)} == {LINK}
    assert not found(make("game_log", table()), doc.QR)


@pytest.mark.rule("aod:1.1.16")
def test_the_player_aid_is_the_charts_themselves() -> None:
    aid = make("player_aid")
    titles = [heading.text for heading in found(aid, doc.Heading)]
    for chart in charts().values():
        assert any(title.startswith(chart.title) for title in titles) or chart.rule[0] == "2", chart.title
    assert len(pypdfium2.PdfDocument(pdf.render(aid))) == 2, "one sheet, printed on both sides"
    aiming = next(t for t in found(aid, doc.Table) if ("Ace", "+1") in t.rows)
    assert ("Rookie", "-1") in aiming.rows
    outcome = next(t for t in found(aid, doc.Table) if ("13+", "destroyed") in t.rows)
    assert ("natural 1+1", "none") in outcome.rows


@pytest.mark.rule("aod:4.5")
def test_an_odds_card_shows_what_the_charts_say() -> None:
    card = make("odds_card", attacker="Fw 190 A-8", target="B-25 J Mitchell")
    first = found(card, doc.Table)[0]
    assert [column.title for column in first.columns[1:4]] == ["A hit", "A harm", "A kill"]
    zero = next(row for row in first.rows if row[0] == "0")
    assert (zero[1], zero[4], zero[7]) == ("83", "50", "67")
    assert (percent(Fraction(0)), percent(Fraction(5, 6))) == ("-", "83")
    unarmed = make("odds_card", attacker="Dakota", target="Dakota")
    assert not found(unarmed, doc.Table)
    bombers = make("odds_card", attacker="B-25 J Mitchell", target="Spitfire Mk IX")
    assert found(bombers, doc.Table)


@pytest.mark.parametrize(("key", "fields"), [("panel", {"aircraft": "Kite"}), ("odds_card", {"attacker": "Kite"})])
def test_a_type_that_is_not_there_is_named(key: str, fields: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="no aircraft type 'Kite'"):
        make(key, **fields)


def test_a_table_prints_a_page_for_each_type_and_one_section_for_each_aircraft() -> None:
    sheet = make("panel", table())
    assert len(found(sheet, doc.Cut)) == 3
    assert [panel.title[9:] for panel in found(sheet, doc.Panel)] == ["3", "4", "9", "11", "12", "15"]


def test_a_table_prints_blank_panels_of_types_that_it_does_not_play() -> None:
    assert [p.title for p in found(make("panel", table(), aircraft="Dakota", numbers="30"), doc.Panel)] == [
        "Aircraft 30"
    ]


def test_chits_are_true_to_size_and_damage_is_a_letter_too() -> None:
    sheet, *words = make("chits").blocks
    assert "it gives no sizes" in " ".join(str(block.words) for block in words if isinstance(block, doc.Text))
    assert isinstance(sheet, doc.Sheet)
    disc = paper_chits.named("bomb")
    assert disc is not None
    assert disc.front.symbol is not None
    (circle,) = (shape for shape in disc.front.symbol.shapes if isinstance(shape, doc.Circle))
    assert (2 * circle.radius, disc.width_mm, disc.height_mm) == (16, 20, 20)
    damages = [p.front for p in sheet.pieces if isinstance(p, doc.Chit) and p.width_mm == 10]
    assert {(face.text, face.fill) for face in damages} == {
        ("W", "blue"), ("T", "yellow"), ("E", "green"), ("G", "red"),
    }  # fmt: skip


def test_hour_marks_of_some_guns_alone_are_listed() -> None:
    fixed = kind("Fixed", fixed=3, fixed_dashed=True)
    assert "Passive only: fixed guns" in text.render(doc.Document("", tuple(blocks(fixed, [])), "slip"), 48)
    entry: Entry[Aircraft] = kind("Turret", flexible=turret(6, same=1), dashed=("2", "4", "6", "8", "10", "12"))
    lines = text.render(doc.Document("", tuple(blocks(entry, [])), "slip"), 48)
    assert "all flexible guns" in lines


BOX = {"chits": 154, "damage": 46, "speed": 36, "pilots": 40}
"""How many pieces the rulebook counts in the box (1.1)."""


def test_the_sheets_hold_as_many_pieces_as_the_box() -> None:
    pieces = list(paper_chits.chits())
    words = [(piece.front.symbol.alt if piece.front.symbol else piece.front.text).lower() for piece in pieces]
    photos = [word for word in words if word.startswith("photo ")]
    assert sum(n for *_, n in paper_chits.ROUND) + len(photos) == BOX["chits"]
    assert set(photos) == {"photo triangle", "photo square", "photo circle"}, "as the zones that they show (7.1.1)"
    assert sum(w in ("w", "t", "e", "g") for w in words) == BOX["damage"]
    assert sum(w.startswith("speed ") and w != "speed calculator" for w in words) == BOX["speed"]
    assert sum(w in ("ace", "rookie", "solo") for w in words) == BOX["pilots"]
    counted = {"point": 18, "aa": 18, "corner of an area": 26, "cloud": 10, "sun": 1, "wind": 1}
    assert {word: words.count(word) for word in counted} == counted
    assert sum(w.startswith("ship ") for w in words) == 6
    assert [words.count(f"zone {sign}") for sign in ("triangle", "square", "circle")] == [2, 2, 2]
    sides = {(_alt(piece.front), _alt(piece.back)) for piece in pieces if piece.back and piece.back != piece.front}
    assert sides == {("rocket 25", "rocket 15")}, "a rocket counts by its distance; else both sides say the same (5.1)"
    assert "torpedo 50" in words


def _alt(face: doc.Face | None) -> str:
    return face.symbol.alt if face and face.symbol else ""


ACROSS = {"zone triangle", "zone square", "zone circle", "ship 4", "ship 5", "ship 6", "speed calculator"}


TILL = thermal.Profile("till", width_dots=384, columns=32)


@pytest.mark.parametrize("name", sorted(set(paper_chits.kinds()) - ACROSS - {paper_chits.BARRAGE}))
def test_every_chit_prints_alone_on_the_receipt_printer(name: str) -> None:
    one = make("chit", name=name.upper(), copies="2")
    assert [block for block in one.blocks if isinstance(block, doc.Chit)] == [paper_chits.named(name)] * 2
    assert "True size: " in text.render(one, 32)
    assert thermal.render(one, TILL).data


@pytest.mark.parametrize("spacing", ["15", "28", "30"])
@pytest.mark.parametrize("name", sorted(ACROSS))
def test_what_is_wider_than_a_receipt_is_turned_and_no_smaller(name: str, spacing: str) -> None:
    flat = paper_chits.named(name, float(spacing))
    (one,) = [block for block in make("chit", name=name, spacing=spacing).blocks if isinstance(block, doc.Chit)]
    assert flat
    assert {one.width_mm, one.height_mm} == {flat.width_mm, flat.height_mm}
    assert one.width_mm <= paper_roll.ROLL_MM
    assert one.front.symbol
    assert one.back == one.front
    for shape in one.front.symbol.shapes:
        points = shape.points if isinstance(shape, doc.Path) else [(shape.x, shape.y)]
        assert all(0 <= x <= one.width_mm and 0 <= y <= one.height_mm for x, y in points), "nothing lies beside it"


@pytest.mark.parametrize("spacing", ["15", "22", "28", "30"])
def test_a_barrage_sector_comes_in_strips_with_an_edge_to_glue_on(spacing: str) -> None:
    """Every point once; the strips without their edges are together as wide as the whole."""
    whole = paper_chits.barrage(float(spacing))
    strips = [b for b in make("chit", name="barrage sector", spacing=spacing).blocks if isinstance(b, doc.Drawing)]
    assert all(strip.width_mm <= paper_roll.ROLL_MM and strip.height_mm == whole.width_mm for strip in strips)
    glued = sum(strip.width_mm for strip in strips) - paper_roll.GLUE_MM * (len(strips) - 1)
    assert glued == pytest.approx(whole.height_mm)
    labels = [s.text for strip in strips for s in strip.shapes if isinstance(s, doc.Label)]
    points = [label for label in labels if "strip" not in label]
    assert points == [f"{letter}{n}" for letter in "ABCDEF" for n in range(1, 7)]
    assert len(labels) - len(points) == len(strips) - 1


def test_what_lies_across_points_follows_the_players_board() -> None:
    wide = [paper_chits.named("ship 4", spacing) for spacing in (20.0, 30.0)]
    assert [chit.width_mm for chit in wide if chit] == [3 * 20 + 18, 3 * 30 + 18]
    labels = [s.text for s in paper_chits.barrage(25.0).shapes if isinstance(s, doc.Label)]
    assert labels == [f"{letter}{n}" for letter in "ABCDEF" for n in range(1, 7)]
    assert pdf.render(make("barrage", spacing="30"))
    for wrong in ("9", "31", "-1", "x", "1" * 40):
        with pytest.raises(UsageError, match="spacing"):
            make("chits", spacing=wrong)
    with pytest.raises(UsageError, match="no chit 'banana'; there are bomb"):
        make("chit", name="banana")
