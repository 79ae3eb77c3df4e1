"""Where an ammunition slider stands: half bursts, and rows of slots that are used again (4.2, 4.2.1, 4.6.6)."""

from msgspec import Struct

ROW = 8
"""Slots in a row of our own panels, a house value; longer rows are used again."""


class Slider(Struct, frozen=True):
    """The slot from the left, whether the slider lies hollow side up, whether the re-slide chit lies beside it."""

    slot: int
    hollow: bool = False
    chit: bool = False


def row_length(bursts: int, *, again: bool, printed: int = 0) -> int:
    """At most two passes over one row; where re-sliding is skipped every burst has a slot of its own.

    `printed` is the length on the player's own panel.
    """
    return min(bursts, max(printed or ROW, (bursts + 1) // 2)) if again else bursts


def slider(bursts: int, spent: int, row: int) -> Slider | None:
    """After so many half bursts; None once it is off the panel."""
    fired, half = divmod(spent, 2)
    if fired >= bursts:
        return None
    chit = fired >= row
    slot = fired + 1 if not chit else fired + 1 - (bursts - row)
    return Slider(slot, bool(half), chit)


def second_start(bursts: int, row: int) -> int | None:
    """The slot with two numbers, to which the slider returns; None where the row is long enough."""
    return None if bursts <= row else 2 * row - bursts + 1
