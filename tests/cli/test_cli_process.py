"""The installed command as other programs run it: statuses, pipes, and terminals that know only ASCII."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.cli.rig import out, run

COMMAND = str(Path(sys.executable).with_name("companion"))
LOSS = ("resolve", "fastplay.crash_landing", "pilot=Bob")


def process(*words: str, given: bytes = b"", **env: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([COMMAND, *words], input=given, capture_output=True, timeout=60, env=os.environ | env)


@pytest.mark.parametrize(
    ("words", "given", "status"),
    [
        ((*LOSS, "--roll", "--seed", "1", "--out", "-"), b"", 0),
        ((*LOSS, "--in", "-", "--out", "-"), b"nonsense", 2),
        (("resolve", "aod.fire", "--in", "-", "--out", "-"), b'{"answers": [{"role": "tilt", "fact": ["opposite"]}, '
         b'{"role": "position", "fact": "A 2d"}]}', 3),
        ((*LOSS, "--out", "-"), b"", 4),
    ],
)  # fmt: skip
def test_the_status_says_how_it_ended_and_json_says_why(words: tuple[str, ...], given: bytes, status: int) -> None:
    done = process(*words, given=given)
    assert done.returncode == status
    key = {0: "result", 2: "error", 3: "violations", 4: "asks"}[status]
    assert key in json.loads(done.stdout)
    assert done.stderr.count(b"\n") == (status != 0)


def test_a_device_that_is_not_there_is_status_five() -> None:
    done = process("dice", "teach", "/dev/serial/by-id/nothing")
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (5, b"", 1)


def test_odds_that_are_too_many_are_status_six(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("companion.umpire.odds"), "LIMIT", 100)
    planes = json.dumps([{"pilot": f"P{n}"} for n in range(8)])
    said = out("odds", "fastplay.shot_down", f"planes={planes}", "--out", "-", status=6)
    assert said["status"] == 6
    assert "more than" in said["error"]
    assert (
        len(out("odds", "fastplay.shot_down", f"planes={planes[: planes.index('}')]}}}]", "--out", "-")["outcomes"])
        == 2
    )


def test_a_seed_gives_the_same_bytes_in_every_process() -> None:
    words = (*LOSS, "--roll", "--seed", "12", "--out", "-")
    hashes = [process(*words, PYTHONHASHSEED=str(n)).stdout for n in (1, 2)]
    assert hashes[0] == hashes[1] == run(*words).stdout_bytes


def test_whoever_closes_the_pipe_hears_no_complaint() -> None:
    with subprocess.Popen([COMMAND, "chart", "all"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        streams: Any = running
        streams.stdout.close()
        assert streams.stderr.read() == b""
        assert running.wait(30) in (0, 1)


def test_a_terminal_without_a_dagger_gets_the_rest() -> None:
    done = process("chart", "aod", "dots", PYTHONIOENCODING="latin-1")
    assert done.returncode == 0
    assert b"3?" in done.stdout


def test_lines_come_out_as_they_go_in() -> None:
    """A program may keep the command running and ask case by case."""
    with subprocess.Popen(
        [COMMAND, *LOSS, "--roll", "--lines"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as running:
        streams: Any = running
        for _ in range(3):
            streams.stdin.write(b"{}\n")
            streams.stdin.flush()
            assert "result" in json.loads(streams.stdout.readline())
        streams.stdin.close()
        assert running.wait(30) == 0


def test_a_fault_of_the_program_is_one_sentence_too(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import companion.game.registry as r\nr.keys = lambda: 1 / 0\n", encoding="utf-8"
    )
    done = process("games", PYTHONPATH=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.count(b"\n") == 1
    assert done.stderr.startswith(b"A fault of Companion itself (ZeroDivisionError")
