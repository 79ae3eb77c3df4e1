"""Lines put together from pieces, whatever the pieces."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from drivers.dice.lines import LINE_LIMIT, PATIENCE_S, LineAssembler


def good(assembler: LineAssembler, pieces: list[bytes]) -> list[bytes]:
    return [line.raw for piece in pieces for line in assembler.feed(piece, 0.0) if not line.fault]


@given(st.binary(max_size=2000), st.lists(st.integers(0, 2000), max_size=20))
def test_it_does_not_matter_how_the_bytes_are_cut(data: bytes, cuts: list[int]) -> None:
    places = sorted({0, *cuts, len(data)})
    pieces = [data[a:b] for a, b in pairwise(places)]
    assert good(LineAssembler(), pieces) == good(LineAssembler(), [data])


@given(st.binary(max_size=2000))
def test_no_line_is_longer_than_the_limit(data: bytes) -> None:
    assert all(len(raw) <= LINE_LIMIT for raw in good(LineAssembler(), [data]))


def test_the_first_line_after_opening_is_marked() -> None:
    lines = LineAssembler().feed(b"7\n17\n", 0.0)
    assert [(line.raw, line.fault) for line in lines] == [(b"7", "partial"), (b"17", None)]


def test_a_line_too_long_takes_its_tail_with_it() -> None:
    lines = LineAssembler().feed(b"\n" + b"x" * 1000 + b"D6:4\nD6:5\n", 0.0)
    assert [(line.fault, line.raw[:4]) for line in lines] == [("long", b"xxxx")] * 3 + [(None, b"D6:5")]


def test_a_trickle_without_ends_is_noticed_again_and_again() -> None:
    assembler = LineAssembler()
    lines = [line for second in range(60) for line in assembler.feed(b"\xfe", float(second))]
    assert len(lines) == 9
    assert {line.fault for line in lines} == {"late"}


def test_a_line_that_is_never_ended_is_given_up_with_its_tail() -> None:
    assembler = LineAssembler()
    assembler.feed(b"\nD20:1", 0.0)
    assert assembler.tick(PATIENCE_S) == []
    assert [line.fault for line in assembler.tick(PATIENCE_S + 0.1)] == ["late"]
    assert good(assembler, [b"7\nD20:3\n"]) == [b"D20:3"]
