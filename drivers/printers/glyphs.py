"""Letters as a thermal head draws them: every sign in its own cell of 12 by 24 dots (font B: 9 by 17)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol
from unicodedata import east_asian_width

if TYPE_CHECKING:
    from PIL.Image import Image

_FONTS = (
    "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf",
    "/usr/share/fonts/TTF/DejaVuSansMono.ttf",
    "DejaVuSansMono.ttf",
)


class Look(Protocol):
    """The part of a style that decides how a letter is drawn."""

    @property
    def wide(self) -> int: ...
    @property
    def high(self) -> int: ...
    @property
    def bold(self) -> bool: ...
    @property
    def underline(self) -> bool: ...
    @property
    def reverse(self) -> bool: ...
    @property
    def small(self) -> bool: ...


def cells_of(letter: str, wide: int, small: bool) -> int:
    """The dots that a letter takes across."""
    return (9 if small else 12) * wide * (2 if east_asian_width(letter) in "WF" else 1)


def drawn(line: Sequence[tuple[str, Look]], height: int) -> Image:
    """One line of print, black on white, its letters standing on a common base."""
    from PIL import Image

    sheet = Image.new("L", (sum(cells_of(c, s.wide, s.small) for c, s in line), height), 255)
    base = 24 * max(style.high for _, style in line)
    x = 0
    for letter, style in line:
        glyph = _glyph(letter, style.bold, style.underline, style.reverse, style.small)
        glyph = glyph.resize((glyph.width * style.wide, glyph.height * style.high))
        sheet.paste(glyph, (x, base - glyph.height))
        x += glyph.width
    return sheet


@lru_cache(maxsize=2048)
def _glyph(letter: str, bold: bool, underline: bool, reverse: bool, small: bool) -> Image:
    from PIL import Image, ImageDraw, ImageOps

    size = (cells_of(letter, 1, small), 17 if small else 24)
    cell = Image.new("L", size, 255)
    draw = ImageDraw.Draw(cell)
    draw.fontmode = "1"
    draw.text((0, 0), letter, fill=0, font=_font(small), stroke_width=1 if bold else 0)
    if underline:
        draw.line((0, size[1] - 1, size[0], size[1] - 1), fill=0)
    return ImageOps.invert(cell) if reverse else cell


@lru_cache(maxsize=2)
def _font(small: bool) -> Any:
    from PIL import ImageFont

    for name in _FONTS:
        try:
            return ImageFont.truetype(name, 14 if small else 20)
        except OSError:
            continue
    return ImageFont.load_default()
