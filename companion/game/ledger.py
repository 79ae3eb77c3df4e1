"""A table as its journal tells it: records, state, what is open; read, never written, here."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from typing import Any

import msgspec

from companion.game import dealing, registry
from companion.game.errors import NotNow
from companion.game.fold import Record, Standing, apply
from companion.game.journal import Entry, Journal
from companion.umpire import Ask, Change, Context, Due, Filled, Game, UsageError

_ADDS = frozenset({"answered", "aside", "arrived", "refused", "adjusted", "wished", "unwished"})
"""Entries that take nothing away from the open act: what it has worked out so far stays true."""

QUIET = frozenset({"aside", "away", "back", "adjusted", "arrived", "refused", "wished", "unwished"})
"""Entries that play nothing: what was taken back just before can still be brought back, and a wish still waits."""

BY_HAND = "by hand"

UNPACKED = 4
"""The last acts, which every page asks for; those before them are held packed."""


class Wish(msgspec.Struct, frozen=True):
    """What one seat wishes and another has to agree to; `do` is the table's own command, `given` what it takes."""

    seat: str
    text: str
    do: str
    given: dict[str, Any]


class Ledger:
    """The fold of one journal stream. `version` is the number of its last entry; every change raises it."""

    def __init__(self, journal: Journal, key: str) -> None:
        self.journal, self.key = journal, key
        self.mutex = threading.RLock()
        self._reset()
        self.standing = Standing(None)
        for entry in journal.entries(key):
            self._take(entry)
        if not self.version:
            raise NotNow(f"Table {key} holds nothing.")
        self._refold()

    def _reset(self) -> None:
        self.version = 0
        self.records: list[Record] = []
        self.asides: list[dict[str, Any]] = []
        self.rulings: list[dict[str, Any]] = []
        self.keys: dict[str, int] = {}
        self.shelf: list[dict[str, Any]] = []
        self.slips = 0
        self.put_away = False
        self.wish: Wish | None = None
        self.settings: dict[str, str] = {}
        self.arrived: dict[int, dict[str, Any]] = {}
        self.asked_at = time.monotonic()
        self.asks: tuple[Ask, ...] = ()
        self.open_lines: tuple[Any, ...] = ()
        self._context: Context | None = None
        self.memo: dict[Any, Any] = {}

    def _created(self, body: Mapping[str, Any]) -> None:
        self.game = registry.game(body["game"])
        self.name: str = body["name"]
        self.setup: dict[str, Any] = body["setup"]
        self.switches: dict[str, Any] = body["switches"]
        self.house: str = body["house"]
        self.secret: str = body["secret"]
        self.learned: dict[str, Any] = body["cells"]
        self.learned_by: dict[str, str] = {}
        """Which seat read a cell out at the table."""
        self.marks: dict[str, str] = dict(body.get("marks", ()))  # in their order: a later pack lies over an earlier
        self.packs: dict[str, dict[str, Any]] = {p: body["packs"][p] for p in self.marks or body.get("packs", {})}

    @property
    def context(self) -> Context:
        """Switches and filled cells; made anew only when a cell is learned."""
        if self._context is None:
            self._context = self._made_context()
        return self._context

    def _made_context(self) -> Context:
        cells = filled(self.game, self.packs, self.learned)
        return Context(self.switches, cells, self.house)  # type: ignore[arg-type]

    @property
    def state(self) -> Any:
        return self.standing.state

    @property
    def current(self) -> Record | None:
        """The act that is open."""
        last = next((r for r in reversed(self.records) if not r.undone), None)
        return last if last and not last.closed else None

    @property
    def played(self) -> list[Record]:
        return [r for r in self.records if not r.undone]

    def record(self, number: int) -> Record:
        for found in reversed(self.records):  # what is asked for is nearly always the last
            if found.number == number:
                return found
        raise UsageError(f"Table {self.name} has no act {number}.")

    def due(self) -> Due:
        return self.game.due(self.state, self.context)

    @property
    def tail(self) -> str:
        """Six digits of the head of the hash chain: printed on each slip, they settle arguments."""
        return f"{int.from_bytes(self.journal.head(self.key)[1][:8], 'big') % 1_000_000:06d}"

    def _take(self, entry: Entry) -> None:
        self.version = entry.n
        if entry.kind not in _ADDS:
            self.memo.clear()
        if entry.kind not in QUIET:
            self.wish = None
        body = entry.body
        if body.get("key"):
            self.keys[body["key"]] = entry.n
        getattr(self, f"_took_{entry.kind}")(entry.n, body)
        if entry.kind == "opened":
            self.records[-1].mark = entry.hash[:4].hex()

    def _took_created(self, _n: int, body: Mapping[str, Any]) -> None:
        self._created(body)

    def _took_opened(self, n: int, body: Mapping[str, Any]) -> None:
        self.records.append(Record(n, body))
        if len(self.records) > UNPACKED:
            self.records[-UNPACKED - 1].pack()

    def _took_answered(self, _n: int, body: Mapping[str, Any]) -> None:
        self.record(body["number"]).take(body)
        for number, held in list(self.arrived.items()):
            if held["address"] == body["address"] and set(held["faces"]) <= set(body.get("faces", {})):
                del self.arrived[number]

    def _took_voided(self, _n: int, body: Mapping[str, Any]) -> None:
        record = self.record(body["number"])
        face = record.answers[body["address"]].pop(body["slot"])
        record.attempts.append({**body, "face": face})

    def _took_aside(self, n: int, body: Mapping[str, Any]) -> None:
        self.asides = [*self.asides[-9:], {"n": n, **body}]

    def _took_arrived(self, n: int, body: Mapping[str, Any]) -> None:
        self.arrived[n] = {"n": n, **body}

    def _took_refused(self, _n: int, body: Mapping[str, Any]) -> None:
        self.arrived.pop(body["number"], None)

    def _took_closed(self, _n: int, body: Mapping[str, Any]) -> None:
        record = self.record(body["number"])
        if not record.slip and self.shelf:  # the faces kept for this act have been used or no longer fit
            self.shelf.pop(0)
        record.end(body)
        if record.number < self.records[-UNPACKED:][0].number:
            record.pack()
        self.slips = max(self.slips, body["slip"])

    def _took_amended(self, _n: int, body: Mapping[str, Any]) -> None:
        record = self.record(body["number"])
        before = record.answers[body["address"]]
        record.amended.append(dict(body) | {"before": before})
        if isinstance(before, dict):  # a face that was put right was entered by hand
            other = [slot for slot, face in body["given"].items() if before.get(slot) != face]
            record.sources.setdefault(body["address"], {}).update(dict.fromkeys(other, BY_HAND))
        record.answers[body["address"]] = body["given"]
        if "said" in body:
            record.said[body["address"]] = body["asked"], body["said"]
        record.by[body["address"]] = body["seat"]
        record.closed = False

    def _took_undone(self, _n: int, body: Mapping[str, Any]) -> None:
        self.arrived.clear()
        for number in body["acts"]:
            self.record(number).turn(undone=True)
        kept = [] if body["fresh"] else [dice_of(self.record(number)) for number in body["acts"]]
        self.shelf = kept + ([] if body["fresh"] else self.shelf)

    def _took_redone(self, _n: int, body: Mapping[str, Any]) -> None:
        for number in body["acts"]:
            self.record(number).turn(undone=False)
        self.shelf = self.shelf[len(body["acts"]) :]

    def _took_ruled(self, n: int, body: Mapping[str, Any]) -> None:
        self.rulings.append({"n": n, **body})

    def _took_learned(self, _n: int, body: Mapping[str, Any]) -> None:
        self.learned = {**self.learned, **body["cells"]}
        self.learned_by |= dict.fromkeys(body["cells"], body["seat"])
        self._context = None

    def _took_adjusted(self, _n: int, body: Mapping[str, Any]) -> None:
        self.settings = {**self.settings, **body["settings"]}

    def _took_wished(self, _n: int, body: Mapping[str, Any]) -> None:
        self.wish = msgspec.convert(body, Wish)

    def _took_unwished(self, _n: int, _body: Mapping[str, Any]) -> None:
        self.wish = None

    def _took_away(self, _n: int, _body: Mapping[str, Any]) -> None:
        self.put_away = True

    def _took_back(self, _n: int, _body: Mapping[str, Any]) -> None:
        self.put_away = False

    def _refold(self) -> None:
        self.standing = self._fold_until(None)

    def _state_before(self, record: Record | None) -> Standing:
        return self._fold_until(record)

    def _fold_until(self, stop: Record | None) -> Standing:
        """State from the start: acts that count and rulings, in the order of the journal."""
        standing = Standing(self.game.start(self.setup, self.context))
        steps: list[tuple[int, tuple[Change, ...]]] = [(r.number, r.changes) for r in self.played if r.closed]
        steps += [(r["n"], tuple(msgspec.convert(c, Change) for c in r["changes"])) for r in self.rulings]
        for number, changes in sorted(steps, key=lambda step: step[0]):
            if stop is not None and number >= stop.number:
                break
            standing = apply(self.game, standing, changes)
        return standing


def filled(
    game: Game, packs: Mapping[str, Mapping[str, Any]], learned: Mapping[str, Any]
) -> dict[tuple[str, ...], Filled]:
    """The game's own figures, the players' packs over them, and what was learned at the table over all."""
    cells = dict(game.cells())
    for source, figures in (*packs.items(), ("learned at this table", learned)):
        cells |= {tuple(name.split(":")): Filled(value, source) for name, value in figures.items()}
    return cells


def dice_of(record: Record) -> dict[str, Any]:
    """Faces and drawn cards: they stick to their address."""
    return {a: v for a, v in record.answers.items() if isinstance(v, dict) or dealing.is_draw(a)}
