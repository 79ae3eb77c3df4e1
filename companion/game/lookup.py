"""Charts looked up by words, by rule number or by situation, in one game or in all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
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
    """Charts with their words weighed once, for those who search while they type."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self.rows = [(page, _weights(page)) for page in pages]

    def find(self, words: Sequence[str] | str, game: str = "") -> list[Page]:
        """As `search`; without a game, those of all."""
        wanted = _split(words if isinstance(words, str) else " ".join(words))
        of_game = [row for row in self.rows if game in ("", row[0].game)]
        ranked = [(score, page) for page, weights in of_game if (score := _score(page, weights, wanted))]
        return [page for _, page in sorted(ranked, key=lambda pair: -pair[0])]


# --- the rank of a chart; companion/web/static/charts.js does the same sums in the browser


def _split(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("_", " "))


Weights = Mapping[str, int]
"""The words of a chart, and how much each counts."""


def _score(page: Page, weights: Weights, wanted: Sequence[str]) -> int:
    """0 where a word is nowhere in the chart."""
    total = 1
    for word in wanted:
        found = (weight for have, weight in weights.items() if _fits(word, have))
        best = _rule_score(number_of(page), word) or max(found, default=0)
        if not best:
            return 0
        total += best
    return total


def number_of(page: Page) -> str:
    """The number of its rule, without the name of the game."""
    return page.rule.split(":")[-1].lower()


def _rule_score(number: str, word: str) -> int:
    """A rule number finds its own chart first, then those below it."""
    if word == number:
        return 20
    return 12 if word[0] in "0123456789" and number.startswith(word + ".") else 0


def _weights(page: Page) -> Weights:
    """A word in the title counts more than one in a cell; each counts once."""
    keys = " ".join([number_of(page), *page.columns, *(row[0] for row in page.rows)])
    cells = " ".join([page.note, *(cell for row in page.rows for cell in row[1:])])
    layers = ((2, cells), (4, keys), (8, " ".join(page.words)), (10, f"{page.key} {page.title}"))
    return {word: weight for weight, text in layers for word in _split(text)}


def _fits(word: str, have: str) -> bool:
    """The same word, its beginning, or the same in another form: strafe, strafing, rockets."""
    return have.startswith(word) or (len(word) > 3 and _stem(word) == _stem(have))


@lru_cache(8192)
def _stem(word: str) -> str:
    return _STEM.sub("", word)


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
