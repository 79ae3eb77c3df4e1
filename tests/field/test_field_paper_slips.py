"""Reports 1 to 9: letters, columns, pictures, codes and the cutter of receipt printers."""

import io
import subprocess
import sys

import pytest
import zxingcpp
from PIL import Image, ImageOps

from printouts import text
from printouts.document import QR, Big, Document, Drawing, Pair, Picture, Rule, Run, Text
from printouts.thermal import Profile, profile, render
from tests.printouts.decode import decode, picture

LINK = "http://192.168.1.23:8080/e/9f3k"


def slip(*blocks):
    return Document("t", blocks)


def paper(doc, to):
    return decode(render(doc, to).data, to)


# --- 1: the code page that the printer has forgotten ---


@pytest.mark.field(1)
def test_three_slips_in_a_row_decode_alike_whatever_stood_between():
    to = profile("POS-5890")
    words = "Rückgeld €4,53 ł"
    logo = Drawing(20, 5, ())
    alike = slip(Text(words))
    disturbed = slip(Text(words), Big("Größe"), Text(words), logo, Text(words), Text(Run(words, bold=True)))
    stream = render(alike, to).data + render(disturbed, to).data + render(alike, to).data
    lines = decode(stream, to).text  # the decoder forgets its page at resets, pictures and font changes
    assert [line for line in lines if line.startswith("Rück")] == [words] * 6
    assert any("Größe" in line for line in lines)


@pytest.mark.field(1)
def test_three_processes_write_the_same_bytes():
    program = (
        "import sys; from printouts.document import *; from printouts.thermal import *;"
        "sys.stdout.buffer.write(render(Document('t', (Text('Rückgeld €4,53 ł'),)), profile('POS-5890')).data)"
    )
    runs = {subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout for _ in range(3)}
    assert len(runs) == 1
    assert "Rückgeld €4,53 ł" in decode(runs.pop(), profile("POS-5890")).text


# --- 2 and 3: letters and signs that a printer lacks ---

UNIT = "Кириллица Ёж № 5 Й"


@pytest.mark.field(2)
@pytest.mark.parametrize(("name", "page"), [("default", 17), ("POS-5890", 59)])
def test_cyrillic_is_printed_by_the_page_number_of_that_printer(name, page):
    shown = paper(slip(Text(UNIT)), profile(name))
    assert UNIT in shown.text
    assert page in shown.pages


@pytest.mark.field(2)
def test_cyrillic_goes_as_a_picture_where_no_page_has_it():
    to = Profile(code_pages=((0, "cp437"),))
    shown = paper(slip(Text(UNIT)), to)
    assert not any("?" in line for line in shown.text)
    left, _, right, _ = ImageOps.invert(shown.images[0]).getbbox()
    assert left < 12
    assert right == pytest.approx(len(UNIT) * 12, abs=12)


@pytest.mark.field(3)
def test_missing_signs_are_written_by_the_declared_table_and_reported():
    job = render(slip(Text("“Don’t move” — 2–12… €5 ł ⚅ 😀")), profile("simple"))
    assert decode(job.data, profile("simple")).text[:2] == ['"Don\'t move" - 2-12... EUR5 l [6]', "[grinning face]"]
    assert dict(job.replaced)["ł"] == "l"
    assert set("“’”—–…€ł⚅😀") == {sign for sign, _ in job.replaced}


@pytest.mark.field(3)
@pytest.mark.parametrize("name", ["POS-5890", "default"])
def test_a_printer_with_more_pages_writes_them_right_or_by_the_table(name):
    job = render(slip(Text("“Don’t move” — 2–12… €5 ł ⚅ 😀")), profile(name))
    shown = " ".join(decode(job.data, profile(name)).text)
    assert "?" not in shown
    for sign, written in [("€", "EUR"), ("ł", "l"), ("⚅", "[6]"), ("😀", "[grinning face]"), ("…", "...")]:
        assert (sign in shown) != (sign in dict(job.replaced))  # as it is, or replaced and said so
        assert sign in shown or written in shown


