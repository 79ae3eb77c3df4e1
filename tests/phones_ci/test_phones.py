"""Many phones on one Pi: all right after each burst, nobody starved. `tests/phones` tells how fast."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.daemon import running
from tests.loops import in_own_loop
from tests.phones_ci.phones import trial


def test_fifty_phones_follow_two_bursts(tmp_path: Path) -> None:
    with running(tmp_path) as daemon:
        found = in_own_loop(trial(daemon, 50, 2))
    assert [len(burst) for burst in found.late] == [50, 50]
    assert min(found.pages) >= 3  # at first, and after each burst
    assert found.loads >= 10
