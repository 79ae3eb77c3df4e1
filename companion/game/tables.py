"""All tables of one data folder, and the club that they belong to."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import secrets
import threading
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import msgspec

from companion.game import registry
from companion.game.club import Club
from companion.game.errors import JournalDamaged, NoTable, StorageFailed
from companion.game.journal import CLUB, Entry, Journal, encode, link
from companion.game.packs_at_table import Shelf
from companion.game.table import HOST, Table
from companion.umpire import UsageError

_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
_NAMES = (
    "KESTREL", "MERLIN", "HOBBY", "SWIFT", "HERON", "MARTIN", "OSPREY", "PLOVER", "RAVEN", "SHRIKE", "STORK", "TERN",
    "BUZZARD", "CRANE", "CURLEW", "EAGLE", "FALCON", "GOSHAWK", "HARRIER", "JACKDAW", "LAPWING", "PETREL",
)  # fmt: skip


KEPT = 4
"""Tables that stay in memory although nobody holds them: those asked for last."""


class Summary(msgspec.Struct, frozen=True):
    """What a list of tables says of one."""

    key: str
    name: str
    game: str
    title: str
    version: int
    phase: str
    away: bool


class Tables:
    """Owns the data folder while it is open.

    A table is read when it is asked for, and let go when it has become idle: nobody holds it, and others were asked
    for since. While anybody holds it, it is the same object for all, so that nobody writes from a stale one.
    """

    def __init__(self, folder: Path) -> None:
        self.journal = Journal(folder)
        self.shelf = Shelf(folder)
        self.club = Club(self.journal)
        self.listeners: list[Callable[[Table], None]] = []
        self.opened: list[Callable[[Table], None]] = []
        self._open: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._kept: dict[str, Table] = {}
        self._summaries: dict[str, Summary] = {}
        self._mutex = threading.RLock()

    def new(
        self,
        game: str,
        setup: Mapping[str, Any] | None = None,
        *,
        name: str = "",
        switches: Mapping[str, Any] | None = None,
        preset: str = "",
        house: str = "use",
        packs: Mapping[str, Mapping[str, Any]] | None = None,
        cells: Mapping[str, Any] | None = None,
    ) -> Table:
        """A new table; without a set-up it is the game's demonstration.

        The packs of the data folder are used, `packs` and `cells` over them; the table keeps their figures.
        """
        found = registry.game(game)
        if preset and preset not in found.presets:
            raise UsageError(f"{found.title} has no preset {preset!r}; it has {', '.join(found.presets)}.")
        chosen = {**(found.presets[preset] if preset else {}), **(switches or {})}
        with self._mutex:
            key = self._fresh_key()
            given = found.demo() if setup is None else setup
            table = Table.create(
                self.journal, key, game, given, name=name or self._fresh_name(), switches=chosen, house=house,
                packs={**self.shelf.of(game), **(packs or {})}, cells=cells,
            )  # fmt: skip
            return self._adopt(table)

    def get(self, key: str) -> Table:
        with self._mutex:
            found = self._open.get(key)
            if found is not None:
                return self._keep(found)
            if key == CLUB or not self.journal.head(key)[0]:
                raise NoTable(f"There is no table {key[:20]!r} here.")
            return self._adopt(Table(self.journal, key))

    def summary(self, key: str) -> Summary:
        """What a list says of a table; it is opened only where it has changed since it was listed last."""
        with self._mutex:
            known = self._summaries.get(key)
            if known is None or known.version != self.journal.head(key)[0]:
                known = self._summaries[key] = _summary(self.get(key))
            return known

    def known(self, key: str) -> Table | None:
        """A table that is open already, without waiting for anything."""
        return self._open.get(key)

    def listed(self) -> list[str]:
        """The table played last first."""
        return [s for s in self.journal.streams() if s != CLUB]

    def open_tables(self) -> list[Table]:
        """Those that somebody holds, and those asked for last."""
        with self._mutex:
            return list(self._open.values())

    def latest(self) -> Table | None:
        keys = self.listed()
        return self.get(keys[0]) if keys else None

    def _adopt(self, table: Table) -> Table:
        self._open[table.key] = table
        table.listeners.append(self._changed)
        for hook in self.opened:
            hook(table)
        return self._keep(table)

    def _keep(self, table: Table) -> Table:
        """It was asked for last, so those asked for long ago may go."""
        self._kept.pop(table.key, None)
        self._kept[table.key] = table
        while len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]
        return table

    def _changed(self, table: Table) -> None:
        with contextlib.suppress(StorageFailed):  # the next change of the table brings it again
            self.club.follow(table)
        for listener in list(self.listeners):
            listener(table)

    def _fresh_key(self) -> str:
        while True:
            key = "".join(secrets.choice(_ALPHABET) for _ in range(4))
            if not self.journal.head(key)[0]:
                return key

    def _fresh_name(self) -> str:
        return _NAMES[len(self.listed()) % len(_NAMES)]

    def close(self) -> None:
        self.journal.close()


def _summary(table: Table) -> Summary:
    with table.mutex:
        phase = table.due().phase
        return Summary(table.key, table.name, table.game.key, table.game.title, table.version, phase, table.put_away)


def seat_key(table: Table, seat: str) -> str:
    """The secret of a seat, 160 bits: whoever shows it acts for that seat."""
    digest = hmac.new(table.secret.encode(), seat.encode(), hashlib.sha256).digest()
    return urlsafe_b64encode(digest[:20]).decode().rstrip("=")


def seat_of(table: Table, key: str) -> str:
    """The seat whose secret this is; '' for none."""
    seats = [s.key for s in table.game.seats(table.state)] + [HOST]
    return next((s for s in seats if hmac.compare_digest(seat_key(table, s).encode(), key.encode())), "")


def export(table: Table) -> bytes:
    """The whole journal of a table, a line an entry, with its hash chain."""
    lines = [
        msgspec.json.encode({**msgspec.to_builtins(e), "hash": e.hash.hex()}) for e in table.journal.entries(table.key)
    ]
    return b"\n".join(lines) + b"\n"


def import_into(tables: Tables, data: bytes) -> Table:
    """Take over an exported table; a chain that does not hold is refused before anything is written."""
    entries = []
    for n, line in enumerate(data.splitlines(), 1):
        try:
            raw = msgspec.json.decode(line)
            entries.append(msgspec.convert({**raw, "hash": bytes.fromhex(raw["hash"])}, Entry))
        except (msgspec.MsgspecError, KeyError, TypeError, ValueError):
            raise UsageError(f"Line {n} of the file is not an entry of a table.") from None
    if not entries or entries[0].kind != "created":
        raise UsageError("The file does not begin with the creation of a table.")
    check(entries)
    tables.journal.adopt(entries[0].stream, entries)
    return tables.get(entries[0].stream)


def check(entries: list[Entry]) -> None:
    """Raise where an entry does not follow from the one before it."""
    previous = b""
    for n, e in enumerate(entries, 1):
        if (
            e.stream != entries[0].stream
            or e.n != n
            or e.hash != link(previous, e.stream, n, e.kind, encode(e.body), e.wall, e.clock_synced)
        ):
            raise JournalDamaged(f"Entry {n} of the file was changed or is missing.")
        previous = e.hash
