"""Charts looked up by words, by rule number or by situation, in one game or in all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

DAGGER = "†"
HOUSE = f"{DAGGER} house value: no rulebook prints it"
_WORD = re.compile(r"[\w.+-]+")
_STEM = re.compile(r"(?<=...)(ing|ed|es|e|s)$")


class Page(NamedTuple):
    """A chart as a reader sees it: `rows` are cells of text, their key first, house values with a dagger."""

    game: str
    key: str
    title: str
    rule: str
    dice: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    natural: Sequence[Sequence[str]]
    words: Sequence[str]
    note: str
    house: bool


def search(words: Sequence[str] | str, game: str = "") -> list[Page]:
    """The charts that have every word, the best first; all of them without words. Raises NoGame."""
    from companion.game.shelf import pages

    return Index(pages(game)).find(words)


class Index:
    """Charts with their words taken apart once, for those who search while they type."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self._rows = [(page, _layers(page)) for page in pages]

    def find(self, words: Sequence[str] | str, game: str = "") -> list[Page]:
        """As `search`; without a game, those of all."""
        wanted = _split(words if isinstance(words, str) else " ".join(words))
        of_game = [row for row in self._rows if game in ("", row[0].game)]
        ranked = [(score, page) for page, layers in of_game if (score := _score(page, layers, wanted))]
        return [page for _, page in sorted(ranked, key=lambda pair: -pair[0])]


def _split(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("_", " "))


Layers = tuple[tuple[int, list[str]], ...]
"""The words of a chart by how much they count."""


def _score(page: Page, layers: Layers, wanted: Sequence[str]) -> int:
    """0 where a word is nowhere in the chart."""
    total = 1
    for word in wanted:
        found = (weight for weight, have in layers if any(_fits(word, w) for w in have))
        best = _rule_score(page.rule, word) or max(found, default=0)
        if not best:
            return 0
        total += best
    return total


def _rule_score(rule: str, word: str) -> int:
    """A rule number finds its own chart first, then those below it."""
    number = rule.split(":")[-1].lower()
    if word == number:
        return 20
    return 12 if word[0].isdigit() and number.startswith(word + ".") else 0


def _layers(page: Page) -> Layers:
    keys = " ".join([page.rule.split(":")[-1], *page.columns, *(row[0] for row in page.rows)])
    cells = " ".join([page.note, *(cell for row in page.rows for cell in row[1:])])
    return (
        (10, _split(f"{page.key} {page.title}")),
        (8, _split(" ".join(page.words))),
        (4, _split(keys)),
        (2, _split(cells)),
    )


def _fits(word: str, have: str) -> bool:
    """The same word, its beginning, or the same in another form: strafe, strafing, rockets."""
    return have.startswith(word) or (len(word) > 3 and _STEM.sub("", word) == _STEM.sub("", have))


def text(page: Page) -> Iterator[str]:
    """A chart as lines of plain text, its columns aligned."""
    yield f"{page.title} [{page.rule}]" + (f"  {page.dice}" if page.dice else "")
    table = [["", *page.columns], *page.rows]
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    for row in table:
        yield "  " + "  ".join(cell.ljust(wide) for cell, wide in zip(row, widths, strict=True)).rstrip()
    for faces, label in page.natural:
        yield f"  natural {faces}: {label}"
    if page.note:
        yield f"  {page.note}"
    if page.house:
        yield f"  {HOUSE}"
