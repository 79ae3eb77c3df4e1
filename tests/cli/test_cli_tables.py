"""`table`, `backup`, `restore`: with and without a daemon that owns the folder."""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion import local
from companion.game import commands
from companion.game.table import HOST, Table
from companion.game.tables import Tables
from tests.cli.rig import out, run

GAME = "fastplay"


def play(table: Table, acts: int) -> None:
    """Some acts, the first that may be done each, answered at random from a fixed seed."""
    rng = Random(7)
    for _ in range(acts):
        table.open(next(a.key for a in table.due().acts if not a.barred), seat=HOST)
        while table.asks:
            ask = table.asks[0]
            faces = [rng.choice(s.die.names) for s in ask.dice.slots] if ask.dice else None
            table.answer(ask.address, faces or ask.space.pick(rng), seat=HOST)  # type: ignore[union-attr]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two tables; some acts were played at the first, Elm."""
    made = tmp_path / "data"
    tables = Tables(made)
    tables.new(GAME, name="Oak")
    play(tables.new(GAME, name="Elm"), 3)
    tables.close()
    return made


@pytest.fixture
def words(folder: Path) -> tuple[str, str]:
    return "--data", str(folder)


def test_a_table_is_begun_listed_and_shown(words: tuple[str, str]) -> None:
    made = out("table", "new", GAME, "--name", "Ash", "--switch", "mat=false", *words, "--out", "-")
    assert [r["name"] for r in out("table", "list", *words, "--out", "-")] == ["Ash", "Elm", "Oak"]
    assert out("table", "show", made["table"], *words, "--out", "-")["switches"] == ["Companion keeps the hexes"]
    assert "table Elm" in run("table", "show", "elm", *words).stdout


def test_a_wrong_table_game_or_switch_is_one_sentence(words: tuple[str, str], tmp_path: Path) -> None:
    for wrong in (
        ("table", "show", "Yew", *words),
        ("table", "new", "chess", *words),
        ("table", "new", GAME, "--switch", "turbo=1", *words),
        ("table", "new", GAME, "--preset", "turbo", *words),
        ("table", "list", "--data", str(tmp_path / "nowhere")),
        ("table", "import", "/nowhere", *words),
        ("table", "amend", "Elm", "99", "fire", "{}", "--reason", "seen", *words),
        ("table", "rule", "Elm", "--reason", "so", "--changes", "{", *words),
    ):
        result = run(*wrong)
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1), wrong
    assert not (tmp_path / "nowhere").exists()


def test_acts_are_taken_back_and_brought_again(words: tuple[str, str]) -> None:
    before = out("table", "show", "Elm", *words, "--out", "-")["view"]
    assert len(out("table", "undo", "Elm", "--acts", "2", *words, "--out", "-")["acts"]) == 2
    assert out("table", "show", "Elm", *words, "--out", "-")["view"] != before
    run("table", "undo", "Elm", "--redo", *words)
    assert out("table", "show", "Elm", *words, "--out", "-")["view"] == before


def test_a_result_is_ruled_by_hand_with_its_reason(words: tuple[str, str]) -> None:
    number = out("table", "show", "Elm", *words, "--out", "-")["last"]["number"]
    run("table", "rule", "Elm", "--number", str(number), "--word", "AGREED", "--reason", "both say so", *words)
    last = out("table", "show", "Elm", *words, "--out", "-")["last"]
    assert (last["word"], last["ruling"]["reason"]) == ("AGREED", "both say so")
    assert run("table", "rule", "Elm", *words).exit_code == 2


def test_a_table_goes_to_another_folder_and_is_proved_there(words: tuple[str, str], tmp_path: Path) -> None:
    file, there = tmp_path / "elm.jsonl", ("--data", str(tmp_path / "there"))
    assert run("table", "export", "Elm", *words, "--out", str(file)).exit_code == 0
    assert run("table", "import", str(file), *there).exit_code == 0
    here, moved = (out("table", "verify", "Elm", *w, "--out", "-") for w in (words, there))
    assert here == moved
    assert (here["acts"], here["differences"]) == (3, [])


def test_a_changed_export_is_refused(words: tuple[str, str], tmp_path: Path) -> None:
    file = tmp_path / "elm.jsonl"
    run("table", "export", "Elm", *words, "--out", str(file))
    file.write_text(file.read_text().replace('"Elm"', '"Eln"'))
    refused = run("table", "import", str(file), "--data", str(tmp_path / "there"))
    assert refused.exit_code == 2
    assert refused.stderr == "Entry 1 of the file was changed or is missing.\n"


