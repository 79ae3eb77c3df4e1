import pytest
import zxingcpp
from PIL import Image

from printouts import PrintError, qr
from tests.printouts.samples import LINK


def test_the_matrix_scans():
    size = qr.size(LINK)
    image = Image.new("L", (size * 4, size * 4), 255)
    for x, y, length in qr.bars(LINK):
        image.paste(0, (x * 4, y * 4, (x + length) * 4, y * 4 + 4))
    assert [found.text for found in zxingcpp.read_barcodes(image)] == [LINK]


def test_a_link_too_long_is_one_plain_sentence():
    with pytest.raises(PrintError, match=r"^The link of 3000 characters is too long for a QR code: use a shorter"):
        qr.matrix("x" * 3000)


def test_the_quiet_zone_is_part_of_the_size():
    assert min(x for x, _, _ in qr.bars(LINK)) == 4
    assert max(x + length for x, _, length in qr.bars(LINK)) == qr.size(LINK) - 4


def test_the_address_is_what_people_type():
    assert qr.address("https://dice.example/game") == "dice.example/game"


def test_a_code_as_svg_has_a_white_ground_for_dark_pages():
    assert 'fill="#fff"' in qr.svg(LINK, 30)
    assert qr.svg(LINK, 30).startswith('<svg width="30mm"')
