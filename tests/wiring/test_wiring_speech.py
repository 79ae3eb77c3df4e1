"""Speech through a program called espeak-ng, here one that only writes down what it is to say; and silence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion import speech
from companion.config import Config, DiceConfig
from companion.game.table import Table
from tests.e2e.daemon import until
from tests.game.test_engagements import play
from tests.wiring.rig import burst, in_worker, working


@pytest.fixture
def spoken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What was said, a line a sentence."""
    said, folder = tmp_path / "said", tmp_path / "bin"
    folder.mkdir()
    program = folder / speech.PROGRAM
    program.write_text(f'#!/bin/sh\n[ "$*" = --stdin ] && {{ cat; echo; }} >> "{said}"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    said.touch()
    return said


def test_throws_and_results_are_spoken_where_the_table_wants_it(tmp_path: Path, spoken: Path) -> None:
    with working(tmp_path, Config()) as machine:
        table: Table = in_worker(machine, lambda: machine.tables.new("aod"))
        in_worker(machine, lambda: play(table, "throttle:3"))
        in_worker(machine, lambda: table.adjust({"speech": "on"}, seat="host"))
        burst(machine)
        until(lambda: "Targeting, position A: throw white d6" in spoken.read_text(), what="the throw to be spoken")
        in_worker(machine, lambda: table.answer(table.asks[0].address, [1], seat="host"))
        until(lambda: "Spitfire Mk IX (11): MISS." in spoken.read_text(), what="the result to be spoken")
        in_worker(machine, lambda: table.adjust({"sound": "silent"}, seat="host"))
        before = spoken.read_text()
        in_worker(machine, lambda: play(table, "throttle:4"))
        machine.voice.say("The end")
        until(lambda: "The end" in spoken.read_text(), what="the voice to be still there")
        assert spoken.read_text() == before + "The end\n"
    assert "full throttle" not in spoken.read_text().split("Targeting")[0]


def test_nothing_hidden_is_spoken_and_nothing_twice(tmp_path: Path, spoken: Path) -> None:
    with working(tmp_path, Config()) as machine:
        table: Table = in_worker(machine, lambda: machine.tables.new("rotl"))
        in_worker(machine, lambda: table.adjust({"speech": "on"}, seat="host"))
        act = in_worker(machine, lambda: table.due().acts[0].key)
        in_worker(machine, lambda: table.open(act, seat="host"))
        assert speech.sentence(table) == ""
        in_worker(machine, lambda: table.adjust({"odds": "off"}, seat="host"))
    assert spoken.read_text() == ""


def test_without_espeak_nothing_waits_to_be_spoken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    voice = speech.Voice()
    voice.say("Nobody hears this")
    voice.stop()
    assert voice._thread is None


def test_a_silent_table_keeps_the_buzzer_of_its_dice_still(tmp_path: Path) -> None:
    settings = Config(dice=[DiceConfig("buttons", "gpio", pins={"roll": 5, "buzzer": 6})])
    with working(tmp_path, settings) as machine:
        table: Table = in_worker(machine, lambda: machine.tables.new("aod"))
        for sound in ("silent", "on"):
            in_worker(machine, lambda sound=sound: table.adjust({"sound": sound}, seat="host"))
            assert machine.sources["buttons"].silent == (sound == "silent")  # type: ignore[attr-defined]
