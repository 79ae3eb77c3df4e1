"""Cards and aircraft as packs: what a player's own cards say takes the place of house values, figure by figure."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.game import own, panel_form
from companion.game.packs_at_table import Shelf
from companion.game.tables import Tables
from companion.packs.errors import PackError
from companion.rules.rotl import GAME, slots
from companion.rules.rotl.aircraft import charts, house_types, known_entries
from companion.rules.rotl.cards import PLAYED, house_deck
from companion.rules.rotl.state import Dogfight
from companion.umpire import Change, Context, Filled, Illegal, Pick
from tests.rules.rotl.tables import (
    CONTEXT,
    SWITCHES,
    act_of,
    answers,
    dogfight,
    element,
    inputs_of,
    play,
    random_game,
)

RATED = {
    ("leader", "performance"): (6, 5), ("leader", "horsepower"): (4, 3), ("leader", "burst"): (2, 1),
    ("leader", "capacity"): (4, 8), ("wingman", "offence"): (3, 2), ("wingman", "defence"): (2, 1),
}  # fmt: skip
"""A card as a player reads it."""
PAIR = ("Bf-109G", "P-51D")


def figures(name: str, more: dict[str, Any] | None = None, **plain: Any) -> dict[str, Any]:
    """A whole card as a pack's figures; `more` by the path after the slot, `leader:undamaged:speed`."""
    found = {
        f"{slot}:{name}:{face}:{rating}": value
        for (slot, rating), pair in RATED.items()
        for face, value in zip(slots.FACES, pair, strict=True)
    }
    for path, value in (more or {}).items():
        slot, rest = path.split(":", 1)
        found[f"{slot}:{name}:{rest}"] = value
    return found | {f"{slot}:{name}": value for slot, value in plain.items()}


def context(packed: dict[str, Any], house: Any = "use", **switches: Any) -> Context:
    mine = {tuple(path.split(":")): Filled(value, "my cards") for path, value in packed.items()}
    return Context({**SWITCHES, **switches}, {**GAME.cells(), **mine}, house)


def begun(packed: dict[str, Any], *types: str, house: Any = "use", **setup: Any) -> Dogfight:
    flights = [{"side": "Allies" if n else "Axis", "type": name} for n, name in enumerate(types or PAIR)]
    return GAME.start({"elements": flights, **setup}, context(packed, house))


def refused(packed: dict[str, Any], *types: str, **setup: Any) -> str:
    with pytest.raises(Illegal) as error:
        begun(packed, *types, **setup)
    assert {b.code for b in error.value.violations} <= {"PACK_INCOMPLETE"}
    return " ".join(b.text for b in error.value.violations)


# --- what the house and the text give


@pytest.mark.rule("rotl:Aircraft choice")
def test_cells_give_the_house_types_and_the_house_deck_back() -> None:
    for name, kind in house_types().items():
        assert slots.type_of(name, slots.cells()) == (kind, ())
    assert slots.deck_of(slots.cells()) == (house_deck(), ())


@pytest.mark.rule("rotl:Value table")
def test_every_type_that_the_rulebook_names_can_be_filled_in() -> None:
    rows = panel_form.rows(GAME)
    tabled = {row.key for key in ("points", "points_elsewhere") for row in charts()[key].rows}
    assert tabled | {"Bf-109G-6/R6", "Ta-152H-1", "C.R. 42"} == {*house_types(), *known_entries()} < set(rows)
    for name in tabled:
        keys = {field.key for section in panel_form.form(GAME, name, {}) for field in section.fields}
        assert {"side", "turbo", "leader:undamaged:performance", "wingman:damaged:defence", "value:element"} <= keys
    assert {f.key for s in panel_form.form(GAME, "tit", {}) for f in s.fields} >= {"copies", "answers:attack SCI"}


