import io
from html.parser import HTMLParser

import pytest
import zxingcpp
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from printouts import html, svg
from printouts.document import QR, Circle, Code, Document, Drawing, Label, Path, Picture, Run, Text
from tests.printouts.samples import BURST, LINK, chits, panel
from tests.printouts.test_text import BLOCKS

VOID = {"hr", "br", "meta", "img"}


class Reader(HTMLParser):
    """Collects words and complains about tags that do not match."""

    def __init__(self):
        super().__init__()
        self.open, self.words, self.links, self.tags = [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in ("src", "href")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.words.append(data)


def read(markup):
    reader = Reader()
    reader.feed(markup)
    reader.close()
    assert not reader.open
    return reader


def test_a_burst_is_an_article_with_tables_and_a_link():
    page = read(html.render(BURST))
    assert page.tags[0] == "article"
    assert page.tags.count("table") == 2
    assert page.links == [LINK]
    assert "4+2 = 6" in page.words


@pytest.mark.parametrize("doc", [panel(), chits(), BURST])
def test_nothing_is_loaded_from_anywhere(doc):
    page = read(html.page(doc))
    assert not set(page.tags) & {"script", "link", "iframe", "img"}
    assert set(page.links) <= {LINK}
    assert "url(" not in html.page(doc)


@given(st.lists(BLOCKS, max_size=3).map(tuple))
def test_any_document_is_well_formed(blocks):
    read(html.render(Document("t", blocks)))


@given(st.text(alphabet="ab <>&;\"'/éЖ第😀", min_size=1))
def test_words_are_shown_letter_for_letter(words):
    assert "".join(read(html.render(Document("t", (Text(Run(words, bold=True)),)))).words) == words


def test_a_link_that_is_no_address_is_not_a_link():
    assert read(html.render(Document("t", (QR("javascript:alert(1)", "x"),)))).links == []
    assert "too long" in html.render(Document("t", (QR("http://" + "a" * 3000),)))


def test_a_picture_travels_inside_the_page():
    data = io.BytesIO()
    Image.new("1", (4, 4)).save(data, "PNG")
    (link,) = read(html.render(Document("t", (Picture(data.getvalue(), 10, 'a "dot"'),)))).links
    assert link.startswith("data:image/png;base64,iVBOR")


def test_drawings_are_true_to_size_and_have_words():
    shapes = (Path(((0, 0), (10, 5)), dashed=True), Circle(5, 5, 2), Label(1, 1, "<a>", angle=30), Code(0, 0, 9, LINK))
    markup = svg.render(Drawing(30, 20, shapes, "what it shows"))
    assert 'width="30mm" height="20mm" viewBox="0 0 30 20" role="img" aria-label="what it shows"' in markup
    assert "&lt;a&gt;" in markup
    assert read(markup).tags == ["svg", "path", "circle", "text", "path"]


def test_void_copy_and_foot_are_there():
    words = read(html.render(Document("t", (Text("5 †"),), void=True, footer="f"), banner="COPY")).words
    assert words == ["VOID", "COPY", "5 †", "† house value", "f"]


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        yield chromium
        chromium.close()


def test_a_browser_shows_a_code_that_scans(browser):
    page = browser.new_page(viewport={"width": 390, "height": 844}, device_scale_factor=2)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.set_content(html.page(BURST))
    image = Image.open(io.BytesIO(page.screenshot(full_page=True)))
    assert [found.text for found in zxingcpp.read_barcodes(image)] == [LINK]
    assert not [url for url in asked if not url.startswith("about:")]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.close()
