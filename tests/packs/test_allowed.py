"""What a field may hold, in words, and lists and tables judged as a whole."""

from typing import Annotated, Literal

import pytest
from msgspec import Meta, Struct

from companion.packs.allowed import check, show, words


class Inner(Struct, frozen=True):
    power: int


class Outer(Struct, frozen=True):
    pair: tuple[int, int] = (0, 0)
    few: Annotated[tuple[Inner, ...], Meta(max_length=1)] = ()
    either: int | str = 0
    perhaps: Inner | None = None


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (int, "a whole number"),
        (Annotated[int, Meta(ge=2)], "a whole number of 2 or more"),
        (Annotated[int, Meta(ge=-3, le=4)], "a whole number from -3 to 4"),
        (Annotated[int, Meta(le=4)], "a whole number up to 4"),
        (str, "text"),
        (Annotated[str, Meta(max_length=9)], "text of at most 9 characters"),
        (bool, "true or false"),
        (Literal["a", "b"], "one of a, b"),
        (list[bool], "a list, each true or false"),
        (Annotated[tuple[str, ...], Meta(max_length=2)], "a list of at most 2, each text"),
        (dict[str, int], "a table of text, for each a whole number"),
        (int | None, "a whole number"),
        (int | str, "a whole number or text"),
        (Inner, "a table of power"),
        (Annotated[int, Meta(ge=1, title="bursts")], "a whole number of 1 or more"),
        (float, "what the pack's page says"),
    ],
)
def test_in_words(kind: object, text: str) -> None:
    assert words(kind) == text


def faults(value: object) -> list[tuple[str, str]]:
    return [(".".join(fault.path), fault.text) for fault in check(value, Outer)]


def test_a_list_may_be_too_long_though_each_item_fits() -> None:
    too_many = [{"power": 1}, {"power": 2}]
    assert faults({"few": too_many[:1]}) == []
    assert faults({"few": too_many}) == [
        ("few", "is [{'power': 1}, {'power': 2}]; it must be a list of at most 1, each a table of power")
    ]


def test_a_table_that_may_be_missing_is_judged_when_it_is_there() -> None:
    assert faults({"perhaps": {"power": 1}}) == []
    assert faults({"perhaps": {"power": "x"}}) == [("perhaps.power", "is 'x'; it must be a whole number")]
    assert faults({"perhaps": 3}) == [("perhaps", "is 3; it must be a table of power")]


def test_what_has_no_inner_parts_is_judged_as_one() -> None:
    assert faults({"pair": [1, 2], "either": "x"}) == []
    assert [path for path, _ in faults({"pair": [1], "either": 1.5})] == ["pair", "either"]


def test_what_is_no_table_at_all() -> None:
    assert faults(7) == [("", "is 7; it must be a table of pair, few, either, perhaps")]


def test_a_long_value_is_cut_in_its_sentence() -> None:
    assert show("x" * 90) == "'" + "x" * 56 + "..."
    assert show(True) == "true"
