"""A panel as a form and back: what is asked, what is refused, and that the pack says exactly what was touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.game import own, panel_form, registry
from companion.umpire import UsageError

AOD = registry.game("aod")


def fields(row: str, **given: str) -> dict[str, panel_form.Field]:
    return {f.key: f for section in panel_form.form(AOD, row, given) for f in section.fields}


def test_a_field_shows_the_house_value_until_it_is_touched() -> None:
    durability = fields("Spitfire Mk IX")["durability"]
    assert (durability.kind, durability.low, durability.high, durability.rule) == ("number", 0, 10, "4.3")
    assert (durability.given, durability.shown, durability.marked) == ("", durability.house, True)
    assert fields("Spitfire Mk IX", durability="9")["durability"].shown == "9"
    assert fields("Kite")["durability"].shown == ""


def test_a_burst_row_is_as_long_as_the_panel_says() -> None:
    assert [k for k in fields("Kite", fixed_bursts="3") if k.startswith("fixed:")] == ["fixed:1", "fixed:2", "fixed:3"]
    assert [k for k in fields("Kite", fixed_bursts="-") if k.startswith("cannon:")] == ["cannon:1"]
    gone = panel_form.read(AOD, "Kite", {"fixed_bursts": "1", "fixed:1": "4", "fixed:2": "4"})
    assert gone == {"fixed_bursts:Kite": 1, "fixed:Kite:1": 4}


def test_firing_directions_are_a_grid_by_level() -> None:
    grid = next(s for s in panel_form.form(AOD, "Kite", {}) if s.key == "flexible")
    assert grid.lines == ("above", "same", "below")
    width = len(grid.columns)
    assert [f.key for f in grid.fields[:width]] == [f"flexible:{hour}:above" for hour in grid.columns]


@pytest.mark.parametrize("game", sorted(registry.keys()))
def test_every_value_of_a_game_survives_form_and_file(game: str, tmp_path: Path) -> None:
    found = registry.game(game)
    figures: dict[str, object] = {}
    for row in panel_form.rows(found):
        shown = {f.key: f.shown for s in panel_form.form(found, row, {}) for f in s.fields if f.shown}
        figures |= panel_form.read(found, row, shown)
    (tmp_path / "pack.toml").write_text(panel_form.text(found, "all of it", figures))
    pack = own.read(tmp_path / "pack.toml")
    assert own.flat(pack) == figures
    known = {keys: c.value for keys, c in found.cells().items() if not (c.house and c.value is None)}
    assert {keys: cell.value for keys, cell in pack.cells.items()} == known
    row = panel_form.rows(found)[0]
    assert panel_form.read(found, row, panel_form.touched(row, figures)).items() <= figures.items()


@pytest.mark.parametrize("name", ['Bob\'s "best"', "Ä\\é", "#x = 1", "[cells]", "a.b"])
def test_a_strange_name_stays_one_name(name: str, tmp_path: Path) -> None:
    figures = panel_form.read(AOD, name, {"durability": "3", "fixed:1": "-"})
    (tmp_path / "pack.toml").write_text(panel_form.text(AOD, name, figures))
    pack = own.read(tmp_path / "pack.toml")
    assert (pack.name, own.flat(pack)) == (name, figures)


def test_what_does_not_fit_is_refused_with_its_field() -> None:
    for row, given, said in (
        ("Kite", {"durability": "99"}, "Durability: 99 is out of range"),
        ("Kite", {"size": "huge"}, "Target size"),
        ("", {}, "name"), ("a:b", {}, "colon"), ("x" * 61, {}, "60"), ("a\nb", {}, "name"),
    ):  # fmt: skip
        with pytest.raises(UsageError, match=said):
            panel_form.read(AOD, row, given)
    for pack in ("", "x" * 61, "a\x00"):
        with pytest.raises(UsageError, match="pack"):
            panel_form.text(AOD, pack, {})


def test_figures_stand_in_the_tabs_of_the_game() -> None:
    sections = {section.key: section for section in panel_form.form(AOD, "Spitfire Mk IX", {})}
    assert list(sections)[:4] == ["panel", "flight", "signs", "load"]
    assert [sections[key].title for key in ("panel", "flight", "load")] == ["Panel", "Flight", "Load"]
    assert {"basic_speed", "agility", "ceiling", "climb", "stall"} <= {f.key for f in sections["flight"].fields}
    dice = {f.key: f.shown for f in sections["flight"].fields if f.key.startswith("die:")}
    assert set(dice.values()) == {panel_form.NONE}, "the house does not know which dice a type may use"
