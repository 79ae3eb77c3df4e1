"""Two tables come out alike by construction: same key, same secret, same one-time keys."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from companion.game.table import Table
from companion.game.tables import Tables
from tests.hidden.tables import Room


@pytest.fixture(autouse=True)
def _alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """The chain's digits commit to the hidden cards too, salted with the table's secret, so they are put aside."""
    monkeypatch.setattr(secrets, "token_urlsafe", lambda n=24: "x" * n)
    monkeypatch.setattr(Tables, "_fresh_key", lambda self: "same")
    monkeypatch.setattr(Table, "tail", property(lambda self: "000000"))


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Callable[..., Room]]:
    """`room(game, setup)`: another daemon's table, in a folder of its own."""
    made: list[Room] = []
    numbers = count()

    def make(game: str, setup: Any, **switches: Any) -> Room:
        made.append(Room(tmp_path / f"room{next(numbers)}", game, setup, switches))
        return made[-1]

    yield make
    for each in made:
        each.close()