def test_what_the_text_prints_of_a_type_is_no_house_value() -> None:
    cells = GAME.cells()
    for keys, value in {
        ("side", "Zero"): "Axis", ("agile", "Zero"): True, ("agile", "C.R. 42"): True, ("methanol", "Bf-109G"): True,
        ("ta152", "Ta-152H-1"): True, ("leader", "Zero", "undamaged", "burst"): 1, ("value", "Zero", "element"): 6,
        ("wingman", "Zero", "undamaged", "offence"): 2, ("value", "Bf-110G", "leader only"): 7,
        ("answers", "tit", "MAN"): True, ("answers", "bar", "ACE"): False, ("card_hits", "ims-1b2d"): 2,
    }.items():  # fmt: skip
        assert (cells[keys].value, cells[keys].house) == (value, False), keys
    assert cells["value", "Bf-110G", "element"].value is None
    for keys in (("answers", "ver", "HAL"), ("copies", "man"), ("leader", "P-51D", "damaged", "capacity")):
        assert cells[keys].house, keys


# --- a player's own aircraft


@pytest.mark.rule("rotl:Aircraft choice")
def test_a_pack_rates_a_type_that_the_house_does_not() -> None:
    state = begun(figures("Bf-109G"))
    kind = state.types["Bf-109G"]
    assert (kind.performance, kind.offence, kind.methanol, kind.value) == ((6, 5), (3, 2), True, (9, 6))
    assert kind.house == ()
    assert "P-51D" not in state.types
    fields = [f for piece in GAME.view(state, "", CONTEXT).pieces if piece.key[:2] == "X1" for f in piece.fields]
    assert fields
    assert not any(field.house for field in fields)


def test_one_figure_of_a_pack_leaves_the_others_house_values() -> None:
    kind = begun({"leader:Bf-109E:undamaged:burst": 3}, "Bf-109E", "P-51D").types["Bf-109E"]
    assert kind.burst == (3, 1)
    assert not kind.is_house("burst")
    assert kind.is_house("burst", damaged=True)
    assert kind.is_house("performance")


def test_a_type_of_the_players_own_name_flies_for_its_side() -> None:
    state = begun(figures("Kite", side="Axis", nation="Hungary", turbo=True, year=1943), "Kite", "P-51D", year=1944)
    assert (state.types["Kite"].nation, state.types["Kite"].turbocharged) == ("Hungary", True)
    assert "year" in refused(figures("Kite", side="Axis"), "Kite", "P-51D", year=1944)
    assert "side" in refused(figures("Kite"), "Kite", "P-51D")


def test_what_is_missing_or_cannot_be_is_said() -> None:
    whole = figures("Bf-109G")
    del whole["leader:Bf-109G:damaged:burst"]
    assert refused(whole) == "No pack gives these figures of the Bf-109G: damaged burst; enter its card."
    assert "side, performance, damaged performance, horsepower and 9 more" in refused({}, "C.R. 42", "P-51D")
    odd = figures("Bf-109G", {"leader:undamaged:capacity": 9})
    assert "hits that shoot it down (8) above those that damage it (9)" in refused(odd)
    assert "(4) above those that damage it (4)" in refused(
        figures("Bf-109G", {"wingman:undamaged:capacity": 4, "wingman:damaged:capacity": 4})
    )


def test_rockets_and_types_without_a_wingman_value_fly_alone() -> None:
    alone = figures("Bf-110G")
    alone = {path: value for path, value in alone.items() if not path.startswith("wingman")}
    for name, packed in (("Bf-110G", alone), ("Me-163", figures("Me-163", rocket=True))):
        state = GAME.start(GAME.compose([Pick(name, 0), Pick("P-51D", 1)]), context(packed))
        assert [e.wingman is None for e in state.elements] == [True, False]
    two = {"elements": [{"side": "Axis", "type": "Bf-110G", "wingman": True}, {"side": "Allies", "type": "P-51D"}]}
    with pytest.raises(Illegal, match="offence, damaged offence"):
        GAME.start(two, context(alone))


