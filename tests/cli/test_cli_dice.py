"""`dice watch|teach|fairness` with a tower and a stranger's die on pseudo terminals."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import tomllib
import tty
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.game.errors import Illegal
from companion.game.table import HOST, Table
from companion.game.tables import Tables
from drivers.dice.virtual import VirtualTower
from tests.cli.rig import out, run
from tests.e2e.daemon import running


@pytest.fixture
def tower(tmp_path: Path) -> Iterator[VirtualTower]:
    running = VirtualTower(tmp_path / "usb-tower", throws_itself=False)
    running.start()
    yield running
    running.stop()


def test_watch_says_what_a_tower_says(tower: VirtualTower, tmp_path: Path) -> None:
    config = tmp_path / "companion.toml"
    config.write_text(f'[[dice]]\nname = "Oak"\nport = "{tmp_path}/usb-tower"\nformat = "cd1"\n')
    stopping = threading.Event()

    def keep_throwing() -> None:
        while not stopping.wait(0.1):
            tower.throw({"w": 3, "r": 5})

    thrower = threading.Thread(target=keep_throwing)
    thrower.start()
    result = run("dice", "watch", "Oak", "--seconds", "2", "--config", str(config))
    stopping.set()
    thrower.join()
    assert result.exit_code == 0
    assert "Oak: " in result.stdout
    assert "w 3, r 5" in result.stdout


def test_watch_hears_a_port_that_the_daemon_holds(tower: VirtualTower, tmp_path: Path) -> None:
    """One program alone may open the port: the daemon passes on what comes, and plays on."""
    oak = f'[[dice]]\nname = "Oak"\nport = "{tmp_path}/usb-tower"\nformat = "cd1"\n'
    with running(tmp_path / "daemon", oak) as daemon:
        data = ("--data", str(tmp_path / "daemon/data"))
        command = [sys.executable, "-m", "companion", "dice", "watch", "Oak", *data]
        watching = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert watching.stdout
        assert "Oak: Oak is" in watching.stdout.readline()
        tower.throw({"w": 3, "r": 5})
        while "w 3, r 5" not in (line := watching.stdout.readline()):
            assert line, "the daemon hung up"
        unknown = run("dice", "watch", "Elm", *data)
        assert (unknown.exit_code, unknown.stderr) == (2, "There are no dice called 'Elm'; there is Oak.\n")
        assert run("dice", "watch", "--seconds", "0", *data).exit_code == 0
        assert daemon.stop() == 0
        assert watching.wait(20) == 0


def test_watch_names_the_dice_that_there_are(tmp_path: Path) -> None:
    config = tmp_path / "companion.toml"
    config.write_text('[[dice]]\nname = "Oak"\nport = "/dev/none"\n')
    unknown = run("dice", "watch", "Elm", "--config", str(config))
    assert (unknown.exit_code, unknown.stderr) == (2, "There are no dice called 'Elm'; there is Oak.\n")
    assert run("dice", "watch", "--seconds", "0").exit_code == 2


class Die:
    """A die that writes a line for each face it is told to show, as soon as somebody presses Enter for it."""

    def __init__(self, words: str) -> None:
        self.words = words
        self.master, slave = os.openpty()
        tty.setraw(slave)
        self.node = os.ttyname(slave)
        self._slave = slave

    def show(self, face: int) -> None:
        os.write(self.master, self.words.format(face).encode())

    def close(self) -> None:
        os.close(self.master)
        os.close(self._slave)


@pytest.fixture
def taught(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Runs the lesson with a die that writes these words, one face for each prompt."""
    made: list[Die] = []

    def lesson(words: str, *faces: int) -> Any:
        die = Die(words)
        made.append(die)
        shown = iter(faces)

        def enter(*_: object, **__: object) -> str:
            die.show(next(shown))
            return ""

        monkeypatch.setattr("click.prompt", enter)
        return run("dice", "teach", die.node, "--name", "Oak", "--faces", ",".join(map(str, faces)))

    yield lesson
    for die in made:
        die.close()


