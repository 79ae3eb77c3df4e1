"""What the umpire remembers between questions, all of it derived: forgetting costs time and nothing else."""

from __future__ import annotations

from companion.umpire import readings
from companion.umpire.charts import _cell

_CACHES = (
    _cell,
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
