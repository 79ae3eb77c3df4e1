"""The soak in a minute: nothing that was shown is lost, nothing is printed twice, state equals replay."""

from __future__ import annotations

from pathlib import Path

from tests.soak_ci.soak import PRINTER, TOWER, Soak


def test_an_evening_in_a_minute(tmp_path: Path) -> None:
    soak = Soak(tmp_path, seconds=30, seed=20)
    books = soak.run()
    assert books.throws >= 30 * 2  # the machine that tests may be slow, but not asleep
    assert books.kills >= 1
    assert books.streams >= 20
    assert len(books.results) >= 3
    assert books.rolls
    assert books.faults.keys() & set(TOWER)
    assert books.faults.keys() & set(PRINTER)
    assert soak.papers.texts
