"""What can go wrong at a table or with its storage, each with one plain sentence."""

from __future__ import annotations

from companion.umpire import CompanionError, Illegal, Missing, TooLarge, Unused, UsageError


class StorageFailed(CompanionError, OSError):
    """The data folder cannot be written: nothing was saved and nothing counts."""


class FolderInUse(CompanionError, BlockingIOError):
    """Another Companion owns the data folder."""


class JournalDamaged(CompanionError, ValueError):
    """The journal does not fit its own hash chain or cannot be read."""


class NotNow(CompanionError, RuntimeError):
    """The table is not in a state for that."""


class NotYours(CompanionError, PermissionError):
    """This seat may not do that."""


class NoTable(CompanionError, LookupError):
    """There is no table of that name."""


class NoGame(CompanionError, LookupError):
    """There is no game of that name."""


__all__ = [
    "CompanionError",
    "FolderInUse",
    "Illegal",
    "JournalDamaged",
    "Missing",
    "NoGame",
    "NoTable",
    "NotNow",
    "NotYours",
    "StorageFailed",
    "TooLarge",
    "Unused",
    "UsageError",
]
