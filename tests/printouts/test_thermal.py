import io
import zlib

import pytest
import zxingcpp
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageOps

from printouts import PrintError, thermal
from printouts.document import (
    QR,
    Big,
    Box,
    Chit,
    Cut,
    Document,
    Drawing,
    Face,
    Grid,
    Heading,
    Line,
    Pair,
    Path,
    Picture,
    Run,
    Space,
    Sum,
    Table,
    Text,
    Track,
)
from printouts.thermal import Profile, profile
from printouts.words import cells
from tests.printouts.decode import decode, picture
from tests.printouts.samples import BURST, LINK, panel
from tests.printouts.test_text import BLOCKS, SLIP

NARROW = Profile("narrow", cutter="partial")
WIDE = Profile("wide", 576, 48, cutter="full")


def printed(doc, to=NARROW, copy=""):
    return decode(thermal.render(doc, to, copy).data, to)


def slip(*blocks, **more):
    return Document("t", blocks, **more)


def test_a_burst_prints_the_same_letters_as_its_text():
    assert "\n".join(line.rstrip() for line in printed(BURST).text) + "\n" == SLIP


def test_a_burst_with_its_link_takes_at_most_twelve_centimetres():
    assert thermal.render(BURST, NARROW).paper_mm == pytest.approx(104.2, abs=0.2)
    assert thermal.render(BURST, NARROW, "COPY").paper_mm <= 120
    assert thermal.render(BURST, WIDE).paper_mm <= 120


def test_a_slip_with_everything_on_it_still_keeps_to_twelve_centimetres():
    more = (Big("HIT - ENGINE DAMAGE"), Text("rules: club night"), *BURST.blocks[-1:])
    doc = Document("t", (*BURST.blocks[:-1], *more), footer="chain 4f2a91")
    assert thermal.render(doc, NARROW).paper_mm <= 120


def test_a_further_burst_of_an_engagement_takes_at_most_five_centimetres():
    further = (Pair("Spitfire Mk IX (11)", "burst 6/7"), *BURST.blocks[5:7])
    once = thermal.render(slip(Text("x")), NARROW).paper_mm
    assert thermal.render(slip(Text("x"), *further), NARROW).paper_mm - once <= 50


@pytest.mark.parametrize("to", [NARROW, WIDE, Profile(width_dots=512, columns=42, dpi=180)])
def test_the_code_is_read_back_from_the_paper(to):
    image = picture(printed(BURST, to), to)
    assert [found.text for found in zxingcpp.read_barcodes(image)] == [LINK]


def test_profiles_come_from_the_data_base_and_yield_to_what_a_test_print_showed():
    known = profile("TM-T88V")
    assert (known.width_dots, known.columns, known.dpi, known.cutter, known.native_qr) == (
        512,
        42,
        180,
        "partial",
        False,
    )
    assert profile("POS-5890").cutter == "none"
    assert profile("POS-5890", native_qr=True, columns=30).columns == 30
    with pytest.raises(PrintError, match="no printer profile 'X'"):
        profile("X")


@pytest.mark.parametrize("name", thermal.profile_names())
def test_every_known_printer_gets_a_whole_slip(name):
    to = profile(name)
    paper = printed(BURST, to)
    assert paper.text[0].startswith("AGE")
    assert all(len(line) <= to.columns for line in paper.text)


def test_pages_that_move_ascii_or_take_two_bytes_are_not_used():
    codecs = {codec for _, codec in profile("default").code_pages}
    assert "cp437" in codecs
    assert not codecs & {"cp864", "cp932"}


def test_banners_are_large_and_white_on_black():
    data = thermal.render(slip(Text("x"), void=True), NARROW, "COPY").data
    assert data.count(b"\x1d!\x11\x1dB\x01") >= 1
    assert [line.strip() for line in decode(data, NARROW).text] == ["VOID", "COPY", "x"]


def test_a_cut_between_blocks_makes_two_slips_and_none_at_the_end_a_third():
    paper = printed(slip(Text("a"), Cut(), Text("b"), Cut()))
    assert (paper.cuts, paper.resets, paper.text) == (2, 2, ["a", "b"])


def test_rows_of_boxes_are_true_to_size_and_wrap_on_narrow_paper():
    boxes = tuple(Box(str(n), width_mm=9, height_mm=9) for n in range(7))
    rows = [image for image in printed(slip(Track("Ammunition", boxes))).images if image.height > 40]
    assert len(rows) == 2
    assert ImageOps.invert(rows[0]).getbbox()[2] == pytest.approx(5 * 9 * 8 + 3, abs=4)


def test_a_drawing_wider_than_the_head_is_shrunk():
    line = Drawing(200, 20, (Path(((0, 10), (200, 10)), width_mm=1.0),))
    (image,) = printed(slip(line)).images
    assert image.width <= 384
    assert ImageOps.invert(image).getbbox()[2] >= 380


