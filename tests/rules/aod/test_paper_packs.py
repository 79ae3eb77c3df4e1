"""Papers that are printed at a table show the figures of the players' own packs, and types that only these know."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import papers
from companion.game.packs_at_table import Shelf
from companion.game.tables import Tables
from companion.rules.aod import GAME
from companion.rules.aod.figures import cells, known_type, known_types, types
from companion.rules.aod.paper_panel import blocks
from companion.umpire import Context, Illegal, UsageError
from printouts import document as doc
from printouts import pdf, text
from tests.rules.aod.hangar import fighter, kind

SPITFIRE = "Spitfire Mk IX"
MINE = f"""
pack = "Bob's panels"
game = "aod"
[cells.basic_speed]
"{SPITFIRE}" = 12
[cells.agility_dots]
"{SPITFIRE}" = 2
[cells.climb]
"Bf 999" = 4
[cells.nation]
"Bf 999" = "Germany"
Kite = "other"
[cells.role]
"Bf 999" = "transport"
[cells.endurance]
"{SPITFIRE}" = 14
[cells.endurance_tank]
"{SPITFIRE}" = 5
[cells.die."{SPITFIRE}"]
m3 = true
m4 = true
[cells.load."{SPITFIRE}"]
bombs = "-"
rockets = 25
[cells.load_place."{SPITFIRE}"]
rockets = "external"
[cells.loaded_climb]
"{SPITFIRE}" = 2
[cells.loaded_climb_dots]
"{SPITFIRE}" = 1
[cells.durability]
"{SPITFIRE}" = 9
Kite = 3
"Bf 999" = 5
[cells.fixed_bursts]
Kite = 3
[cells.size]
Kite = "large"
[cells.radar]
"{SPITFIRE}" = true
[cells.fixed.Glider]
1 = 1
[cells.fixed.Kite]
1 = 8
2 = 6
[cells.fixed."{SPITFIRE}"]
1 = 12
[cells.cannon.Kite]
2 = true
[cells.flexible.Kite.6]
same = 4
"""


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    Shelf(tmp_path).save("aod", "bob", MINE)
    found = Tables(tmp_path)
    found.new("aod", {"aircraft": [{"key": "1", "type": SPITFIRE}, {"key": "2", "type": "Kite", "side": "Axis"}]})
    yield found
    found.close()


def made(tables: Tables | None, kind: str, **fields: str) -> doc.Document:
    own = {"table": tables.listed()[0]} if tables else {}
    return papers.document(tables, f"aod.{kind}", {**own, **fields})


def words(document: doc.Document) -> str:
    """On one line, each space single."""
    return " ".join(text.render(document, 48).split())


def boxes(document: doc.Document, label: str) -> list[str]:
    tracks = [block for block in doc.walk(document.blocks) if isinstance(block, doc.Track)]
    return [box.value for track in tracks if track.label.rstrip("†") == label for box in track.boxes]


def test_a_panel_shows_the_figures_of_the_tables_own_pack_without_a_dagger(tables: Tables) -> None:
    house = types()[SPITFIRE].value
    at_table, alone = (made(where, "panel_strip", aircraft=SPITFIRE) for where in (tables, None))
    assert "Durability 9 " in words(at_table)
    assert f"Durability {house.durability}† " in words(alone)
    assert ("radar" in words(at_table), "radar" in words(alone)) == (True, False)
    assert "radar†" not in words(at_table)
    assert boxes(at_table, "Ammunition")[:2] == ["12c", f"{house.slot(2)}c†"], "the pack gives the first burst alone"
    assert boxes(alone, "Ammunition")[0] == f"{house.slot(1)}c†"


def test_every_figure_of_a_panel_may_be_the_players_own(tables: Tables) -> None:
    """What flight, load and scenarios need stands on the panel too, so a pack gives it (1.1.5, 3.7, 7.2.1)."""
    mine, house = (made(where, "panel_strip", aircraft=SPITFIRE) for where in (tables, None))
    lines = words(mine)
    for said in ("Basic speed 12 ", "Agility III••† ", "Endurance 14+5 ", "Blue dice m3, m4 "):
        assert said in lines, said
    assert boxes(mine, "Load") == ["25", "†"], "no bombs; rockets; the tank of the house"
    assert [box.label for box in _track(mine, "Load").boxes] == ["rockets ext.", "fuel tank ext."]
    assert "2•" in boxes(mine, "With load")
    for said in ("Basic speed 11† ", "Endurance ____", "Blue dice ____"):
        assert said in words(house), said
    assert "Basic speed 12 " in words(made(tables, "aircraft_log"))


def _track(document: doc.Document, label: str) -> doc.Track:
    return next(b for b in doc.walk(document.blocks) if isinstance(b, doc.Track) and b.label.rstrip("†") == label)


def test_the_length_of_an_ammunition_row_is_marked_unless_the_panel_gives_it() -> None:
    """14 bursts in a row of 8 are shown by our own panel alone (4.2.1)."""
    for row, label, boxes_there in ((None, "Ammunition†", 8), (10, "Ammunition", 10), (None, "Flexible†", 8)):
        entry = kind("Longwing", fixed=5, fixed_bursts=14, flexible_bursts=14, fixed_row=row)
        sheet = doc.Document("", tuple(blocks(entry, [fighter("Longwing")])), "a5")
        track = next(b for b in doc.walk(sheet.blocks) if isinstance(b, doc.Track) and b.label == label)
        assert len(track.boxes) == boxes_there


def test_a_type_of_ones_own_has_a_nation_and_a_role(tables: Tables) -> None:
    units = {unit.key: unit for unit in tables.shelf.units("aod")}
    assert (units["Bf 999"].nation, units["Bf 999"].role) == ("Germany", "transport")
    cells = tables.get(tables.listed()[0]).context.cells
    assert ("nation", "Bf 999") in cells
    german = tables.new("aod", {"aircraft": [{"key": "1", "type": "Kite"}, {"key": "2", "type": "Bf 999"}]})
    assert [craft.side for craft in german.state.crafts] == ["Allies", "Axis"]
    with pytest.raises(Illegal, match="no fighter"):
        tables.new("aod", {"aircraft": [{"key": "1", "type": "Kite"}, {"key": "2", "type": "Bf 999", "pilot": "Ace"}]})


def test_a_type_that_only_a_pack_knows_prints_and_what_it_lacks_is_left_to_write_on(tables: Tables) -> None:
    sheet = made(tables, "panel", aircraft="Kite")
    drawn = [block.alt for block in doc.walk(sheet.blocks) if isinstance(block, doc.Drawing)]
    assert drawn[0] == "an aircraft from above"
    assert "-/4/-" in drawn[1], "a tail gun on its own level"
    assert boxes(sheet, "Ammunition") == ["8", "6c", ""], "nobody has said what the third burst does"
    lines = words(sheet)
    for said in ("Firepower 8* ", "Basic speed ____", "Durability 3 ", "Stall speed ____", "large target"):
        assert said in lines, said
    assert "†" not in lines
    assert pdf.render(sheet)


@pytest.mark.parametrize("kind", ["panel", "panel_strip", "aircraft_log"])
def test_every_aircraft_on_the_table_prints_with_a_type_of_a_players_own_among_them(tables: Tables, kind: str) -> None:
    sheet = made(tables, kind)
    headings = [block.text for block in doc.walk(sheet.blocks) if isinstance(block, doc.Heading)]
    assert [name for name in (SPITFIRE, "Kite") if any(name in heading for heading in headings)] == [SPITFIRE, "Kite"]
    assert pdf.render(sheet)


def test_logs_and_odds_cards_follow_the_pack_too(tables: Tables) -> None:
    log = words(made(tables, "aircraft_log"))
    assert "Durability 9 " in log
    assert "† house value" not in log
    assert "† house value" in words(made(None, "aircraft_log", aircraft=SPITFIRE)), "what a dagger means is said"
    card = words(made(tables, "odds_card", attacker="Kite", target=SPITFIRE))
    for said in ("firepower 8, durability 9 ", "firepower 6, durability 9 "):
        assert said in card, said
    assert f"firepower 12, durability {types()['Dakota'].value.durability}†" in words(
        made(tables, "odds_card", attacker=SPITFIRE, target="Dakota")
    )
    assert "back from its tail, firepower 4, " in words(made(tables, "odds_card", attacker=SPITFIRE, target="Kite"))


def test_odds_are_not_made_of_a_durability_that_nobody_has_given(tables: Tables) -> None:
    with pytest.raises(UsageError, match="durability of Glider"):
        made(tables, "odds_card", attacker="Kite", target="Glider")
    assert "Durability ____" in words(made(tables, "panel_strip", aircraft="Glider"))


def test_a_refusal_names_the_types_of_the_table(tables: Tables) -> None:
    with pytest.raises(UsageError, match=r"no aircraft type 'Kyte'.*, Kite\b"):
        made(tables, "panel", aircraft="Kyte")
    with pytest.raises(UsageError, match="no aircraft type 'Kite'"):
        made(None, "panel", aircraft="Kite")


@pytest.mark.parametrize("name", sorted(types()))
def test_a_type_is_read_back_from_its_cells_as_the_house_has_it(name: str) -> None:
    """Whatever a record says that is kept in cells comes back the same, marks too."""
    entry, base = known_type(Context(cells=GAME.cells()), name), types()[name]
    assert cells()[("durability", name)].house == entry.origins["durability"].house
    differ = {f for f in base.value.__struct_fields__ if getattr(entry.value, f) != getattr(base.value, f)}
    assert differ <= {"fixed_slots", "flexible", "loads"}, "a slot for every burst; directions and loads in order"
    assert set(entry.value.loads) == set(base.value.loads)
    for burst in range(1, (base.value.fixed_bursts or 1) + 1):
        assert entry.value.slot(burst) == base.value.slot(burst)
    for hour in range(2, 13, 2):
        assert [entry.value.flexible_at(hour, n) for n in (1, 0, -1)] == [
            base.value.flexible_at(hour, n) for n in (1, 0, -1)
        ]
    assert known_type(None, name) == entry
    assert known_types(None) == tuple(types())
