"""A pack file as text: bounded, without control characters, and with the line of every key."""

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
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


class Source(Struct, frozen=True):
    """A TOML file that has been read; `lines` says on which line each key stands, by its path."""

    name: str
    data: dict[str, Any]
    lines: dict[tuple[str, ...], int]

    def where(self, *path: str) -> str:
        """`my.toml, line 12`, as near as the file allows."""
        for end in range(len(path), 0, -1):
            if line := self.lines.get(path[:end]):
                return f"{self.name}, line {line}"
        return self.name


def read_source(file: Path) -> Source:
    if not file.is_file():
        raise PackError([f"{file.name} cannot be read: there is no such file."])
    try:
        with file.open("rb") as opened:
            raw = opened.read(LARGEST + 1)
    except OSError as error:
        raise PackError([f"{file.name} cannot be read: {error.strerror or error}."]) from error
    if len(raw) > LARGEST:
        raise PackError([f"{file.name} is too large; a pack has at most {LARGEST} bytes: split it."])
    return parse(raw, file.name)


def parse(raw: bytes, name: str) -> Source:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise PackError([f"{name}, line {line}: this is not UTF-8 text; save the file as UTF-8."]) from None
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
