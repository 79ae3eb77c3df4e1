"""Records of a game (aircraft, ...) read from layers of packs: the game's own first, a user's over it.

A pack file:

    pack = "house"              # its name, as slips and pages show it
    house = true                # what `printed` does not name is a house value; a user's pack leaves this out

    [aircraft."Bf 109 G-6/U4"]
    durability = 3
    [aircraft."Bf 109 G-6/U4".printed]
    durability = "Ex 122"       # where the rulebook prints it

A later layer may give a whole record or only some fields of one. A player's pack may also be a CSV file.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from companion.packs.allowed import Fault, check, show
from companion.packs.errors import PackError
from companion.packs.source import Source, parse_csv, read_bytes, read_source

T = TypeVar("T", bound=msgspec.Struct)

MOST_RECORDS = 500
LONGEST_NAME = 60


class Origin(msgspec.Struct, frozen=True):
    """Where a value comes from: the pack, whether it is a house value, and where the rulebook prints it."""

    pack: str
    house: bool
    printed: str = ""


class Entry(msgspec.Struct, Generic[T], frozen=True):
    """A record, and where each given field of it comes from; a field that no pack gives keeps its default."""

    name: str
    value: T
    origins: dict[str, Origin]

    @property
    def house(self) -> frozenset[str]:
        """The fields that no rulebook prints and no player's own pack gives, defaults among them."""
        return frozenset(
            field
            for field in self.value.__struct_fields__
            if field != "name" and (field not in self.origins or self.origins[field].house)
        )


class Layer(msgspec.Struct, frozen=True):
    """One pack file that has been read: its records as tables, not yet judged."""

    source: Source
    table: str
    pack: str
    house: bool
    records: dict[str, dict[str, Any]]

    def origin(self, record: str, field: str) -> Origin:
        printed = self.records[record].get("printed", {}).get(field, "")
        return Origin(self.pack, self.house and not printed, printed)


def read_layer(file: Path, table: str) -> Layer:
    """Read a pack file whose records stand under `[table.NAME]`, or in the lines of a CSV file."""
    if file.suffix.lower() == ".csv":
        return as_layer(parse_csv(read_bytes(file), file.name, table), table)
    return as_layer(read_source(file), table)


def as_layer(source: Source, table: str) -> Layer:
    faults = list(_head_faults(source, table))
    if faults:
        raise PackError(faults)
    data = source.data
    return Layer(source, table, data["pack"], data.get("house", False), data.get(table, {}))


def merge(layers: Sequence[Layer], kind: type[T]) -> dict[str, Entry[T]]:
    """Every record of all layers, a later layer's fields over an earlier one's; every fault is named at once."""
    merged: dict[str, dict[str, Any]] = {}
    givers: dict[str, dict[str, Layer]] = {}
    for layer in layers:
        for name, record in layer.records.items():
            fields = {key: value for key, value in record.items() if key != "printed"}
            merged.setdefault(name, {"name": name}).update(fields)
            givers.setdefault(name, {}).update(dict.fromkeys(fields, layer))
    faults = [
        _sentence(name, fault, givers[name], layers) for name, record in merged.items() for fault in check(record, kind)
    ]
    if faults:
        raise PackError(faults)
    return {name: _entry(name, record, givers[name], kind) for name, record in merged.items()}


def _entry(name: str, record: dict[str, Any], givers: dict[str, Layer], kind: type[T]) -> Entry[T]:
    value = msgspec.convert(record, kind)
    return Entry(name, value, {field: layer.origin(name, field) for field, layer in givers.items()})


def _sentence(name: str, fault: Fault, givers: dict[str, Layer], layers: Sequence[Layer]) -> str:
    layer = givers.get(fault.path[0]) or next(layer for layer in layers if name in layer.records)
    return f"{layer.source.where(layer.table, name, *fault.path)}: {name}: {'.'.join(fault.path)} {fault.text}."


def _head_faults(source: Source, table: str) -> Iterator[str]:
    data = source.data
    for key in data:
        if key not in ("pack", "house", table):
            yield f"{source.where(key)}: {show(key)} is not known here; known are pack, house, {table}."
    pack = data.get("pack")
    if not (isinstance(pack, str) and 0 < len(pack) <= LONGEST_NAME):
        yield f'{source.where("pack")}: pack = "NAME" must say the name of the pack, at most {LONGEST_NAME} characters.'
    if not isinstance(data.get("house", False), bool):
        yield f"{source.where('house')}: house is {show(data['house'])}; it must be true or false."
    records = data.get(table, {})
    if not isinstance(records, dict) or len(records) > MOST_RECORDS:
        yield f"{source.where(table)}: {table} must be at most {MOST_RECORDS} tables, [{table}.NAME] each."
        return
    for name, record in records.items():
        yield from _record_faults(source, table, name, record)


def _record_faults(source: Source, table: str, name: str, record: object) -> Iterator[str]:
    where = source.where(table, name)
    if not 0 < len(name) <= LONGEST_NAME:
        yield f"{where}: the name {show(name)} must have 1 to {LONGEST_NAME} characters."
    if not isinstance(record, dict):
        yield f"{where}: {name} is {show(record)}; it must be a table, [{table}.NAME]."
        return
    printed = record.get("printed", {})
    if not isinstance(printed, dict) or not all(isinstance(v, str) and len(v) <= 40 for v in printed.values()):
        yield f"{where}: {name}: printed must say, field by field, where the rulebook prints it, in 40 characters."
        return
    for field in printed:
        if field not in record:
            yield f"{where}: {name}: printed names {show(field)}, which the record does not give."
