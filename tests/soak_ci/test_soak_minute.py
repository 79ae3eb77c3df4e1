"""The soak in a minute: nothing that was shown is lost, nothing is printed twice, state equals replay."""

from __future__ import annotations

from pathlib import Path

from tests.soak_ci.soak import Soak


def test_an_evening_in_a_minute(tmp_path: Path) -> None:
    soak = Soak(tmp_path, seconds=45, seed=20)
    books = soak.run()
    assert books.throws >= 45 * 2  # the machine that tests may be slow, but not asleep
    assert books.kills >= 1
    assert books.streams >= 20
    assert len(books.results) >= 3
    assert books.rolls
    assert soak.papers.texts
