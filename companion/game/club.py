"""The club: pilots who live across games, with their licences, as the last game that they flew in left them."""

from __future__ import annotations

from typing import Any

from companion.game.journal import CLUB, Journal
from companion.game.table import Table

Licence = dict[str, Any]


class Club:
    """The roster, kept in the journal's club stream: what each table hands in, and who is to be forgotten."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._pilots: dict[tuple[str, str], Licence] = {}
        self._of_tables: dict[str, list[Licence]] = {}
        self._read = 0

    def pilots(self, game: str) -> list[Licence]:
        """The licences of a game's pilots, in the form of its set-up."""
        self._catch_up()
        return [dict(licence) for (of, _), licence in self._pilots.items() if of == game]

    def follow(self, table: Table) -> None:
        """Take the roster of a game that is over or put away."""
        if hasattr(table.game, "roster") and (table.put_away or table.due().over):
            self.take(table)

    def take(self, table: Table) -> None:
        """Take the roster as it is now; one that this table has handed in already changes nothing."""
        roster = getattr(table.game, "roster", None)
        self._catch_up()
        if roster is None or self._of_tables.get(table.key) == (pilots := roster(table.state)):
            return
        self._journal.append(CLUB, ("roster", {"game": table.game.key, "table": table.key, "pilots": pilots}))

    def forget(self, game: str, name: str) -> bool:
        """Strike a pilot off the roster; whether there was one of that name. The next licence is a first one."""
        self._catch_up()
        known = (game, name) in self._pilots
        if known:
            self._journal.append(CLUB, ("forgotten", {"game": game, "name": name}))
        return known

    def setup_again(self, table: Table) -> dict[str, Any]:
        """The set-up of a table once more: the same pilots with the licences that they have now."""
        muster = getattr(table.game, "muster", None)
        if muster is None:
            return table.setup
        self.take(table)
        again: dict[str, Any] = muster(table.setup, self.pilots(table.game.key))
        return again

    def _catch_up(self) -> None:
        if self._journal.head(CLUB)[0] == self._read:
            return
        for entry in self._journal.entries(CLUB):
            if entry.n > self._read:
                self._read = entry.n
                self._fold(entry.kind, entry.body)

    def _fold(self, kind: str, body: dict[str, Any]) -> None:
        if kind == "roster":
            self._of_tables[body["table"]] = body["pilots"]
            self._pilots |= {(body["game"], licence["name"]): licence for licence in body["pilots"]}
        elif kind == "forgotten":
            self._pilots.pop((body["game"], body["name"]), None)
