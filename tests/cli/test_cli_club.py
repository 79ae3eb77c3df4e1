"""`companion club`: list, rename, forget and export pilots, where no daemon runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.game.tables import Tables
from tests.cli.rig import out, run


@pytest.fixture
def words(tmp_path: Path) -> tuple[str, str]:
    """The folder of a club whose pilots have flown once."""
    tables = Tables(tmp_path / "data")
    tables.new("fastplay").set_away(True)
    tables.close()
    return "--data", str(tmp_path / "data")


def names(pilots: list[dict[str, Any]]) -> list[str]:
    return [pilot["name"] for pilot in pilots]


def test_pilots_are_listed_renamed_and_forgotten(words: tuple[str, str]) -> None:
    assert [p["name"] for p in out("club", "list", "fastplay", *words, "--out", "-")] == [
        "Anna",
        "Ben",
        "Chris",
        "Dora",
    ]
    said = run("club", "rename", "fastplay", "Anna", "Falcon", *words)
    assert said.stdout.splitlines()[0].split() == ["Falcon", "Spitfire", "licence", "1,", "4", "victories"]
    assert names(out("club", "forget", "fastplay", "Ben", *words, "--out", "-")) == ["Falcon", "Chris", "Dora"]
    again = run("club", "forget", "fastplay", "Ben", *words)
    assert (again.exit_code, again.stderr.strip()) == (2, "The club has no pilot 'Ben'.")


def test_the_list_is_exported_for_a_spreadsheet(words: tuple[str, str], tmp_path: Path) -> None:
    target = tmp_path / "pilots.csv"
    assert run("club", "export", "fastplay", str(target), *words).exit_code == 0
    assert target.read_text().splitlines()[:2] == ["name,side,aircraft,victories,licence", "Anna,Allies,Spitfire,4,1"]
    assert run("club", "export", "fastplay", *words).stdout.splitlines() == target.read_text().splitlines()


def test_a_club_without_pilots_says_so(words: tuple[str, str]) -> None:
    assert "No pilot has a licence yet" in run("club", "list", "rotl", *words).stdout
    assert run("club", "list", "nothing", *words).exit_code == 2
    assert run("club", "list", "fastplay", "--data", "/nowhere").exit_code == 2