@pytest.mark.rule("rotl:LDR down")
@pytest.mark.rule("rotl:WM ratings")
def test_a_wingman_card_may_have_a_capacity_and_cannons_of_its_own() -> None:
    more = {f"wingman:{face}:{rating}": value for rating, pair in {"capacity": (2, 3), "heavy": (1, 0)}.items()
            for face, value in zip(slots.FACES, pair, strict=True)}  # fmt: skip
    state = begun(figures("Bf-109G", more))
    element = state.element("X1")
    assert element.wingman
    assert state.capacity(element, element.leader) == (4, 8)
    assert state.capacity(element, element.wingman) == (2, 3)
    assert state.types["Bf-109G"].wing_heavy == (1, 0)


@pytest.mark.rule("rotl:VP for weaker side")
def test_points_that_a_card_prints_count_where_the_table_has_none() -> None:
    assert "no value for the Kite with a wingman" in refused(
        figures("Kite", side="Axis"), "Kite", "P-51D", balance=True
    )
    packed = figures("Kite", {"value:element": 15}, side="Axis")
    assert begun(packed, "Kite", "P-51D", balance=True).bonus == {"Axis": 0, "Allies": 3}


@pytest.mark.rule("rotl:Thrust")
def test_a_damaged_jet_keeps_or_loses_counters_above_its_speed() -> None:
    speed = {"leader:undamaged:speed": 4, "leader:damaged:speed": 2, "leader:undamaged:thrust": 2}
    packed = figures("Bf-109K", speed, jet=True)
    flights = [{"side": "Axis", "type": "Bf-109K"}, {"side": "Allies", "type": "P-51D"}]
    for switch, left in ((False, 4), (True, 2)):
        state = GAME.start({"elements": flights}, context(packed, damaged_speed=switch))
        state = GAME.apply(state, change("counters", "X1", 4))
        assert GAME.apply(state, change("damaged", "X1.2", None)).element("X1").counters == 4
        assert GAME.apply(state, change("damaged", "X1.1", None)).element("X1").counters == left


def change(kind: str, target: str, value: Any) -> Any:
    return Change(kind, target, value)


# --- a player's own deck


def deck(**changed: Any) -> dict[str, Any]:
    """Every figure of the house deck as if it were a player's own, with changes by `slot:card`."""
    cells = {
        ":".join(keys): filled.value for keys, filled in GAME.cells().items() if slots.SLOTS[keys[0]].keys[0] == "card"
    }
    return cells | {path.replace("__", ":"): value for path, value in changed.items()}


@pytest.mark.rule("rotl:Action Cards")
def test_a_pack_changes_single_cards_and_the_rest_stays() -> None:
    packed = {"copies:bar": 0, "copies:man": 14, "card_hits:ims-2b": 4, "answers:tit:HAL": True, "copies:tit-b": 2,
              "kind:tit-b": "TIT", "answers:tit-b:SCI": True}  # fmt: skip
    cards = begun(packed, "Bf-109E", "P-51D").deck
    assert "bar" not in cards
    assert (cards["man"].copies, cards["man"].house) == (14, ())
    assert (cards["ims-2b"].hits, cards["ims-2b"].title) == (4, "In My Sights (2B/4D)")
    assert "HAL" in cards["tit"].answers
    assert (cards["tit-b"].answers, cards["tit-b"].level, cards["tit-b"].title) == (
        ("response SCI",), "H", "Tight Turn tit-b"
    )  # fmt: skip


def test_a_deck_that_cannot_be_is_refused() -> None:
    assert "ims-x: bursts, ims-x: hits" in refused({"copies:ims-x": 1, "kind:ims-x": "IMS"}, "Bf-109E", "P-51D")
    assert "odd: kind" in refused({"copies:odd": 1}, "Bf-109E", "P-51D")
    none = {f"copies:{name}": 0 for name in house_deck()}
    assert "lacks any card" in refused(none, "Bf-109E", "P-51D")


