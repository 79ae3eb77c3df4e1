"""One thing that the doctor has to say."""

from __future__ import annotations

from typing import Literal

import msgspec

Rank = Literal["trouble", "warning", "note"]
"""`trouble` stops a part of Companion, `warning` may do so at a bad moment, `note` is good to know."""


class Finding(msgspec.Struct, frozen=True):
    """A cause in one sentence, and what to do about it in another."""

    trap: str
    rank: Rank
    cause: str
    fix: str
