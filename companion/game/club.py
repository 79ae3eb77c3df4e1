"""The club: pilots who live across games, with their licences, as the last game that they flew in left them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from typing import Any

from companion.game.errors import UsageError
from companion.game.journal import CLUB, Journal
from companion.game.table import Table

Licence = dict[str, Any]

COLUMNS = ("name", "side", "aircraft", "victories", "licence")
"""Of a list of pilots as a file."""

_NAME = re.compile(r"[^\W_][\w .,'’&()#/-]{0,23}")
"""A nickname as set-ups take it."""


class Club:
    """The roster, kept in the journal's club stream: what each table hands in, who is renamed and who forgotten."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._reset()

    def _reset(self) -> None:
        self._pilots: dict[tuple[str, str], Licence] = {}
        self._of_tables: dict[str, dict[str, Licence]] = {}
        self._names: dict[tuple[str, str], str] = {}
        """By table and name in that game: the name since then, '' for one who is forgotten."""
        self._read = 0

    def pilots(self, game: str) -> list[Licence]:
        """The licences of a game's pilots, in the form of its set-up; most victories first."""
        self._catch_up()
        found = [dict(licence) for (of, _), licence in self._pilots.items() if of == game]
        return sorted(found, key=lambda p: (-p["victories"], p["name"]))

    def follow(self, table: Table) -> None:
        """Take the roster of a game that is over or put away, and whatever changes in it afterwards."""
        if not hasattr(table.game, "roster"):
            return
        self._catch_up()
        if table.put_away or table.key in self._of_tables or table.due().over:
            self.take(table)

    def take(self, table: Table) -> None:
        """Take the roster as it is now; one that this table has handed in already changes nothing."""
        roster = getattr(table.game, "roster", None)
        self._catch_up()
        if roster is None:
            return
        pilots = roster(table.state)
        if self._of_tables.get(table.key) != _by_key(pilots):
            self._journal.append(CLUB, ("roster", {"game": table.game.key, "table": table.key, "pilots": pilots}))

    def rename(self, game: str, name: str, to: str) -> None:
        """Another nickname for the same licence, also for what games that exist already hand in later."""
        self._known(game, name)
        check_name(to)
        if (game, to) in self._pilots:
            raise UsageError(f"The club has a pilot {to} already; choose another name.")
        self._note("renamed", game, name, to=to)

    def forget(self, game: str, name: str) -> None:
        """Strike a pilot off the roster, for games that exist already too. The next licence is a first one."""
        self._known(game, name)
        self._note("forgotten", game, name)

    def _known(self, game: str, name: str) -> None:
        self._catch_up()
        if (game, name) not in self._pilots:
            raise UsageError(f"The club has no pilot {name[:40]!r}.")

    def _note(self, kind: str, game: str, name: str, **more: str) -> None:
        tables = [stream for stream in self._journal.streams() if stream != CLUB]
        self._journal.append(CLUB, (kind, {"game": game, "name": name, "tables": tables, **more}))

    def setup_again(self, table: Table) -> dict[str, Any]:
        """The set-up of a table once more: the same pilots with the names and licences that they have now."""
        muster, roster = getattr(table.game, "muster", None), getattr(table.game, "roster", None)
        if muster is None or roster is None:
            return table.setup
        self.take(table)
        names = [pilot["name"] for pilot in roster(table.state)]
        called = [self._names.get((table.key, name), "") or name for name in names]
        again: dict[str, Any] = muster(table.setup, self.pilots(table.game.key), called)
        return again

    def _catch_up(self) -> None:
        head = self._journal.head(CLUB)[0]
        if head < self._read:  # the journal is another one than before
            self._reset()
        if head == self._read:
            return
        for entry in self._journal.entries(CLUB, self._read):
            self._read = entry.n
            self._fold(entry.kind, entry.body)

    def _fold(self, kind: str, body: dict[str, Any]) -> None:
        match kind:
            case "roster":
                self._hand_in(body["game"], body["table"], _by_key(body["pilots"]))
            case "renamed":
                licence = self._pilots.pop((body["game"], body["name"]))
                self._pilots[body["game"], body["to"]] = licence | {"name": body["to"]}
                self._alias(body, body["to"])
            case "forgotten":
                self._pilots.pop((body["game"], body["name"]), None)
                self._alias(body, "")

    def _alias(self, body: Mapping[str, Any], to: str) -> None:
        """In games of before, whoever was called so, or is by now, is called otherwise."""
        for table in body.get("tables", ()):
            was = [name for (key, name), now in self._names.items() if (key, now) == (table, body["name"])]
            for name in was:
                self._names[table, name] = to
            if not was:
                self._names.setdefault((table, body["name"]), to)

    def _hand_in(self, game: str, table: str, pilots: dict[str, Licence]) -> None:
        before = self._of_tables.get(table, {})
        self._of_tables[table] = pilots
        for key, licence in pilots.items():
            was = before.get(key)
            then, now = (str(self._names.get((table, p["name"]), p["name"])) for p in (was or licence, licence))
            club = self._pilots.pop((game, then), None)  # under another nickname than before it is the same licence
            if now:
                self._pilots[game, now] = _renewed(club, was, licence | {"name": now})


def check_name(name: str) -> None:
    """Raises UsageError for what no set-up takes as a nickname."""
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name[:40]!r} is no name for a pilot; use up to 24 letters, digits and the usual signs.")


def _by_key(pilots: list[Licence]) -> dict[str, Licence]:
    """By the key of the seat, which stays whatever the pilot is called."""
    return {licence["key"]: licence for licence in pilots}


def _renewed(club: Licence | None, before: Licence | None, now: Licence) -> Licence:
    """What the club has after a hand-in: just that; where the pilot has flown elsewhere since, so much more or less.

    A victory of long ago that is taken back takes none from a licence that was begun since.
    """
    if club is None or before is None or _score(club) == _score(before):
        return now
    more = now["victories"] - before["victories"] if club["licence"] == before["licence"] else 0
    lost = now["licence"] - before["licence"]
    return club | {"victories": max(0, club["victories"] + more), "licence": max(1, club["licence"] + lost)}


def _score(licence: Licence) -> tuple[int, int]:
    return licence["victories"], licence["licence"]


def as_csv(pilots: list[Licence]) -> str:
    """The list for a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    writer.writerows([_plain(pilot[column]) for column in COLUMNS] for pilot in pilots)
    return out.getvalue()


def _plain(value: Any) -> Any:
    """No cell that a spreadsheet would take for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@" else value
