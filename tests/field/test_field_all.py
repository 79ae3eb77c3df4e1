"""Every one of the forty field reports is tried somewhere in the suite."""

from __future__ import annotations

from tests.conftest import Marks


def test_no_report_is_left_out(marks: Marks) -> None:
    tried = {int(number) for found in marks.values() for number in found["field"]}
    assert tried == set(range(1, 41))
