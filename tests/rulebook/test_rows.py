"""Every row and worked example of a finished chapter is proved, and no test claims a rule that is not there."""

import pytest

from tests.rulebook.rows import (
    Example,
    Marks,
    Row,
    Rulebook,
    repeated,
    rulebooks,
    unknown_marks,
    unknown_tests,
    unproved_examples,
    unproved_rules,
)

BOOKS = rulebooks()


@pytest.mark.parametrize("game", BOOKS)
def test_every_row_of_a_finished_chapter_has_a_test(game: str, marks: Marks) -> None:
    assert unproved_rules(BOOKS[game], marks) == []


@pytest.mark.parametrize("game", BOOKS)
def test_every_worked_example_of_a_finished_chapter_is_replayed(game: str, marks: Marks) -> None:
    assert unproved_examples(BOOKS[game], marks) == []


def test_every_mark_names_a_row_or_an_example(marks: Marks) -> None:
    assert unknown_marks(BOOKS, marks) == []


@pytest.mark.parametrize("game", BOOKS)
def test_every_test_that_a_row_names_is_there(game: str, marks: Marks) -> None:
    assert unknown_tests(BOOKS[game], marks) == []


@pytest.mark.parametrize("game", BOOKS)
def test_rows_and_examples_are_there_once_and_finished_chapters_exist(game: str) -> None:
    book = BOOKS[game]
    assert book.game == game
    assert repeated(row.rule for row in book.row) == []
    assert repeated(example.number for example in book.example) == []
    assert set(book.finished) <= {row.chapter for row in book.row} | {row.rule for row in book.row}
    assert {book.chapter(example.rule) for example in book.example} <= {row.chapter for row in book.row}


BOOK = Rulebook(
    game="kite",
    finished=("1",),
    row=(
        Row("1.1", "1", "B", "lift"),
        Row("1.2-wind", "1", "O", "drift", tests=("tests/a.py::test_wind",)),
        Row("2.1", "2", "B", "fall"),
    ),
    example=(Example("7", "1.2", "gusts"), Example("8", "2.1", "calm")),
)


def made(**by_test: list[str]) -> Marks:
    return {f"tests/a.py::{name}": {"rule": found, "example": found, "field": []} for name, found in by_test.items()}


def test_a_finished_chapter_misses_what_no_test_is_marked_with() -> None:
    assert unproved_rules(BOOK, made(test_lift=["kite:2.1", "other:1.1"])) == ["1.1", "1.2-wind"]
    assert unproved_rules(BOOK, made(test_lift=["kite:1.1"], test_wind=[])) == []
    assert unproved_examples(BOOK, made(test_lift=["kite:8"])) == ["7"]
    assert unproved_examples(BOOK, made(test_lift=["kite:7"])) == []


def test_a_mark_or_a_test_that_is_not_there_is_named() -> None:
    found = unknown_marks({"kite": BOOK}, made(test_lift=["kite:9"]))
    assert found == ["rule kite:9 (tests/a.py::test_lift)", "example kite:9 (tests/a.py::test_lift)"]
    assert unknown_tests(BOOK, made(test_lift=[])) == ["1.2-wind: tests/a.py::test_wind"]
    assert repeated(["a", "b", "a"]) == ["a"]
