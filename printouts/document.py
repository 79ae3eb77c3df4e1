"""What is to be printed, as a frozen tree that knows no device, no paper width and no game.

A game builds a `Document` of blocks; `text`, `thermal`, `pdf` and `html` render it. All lengths are true
millimetres, text is plain text and never markup, and every collection is a tuple so that a tree can be
compared, kept and rendered twice to the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

Align: TypeAlias = Literal["left", "centre", "right"]
Ink: TypeAlias = Literal["black", "white", "grey", "light", "blue", "yellow", "red", "green", "none"]
"""Named inks; every ink but black and white prints as a pale tint, so that a photocopy stays readable."""


@dataclass(frozen=True, slots=True)
class Run:
    """Some words in one style. `large` is twice the size, `tall` twice the height; `inverse` is white on black.

    A line end inside `text` is shown as "·", so that no name can start a new line; `ends_line` starts one.
    """

    text: str
    bold: bool = False
    large: bool = False
    inverse: bool = False
    ends_line: bool = False
    tall: bool = False


Words: TypeAlias = str | Run | tuple[str | Run, ...]


def runs(words: Words) -> tuple[Run, ...]:
    """The same words as runs."""
    parts = words if isinstance(words, tuple) else (words,)
    return tuple(part if isinstance(part, Run) else Run(part) for part in parts)


def plain(words: Words) -> str:
    """The same words without style."""
    return "".join(run.text for run in runs(words))


def note(text: str) -> Words:
    """A note of several lines as words; use it only where the writer may start new lines."""
    return tuple(Run(line, ends_line=True) for line in text.splitlines())


# --- text ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 is the largest. `right` stands at the right edge of the same line."""

    text: str
    level: int = 1
    right: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph, wrapped to the width that it gets."""

    words: Words
    align: Align = "left"
    small: bool = False


@dataclass(frozen=True, slots=True)
class Big:
    """The one result of a slip or page, as large as the width allows, with a smaller line below."""

    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across the whole width."""

    heavy: bool = False


@dataclass(frozen=True, slots=True)
class Space:
    """Empty paper, such as room for a pencil."""

    mm: float = 3.0


@dataclass(frozen=True, slots=True)
class Pair:
    """Words at the left edge and a few at the right edge of the same line; the left ones wrap."""

    left: Words
    right: str
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a sum: what it is, its number or word, and the rule that says so.

    `house` marks a house value: it is shown with a dagger. A `result` line starts with ">>" and is bold.
    """

    label: str
    value: str = ""
    rule: str = ""
    role: Literal["plain", "total", "result"] = "plain"
    house: bool = False


@dataclass(frozen=True, slots=True)
class Sum:
    """A piece of arithmetic. Over a whole document, values form one column and rule numbers another."""

    lines: tuple[Line, ...]
    title: str = ""
    rule: str = ""


# --- tables and boxes ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Column:
    """A table column. `mm` fixes its width on a page; without it, the column takes its share by content."""

    title: str = ""
    align: Align = "left"
    mm: float | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under column titles; long tables split over pages and repeat the titles.

    `marked` names the rows (from 0) that apply now. A row may be shorter than the columns.
    `row_mm` is the least height of a row on a page, such as 8 for a pencil.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Words, ...], ...]
    caption: str = ""
    marked: tuple[int, ...] = ()
    row_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Box:
    """A bordered box for a pencil mark or a counter: small label in the corner, large value in the middle.

    `heavy` is a heavy frame, `half` a tick in the middle of the upper and lower edge (half a burst), `used`
    strikes the box out, `fill` tints it. 9 mm takes a 7 mm counter.
    """

    value: str = ""
    label: str = ""
    width_mm: float = 9.0
    height_mm: float = 9.0
    heavy: bool = False
    half: bool = False
    used: bool = False
    fill: Ink = "none"


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of boxes that touch each other; a row may carry a label at its left."""

    rows: tuple[tuple[Box, ...], ...]
    labels: tuple[str, ...] = ()
    label_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Track:
    """A labelled row of boxes (ammunition, throttle, fuel) that wraps where the paper is narrow."""

    label: str
    boxes: tuple[Box, ...]
    rule: str = ""
    label_mm: float = 24.0


# --- drawings, in true millimetres, x to the right and y down ---------------------------------------


@dataclass(frozen=True, slots=True)
class Path:
    """Straight strokes through points in millimetres; closed and filled it is a polygon."""

    points: tuple[tuple[float, float], ...]
    closed: bool = False
    width_mm: float = 0.25
    dashed: bool = False
    fill: Ink = "none"
    ink: Ink = "black"


@dataclass(frozen=True, slots=True)
class Circle:
    x: float
    y: float
    radius: float
    width_mm: float = 0.25
    fill: Ink = "none"
    ink: Ink = "black"


