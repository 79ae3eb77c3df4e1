from drivers.printers.virtual import VirtualPrinter
from printouts.calibration import calibration
from printouts.thermal import Profile, profile
from tests.printouts.decode import decode

WIDEST = Profile("widest", 576, 48, code_pages=((0, "cp437"), (17, "cp866")), cutter="full")


def test_the_owner_can_read_off_every_setting():
    paper = decode(calibration(WIDEST).data, WIDEST)
    lines = [line for line in paper.text if line]
    assert [len(line) for line in lines if line.startswith("---")] == [32, 42, 48]
    assert [image.width for image in paper.images] == [384, 512, 576]
    assert "  0 cp437      éñßΩ" in lines
    assert " 17 cp866      ЙЖ" in lines
    assert paper.codes == ["COMPANION"]


def test_the_cut_comes_without_feed_so_that_its_place_tells_the_distance():
    data = calibration(WIDEST).data
    assert data.endswith(b"-- 6 mm --\n-- 3 mm --\n\x1dV\x00")
    assert b"\x1dV" not in calibration(profile("POS-5890")).data


def test_a_real_stream_reader_takes_it_whole():
    printer = VirtualPrinter(80)
    printer.write(calibration(profile("TM-T20II")).data, 5.0)
    assert "PRINTER TEST: TM-T20II" in printer.text
