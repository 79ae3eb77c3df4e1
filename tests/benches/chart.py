"""A chart looked up from a cold start, `companion chart GAME WORDS`, against a Python that does nothing.

Each look-up is a new process on a warm page cache; the first one of all has filled the cache of charts.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import perf_counter

from tests.benches.figure import Figure

MOST = 6.0
ROUNDS = 15
LOOK_UPS = (("aod", "4.5.1"), ("fastplay", "crash"), ("otr", "torpedo"))


def measure() -> list[Figure]:
    with tempfile.TemporaryDirectory() as cache:
        return [_figure(words, os.environ | {"XDG_CACHE_HOME": cache}) for words in LOOK_UPS]


def _figure(words: Sequence[str], env: dict[str, str]) -> Figure:
    ours = [str(Path(sys.executable).with_name("companion")), "chart", *words]
    nothing = [sys.executable, "-c", "pass"]
    for command in (ours, nothing):
        assert subprocess.run(command, env=env, capture_output=True, check=True).stderr == b""
    taken = _in_turn([ours, nothing], env)
    ratio = taken[0] / taken[1]
    return Figure(f"companion chart {' '.join(words)}", taken[0], taken[1], ratio, MOST, "ms", ratio <= MOST)


def _in_turn(commands: Sequence[list[str]], env: dict[str, str]) -> list[float]:
    """Wall milliseconds of each: the median of the best third, since the machine has other things to do."""
    times: list[list[float]] = [[] for _ in commands]
    for _ in range(ROUNDS):
        for command, seen in zip(commands, times, strict=True):
            begin = perf_counter()
            subprocess.run(command, env=env, stdout=subprocess.DEVNULL, check=True)
            seen.append((perf_counter() - begin) * 1000)
    return [median(sorted(seen)[: ROUNDS // 3]) for seen in times]


if __name__ == "__main__":
    for figure in measure():
        print(figure)
