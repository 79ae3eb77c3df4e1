"""The test page for a printer that prints on both sides: how far its backs lie from where they should."""

from __future__ import annotations

from collections.abc import Iterator

from printouts.document import Card, Document, Drawing, Label, Path, Shape, Sheet

SIDE = 100.0
INNER = SIDE - 8.0  # what a card leaves inside its frame
MIDDLE = INNER / 2
REACH = 6.0
STEP = 0.5
AWAY = MIDDLE - 18.0  # the scales stand apart, each where one arm of the cross passes
TITLE = "Backs in duplex"


def page() -> Document:
    """Two scales on the front, a cross in the middle of the back: held against the light its arms lie on them."""
    front, back = (Drawing(INNER, INNER, tuple(shapes)) for shapes in (_front(), _back()))
    return Document(TITLE, (Sheet((Card((front,), (back,), SIDE, SIDE),)),), "page")


def offset(right_mm: float, down_mm: float) -> tuple[float, float]:
    """How backs are to be moved when the cross lies so far from the middle, as the front shows it: seen from behind,
    right is left.
    """
    return right_mm + 0.0, -down_mm + 0.0


def _front() -> Iterator[Shape]:
    yield Label(MIDDLE, 8, "Print on both sides, flip on the long edge, 100 %.", 4)
    yield Label(MIDDLE, 14, "Hold it against the light, this side to you.", 4)
    yield Label(MIDDLE, 20, "Where on the scales are the arms of the cross?", 4, bold=True)
    yield Label(MIDDLE - REACH - 3, AWAY + 1.2, "left", 3.5, "end")
    yield Label(MIDDLE + REACH + 3, AWAY + 1.2, "right", 3.5, "start")
    yield Label(AWAY, MIDDLE - REACH - 3, "up", 3.5)
    yield Label(AWAY, MIDDLE + REACH + 5.5, "down", 3.5)
    for number in range(-int(REACH / STEP), int(REACH / STEP) + 1):
        at, tall = MIDDLE + number * STEP, 2.4 if number % 2 == 0 else 1.4
        yield _stroke(at, AWAY - tall, at, AWAY + tall)
        yield _stroke(AWAY - tall, at, AWAY + tall, at)
        if number % 4 == 0:
            yield Label(at, AWAY - 3.2, f"{abs(number) * STEP:g}", 2.4)
            yield Label(AWAY - 3.2, at + 0.85, f"{abs(number) * STEP:g}", 2.4, "end")


def _back() -> Iterator[Shape]:
    yield _stroke(MIDDLE - 25, MIDDLE, MIDDLE + 25, MIDDLE)
    yield _stroke(MIDDLE, MIDDLE - 25, MIDDLE, MIDDLE + 25)


def _stroke(x1: float, y1: float, x2: float, y2: float) -> Path:
    return Path(((x1, y1), (x2, y2)), width_mm=0.15)
