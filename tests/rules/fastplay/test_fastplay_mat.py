"""The hex mat."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.grid.hexes import Hex, Side
from companion.rules.fastplay.mat import Mat
from companion.umpire import UsageError

mats = st.builds(Mat, st.integers(8, 60), st.integers(8, 60))


@given(mats, st.data())
def test_a_hex_has_one_name_and_the_name_leads_back(mat: Mat, data: st.DataObject) -> None:
    at = Hex(data.draw(st.integers(-40, 70)), data.draw(st.integers(-3, 62)))
    if mat.holds(at):
        assert mat.hex(mat.name(at)) == at
        assert mat.hex(f" {mat.name(at).lower()} ") == at


@given(mats)
def test_the_edge_is_where_a_plane_can_leave_the_whole_hexes(mat: Mat) -> None:
    for at in mat.edges():
        assert mat.is_whole(at)
        assert any(not mat.is_whole(at.ahead(side)) for side in Side)
    assert len(set(mat.edges())) == 2 * mat.rows + sum(mat.columns - r % 2 - 2 for r in (0, mat.rows - 1))


@given(mats)
def test_only_odd_rows_have_half_hexes_one_at_each_end(mat: Mat) -> None:
    halves = [mat.name(at) for at in mat.hexes() if not mat.is_whole(at)]
    assert len(halves) == 2 * (mat.rows // 2)
    assert all(int("".join(c for c in name if c.isdigit())) % 2 == 0 for name in halves)


@pytest.mark.parametrize("name", ["", "7", "A0", "Z1", "A19", "AAA1", "A1; B2"])
def test_a_hex_that_is_not_there_is_refused_with_the_names_that_are(name: str) -> None:
    with pytest.raises(UsageError, match="A1 to X18"):
        Mat().hex(name)


def test_rows_are_counted_from_below_and_shifted_rows_start_with_a_half_hex() -> None:
    mat = Mat(24, 18)
    assert mat.name(Hex(0, 0)) == "A1"
    assert mat.name(mat.hex("A1").ahead(Side.NE)) == "B2"
    assert not mat.is_whole(mat.hex("A2"))
    assert not mat.is_whole(mat.hex("Y2"))
    assert mat.name(Mat(40, 8).hex("AN1")) == "AN1"
