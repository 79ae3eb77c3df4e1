"""The virtual printer judges as a cheap real one would."""

import pytest
import zxingcpp
from hypothesis import given
from hypothesis import strategies as st

from drivers.printers import PrinterOff, UnknownPrinter
from drivers.printers.commands import Reader
from drivers.printers.virtual import Faults, VirtualPrinter
from printouts.document import QR, Document, Text
from printouts.thermal import profile, render

LINK = "http://192.168.1.23:8080/e/9f3k"


def printed(data: bytes, roll_mm: int = 58, faults: str = "", **more: object) -> VirtualPrinter:
    """A printer that has taken these bytes."""
    device = VirtualPrinter(roll_mm, faults=Faults.parse(faults), **more)  # type: ignore[arg-type]
    device.take(data)
    return device


def stored_qr(payload: bytes, module: int = 4) -> bytes:
    """The native code commands: size, level M, store, print."""
    size = (len(payload) + 3).to_bytes(2, "little")
    head = b"\x1d(k"
    return (
        head + b"\x03\0\x31\x43" + bytes([module]) + head + b"\x03\0\x31\x45\x31"
        + head + size + b"\x31\x50\x30" + payload + head + b"\x03\0\x31\x51\x30"
    )  # fmt: skip


@pytest.mark.parametrize(("roll_mm", "columns", "dots"), [(58, 32, 384), (80, 48, 576)])
def test_a_line_wraps_at_the_edge(roll_mm: int, columns: int, dots: int) -> None:
    tape = printed(b"x" * (columns + 1) + b"\n", roll_mm).tape
    assert tape.lines == ["x" * columns, "x"]
    assert tape.picture().width == dots


def test_wide_letters_wrap_sooner() -> None:
    assert printed(b"\x1d!\x10" + b"w" * 17 + b"\n").tape.lines == ["w" * 16, "w"]
    assert printed(b"\x1b!\x20" + b"w" * 17 + b"\n").tape.lines == ["w" * 16, "w"]
    assert printed(b"\x1bM\x01" + b"s" * 43 + b"\n").tape.lines == ["s" * 42, "s"]


@pytest.mark.parametrize(
    ("page", "byte", "letter"), [(0, 0x82, "é"), (18, 0x88, "ł"), (17, 0x80, "А"), (19, 0xD5, "€"), (16, 0x80, "€")]
)
def test_code_pages(page: int, byte: int, letter: str) -> None:
    assert printed(bytes([0x1B, ord("t"), page, byte, 10])).text.strip() == letter


def test_a_page_that_it_lacks_is_a_trouble() -> None:
    device = printed(b"\x1bt\x63\x82\n")
    assert device.text.strip() == "\ufffd"
    assert list(device.paper.troubles) == ["no code page 99"]


@pytest.mark.field(1)
def test_the_page_is_forgotten_at_a_reset_and_by_clones_when_the_size_changes() -> None:
    letter = b"\x1bt\x12\x88\n\x1b@\x88\n"
    assert printed(letter).tape.lines == ["ł", "ê"]
    size = b"\x1bt\x12\x88\x1d!\x00\x88\n"
    assert printed(size).text.strip() == "łł"
    assert printed(size, faults="forgets_page").text.strip() == "łê"


@pytest.mark.field(1)
def test_our_own_slips_read_alike_on_a_printer_that_forgets() -> None:
    document = Document("x", (Text("Rückgeld €4,53 ł"), QR(LINK), Text("Rückgeld €4,53 ł")))
    paper = profile("TM-T20II")
    device = printed(render(document, paper).data * 2, 80, "forgets_page", pages=dict(paper.code_pages))
    assert device.text.count("Rückgeld €4,53 ł") == 4


