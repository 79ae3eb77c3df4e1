"""A document as the byte stream of one job for a receipt printer (ESC/POS)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from printouts import boxes, fonts, qr, raster
from printouts.document import QR, Align, Cut, Document, Drawing, Picture, Run, Space, Track
from printouts.profiles import Profile, encoded, profile, profile_names
from printouts.slip import Item, Row, lay_out
from printouts.words import before, fit, wrap

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["Job", "Profile", "Rendered", "profile", "profile_names", "render"]

ESC, GS, LF = b"\x1b", b"\x1d", b"\n"
BAND = 240  # rows of a raster command: small buffers take that much
FEED_MM = 3.75  # what one line of ESC d moves at least with the printer's own line spacing


@dataclass(frozen=True, slots=True)
class Rendered:
    """The bytes of a job, what each replaced sign was written as, remarks, and the paper it takes."""

    data: bytes
    replaced: tuple[tuple[str, str], ...] = ()
    remarks: tuple[str, ...] = ()
    paper_mm: float = 0.0


def render(doc: Document, profile: Profile, copy: str = "") -> Rendered:
    """One job, from reset to cut. `copy` is a banner across the head such as COPY or REPRINT."""
    job = Job(profile)
    job.start()
    for item in lay_out(doc, profile.columns, fit=job.fit, banner=copy):
        job.item(item)
    job.end()
    return Rendered(bytes(job.out), tuple(job.replaced.items()), tuple(job.remarks), round(job.mm, 1))


@dataclass(slots=True)
class Job:
    """The bytes of one job in the making, and what the printer is known to remember."""

    profile: Profile
    out: bytearray = field(default_factory=bytearray)
    replaced: dict[str, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    page: int | None = None
    style: tuple[bool, int, bool] = (False, 0, False)
    mm: float = 0.0

    def start(self) -> None:
        """Reset; whatever the printer remembered is gone, and so is what we remember of it."""
        self.out += ESC + b"@"
        if self.profile.cancel_kanji:
            self.out += b"\x1c."
        self.out += ESC + b"3" + bytes([self.profile.line_units])
        self.page, self.style = None, (False, 0, False)

    def end(self) -> None:
        """Feed past the cutter, then one cut; without a cutter a mark shows where to tear."""
        if self.profile.cutter == "none":
            self.item(Row((Run(("- " * self.profile.columns)[: self.profile.columns - 1]),)))
        self.restyle(Run(""))
        lines = math.ceil(self.profile.head_to_cutter_mm / FEED_MM)
        self.out += ESC + b"2" + ESC + b"d" + bytes([lines])
        self.mm += lines * FEED_MM
        if self.profile.cutter != "none":
            self.cut()

    def cut(self) -> None:
        """Where the paper is now."""
        self.out += GS + b"V" + (b"\x01" if self.profile.cutter == "partial" else b"\x00")

    def fit(self, text: str) -> str:
        return fit(text, self.can_print, self.replaced)

    def can_print(self, char: str) -> bool:
        return any(encoded(char, codec) for _, codec in self.profile.code_pages)

    # --- items ---

    def item(self, item: Item) -> None:
        match item:
            case Row():
                self.row(item)
            case Space(mm):
                self.feed(mm)
            case Drawing(align=align):
                self.image(raster.drawing(item, self.profile.width_dots, self.profile.dpi), align)
            case Track():
                for drawing in boxes.track(item, self.profile.width_dots * 25.4 / self.profile.dpi):
                    self.item(drawing)
            case Picture():
                self.image(raster.picture(item, self.profile.width_dots, self.profile.dpi), "centre")
            case QR():
                self.code(item)
            case Cut():
                self.end()
                self.start()

    def row(self, row: Row) -> None:
        high = 2 if any(span.large or span.tall for span in row.spans) else 1
        if all(span.text.isascii() or all(map(self.can_print, span.text)) for span in row.spans):
            for span in row.spans:
                self.words(span)
            self.out += LF
            self.mm += self.line_mm * high
            return
        spans = tuple(replace(span, text=self.drawable(span.text)) for span in row.spans)
        self.image(raster.foreign(spans, self.profile.columns, self.profile.width_dots, 24 * high))

    def drawable(self, text: str) -> str:
        """Text for a drawn line; a letter that no installed font has becomes "?", and the operator is told."""
        missing = {char for char in text if not char.isascii() and not fonts.file_for(char, fonts.cell_files())}
        if missing:
            self.replaced.update(dict.fromkeys(sorted(missing), "?"))
            self.remarks.append("Some letters are in no installed font: install fonts-droid-fallback.")
        return "".join("?" if char in missing else char for char in text)

    def words(self, span: Run) -> None:
        self.restyle(span)
        if span.text.isascii():
            self.out += span.text.encode()
            return
        for char in span.text:
            data = char.encode("ascii", "ignore") or self.paged(char)
            self.out += data

    def paged(self, char: str) -> bytes:
        """A character by the page in force, else by the first page that has it."""
        for page, codec in self.profile.code_pages:
            if page == self.page and (data := encoded(char, codec)):
                return data
        for page, codec in self.profile.code_pages:
            if data := encoded(char, codec):
                self.page = page
                return ESC + b"t" + bytes([page]) + data
        return b""

    def restyle(self, span: Run) -> None:
        wanted = (span.bold, 0x11 if span.large else span.tall, span.inverse)
        if wanted == self.style:
            return
        for command, value in zip((ESC + b"E", GS + b"!", GS + b"B"), wanted, strict=True):
            self.out += command + bytes([value])
        self.style, self.page = wanted, None

    @property
    def line_mm(self) -> float:
        """What a line takes: its spacing, and never less than its letters of 24 dots."""
        return max(self.profile.line_units / self.units, 24) * 25.4 / self.profile.dpi

    @property
    def units(self) -> int:
        """Feed units in a dot: 180 dpi heads feed in half dots."""
        return 2 if self.profile.dpi == 180 else 1

    def feed(self, mm: float) -> None:
        units = raster.dots(mm, self.profile.dpi) * self.units
        while units > 0:
            self.out += ESC + b"J" + bytes([min(units, 255)])
            units -= 255
        self.mm += mm

    # --- dots ---

    def image(self, image: Image, align: Align = "left") -> None:
        """A picture in bands."""
        self.bands(*_packed(image, align, self.profile.width_dots))

    def bands(self, stride: int, rows: int, bits: bytes) -> None:
        for top in range(0, rows, BAND):
            count = min(BAND, rows - top)
            head = GS + b"v0\x00" + stride.to_bytes(2, "little") + count.to_bytes(2, "little")
            self.out += head + bits[top * stride : (top + count) * stride]
        self.page = None
        self.mm += rows * 25.4 / self.profile.dpi

    def code(self, it: QR) -> None:
        """The code, then its address in letters, so that a reader without a camera gets there too."""
        try:
            code = _code(it.link, self.profile.width_dots, raster.dots(it.size_mm, self.profile.dpi))
        except qr.LinkTooLong:
            code = None
        if code is None:
            self.remarks.append("The link is too long for a QR code on this paper: its address is printed instead.")
            self.paragraph("Link too long for a code; type:")
        elif self.profile.native_qr:
            self.native(it.link, code[0] // qr.size(it.link))
        else:
            self.bands(*code[1:])
        self.paragraph(self.fit(it.caption or qr.address(it.link)))

    def paragraph(self, text: str) -> None:
        for line in wrap(text, self.profile.columns):
            self.item(Row((Run(line),)))

    def native(self, link: str, module: int) -> None:
        data = link.encode("utf-8", "replace")
        head = GS + b"(k"
        self.out += ESC + b"a\x01" + head + b"\x04\x001A2\x00" + head + b"\x03\x001C" + bytes([min(module, 16)])
        self.out += head + b"\x03\x001E1" + head + (len(data) + 3).to_bytes(2, "little") + b"1P0" + data
        self.out += head + b"\x03\x001Q0" + ESC + b"a\x00"
        self.mm += (qr.size(link) - 2 * qr.QUIET) * module * 25.4 / self.profile.dpi


def _packed(image: Image, align: Align, head: int) -> tuple[int, int, bytes]:
    """Placed by white dots, since alignment commands differ between printers."""
    from PIL import Image as Images

    if left := int(before(align, head - image.width)):
        wide = Images.new("L", (left + image.width, image.height), 255)
        wide.paste(image, (left, 0))
        image = wide
    return raster.packed(image)


@lru_cache(maxsize=8)
def _code(link: str, head: int, wanted: int) -> tuple[int, int, int, bytes] | None:
    """The width of a code, then its dots; every slip of a table has the same."""
    image = raster.code(link, head, wanted)
    return (image.width, *_packed(image, "centre", head)) if image else None
