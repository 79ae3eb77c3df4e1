import base64
import io
import re
import zlib

import pytest
import zxingcpp
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from printouts import PrintError, pdf, picture
from printouts.document import (
    QR,
    Big,
    Box,
    Chit,
    Column,
    Columns,
    Cut,
    Document,
    Drawing,
    Face,
    Grid,
    Heading,
    Keep,
    Label,
    Line,
    Pair,
    Panel,
    Path,
    Picture,
    Rule,
    Run,
    Sheet,
    Space,
    Sum,
    Table,
    Text,
    Track,
)
from tests.printouts.reading import PT, ink, letters, sizes, strokes, words
from tests.printouts.samples import BURST, LINK, chits, panel
from tests.printouts.test_text import BLOCKS


def page(*blocks, **more):
    return Document("t", blocks, paper="page", **more)


@pytest.mark.parametrize("paper", ["a4", "letter", "a5", "80", "58"])
def test_everything_of_a_burst_is_on_every_paper(paper):
    (text,) = words(pdf.render(BURST, paper))
    for part in ("AGE OF DOGFIGHTS", "No 0042", "4+2 = 6", ">> DAMAGED", "4.6.1", "192.168.1.23:8080/e/9f3k"):
        assert part in text


@pytest.mark.parametrize(
    ("paper", "size"), [("a4", (595.28, 841.89)), ("letter", (612, 792)), ("a5", (419.53, 595.28))]
)
def test_papers_have_their_true_size(paper, size):
    assert sizes(pdf.render(BURST, paper)) == [size]
    assert sizes(pdf.render(page(Text("x"), landscape=True), paper)) == [size[::-1]]


def test_a_roll_is_as_long_as_the_slip():
    ((width, height),) = sizes(pdf.render(BURST, "58"))
    assert width == pytest.approx(58 * PT, abs=0.01)
    assert 90 * PT < height < 130 * PT
    with pytest.raises(PrintError, match="no paper 'a3'"):
        pdf.render(BURST, "a3")


@pytest.mark.parametrize("doc", [BURST, panel(), chits()])
def test_the_same_document_gives_the_same_bytes(doc):
    first = pdf.render(doc, "a4")
    pdf.render(panel(9), "a4")
    assert pdf.render(doc, "a4") == first
    assert b"/CreationDate (D:2000" in first


@pytest.mark.parametrize("doc", [BURST, panel(), chits()])
@pytest.mark.parametrize("paper", ["a4", "letter", "a5", "80"])
def test_nothing_is_within_five_millimetres_of_the_edge(doc, paper):
    if doc.title == "Chits" and paper == "80":
        paper = "a4"
    data = pdf.render(doc, paper)
    for number in range(len(sizes(data))):
        assert min(ink(data, number)) >= 4.9


def test_all_fonts_are_embedded_and_the_printer_does_not_scale():
    data = pdf.render(page(Text(("Roboto ", Run("bold", bold=True), " ⚅ 第"))), "a4")
    assert set(re.findall(rb"/BaseFont /[A-Z]{6}\+([\w-]+)", data)) == {
        b"Roboto-Regular",
        b"Roboto-Bold",
        b"DejaVuSans",
        b"DroidSansFallback",
    }
    assert data.count(b"/FontFile2") == 4
    assert b"/PrintScaling /None" in data


def test_no_line_is_thinner_than_a_photocopy_can_show():
    data = pdf.render(panel(), "a5")
    widths = {float(w) for s in streams(data) for w in re.findall(rb"([\d.]+) w\b", s)}
    assert min(widths) >= 0.25


def streams(data):
    for raw in re.findall(rb"stream\r?\n(.*?)endstream", data, re.S):
        if raw.strip().endswith(b"~>"):
            yield zlib.decompress(base64.a85decode(b"<~" + raw.strip(), adobe=True))


