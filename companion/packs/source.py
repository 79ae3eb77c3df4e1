"""A pack file, TOML or CSV: bounded, without control characters, and with the line of every key."""

import csv
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion.packs.errors import PackError

LARGEST = 512 * 1024
"""Bytes that a pack file may have."""

_HEADER = re.compile(r"\s*\[\[?(?P<name>[^\]]+)\]\]?\s*(#.*)?$")
_KEY = re.compile(r"\s*(?P<name>(?:[A-Za-z0-9_.-]|\"[^\"]*\"|'[^']*')+)\s*=")
_PART = re.compile(r"\"([^\"]*)\"|'([^']*)'|([^.\s]+)")
_NUMBER = re.compile(r"[+-]?\d{1,9}")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


class Source(Struct, frozen=True):
    """A file that has been read; `lines` says on which line each key stands, by its path."""

    name: str
    data: dict[str, Any]
    lines: dict[tuple[str, ...], int]

    def where(self, *path: str) -> str:
        """`my.toml, line 12`, as near as the file allows."""
        for end in range(len(path), 0, -1):
            if line := self.lines.get(path[:end]):
                return f"{self.name}, line {line}"
        return self.name


def read_bytes(file: Path) -> bytes:
    if not file.is_file():
        raise PackError([f"{file.name} cannot be read: there is no such file."])
    try:
        with file.open("rb") as opened:
            raw = opened.read(LARGEST + 1)
    except OSError as error:
        raise PackError([f"{file.name} cannot be read: {error.strerror or error}."]) from error
    if len(raw) > LARGEST:
        raise PackError([f"{file.name} is too large; a pack has at most {LARGEST} bytes: split it."])
    return raw


def read_source(file: Path) -> Source:
    return parse(read_bytes(file), file.name)


def parse(raw: bytes, name: str) -> Source:
    """A TOML file."""
    text = _decoded(raw, name)
    try:
        source = Source(name, tomllib.loads(text), _lines(text))
        faults = list(_control_characters(source, (), source.data))
    except ValueError as error:  # TOMLDecodeError, or a number of thousands of digits
        raise PackError([f"{name} is not TOML: {error}."]) from None
    except RecursionError:
        raise PackError([f"{name} is nested too deeply to be a pack."]) from None
    if faults:
        raise PackError(faults)
    return source


def parse_csv(raw: bytes, name: str, table: str) -> Source:
    """A CSV file as the same tables: its first line names the fields, `name` among them; an empty cell gives nothing.

    Lists and tables need TOML. The file's name is the name of the pack.
    """
    text = _decoded(raw, name)
    source = Source(name, {"pack": Path(name).stem, table: {}}, {})
    try:
        rows = csv.DictReader(text.splitlines(), strict=True)
        if "name" not in (rows.fieldnames or ()):
            raise PackError([f"{name}, line 1: the first line must name the fields, and one of them must be name."])
        for row in rows:
            _add_row(source, table, rows.line_num, row)
    except csv.Error as error:
        raise PackError([f"{name} is not CSV: {error}."]) from None
    faults = list(_control_characters(source, (), source.data))
    if faults:
        raise PackError(faults)
    return source


def _add_row(source: Source, table: str, line: int, row: dict[str | None, str | list[str] | None]) -> None:
    if None in row or None in row.values():
        raise PackError([f"{source.name}, line {line}: this line has not as many cells as the first line names."])
    cells = {str(field).strip(): str(cell).strip() for field, cell in row.items()}
    record = cells.pop("name")
    if record in source.data[table]:
        raise PackError([f"{source.name}, line {line}: {record!r} is there twice."])
    source.data[table][record] = {field: _cell(cell) for field, cell in cells.items() if cell}
    source.lines[table, record] = line


def _cell(text: str) -> str | int | bool:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if _NUMBER.fullmatch(text) else text


def _decoded(raw: bytes, name: str) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise PackError([f"{name}, line {line}: this is not UTF-8 text; save the file as UTF-8."]) from None


def _control_characters(source: Source, path: tuple[str, ...], value: object) -> Iterator[str]:
    """TOML lets no control character stand in a file, but an escape in a text can still make one."""
    if isinstance(value, str) and (found := _CONTROL.search(value)):
        code = f"U+{ord(found[0]):04X}"
        yield f"{source.where(*path)}: there is a control character {code}; take it out."
    elif isinstance(value, list):
        for item in value:
            yield from _control_characters(source, path, item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _control_characters(source, (*path, key), key)
            yield from _control_characters(source, (*path, key), item)


def _lines(text: str) -> dict[tuple[str, ...], int]:
    found: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = _path(header["name"])
            found.setdefault(table, number)
        elif key := _KEY.match(line):
            parts = _path(key["name"])
            for end in range(1, len(parts) + 1):
                found.setdefault((*table, *parts[:end]), number)
    return found


def _path(dotted: str) -> tuple[str, ...]:
    return tuple("".join(parts) for parts in _PART.findall(dotted))
