"""From a result to the spool: which printer, which document, and what becomes of a slip that was taken back."""

from __future__ import annotations

import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import msgspec

from companion import papers
from companion.config import Config, PrinterConfig
from companion.game.fold import Record
from companion.game.table import Table
from companion.game.tables import Tables
from companion.sources import off
from companion.spool import Job, PrinterState, Rendering, Spool, SpoolError, SpoolStorage
from companion.umpire import Lasting
from drivers.printers import Printer

if TYPE_CHECKING:  # what draws is read when there is something to print
    from printouts import thermal
    from printouts.document import Document

COMMON = "default"
"""The profile whose code pages are tried on a printer of which the host says nothing."""

_RECENT = 200
"""Print jobs that are looked through for the last slip of a table."""

MOST_LOST = 10
"""Slips that a power cut may have kept from the queue."""


class SlipSource(msgspec.Struct, frozen=True):
    """What a job is drawn from, again and again if need be: an act's slip, or a `paper` of that kind and fields."""

    table: str = ""
    number: int = 0
    more: tuple[int, ...] = ()
    link: str = ""
    void: bool = False
    paper: str = ""
    fields: dict[str, str] = {}


class _Seen(msgspec.Struct, frozen=True):
    """What was last known of a table: its slips, and whether each was taken back; the papers that change with it."""

    slips: dict[int, bool]
    papers: tuple[Lasting, ...]
    over: dict[int, tuple[int, ...]] | None = None
    """Where slips come by engagement: those that are over, by their first act."""


