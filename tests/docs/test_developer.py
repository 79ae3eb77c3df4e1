"""The code of developer.md, run: the example game through the real command, the rest as it stands."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.game import own
from drivers.printers import Printer, PrinterOff
from tests.docs.reading import DOCS, ROOT, blocks, commands

PAGE = DOCS / "developer.md"
PYTHON = blocks(PAGE, "python")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example as pip would install it."""
    site = tmp_path_factory.mktemp("site")
    for block in (*PYTHON, *blocks(PAGE, "toml")):
        if "/" in block.name:
            (site / block.name).parent.mkdir(exist_ok=True)
            (site / block.name).write_text(block.text)
    info = site / "duel-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: duel\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[companion.games]\nduel = duel:GAME\n")
    assert 'duel = "duel:GAME"' in (site / "duel/pyproject.toml").read_text()
    return site


def run(site: Path, *words: str) -> str:
    env = os.environ | {"PYTHONPATH": f"{site}{os.pathsep}{ROOT}", "COMPANION_DATA": str(site / "data")}
    command = [sys.executable, "-m", "companion", *words]
    done = subprocess.run(command, cwd=site, env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, f"{words}: {done.stderr}"
    return done.stdout


def test_the_example_game_does_all_that_the_page_says(site: Path) -> None:
    given = [words for words in commands(PAGE) if "duel" in " ".join(words) or words == ["games"]]
    assert len(given) == 6
    said = {words[0]: run(site, *words) for words in given}
    assert "duel       Duel" in said["games"]
    assert "4+" in said["chart"]
    assert "1/2" in said["odds"]
    assert "is ready" in said["table"]
    assert set(json.loads(said["describe"])["asks"]) == {"far", "aim", "harm"}


def test_a_table_of_the_example_is_played_to_its_end(site: Path) -> None:
    play = """
import sys
from pathlib import Path
from companion.game.tables import Tables
tables = Tables(Path(sys.argv[1]))
table = tables.new("duel")
while not table.due().over:
    table.open("fire", seat="host")
    table.answer("far", "no", seat="host")
    table.answer("aim", {"white": 6}, seat="host")
    table.answer("harm", {"red": 6}, seat="host")
print(table.state.hits)
"""
    env = os.environ | {"PYTHONPATH": f"{site}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-c", play, str(site / "played")]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "{'ann': 2, 'bob': 4}", done.stderr


def test_the_other_code_runs_as_it_stands(site: Path) -> None:
    env = os.environ | {"PYTHONPATH": f"{site}{os.pathsep}{ROOT}"}
    others = [block.text for block in PYTHON if "/" not in block.name]
    assert len(others) == 4
    for text in others:
        command = [sys.executable, "-c", text]
        done = subprocess.run(command, cwd=site, env=env, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr


def test_the_example_printer_keeps_the_promise_of_a_printer() -> None:
    space: dict[str, Any] = {}
    exec(next(block.text for block in PYTHON if "class Basket" in block.text), space)
    basket: Printer = space["Basket"]()
    with pytest.raises(PrinterOff) as refused:
        basket.write(b"slip", 1.0)
    assert refused.value.sent == 0
    basket.open()
    gone: list[int] = []
    basket.write(b"slip", 1.0, gone.append)
    assert basket.jobs == [b"slip"]  # type: ignore[attr-defined]
    assert gone == [4]
    assert basket.status(1.0).paper == "ok"


def test_the_example_pack_can_be_used(tmp_path: Path) -> None:
    (block,) = [block for block in blocks(PAGE, "toml") if block.name == "pack"]
    file = tmp_path / "club.toml"
    file.write_text(block.text)
    pack = own.read(file)
    assert (pack.name, len(pack.cells), pack.doubts) == ("Club panels", 1, ())