@pytest.mark.field(3)
def test_the_euro_never_goes_through_the_greek_page():
    assert 15 not in paper(slip(Text("€ 5")), profile("default")).pages


@pytest.mark.field(3)
def test_the_pages_in_use_can_be_limited():
    to = profile("default", code_pages=((0, "cp437"),))
    assert "5 EUR" in paper(slip(Text("5 €")), to).text


# --- 4: wide characters ---


@pytest.mark.field(4)
@pytest.mark.parametrize("name", ["第三小隊 (spähtrupp)", "サイコロ", "Ａ１"])
def test_the_number_stays_on_the_line_of_a_wide_name(name):
    to = profile("POS-5890")
    doc = slip(Pair(name, "1990"))
    (line,) = text.render(doc).splitlines()
    assert line.startswith(name)
    assert line.endswith("1990")
    shown = paper(doc, to)
    row = next((image for image in shown.images), None)
    if row is None:  # full-width Latin has a narrow twin in every page
        assert len(shown.text[0]) == 32
        assert shown.text[0].endswith("1990")
    else:
        assert len(shown.images) == 1
        assert 372 <= ImageOps.invert(row).getbbox()[2] <= 384


# --- 5: control bytes in names ---

NAMES = [
    "Rex\x1bm",
    "Ann\x1d(k",
    "Bo\x10\x14\x01\x00\x05",
    "Cy\x1b@",
    "Di\tX",
    "Ed\r\nFAKE ROLL 6 6 6",
    "Flo\x9bm\u2028x\u202ey",
]


@pytest.mark.field(5)
@pytest.mark.parametrize("name", NAMES)
def test_no_control_byte_of_a_name_reaches_the_printer(name):
    to = profile("POS-5890")
    shown = paper(slip(Pair(name, "7"), Text((name, Run(name, bold=True))), QR(LINK, name)), to)
    assert shown.resets == 1
    assert shown.cuts == 0
    assert shown.text[0].startswith(name[:2])
    assert "·" in shown.text[0]
    assert len(shown.text[0]) == 32


@pytest.mark.field(5)
def test_a_name_cannot_start_a_line():
    assert text.render(slip(Text(NAMES[5]))).splitlines() == ["Ed··FAKE ROLL 6 6 6"]


# --- 6: columns ---


@pytest.mark.field(6)
@pytest.mark.parametrize(("name", "columns"), [("POS-5890", 32), ("TM-T88V", 42), ("TM-T20II", 48), ("default", 42)])
def test_the_layout_takes_its_columns_from_the_printer(name, columns):
    to = profile(name)
    rows = (Pair("Regimental Sergeant-Major of the 3rd", "2d6=11"), Rule(heavy=True), Text("x" * 60))
    lines = paper(slip(*rows), to).text
    assert to.columns == columns
    assert len(lines[0]) == columns
    assert lines[0].endswith("2d6=11")
    assert "=" * columns in lines
    assert max(map(len, lines)) <= columns
    assert "".join(line for line in lines if set(line) == {"x"}) == "x" * 60


# --- 7 and 8: pictures and codes ---


@pytest.mark.field(7)
@pytest.mark.parametrize("name", ["POS-5890", "TM-T20II"])
@pytest.mark.parametrize("length", [30, 60, 126])
def test_codes_have_modules_that_scan(name, length):
    to = profile(name)
    link = (LINK + "/" + "a" * length)[:length]
    shown = paper(slip(QR(link)), to)
    assert [found.text for found in zxingcpp.read_barcodes(picture(shown, to))] == [link]
    (image,) = shown.images
    edges = ImageOps.invert(image).getbbox()
    row = image.crop((edges[0], edges[1], edges[0] + 100, edges[1] + 1)).tobytes()
    assert row.index(255) >= 7 * 4  # the finder is seven modules wide


