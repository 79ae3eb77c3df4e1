import pytest
from hypothesis import given
from hypothesis import strategies as st

from printouts import text
from printouts.document import (
    Big,
    Column,
    Columns,
    Cut,
    Document,
    Heading,
    Keep,
    Line,
    Pair,
    Panel,
    Rule,
    Space,
    Sum,
    Table,
    Text,
)
from printouts.words import cells
from tests.printouts.samples import BURST, panel

SLIP = """\
AGE OF DOGFIGHTS         No 0042
Round 7            Table KESTREL
--------------------------------
Fw 190 A-8 (3) fires at
Spitfire Mk IX (11)    burst 5/7
TARGETING  position A      4.5.1
  die  white d6             5
  distance 2d              -1
  different roll           -1
  total                     3
  needs 2+                HIT
OUTCOME                      4.6
  dice red 2d6        4+2 = 6
  firepower                +7
  durability               -4
  total                     9
>> DAMAGED                 4.6.1
  damage die           ENGINE
Spitfire: speed -2, no booster
dice: tower "Oak", by hand: none
chance of this or worse    11/24
192.168.1.23:8080/e/9f3k
"""


def slip(*blocks, columns=32, **more):
    return text.render(Document("t", blocks, **more), columns).splitlines()


def test_a_burst_looks_like_this():
    assert text.render(BURST) == SLIP


def test_values_end_in_one_column_and_rules_in_another_over_all_sums():
    lines = slip(
        Sum((Line("die", "5", "4.5.1"), Line("total", "12"), Line("a label that is rather long", "-10", "4.5")), "A"),
        Rule(),
        Sum((Line("x", "1"),), "B", "9"),
    )
    ends = {len(line.split("  4.5")[0].rstrip()) for line in lines if line.strip()[-1:].isdigit() and "B" not in line}
    assert ends == {25}
    assert {len(line) for line in lines if "4.5" in line or line.startswith("B")} == {32}


def test_a_rule_that_is_a_heading_has_a_line_of_its_own():
    assert slip(Sum((Line("gun value", "+2", "Resolving a Shot"),))) == [
        "  gun value                +2",
        "                Resolving a Shot",
    ]


def test_a_house_value_is_marked_and_explained_at_the_foot():
    lines = slip(Sum((Line("sight", "+1", house=True),)), footer="chain 4f2a91")
    assert lines == ["  sight †                  +1", "† house value", "chain 4f2a91"]


def test_a_document_without_house_values_says_nothing_of_them():
    assert "house" not in text.render(BURST)


def test_a_void_slip_and_a_second_copy_say_so_across_the_head():
    lines = text.render(Document("t", (Text("x"),), void=True), banner="COPY").split()
    assert lines == ["VOID", "COPY", "x"]


def test_the_left_side_wraps_and_the_right_stays_on_the_first_line():
    assert slip(Pair("Regimental Sergeant-Major of the 3rd", "2d6=11")) == [
        "Regimental Sergeant-Major 2d6=11",
        "  of the 3rd",
    ]


def test_a_right_side_too_long_to_share_the_line_gets_its_own():
    assert slip(Pair("score", "x" * 30)) == ["score", "  " + "x" * 30]


def test_tables_wrap_inside_their_columns_and_mark_the_row_that_applies():
    rows = (("2", "nothing at all happens here", "1"), ("3", "x", "10"))
    table = Table((Column("roll"), Column("effect"), Column("n", "right")), rows, marked=(1,))
    assert slip(table, columns=24) == [
        "  roll effect          n",
        "-" * 24,
        "  2    nothing at all  1",
        "       happens here",
        "> 3    x              10",
    ]


def test_a_table_too_wide_for_the_paper_becomes_paragraphs():
    table = Table(tuple(Column(f"c{n}") for n in range(12)), (tuple(str(n) for n in range(12)),))
    assert slip(table, columns=32)[0] == "c0 0; c1 1; c2 2; c3 3; c4 4; c5"


def test_boxes_are_read_out_and_columns_stand_below_each_other():
    words = text.render(panel())
    assert "Ammunition [1 11] [2 11] [3 11]" in words
    assert slip(Columns(((Text("a"),), (Text("b"),)))) == ["a", "b"]


WORDS = st.text(max_size=40)
BLOCKS = st.recursive(
    st.one_of(
        st.builds(Heading, WORDS, st.integers(1, 3), WORDS),
        st.builds(Text, WORDS, st.sampled_from(["left", "centre", "right"])),
        st.builds(Big, WORDS, WORDS),
        st.builds(Pair, WORDS, WORDS),
        st.builds(Rule),
        st.builds(Space),
        st.builds(Cut),
        st.builds(lambda *a: Sum((Line(*a[:3]),), *a[3:]), WORDS, WORDS, WORDS, WORDS, WORDS),
        st.builds(lambda a, b: Table((Column(a), Column(b, "right")), ((a, b), (b,))), WORDS, WORDS),
    ),
    lambda inner: st.one_of(
        st.builds(lambda b, t: Panel((b,), t), inner, WORDS), st.builds(lambda b: Keep((b,)), inner)
    ),
    max_leaves=4,
)


@given(st.lists(BLOCKS, max_size=4).map(tuple), st.sampled_from([32, 42, 48]))
def test_no_line_is_ever_wider_than_the_paper(blocks, columns):
    assert all(cells(line) <= columns for line in slip(*blocks, columns=columns))


@pytest.mark.parametrize("columns", [32, 42, 48])
def test_the_burst_keeps_its_right_edge_on_every_paper(columns):
    lines = text.render(BURST, columns).splitlines()
    assert {len(line) for line in lines if line.endswith(("0042", "KESTREL", "4.5.1", "11/24"))} == {columns}
