"""A player's own pack: the figures that his cards and panels print, for the tables that a rulebook lacks.

    pack = "Bob's cards"        # its name, as slips and pages show it
    game = "aod"

    [cells.durability]
    "Spitfire Mk IX" = 4
    [cells.fixed."Spitfire Mk IX"]
    1 = 3                       # the first burst
    2 = "-"                     # none: not allowed

As CSV the first line names the tables and each line a row: `name,durability,fixed:1`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import msgspec

from companion.game import registry
from companion.packs.errors import PackError
from companion.packs.source import Source, parse_csv, read_bytes, read_source
from companion.umpire import Book, CompanionError, Filled

Keys = tuple[str, ...]
LONGEST = 60
DEEPEST = 6
_BARE = re.compile(r"[A-Za-z0-9_-]+")
NONE = ("-", "not allowed")


class Pack(msgspec.Struct, frozen=True):
    """A pack that has been read and judged; `doubts` are sentences about what may be a slip of the pen."""

    name: str
    game: str
    cells: dict[Keys, Filled]
    doubts: tuple[str, ...] = ()


def read(file: Path, game: str = "") -> Pack:
    """The pack of a file; raises PackError with every fault. A CSV file does not say its game: name it."""
    source = _source(file)
    key = source.data.get("game", game)
    faults = list(_head_faults(source, key, game))
    if faults:
        raise PackError(faults)
    found = registry.book(key)
    values = dict(_leaves(source.data.get("cells", {})))
    depths = _depths(found)
    faults = [f for path, value in values.items() for f in _faults(source, found, depths, path, value)]
    if faults:
        raise PackError(faults)
    name = str(source.data["pack"])
    cells = {path: Filled(_value(found, path, value), name) for path, value in values.items()}
    return Pack(name, key, cells, tuple(_doubts(source, found, cells)))


def _source(file: Path) -> Source:
    if file.suffix.lower() != ".csv":
        return read_source(file)
    table = parse_csv(read_bytes(file), file.name, "cells")
    cells: dict[str, Any] = {}
    lines: dict[Keys, int] = {}
    for row, fields in table.data["cells"].items():
        for column, value in fields.items():
            slot, *rest = column.split(":")
            inside = cells.setdefault(slot, {})
            for part in (row, *rest)[:-1]:
                inside = inside.setdefault(part, {})
            inside[(row, *rest)[-1]] = value
            lines["cells", slot, row] = table.lines["cells", row]
    return Source(table.name, {"pack": table.data["pack"], "cells": cells}, lines)


def _head_faults(source: Source, key: object, asked: str) -> Iterator[str]:
    for name in source.data:
        if name not in ("pack", "game", "cells"):
            yield f"{source.where(name)}: {name[:40]!r} is not known here; known are pack, game, cells."
    pack = source.data.get("pack")
    if not (isinstance(pack, str) and 0 < len(pack) <= LONGEST):
        yield f'{source.where("pack")}: pack = "NAME" must say the name of the pack, at most {LONGEST} characters.'
    if not isinstance(key, str) or key not in set(registry.books()):
        yield f'{source.where("game")}: game = "KEY" must say which game it is for: {", ".join(registry.books())}.'
    elif asked and key != asked:
        yield f"{source.where('game')}: this pack is for {key}, not for {asked}."
    if not isinstance(source.data.get("cells", {}), dict):
        yield f"{source.where('cells')}: cells must be tables, [cells.NAME] each."


def _leaves(table: Mapping[str, Any], path: Keys = ()) -> Iterator[tuple[Keys, Any]]:
    for key, value in table.items():
        if isinstance(value, dict) and len(path) < DEEPEST:
            yield from _leaves(value, (*path, str(key)))
        else:
            yield (*path, str(key)), value


def _depths(game: Book) -> dict[str, int]:
    """How many names lead to a figure of each table, the table's own among them."""
    return {keys[0]: len(keys) for keys in game.cells()}


def _faults(source: Source, game: Book, depths: Mapping[str, int], path: Keys, value: object) -> Iterator[str]:
    where = source.where("cells", *path)
    slot = game.slots.get(path[0])
    if slot is None:
        near = get_close_matches(path[0], game.slots, 1)
        hint = f"; do you mean {near[0]}?" if near else f"; there are {', '.join(game.slots)}."
        yield f"{where}: {game.title} has no table {path[0][:40]!r}{hint}"
        return
    depth = depths.get(path[0], len(path))
    if len(path) < 2 or len(path) != depth:
        wanted = " then ".join(slot.keys[: depth - 1]) if depth <= len(slot.keys) + 1 else ""
        yield f"{where}: {path[0]} takes a value for each {wanted or 'row'}."
    if any(":" in key or len(key) > LONGEST for key in path):
        yield f"{where}: a name may have {LONGEST} characters and no colon."
    try:
        _value(game, path, value)
    except CompanionError as error:
        yield f"{where}: {'.'.join(path)}: {error}"