def test_style_shows_in_the_picture_alone() -> None:
    plain = printed(b"abc\n").tape
    for change in (b"\x1bE\x01", b"\x1b-\x01", b"\x1dB\x01", b"\x1d!\x11", b"\x1ba\x01", b"\x1ba\x02"):
        styled = printed(change + b"abc\n").tape
        assert styled.text == plain.text
        assert styled.picture().tobytes() != plain.picture().tobytes()


@pytest.mark.parametrize("align", [0, 1, 2])
def test_letters_stand_where_they_are_put(align: int) -> None:
    ink = printed(b"\x1ba" + bytes([align]) + b"abc\n").tape.picture().point(lambda dot: 255 - dot).getbbox()
    assert ink is not None
    assert (ink[2] <= 40, 150 < ink[0] < 200 < ink[2] < 240, ink[0] >= 345)[align]


def test_a_raster_is_printed_dot_for_dot_and_cut_off_at_the_edge() -> None:
    picture = printed(b"\x1dv0\0\x02\0\x02\0\xff\x00\x0f\xf0").tape.picture()
    assert [picture.getpixel((x, 0)) for x in (0, 7, 8)] == [0, 0, 255]
    assert [picture.getpixel((x, 1)) for x in (3, 4, 11, 12)] == [255, 0, 0, 255]
    wide = printed(b"\x1dv0\0\x31\0\x01\0" + b"\xff" * 49)
    assert list(wide.paper.troubles) == ["picture of 392 dots cut off at 384"]
    assert wide.tape.picture().width == 384
    assert printed(b"\x1dv0\x03\x02\0\x02\0\xff\x00\x0f\xf0").tape.picture().height == 4


@pytest.mark.parametrize("roll_mm", [58, 80])
def test_a_native_code_reads_back(roll_mm: int) -> None:
    picture = printed(stored_qr(LINK.encode()) + b"\n\n\n", roll_mm).tape.picture()
    assert [code.text for code in zxingcpp.read_barcodes(picture)] == [LINK]


@pytest.mark.field(8)
def test_a_clone_without_codes_prints_their_letters() -> None:
    device = printed(stored_qr(LINK.encode()) + b"\n", faults="without_qr")
    assert "9f3k" in device.text
    assert not zxingcpp.read_barcodes(device.tape.picture())


@pytest.mark.field(8)
def test_our_own_slips_show_no_letters_on_a_clone_without_codes() -> None:
    device = printed(render(Document("x", (QR(LINK),)), profile("POS-5890")).data, faults="without_qr")
    assert "(k" not in device.text
    assert not device.paper.troubles
    assert [code.text for code in zxingcpp.read_barcodes(device.tape.picture())] == [LINK]


@pytest.mark.field(7)
def test_a_code_that_does_not_fit_is_a_trouble() -> None:
    device = printed(stored_qr(b"x" * 400, module=16))
    assert list(device.paper.troubles) == ["QR code of 1232 dots does not fit 384"]


@pytest.mark.field(9)
def test_a_cut_without_feed_takes_the_last_lines_off_with_the_next_slip() -> None:
    device = printed(b"one\ntwo\n\x1dV\x00three\n\x1dVA\x00")
    assert [each.lines for each in device.slips] == [[], ["one", "two", "three"]]


@pytest.mark.field(9)
def test_a_line_that_was_not_ended_stops_the_cutter() -> None:
    device = printed(b"TOTAL 17\x1dVA\x00")
    assert device.slips == []
    assert list(device.paper.troubles) == ["cut ignored: the last line was not ended"]


@pytest.mark.field(9)
def test_a_printer_without_cutter_prints_what_it_does_not_know() -> None:
    assert printed(b"a\n\x1dVA\x30\n", cutter=False).tape.lines == ["a", "VA0"]


def test_feeds() -> None:
    assert printed(b"a\n\x1bd\x02\x1bJ\x05").tape.picture().height == 3 * 30 + 5
    assert printed(b"\x1b3\x40a\n\x1b2b\n").tape.picture().height == 64 + 30
    assert printed(b"a\tb\n").tape.lines == ["a       b"]