def test_a_backup_is_put_back_and_the_old_tables_are_kept(words: tuple[str, str], folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "all.db"
    assert run("backup", str(file), *words).exit_code == 0
    tables = [r["name"] for r in out("table", "list", *words, "--out", "-")]
    out("table", "new", GAME, "--name", "Later", *words, "--out", "-")
    assert run("restore", str(file), *words).exit_code == 0
    assert [r["name"] for r in out("table", "list", *words, "--out", "-")] == tables
    kept = next(folder.glob("companion-before-restore-*.db"))
    assert run("restore", str(kept), "--data", str(tmp_path / "old")).exit_code == 0
    assert "Later" in [r["name"] for r in out("table", "list", "--data", str(tmp_path / "old"), "--out", "-")]


def test_a_backup_takes_packs_and_settings_along(words: tuple[str, str], folder: Path, tmp_path: Path) -> None:
    (folder / "packs").mkdir()
    (folder / "packs/ours.toml").write_text("x")
    settings = tmp_path / "etc.toml"
    settings.write_text("hold = 2\n")
    file, there = tmp_path / "all.db", ("--data", str(tmp_path / "there"))
    made = run("backup", str(file), *words, "--config", str(settings))
    assert "packs/ours.toml, settings.toml" in made.output
    restored = run("restore", str(file), *there)
    assert (tmp_path / "there/packs/ours.toml").read_text() == "x"
    assert "no settings file was named with --config" in restored.output


def test_what_is_no_backup_is_refused_and_changes_nothing(words: tuple[str, str], folder: Path, tmp_path: Path) -> None:
    for content in (b"", b"not a database", b"SQLite format 3\x00" + b"\x00" * 5000):
        (tmp_path / "bad.db").write_bytes(content)
        result = run("restore", str(tmp_path / "bad.db"), *words)
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert len(out("table", "list", *words, "--out", "-")) == 2
    assert not list(folder.glob("companion-*"))


def test_a_backup_that_was_written_in_is_refused(words: tuple[str, str], tmp_path: Path) -> None:
    run("backup", str(tmp_path / "all.db"), *words)
    with closing(sqlite3.connect(tmp_path / "all.db")) as db:
        db.execute("UPDATE entries SET body = replace(body, 'Elm', 'Eln') WHERE n = 1")
        db.commit()
    refused = run("restore", str(tmp_path / "all.db"), *words)
    assert refused.exit_code == 2
    assert "was changed: entry 1 of table" in refused.stderr


# --- with a daemon


@pytest.fixture
def daemon(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "companion", "serve", "--data", str(folder), "--port", str(port)]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    until = time.monotonic() + 30
    while not (folder / local.NAME).exists():
        assert time.monotonic() < until, "the daemon took no commands within 30 seconds"
        assert running.poll() is None, running.stderr and running.stderr.read()
        time.sleep(0.05)
    yield running
    running.kill()
    running.communicate()


def test_commands_go_to_the_daemon_and_only_its_owner_may_give_them(
    daemon: subprocess.Popen[bytes], words: tuple[str, str], folder: Path, tmp_path: Path
) -> None:
    assert stat.S_IMODE(os.stat(folder / local.NAME).st_mode) == 0o600
    out("table", "new", GAME, "--name", "Ash", *words, "--out", "-")
    assert [r["name"] for r in out("table", "list", *words, "--out", "-")] == ["Ash", "Elm", "Oak"]
    assert run("table", "show", "Yew", *words).exit_code == 2
    assert run("backup", str(tmp_path / "all.db"), *words).exit_code == 0
    owned = run("restore", str(tmp_path / "all.db"), *words)
    assert owned.exit_code == 5
    assert "in use" in owned.stderr
    for raw in (b"", b"{}\n", b'{"do": 3}\n', b"\xff\n", b'{"do": "table.show", "args": {"nothing": 1}}\n'):
        assert "error" in _send(folder, raw)
    daemon.send_signal(signal.SIGTERM)
    assert daemon.wait(20) == 0
    assert not (folder / local.NAME).exists()
    assert len(out("table", "list", *words, "--out", "-")) == 3


def _send(folder: Path, raw: bytes) -> Any:
    here = os.getcwd()
    with socket.socket(socket.AF_UNIX) as line:
        os.chdir(folder)
        try:
            line.connect(local.NAME)
        finally:
            os.chdir(here)
        line.settimeout(10)
        line.sendall(raw)
        line.shutdown(socket.SHUT_WR)
        return json.loads(line.makefile("rb").readline())


def test_a_socket_that_a_dead_daemon_left_is_no_hindrance(words: tuple[str, str], folder: Path) -> None:
    with socket.socket(socket.AF_UNIX) as left:
        here = os.getcwd()
        os.chdir(folder)
        left.bind(local.NAME)
        os.chdir(here)
    assert len(out("table", "list", *words, "--out", "-")) == 2


def test_a_players_own_pack_is_kept_by_its_table_and_named(words: tuple[str, str], tmp_path: Path) -> None:
    pack = tmp_path / "bob.toml"
    pack.write_text('pack = "Bob\'s cards"\ngame = "aod"\n[cells.durability]\n"Spitfire Mk IX" = 9\n')
    out("table", "new", "aod", "--name", "Yew", "--pack", str(pack), *words, "--out", "-")
    assert out("table", "show", "Yew", *words, "--out", "-")["packs"] == ["Bob's cards"]
    tables = Tables(Path(words[1]))
    cell = commands.find(tables, "Yew").context.cells["durability", "Spitfire Mk IX"]
    tables.close()
    assert (cell.value, cell.source, cell.house) == (9, "Bob's cards", False)
    assert run("table", "new", GAME, "--pack", str(pack), *words).exit_code == 2


def test_a_switch_takes_only_what_the_game_knows(words: tuple[str, str]) -> None:
    wrong = run("table", "new", GAME, "--switch", "cards=radio", *words)
    assert wrong.exit_code == 2
    assert "choose phones, kiosk, table" in wrong.stderr
