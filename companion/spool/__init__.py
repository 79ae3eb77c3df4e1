"""Print jobs: on the disk before they print, once on paper, and never in anybody's way."""

from companion.spool.jobs import (
    Answer,
    Job,
    Mark,
    NoSuchJob,
    PrinterState,
    Renderer,
    Rendering,
    SpoolError,
    SpoolStorage,
    State,
)
from companion.spool.spool import Spool
from companion.spool.worker import Pace

__all__ = [
    "Answer",
    "Job",
    "Mark",
    "NoSuchJob",
    "Pace",
    "PrinterState",
    "Renderer",
    "Rendering",
    "Spool",
    "SpoolError",
    "SpoolStorage",
    "State",
]
