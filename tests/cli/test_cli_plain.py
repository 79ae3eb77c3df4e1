"""What a host reads at the terminal: settings, games, a table in words, and how a command ends."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import ending, showing
from companion.config import PrinterConfig
from companion.game import registry
from companion.touched import write
from tests.cli.rig import out, run
from tests.e2e.daemon import ROOT, running

# --- settings


def test_config_tells_what_is_in_effect_and_no_secret(tmp_path: Path) -> None:
    settings, data = tmp_path / "companion.toml", tmp_path / "data"
    data.mkdir()
    settings.write_text(
        'port = 8123\npin = "4711"\nwifi_name = "Club"\n[[printers]]\nname = "till"\naddress = "usb:"\npaper = 80\n'
    )
    write(data, {"wifi_password": "spitfires", "printers": [{"name": "till", "columns": 42}]})
    told = run("config", "--config", str(settings), "--data", str(data))
    shown = json.loads(told.stdout)
    assert (shown["port"], shown["data"]) == (8123, str(data))
    assert (shown["pin"], shown["wifi_password"]) == ("set", "set")
    assert "4711" not in told.stdout + told.stderr
    assert "spitfires" not in told.stdout + told.stderr
    assert (shown["printers"][0]["paper"], shown["printers"][0]["columns"]) == (80, 42)
    assert PrinterConfig("till", "usb:").columns is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("prot = 1", "line 1"), ("port = 99999", "99999"), ("port = ", "TOML"),
        ('[[dice]]\nname = "a"\n[[dice]]\nname = "a"', "two dice are called 'a'"),
        ('[[dice]]\nname = "a"\nkind = "gpio"\npins = {roll = 5, lamp = 5}', "pin 5 is used by a.roll and by a.lamp"),
        ("back_offset_mm = [1.0, 50.0]", "back_offset_mm"),
    ],
)  # fmt: skip
def test_a_wrong_setting_is_one_sentence_with_its_place(text: str, said: str, tmp_path: Path) -> None:
    settings = tmp_path / "companion.toml"
    settings.write_text(text)
    told = run("config", "--config", str(settings))
    assert (told.exit_code, told.stdout) == (2, "")
    assert said in told.stderr or "companion.toml" in told.stderr
    assert told.stderr.count("\n") == 1


# --- games and tables


def test_games_and_their_procedures_are_listed(tmp_path: Path) -> None:
    assert [line.split()[0] for line in run("games").stdout.splitlines()] == sorted(registry.keys())
    told = run("procedures", "aod").stdout
    assert "aod.fire" in told
    assert "[4.5]" in told
    assert all(line in run("procedures").stdout for line in told.splitlines())
    assert run("procedures", "chess").exit_code == 2


def test_a_table_in_words_says_what_stands_where_what_is_open_and_what_may_be_done(tmp_path: Path) -> None:
    words = ("--data", str(tmp_path))
    run("table", "new", "aod", "--name", "Elm", *words)
    told = run("table", "show", "Elm", *words).stdout
    view = out("table", "show", "Elm", *words, "--out", "-")
    assert f"table Elm: {view['phase']}" in told
    for piece in view["view"]["pieces"]:
        assert f"  {piece['title']}: " in told
    assert "may " in told
    assert "not now: " in told or not [a for a in view["acts"] if a["barred"]]


def test_asks_are_told_with_the_ways_to_answer_them() -> None:
    space = {
        "options": [{"key": "a", "text": "one", "barred": None}, {"key": "b", "text": "two", "barred": {"text": "no"}}]
    }
    dice = [{"slot": "w", "faces": ["1", "2"]}]
    number = {"form": "number", "low": 1, "high": 6, "options": ()}
    asks = [
        {"address": "x", "text": "Which?", "rule": "1", "space": space},
        {"address": "y", "text": "Throw", "rule": "2", "dice": dice},
        {"address": "z", "text": "How many?", "rule": "3", "space": number},
        {"address": "v", "text": "Where?", "rule": "4", "space": {"example": "3-2"}},
    ]
    assert list(showing.resolved({"asks": asks})) == [
        "x: Which? [1]", "    a: one", "    b: two (not now: no)", "y: Throw [2]", "    w: 1, 2", "z: How many? [3]",
        "    1 to 6", "v: Where? [4]", "    such as 3-2",
    ]  # fmt: skip


def test_a_result_is_told_line_by_line_with_house_values_marked() -> None:
    data = {
        "lines": [{"text": "a", "rule": "1"}, {"text": "b", "rule": ""}],
        "changes": [{"text": "x takes 1", "when": "now"}, {"text": "y", "when": "round"}, {"text": "", "when": "now"}],
        "result": {"word": "HIT"},
        "house": ["far"],
    }
    assert list(showing.resolved(data)) == [
        "a [1]", "b", "-> x takes 1", "-> y (at: round)", 'Result: {"word":"HIT"}', f"{showing.HOUSE}: far",
    ]  # fmt: skip
    row = {"percent": 50.0, "numerator": 1, "denominator": 2, "result": "HIT"}
    assert list(showing.chances({"outcomes": [row, {**row, "option": "full"}]})) == [
        "  50.0 %              1/2  HIT", "  50.0 %              1/2  full: HIT",
    ]  # fmt: skip


# --- how it ends


def test_help_and_version_are_no_errors() -> None:
    assert "serve" in run("--help").stdout
    assert run("--version").stdout.startswith("companion ")
    assert run().exit_code == 2


def test_a_fault_of_the_program_is_one_sentence_and_not_a_wall_of_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken() -> int:
        raise ZeroDivisionError("a\nfault")

    monkeypatch.delenv(ending.DEBUG, raising=False)
    assert ending.of(["table", "--out", "-"], broken) == ending.FAULT
    said = capsys.readouterr()
    assert said.err == "A fault of Companion itself (ZeroDivisionError: a fault); set COMPANION_DEBUG=1 to see where.\n"
    assert json.loads(said.out)["status"] == ending.FAULT
    monkeypatch.setenv(ending.DEBUG, "1")
    with pytest.raises(ZeroDivisionError):
        ending.of([], broken)


def test_ctrl_c_and_a_reader_that_has_seen_enough_are_no_errors() -> None:
    def stopped() -> int:
        raise KeyboardInterrupt

    def left() -> int:
        raise SystemExit(3)

    assert ending.of([], stopped) == ending.STOPPED
    with pytest.raises(SystemExit):
        ending.of([], left)
    listed = f"{sys.executable} -m companion print | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", listed], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines()[1] == "0"
    assert "Error" not in done.stderr


# --- serve


def test_a_port_that_is_taken_is_said_and_is_a_device_that_failed(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "companion", "serve", "--port", str(port), "--data", str(tmp_path)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 5
    assert done.stderr.splitlines()[-1].startswith(f"Port {port} cannot be used (Address already in use)")


def test_a_second_copy_on_one_folder_is_refused(tmp_path: Path) -> None:
    with running(tmp_path) as daemon:
        other = [sys.executable, "-m", "companion", "serve", "--data", str(tmp_path / "data"), "--port", "9"]
        done = subprocess.run(other, cwd=ROOT, capture_output=True, text=True, timeout=60)
        assert done.returncode != 0
        assert done.stderr.count("\n") == 1
        assert daemon.stop() == 0


def test_a_demonstration_has_a_table_a_tower_and_a_printer_and_says_a_wrong_fault(tmp_path: Path) -> None:
    wrong = [sys.executable, "-m", "companion", "serve", "--data", str(tmp_path / "x"), "--faults", "tower.fog"]
    done = subprocess.run(wrong, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 5
    assert "has no fault 'fog'" in done.stderr
    with running(tmp_path, "", "--demo", "--faults", "tower.noise,printer.paper=low") as daemon:
        assert daemon.table()
        assert "printer Ash" in json.dumps(daemon.ask("GET", "/api/printers")[1])
        assert daemon.ask("POST", "/api/rehearsal", {"throw": {"w": 3}})[0] == 200
        assert daemon.stop() == 0
