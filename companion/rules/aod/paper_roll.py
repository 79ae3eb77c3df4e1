"""Chits and markers on the receipt printer, true to size: what is wider than the roll is turned, or comes in strips."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from printouts import document as doc
from printouts.boxes import moved, turned
from printouts.document import Drawing, Face, Label, Path, Shape

ROLL_MM = 48.0
"""What the narrower receipt paper can print in width."""

GLUE_MM = 5.0


def single(chit: doc.Chit, copies: int) -> Iterator[doc.Block]:
    """So many of one, with its size."""
    lies = chit.width_mm > ROLL_MM
    yield from [_turned(chit) if lies else chit] * copies
    yield doc.Text(
        f"True size: {_size(chit.front.symbol or chit)}{', turned to fit the roll' if lies else ''}.", small=True
    )


def _size(it: Drawing | doc.Chit) -> str:
    return f"{round(it.width_mm, 1):g} x {round(it.height_mm, 1):g} mm"


def _turned(chit: doc.Chit) -> doc.Chit:
    back = chit.back and _side(chit.back)
    return doc.Chit(_side(chit.front), back, chit.height_mm, chit.width_mm)


def _side(face: Face) -> Face:
    assert face.symbol, "what is wider than the roll is drawn"
    return replace(face, symbol=turned(face.symbol))


def strips(whole: Drawing, lines: tuple[float, ...]) -> Iterator[doc.Block]:
    """A drawing that may be cut at these heights, in strips as wide as the roll has room, each lying on its side.

    Each but the last has an edge to glue the next one on.
    """
    parts = list(_parts(whole.height_mm, lines))
    for n, (top, bottom) in enumerate(parts, 1):
        glue = GLUE_MM if n < len(parts) else 0.0
        yield turned(_strip(whole, top, bottom, glue, f"strip {n} of {len(parts)}"))
        yield doc.Space(4)
    yield doc.Text(
        f"True size: {_size(whole)}. Cut out the {len(parts)} strips and glue each one on"
        " the dashed edge of the one before.",
        small=True,
    )


def _parts(height: float, lines: tuple[float, ...]) -> Iterator[tuple[float, float]]:
    """From line to line, as many of the rows together as the roll has room for."""
    top, ends = 0.0, (*lines, height)
    for n, line in enumerate(ends):
        last = n + 1 == len(ends)
        if last or ends[n + 1] + (GLUE_MM if n + 2 < len(ends) else 0) - top > ROLL_MM:
            yield top, line
            top = line


def _strip(whole: Drawing, top: float, bottom: float, glue: float, name: str) -> Drawing:
    """Everything that stands between two heights; nothing but the frame lies across a cut."""
    wide, high = whole.width_mm, bottom - top
    shapes: list[Shape] = [s for s in (moved(s, 0, -top) for s in whole.shapes) if _inside(s, high)]
    shapes.append(doc.rectangle(0, 0, wide, high, width_mm=0.3))
    if glue:
        shapes.append(Path(((0, high + glue), (wide, high + glue)), dashed=True))
        shapes.append(Label(wide / 2, high + glue - 1.4, f"{name}: the next one lies over this edge", 2.4))
    return Drawing(wide, high + glue, tuple(shapes), f"{whole.alt}, {name}")


def _inside(shape: Shape, high: float) -> bool:
    ys = [y for _, y in shape.points] if isinstance(shape, Path) else [shape.y]
    return min(ys) >= 0 and max(ys) <= high
