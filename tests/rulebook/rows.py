"""The rows of a rulebook, and what of them the tests leave unproved."""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec

HERE = Path(__file__).parent

Marks = dict[str, dict[str, list[str]]]
"""For each collected test its marks: rule, example, field."""


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rule: str
    chapter: str
    flag: Literal["B", "O", "S", "X"]
    decides: str
    tests: tuple[str, ...] = ()


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    number: str
    rule: str
    digest: str


class Rulebook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    game: str
    finished: tuple[str, ...]
    row: tuple[Row, ...]
    example: tuple[Example, ...] = ()

    def chapter(self, rule: str) -> str:
        """The chapter of a rule: of its row, or of a row below it (3.4 stands over 3.4.1), or its first number."""
        rows = [row for row in self.row if row.rule == rule or row.rule.startswith((f"{rule}.", f"{rule}-"))]
        return rows[0].chapter if rows else rule.split(".")[0]


def rulebooks() -> dict[str, Rulebook]:
    files = sorted(HERE.glob("*.toml"))
    return {file.stem: msgspec.convert(tomllib.loads(file.read_text("utf-8")), Rulebook) for file in files}


def marked(marks: Marks, kind: str, game: str) -> set[str]:
    """The rules or examples of a game that some collected test is marked with."""
    names = (name for test in marks.values() for name in test[kind])
    return {name.split(":", 1)[1] for name in names if name.split(":", 1)[0] == game}


def unproved_rules(book: Rulebook, marks: Marks) -> list[str]:
    """Finished rows, and rows of finished chapters, without a test."""
    proved = marked(marks, "rule", book.game)
    return [
        row.rule
        for row in book.row
        if {row.chapter, row.rule} & set(book.finished) and row.rule not in proved and not set(row.tests) & marks.keys()
    ]


def unproved_examples(book: Rulebook, marks: Marks) -> list[str]:
    """Worked examples of finished chapters that no test replays."""
    proved = marked(marks, "example", book.game)
    return [
        example.number
        for example in book.example
        if {book.chapter(example.rule), example.rule} & set(book.finished) and example.number not in proved
    ]


def unknown_marks(books: dict[str, Rulebook], marks: Marks) -> list[str]:
    """Marks that name no row or example of any rulebook, each with a test that bears it."""
    known = {
        "rule": {f"{game}:{row.rule}" for game, book in books.items() for row in book.row},
        "example": {f"{game}:{example.number}" for game, book in books.items() for example in book.example},
    }
    return [
        f"{kind} {name} ({test})"
        for test, by_kind in marks.items()
        for kind, names in known.items()
        for name in by_kind[kind]
        if name not in names
    ]


def unknown_tests(book: Rulebook, marks: Marks) -> list[str]:
    """Tests that a row names and that are not there."""
    return [f"{row.rule}: {test}" for row in book.row for test in row.tests if test not in marks]


def repeated(names: Iterable[str]) -> list[str]:
    names = list(names)
    return sorted({name for name in names if names.count(name) > 1})