def test_power_off_forgets_what_was_begun() -> None:
    device = printed(b"\x1dv0\0\x30\0\xff\x00" + bytes(100), faults="reset_at=200")
    with pytest.raises(PrinterOff):
        device.take(bytes(92))
    device.take(b"\x1b@whole\n")
    assert device.tape.lines == ["whole"]


def test_without_paper_it_answers_and_holds_and_then_prints() -> None:
    device = printed(b"", faults="paper=out")
    assert device.take(b"a\n\x10\x04\x04") == b"\x7e"
    assert device.tape.lines == []
    device.set(paper="ok")
    assert device.tape.lines == ["a"]
    assert device.take(b"\x10\x04\x04") == b"\x12"


def test_without_paper_it_stops_listening_when_its_buffer_is_full() -> None:
    device = VirtualPrinter(faults=Faults(cover_open=True))
    taken = 0
    while room := device.room():
        device.take(b"x\n" * (room // 2))
        taken += room
    assert 4096 <= taken < 5000


@given(st.binary(max_size=400), st.lists(st.integers(0, 400), max_size=6))
def test_any_bytes_in_any_pieces_print_the_same(data: bytes, cuts: list[int]) -> None:
    whole, pieces = VirtualPrinter(), VirtualPrinter()
    whole.take(data)
    at = 0
    for cut in [*sorted(cuts), len(data)]:
        pieces.take(data[at:cut])
        at = max(at, cut)
    assert pieces.text == whole.text
    assert [each.picture().tobytes() for each in pieces.slips] == [each.picture().tobytes() for each in whole.slips]


_LEADS = st.sampled_from([b"\x1b", b"\x1d", b"\x1c", b"\x10", b"\x1d(k", b"\x1dv0", b"\x1dV", b"\x1bt", b"\x1d(L"])


@given(st.lists(st.tuples(_LEADS, st.binary(max_size=12)), max_size=12))
def test_broken_commands_do_not_break_it(parts: list[tuple[bytes, bytes]]) -> None:
    device = VirtualPrinter()
    device.take(b"".join(lead + rest for lead, rest in parts))
    device._reader.forget()
    device.take(b"\x1b@alive\n")
    assert device.text.rstrip().endswith("alive")


@given(st.binary(max_size=300))
def test_the_reader_loses_no_byte(data: bytes) -> None:
    reader = Reader()
    found = b"".join(command.raw for command in reader.feed(data))
    assert data.startswith(found)


def test_faults_are_read_from_words() -> None:
    assert Faults.parse("slow=960 cover-open,reset_at=7") == Faults(slow=960, cover_open=True, reset_at=7)
    with pytest.raises(UnknownPrinter, match="choose from"):
        Faults.parse("sleepy")


LENGTHS = {
    "ESC D": b"\x1bD\x08\x10\x18\0",
    "ESC *": b"\x1b*\x21\x02\0abcdef",
    "ESC * 8": b"\x1b*\x00\x02\0ab",
    "ESC (": b"\x1b(A\x02\0xy",
    "ESC p": b"\x1bp\0\x19\xfa",
    "FS !": b"\x1c!\x01",
    "GS k A": b"\x1dk\x04CODE\0",
    "GS k B": b"\x1dk\x49\x04CODE",
    "GS 8 L": b"\x1d8L\x03\0\0\0abc",
    "GS V feed": b"\x1dVB\x10",
    "DLE pulse": b"\x10\x14\x01\0\x01",
    "padding": bytes(9),
}


@pytest.mark.parametrize("name", LENGTHS)
def test_commands_that_are_passed_over_take_just_their_own_bytes(name: str) -> None:
    reader = Reader()
    found = [command for byte in LENGTHS[name] + b"x" for command in reader.feed(bytes([byte]))]
    assert b"".join(command.raw for command in found[:-1]) == LENGTHS[name]
    assert (found[-1].name, len(found)) == ("text", 2 if name != "padding" else 10)
