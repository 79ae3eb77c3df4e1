"""Drawings as inline SVG whose unit is the millimetre."""

from __future__ import annotations

from html import escape

from printouts import qr
from printouts.document import Circle, Code, Drawing, Label, Path, Shape
from printouts.pen import INKS
from printouts.words import cells, clean


def render(it: Drawing) -> str:
    """The drawing in true size, with its words for readers that cannot see it."""
    name = f' role="img" aria-label="{escape(clean(it.alt))}"' if it.alt else ' aria-hidden="true"'
    size = f'width="{_n(it.width_mm)}mm" height="{_n(it.height_mm)}mm"'
    box = f'viewBox="0 0 {_n(it.width_mm)} {_n(it.height_mm)}"'
    shapes = "".join(map(_shape, it.shapes))
    return f'<svg {size} {box}{name} overflow="visible" font-family="Roboto,sans-serif">{shapes}</svg>'


def _shape(it: Shape) -> str:
    match it:
        case Path(points, closed, width_mm, dashed, fill, ink):
            line = "L".join(f"{_n(x)} {_n(y)}" for x, y in points)
            dash = ' stroke-dasharray="0.7"' if dashed else ""
            return f'<path d="M{line}{"z" * closed}" {_paint(fill if closed else "none", ink, width_mm)}{dash}/>'
        case Circle(x, y, radius, width_mm, fill, ink):
            return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" {_paint(fill, ink, width_mm)}/>'
        case Label():
            return _label(it)
        case Code(x, y, size_mm, link):
            scale = size_mm / qr.size(link)
            return f'<path transform="translate({_n(x)} {_n(y)}) scale({scale:.5f})" d="{qr.outline(link)}"/>'


def _label(it: Label) -> str:
    text = clean(it.text)
    wide = cells(text) * it.size_mm * 0.56
    size = it.size_mm * min(1.0, it.fit_mm / wide) if it.fit_mm and wide else it.size_mm
    turn = f' transform="rotate({_n(it.angle)} {_n(it.x)} {_n(it.y)})"' if it.angle else ""
    bold = ' font-weight="700"' if it.bold else ""
    return (
        f'<text x="{_n(it.x)}" y="{_n(it.y)}" font-size="{_n(size)}" text-anchor="{it.anchor}" '
        f'fill="{_colour(it.ink)}"{bold}{turn}>{escape(text)}</text>'
    )


def _paint(fill: str, ink: str, width_mm: float) -> str:
    stroke = f'stroke="{_colour(ink)}" stroke-width="{_n(max(width_mm, 0.1))}"' if width_mm else ""
    return f'fill="{_colour(fill)}" {stroke}'.strip()


def _colour(ink: str) -> str:
    return "none" if ink == "none" else "#" + "".join(f"{round(part * 255):02x}" for part in INKS[ink])


def _n(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")