def test_values_of_all_sums_end_in_one_column():
    data = pdf.render(BURST, "80")
    ends = {}
    for char, _, top, right, _ in letters(data):
        if char.strip():
            ends[round(top)] = max(ends.get(round(top), 0), right)
    at = sorted(round(right, 0) for right in ends.values())
    assert at.count(72) + at.count(71) >= 8  # values, one letter's width inside the rule numbers


def test_figures_are_tabular():
    rows = tuple((number,) for number in ("1111", "8888", "4040"))
    data = pdf.render(page(Table((Column("", "right", 30),), rows)), "a4")
    lefts = {}
    for char, left, top, _, _ in letters(data):
        if char.isdigit():
            lefts.setdefault(round(top), []).append(left)
    starts = [min(row) for row in lefts.values()]
    assert len(starts) == 3
    assert max(starts) - min(starts) < 0.35  # side bearings differ, advances do not


def test_the_code_is_read_back_from_the_picture_of_the_page():
    image = Image.open(io.BytesIO(picture.png(BURST, "80", dpi=200)))
    assert [found.text for found in zxingcpp.read_barcodes(image)] == [LINK]


def test_a_picture_of_a_page_that_is_not_there_is_an_error():
    with pytest.raises(PrintError, match="no page 2"):
        picture.png(BURST, page=2)


def test_kept_blocks_go_to_the_next_page_together():
    data = pdf.render(page(Space(245), Keep((Text("first"), Space(20), Text("last")))), "a4")
    assert len(words(data)) == 2
    assert "first last" in words(data)[1]


def test_kept_blocks_taller_than_a_page_are_still_printed():
    data = pdf.render(page(Keep(tuple(Text(f"line {n}") for n in range(200)))), "a4")
    assert all(f"line {n}" in " ".join(words(data)) for n in range(200))


def test_headings_never_stand_alone_at_the_foot():
    data = pdf.render(page(Space(258), Heading("Title"), Text("body")), "a4")
    assert "Title body" in words(data)[1]


def test_a_cut_starts_a_page_and_none_is_left_empty():
    assert len(words(pdf.render(page(Text("a"), Cut(), Text("b"), Cut()), "a4"))) == 2


def test_columns_stand_side_by_side_and_split_over_pages():
    left, right = tuple(Text(f"l{n}") for n in range(90)), (Text("r"),)
    data = pdf.render(page(Columns((left, right), (1, 1))), "a4")
    tops = {char: top for char, _, top, _, _ in letters(data) if char in "lr"}
    assert tops["r"] < 20
    assert len(words(data)) == 2
    assert "l89" in words(data)[1]


def test_long_panels_split_into_framed_parts():
    data = pdf.render(page(Panel(tuple(Text(f"n{n}") for n in range(90)), "Panel")), "a4")
    assert len(words(data)) == 2
    assert all(any(right - left > 180 for left, _, right, _ in strokes(data, n)) for n in (0, 1))


def test_boxes_are_true_to_size_and_take_a_counter_of_seven_millimetres():
    data = pdf.render(page(Track("Ammunition", (Box("1"), Box("2")))), "a4")
    first, second = strokes(data)
    assert second[0] - first[0] == pytest.approx(9.0, abs=0.01)
    assert first[3] - first[1] == pytest.approx(9.0 + 2 * 0.25, abs=0.02)  # bounds hold the line on both sides


def test_a_drawing_keeps_its_size_and_shrinks_only_where_it_must():
    square = Path(((0, 0), (20, 0), (20, 20), (0, 20)), closed=True, width_mm=0.1)
    wide = Path(((0, 0), (400, 0)), width_mm=0.1)
    data = pdf.render(page(Drawing(20, 20, (square,)), Drawing(400, 10, (wide,))), "a4")
    (left, _, right, _), (start, _, end, _) = strokes(data)
    assert right - left == pytest.approx(20 + 2 * 0.1, abs=0.01)  # bounds hold the line on both sides
    assert end - start == pytest.approx(186, abs=0.3)


