"""Shapes on the thermal head, held against the same shapes on a page."""

import io

import pytest
import zxingcpp
from PIL import Image, ImageChops, ImageOps

from printouts import picture, raster
from printouts.boxes import chit
from printouts.document import Chit, Circle, Code, Document, Drawing, Face, Label, Path, Run
from tests.printouts.samples import LINK, panel_blocks

DPI = 203

SHAPES = [
    (Path(((5, 5), (35, 25)), width_mm=0.5),),
    (Path(((5, 5), (35, 5), (20, 25)), closed=True, fill="black"),),
    (Path(((2, 3), (38, 27)), width_mm=0.5, dashed=True),),
    (Circle(20, 15, 10, 0.5),),
    (Circle(20, 15, 10, 0, "black"),),
    (Label(20, 15, "SPITFIRE 11", 5),),
    (Label(38, 15, "⚅ → 第", 5, "end", True),),
    (Label(20, 15, "turned", 5, "start", angle=90),),
    (Label(20, 15, "turned", 5, "middle", angle=-45),),
    (Path(((0, 0), (40, 0), (40, 30), (0, 30)), True, 0, fill="black"), Label(20, 20, "white", 6, ink="white")),
]


def thermal_ink(drawing):
    image = raster.drawing(drawing, 400, DPI)
    return image.convert("L").point(lambda grey: 0 if grey < 128 else 255)


def page_ink(drawing):
    data = picture.png(Document("t", (drawing,), "page"), "a4", dpi=DPI)
    image = Image.open(io.BytesIO(data)).convert("L").point(lambda grey: 0 if grey < 128 else 255)
    left = raster.dots(12, DPI)
    return image.crop((left, left, left + raster.dots(40, DPI) + 1, left + raster.dots(30, DPI) + 1))


@pytest.mark.parametrize("shapes", SHAPES)
def test_the_head_draws_what_the_page_shows(shapes):
    head, page = thermal_ink(Drawing(40, 30, shapes)), page_ink(Drawing(40, 30, shapes))
    assert ImageOps.invert(head).getbbox() == pytest.approx(ImageOps.invert(page).getbbox(), abs=6)
    assert head.histogram()[0] == pytest.approx(page.histogram()[0], rel=0.35)


def test_a_code_inside_a_drawing_scans():
    image = raster.drawing(Drawing(40, 40, (Code(5, 5, 30, LINK),)), 400, DPI)
    assert [found.text for found in zxingcpp.read_barcodes(image)] == [LINK]
    data = picture.png(Document("t", (Drawing(40, 40, (Code(5, 5, 30, LINK),)),), "page"), dpi=DPI)
    assert [found.text for found in zxingcpp.read_barcodes(Image.open(io.BytesIO(data)))] == [LINK]


def test_a_chit_with_a_symbol_shows_symbol_words_and_outline():
    mark = Drawing(60, 60, (Circle(30, 30, 28, 2), Code(10, 10, 40, LINK), Label(30, 30, "x")))
    face = Face("11", "fighter", mark, heavy=True)
    image = ImageOps.invert(thermal_ink(chit(face, Chit(face))))
    assert image.getbbox() == pytest.approx((0, 0, 200, 200), abs=2)


def test_white_letters_on_black_stay_readable_in_a_drawn_line():
    line = raster.foreign((Run("Й" * 8, inverse=True),), 32, 384, 24)
    dark = line.crop((0, 0, 96, 24)).point(lambda grey: 0 if grey < 128 else 255).histogram()[0]
    assert 0.5 < dark / (96 * 24) < 0.98


def test_a_combining_mark_stands_over_the_letter_before_it():
    line = raster.foreign((Run("xИ\u0301x"),), 32, 384, 24)
    plain = raster.foreign((Run("xИx"),), 32, 384, 24)
    marked = ImageOps.invert(ImageChops.difference(line, plain).point(lambda grey: 0 if grey > 60 else 255))
    left, _, right, _ = marked.getbbox()
    assert 12 <= left < right <= 24


def test_tints_stay_white_on_paper_that_knows_only_black():
    square = Path(((0, 0), (10, 0), (10, 10), (0, 10)), closed=True, width_mm=0, fill="red")
    assert ImageOps.invert(thermal_ink(Drawing(10, 10, (square,)))).getbbox() is None


def test_a_whole_panel_is_as_wide_as_its_drawings_on_the_head():
    drawings = [block for block in panel_blocks()[1].columns[0] if isinstance(block, Drawing)]
    image = raster.drawing(drawings[0], 384, DPI)
    assert image.width == pytest.approx(raster.dots(42, DPI), abs=2)
