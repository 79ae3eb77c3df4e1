"""Which acts belong together: one after the other about the same piece first, such as a burst and the answers to it."""

from __future__ import annotations

from companion.game.fold import Record
from companion.game.table import Table


def of(table: Table) -> list[list[Record]]:
    """The finished acts that count, engagement by engagement."""
    found: list[list[Record]] = []
    for record in table.played:
        if not record.slip:
            continue
        if found and record.about and found[-1][0].about[:1] == record.about[:1]:
            found[-1].append(record)
        else:
            found.append([record])
    return found


def over(table: Table) -> list[list[Record]]:
    """Those with dice or cards in them to which nothing more is added: another piece acts, or it is put away."""
    found = of(table)
    last = table.played[-1] if table.played else None
    if found and last is not None and not (table.put_away or table.due().over):
        opened = not last.slip and last.about[:1] != found[-1][0].about[:1]
        if not (opened or not found[-1][0].about):
            found = found[:-1]
    return [group for group in found if any(r.thrown or r.summary.get("weight") == "slip" for r in group)]
