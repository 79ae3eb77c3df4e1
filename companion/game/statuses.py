"""How a command ended, as a number: the exit statuses of the command line and of the local socket."""

from __future__ import annotations

DONE, USAGE, ILLEGAL, MISSING, DEVICE, TOO_LARGE = 0, 2, 3, 4, 5, 6


def status_of(error: Exception) -> int | None:
    """The status of an error that has a sentence for the player; None for a fault of the program."""
    from companion.game import errors

    kinds: tuple[tuple[type[Exception], int], ...] = (
        (errors.Illegal, ILLEGAL),
        (errors.Missing, MISSING),
        (errors.TooLarge, TOO_LARGE),
        (errors.FolderInUse, DEVICE),
        (errors.StorageFailed, DEVICE),
        (errors.CompanionError, USAGE),
    )
    return next((status for kind, status in kinds if isinstance(error, kind)), None)
