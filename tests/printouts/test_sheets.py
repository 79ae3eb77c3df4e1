import pytest

from printouts import PrintError, pdf
from printouts.document import Big, Card, Chit, Document, Face, Heading, Sheet, Text
from tests.printouts.reading import PT, letters, sizes, strokes, words


def sheet(*pieces, **more):
    return Document("t", (Sheet(pieces, **more),), paper="page")


def chit(name, back=None):
    return Chit(Face(name, fill="light"), Face(back, fill="grey") if back else None)


def places(data, page):
    return {char: ((left + right) / 2, (top + bottom) / 2) for char, left, top, right, bottom in letters(data, page)}


def test_backs_lie_behind_their_fronts_when_the_paper_is_flipped_on_its_long_edge():
    data = pdf.render(sheet(*(chit(a, a) for a in "ABCDEFGH")), "a4")
    front, back = places(data, 0), places(data, 1)
    for name in "ABCDEFGH":
        assert front[name][0] + back[name][0] == pytest.approx(210, abs=0.5)  # letters are not symmetric
        assert front[name][1] == pytest.approx(back[name][1], abs=0.01)
    fields = [sorted((s[0], s[2]) for s in strokes(data, n) if s[3] - s[1] > 20) for n in (0, 1)]
    for (left, right), (back_left, back_right) in zip(fields[0][:5], fields[1][::-1], strict=False):
        assert (left + back_right, right + back_left) == (pytest.approx(210, abs=0.01),) * 2


def test_an_offset_moves_the_backs_alone():
    doc = sheet(chit("A", "B"))
    plain, moved = pdf.render(doc), pdf.render(doc, offset_mm=(1.0, -0.5))
    assert places(plain, 0)["A"] == places(moved, 0)["A"]
    x, y = places(plain, 1)["B"]
    assert places(moved, 1)["B"] == (pytest.approx(x + 1.0, abs=0.01), pytest.approx(y - 0.5, abs=0.01))


def test_sheets_without_backs_have_fronts_only():
    assert len(sizes(pdf.render(sheet(chit("A"), chit("B"))))) == 1
    assert len(sizes(pdf.render(sheet(chit("A", "B"), backs=False)))) == 1


@pytest.mark.parametrize("bleed", [0.0, 1.5, 3.0])
def test_cut_marks_stay_outside_the_bleed(bleed):
    data = pdf.render(sheet(*(chit(str(n)) for n in range(20)), bleed_mm=bleed))
    tints = [s for s in strokes(data) if s[2] - s[0] > 20 and s[3] - s[1] > 20]
    marks = [s for s in strokes(data) if max(s[2] - s[0], s[3] - s[1]) == pytest.approx(3.2, abs=0.3)]
    assert len(tints) == 20
    assert len(marks) > 20
    assert not [1 for mark in marks for tint in tints if overlap(mark, tint)]


def overlap(a, b):
    return a[0] < b[2] - 0.01 and b[0] < a[2] - 0.01 and a[1] < b[3] - 0.01 and b[1] < a[3] - 0.01


def test_nine_sleeve_cards_fit_on_a_page():
    cards = [Card((Heading(f"Card {n}"), Big("HR"))) for n in range(9)]
    data = pdf.render(sheet(*cards, bleed_mm=0))
    assert len(sizes(data)) == 1
    frames = [s for s in strokes(data) if s[2] - s[0] > 55]
    lefts = sorted({round(s[0], 1) for s in frames})
    tops = sorted({round(s[1], 1) for s in frames if s[3] - s[1] > 80})
    assert lefts[1] - lefts[0] == pytest.approx(63, abs=0.15)
    assert tops[1] - tops[0] == pytest.approx(88, abs=0.15)


def test_a_full_card_gets_smaller_letters_and_loses_none():
    card = Card(tuple(Text(f"A sentence with the number {n} in it.") for n in range(40)))
    shown = words(pdf.render(sheet(card)))[0]
    assert all(f"number {n} in" in shown for n in range(40))
    frame = next(s for s in strokes(pdf.render(sheet(card))) if s[3] - s[1] > 80)
    assert all(
        top >= frame[1] and bottom <= frame[3] for c, _, top, _, bottom in letters(pdf.render(sheet(card))) if c == "A"
    )


def test_sizes_mix_on_a_page_and_many_pieces_take_more_pages():
    mixed = [Chit(Face("S"), width_mm=15, height_mm=15)] * 5 + [Chit(Face("L"), width_mm=40, height_mm=20)] * 3
    data = pdf.render(sheet(*mixed))
    assert len(sizes(data)) == 1
    squares = [s for s in strokes(data) if s[3] - s[1] == pytest.approx(15.2, abs=0.1)]
    assert len(squares) == 5
    many = pdf.render(sheet(*(chit(str(n)) for n in range(200))))
    assert " ".join(words(many)).split().count("199") == 1
    assert len(sizes(many)) > 3


def test_a_piece_larger_than_the_paper_is_refused():
    with pytest.raises(PrintError, match="300 x 20 mm does not fit"):
        pdf.render(sheet(Chit(Face("x"), width_mm=300, height_mm=20)))


def test_a_chit_without_tint_shows_its_cut_in_true_size():
    data = pdf.render(sheet(Chit(Face("x"))), "letter")
    outline = next(s for s in strokes(data) if s[3] - s[1] > 20)
    assert (outline[2] - outline[0]) * PT == pytest.approx(70.87 + 2 * 0.283, abs=0.01)  # its line on both sides
