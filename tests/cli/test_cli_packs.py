"""`packs check|new|list`, and a player's own figures in a case."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.game import own, registry
from tests.cli.rig import out, run

GAMES = sorted(registry.books())


def written(tmp_path: Path, text: str, name: str = "mine.toml") -> str:
    (tmp_path / name).write_text(text)
    return str(tmp_path / name)


@pytest.mark.parametrize("game", GAMES)
def test_a_new_pack_holds_every_house_value_and_is_sound_as_it_is_and_filled_in(game: str, tmp_path: Path) -> None:
    file = str(tmp_path / "new.toml")
    assert run("packs", "new", game, file).exit_code == 0
    assert f", 0 figures for {game}." in run("packs", "check", file).stdout
    filled = (tmp_path / "new.toml").read_text().replace('\n# "', '\n"').splitlines()
    used = [line.removeprefix("# ") if " = " in line else line for line in filled]
    (tmp_path / "new.toml").write_text("\n".join(used))
    house = {keys: cell.value for keys, cell in registry.book(game).cells().items() if cell.house}
    assert {keys: cell.value for keys, cell in own.read(tmp_path / "new.toml").cells.items()} == house
    assert run("packs", "new", game, file).exit_code == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('game = "aod"', "must say the name of the pack"),
        ('pack = "x"', "must say which game it is for"),
        ('pack = "x"\ngame = "chess"', "line 2: game"),
        ('pack = "x"\ngame = "aod"\nsize = 3', "line 3: 'size' is not known here"),
        ('pack = "x"\ngame = "aod"\n[cells.durabilty]\nSpit = 3', "do you mean durability?"),
        ('pack = "x"\ngame = "aod"\n[cells.durability]\nSpit = 99', "line 4: durability.Spit: 99 is out of range"),
        (
            'pack = "x"\ngame = "aod"\n[cells.durability.Spit]\none = 3',
            "line 4: durability takes a value for each type",
        ),
        ('pack = "x"\ngame = "aod"\ncells = 3', "cells must be tables"),
        ('pack = "x"\ngame = "aod"\n[cells.durability]\n"a:b" = 3', "no colon"),
        ("pack = ", "is not TOML"),
    ],
)
def test_a_fault_names_file_line_and_value(text: str, said: str, tmp_path: Path) -> None:
    result = run("packs", "check", written(tmp_path, text))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("mine.toml")
    assert said in result.stderr


def test_all_faults_are_said_at_once(tmp_path: Path) -> None:
    text = 'pack = "x"\ngame = "aod"\n[cells.durability]\nA = 99\nB = "many"\nC = 3\n'
    assert run("packs", "check", written(tmp_path, text)).stderr.count("\n") == 2


def test_a_misspelt_type_is_doubted_and_not_refused(tmp_path: Path) -> None:
    text = 'pack = "x"\ngame = "aod"\n[cells.durability]\n"Spitfire Mk X" = 3\n'
    result = run("packs", "check", written(tmp_path, text))
    assert result.exit_code == 0
    assert "line 4" in result.stderr
    assert "Do you mean 'Spitfire Mk" in result.stderr


def test_a_table_of_a_spreadsheet_is_a_pack_too(tmp_path: Path) -> None:
    file = written(tmp_path, "name,durability,fixed:1,fixed:2\nSpitfire Mk IX,4,6,-\n", "cards.csv")
    assert "cards, 3 figures for aod" in run("packs", "check", "--game", "aod", file).stdout
    cells = own.read(Path(file), "aod").cells
    assert cells["fixed", "Spitfire Mk IX", "1"].value == 6
    assert cells["fixed", "Spitfire Mk IX", "2"].value is None
    bad = written(tmp_path, "name,durability\nA,4\nB,99\n", "bad.csv")
    assert "bad.csv, line 3" in run("packs", "check", "--game", "aod", bad).stderr


def test_a_players_figures_stand_over_house_values_and_are_named(tmp_path: Path) -> None:
    game = registry.book("rotl")
    key = next(keys for keys, cell in game.cells().items() if cell.house and keys[0] == "card_hits")
    text = f'pack = "Bob\'s cards"\ngame = "rotl"\n[cells.{key[0]}]\n"{key[1]}" = 9\n'
    assert own.read(Path(written(tmp_path, text))).cells[key].value == 9
    loss = ("resolve", "fastplay.crash_landing", "pilot=Bob", "--roll", "--out", "-")
    mine = 'pack = "Bob"\ngame = "fastplay"\n[cells."fastplay.move"]\n1ST = "F F F"\n'
    assert "Bob" in out(*loss, "--pack", written(tmp_path, mine))["packs"]
    wrong = out(*loss, "--pack", written(tmp_path, text), status=2)
    assert "for rotl, not for fastplay" in wrong["error"]


def test_list_tells_house_packs_from_printed_figures() -> None:
    listed = run("packs", "list").stdout.splitlines()
    assert {line.split()[0] for line in listed} == {g for g in GAMES if registry.book(g).cells()}
    for game in GAMES:
        house = sum(cell.house for cell in registry.book(game).cells().values() if cell.source)
        counted = sum(int(line.split()[1]) for line in run("packs", "list", game).stdout.splitlines() if "†" in line)
        assert counted == house


def test_a_case_says_what_house_values_it_used_and_may_refuse_them() -> None:
    case = json.dumps({"inputs": {"pilot": "Bob"}, "house": "refuse"})
    assert out("resolve", "fastplay.crash_landing", "--in", "-", "--roll", "--out", "-", given=case)["house"] == []
