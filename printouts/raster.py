"""Drawings, QR codes, pictures and foreign lines as black dots for a thermal head."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from pathlib import Path as File
from typing import TYPE_CHECKING

from printouts import PrintError, fonts, qr
from printouts.document import Circle, Code, Drawing, Label, Path, Picture, Run, Shape
from printouts.words import cell

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

MODULE = 4  # dots; finer modules do not scan from thermal paper
GREATEST = 4_000_000  # pixels of a picture that is still opened


class BadPicture(PrintError, ValueError):
    """Why a picture is not printed."""


def dots(mm: float, dpi: int) -> int:
    """Millimetres in dots."""
    return round(mm * dpi / 25.4)


def packed(image: Image) -> tuple[int, int, bytes]:
    """Bytes a row, rows, and the bits of an image, black as 1."""
    dark = image.convert("L").point(lambda grey: 255 if grey < 128 else 0).convert("1")
    return (image.width + 7) // 8, image.height, dark.tobytes()


@lru_cache(maxsize=64)
def _font(path: File, size: int) -> FreeTypeFont:
    from PIL import ImageFont

    # The other engine, where it is installed, puts a lone mark beside a dotted circle.
    return ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)


def _blank(width: int, height: int) -> tuple[Image, ImageDraw]:
    from PIL import Image, ImageDraw

    image = Image.new("L", (max(1, width), max(1, height)), 255)
    return image, ImageDraw.Draw(image)


def code(link: str, head: int, wanted: int) -> Image | None:
    """A QR code about `wanted` dots wide that fits a head, or None where its modules would be too fine."""
    size = qr.size(link)
    module = min(head // size, max(MODULE, wanted // size))
    if module < MODULE:
        return None
    image, draw = _blank(size * module, size * module)
    for x, y, length in qr.bars(link):
        draw.rectangle((x * module, y * module, (x + length) * module - 1, (y + 1) * module - 1), fill=0)
    return image


def opened(it: Picture) -> Image:
    """A picture in grey on white, checked before it is unpacked."""
    import io

    from PIL import Image, UnidentifiedImageError

    try:
        image = Image.open(io.BytesIO(it.data), formats=("PNG", "JPEG"))
        if image.width * image.height > GREATEST:
            raise BadPicture(f"A picture of {image.width} x {image.height} is too large: scale it down first.")
        return Image.alpha_composite(Image.new("RGBA", image.size, "white"), image.convert("RGBA")).convert("L")
    except Image.DecompressionBombError:
        raise BadPicture("A picture is far too large: scale it down first.") from None
    except (UnidentifiedImageError, OSError, SyntaxError):
        raise BadPicture("A picture could not be read: give a PNG or JPEG file.") from None


def picture(it: Picture, head: int, dpi: int) -> Image:
    """A picture at its size in millimetres, scaled down to the head, its greys as dots."""
    image = opened(it)
    width = min(head, dots(it.width_mm, dpi))
    return image.resize((max(1, width), max(1, round(image.height * width / image.width)))).convert("1")


def foreign(spans: tuple[Run, ...], columns: int, head: int, height: int) -> Image:
    """A line in letters that the printer lacks, drawn cell by cell, so that its columns still stand."""
    image, draw = _blank(head, height)
    pitch, x = head / columns, 0
    for span in spans:
        scale = 2 if span.large else 1
        for letter in _letters(span.text):
            wide = cell(letter[0]) * scale
            _glyph(draw, letter, x * pitch, wide * pitch, height, span)
            x += wide
    return image


def _letters(text: str) -> list[str]:
    """Characters, each with the combining marks that stand on it."""
    found: list[str] = []
    for char in text:
        if found and not cell(char):
            found[-1] += char
        else:
            found.append(char)
    return found


def _glyph(draw: ImageDraw, letter: str, x: float, width: float, height: int, span: Run) -> None:
    path = fonts.file_for(letter[0], fonts.cell_files()) or fonts.cell_files()[0]
    font = _font(path, int(min(height * 0.82, width * (0.98 if cell(letter[0]) == 2 else 1.66)) or height * 0.82))
    if span.inverse:
        draw.rectangle((x, 0, x + width, height), fill=0)
    ink = 255 if span.inverse else 0
    advance = font.getlength(letter[0])
    start = x + (width - advance) / 2
    for char in letter[:1] + "".join(mark for mark in letter[1:] if ord(mark) in fonts.coverage(path)):
        # A mark of a fixed-width font lies in a cell of its own; others reach back over the letter.
        at = start if cell(char) or font.getlength(char) else start + advance
        draw.text((at, height * 0.8), char, ink, font, "ls", stroke_width=int(span.bold))


def drawing(it: Drawing, head: int, dpi: int) -> Image:
    """A drawing in true size, or as wide as the head where it is wider."""
    scale = min(dpi / 25.4, head / it.width_mm)
    image, draw = _blank(min(head, round(it.width_mm * scale) + 1), round(it.height_mm * scale) + 1)
    for shape in it.shapes:
        _draw(image, draw, shape, scale)
    return image


def _draw(image: Image, draw: ImageDraw, shape: Shape, scale: float) -> None:
    match shape:
        case Path():
            _path(draw, shape, scale)
        case Circle(x, y, radius, width, fill, ink):
            box = tuple(v * scale for v in (x - radius, y - radius, x + radius, y + radius))
            draw.ellipse(box, _tone(fill), _tone(ink), max(1, round(width * scale)) if width else 0)
        case Label():
            _label(image, shape, scale)
        case Code(x, y, size, link):
            small = code(link, round(size * scale), round(size * scale))
            if small:
                image.paste(small, (round(x * scale), round(y * scale)))


def _tone(ink: str) -> int | None:
    """Tints stay white on paper that knows only black; their letter says what they are."""
    return None if ink == "none" else 0 if ink == "black" else 255


def _path(draw: ImageDraw, it: Path, scale: float) -> None:
    points = [(x * scale, y * scale) for x, y in it.points]
    if it.closed and it.fill != "none" and len(points) > 2:
        draw.polygon(points, fill=_tone(it.fill))
    if not it.width_mm:
        return
    ends = [*points, points[0]] if it.closed else points
    width = max(1, round(it.width_mm * scale))
    for (x1, y1), (x2, y2) in pairwise(ends):
        if not it.dashed:
            draw.line((x1, y1, x2, y2), fill=_tone(it.ink), width=width)
            continue
        steps = max(1, round(((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 / scale))
        for n in range(0, steps, 2):
            a, b = n / steps, min(1.0, (n + 1) / steps)
            part = (x1 + (x2 - x1) * a, y1 + (y2 - y1) * a, x1 + (x2 - x1) * b, y1 + (y2 - y1) * b)
            draw.line(part, fill=_tone(it.ink), width=width)


def _label(image: Image, it: Label, scale: float) -> None:
    from PIL import ImageChops

    choice, size = fonts.files(it.bold), max(6, round(it.size_mm * scale))
    pieces = fonts.segments(it.text, choice)
    width = sum(_font(path, size).getlength(text) for path, text in pieces)
    if it.fit_mm and width > it.fit_mm * scale:
        size = max(6, int(size * it.fit_mm * scale / width))
        width = sum(_font(path, size).getlength(text) for path, text in pieces)
    layer, pen = _blank(int(width) + 4, size * 2)
    x = 2.0
    for path, text in pieces:
        pen.text((x, size * 1.4), text, 0, _font(path, size), "ls")
        x += _font(path, size).getlength(text)
    left = {"start": 0.0, "middle": width / 2, "end": width}[it.anchor] + 2
    at = (it.x * scale - left, it.y * scale - size * 1.4)
    if it.angle:
        layer, at = _turned(layer, it.angle, left, size * 1.4, it.x * scale, it.y * scale)
    mask = ImageChops.invert(layer)
    image.paste(255 if it.ink == "white" else 0, (round(at[0]), round(at[1])), mask)


def _turned(
    layer: Image, angle: float, pivot_x: float, pivot_y: float, x: float, y: float
) -> tuple[Image, tuple[float, float]]:
    """A layer turned clockwise about its pivot, and where its corner lies when the pivot is at (x, y)."""
    from PIL import Image

    reach = int(max(layer.size) * 1.5) + 2
    square = Image.new("L", (2 * reach, 2 * reach), 255)
    square.paste(layer, (round(reach - pivot_x), round(reach - pivot_y)))
    return square.rotate(-angle, fillcolor=255), (x - reach, y - reach)
