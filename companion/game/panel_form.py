"""A printed card or control panel as a form: what to touch, and a player's own pack from what was touched.

Any game with slots can use it: a row is what the card is of (an aircraft type), a field is one figure on it. A game may
say in `lengths` which slot holds the number of fields of another, as bursts do; in `tabs`, which slots stand together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from companion.game import own
from companion.umpire import CompanionError, Filled, Game, Number, OneOf, UsageError, YesNo
from companion.umpire.asks import Notation

HEAD = "# Made with the editor; it writes this file again whenever a panel is changed."
NONE = "-"
"""What a field holds where the panel shows nothing there."""

PANEL = "panel"

Keys = tuple[str, ...]
Cells = Mapping[Keys, Filled]
Given = Mapping[str, str]
"""What was touched: field to value, both as text."""


class Field(Struct, frozen=True):
    """One figure. `given` is what the player touched; `house` what the table uses without it, to be shown dimmed."""

    key: str
    label: str
    kind: str
    """number, toggle, choice or text."""
    rule: str
    low: int = 0
    high: int = 0
    options: tuple[tuple[str, str], ...] = ()
    house: str = ""
    marked: bool = False
    """Whether `house` is a house value and not the rulebook's own."""
    given: str = ""

    @property
    def shown(self) -> str:
        return self.given or self.house


class Section(Struct, frozen=True):
    """Fields that stand together; with `columns` they are a grid, row by row."""

    key: str
    title: str
    fields: tuple[Field, ...]
    columns: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()

    @property
    def short(self) -> str:
        """For a tab: the slot's own key in plain letters."""
        return self.key.rsplit(".", 1)[-1].replace("_", " ").capitalize()


def rows(game: Game) -> tuple[str, ...]:
    """What the game has figures of."""
    return tuple(dict.fromkeys(keys[1] for keys in game.cells()))


def form(game: Game, row: str, given: Given, below: Cells | None = None) -> tuple[Section, ...]:
    """Every field of a row by section; `below` are the cells under the player's own, else those of the game."""
    cells = game.cells() if below is None else below
    paths = list(_paths(game, row, given, cells))
    return tuple(_sections(game, [(p, _field(game, row, p, given, cells)) for p in paths]))


def _sections(game: Game, fields: Sequence[tuple[Keys, Field]]) -> Iterator[Section]:
    """Single figures on one panel, except those of a tab of the game; then each list and each grid."""
    tabs: Mapping[str, Sequence[str]] = getattr(game, "tabs", {})
    tab_of = {slot: tab for tab, slots in tabs.items() for slot in slots}
    place = {path: tab_of.get(path[0]) or (PANEL if len(path) == 1 else path[0]) for path, _ in fields}
    for key in sorted(dict.fromkeys(place.values()), key=(PANEL, *tabs, *game.slots).index):
        of = [(path, field) for path, field in fields if place[path] == key]
        yield _grid(game, key, of) if len(of[0][0]) == 3 else _listed(game, key, [field for _, field in of])


def _listed(game: Game, key: str, fields: Sequence[Field]) -> Section:
    of_slot = key in game.slots and key not in getattr(game, "tabs", {})
    title = game.slots[key].title if of_slot else key.capitalize()
    return Section(key, title, tuple(fields))


def _grid(game: Game, key: str, of: Sequence[tuple[Keys, Field]]) -> Section:
    columns, lines = (tuple(dict.fromkeys(path[n] for path, _ in of)) for n in (1, 2))
    by_path = dict(of)
    fields = tuple(by_path[key, column, line] for line in lines for column in columns)
    return Section(key, game.slots[key].title, fields, columns, lines)


