"""The players' own packs in the data folder: read at the start and for every new table, written by the editor.

A table keeps the figures themselves in its journal, so that a file that changes later never changes what was played.
A CSV file does not say its game: its name begins with it, `aod-panels.csv`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from companion.game import own, registry
from companion.game.errors import StorageFailed
from companion.packs.errors import PackError
from companion.umpire import Filled, Unit, UsageError

MOST_FILES = 100
MOST_SAID = 40
"""Sentences about packs that the pages show at once."""

Figures = dict[str, Any]
"""`slot:key:key` to a figure."""

TYPE = ("type",)
"""The first key of a slot whose rows are types that can be picked; a deck's rows are cards."""

_SUFFIXES = (".toml", ".csv")
_STRANGE = re.compile(r"[^a-z0-9]+")


class Shelf:
    """The folder of packs below a data folder; files are read again only when they have changed."""

    def __init__(self, data: Path) -> None:
        self.folder = data / "packs"
        self._read: dict[tuple[str, int, int], own.Pack | PackError] = {}

    def of(self, game: str) -> dict[str, Figures]:
        """The sound packs of a game by name, in the order of their files; a wrong one is left out and `notices` it."""
        return {p.name: own.flat(p) for p in self._packs() if isinstance(p, own.Pack) and p.game == game}

    def units(self, game: str) -> tuple[Unit, ...]:
        """What only the players' packs know: types of their own, to be picked like those of the box."""
        box = registry.game(game)
        known, told = {unit.key for unit in box.units}, box.cells()
        found: dict[str, dict[str, str]] = {}
        for pack in self._packs():
            if isinstance(pack, own.Pack) and pack.game == game:
                types = {keys: cell for keys, cell in pack.cells.items() if box.slots[keys[0]].keys[:1] == TYPE}
                for keys, cell in types.items():
                    about = found.setdefault(keys[1], _told(keys[1], told))
                    if keys[0] in ("nation", "role") and len(keys) == 2:
                        about[keys[0]] = str(cell.value or "")
        of = ((row, about.get("nation", ""), about.get("role", "")) for row, about in found.items())
        return tuple(Unit(row, row, nation, role) for row, nation, role in of if row not in known)

    def notices(self) -> list[str]:
        """Every fault of every pack, each with its file, line and value."""
        faults = [fault for found in self._packs() if isinstance(found, PackError) for fault in found.faults]
        more = [f"There are {len(faults) - MOST_SAID} more faults in the packs."] if len(faults) > MOST_SAID else []
        return [f"Pack left out: {fault}" for fault in faults[:MOST_SAID]] + more

    def _packs(self) -> list[own.Pack | PackError]:
        fresh: dict[tuple[str, int, int], own.Pack | PackError] = {}
        names: dict[tuple[str, str], str] = {}
        found: list[own.Pack | PackError] = []
        for file, key in self._files():
            pack = fresh[key] = self._read.get(key) or _judged(file)
            if isinstance(pack, own.Pack):
                first = names.setdefault((pack.game, pack.name), file.name)
                if first != file.name:
                    pack = PackError([f"{file.name}: {first} is called {pack.name!r} too; give it another name."])
            found.append(pack)
        self._read = fresh
        return found

    def _files(self) -> Iterator[tuple[Path, tuple[str, int, int]]]:
        """Plain files of this folder only: a link that leads out of it is not followed."""
        try:
            files = sorted(self.folder.iterdir())
        except OSError:  # there are none yet
            return
        packs = [f for f in files if f.suffix.lower() in _SUFFIXES and not f.name.startswith(".")]
        for file in packs[:MOST_FILES]:
            if file.is_symlink() or not file.is_file():
                continue
            try:
                about = file.stat()
            except OSError:  # it was taken away meanwhile
                continue
            yield file, (file.name, about.st_mtime_ns, about.st_size)

    def file_for(self, game: str, name: str) -> Path:
        """Where a pack of that name is kept; whatever the name says, it is a file of this folder."""
        plain = _STRANGE.sub("-", name.lower()).strip("-")[:40]
        if not plain or game not in set(registry.keys()):
            raise UsageError("Give the pack a name with a letter or a digit in it.")
        return self.folder / f"{game}-{plain}.toml"

    def save(self, game: str, name: str, text: str) -> Path:
        """Write a pack whole or not at all: judged first, then synced, then put in the place of the old one."""
        target = self.file_for(game, name)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            _replace(target, text.encode(), lambda file: own.read(file, game))
        except OSError as error:
            raise StorageFailed(f"The pack cannot be written: {error.strerror or error}.") from error
        return target


def _told(row: str, cells: Mapping[own.Keys, Filled]) -> dict[str, str]:
    """What the game itself knows of a type that nobody has rated."""
    return {key: str(cells[key, row].value or "") for key in ("nation", "role") if (key, row) in cells}


def _judged(file: Path) -> own.Pack | PackError:
    try:
        return own.read(file, _game_of(file))
    except PackError as error:
        return error
    except (UsageError, OSError, RecursionError) as error:
        return PackError([f"{file.name}: {error}"])


def _game_of(file: Path) -> str:
    """The game that a CSV file is named after; a TOML file says it itself."""
    if file.suffix.lower() != ".csv":
        return ""
    first = re.split(r"[-_. ]", file.name.lower())[0]
    return first if first in set(registry.keys()) else ""


def _replace(target: Path, raw: bytes, judge: Callable[[Path], object]) -> None:
    draft = target.with_name(f".{target.name}")
    try:
        with draft.open("wb") as out:
            out.write(raw)
            out.flush()
            os.fsync(out.fileno())
        judge(draft)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # so that the new name survives a power cut too
    finally:
        os.close(folder)