def _value(game: Book, path: Keys, value: Any) -> Any:
    return None if value in NONE else game.slots[path[0]].space.parse(value)


def _doubts(source: Source, game: Book, cells: Mapping[Keys, Filled]) -> Iterator[str]:
    """Rows that the game does not know: perhaps a type of the player's own, perhaps misspelt."""
    known = {k[1] for k in game.cells()} | {unit.key for unit in game.units}
    for path in dict.fromkeys(path[:2] for path in cells):
        if path[1] not in known:
            near = get_close_matches(path[1], known, 1)
            hint = f" Do you mean {near[0]!r}?" if near else ""
            yield f"{source.where('cells', *path)}: {game.title} knows no {path[1]!r}.{hint}"


def read_all(files: Iterable[Path], game: str) -> dict[Keys, Filled]:
    """The figures of several packs for one game, a later file over an earlier one."""
    return {keys: filled for file in files for keys, filled in read(file, game).cells.items()}


def for_table(files: Iterable[Path], game: str) -> dict[str, dict[str, Any]]:
    """The packs by name, as a table keeps them: `slot:key:key` to a figure."""
    found: dict[str, dict[str, Any]] = {}
    for file in files:
        pack = read(file, game)
        if pack.name in found:
            raise PackError([f"{file.name}: another pack is called {pack.name!r} too; give it another name."])
        found[pack.name] = flat(pack)
    return found


def flat(pack: Pack) -> dict[str, Any]:
    """Its figures as a table keeps them: `slot:key:key` to a figure."""
    return {":".join(keys): cell.value for keys, cell in pack.cells.items()}


def mark(figures: Mapping[str, Any]) -> str:
    """Twelve hex digits that name exactly these figures."""
    return hashlib.sha256(msgspec.json.encode(dict(figures), order="sorted")).hexdigest()[:12]


# --- a pack to fill in


def template(game: str, name: str = "my cards") -> str:
    """A pack with every figure that is a house value now, to be set to what the player's own cards say."""
    found = registry.book(game)
    lines = [
        f"# Figures of {found.title}, as your own cards print them.",
        "# A line that begins with # is not used: take the # away and set your value.",
        f"pack = {_quoted(name)}",
        f"game = {_quoted(game)}",
    ]
    house: dict[str, list[tuple[Keys, Any]]] = {}
    for keys, filled in found.cells().items():
        if filled.house:
            house.setdefault(keys[0], []).append((keys, filled.value))
    for key, slot in found.slots.items():
        lines += ["", f"# {slot.title} [{slot.rule}]", f"[cells.{_key(key)}]"]
        lines += [f"# {'.'.join(map(_key, k[1:]))} = {_written(v)}" for k, v in house.get(key, ())]
    return "\n".join(lines) + "\n"


def written(game: str, name: str, figures: Mapping[str, Any]) -> str:
    """A pack file that holds these figures (`slot:key:key` to a figure), a line each."""
    lines = [f"pack = {_quoted(name)}", f"game = {_quoted(game)}"]
    tables: dict[Keys, list[str]] = {}
    for path, value in figures.items():
        *table, last = path.split(":")
        tables.setdefault(tuple(table), []).append(f"{_key(last)} = {_written(value)}")
    for keys, rows in tables.items():
        lines += ["", f"[cells.{'.'.join(map(_key, keys))}]", *rows]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """JSON writes a text as TOML does."""
    return msgspec.json.encode(text).decode()


def _key(text: str) -> str:
    return text if _BARE.fullmatch(text) else _quoted(text)


def _written(value: Any) -> str:
    return '"-"' if value is None else msgspec.json.encode(value).decode()


# --- what is in effect


def in_effect(game: str) -> dict[str, int]:
    """How many figures each pack fills; the rulebook itself is `text`."""
    counts: dict[str, int] = {}
    for filled in registry.book(game).cells().values():
        if filled.source:
            name = f"{filled.source}{' †' if filled.house else ''}"
            counts[name] = counts.get(name, 0) + 1
    return counts
