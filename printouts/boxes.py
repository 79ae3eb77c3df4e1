"""Turns boxes, tracks and chits into drawings, so that every renderer draws them alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from printouts.document import (
    Box,
    Chit,
    Circle,
    Code,
    Drawing,
    Face,
    Grid,
    Ink,
    Label,
    Path,
    Shape,
    Track,
    rectangle,
)

THIN, HEAVY = 0.25, 0.9
EDGE = HEAVY / 2  # so that no half of a heavy frame is cut off at the edge of the field


def box(x: float, y: float, it: Box) -> Iterator[Shape]:
    """The shapes of one box whose upper left corner is at (x, y)."""
    w, h = it.width_mm, it.height_mm
    yield rectangle(x, y, w, h, width_mm=HEAVY if it.heavy else THIN, fill=it.fill)
    if it.half:
        yield Path(((x + w / 2, y), (x + w / 2, y + h * 0.18)), width_mm=THIN)
        yield Path(((x + w / 2, y + h * 0.82), (x + w / 2, y + h)), width_mm=THIN)
    if it.label:
        inset = 1.0 if it.heavy else 0.7
        yield Label(x + inset, y + inset + 1.7, it.label, 2.1, "start", fit_mm=w - 2 * inset)
    if it.value:
        size = min(h * 0.5, 5.0)
        lower = min(h * 0.1, 1.0) if it.label else 0.0  # so that label and value never touch
        yield Label(x + w / 2, y + h / 2 + lower + size * 0.36, it.value, size, bold=it.heavy, fit_mm=w - 1.0)
    if it.used:
        yield Path(((x + 1, y + h - 1), (x + w - 1, y + 1)), width_mm=0.5)


def row(boxes: tuple[Box, ...], label: str, label_mm: float, ends: bool = True) -> Drawing:
    """Boxes that touch each other, after a label at their left; a row that does not end touches the next."""
    x, shapes = EDGE + label_mm, list[Shape]()
    height = max((each.height_mm for each in boxes), default=5.0)
    if label:
        shapes.append(Label(EDGE, EDGE + height / 2 + 1.1, label, 3.2, "start", fit_mm=label_mm - 1))
    for each in boxes:
        shapes += box(x, EDGE, each)
        x += each.width_mm
    alt = " ".join([label, *map(spoken, boxes)]).strip()
    return Drawing(x + EDGE, height + (2 * EDGE if ends else 0), tuple(shapes), alt)


def grid(it: Grid) -> list[Drawing]:
    """One drawing a row, so that a long grid can split over pages."""
    labels = it.labels + ("",) * (len(it.rows) - len(it.labels))
    label_mm = (it.label_mm or 22.0) if it.labels else 0.0
    last = len(it.rows) - 1
    return [row(boxes, labels[n], label_mm, n == last) for n, boxes in enumerate(it.rows)]


def track(it: Track, width_mm: float) -> list[Drawing]:
    """The rows of a track that is wrapped to a width; narrow paper gets the label above the boxes."""
    beside = it.label_mm if it.label and width_mm >= it.label_mm + 60 else 0.0
    label = f"{it.label}  {it.rule}".strip()
    lines: list[list[Box]] = [[]]
    used = 0.0
    for each in it.boxes:
        if lines[-1] and used + each.width_mm > width_mm - beside - 2 * EDGE:
            lines.append([])
            used = 0.0
        lines[-1].append(each)
        used += each.width_mm
    drawings = [row(tuple(line), label if beside and not n else "", beside) for n, line in enumerate(lines)]
    if label and not beside:
        drawings.insert(0, Drawing(width_mm, 4.2, (Label(EDGE, 3.4, label, 3.2, "start"),), alt=label))
    return drawings


def spoken(it: Box) -> str:
    """A box in letters."""
    inner = f"{it.label} {it.value}".strip() if it.label and it.value else it.label + it.value
    return f"[{'X' if it.used else ''}{inner or ' '}]"


def face(it: Face, width: float, height: float, bleed: float = 0.0) -> Drawing:
    """One side of a chit on a field that is larger than the chit by the bleed on every side."""
    shapes = list[Shape]()
    whole = (0.0, 0.0, width + 2 * bleed, height + 2 * bleed)
    if it.fill != "none":
        shapes.append(rectangle(*whole, width_mm=0.0, fill=it.fill))
    if it.heavy:
        inset = bleed + 1.2
        shapes.append(rectangle(inset, inset, width - 2.4, height - 2.4, width_mm=HEAVY))
    ink: Ink = "white" if it.fill == "black" else "black"
    middle, foot = bleed + width / 2, bleed + height - 2.2
    if it.small:
        shapes.append(Label(middle, foot, it.small, min(3.0, height * 0.16), fit_mm=width - 3, ink=ink))
    top, bottom = bleed + 2, foot - (3.2 if it.small else 0)
    if it.symbol and it.text:
        shapes.append(Label(middle, top + 4.2, it.text, 4.8, bold=True, fit_mm=width - 3, ink=ink))
        top += 5.5
    elif it.text:
        size = min(height * 0.42, 14.0)
        y = (top + bottom) / 2 + size * 0.36
        shapes.append(Label(middle, y, it.text, size, bold=True, fit_mm=width - 3, ink=ink))
    if it.symbol:
        shapes += placed(it.symbol, bleed + 2, top, width - 4, bottom - top)
    words = " ".join(filter(None, (it.text, it.symbol.alt if it.symbol else "", it.small)))
    return Drawing(whole[2], whole[3], tuple(shapes), alt=words)


def chit(side: Face, piece: Chit) -> Drawing:
    """A side with its outline, as it lies on a slip."""
    drawing = face(side, piece.width_mm, piece.height_mm)
    outline = rectangle(0, 0, piece.width_mm, piece.height_mm)
    return Drawing(drawing.width_mm, drawing.height_mm, (*drawing.shapes, outline), drawing.alt)


def placed(drawing: Drawing, x: float, y: float, width: float, height: float) -> Iterator[Shape]:
    """The shapes of a drawing moved into a field, shrunk to fit and centred, never enlarged."""
    scale = min(1.0, width / drawing.width_mm, height / drawing.height_mm)
    dx = x + (width - drawing.width_mm * scale) / 2
    dy = y + (height - drawing.height_mm * scale) / 2
    for shape in drawing.shapes:
        yield moved(shape, dx, dy, scale)


def moved(shape: Shape, dx: float, dy: float, scale: float = 1.0) -> Shape:
    """A shape scaled about the origin, then moved."""
    if isinstance(shape, Path):
        return replace(shape, points=tuple((dx + x * scale, dy + y * scale) for x, y in shape.points))
    x, y = dx + shape.x * scale, dy + shape.y * scale
    match shape:
        case Circle(radius=radius):
            return replace(shape, x=x, y=y, radius=radius * scale)
        case Label(size_mm=size, fit_mm=fit):
            return replace(shape, x=x, y=y, size_mm=size * scale, fit_mm=fit * scale)
        case Code(size_mm=size):
            return replace(shape, x=x, y=y, size_mm=size * scale)


def turned(it: Drawing) -> Drawing:
    """A quarter turn clockwise: what lay at the left stands at the top."""
    return replace(
        it,
        width_mm=it.height_mm,
        height_mm=it.width_mm,
        shapes=tuple(_turned(shape, it.height_mm) for shape in it.shapes),
    )


def _turned(shape: Shape, high: float) -> Shape:
    if isinstance(shape, Path):
        return replace(shape, points=tuple((high - y, x) for x, y in shape.points))
    x, y = high - shape.y, shape.x
    match shape:
        case Label(angle=angle):
            return replace(shape, x=x, y=y, angle=angle + 90)
        case Code(size_mm=size):
            return replace(shape, x=x - size, y=y)
    return replace(shape, x=x, y=y)
