"""The test page for backs: what is read on it, touched in, brings the cross to the middle."""

from __future__ import annotations

import io

import pypdfium2
import pytest
from PIL import Image, ImageOps

from printouts import duplex, pdf

MM = 10  # pixels of a millimetre in the pictures here


def pages(offset: tuple[float, float], paper: str) -> list[Image.Image]:
    found = pypdfium2.PdfDocument(pdf.render(duplex.page(), paper, offset_mm=offset))
    assert len(found) == 2
    return [page.render(scale=MM * 25.4 / 72).to_pil().convert("L") for page in found]


def against_the_light(back: Image.Image) -> tuple[float, float]:
    """Where the cross of the back lies on the paper, in millimetres to the right and down, as the front shows it."""
    seen = ImageOps.mirror(back)
    middle = seen.width // 2
    beside = seen.crop((middle - 22 * MM, 20 * MM, middle - 12 * MM, seen.height - 20 * MM))
    row = next(y for y in range(beside.height) if _darkness(beside, (0, y, beside.width, y + 1)) > 0.3) + 20 * MM
    above = seen.crop((middle - 20 * MM, row - 22 * MM, middle + 20 * MM, row - 12 * MM))
    column = max(range(above.width), key=lambda x: _darkness(above, (x, 0, x + 1, above.height)))
    return (column - 20 * MM) / MM, row / MM


def _darkness(page: Image.Image, box: tuple[int, int, int, int]) -> float:
    part = page.crop(box).tobytes()
    return 1 - sum(part) / (255 * len(part))


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_front_and_back_lie_on_each_other(paper: str) -> None:
    front, back = pages((0.0, 0.0), paper)
    assert front.size == back.size
    right, down = against_the_light(back)
    left = front.width // 2 - 18 * MM
    long = [y for y in range(front.height) if _darkness(front, (left - 22, y, left - 16, y + 1)) > 0.5]
    assert right == pytest.approx(0, abs=0.2)
    assert down == pytest.approx(_middle(long) / MM, abs=0.2)


def _middle(rows: list[int]) -> float:
    """Of the long strokes of a scale; words and frames lie farther away."""
    (scale,) = [run for run in _runs(rows) if abs(run[-1] - run[0] - 12 * MM) <= 3]
    return (scale[0] + scale[-1]) / 2


def _runs(rows: list[int]) -> list[list[int]]:
    """Rows that are at most a millimetre and a bit apart."""
    runs: list[list[int]] = []
    for row in rows:
        if runs and row - runs[-1][-1] <= 12:
            runs[-1].append(row)
        else:
            runs.append([row])
    return runs


@pytest.mark.parametrize(("right", "down"), [(2.0, 0.0), (-1.5, 1.0), (0.0, -2.5)])
def test_what_is_read_and_touched_in_brings_the_cross_to_the_middle(right: float, down: float) -> None:
    """A printer that shifts its backs is played by the offset itself; the correction is the other half."""
    shift = (-right, down)  # seen from behind, right is left
    skewed = against_the_light(pages(shift, "a4")[1])
    straight = against_the_light(pages((0.0, 0.0), "a4")[1])
    assert skewed[0] - straight[0] == pytest.approx(right, abs=0.2)
    assert skewed[1] - straight[1] == pytest.approx(down, abs=0.2)
    mend = duplex.offset(right, down)
    both = (shift[0] + mend[0], shift[1] + mend[1])
    assert against_the_light(pages(both, "a4")[1]) == pytest.approx(straight, abs=0.2)


def test_the_scales_say_millimetres() -> None:
    text = pypdfium2.PdfDocument(io.BytesIO(pdf.render(duplex.page(), "a4")))[0].get_textpage().get_text_range()
    assert all(word in text for word in ("left", "right", "up", "down", "2", "4", "6", "100 %"))