@dataclass(frozen=True, slots=True)
class Label:
    """Words whose baseline is at (x, y); `size_mm` is the font size, capitals are about 0.7 of it.

    `angle` turns them clockwise in degrees; `fit_mm` is the greatest width: longer words get smaller.
    """

    x: float
    y: float
    text: str
    size_mm: float = 3.0
    anchor: Literal["start", "middle", "end"] = "middle"
    bold: bool = False
    angle: float = 0.0
    ink: Ink = "black"
    fit_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Code:
    """A QR code with its quiet zone in a square of `size_mm` whose upper left corner is at (x, y)."""

    x: float
    y: float
    size_mm: float
    link: str


Shape: TypeAlias = Path | Circle | Label | Code


@dataclass(frozen=True, slots=True)
class Drawing:
    """Vector shapes on a field of true size. `alt` says in words what it shows."""

    width_mm: float
    height_mm: float
    shapes: tuple[Shape, ...]
    alt: str = ""
    align: Align = "left"


@dataclass(frozen=True, slots=True)
class Picture:
    """A raster picture (PNG or JPEG bytes), scaled down where the paper is narrower than `width_mm`."""

    data: bytes
    width_mm: float
    alt: str = ""


@dataclass(frozen=True, slots=True)
class QR:
    """A link as QR code with its address in letters beside or below it. Keep links under 60 characters.

    `caption` replaces the address in letters where the link is a secret or not an address.
    """

    link: str
    caption: str = ""
    size_mm: float = 24.0


# --- pieces to cut out -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Face:
    """One side of a chit: large words, a small line at the foot, a symbol between them, a tint."""

    text: str = ""
    small: str = ""
    symbol: Drawing | None = None
    fill: Ink = "none"
    heavy: bool = False


@dataclass(frozen=True, slots=True)
class Chit:
    """A counter of true size; without a back its reverse stays white."""

    front: Face
    back: Face | None = None
    width_mm: float = 25.0
    height_mm: float = 25.0


@dataclass(frozen=True, slots=True)
class Card:
    """A card for a standard sleeve, its sides filled with blocks."""

    front: tuple[Block, ...]
    back: tuple[Block, ...] = ()
    width_mm: float = 63.0
    height_mm: float = 88.0


@dataclass(frozen=True, slots=True)
class Sheet:
    """Pages of pieces with cut marks, a 50.0 mm check bar, and backs that register in duplex.

    Backs lie mirrored on the next page for printing "flip on long edge". `bleed_mm` is how far a tint runs
    over the cut; the cut marks stay outside it.
    """

    pieces: tuple[Chit | Card, ...]
    bleed_mm: float = 1.5
    backs: bool = True


# --- layout ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Columns:
    """Blocks side by side on a page, one after the other on a slip. `shares` are relative widths."""

    columns: tuple[tuple[Block, ...], ...]
    shares: tuple[float, ...] = ()
    gap_mm: float = 4.0


@dataclass(frozen=True, slots=True)
class Panel:
    """Blocks in a frame, kept together."""

    blocks: tuple[Block, ...]
    title: str = ""
    heavy: bool = False


@dataclass(frozen=True, slots=True)
class Keep:
    """Blocks that belong together: a page break comes before or after them where they fit on a page."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Cut:
    """A new page, or a new slip in the same job."""


Block: TypeAlias = (
    Heading
    | Text
    | Big
    | Rule
    | Space
    | Pair
    | Sum
    | Table
    | Grid
    | Track
    | Drawing
    | Picture
    | QR
    | Chit
    | Sheet
    | Columns
    | Panel
    | Keep
    | Cut
)


@dataclass(frozen=True, slots=True)
class Document:
    """Everything that is printed in one go.

    `title` names the document (file, window, job list) and is not printed: use a `Heading` for that.
    `paper` is what it was made for: a slip, or a page of the named size. `footer` stands at the foot of
    every page and at the end of a slip (house rules in force, the chain's digits). `void` prints VOID
    across the head.
    """

    title: str
    blocks: tuple[Block, ...]
    paper: Literal["slip", "page", "a5"] = "slip"
    landscape: bool = False
    footer: str = ""
    void: bool = False


# --- small helpers ---------------------------------------------------------------------------------


def rectangle(x: float, y: float, width: float, height: float, *, width_mm: float = 0.25, fill: Ink = "none") -> Path:
    """A rectangle whose upper left corner is at (x, y)."""
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    return Path(corners, closed=True, width_mm=width_mm, fill=fill)


def inside(block: Block) -> Iterable[Block]:
    """The blocks directly inside a block."""
    match block:
        case Columns(columns):
            return [each for column in columns for each in column]
        case Panel(blocks) | Keep(blocks):
            return blocks
        case Sheet(pieces):
            return [each for piece in pieces if isinstance(piece, Card) for each in piece.front + piece.back]
        case _:
            return ()


def walk(blocks: Iterable[Block]) -> Iterable[Block]:
    """All blocks, outer before inner, in reading order."""
    for block in blocks:
        yield block
        yield from walk(inside(block))