class Printing:
    """The printers of one daemon. Slips go to the printer bound to their table, else to the first."""

    def __init__(
        self,
        config: Config,
        tables: Tables,
        link: Callable[[Table], str],
        guard: Callable[[Callable[[], object]], object] = lambda do: do(),
    ) -> None:
        """`guard` does what it is given, now or when the storage takes it."""
        self._all = config.printers
        self._slips, self._tables, self._link, self._guard = config.slips, tables, link, guard
        self._printers: dict[str, PrinterConfig] = {}
        self._profiles: dict[str, thermal.Profile] = {}
        self._off: dict[str, str] = {}
        self._seen: WeakKeyDictionary[Table, _Seen] = WeakKeyDictionary()
        self._mutex = threading.RLock()
        self.spool: Spool | None = None
        self.now: Callable[[], float] = time.time

    def start(self, file: Path) -> Spool:
        """Open the queue and begin to work it off; a printer that cannot be used says so in its state."""
        devices = [device for printer in self._all if (device := self._device(printer))]
        try:
            spool = self._open(file, devices)
        except SpoolStorage as error:
            self._off = {p.name: str(error) for p in self._all}
            raise
        self.spool = spool
        return spool

    def _device(self, printer: PrinterConfig) -> Printer | None:
        from drivers.printers import printer_from

        try:
            self._profiles[printer.name] = _profile(printer)
            device = printer_from(printer.address, printer.name)
        except Exception as error:  # an unknown address or profile, a library that is missing
            self._off[printer.name] = str(error)
            return None
        self._printers[printer.name] = printer
        self._off.pop(printer.name, None)
        return device

    def adopt(self, printers: Sequence[PrinterConfig]) -> None:
        """What was read off a calibration slip holds for every paper that is drawn from now on; new printers work."""
        fresh = [printer for printer in printers if printer.name not in (known.name for known in self._all)]
        self._all = list(printers)
        for printer in printers:
            if printer.name in self._printers:
                self._profiles[printer.name] = _profile(printer)
                self._printers[printer.name] = printer
        for printer in fresh if self.spool is not None else ():
            if (device := self._device(printer)) and self.spool is not None:
                self.spool.add(device)

    def slip_asks(self, printer: str) -> Mapping[str, Any]:
        """What can be read off the calibration slip of a printer, and what was read off so far."""
        from printouts import calibration

        own, profile = self._printers[printer], self._profiles[printer]
        pages = calibration.tried(profile, code_pages(own))
        return {
            "columns": [(n, n == profile.columns) for n in calibration.COLUMNS],
            "dots": [(n, n == profile.width_dots) for n in calibration.DOTS],
            "pages": [
                (number, codec, calibration.letters_of(codec), (number, codec) in profile.code_pages)
                for number, codec in pages
            ],
            "native_qr": profile.native_qr,
            "cuts": profile.cutter != "none",
            "distances": [(mm, mm == own.head_to_cutter_mm) for mm in calibration.distances(profile)],
        }

    def _open(self, file: Path, devices: list[Printer]) -> Spool:
        try:
            spool = Spool(file, devices, self.draw, now=self.now)
        except SpoolStorage as error:
            if not _damaged(error):
                raise
            file.rename(file.with_name(f"spool-damaged-{int(time.time())}.db"))
            spool = Spool(file, devices, self.draw, now=self.now)
        spool.start()
        return spool

    def follow(self, table: Table) -> None:
        """Called after each change: print what is new, void what was taken back."""
        with self._mutex:
            slips = table.settings.get("slips", self._slips)
            before, now = self._seen.get(table), _seen(table, slips)
            self._seen[table] = now
            if before is None or not self._printers:
                return
            self._renew(table, [paper for paper in now.papers if paper not in before.papers])
            if slips not in ("each", "engagement"):
                return
            for first, more in (now.over or {}).items():
                if before.over is not None and first not in before.over:
                    self._guard(partial(self._engagement, table, first, more))
            for number, undone in now.slips.items():
                if number not in before.slips:
                    if slips == "each":
                        self._guard(partial(self.slip, table, number))
                elif undone != before.slips[number]:
                    self._guard(partial(self._take_back if undone else self._bring_back, table, number))

    def _renew(self, table: Table, changed: Iterable[Lasting]) -> None:
        """Print what has another content than before, such as a pilot's licence after a victory or its undoing."""
        printer = self._for(table)
        if self.spool is None or printer is None or table.settings.get("papers", "each") != "each":
            return
        for paper in changed:
            key = f"{_series(table, paper)}{paper.content}:{table.version}"
            fields = {**paper.fields, "table": table.key}
            self._guard(partial(self._queue, printer, f"{table.game.key}.{paper.kind}", fields, key))

    def watch(self, table: Table) -> None:
        """What a table holds when it is first seen is not printed again, but for what a power cut kept from it."""
        with self._mutex:
            if table not in self._seen:
                self._seen[table] = _seen(table, table.settings.get("slips", self._slips))
                self._guard(lambda: self._renew(table, list(self._kept_back(table))))
                self._guard(partial(self._catch_up, table))
                self._guard(partial(self._catch_up_engagement, table))

    def _kept_back(self, table: Table) -> Iterator[Lasting]:
        """Papers whose last print says something else; one never printed, if the last act changed it."""
        if self.spool is None or not hasattr(table.game, "lasting"):
            return
        last = next(table.journal.entries(table.key, table.version - 1))
        touched = {change["target"] for change in last.body.get("changes", ())}
        at_first = _lasting(table, table.game.start(table.setup, table.context))
        for paper in _lasting(table, table.state):
            series = _series(table, paper)
            printed = self.spool.latest(series)
            if printed:
                if not printed.key.startswith(f"{series}{paper.content}:"):
                    yield paper
            elif paper not in at_first and touched.intersection(paper.fields.values()):
                yield paper

    def _catch_up(self, table: Table) -> None:
        """The last slips, where the power went between the result and its place in the queue.

        Where not even the one before them was queued, this printer has not printed for the table so far.
        """
        wanted = table.settings.get("slips", self._slips) == "each" and self._for(table) is not None
        if self.spool is None or not wanted:
            return
        known = {job.key for job in self.spool.jobs(limit=_RECENT)}
        last = _with_slips(table)[-MOST_LOST - 1 :]
        missing = list(takewhile(lambda r: _key("slip", table, r.number) not in known, reversed(last)))
        if len(missing) < len(last) or len(last) == 1:
            for record in reversed(missing):
                if not record.undone:
                    self.slip(table, record.number)
            if last[-1].undone and not missing and _void_key(table, last[-1].number) not in known:
                self._take_back(table, last[-1].number)
            elif last[-1].turns and not last[-1].undone:
                self._bring_back(table, last[-1].number)

    def _catch_up_engagement(self, table: Table) -> None:
        """The last engagement that is over, if it is not queued and is the first, or the one before it is."""
        over = list((self._seen[table].over or {}).items())[-2:]
        if self.spool is None or not over:
            return
        known = {job.key for job in self.spool.jobs(limit=_RECENT)}
        queued = [_key("engagement", table, first) in known for first, _ in over]
        if not queued[-1] and (len(over) == 1 or queued[0]):
            self._engagement(table, *over[-1])

    def slip(self, table: Table, number: int, *, copy: bool = False) -> str:
        """Queue a slip once, or a marked copy of it; says in words what happens."""
        printer = self._for(table)
        if self.spool is None and self._all:
            raise SpoolStorage("The print queue is not open; it opens by itself as soon as the storage works.")
        if printer is None or self.spool is None:
            return "There is no printer; name one in the settings file, or look at the result here."
        record = table.record(number)
        job = self._submit(table, number, "slip", f"slip {record.slip:04d}", printer)
        if copy:
            job = self.spool.retry(job)
        note = self.spool.job(job).note
        return note or f"Slip {record.slip:04d} is on its way to {printer}."

    def _engagement(self, table: Table, first: int, more: Sequence[int]) -> None:
        """One slip for all acts of an engagement."""
        printer = self._for(table)
        if printer is not None and self.spool is not None:
            title = f"slip {table.record(first).slip:04d}"
            self._submit(table, first, "engagement", title, printer, more)

    def _take_back(self, table: Table, number: int) -> None:
        """A slip that still waits is dropped; one that is, or may be, on paper is followed by the same under VOID.

        Of an engagement only the act that was taken back is printed again, and only once its slip is there.
        """
        printer = self._for(table)
        if printer is None or self.spool is None:
            return
        record = table.record(number)
        if table.settings.get("slips", self._slips) == "engagement":
            if self._has_slip(table, number):
                self._submit(table, number, "void", f"void slip {record.slip:04d}", printer)
            return
        self._submit(table, number, "slip", f"slip {record.slip:04d}", printer)
        job = self.spool.latest(_key("slip", table, number))
        assert job is not None
        if not (job.state == "queued" and self.spool.void(job.id, "taken back")):
            self._submit(table, number, "void", f"void slip {record.slip:04d}", printer)

    def _bring_back(self, table: Table, number: int) -> None:
        """What was taken back counts again: its void slip is dropped if it waits, else the slip comes once more."""
        printer = self._for(table)
        if printer is None or self.spool is None:
            return
        slip, void = self.spool.latest(_key("slip", table, number)), self.spool.latest(_key("void", table, number))
        if void is not None and void.state == "queued" and self.spool.void(void.id, "brought back"):
            return
        record = table.record(number)
        dropped = slip is not None and slip.state == "void"
        if dropped or (void is not None and void.state != "void"):
            source = msgspec.json.encode(SlipSource(table.key, number, link=self._link(table)))
            before = slip or void  # of an engagement only the void slip is the act's own
            on_paper = before.id if before is not None and not dropped else None
            key = f"{_key('slip', table, number)}:{record.turns}"
            self.spool.submit(printer, "slip", f"slip {record.slip:04d}", source, key=key, copy_of=on_paper)

    def _has_slip(self, table: Table, number: int) -> bool:
        """Whether a slip of an engagement that holds this act was queued."""
        assert self.spool is not None
        held = [
            msgspec.json.decode(job.source or b"{}", type=SlipSource)
            for job in self.spool.jobs(limit=_RECENT)
            if job.kind == "engagement"
        ]
        return any(each.table == table.key and number in (each.number, *each.more) for each in held)

    def _submit(self, table: Table, number: int, kind: str, title: str, printer: str, more: Sequence[int] = ()) -> int:
        assert self.spool is not None
        void = kind == "void"
        source = msgspec.json.encode(SlipSource(table.key, number, tuple(more), self._link(table), void))
        key = _void_key(table, number) if void else _key(kind, table, number)
        return self.spool.submit(printer, kind, title, source, key=key, synced=False)  # `_catch_up` knows it too

    def _for(self, table: Table) -> str | None:
        bound = [p.name for p in self._printers.values() if p.table in (table.key, table.name)]
        free = [p.name for p in self._printers.values() if not p.table]
        return next(iter(bound + free), None)

    def paper(self, printer: str, kind: str, fields: Mapping[str, str]) -> int:
        """Queue any paper; the number of its job. A wrong kind or field raises here and not at the printer."""
        return self._queue(printer, kind, fields, f"paper:{secrets.token_hex(8)}")

    def _queue(self, printer: str, kind: str, fields: Mapping[str, str], key: str) -> int:
        if self.spool is None or printer not in self._printers:
            known = ", ".join(self._printers) or "none; set one up in the settings"
            raise SpoolError(f"There is no printer {printer[:40]!r}; there is {known}.")
        title = papers.title(self._tables, kind, fields)
        source = msgspec.json.encode(SlipSource(paper=kind, fields=dict(fields)))
        job = kind if kind == papers.CALIBRATION else "paper"
        return self.spool.submit(printer, job, title, source, key=key)

    def draw(self, job: Job, banner: str) -> Rendering:
        """The spool's renderer."""
        from printouts import thermal
        from printouts.calibration import calibration

        source = msgspec.json.decode(job.source or b"{}", type=SlipSource)
        profile = self._profiles[job.printer]
        if job.kind == papers.CALIBRATION:
            own = self._printers[job.printer]
            unknown = not own.profile and own.cutter is None
            return Rendering(calibration(profile, code_pages(own), try_cutter=unknown).data)
        rendered = thermal.render(self._document(source), profile, banner)
        replaced = ", ".join(f"{sign} as {words}" for sign, words in rendered.replaced)
        return Rendering(rendered.data, "; ".join(part for part in (replaced, *rendered.remarks) if part))

    def _document(self, source: SlipSource) -> Document:
        if source.paper:
            return papers.document(self._tables, source.paper, source.fields)
        from companion.game.slip import slip

        drawn = slip(self._tables.get(source.table), source.number, link=source.link, more=source.more)
        return replace(drawn, void=True) if source.void else drawn

    def states(self, table: str = "") -> Sequence[Mapping[str, Any]]:
        """Each printer's state in words; one that is off says why."""
        return [self._state(p.name) for p in self._all if not table or p.table in ("", table)]

    def _state(self, name: str) -> Mapping[str, Any]:
        try:
            state = self._off_state(name) if self.spool is None or name in self._off else self.spool.status(name)
        except SpoolError as error:
            state = PrinterState(name=name, text=off(str(error)))
        found: Mapping[str, Any] = msgspec.to_builtins(state)
        return found

    def _off_state(self, name: str) -> PrinterState:
        return PrinterState(name=name, text=off(self._off.get(name, "the print queue is not open.")), online=False)

    def settle(self, job: int, answer: str, key: str = "") -> None:
        """What became of a held job: `yes` it is on paper, `no`, `again`; or `cancel` one that waits."""
        if self.spool is None:
            raise SpoolError("There is no printer.")
        if answer == "cancel":
            self.spool.cancel(job)
        elif answer in ("yes", "no", "again"):
            self.spool.answer(job, answer, key)  # type: ignore[arg-type]

    def jobs(self) -> Sequence[Mapping[str, Any]]:
        """The latest jobs, newest first, without what they are drawn from."""
        if self.spool is None:
            return []
        return [{k: v for k, v in msgspec.to_builtins(j).items() if k != "source"} for j in self.spool.jobs()]


