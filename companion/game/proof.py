"""Proof of a table: its chain holds, and its acts come out again from what was recorded."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.game.fold import Record
from companion.game.table import Table
from companion.umpire import CompanionError, Done, advance


class Difference(msgspec.Struct, frozen=True):
    """An act that comes out otherwise under the rules of today; what was played stands."""

    number: int
    slip: int
    text: str


def verify(table: Table) -> list[Difference]:
    """Check the hash chain (raises JournalDamaged) and run every act again; empty when all is equal."""
    with table.mutex:
        table.journal.check_chain(table.key)
        return [
            d for record in table.records if record.closed and not record.ruled for d in _differences(table, record)
        ]


def _differences(table: Table, record: Record) -> list[Difference]:
    procedure = table.game.procedures.get(record.procedure)
    if procedure is None:
        return [Difference(record.number, record.slip, f"There is no procedure {record.procedure} any more.")]
    try:
        outcome = advance(procedure, procedure.inputs(record.inputs), record.given(), table.context)
    except CompanionError as error:
        return [Difference(record.number, record.slip, str(error))]
    if not isinstance(outcome, Done):
        return [Difference(record.number, record.slip, f"It asks for {outcome.asks[0].address} now.")]
    same = _plain(outcome.changes) == _plain(record.changes) and _plain(outcome.result) == _plain(record.result)
    return [] if same else [Difference(record.number, record.slip, "It comes out otherwise under these rules.")]


def _plain(value: Any) -> Any:
    return msgspec.json.encode(value, order="sorted")