def test_grids_chits_and_a_whole_panel_come_out():
    paper = printed(slip(Grid(((Box("1"), Box("2")), (Box("3"), Box("4")))), Chit(Face("A"), Face("B"))))
    assert len(paper.images) == 4
    assert len(printed(panel()).images) > 10


def test_pictures_are_scaled_to_the_head_and_bad_ones_refused():
    data = io.BytesIO()
    Image.new("RGB", (2000, 500), "black").save(data, "PNG")
    (image,) = printed(slip(Picture(data.getvalue(), 100))).images
    assert (image.width, image.height) == (384, 96)
    with pytest.raises(PrintError, match="could not be read"):
        printed(slip(Picture(b"no picture", 10)))


def test_a_huge_picture_is_refused_before_it_is_unpacked():
    data = io.BytesIO()
    Image.new("1", (9000, 9000)).save(data, "PNG")
    with pytest.raises(PrintError, match="9000 x 9000 is too large"):
        printed(slip(Picture(data.getvalue(), 10)))
    size = data.getvalue().index(b"IHDR") + 4
    claim = (60_000).to_bytes(4, "big") * 2 + data.getvalue()[size + 8 : size + 13]
    bomb = b"IHDR" + claim + zlib.crc32(b"IHDR" + claim).to_bytes(4, "big")
    with pytest.raises(PrintError, match="far too large"):
        printed(slip(Picture(data.getvalue()[: size - 4] + bomb + data.getvalue()[size + 17 :], 10)))


def test_long_pictures_go_in_bands_that_small_buffers_take():
    assert [i.height for i in printed(slip(Drawing(40, 100, ()))).images] == [240, 240, 240, 80]


def test_the_result_is_twice_the_size_on_one_line_or_else_twice_the_height():
    short = thermal.render(slip(Big("ENGINE DAMAGE", "aircraft 11")), NARROW).data
    assert b"\x1d!\x11\x1dB\x00ENGINE DAMAGE\n" in short
    long = thermal.render(slip(Big("HIT - ENGINE DAMAGE")), NARROW).data
    assert b"\x1d!\x01\x1dB\x00HIT - ENGINE DAMAGE\n" in long


def test_empty_paper_is_fed_in_the_units_of_the_head():
    assert b"\x1bJ\x50" in thermal.render(slip(Space(10)), NARROW).data
    assert b"\x1bJ\x8e" in thermal.render(slip(Space(10)), Profile(dpi=180)).data


def test_half_of_a_foreign_line_is_drawn_with_its_columns_kept():
    to = Profile(code_pages=((0, "cp437"),))
    image = printed(slip(Pair("第三小隊", "1990")), to).images[0]
    right = ImageOps.invert(image).getbbox()[2]
    assert 375 <= right <= 384


def test_the_operator_is_told_of_letters_that_no_font_has():
    job = thermal.render(slip(Pair("\U00013000", "1990")), NARROW)
    assert job.replaced == (("\U00013000", "?"),)
    assert job.remarks == ("Some letters are in no installed font: install fonts-droid-fallback.",)


@given(st.lists(BLOCKS, max_size=3).map(tuple), st.sampled_from(["POS-5890", "simple", "TM-T88V"]))
def test_no_input_makes_an_unknown_command_or_a_row_wider_than_the_paper(blocks, name):
    to = profile(name)
    paper = printed(slip(*blocks), to)
    assert paper.cuts == (0 if to.cutter == "none" else paper.resets)
    assert all(cells(line) <= to.columns for line in paper.text)


def test_every_job_starts_with_a_reset_and_the_line_spacing():
    assert thermal.render(slip(), NARROW).data.startswith(b"\x1b@\x1b3\x18")
    assert thermal.render(slip(), Profile(cancel_kanji=True)).data.startswith(b"\x1b@\x1c.")


def test_styles_are_switched_off_before_the_next_words():
    data = thermal.render(slip(Text((Run("a", bold=True, inverse=True), "b"))), NARROW).data
    assert b"\x1bE\x01\x1d!\x00\x1dB\x01a\x1bE\x00\x1d!\x00\x1dB\x00b" in data


def test_tables_and_sums_and_headings_keep_the_right_edge():
    paper = printed(slip(Heading("x", right="y"), Sum((Line("a", "1", "2.2"),)), Table((), ())))
    assert {len(line) for line in paper.text} == {32}


def test_the_code_command_is_sent_only_to_printers_that_proved_it():
    native = Profile(native_qr=True)
    assert printed(BURST, native).codes == [LINK]
    assert printed(BURST, NARROW).codes == []
    assert printed(slip(QR(LINK, "join")), native).text == ["join", ("- " * 32)[:31]]
