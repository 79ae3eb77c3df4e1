"""The words of ESC/POS: cuts a byte stream into commands and text, whatever way the bytes arrive.

Only syntax lives here, one entry a command: what follows its prefix and how long that is. What a command
does is `paper.py`; names and lengths are those of Epson's command reference.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Tail = Callable[[bytes], int | None]
"""Given all bytes after the prefix: how many belong to the command, None while that cannot be known."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command: its name as in the manuals ("GS v 0"), its bytes, and what followed its prefix."""

    name: str
    raw: bytes
    data: bytes


def _fixed(count: int) -> Tail:
    return lambda _rest: count


def _counted(at: int, head: int) -> Tail:
    """`head` bytes, of which the two at `at` say (low byte first) how many more follow."""
    return lambda rest: None if len(rest) < head else head + rest[at] + 256 * rest[at + 1]


def _raster(rest: bytes) -> int | None:
    if len(rest) < 5:
        return None
    return 5 + (rest[1] + 256 * rest[2]) * (rest[3] + 256 * rest[4])


def _columns(rest: bytes) -> int | None:
    if len(rest) < 3:
        return None
    return 3 + (rest[1] + 256 * rest[2]) * (3 if rest[0] in (32, 33) else 1)


def _long(rest: bytes) -> int | None:
    return None if len(rest) < 4 else 4 + int.from_bytes(rest[:4], "little")


def _to_zero(rest: bytes) -> int | None:
    end = rest.find(0)
    return None if end < 0 else end + 1


def _bar_code(rest: bytes) -> int | None:
    if len(rest) < 2:
        return None
    if rest[0] >= 65:
        return 2 + rest[1]
    end = rest.find(0, 1)
    return None if end < 0 else end + 1


def _cut(rest: bytes) -> int | None:
    if not rest:
        return None
    return 2 if rest[0] in (65, 66, 97, 98, 103, 104) else 1


def _pulse(rest: bytes) -> int | None:
    return None if not rest else 1 + {1: 2, 2: 2, 3: 5, 7: 1, 8: 7}.get(rest[0], 0)


_ESC, _GS, _FS, _DLE = "\x1b", "\x1d", "\x1c", "\x10"
_NAMES = {_ESC: "ESC", _GS: "GS", _FS: "FS", _DLE: "DLE"}
_FIXED = {  # letters that take so many bytes
    _ESC: {0: "@2LSimv<", 1: "!EGM-adJ3{trR TUV=u", 2: "$\\c", 3: "p", 8: "W"},
    _GS: {1: "!BbTrawhHfI/", 2: "LWP$\\", 3: "^"},
    _FS: {0: ".&", 1: "!C", 2: "p"},
    _DLE: {1: "\x04\x05"},
}
_TAILS: dict[str, Tail] = {
    _ESC + "D": _to_zero,
    _ESC + "*": _columns,
    _ESC + "(": _counted(1, 3),
    _FS + "(": _counted(1, 3),
    _GS + "(": _counted(1, 3),
    _GS + "v0": _raster,
    _GS + "8L": _long,
    _GS + "k": _bar_code,
    _GS + "V": _cut,
    _DLE + "\x14": _pulse,
    **{lead + c: _fixed(n) for lead, some in _FIXED.items() for n, cs in some.items() for c in cs},
    **{c: _fixed(0) for c in "\n\r\t\f"},
}
_BY_PREFIX = {prefix.encode("latin-1"): tail for prefix, tail in _TAILS.items()}
_LONGEST = max(len(prefix) for prefix in _BY_PREFIX)
_CONTROLS = {"\n": "LF", "\r": "CR", "\t": "HT", "\f": "FF", "\x04": "EOT", "\x05": "ENQ", "\x14": "DC4"}


def _name(prefix: bytes) -> str:
    return " ".join(_NAMES.get(c) or _CONTROLS.get(c, c) for c in prefix.decode("latin-1"))


class Reader:
    """Cuts the stream of one printer; a command that is not yet whole waits for its rest."""

    def __init__(self) -> None:
        self._rest = bytearray()
        self._need = 0

    def forget(self) -> None:
        """Power was off: what was begun is gone."""
        self._rest.clear()
        self._need = 0

    def feed(self, data: bytes) -> list[Command]:
        self._rest += data
        found: list[Command] = []
        if len(self._rest) < self._need:  # a long picture: do not look at it again for every byte
            return found
        self._need = 0
        while self._rest and (command := self._next()):
            found.append(command)
            del self._rest[: len(command.raw)]
        return found

    def _next(self) -> Command | None:
        rest = self._rest
        if rest[0] >= 0x20:
            return self._text()
        prefix = next((bytes(rest[:n]) for n in range(_LONGEST, 0, -1) if bytes(rest[:n]) in _BY_PREFIX), None)
        if prefix is None:
            return self._unknown()
        size = _BY_PREFIX[prefix](bytes(rest[len(prefix) :]))
        if size is None:
            return None
        self._need = len(prefix) + size
        if len(rest) < self._need:
            return None
        raw, self._need = bytes(rest[: self._need]), 0
        return Command(_name(prefix), raw, raw[len(prefix) :])

    def _text(self) -> Command:
        end = next((i for i, byte in enumerate(self._rest) if byte < 0x20), len(self._rest))
        raw = bytes(self._rest[:end])
        return Command("text", raw, raw)

    def _unknown(self) -> Command | None:
        """A real printer drops what it does not know: two bytes after a lead-in, else one."""
        head = bytes(self._rest[:_LONGEST])
        if head[0] == 0:  # padding: take all of it at once
            raw = bytes(self._rest[: len(self._rest) - len(self._rest.lstrip(b"\0"))])
            return Command("nothing", raw, b"")
        if any(len(head) < len(known) and known.startswith(head) for known in _BY_PREFIX):
            return None
        size = 2 if chr(head[0]) in _NAMES else 1
        return Command("unknown", head[:size], b"") if len(head) >= size else None
