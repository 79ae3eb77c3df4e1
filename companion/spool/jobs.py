"""A print job as the rest of Companion sees it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal

import msgspec

from companion.umpire.errors import CompanionError

State = Literal["queued", "sending", "printed", "held", "failed", "void"]
Answer = Literal["yes", "no", "again"]
Mark = Literal["", "COPY", "REPRINT"]


class SpoolError(CompanionError, ValueError): ...


class NoSuchJob(SpoolError): ...


class SpoolStorage(SpoolError): ...


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """One slip, page or test print on its way to one printer.

    `source` is whatever the renderer needs to draw it again (a document or a reference to one), never a
    picture; None once it is too old to be printed again. `note` says in words what it waits for or what
    became of it; a held job's note is the question to be put to the operator. `mark` is what a second paper
    carries across its head.
    """

    id: int
    key: str
    printer: str
    kind: str
    title: str
    source: bytes | None
    state: State
    note: str = ""
    mark: Mark = ""
    copy_of: int | None = None
    submitted: float = 0.0
    changed: float = 0.0
    waited: bool = False
    cuts: int = 0
    sent: int = 0
    size: int = 0
    remarks: str = ""

    @property
    def banner(self) -> str:
        """The words across the head: the mark, and the first time where the paper comes late or again."""
        if not self.mark and not self.waited:
            return ""
        first = time.strftime("%d %b %H:%M", time.localtime(self.submitted))
        return f"{self.mark or 'LATE'} of {first}"


class Rendering(msgspec.Struct, frozen=True):
    """The bytes for a printer, and what had to be replaced or left out, for the job's record."""

    data: bytes
    remarks: str = ""


Renderer = Callable[[Job, str], Rendering]
"""Draws a job with a banner for its printer, at the moment of sending."""


class PrinterState(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a printer, without asking it: this never waits."""

    name: str
    text: str
    online: bool | None = None
    paper: str = "unknown"
    cover_open: bool | None = None
    queued: int = 0
    held: int = 0
    job: int | None = None
    sent: int = 0
    size: int = 0
    stuck: bool = False
