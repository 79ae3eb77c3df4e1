"""Laws of the hex mats."""

from hypothesis import assume, given
from hypothesis import strategies as st

from companion.grid.hexes import Compass, Hex, Place, Side

hexes = st.builds(Hex, st.integers(-20, 20), st.integers(-20, 20))
sides = st.sampled_from(Side)
facings = st.sampled_from(Compass)
places = st.builds(Place, st.integers(-20, 20), st.integers(-20, 20))


@given(hexes, hexes, hexes)
def test_distance_is_a_metric(a: Hex, b: Hex, c: Hex) -> None:
    assert a.distance(b) == b.distance(a)
    assert (a.distance(b) == 0) == (a == b)
    assert a.distance(c) <= a.distance(b) + b.distance(c)


@given(hexes, sides, st.integers(1, 6))
def test_the_line_of_flight_runs_straight_ahead_nearest_first(start: Hex, side: Side, n: int) -> None:
    line = start.line_of_flight(side, n)
    assert [start.distance(h) for h in line] == list(range(1, n + 1))
    assert {start.line_to(h) for h in line} == {side}
    assert start.ahead(side, n).line_to(start) is side.left(3)
    assert side.left(3) is side.right(3)


@given(hexes, sides)
def test_what_lies_beside_the_line_is_on_no_line(start: Hex, side: Side) -> None:
    assert start.line_to(start.ahead(side).ahead(side.left())) is None
    assert start.line_to(start) is None


@given(hexes, facings, st.integers(1, 8))
def test_twelve_facings_lead_straight_ahead(start: Hex, facing: Compass, n: int) -> None:
    there = Place.of(start).ahead(facing, n)
    assert Place.of(start).clock(facing, there) == (12, True)
    assert there.clock(facing, Place.of(start)) == (6, True)
    assert there.on_hexside == (facing.along_hexsides and n % 2 == 1)
    assert there.may_face(facing)
    if not facing.along_hexsides:
        assert Place.of(start).distance(there) == n


@given(places, facings)
def test_on_a_hexside_only_the_two_ways_along_it_are_open(place: Place, facing: Compass) -> None:
    assume(place.on_hexside)
    allowed = [f for f in Compass if place.may_face(f)]
    assert len(allowed) == 2
    assert allowed[0].right(6) is allowed[1]
    assert all(f.along_hexsides for f in allowed)
    first, second = place.hexes()
    assert first.distance(second) == 1
    assert (first.q + second.q, first.r + second.r) == (place.q, place.r)
    assert not place.ahead(allowed[0]).on_hexside


@given(places, places)
def test_range_is_symmetric_and_takes_the_nearer_hex(a: Place, b: Place) -> None:
    assert a.distance(b) == b.distance(a)
    assert a.distance(a) == 0


@given(places, places, facings, st.integers(-12, 12))
def test_turning_the_nose_turns_the_clock_back(a: Place, b: Place, facing: Compass, twelfths: int) -> None:
    seen, later = a.clock(facing, b), a.clock(facing.right(twelfths), b)
    if a == b:
        assert seen is None
    else:
        assert seen is not None
        assert later is not None
        assert (seen[0] - twelfths - later[0]) % 12 == 0
        assert seen[1] == later[1]
        assert facing.right(twelfths).left(twelfths) is facing


def test_north_runs_along_a_hexside_and_east_into_a_hex() -> None:
    home = Place.of(Hex(0, 0))
    assert home.ahead(Compass.E) == Place.of(Hex(1, 0))
    assert home.ahead(Compass.N, 2) == Place.of(Hex(-1, 2))
    assert set(home.ahead(Compass.N).hexes()) == {
        Hex(0, 1), Hex(-1, 1),
    }  # fmt: skip
    off = home.ahead(Compass.E, 3).ahead(Compass.NNE, 1)
    assert home.clock(Compass.N, off) == (3, False)
