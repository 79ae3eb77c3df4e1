"""What a receipt printer can do, by its name in python-escpos's data base, corrected by a test print."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, TypeAlias

from printouts import PrintError

Cutter: TypeAlias = Literal["none", "partial", "full"]
# Pages that printers really have come first; the Greek one, which many list and lack, comes last.
_PREFERRED = ("cp437", "cp858", "cp850", "cp852", "cp1252", "cp866", "cp1250", "cp1251")


class UnknownProfile(PrintError, KeyError):
    """Which printer name is not known."""

    def __str__(self) -> str:
        return str(self.args[0])


class NoDataBase(PrintError, FileNotFoundError):
    """Why no printer is known by name."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What one printer can do; a test print may confirm or correct any of it.

    `code_pages` are pairs of page number and Python codec, in order of preference. `native_qr` is true only
    when a test print has shown that the printer draws codes itself. `line_units` is the line spacing in the
    printer's own feed units. `cancel_kanji` helps clones that start in a Chinese mode.
    """

    name: str = "generic"
    width_dots: int = 384
    columns: int = 32
    dpi: int = 203
    code_pages: tuple[tuple[int, str], ...] = ((0, "cp437"),)
    native_qr: bool = False
    cutter: Cutter = "none"
    head_to_cutter_mm: float = 15.0
    line_units: int = 24
    cancel_kanji: bool = False


def profile(name: str, **overrides: object) -> Profile:
    """The printer of that name in python-escpos's data base, corrected by what a test print has shown."""
    try:
        known = _capabilities()["profiles"][name]
    except KeyError:
        near = ", ".join(get_close_matches(name, profile_names(), 5, 0.2))
        raise UnknownProfile(f"There is no printer profile {name!r}; near it are {near}.") from None
    features, media = known["features"], known["media"]
    width, dpi = media.get("width", {}).get("pixels"), media.get("dpi")
    cutter: Cutter = "none"
    if features.get("paperPartCut") or features.get("paperFullCut"):
        cutter = "partial" if features.get("paperPartCut") else "full"
    # A printer of unknown width may be a narrow one: a picture for it is never wider than 58 mm paper.
    found = Profile(
        name=name,
        width_dots=width if isinstance(width, int) else 384,
        columns=int(known["fonts"]["0"]["columns"]),
        dpi=dpi if isinstance(dpi, int) else 203,
        code_pages=_pages({int(page): codec for page, codec in known["codePages"].items()}),
        cutter=cutter,
        line_units=48 if dpi == 180 else 24,  # letters of 24 dots; 180 dpi heads feed in half dots
    )
    return replace(found, **overrides)  # type: ignore[arg-type]


def profile_names() -> list[str]:
    """The printers that python-escpos knows."""
    return sorted(_capabilities()["profiles"])


@lru_cache(maxsize=1)
def _capabilities() -> dict[str, Any]:
    """The library's data base, read as the file that it is: importing the library takes 200 ms and unpickles."""
    spec = find_spec("escpos")
    if spec is None or not spec.submodule_search_locations:
        raise NoDataBase("The package python-escpos is missing, so no printer is known by name: install it.")
    path = Path(spec.submodule_search_locations[0]) / "capabilities.json"
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def _pages(known: dict[int, str]) -> tuple[tuple[int, str], ...]:
    """Single-byte pages that agree with ASCII, each by its last number, as the library numbers them too."""
    encodings = _capabilities()["encodings"]
    numbers: dict[str, int] = {}
    for page, name in known.items():
        codec = encodings.get(name, {}).get("python_encode", "")
        if codec and page < 255 and _is_simple(codec):
            numbers[codec] = page
    numbers.update({"cp437": 0} if known.get(0) == "CP437" else {})
    order = [codec for codec in _PREFERRED if codec in numbers]
    order += sorted((codec for codec in numbers if codec not in order), key=lambda c: c == "iso8859_7")
    return tuple((numbers[codec], codec) for codec in order)


def _is_simple(codec: str) -> bool:
    """One byte a character, and ASCII as everywhere (cp864 moves the percent sign)."""
    letters = bytes(range(0x20, 0x7F))
    try:
        return letters.decode(codec) == letters.decode("ascii") and not "サ".encode(codec, "ignore")
    except (LookupError, UnicodeDecodeError):
        return False


def encoded(char: str, codec: str) -> bytes:
    """The one byte of a character in a page, or nothing; bytes below 0x20 would be commands."""
    try:
        data = char.encode(codec)
    except UnicodeEncodeError:
        return b""
    return data if len(data) == 1 and data[0] >= 0x20 and data[0] != 0x7F else b""