def test_labels_shrink_to_their_field_and_can_be_turned():
    turned = Label(20, 20, "turned", angle=90, anchor="start")
    data = pdf.render(page(Drawing(40, 40, (Label(20, 10, "W" * 40, 5, fit_mm=30), turned))), "a4")
    span = [(left, right) for char, left, _, right, _ in letters(data) if char == "W"]
    assert max(right for _, right in span) - min(left for left, _ in span) <= 30.1
    tops = [top for char, _, top, _, _ in letters(data) if char in "turned"]
    assert max(tops) - min(tops) > 5


def test_a_void_page_and_a_copy_say_so():
    assert words(pdf.render(page(Text("x"), void=True), "a4", banner="COPY"))[0].startswith("VOID COPY x")


def test_the_house_note_stands_at_the_foot_of_every_page():
    rows = tuple((str(n),) for n in range(120))
    data = pdf.render(page(Table((Column("n †"),), rows, caption="5 †"), footer="chain 4f2a91"), "a4")
    assert len(words(data)) > 1
    assert all("† house value chain 4f2a91" in text for text in words(data))


def test_pictures_are_embedded_and_bad_ones_refused():
    data = io.BytesIO()
    Image.new("RGB", (100, 50), "black").save(data, "PNG")
    left, top, right, _ = ink(pdf.render(page(Picture(data.getvalue(), 60)), "a4"))
    assert (left, top) == (12.0, 12.0)
    assert right == pytest.approx(210 - 12 - 60, abs=0.3)
    with pytest.raises(PrintError):
        pdf.render(page(Picture(b"GIF89a", 60)), "a4")


def test_every_block_comes_out_on_every_paper():
    blocks = (
        Heading("h"), Text("t", "right", small=True), Big("B", "note"), Rule(), Space(), Pair("l", "r"),
        Sum((Line("a", "1", "Long Heading Of A Rule"), Line("b", "2", "1.2", house=True)), "s", "1"),
        Table((Column("c"),), (("d",),), "cap", marked=(0,)), Grid(((Box("1", heavy=True, used=True),),), ("row",)),
        Chit(Face("x", "small"), Face(fill="black", text="y")), Sheet((Chit(Face("z")),)),
    )  # fmt: skip
    for paper in pdf.PAPERS:
        text = " ".join(words(pdf.render(page(*blocks), paper)))
        assert all(part in text for part in ("note", "Long Heading Of A Rule", "cap", "row", "small", "z", "b †"))


@settings(max_examples=60, deadline=None)
@given(st.lists(BLOCKS, max_size=3).map(tuple), st.sampled_from(sorted(pdf.PAPERS)))
def test_any_document_becomes_a_pdf(blocks, paper):
    assert pdf.render(Document("t", blocks), paper).endswith(b"%%EOF\n")


def test_a_right_side_or_link_too_long_for_its_line_gets_lines_of_its_own():
    link = "http://" + "a" * 3000
    (text,) = words(pdf.render(page(Pair("left words", "right " * 20), QR(link)), "a5"))
    assert text.startswith("left words right right")
    assert "Link too long for a code; type:" in text
    assert "".join(text.split()).count("a" * 3000) == 1


def test_the_address_stands_beside_a_code_on_a_page_and_below_it_on_a_roll():
    def place(paper):
        found = [(left, top) for char, left, top, _, _ in letters(pdf.render(page(QR(LINK)), paper)) if char == "9"]
        return found[0]

    assert place("a4")[0] > 12 + 24
    assert place("58")[1] > 5 + 24


def test_columns_stand_below_each_other_on_a_roll():
    data = pdf.render(page(Columns(((Text("l"),), (Text("r"),)))), "80")
    assert [char for char, *_ in letters(data) if char in "lr"] == ["l", "r"]
    assert len({round(top) for char, _, top, _, _ in letters(data) if char in "lr"}) == 2


def test_very_long_rolls_split_where_viewers_would_refuse_them():
    heights = [height for _, height in sizes(pdf.render(page(*[Space(700)] * 10), "80"))]
    assert len(heights) == 2
    assert max(heights) < 14400
