"""A data folder with a toy table in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.game import registry
from companion.game.table import Table
from companion.game.tables import Tables
from tests.game.toy import GAME


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    real = registry.game
    monkeypatch.setattr(registry, "game", lambda key: GAME if key == "toy" else real(key))


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    opened = Tables(tmp_path / "data")
    yield opened
    opened.close()


@pytest.fixture
def table(tables: Tables) -> Table:
    return tables.new("toy")


def again(tables: Tables, table: Table) -> Table:
    """The same table as a fresh daemon would read it."""
    return Table(tables.journal, table.key)


def shown(table: Table) -> dict[str, Any]:
    """What must be equal after a restart."""
    return {
        "state": table.state,
        "held": table.standing.held,
        "asks": [(a.address, a.open_slots) for a in table.asks],
        "log": [(r.number, r.slip, r.undone, r.closed, r.answers) for r in table.records],
        "shelf": table.shelf,
    }
