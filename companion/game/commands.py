"""What may be done to the tables of a data folder, by name and as plain data: in this process or over the socket."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from companion.game import belongings, registry, views
from companion.game.errors import NoTable, UsageError
from companion.game.proof import verify
from companion.game.resolving import switches_of
from companion.game.table import HOST, Table
from companion.game.tables import Tables, export, import_into, seat_key
from companion.game.throws import tallies

COPY = "companion-backup.db"
"""The last good copy in the data folder, which a damaged journal falls back on."""


def run(tables: Tables, do: str, args: Mapping[str, Any]) -> Any:
    """Do it and give what came of it; raises what the tables raise, and UsageError for an unknown command."""
    if do not in COMMANDS:
        raise UsageError(f"There is no command {do[:40]!r}.")
    try:
        return COMMANDS[do](tables, **args)
    except TypeError as error:
        if "unexpected keyword argument" in str(error) or "required" in str(error):
            raise UsageError(f"The command {do} does not take that: {error}.") from None
        raise


def _new(tables: Tables, game: str, setup: Any = None, switches: Any = None, **more: Any) -> dict[str, Any]:
    switches_of(registry.game(game), switches or {})
    return _row(tables.new(game, setup, switches=switches, **more))


def _list(tables: Tables) -> list[dict[str, Any]]:
    found = map(tables.summary, tables.listed())
    return [{"table": t.key, "name": t.name, "game": t.game, "version": t.version} for t in found]


def _show(tables: Tables, table: str = "", seat: str = HOST) -> dict[str, Any]:
    return views.view(find(tables, table), seat)


def _seats(tables: Tables, table: str = "") -> dict[str, str]:
    found = find(tables, table)
    return {s.key: seat_key(found, s.key) for s in found.game.seats(found.state)} | {HOST: seat_key(found, HOST)}


def _undo(
    tables: Tables, table: str = "", acts: int = 1, fresh: bool = False, redo: bool = False, seat: str = HOST
) -> dict[str, Any]:
    found = find(tables, table)
    taken = found.redo(seat=seat) if redo else found.undo(seat=seat, acts=acts, fresh=fresh)
    return _row(found) | {"acts": taken}


def _amend(
    tables: Tables, number: int, address: str, given: Any, reason: str, table: str = "", seat: str = HOST
) -> dict[str, Any]:
    found = find(tables, table)
    found.amend(number, address, given, seat=seat, reason=reason)
    return _row(found) | {"result": views.result_data(found, found.record(number))}


def _rule(
    tables: Tables, reason: str, changes: Any = (), number: int = 0, word: str = "", table: str = "", seat: str = HOST
) -> dict[str, Any]:
    found = find(tables, table)
    found.rule(changes, seat=seat, reason=reason, number=number, word=word)
    return _row(found)


def _export(tables: Tables, table: str = "") -> str:
    return export(find(tables, table)).decode()


def _import(tables: Tables, text: str) -> dict[str, Any]:
    return _row(import_into(tables, text.encode()))


def _verify(tables: Tables, table: str = "") -> dict[str, Any]:
    found = find(tables, table)
    rows = [{"number": d.number, "slip": d.slip, "text": d.text} for d in verify(found)]
    return _row(found) | {"acts": sum(r.closed for r in found.records), "chain": found.tail, "differences": rows}


def _backup(tables: Tables, settings: str = "") -> dict[str, Any]:
    """Renews the last good copy, with packs and settings in it, and says where it is."""
    target = tables.journal.folder / COPY
    said = belongings.back_up(tables.journal, target, Path(settings) if settings else None)
    return {"file": str(target), "holds": belongings.named(target), "said": said}


def _pilots(tables: Tables, game: str) -> list[dict[str, Any]]:
    return tables.club.pilots(registry.game(game).key)


def _rename(tables: Tables, game: str, name: str, to: str) -> list[dict[str, Any]]:
    tables.club.rename(registry.game(game).key, name, to.strip())
    return _pilots(tables, game)


def _forget(tables: Tables, game: str, name: str) -> list[dict[str, Any]]:
    tables.club.forget(registry.game(game).key, name)
    return _pilots(tables, game)


def _tallies(tables: Tables) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = msgspec.to_builtins(tallies(map(tables.get, tables.listed())))
    return found


COMMANDS: Mapping[str, Callable[..., Any]] = {
    "table.new": _new, "table.list": _list, "table.show": _show, "table.seats": _seats, "table.undo": _undo,
    "table.amend": _amend, "table.rule": _rule, "table.export": _export, "table.import": _import,
    "table.verify": _verify, "backup": _backup, "dice.tallies": _tallies,
    "club.list": _pilots, "club.rename": _rename, "club.forget": _forget,
}  # fmt: skip


def find(tables: Tables, wanted: str = "") -> Table:
    """A table by its key or its name; the one played last where none is named."""
    for key in tables.listed():
        if not wanted or wanted.lower() in (key, tables.summary(key).name.lower()):
            return tables.get(key)
    raise NoTable(f"There is no table {wanted[:40]!r} here." if wanted else "There is no table here yet.")


def _row(table: Table) -> dict[str, Any]:
    return {"table": table.key, "name": table.name, "game": table.game.key, "version": table.version}
