"""Charts of a game from its TOML."""

from typing import Annotated

import msgspec
from msgspec import Meta

from companion.packs.allowed import check
from companion.packs.errors import PackError
from companion.packs.source import Source
from companion.umpire.charts import Cell, Chart, row

Text = Annotated[str, Meta(max_length=120)]


class _Printed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chart as its file gives it; the first cell of a row is its key."""

    title: Text
    rule: Text
    columns: Annotated[tuple[Text, ...], Meta(min_length=1, max_length=30)]
    rows: Annotated[tuple[tuple[Text | int, ...], ...], Meta(min_length=1, max_length=200)]
    dice: Text = ""
    column: Text = ""
    natural: dict[Text, Text | int] = {}
    words: tuple[Text, ...] = ()
    source: Text = "text"
    note: Text = ""


def charts(source: Source, game: str) -> dict[str, Chart]:
    """Every chart of the file by its key; every fault is named at once."""
    tables = source.data.get("chart")
    if not isinstance(tables, dict):
        raise PackError([f"{source.name}: the charts must stand in tables, [chart.NAME] each."])
    faults = [
        f"{source.where('chart', key, *fault.path)}: chart {key}: {'.'.join(fault.path)} {fault.text}."
        for key, table in tables.items()
        for fault in check(table, _Printed)
    ]
    if not faults:
        faults = [sentence for key, table in tables.items() for sentence in _row_faults(source, key, table)]
    if faults:
        raise PackError(faults)
    return {key: _chart(key, msgspec.convert(table, _Printed), game) for key, table in tables.items()}


def _row_faults(source: Source, key: str, table: dict[str, list[list[Cell]]]) -> list[str]:
    where, columns = source.where("chart", key, "rows"), table["columns"]
    faults = [
        f"{where}: chart {key}: the row {cells} needs its key and {len(columns)} cells."
        for cells in table["rows"]
        if len(cells) != len(columns) + 1
    ]
    keys = [cells[0] for cells in table["rows"] if cells]
    return faults + [f"{where}: chart {key}: the row {k!r} is there twice." for k in set(keys) if keys.count(k) > 1]


def _chart(key: str, printed: _Printed, game: str) -> Chart:
    rows = tuple(row(cells[0], cells[1:]) for cells in printed.rows)
    house = printed.source == "house"
    return Chart(
        key=key,
        title=printed.title,
        rule=printed.rule,
        columns=printed.columns,
        rows=rows,
        dice=printed.dice,
        natural=printed.natural,
        words=printed.words,
        source=printed.source,
        house=frozenset((r.key, column) for r in rows for column in printed.columns) if house else frozenset(),
        game=game,
        note=printed.note,
    )
