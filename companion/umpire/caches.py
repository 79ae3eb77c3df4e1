"""What the umpire remembers between questions, all of it derived: forgetting costs time and nothing else."""

from __future__ import annotations

from companion.umpire import readings
from companion.umpire.dice import _sides, _words

_CACHES = (
    _words,
    _sides,
    readings._natural,
    readings._sums,
    readings.test_reading,
    readings.table_reading,
    readings.total_reading,
    readings.hits_reading,
    readings.roll_reading,
    readings.pick_reading,
)


def clear_caches() -> None:
    """Forget every reading, so that the next question starts cold."""
    for cache in _CACHES:
        cache.cache_clear()
