"""The test print of a printer: what its owner reads off goes into the printer's profile."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from printouts import raster
from printouts.document import Drawing, Label, Run, rectangle
from printouts.profiles import Profile, encoded
from printouts.slip import Row
from printouts.thermal import ESC, Job, Rendered

LETTERS = "éñßłőЙЖΩ€"
COLUMNS = (32, 42, 48)
DOTS = (384, 512, 576)
PAGES = 12
LINK = "COMPANION"
FARTHEST = 10  # lines above the cut that carry a number

CodePages: TypeAlias = tuple[tuple[int, str], ...]


def tried(profile: Profile, pages: CodePages = ()) -> CodePages:
    """The code pages on the slip: number and codec."""
    return tuple(dict.fromkeys([*profile.code_pages, *pages]))[:PAGES]


def letters_of(codec: str) -> str:
    """What must stand on the line of a page if the printer has it under that number."""
    return "".join(letter for letter in LETTERS if encoded(letter, codec))


def distances(profile: Profile) -> tuple[int, ...]:
    """The numbers above the cut, in millimetres."""
    line = Job(profile).line_mm
    return tuple(round(above * line) for above in range(FARTHEST, 0, -1))


def calibration(profile: Profile, pages: CodePages = (), *, try_cutter: bool = False) -> Rendered:
    """Width in columns and dots, code pages, codes by command, and how far the cutter is from the head.

    `pages` are tried beside those of the profile. With `try_cutter` a printer of which nobody knows whether it has
    one is told to cut.
    """
    if try_cutter and profile.cutter == "none":
        profile = replace(profile, cutter="partial")
    job = Job(replace(profile, code_pages=tried(profile, pages)))
    job.start()
    for line in (f"PRINTER TEST: {profile.name}", "Write down what is right at 1 to 5."):
        job.paragraph(line)
    _columns(job)
    _dots(job)
    _pages(job)
    job.paragraph("4 CODES: does a code stand here?")
    job.native(LINK, 5)
    _cutter(job)
    return Rendered(bytes(job.out), paper_mm=round(job.mm, 1))


def _line(job: Job, text: str) -> None:
    job.item(Row((Run(text),)))


def _columns(job: Job) -> None:
    job.paragraph("1 COLUMNS: the longest on one line")
    for count in COLUMNS:
        _line(job, f"{count}".rjust(count, "-"))


def _dots(job: Job) -> None:
    job.paragraph("2 DOTS: the widest with both ends")
    scale = 25.4 / job.profile.dpi
    for count in DOTS:
        wide, high = count * scale, 5.0
        frame = rectangle(0.1, 0.1, wide - 0.3, high - 0.3, width_mm=0.3)
        bar = Drawing(wide, high, (frame, Label(wide - 2, 3.8, str(count), 3.5, "end")))
        job.image(raster.drawing(bar, count, job.profile.dpi))


def _pages(job: Job) -> None:
    """Each page by its own number; this is the one place where letters may come out wrong."""
    job.paragraph("3 LETTERS: pages as on screen")
    for page, codec in job.profile.code_pages:
        data = b"".join(encoded(letter, codec) for letter in LETTERS)
        job.out += f"{page:>3} {codec:<11}".encode() + ESC + b"t" + bytes([page]) + data
        job.page = page
        _line(job, "")


def _cutter(job: Job) -> None:
    """No feed before this cut: it falls on the line whose number is the distance."""
    if job.profile.cutter == "none":
        job.end()
        return
    job.paragraph("5 CUTTER: the number at the cut")
    for above in distances(job.profile):
        _line(job, f"-- {above} mm --")
    job.cut()
