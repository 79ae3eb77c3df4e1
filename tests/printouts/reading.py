"""Reads PDF files back: sizes, letters, places of strokes."""

from __future__ import annotations

import pypdfium2
import pypdfium2.raw as raw

PT = 72 / 25.4


def words(data: bytes) -> list[str]:
    """The text of each page with its line ends as spaces."""
    book = pypdfium2.PdfDocument(data)
    return [" ".join(page.get_textpage().get_text_range().split()) for page in book]


def sizes(data: bytes) -> list[tuple[float, float]]:
    """Width and height of each page in points, from its MediaBox."""
    return [tuple(round(v, 2) for v in page.get_mediabox()[2:]) for page in pypdfium2.PdfDocument(data)]


def strokes(data: bytes, page: int = 0) -> list[tuple[float, float, float, float]]:
    """Bounds of every path as left, top, right, bottom in millimetres from the upper left corner."""
    sheet = pypdfium2.PdfDocument(data)[page]
    high = sheet.get_height()
    found = []
    for each in sheet.get_objects([raw.FPDF_PAGEOBJ_PATH]):
        left, bottom, right, top = each.get_bounds()
        found.append((left / PT, (high - top) / PT, right / PT, (high - bottom) / PT))
    return found


def ink(data: bytes, page: int = 0) -> tuple[float, float, float, float]:
    """What is printed, as distances in millimetres from the left, upper, right and lower edge."""
    from PIL import ImageOps

    sheet = pypdfium2.PdfDocument(data)[page]
    image = sheet.render(scale=2).to_pil().convert("L").point(lambda grey: 0 if grey < 250 else 255)
    box = ImageOps.invert(image).getbbox()
    assert box
    return tuple(round(v / 2 / PT, 1) for v in (box[0], box[1], image.width - box[2], image.height - box[3]))


def letters(data: bytes, page: int = 0) -> list[tuple[str, float, float, float, float]]:
    """Each character with left, top, right and bottom in millimetres from the upper left corner."""
    sheet = pypdfium2.PdfDocument(data)[page]
    high, text = sheet.get_height(), sheet.get_textpage()
    found = []
    for n in range(text.count_chars()):
        left, bottom, right, top = text.get_charbox(n)
        found.append((text.get_text_range(n, 1), left / PT, (high - top) / PT, right / PT, (high - bottom) / PT))
    return found