def _seen(table: Table, slips: str) -> _Seen:
    over = _over(table) if slips == "engagement" else None
    return _Seen({r.number: r.undone for r in _with_slips(table)}, _lasting(table, table.state), over)


def _with_slips(table: Table) -> list[Record]:
    """The acts whose slips come by themselves: a quiet step has none, but it may be asked for."""
    return [r for r in table.records if r.slip and r.summary.get("weight") != "quiet"]


def _over(table: Table) -> dict[int, tuple[int, ...]]:
    from companion.game import engagements

    groups = [[record.number for record in group] for group in engagements.over(table)]
    return {first: tuple(more) for first, *more in groups}


def _lasting(table: Table, state: Any) -> tuple[Lasting, ...]:
    """The papers of a game that are printed again whenever their content changes."""
    found = getattr(table.game, "lasting", None)
    return tuple(found(state)) if found else ()


def _series(table: Table, paper: Lasting) -> str:
    """How the keys of all prints of a paper begin."""
    return f"again:{table.key}:{paper.kind}:{','.join(paper.fields.values())}:"


def _key(kind: str, table: Table, number: int) -> str:
    """Names the job for this very act: a journal that fell back on an older copy gives its number to another."""
    return f"{kind}:{table.key}:{number}:{table.record(number).mark}"