@pytest.mark.field(7)
@pytest.mark.parametrize("length", [1200, 3000])
def test_a_link_that_cannot_be_a_code_is_printed_in_letters_and_the_operator_told(length):
    to = profile("POS-5890")
    link = "http://" + "a" * length
    job = render(slip(QR(link)), to)
    shown = decode(job.data, to)
    assert shown.images == []
    assert "".join(shown.text[1:-1]) == "a" * length
    assert job.remarks == ("The link is too long for a QR code on this paper: its address is printed instead.",)


@pytest.mark.field(7)
@pytest.mark.parametrize("name", ["POS-5890", "TM-T20II"])
def test_a_link_of_400_letters_scans_or_is_printed_in_letters(name):
    to = profile(name)
    link = (LINK + "/" + "a" * 400)[:400]
    job = render(slip(QR(link)), to)
    shown = decode(job.data, to)
    read = [found.text for found in zxingcpp.read_barcodes(picture(shown, to))]
    assert read == [link] or (not shown.images and job.remarks)
    assert all(image.width <= to.width_dots for image in shown.images)


@pytest.mark.field(7)
@pytest.mark.parametrize("dots", [385, 2000])
def test_a_picture_wider_than_the_head_is_made_smaller(dots):
    to = profile("POS-5890")
    logo = io.BytesIO()
    Image.new("L", (dots, 80), 0).save(logo, "PNG")
    (image,) = paper(slip(Picture(logo.getvalue(), dots / 8)), to).images
    left, _, right, _ = ImageOps.invert(image).getbbox()
    assert image.width <= 384
    assert right - left > 350  # the whole of it, not a piece


@pytest.mark.field(8)
@pytest.mark.parametrize("name", ["POS-5890", "TM-T88V", "default"])
def test_the_code_is_a_picture_until_a_test_print_has_shown_otherwise(name):
    to = profile(name)
    job = render(slip(QR(LINK)), to)
    assert b"\x1d(k" not in job.data
    assert decode(job.data, to).text[0] == "192.168.1.23:8080/e/9f3k"
    proved = profile(name, native_qr=True)
    assert paper(slip(QR(LINK)), proved).codes == [LINK]


# --- 9: the cutter ---


@pytest.mark.field(9)
@pytest.mark.parametrize(("cutter", "command"), [("partial", b"\x1dV\x01"), ("full", b"\x1dV\x00")])
def test_each_slip_ends_with_a_line_end_a_feed_and_one_cut(cutter, command):
    to = Profile(cutter=cutter, head_to_cutter_mm=20)
    data = render(slip(Text("TOTAL 17")), to).data
    assert data.endswith(b"TOTAL 17\n\x1b2\x1bd\x06" + command)
    three = decode(data * 3, to)
    assert three.cuts == 3
    assert three.fed * 3.75 >= 20


@pytest.mark.field(9)
def test_without_a_cutter_there_is_a_tear_mark_and_no_cut():
    to = profile("POS-5890")
    data = render(slip(Text("TOTAL 17")), to).data
    assert b"\x1dV" not in data
    shown = decode(data, to)
    assert shown.text == ["TOTAL 17", ("- " * 32)[:31]]
    assert shown.fed


@pytest.mark.field(1)
@pytest.mark.field(9)
def test_a_printer_that_forgets_its_page_still_prints_three_slips_alike():
    from drivers.printers.virtual import Faults, VirtualPrinter

    printer = VirtualPrinter(58, faults=Faults(forgets_page=True))
    to = profile("TM-T20II", width_dots=384, columns=32)
    job = render(slip(Text("Rückgeld €4,53"), Big("Größe"), Text("TOTAL 17 é")), to).data
    for _ in range(3):
        printer.write(job, 5.0)
    slips = [each.text for each in printer.slips]
    assert len(slips) == 3
    assert len(set(slips)) == 1
    assert "Rückgeld €4,53" in slips[0]
    assert "TOTAL 17 é" in slips[0]


def test_the_decoder_of_these_tests_is_strict():
    with pytest.raises(AssertionError):
        decode(b"\x1bm", Profile())
    assert isinstance(decode(b"\x1dv0\x00\x01\x00\x01\x00\xff", Profile()).images[0], Image.Image)
