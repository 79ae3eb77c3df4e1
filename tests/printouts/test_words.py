import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from printouts.document import Run, note
from printouts.words import cells, clean, fit, in_cells, pad, width_of, wrap, wrap_runs


def test_every_control_character_is_shown_and_none_remains():
    text = "".join(map(chr, [*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029, 0x202E, 0xD800]))
    assert clean(text) == "·" * len(text)


def test_invisible_marks_vanish_and_letters_are_composed():
    assert clean("co\xadop\u200b e\u0301") == "coop é"


@given(st.text())
def test_clean_text_has_no_control_character(text):
    assert not {unicodedata.category(char) for char in clean(text)} & {"Cc", "Cf", "Cs", "Zl", "Zp"}


def test_wide_characters_count_two_cells_and_combining_ones_none():
    assert cells("第三小隊 (spähtrupp)") == 20
    assert cells("Ａ１") == 4
    assert cells("x\u0332y") == 2


def test_padding_counts_cells():
    assert pad("第三", 6, "right") == "  第三"
    assert pad("ab", 5, "centre") == " ab  "


@given(st.text(max_size=80), st.integers(2, 20))
def test_wrapping_loses_no_letter_and_keeps_to_the_width(text, width):
    lines = wrap(clean(text), width)
    assert all(cells(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == clean(text).replace(" ", "")


def test_words_stay_whole_where_they_fit_and_break_where_not():
    assert wrap("one two three", 7) == ["one two", "three"]
    assert wrap("a" * 10, 4) == ["aaaa", "aaaa", "aa"]


def test_styles_survive_wrapping_and_large_letters_count_twice():
    lines = wrap_runs((Run("small "), Run("large one", large=True)), 12, in_cells(2))
    assert [[(run.text, run.large) for run in line] for line in lines] == [
        [("small", False)],
        [("large", True)],
        [("one", True)],
    ]
    assert all(width_of(line) <= 12 for line in lines)


def test_only_a_note_may_start_new_lines():
    assert ["".join(run.text for run in line) for line in wrap_runs(note("a\n\nb"), 9, in_cells())] == ["a", "", "b"]
    assert wrap(clean("a\nb"), 9) == ["a·b"]


def test_what_is_replaced_is_listed():
    replaced = {}
    written = fit("“Don’t” — 2–12… €5 ł ⚅ 😀 → é", lambda _: False, replaced)
    assert written == '"Don\'t" - 2-12... EUR5 l [6] [grinning face] -> e'
    assert replaced["€"] == "EUR"
    assert replaced["😀"] == "[grinning face]"


def test_letters_of_another_script_are_kept_for_drawing():
    replaced = {}
    assert fit("Ёж 第三", lambda _: False, replaced) == "Ёж 第三"
    assert not replaced
