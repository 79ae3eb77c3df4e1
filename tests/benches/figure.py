"""One line of the bench: what was measured, ours and the rival's, and whether the limit holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median
from time import process_time


@dataclass(frozen=True, slots=True)
class Figure:
    """`ours` and `rival` in `unit`; `ratio` is rival by ours (ours alone where there is no rival) against `limit`."""

    name: str
    ours: float
    rival: float | None
    ratio: float
    limit: float
    unit: str
    ok: bool

    def __str__(self) -> str:
        beside = "" if self.rival is None else f", rival {self.rival:.4g} {self.unit}"
        verdict = "ok" if self.ok else "TOO SLOW"
        ratio = f"ratio {self.ratio:.2f} (limit {self.limit:g}) {verdict}"
        return f"{self.name}: ours {self.ours:.4g} {self.unit}{beside}, {ratio}"


def faster(name: str, ours: float, rival: float, least: float, unit: str = "ms") -> Figure:
    """At least `least` times as fast as the rival."""
    return Figure(name, ours, rival, rival / ours, least, unit, rival / ours >= least)


def within(name: str, ours: float, most: float, unit: str) -> Figure:
    """No more than `most`."""
    return Figure(name, ours, None, ours, most, unit, ours <= most)


def alternate(runs: Mapping[str, Callable[[], object]], rounds: int = 25) -> dict[str, float]:
    """Milliseconds of each, taken in turn on a machine that has other things to do: the median of the best third."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            begin = process_time()
            run()
            times[name].append((process_time() - begin) * 1000)
    return {name: median(sorted(taken)[: max(1, rounds // 3)]) for name, taken in times.items()}