def test_teach_prints_settings_that_read_the_same_die(taught: Any, tmp_path: Path) -> None:
    from companion.config import load
    from companion.sources import form_of

    result = taught("\r\nYou rolled a [{}]!\r\n", 1, 2, 3, 4, 5, 6)
    assert result.exit_code == 0, result.stderr
    config = tmp_path / "companion.toml"
    config.write_text(result.stdout)
    assert tomllib.loads(result.stdout)["dice"][0]["name"] == "Oak"
    parsed: Any = form_of(load(config).dice[0]).parse("You rolled a [4]!")
    assert [face.value for face in parsed.faces] == [4]


def test_teach_learns_each_die_of_a_tower_by_one_throw(monkeypatch: pytest.MonkeyPatch) -> None:
    die = Die("")
    says = iter([("", b"w: 3\r\n"), ("", b"w: 5\r\n"), ("", b"w: 1\r\n"), ("17", b"t: 17\r\n")])

    def enter(*_: object, **__: object) -> str:
        typed, line = next(says)
        os.write(die.master, line)
        return typed

    monkeypatch.setattr("click.prompt", enter)
    result = run("dice", "teach", die.node, "--name", "Ash", "--faces", "3,5,1", "--also", "d20")
    die.close()
    assert result.exit_code == 0, result.stderr
    assert tomllib.loads(result.stdout)["dice"][0]["dice"] == {"w": "d6", "t": "d20"}


def test_teach_knows_a_tower_of_ours_without_a_throw(tower: VirtualTower, tmp_path: Path) -> None:
    result = run("dice", "teach", f"{tmp_path}/usb-tower", "--name", "Oak")
    assert result.exit_code == 0, result.stderr
    assert "nothing to teach" in result.stderr
    assert tomllib.loads(result.stdout)["dice"] == [{"name": "Oak", "port": f"{tmp_path}/usb-tower"}]


def test_teach_says_why_it_cannot_tell(taught: Any) -> None:
    too_few = taught("\r\n{}\r\n", 1, 2)
    assert (too_few.exit_code, too_few.stdout) == (2, "")
    assert "at least 3" in too_few.stderr


def test_a_port_that_is_not_there_is_a_device_that_failed() -> None:
    missing = run("dice", "teach", "/dev/serial/by-id/nothing")
    assert (missing.exit_code, missing.stderr.count("\n")) == (5, 1)
    assert run("dice", "teach", "nonsense").exit_code == 5


def test_fairness_counts_what_each_source_threw(tmp_path: Path) -> None:
    tables = Tables(tmp_path / "data")
    thrown = {"Oak": 0, "Ash": 0}
    for seed in range(3, 6):  # a game may be over soon
        throw_sixes(tables.new("aod"), Random(seed), thrown)
    tables.close()
    words = ("dice", "fairness", "--data", str(tmp_path / "data"))
    rows = out(*words, "--out", "-")
    assert min(thrown.values()) > 0
    assert {s: sum(r["throws"] for r in rows if r["source"] == s) for s in thrown} == thrown
    assert {r["verdict"] for r in rows if r["throws"] >= 12 and r["kind"] == "d6"} <= {"not fair"}
    assert all(line.startswith("Oak, ") for line in run(*words, "Oak").stdout.splitlines())


def throw_sixes(table: Table, rng: Random, thrown: dict[str, int]) -> None:
    """Acts at random, what the rules forbid taken back; two sources throw in turn, every plain die a six."""
    for n in range(40):
        source = ("Oak", "Ash")[n % 2]
        able = [a.key for a in table.due().acts if not a.barred]
        if not able:
            return
        try:
            table.open(rng.choice(able), seat=HOST)
            while table.asks:
                thrown[source] += answer_with_six(table, rng, source)
        except Illegal:
            if table.current:
                table.undo(seat=HOST)


def answer_with_six(table: Table, rng: Random, source: str) -> int:
    """How many dice were thrown whose sides are all different."""
    ask = table.asks[0]
    if ask.dice is None:
        table.answer(ask.address, ask.space.pick(rng), seat=HOST)  # type: ignore[union-attr]
        return 0
    faces = {s.name: "6" if s.die.is_plain else rng.choice(s.die.names) for s in ask.dice.slots}
    table.answer(ask.address, faces, seat=HOST, source=source)
    return len([s for s in ask.dice.slots if len(s.die.names) == len(s.die.faces)])
