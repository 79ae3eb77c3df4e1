"""Whatever a game bars, it says why: a code, a whole sentence and the rule, at every act and every option."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from companion.game import registry
from companion.game.errors import CompanionError
from companion.game.table import HOST, Table
from companion.game.tables import Tables
from companion.umpire import Ask, Barred


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    found = Tables(tmp_path)
    yield found
    found.close()


def reasons(table: Table) -> Iterator[Barred]:
    for act in table.due().acts:
        yield from act.barred
    for ask in table.asks:
        for option in ask.space.listed if ask.space else ():
            if option.barred:
                yield option.barred


def answer(table: Table, ask: Ask, rng: Random) -> None:
    if ask.dice:
        given: object = [rng.choice(slot.die.faces).name for slot in ask.dice.slots]
    else:
        assert ask.space
        given = ask.space.pick(rng)
    table.answer(ask.address, given, seat=HOST)


def step(table: Table, rng: Random) -> bool:
    """One act or one answer at random; whether there was something to do."""
    if table.asks:
        answer(table, table.asks[0], rng)
        return True
    acts = [act for act in table.due().acts if not act.barred]
    if acts:
        table.open(rng.choice(acts).key, seat=HOST)
    return bool(acts)


@pytest.mark.parametrize("game", ["aod", "fastplay", "rotl"])
def test_every_bar_has_a_code_a_sentence_and_a_rule(tables: Tables, game: str) -> None:
    found: dict[str, Barred] = {}
    rng = Random(46)
    for _ in range(4):
        table = tables.new(game, registry.game(game).demo())
        for _ in range(60):
            found |= {barred.code: barred for barred in reasons(table)}
            try:
                if not step(table, rng):
                    break
            except CompanionError:
                break
    assert len(found) >= 3
    for code, barred in found.items():
        assert code
        assert barred.text[0].isupper(), barred
        assert barred.text.endswith("."), barred
        assert barred.rule, barred
