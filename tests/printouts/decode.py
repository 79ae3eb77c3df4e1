"""A strict reader of receipt printer streams: anything it does not know is an error."""

from __future__ import annotations

from dataclasses import dataclass, field

from PIL import Image

from printouts.thermal import Profile


@dataclass
class Paper:
    """What came out of the head, from top to bottom."""

    lines: list[str | Image.Image] = field(default_factory=list)
    cuts: int = 0
    fed: int = 0  # lines by ESC d since the last line
    pages: list[int] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)
    resets: int = 0

    @property
    def text(self) -> list[str]:
        return [line for line in self.lines if isinstance(line, str)]

    @property
    def images(self) -> list[Image.Image]:
        return [line for line in self.lines if isinstance(line, Image.Image)]


def decode(data: bytes, profile: Profile) -> Paper:
    paper, at, line = Paper(), 0, ""
    pages = dict(profile.code_pages)
    page: int | None = None

    def take(count: int) -> bytes:
        nonlocal at
        at += count
        assert at <= len(data), "the stream ends inside a command"
        return data[at - count : at]

    while at < len(data):
        byte = take(1)
        if byte == b"\n":
            paper.lines.append(line)
            line = ""
        elif byte == b"\x1b":
            match take(1):
                case b"@":
                    page, paper.resets = None, paper.resets + 1
                case b"2":
                    pass
                case b"3" | b"E" | b"a" | b"J":
                    take(1)
                case b"d":
                    assert not line, "a line must end before the feed"
                    paper.fed = take(1)[0]
                case b"t":
                    page = take(1)[0]
                    paper.pages.append(page)
                    assert page in pages, f"the profile has no page {page}"
                case other:
                    raise AssertionError(f"unknown ESC {other!r} at {at}")
        elif byte == b"\x1d":
            match take(1):
                case b"!":
                    take(1)
                    page = None  # some printers forget their page at a font change
                case b"B":
                    take(1)
                case b"V":
                    assert take(1) in b"\x00\x01"
                    assert not line, "a line must end before the cut"
                    paper.cuts += 1
                case b"v":
                    assert take(2) == b"0\x00"
                    stride, rows = int.from_bytes(take(2), "little"), int.from_bytes(take(2), "little")
                    assert stride * 8 <= profile.width_dots + 7, "wider than the head"
                    bits = bytes(value ^ 0xFF for value in take(stride * rows))
                    image = Image.frombytes("1", (stride * 8, rows), bits).convert("L")
                    paper.lines.append(image)
                    page = None  # nor do they remember it through a picture
                case b"(":
                    assert take(1) == b"k"
                    body = take(int.from_bytes(take(2), "little"))
                    if body.startswith(b"1P0"):
                        paper.codes.append(body[3:].decode())
                case other:
                    raise AssertionError(f"unknown GS {other!r} at {at}")
        else:
            assert byte[0] >= 0x20, f"control byte {byte!r} at {at}"
            if byte[0] < 0x7F:
                line += byte.decode("ascii")
            else:
                assert page is not None, "a letter of a page that was not chosen"
                line += byte.decode(pages[page])
    assert not line, "the last line has no end"
    return paper


def picture(paper: Paper, profile: Profile) -> Image.Image:
    """The strip of paper; text lines stay white, since letters are the printer's own."""
    heights = [line.height if isinstance(line, Image.Image) else 26 for line in paper.lines]
    strip = Image.new("L", (profile.width_dots + 40, sum(heights) + 40), 255)
    y = 20
    for line, height in zip(paper.lines, heights, strict=True):
        if isinstance(line, Image.Image):
            strip.paste(line, (20, y))
        y += height
    return strip
