"""Every cell of every chart against a second copy, typed from the rulebook by itself; and sums that its rules state."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor
from pathlib import Path

import pytest

from companion.rules.otr.charts import charts
from tests.rules.copies import copied, laid_out

HERE = Path(__file__).parent
PRINTED, HOUSE = copied(HERE / "second_copy.txt"), copied(HERE / "second_copy_house.txt")


@pytest.mark.parametrize("key", sorted(PRINTED))
def test_every_cell_is_as_printed(key: str) -> None:
    assert laid_out(charts()[key]) == PRINTED[key]
    assert not charts()[key].house


@pytest.mark.parametrize("key", sorted(HOUSE))
def test_every_cell_that_no_rulebook_prints_is_as_proposed_and_marked(key: str) -> None:
    assert laid_out(charts()[key]) == HOUSE[key]
    assert len(charts()[key].house) == len(charts()[key].rows) * len(charts()[key].columns)


def test_no_chart_lacks_a_copy_nor_a_copy_a_chart() -> None:
    assert charts().keys() == {*PRINTED, *HOUSE}


DICE = {"d5": (1, 5), "d10": (1, 10), "d100": (1, 100)}


@pytest.mark.parametrize("key", sorted(k for k, c in charts().items() if all(r.span[0] <= r.span[1] for r in c.rows)))
def test_number_rows_neither_overlap_nor_leave_a_gap(key: str) -> None:
    rows = sorted(charts()[key].rows, key=lambda row: row.span)
    gaps = {"deflection_factor", "lift_vector_match", "combined_speed", "collision_damage", "ship_armour"}
    for above, below in itertools.pairwise(rows):
        assert below.span[0] == above.span[1] + 1 or (key in gaps and below.span[0] > above.span[1])
    if key in {"random_flight", "stalled_bank", "torpedo_run", "random_friends", "disabled_pilot", "tail_stinger"}:
        low, high = DICE[charts()[key].dice]
        assert rows[0].span[0] <= low
        assert rows[-1].span[1] >= high


def cells(key: str) -> Iterator[tuple[str, str, str]]:
    """Row, column and cell of a chart, as texts."""
    chart = charts()[key]
    for row in chart.rows:
        for column, cell in zip(chart.columns, row.cells, strict=True):
            yield row.key, column, str(cell)


@pytest.mark.rule("otr:3.5.1-charts")
def test_fractional_values_are_products_to_the_nearest_half() -> None:
    for number, fraction, value in cells("fractions"):
        assert Fraction(value) == Fraction(floor(Fraction(number) * Fraction(fraction) * 2 + Fraction(1, 2)), 2)
    assert charts()["fractions"].at("6.0", "1/4") == "1.5"  # the two that the rules print
    assert charts()["fractions"].at("5.0", "1/2") == "2.5"


@pytest.mark.rule("otr:5.1-charts")
def test_banks_lie_in_a_ring() -> None:
    ring = ["LV", "LB", "IL", "IV", "IR", "RB"]
    for one, other, steps in cells("bank_steps"):
        apart = abs(ring.index(one) - ring.index(other))
        assert int(steps) == min(apart, 6 - apart)
    assert charts()["bank_steps"].at("IL", "RB") == 3


@pytest.mark.rule("otr:5.5.1-charts")
def test_each_speed_band_lowers_the_rate_that_is_paid_by_one() -> None:
    rates = ["EZ", "TT", "HT", "BT", "ET"]
    bands = list(charts()["high_speed_decel"].columns)
    for rate, band, paid in cells("high_speed_decel"):
        assert paid == rates[max(0, rates.index(rate) - bands.index(band))]


@pytest.mark.rule("otr:6.6-charts")
def test_a_free_facing_comes_after_an_fp_that_lies_whole_in_the_second_half() -> None:
    for fps, _, after in cells("free_facing"):
        assert int(after) == ceil(Fraction(int(fps), 2)) + 1


@pytest.mark.rule("otr:10.2-charts")
def test_each_step_and_aircraft_adds_five() -> None:
    for steps, aircraft, modifier in cells("lift_vector"):
        assert int(modifier) == 5 * int(steps) * (1 if aircraft == "one" else 2)


@pytest.mark.rule("otr:10.3-charts")
def test_the_collision_risk_range_is_a_third_and_inside_counts_from_its_edge() -> None:
    for speed, _, hexes in cells("collision_risk_range"):
        assert int(hexes) == ceil(Fraction(int(speed.removeprefix("up to ")), 3))
    for distance, _, inside in cells("inside_risk_range"):
        hexes = 5 + 1 - int(distance)
        assert inside == ("NA" if distance == "0" else str(hexes) if hexes > 0 else "out")


@pytest.mark.rule("otr:15.4.4-charts")
def test_search_ranges_grow_by_the_band() -> None:
    bands = [row.key for row in charts()["search_range"].rows]
    reach = {"airfield or bridge": (1, 99), "ships": (2, 99), "with search radar": (3, 10)}
    for band, target, dots in cells("search_range"):
        each, most = reach[target]
        assert int(dots) == min(most, each * (bands.index(band) + 1))


@pytest.mark.rule("otr:5.2-charts")
def test_turn_rates_fall_with_the_rate_and_rise_with_speed() -> None:
    def fps(cell: str) -> Fraction:
        parts = [Fraction(part) for part in cell.split("-")]
        return sum(parts, Fraction(0)) / len(parts)

    table = [[fps(str(cell)) for cell in row.cells] for row in charts()["turn_rates"].rows]
    assert all(row == sorted(row, reverse=True) for row in table)
    assert all(list(column) == sorted(column) for column in zip(*table, strict=True))


@pytest.mark.rule("otr:17.2-charts")
def test_four_engines_lose_speed_by_the_load_alike() -> None:
    """Each load adds the same to every column: half a point to the minimum and off the maximum."""
    rows = [[cell.split("/") for cell in map(str, row.cells)] for row in charts()["four_engines"].rows]
    for step, row in enumerate(rows):
        for (low, high), (plain_low, plain_high) in zip(row, rows[0], strict=True):
            assert Fraction(low) == Fraction(plain_low) + Fraction(step, 2)
            if "idle" not in high:
                assert Fraction(high) == Fraction(plain_high) - Fraction(step, 2)
            else:
                assert high == ("idle" if not step else f"idle -{Fraction(step, 2).__float__()}")
