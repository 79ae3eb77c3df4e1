"""A spool with quick pauses, and slips that say who they are."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.spool import Job, Pace, Rendering, Spool
from drivers.printers import Printer

QUICK = Pace(first_pause=0.05, longest_pause=0.2, paper=0.05, idle_look=3600, status=2, silence=2, settle=0)


def slip(job: Job, banner: str) -> Rendering:
    """Reset, banner, title, the source as text, feed and cut."""
    head = f"** {banner} **\n" if banner else ""
    body = f"{head}{job.title}\n".encode() + (job.source or b"")
    return Rendering(b"\x1b@" + body + b"\n\x1dVA\x03")


@contextmanager
def spooling(
    base: Path, *printers: Printer, render: Callable[[Job, str], Rendering] = slip, pace: Pace = QUICK
) -> Iterator[Spool]:
    spool = Spool(base / "companion.db", printers, render, pace=pace)
    spool.start()
    try:
        yield spool
    finally:
        assert spool.close()


def until(happened: Callable[[], bool], deadline_s: float = 30.0) -> bool:
    """Wait for a condition; whether it came about in time."""
    end = time.monotonic() + deadline_s
    while not happened():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


def state(spool: Spool, number: int, *wanted: str, deadline_s: float = 30.0) -> bool:
    """Wait until a job is in one of these states."""
    return until(lambda: spool.job(number).state in wanted, deadline_s)
