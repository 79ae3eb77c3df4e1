"""Draws on one PDF page in millimetres, x to the right and y down from the upper left corner."""

from __future__ import annotations

import io
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path as File
from typing import Any

from printouts import fonts, qr
from printouts.boxes import moved
from printouts.document import Circle, Code, Drawing, Ink, Label, Path, Picture, Run, Shape

MM = 72 / 25.4
HAIR = 0.25  # points; a thinner line is lost on a photocopy
INKS: dict[str, tuple[float, float, float]] = {
    "black": (0, 0, 0),
    "white": (1, 1, 1),
    "grey": (0.78, 0.78, 0.78),
    "light": (0.92, 0.92, 0.92),
    "blue": (0.78, 0.87, 1),
    "yellow": (1, 0.95, 0.65),
    "red": (1, 0.8, 0.78),
    "green": (0.8, 0.93, 0.78),
}


@lru_cache(maxsize=8)
def _registered(path: File) -> Any:
    """A font under the name of its file; reportlab keeps fonts for the whole process."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    font = TTFont(path.stem, str(path))
    pdfmetrics.registerFont(font)
    return font


@lru_cache(maxsize=16384)
def advance(char: str, bold: bool) -> float:
    """Width of a character, or of what is written for it, in units of the font size."""
    pieces = fonts.segments(char, fonts.files(bold))
    return sum(float(_registered(path).stringWidth(text, 1)) for path, text in pieces)


def width(text: str, size: float, bold: bool = False) -> float:
    """Width of a text in the unit of its size."""
    return size * sum(advance(char, bold) for char in text)


class Pen:
    """A page in the making. Text is drawn letter for letter; what no font has is written otherwise."""

    def __init__(self, canvas: Any, height_mm: float) -> None:
        self.canvas = canvas
        self.top = height_mm * MM

    def words(self, x: float, y: float, spans: Iterable[Run], size: float) -> None:
        """Runs on one baseline."""
        for span in spans:
            scale = 2 * size if span.large else size
            wide = width(span.text, scale, span.bold)
            if span.inverse:
                self.rectangle(x, y - scale * 0.86, wide, scale * 1.12, 0, "black")
            self.text(x, y, span.text, scale, bold=span.bold, ink="white" if span.inverse else "black")
            x += wide

    def text(self, x: float, y: float, text: str, size: float, *, bold: bool = False, ink: Ink = "black") -> None:
        """Text from a baseline point; sizes are millimetres."""
        canvas = self.canvas
        canvas.setFillColorRGB(*INKS[ink])
        left = x * MM
        for path, piece in _pieces(text, bold):
            font = _registered(path)
            canvas.setFont(font.fontName, size * MM)
            canvas.drawString(left, self.top - y * MM, piece)
            left += font.stringWidth(piece, size * MM)

    def line(self, x1: float, y1: float, x2: float, y2: float, width_mm: float = 0.15) -> None:
        self.canvas.setStrokeColorRGB(0, 0, 0)
        self.canvas.setLineWidth(max(HAIR, width_mm * MM))
        self.canvas.line(x1 * MM, self.top - y1 * MM, x2 * MM, self.top - y2 * MM)

    def rectangle(self, x: float, y: float, wide: float, high: float, width_mm: float, fill: Ink = "none") -> None:
        """A frame; with no line width only its tint."""
        self._style(width_mm, fill, "black")
        self.canvas.rect(
            x * MM, self.top - (y + high) * MM, wide * MM, high * MM, stroke=width_mm > 0, fill=fill != "none"
        )

    def code(self, x: float, y: float, size: float, link: str) -> None:
        """A QR code drawn as one path."""
        module = size / qr.size(link)
        path = self.canvas.beginPath()
        for left, top, length in qr.bars(link):
            path.rect(
                (x + left * module) * MM,
                self.top - (y + (top + 1) * module) * MM,
                length * module * MM,
                module * MM,
            )
        self.canvas.setFillColorRGB(0, 0, 0)
        self.canvas.drawPath(path, stroke=0, fill=1)

    def picture(self, x: float, y: float, wide: float, high: float, it: Picture) -> None:
        from reportlab.lib.utils import ImageReader

        self.canvas.drawImage(
            ImageReader(io.BytesIO(it.data)), x * MM, self.top - (y + high) * MM, wide * MM, high * MM, "auto"
        )

    def drawing(self, x: float, y: float, it: Drawing, scale: float = 1.0) -> None:
        for shape in it.shapes:
            self.shape(moved(shape, x, y, scale))

    def shape(self, shape: Shape) -> None:
        match shape:
            case Path():
                self._path(shape)
            case Circle(x, y, radius, width_mm, fill, ink):
                self._style(width_mm, fill, ink)
                self.canvas.circle(x * MM, self.top - y * MM, radius * MM, stroke=width_mm > 0, fill=fill != "none")
            case Label():
                self._label(shape)
            case Code(x, y, size, link):
                self.code(x, y, size, link)

    def _style(self, width_mm: float, fill: Ink, ink: Ink) -> None:
        if fill != "none":
            self.canvas.setFillColorRGB(*INKS[fill])
        if width_mm:
            self.canvas.setStrokeColorRGB(*INKS[ink])
            self.canvas.setLineWidth(max(HAIR, width_mm * MM))

    def _path(self, it: Path) -> None:
        self._style(it.width_mm, it.fill, it.ink)
        path = self.canvas.beginPath()
        points = [(x * MM, self.top - y * MM) for x, y in it.points]
        path.moveTo(*points[0])
        for point in points[1:]:
            path.lineTo(*point)
        if it.closed:
            path.close()
        if it.dashed:
            self.canvas.setDash(2, 2)
        self.canvas.drawPath(path, stroke=it.width_mm > 0, fill=it.closed and it.fill != "none")
        if it.dashed:
            self.canvas.setDash()

    def _label(self, it: Label) -> None:
        size, wide = it.size_mm, width(it.text, it.size_mm, it.bold)
        if it.fit_mm and wide > it.fit_mm:
            size, wide = size * it.fit_mm / wide, it.fit_mm
        before = {"start": 0.0, "middle": wide / 2, "end": wide}[it.anchor]
        if not it.angle:
            self.text(it.x - before, it.y, it.text, size, bold=it.bold, ink=it.ink)
            return
        self.canvas.saveState()
        self.canvas.translate(it.x * MM, self.top - it.y * MM)
        self.canvas.rotate(-it.angle)
        top, self.top = self.top, 0.0
        self.text(-before, 0, it.text, size, bold=it.bold, ink=it.ink)
        self.top = top
        self.canvas.restoreState()


@lru_cache(maxsize=4096)
def _pieces(text: str, bold: bool) -> list[tuple[File, str]]:
    return fonts.segments(text, fonts.files(bold))
