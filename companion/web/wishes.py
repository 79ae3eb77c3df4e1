"""What one seat wishes and another has to agree to: an undo of what was shown, a ruling by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.game.errors import NotNow, NotYours
from companion.game.table import HOST, Table


@dataclass(frozen=True, slots=True)
class Wish:
    """`do` is called with the seat that agrees. A wish is over as soon as the table has changed."""

    seat: str
    text: str
    version: int
    do: Callable[[str], object]


class Wishes:
    """One wish a table at most; nothing is written before it is agreed to."""

    def __init__(self, tell: Callable[[Table], None]) -> None:
        self._wishes: dict[str, Wish] = {}
        self._counts: dict[str, int] = {}
        self._tell = tell

    def count(self, table: Table) -> int:
        """Rises with every wish, so that pages know when to read again."""
        return self._counts.get(table.key, 0)

    def of(self, table: Table) -> Wish | None:
        wish = self._wishes.get(table.key)
        return wish if wish and wish.version == table.version else None

    def ask(self, table: Table, seat: str, text: str, do: Callable[[str], object]) -> None:
        self._set(table, Wish(seat, text, table.version, do))

    def settle(self, table: Table, seat: str, *, agreed: bool) -> None:
        """The other side or the host agrees or not; the one who wished may take it back."""
        wish = self.of(table)
        if wish is None:
            raise NotNow("Nothing waits for an agreement now.")
        if agreed and not may_agree(table, wish, seat):
            raise NotYours("The other side or the host has to agree.")
        self._set(table, None)
        if agreed:
            wish.do(seat)

    def _set(self, table: Table, wish: Wish | None) -> None:
        self._wishes.pop(table.key, None)
        if wish:
            self._wishes[table.key] = wish
        self._counts[table.key] = self.count(table) + 1
        self._tell(table)


def may_agree(table: Table, wish: Wish, seat: str) -> bool:
    """The host, or a seat of another side."""
    sides = {s.key: s.side or s.key for s in table.game.seats(table.state)}
    return seat == HOST or (seat in sides and sides[seat] != sides.get(wish.seat, wish.seat))