@pytest.mark.rule("rotl:Respond")
@pytest.mark.parametrize("played", PLAYED)
def test_a_card_answers_just_what_a_pack_says(played: str) -> None:
    """One card that answers one thing, and whether it was laid as an attack or as a response."""
    packed = {"copies:one": 1, "kind:one": "BAR", f"answers:one:{played}": True}
    card = begun(packed, "Bf-109E", "P-51D").deck["one"]
    assert [p for p in PLAYED if slots.cards.meets(card.answers, p)] == [played]


@pytest.mark.rule("rotl:Disengagement table")
def test_level_and_colour_follow_from_what_a_card_is() -> None:
    cards = begun({"fuel_tank:ims-3b": True, "copies:ims-3b": 5}, "Bf-109E", "P-51D").deck
    assert (cards["ims-3b"].level, cards["ims-2b"].level, cards["oos-1b"].level, cards["ace"].level) == (*"ADBI",)
    assert {cards[name].colour for name in ("man", "hal", "ims-2b", "oos-1b")} == {"red"}
    assert {cards[name].colour for name in ("sci", "ver", "fut")} == {"white"}


# --- tables that take no house value


def test_a_table_that_refuses_house_values_plays_with_packs_alone() -> None:
    said = refused({}, "Bf-109E", "P-51D", house="refuse")
    assert "these of the Bf-109E are" in said
    assert "these of the action cards are: Maneuvering copies" in said
    packed = {**figures("Bf-109G"), **figures("P-51D", turbo=True), **deck()}
    state = begun(packed, house="refuse")
    assert not any(card.house for card in state.deck.values())
    assert "year" in refused(packed, house="refuse", year=1944), "the year of the house counts only where a year is set"
    first = {"side": "Axis", "type": "Bf-109G", "wingman": False}
    half = {p: v for p, v in packed.items() if not p.startswith("wingman:Bf-109G")}
    GAME.start({"elements": [first, {"side": "Allies", "type": "P-51D"}]}, context(half, "refuse"))


def test_hits_of_a_pack_are_no_house_value_on_the_slip() -> None:
    table = context({"card_hits:oos-1b": 3, "copies:oos-1b": 2, "bursts:oos-1b": 1})
    state = GAME.start({"elements": [{"side": "Axis", "type": "Bf-109E"}, {"side": "Allies", "type": "P-51D"}]}, table)
    deck_now = state.deck
    assert deck_now["oos-1b"].house == ()

    fight = replace(dogfight(element("X1", "Bf-109E", "oos-1b", "ims-2b"), element("A1", "P-51D")), deck=deck_now)
    after, done = play(fight, "leader:A1.1", *answers(card="oos-1b", respond="pass"), ctx=table)
    assert (after.element("A1").leader.hits, done.house) == (3, ())


# --- files and the editor

PACK = """
pack = "Anna's cards"
game = "rotl"
[cells.leader."Bf-109G".undamaged]
performance = 6
horsepower = 4
burst = 2
capacity = 4
[cells.leader."Bf-109G".damaged]
performance = 5
horsepower = 3
burst = 1
capacity = 8
[cells.wingman."Bf-109G".undamaged]
offence = 3
defence = 2
[cells.wingman."Bf-109G".damaged]
offence = 2
defence = 1
[cells.copies]
man = 11
"""


def test_a_file_in_the_data_folder_is_used_at_set_up(tmp_path: Path) -> None:
    Shelf(tmp_path).save("rotl", "anna", PACK)
    tables = Tables(tmp_path)
    assert [(u.key, u.nation) for u in tables.shelf.units("rotl")] == [("Bf-109G", "Germany")]
    table = tables.new("rotl", GAME.compose([Pick("Bf-109G", 0), Pick("P-51D", 1)]))
    assert table.state.types["Bf-109G"].performance == (6, 5)
    assert table.state.pile == 79
    tables.close()


