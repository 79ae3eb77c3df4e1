"""A document as plain text, for a terminal, a log, or a reader's voice."""

from __future__ import annotations

from printouts.boxes import spoken
from printouts.document import QR, Cut, Document, Drawing, Picture, Space, Track
from printouts.qr import address
from printouts.slip import Item, Row, lay_out
from printouts.words import clean, wrap


def render(doc: Document, columns: int = 32, *, banner: str = "") -> str:
    """The document in lines of at most `columns` cells, wide characters counting two."""
    lines = [line for item in lay_out(doc, columns, large=1, banner=banner) for line in _lines(item, columns)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _lines(item: Item, columns: int) -> list[str]:
    match item:
        case Row():
            return [str(item)]
        case Space(mm):
            return [""] if mm >= 2 else []
        case Cut():
            return ["", "-" * columns, ""]
        case QR(link, caption):
            return wrap(clean(caption or address(link)), columns)
        case Track(label, boxes, rule):
            return wrap(clean(" ".join([label, *map(spoken, boxes), rule]).strip()), columns)
        case Drawing(alt=alt) | Picture(alt=alt):
            return wrap(clean(alt), columns) if alt else []
