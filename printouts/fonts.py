"""Fonts, read where they are installed: one family, then signs, then East Asian letters."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from printouts import PrintError
from printouts.words import clean, substitute

_SYSTEM = Path("/usr/share/fonts/truetype")
_SIGNS = {False: "DejaVuSans.ttf", True: "DejaVuSans-Bold.ttf"}
_CJK = ("DroidSansFallbackFull.ttf", "DroidSansFallback.ttf")


class NoFont(PrintError, FileNotFoundError):
    """Why there is nothing to print letters with."""


@lru_cache(maxsize=1)
def _family() -> Path:
    """The folder of the main family, found without importing the package, which globs at import."""
    from importlib.util import find_spec

    spec = find_spec("font_roboto")
    if spec is None or not spec.submodule_search_locations:
        raise NoFont("The package font-roboto is missing, so there are no letters to print: install it.")
    return Path(spec.submodule_search_locations[0]) / "files"


def _installed(name: str) -> Iterator[Path]:
    yield from (path for path in (_SYSTEM / "dejavu" / name, _SYSTEM / "droid" / name) if path.is_file())


@lru_cache(maxsize=4)
def files(bold: bool = False) -> tuple[Path, ...]:
    """Font files in the order in which a letter is looked for; those not installed are left out."""
    main = _family() / ("Roboto-Bold.ttf" if bold else "Roboto-Regular.ttf")
    return (main, *_installed(_SIGNS[bold]), *(path for name in _CJK for path in _installed(name)))


def cell_files() -> tuple[Path, ...]:
    """Fonts for letters drawn in cells: fixed width first."""
    return (*_installed("DejaVuSansMono.ttf"), *files())


@lru_cache(maxsize=8)
def coverage(path: Path) -> frozenset[int]:
    """Code points for which a font file has a glyph; reportlab cannot name those beyond 16 bits in a PDF."""
    from reportlab.pdfbase.ttfonts import TTFontFile

    glyphs = TTFontFile(str(path)).charToGlyph
    return frozenset(code for code, glyph in glyphs.items() if glyph and code <= 0xFFFF)


@lru_cache(maxsize=8192)
def file_for(char: str, choice: tuple[Path, ...]) -> Path | None:
    """The first of the font files that has a character."""
    return next((path for path in choice if ord(char) in coverage(path)), None)


def segments(text: str, choice: tuple[Path, ...]) -> list[tuple[Path, str]]:
    """Clean text in pieces of one font each; what no font has is written by the fall-back table."""
    pieces: list[tuple[Path, str]] = []
    for char in clean(text):
        path, written = file_for(char, choice), char
        if path is None:
            path, written = choice[0], substitute(char) or "[?]"
        if pieces and pieces[-1][0] == path:
            pieces[-1] = (path, pieces[-1][1] + written)
        else:
            pieces.append((path, written))
    return pieces
