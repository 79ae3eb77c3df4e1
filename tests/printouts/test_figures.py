import math

import pytest

from printouts.document import Label, Path
from printouts.figures import Plane, plan_view, rosette


def extent(drawing):
    points = [point for shape in drawing.shapes if isinstance(shape, Path) for point in shape.points]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return max(xs) - min(xs), max(ys) - min(ys)


@pytest.mark.parametrize("plane", [Plane(10.5, 9.0), Plane(32, 22.6, (0.0, 3, 7)), Plane(12, 11, (2.5,), jet=True)])
def test_span_and_length_are_in_true_proportion(plane):
    across, along = extent(plan_view(plane, 60))
    assert across == pytest.approx(60, abs=0.1)
    assert along == pytest.approx(60 * plane.length / plane.span, rel=0.06)


def test_each_engine_has_its_propeller_and_jets_have_none():
    def propellers(plane):
        return sum(1 for shape in plan_view(plane, 50).shapes if isinstance(shape, Path) and not shape.closed)

    assert propellers(Plane(10, 9)) == 1
    assert propellers(Plane(31, 22, (3.0, 7.0))) == 4
    assert propellers(Plane(12, 10, (2.5,), jet=True)) == 0


def test_both_halves_mirror_each_other():
    for shape in plan_view(Plane(15, 11, (2.5,), elliptical=True), 40).shapes:
        xs = sorted(round(x - 20, 6) for x, _ in shape.points) if len(shape.points) > 2 else []
        if xs and xs[0] < 0 < xs[-1]:
            assert xs[0] == pytest.approx(-xs[-1])


def test_a_rosette_places_its_fields_clockwise_from_ahead():
    fields = tuple(("", str(n), "") for n in range(6))
    drawing = rosette(fields, 40)
    for label in (shape for shape in drawing.shapes if isinstance(shape, Label)):
        turn = math.degrees(math.atan2(label.x - 20, 20 - (label.y - 40 * 0.12 * 0.36))) % 360
        assert turn == pytest.approx(60 * int(label.text), abs=1)


def test_a_rosette_says_what_it_shows():
    assert rosette((("1", "2", ""),) + (("", "", ""),) * 5).alt.startswith("firepower clockwise from ahead: 1/2/-;")