def _paths(game: Game, row: str, given: Given, cells: Cells) -> Iterator[Keys]:
    """Slot and the keys after the row, in the order of the game's slots; a row that is new has all that others have."""
    lengths: Mapping[str, str] = getattr(game, "lengths", {})
    after: dict[str, dict[Keys, None]] = {}
    mine = set()
    for key, of, *rest in game.cells():
        after.setdefault(key, {})[(key, *rest)] = None
        if of == row:
            mine.add(key)
    first = Counter(slot.keys[0] for slot in game.slots.values() if slot.keys).most_common(1)
    for key, slot in game.slots.items():
        if key not in mine and (mine or slot.keys[:1] != (first[0][0],)):
            continue
        if key in lengths:
            yield from ((key, str(n)) for n in range(1, _length(game, row, lengths[key], given, cells) + 1))
        else:
            yield from after.get(key, ())


def _length(game: Game, row: str, slot: str, given: Given, cells: Cells) -> int:
    """At least one: an ammunition that is not tracked has one firepower."""
    value = _field(game, row, (slot,), given, cells).shown
    return int(value) if value.isdecimal() else 1


def _field(game: Game, row: str, path: Keys, given: Given, cells: Cells) -> Field:
    slot, key = game.slots[path[0]], ":".join(path)
    filled = cells.get((path[0], row, *path[1:]))
    kind, low, high, options = _kind(slot.space)
    in_tab = any(path[0] in slots for slots in getattr(game, "tabs", {}).values())
    label = " ".join((slot.title, *path[1:]) if len(path) == 1 or in_tab else path[1:])
    marked = bool(filled and filled.house)
    unknown = filled is None or (marked and filled.value is None)  # a figure that every card prints, and no pack gives
    house = "" if filled is None or unknown else spelled(filled.value)
    marked = marked and not unknown
    return Field(key, label, kind, slot.rule, low, high, options, house, marked, given.get(key, ""))


def _kind(space: Any) -> tuple[str, int, int, tuple[tuple[str, str], ...]]:
    if isinstance(space, Number):
        return "number", space.low, space.high, ()
    if isinstance(space, YesNo):
        return "toggle", 0, 0, (("yes", "yes"), ("no", "no"))
    if isinstance(space, OneOf):
        return "choice", 0, 0, tuple((str(o.key), o.text) for o in space.choices)
    assert isinstance(space, Notation)
    return "text", 0, 0, ()


def spelled(value: Any) -> str:
    """A figure as a field shows it."""
    if value is None:
        return NONE
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def read(game: Game, row: str, given: Given) -> dict[str, Any]:
    """The figures of what was touched, as `slot:row:key`; a value that does not fit is refused with its field."""
    if not 0 < len(row) <= own.LONGEST or ":" in row or not row.isprintable():
        raise UsageError(f"The name needs 1 to {own.LONGEST} characters, and no colon.")
    known = {field.key: field for section in form(game, row, given) for field in section.fields}
    figures: dict[str, Any] = {}
    for key, text in given.items():
        if key in known:  # a burst that is no more there once the number of bursts has been set lower
            slot, *rest = key.split(":")
            figures[":".join((slot, row, *rest))] = None if text == NONE else _parsed(game, slot, known[key], text)
    return figures


def _parsed(game: Game, slot: str, field: Field, text: str) -> Any:
    try:
        return game.slots[slot].space.parse(text)
    except CompanionError as error:
        raise UsageError(f"{field.label}: {error}") from None


def touched(row: str, figures: Mapping[str, Any]) -> dict[str, str]:
    """The figures of a row as the form takes them: to open a pack again."""
    paths = ((name.split(":"), value) for name, value in figures.items())
    return {":".join((slot, *rest)): spelled(value) for (slot, of, *rest), value in paths if of == row}


def text(game: Game, pack: str, figures: Mapping[str, Any]) -> str:
    """A pack file with these figures."""
    if not 0 < len(pack) <= own.LONGEST or not pack.isprintable():
        raise UsageError(f"The pack needs a name of 1 to {own.LONGEST} characters.")
    return HEAD + "\n" + own.written(game.key, pack, figures)
