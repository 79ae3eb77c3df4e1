"""Reports 25 to 28: letters, tall cells, markup and true size on PDF pages."""

import socket
import threading

import pypdfium2
import pytest

from printouts import html, pdf, text
from printouts.document import Card, Chit, Column, Document, Face, Heading, Pair, Sheet, Table, Text, note
from printouts.thermal import profile, render
from tests.printouts.decode import decode
from tests.printouts.reading import PT, ink, sizes, strokes, words

SIGNS = "Łódź Ёж 第三小隊 €5 ⚅ “é”"


def page(*blocks, **more):
    return Document("t", blocks, paper="page", **more)


@pytest.mark.field(25)
def test_letters_of_any_script_are_copied_out_as_they_went_in():
    chit = Sheet((Chit(Face(SIGNS, SIGNS), Face(SIGNS)),))
    card = Sheet((Card((Heading(SIGNS), Text(SIGNS))),))
    doc = Document(SIGNS, (Heading(SIGNS), Table((Column(SIGNS),), ((SIGNS,),)), chit, card), "page", footer=SIGNS)
    data = pdf.render(doc, "a4")
    pages = words(data)
    assert pages[0].count(SIGNS) == 4  # heading, column title, cell, footer
    assert [text.count(SIGNS) for text in pages[1:]] == [2, 1, 2]
    assert "\u25a0" not in "".join(pages)
    assert pypdfium2.PdfDocument(data).get_metadata_dict()["Title"] == SIGNS


@pytest.mark.field(25)
def test_what_no_font_has_is_written_by_the_table_of_the_slip():
    (shown,) = words(pdf.render(page(Text("a 😀 b \U00013000 c")), "a4"))
    assert shown == "a [grinning face] b [?] c"


@pytest.mark.field(26)
def test_a_cell_taller_than_a_page_is_split_and_nothing_is_lost():
    tall = note("\n".join(f"note {n}." for n in range(400)))
    data = pdf.render(page(Table((Column("Round"), Column("What happened")), (("7", tall), ("8", "short")))), "a4")
    pages = words(data)
    assert len(pages) > 5
    assert all(f"note {n}." in " ".join(pages) for n in range(400))
    assert all("What happened" in shown for shown in pages)
    assert "8 short" in pages[-1]


@pytest.mark.field(26)
def test_a_log_of_five_hundred_rows_repeats_its_titles():
    rows = tuple((str(n), f"event {n};") for n in range(500))
    pages = words(pdf.render(page(Table((Column("No"), Column("Event")), rows)), "letter"))
    assert all(shown.startswith("No Event") for shown in pages)
    assert all(f"event {n};" in " ".join(pages) for n in range(500))


@pytest.mark.field(26)
@pytest.mark.parametrize("spare", [0.3, 0.36, 1.0, 3.0])
def test_a_row_that_ends_at_the_margin_is_whole(spare):
    rows = (("last row",),)
    data = pdf.render(page(*filled(267 - 6.5 - spare), Table((Column(""),), rows)), "a4")
    assert " ".join(words(data)).count("last row") == 1
    assert all(ink(data, n)[3] >= 5 for n in range(len(words(data))))


def filled(mm):
    from printouts.document import Space

    return (Space(mm),)


NAMES = [
    "S&P 500",
    "0.1 <A <0.9",
    "<b>open",
    "</para>",
    '<img src="http://127.0.0.1:{port}/x.png"/>',
    "roll >= 4 & <= 6",
]


@pytest.mark.field(27)
def test_names_are_shown_letter_for_letter_and_nothing_is_fetched():
    asked = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.3)
        watcher = threading.Thread(target=lambda: asked.append(accepted(server)))
        watcher.start()
        names = [name.format(port=server.getsockname()[1]) for name in NAMES]
        doc = page(*(block for n in names for block in (Text(n), Pair(n, "1"), Table((Column(n),), ((n,),)))))
        (shown,) = words(pdf.render(doc, "a4"))
        assert all(shown.count(name) == 4 for name in names)
        assert all(name in " ".join(text.render(doc, 60).split()) for name in names)
        to = profile("TM-T20II", columns=60)
        assert all(name in decode(render(doc, to).data, to).text for name in names)
        assert all(tag not in html.render(doc) for tag in ("<img", "<b>", "</para>"))
        watcher.join()
    assert asked == [False]


def accepted(server):
    try:
        server.accept()
    except TimeoutError:
        return False
    return True


@pytest.mark.field(28)
@pytest.mark.parametrize(("paper", "size"), [("letter", (612, 792)), ("a4", (595.28, 841.89))])
def test_chits_are_true_to_size_on_the_paper_that_was_asked_for(paper, size):
    sheet = Sheet(tuple(Chit(Face(str(n), fill="light"), Face("b", fill="grey")) for n in range(12)), bleed_mm=1.5)
    data = pdf.render(page(sheet), paper)
    assert sizes(data) == [size, size]
    tints = [s for s in strokes(data) if s[3] - s[1] > 20]
    assert len(tints) == 12
    for left, top, right, bottom in tints:  # 25 mm and the bleed on both sides
        assert (right - left) * PT == pytest.approx(70.87 + 3 * PT, abs=0.02)
        assert (bottom - top) * PT == pytest.approx(70.87 + 3 * PT, abs=0.02)
    marks = sorted({round((s[0] + s[2]) / 2, 3) for s in strokes(data) if is_cut_mark(*s)})
    assert (marks[1] - marks[0]) * PT == pytest.approx(70.87, abs=0.05)
    bar = max((s for s in strokes(data) if s[3] - s[1] < 0.3), key=lambda s: s[2] - s[0])
    assert (bar[2] - bar[0]) * PT == pytest.approx(141.73, abs=0.01)
    assert "50.0 mm: print at 100 %" in words(data)[0]
    assert b"/PrintScaling /None" in data
    assert min(ink(data, 0)) >= 5
    assert min(ink(data, 1)) >= 5


def is_cut_mark(left, top, right, bottom):
    return right - left < 0.5 and 3 <= bottom - top < 3.5
