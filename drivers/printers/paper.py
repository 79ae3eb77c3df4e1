"""The paper of the virtual printer: carries out ESC/POS commands into lines of text and a picture.

It judges as hard as a cheap printer does: the cutter sits above the head, so a cut without feed takes the
last lines off with the next slip; a line that was not ended keeps the cutter from working.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from drivers.printers.commands import Command
from drivers.printers.glyphs import cells_of, drawn

if TYPE_CHECKING:
    from PIL.Image import Image

EPSON_PAGES: Mapping[int, str] = {
    0: "cp437", 2: "cp850", 3: "cp860", 4: "cp863", 5: "cp865", 13: "cp857", 14: "cp737",
    15: "iso8859_7", 16: "cp1252", 17: "cp866", 18: "cp852", 19: "cp858", 32: "cp720", 33: "cp775",
    34: "cp855", 36: "cp862", 37: "cp864", 39: "iso8859_2", 40: "iso8859_15", 45: "cp1250", 46: "cp1251",
    47: "cp1253", 48: "cp1254",
}  # fmt: skip
"""Page number after ESC t, as Epson counts them."""
_LINE = 30  # dots that a line feed moves the paper, unless ESC 3 says otherwise


@dataclass(frozen=True, slots=True)
class Style:
    """How the next letters look."""

    wide: int = 1
    high: int = 1
    bold: bool = False
    underline: bool = False
    reverse: bool = False
    small: bool = False


@dataclass(frozen=True, slots=True)
class Strip:
    """Paper that has passed the head in one go: so many dots, perhaps with a picture and a text."""

    dots: int
    picture: Image | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Slip:
    """One piece of paper, cut off or (the last one) still in the printer."""

    strips: tuple[Strip, ...]
    width: int
    cut: bool

    @property
    def lines(self) -> list[str]:
        return [strip.text for strip in self.strips if strip.text is not None]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def picture(self) -> Image:
        """The slip in dots, black on white."""
        from PIL import Image

        sheet = Image.new("L", (self.width, max(1, sum(strip.dots for strip in self.strips))), 255)
        y = 0
        for strip in self.strips:
            if strip.picture is not None:
                sheet.paste(strip.picture, (0, y))
            y += strip.dots
        return sheet


@dataclass(slots=True)
class _Settings:
    """What ESC @ puts back."""

    page: int = 0
    align: int = 0
    style: Style = field(default_factory=Style)
    spacing: int = _LINE
    qr_module: int = 3
    qr_level: int = 48
    qr_data: bytes = b""


class Paper:
    """A roll and a head `width` dots wide; `slips` are the pieces cut off, the oldest forgotten first."""

    def __init__(
        self,
        width: int = 384,
        *,
        pages: Mapping[int, str] = EPSON_PAGES,
        cutter: bool = True,
        cutter_dots: int = 120,
        has_qr: Callable[[], bool] = lambda: True,
        forgets_page: Callable[[], bool] = lambda: False,
    ) -> None:
        self.width, self.pages = width, pages
        self.cutter, self.cutter_dots = cutter, cutter_dots
        self.has_qr, self.forgets_page = has_qr, forgets_page
        self.slips: deque[Slip] = deque(maxlen=200)
        self.troubles: deque[str] = deque(maxlen=200)
        self._strips: list[Strip] = []
        self._line: list[tuple[str, Style]] = []
        self._is = _Settings()
        self._does = self._actions()

    def _actions(self) -> dict[str, Callable[[bytes], None]]:
        """What each command does, by its name in the manuals."""
        return {
            "text": self._text,
            "LF": lambda _: self._end_line(),
            "HT": lambda _: self._tab(),
            "ESC @": lambda _: self.start(),
            "ESC t": self._page,
            "ESC a": lambda d: setattr(self._is, "align", d[0] & 3),
            "ESC !": self._mode,
            "ESC E": lambda d: self._restyle(bold=bool(d[0] & 1)),
            "ESC G": lambda d: self._restyle(bold=bool(d[0] & 1)),
            "ESC M": lambda d: self._restyle(small=bool(d[0] & 1)),
            "ESC -": lambda d: self._restyle(underline=d[0] in (1, 2, 49, 50)),
            "GS B": lambda d: self._restyle(reverse=bool(d[0] & 1)),
            "GS !": self._size,
            "ESC 2": lambda _: setattr(self._is, "spacing", _LINE),
            "ESC 3": lambda d: setattr(self._is, "spacing", d[0]),
            "ESC d": lambda d: self._feed(d[0] * self._is.spacing),
            "ESC J": lambda d: self._feed(d[0]),
            "GS v 0": self._raster,
            "GS (": self._two_dimensional,
            "GS V": self._cut,
            "ESC i": lambda _: self._cut(b"\0"),
            "ESC m": lambda _: self._cut(b"\1"),
        }

    @property
    def columns(self) -> int:
        return self.width // 12

    def tape(self) -> Slip:
        """Everything since the last cut, the unfinished line too."""
        strips = [*self._strips]
        if self._line:
            strips.append(self._drawn_line())
        return Slip(tuple(strips), self.width, cut=False)

    def carry_out(self, command: Command) -> None:
        action = self._does.get(command.name)
        if action is not None:
            self._try(action, command)
        elif command.name == "unknown":
            self.troubles.append(f"unknown bytes {command.raw.hex(' ')}")

    def _try(self, action: Callable[[bytes], None], command: Command) -> None:
        try:
            action(command.data)
        except Exception as error:  # a real printer swallows any nonsense too, and goes on
            self.troubles.append(f"{command.name} {command.data[:8].hex(' ')}: {error}")

    def start(self) -> None:
        """ESC @ or power on: the settings are those of the factory, and a begun line is lost."""
        self._is, self._line = _Settings(), []

    # letters

    def _text(self, data: bytes) -> None:
        codec = self.pages.get(self._is.page)
        for letter in data.decode(codec, "replace") if codec else "\ufffd" * len(data):
            self._letter(letter)

    def _letter(self, letter: str) -> None:
        style = self._is.style
        if self._dots_used() + cells_of(letter, style.wide, style.small) > self.width:
            self._end_line()
        self._line.append((letter, style))

    def _dots_used(self) -> int:
        return sum(cells_of(letter, style.wide, style.small) for letter, style in self._line)

    def _tab(self) -> None:
        for _ in range(8 - len(self._line) % 8):
            self._letter(" ")

    def _end_line(self) -> None:
        self._strips.append(self._drawn_line())
        self._line = []

    def _drawn_line(self) -> Strip:
        text = "".join(letter for letter, _ in self._line)
        high = max((style.high for _, style in self._line), default=1)
        height = max(self._is.spacing, 24 * high)
        picture = self._aligned(drawn(self._line, height)) if self._line else None
        return Strip(height, picture, text)

    def _aligned(self, picture: Image) -> Image:
        from PIL import Image

        left = (0, (self.width - picture.width) // 2, self.width - picture.width)[self._is.align % 3]
        sheet = Image.new("L", (self.width, picture.height), 255)
        sheet.paste(picture, (max(0, left), 0))
        return sheet

    # settings

    def _page(self, data: bytes) -> None:
        self._is.page = data[0]
        if data[0] not in self.pages:
            self.troubles.append(f"no code page {data[0]}")

    def _restyle(self, **changes: bool) -> None:
        self._is.style = replace(self._is.style, **changes)

    def _mode(self, data: bytes) -> None:
        n = data[0]
        self._is.style = Style(
            wide=2 if n & 32 else 1,
            high=2 if n & 16 else 1,
            bold=bool(n & 8),
            underline=bool(n & 128),
            small=bool(n & 1),
            reverse=self._is.style.reverse,
        )
        self._maybe_forget()

    def _size(self, data: bytes) -> None:
        self._is.style = replace(self._is.style, wide=1 + (data[0] >> 4 & 7), high=1 + (data[0] & 7))
        self._maybe_forget()

    def _maybe_forget(self) -> None:
        if self.forgets_page():
            self._is.page = 0

    # pictures

    def _raster(self, data: bytes) -> None:
        from PIL import Image, ImageOps

        mode, wide, high = data[0] & 3, data[1] + 256 * data[2], data[3] + 256 * data[4]
        if not wide or not high:
            return
        bits = Image.frombytes("1", (8 * wide, high), data[5:])
        picture = ImageOps.invert(bits.convert("L"))
        picture = picture.resize((picture.width * (1 + (mode & 1)), high * (1 + (mode >> 1))))
        if picture.width > self.width:
            self.troubles.append(f"picture of {picture.width} dots cut off at {self.width}")
            picture = picture.crop((0, 0, self.width, picture.height))
        self._strips.append(Strip(picture.height, self._aligned(picture)))
        self._maybe_forget()

    def _two_dimensional(self, data: bytes) -> None:
        if data[:1] != b"k":
            return
        if not self.has_qr():
            self._text(b"(" + bytes(byte for byte in data if byte >= 0x20))
            return
        code, function, rest = data[3], data[4], data[5:]
        if code != 49:
            self.troubles.append(f"no two-dimensional code of kind {code}")
        elif function == 67:
            self._is.qr_module = rest[0]
        elif function == 69:
            self._is.qr_level = rest[0]
        elif function == 80:
            self._is.qr_data = rest[1:]
        elif function == 81:
            self._qr()

    def _qr(self) -> None:
        from PIL import Image
        from qrcode.main import QRCode

        code = QRCode(error_correction={48: 1, 49: 0, 50: 3, 51: 2}.get(self._is.qr_level, 1), border=0)
        code.add_data(self._is.qr_data)
        code.make()
        rows = code.get_matrix()
        side = len(rows)
        picture = Image.new("L", (side, side))
        picture.putdata([0 if dark else 255 for row in rows for dark in row])
        picture = picture.resize((side * self._is.qr_module,) * 2, Image.Resampling.NEAREST)
        if picture.width > self.width:
            self.troubles.append(f"QR code of {picture.width} dots does not fit {self.width}")
            return
        self._strips.append(Strip(picture.height, self._aligned(picture)))

    # paper

    def _feed(self, dots: int) -> None:
        if self._line:
            self._end_line()
            dots = max(0, dots - self._is.spacing)
        if dots:
            self._strips.append(Strip(dots))

    def _cut(self, data: bytes) -> None:
        if not self.cutter:
            self._text(b"V" + bytes(byte for byte in data if byte >= 0x20))
        elif self._line:
            self.troubles.append("cut ignored: the last line was not ended")
        else:
            if len(data) > 1:
                self._feed(self.cutter_dots + data[1])
            self._part()

    def _part(self) -> None:
        """Cut where the cutter is: what lies between head and cutter comes off with the next slip."""
        stays: list[Strip] = []
        owed = self.cutter_dots
        while self._strips and owed > 0:
            strip = self._strips.pop()
            if strip.picture is None and strip.text is None and strip.dots > owed:
                self._strips.append(Strip(strip.dots - owed))
                strip = Strip(owed)
            stays.insert(0, strip)
            owed -= strip.dots
        self.slips.append(Slip(tuple(self._strips), self.width, cut=True))
        self._strips = stays