def test_the_same_card_as_a_spreadsheet(tmp_path: Path) -> None:
    ratings = [f"{slot}:{face}:{rating}" for slot, rating in RATED for face in slots.FACES]
    values = [str(value) for pair in RATED.values() for value in pair]
    file = tmp_path / "rotl-cards.csv"
    file.write_text(f"name,{','.join(ratings)}\nBf-109G,{','.join(values)}\n")
    assert own.flat(own.read(file, "rotl")) == figures("Bf-109G")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            '[cells.leader."Bf-109G".undamaged]\nburst = 99',
            "line 4: leader.Bf-109G.undamaged.burst: 99 is out",
        ),
        ('[cells.leader]\n"Bf-109G" = 3', "line 4: leader takes a value for each type then face then rating"),
        ("[cells.answers.tit]\nMAN = 7", "line 4: answers.tit.MAN: '7' is neither yes nor no"),
        ('[cells.kind]\nman = "LOOP"', "line 4: kind.man: 'LOOP' is not one of the choices"),
        ("[cells.copys]\nman = 3", "do you mean copies?"),
    ],
)
def test_faults_name_the_file_the_line_and_the_value(line: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(f'pack = "x"\ngame = "rotl"\n{line}\n')
    with pytest.raises(PackError) as error:
        own.read(file)
    (fault,) = error.value.faults
    assert fault.startswith("mine.toml")
    assert said in fault


def test_the_editor_takes_a_card_by_touch(tmp_path: Path) -> None:
    touched = {":".join(path.split(":")[:1] + path.split(":")[2:]): str(v) for path, v in figures("He-219").items()}
    figures_now = panel_form.read(GAME, "He-219", touched)
    assert figures_now == figures("He-219")
    Shelf(tmp_path).save("rotl", "mine", panel_form.text(GAME, "mine", figures_now))
    assert Shelf(tmp_path).of("rotl") == {"mine": figures("He-219")}
    sections = {s.key: s for s in panel_form.form(GAME, "He-219", {})}
    assert sections["leader"].columns == slots.FACES
    shown = {f.key: (f.shown, f.marked) for s in sections.values() for f in s.fields}
    assert (shown["nation"], shown["rocket"], shown["ceiling"]) == (
        ("Germany", False),
        ("no", False),
        ("Very High", False),
    )
    assert shown["leader:damaged:burst"] == ("", False), "nobody has given it"
    assert shown["leader:damaged:gunner"] == ("-", False), "a card may have none"


@pytest.mark.parametrize("seed", range(4))
def test_whole_games_with_a_pack(seed: int) -> None:
    packed = {**figures("Bf-109G"), **figures("Me-163", {"leader:undamaged:speed": 3}, rocket=True),
              **deck(copies__bar=0, copies__tit=14)}  # fmt: skip
    table = context(packed, rocket_follows_with_cards=bool(seed % 2))
    setup = GAME.compose([Pick("Bf-109G", 0), Pick("P-51D", 1), Pick("Me-163", 0), Pick("P-47D", 1)])
    assert GAME.due(random_game(setup, Random(seed), table), table).over


def test_a_rocket_follows_with_counters_unless_the_table_plays_otherwise() -> None:
    packed = figures("Me-163", {"leader:undamaged:speed": 3}, rocket=True)
    for switch, pays in ((False, True), (True, False)):
        table = context(packed, rocket_follows_with_cards=switch)
        state = GAME.start(GAME.compose([Pick("Me-163", 0), Pick("P-51D", 1)]), table)
        for step in (change("position", "X1|A1", "Tailing"), change("phase", "", "turn"), change("begin", "A1", None),
                     change("step", "A1", None)):  # fmt: skip
            state = GAME.apply(state, step)
        assert inputs_of(act_of(GAME.due(state, table), "dive")).enemy.pays is pays