def _void_key(table: Table, number: int) -> str:
    """Of the void slip for this undoing of the act: it may be brought back, and taken back again."""
    return f"{_key('void', table, number)}:{table.record(number).turns}"


def _damaged(error: SpoolStorage) -> bool:
    """Whether the file itself is broken, not the place where it lies."""
    return type(error.__cause__) is sqlite3.DatabaseError


def _profile(printer: PrinterConfig) -> thermal.Profile:
    """The printer's profile by name with what the host has confirmed, else a plain one of its width."""
    from printouts import thermal

    read_off = {
        "width_dots": printer.dots, "columns": printer.columns, "cutter": printer.cutter,
        "head_to_cutter_mm": printer.head_to_cutter_mm,
    }  # fmt: skip
    confirmed: dict[str, Any] = {key: value for key, value in read_off.items() if value is not None}
    confirmed["native_qr"] = printer.native_qr
    if printer.profile:
        profile = thermal.profile(printer.profile, **confirmed)
    else:
        width, columns = (576, 48) if printer.paper == 80 else (384, 32)
        profile = thermal.Profile(printer.name, **{"width_dots": width, "columns": columns, **confirmed})
    if not printer.code_pages:
        return profile
    allowed = tuple(page for page in code_pages(printer) if page[1] in printer.code_pages)
    return replace(profile, code_pages=allowed or profile.code_pages[:1])


def code_pages(printer: PrinterConfig) -> tuple[tuple[int, str], ...]:
    """Those that such a printer may have, by number and codec; a slip shows which it has."""
    from printouts import thermal

    return thermal.profile(printer.profile or COMMON).code_pages


__all__ = ["Printing", "SpoolError"]
