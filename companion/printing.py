"""From a result to the spool: which printer, which document, and what becomes of a slip that was taken back."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from companion import papers
from companion.config import Config, PrinterConfig
from companion.game.slip import slip
from companion.game.table import Table
from companion.game.tables import Tables
from companion.spool import Job, Rendering, Spool, SpoolError
from printouts import thermal
from printouts.document import Document


class SlipSource(msgspec.Struct, frozen=True):
    """What a job is drawn from, again and again if need be: an act's slip, or a `paper` of that kind and fields."""

    table: str = ""
    number: int = 0
    link: str = ""
    paper: str = ""
    fields: dict[str, str] = {}


class Printing:
    """The printers of one daemon. Slips go to the printer bound to their table, else to the first."""

    def __init__(self, config: Config, tables: Tables, link: Callable[[Table], str]) -> None:
        self._printers: dict[str, PrinterConfig] = {p.name: p for p in config.printers}
        self._slips, self._tables, self._link = config.slips, tables, link
        self._profiles = {p.name: _profile(p) for p in config.printers}
        self._seen: dict[str, dict[int, bool]] = {}
        self._mutex = threading.RLock()
        self.spool: Spool | None = None

    def follow(self, table: Table) -> None:
        """Called after each change: print what is new, void what was taken back."""
        with self._mutex:
            known = self._seen.get(table.key)
            now = {r.number: r.undone for r in table.records if r.slip}
            self._seen[table.key] = now
            if known is None or table.settings.get("slips", self._slips) != "each" or not self._printers:
                return
            for number, undone in now.items():
                if number not in known:
                    self.slip(table, number)
                elif undone and not known[number]:
                    self._take_back(table, number)

    def watch(self, table: Table) -> None:
        """What a table holds when it is first seen is not printed again."""
        self._seen.setdefault(table.key, {r.number: r.undone for r in table.records if r.slip})

    def slip(self, table: Table, number: int, *, copy: bool = False) -> str:
        """Queue a slip once, or a marked copy of it; says in words what happens."""
        printer = self._for(table)
        if printer is None or self.spool is None:
            return "There is no printer; set one up under Settings, or look at the result here."
        record = table.record(number)
        job = self._submit(table, number, "slip", f"slip {record.slip:04d}", printer)
        if copy:
            job = self.spool.retry(job)
        note = self.spool.job(job).note
        return note or f"Slip {record.slip:04d} is on its way to {printer}."

    def _take_back(self, table: Table, number: int) -> None:
        """A slip that still waits is dropped; one on paper is followed by the same slip under VOID."""
        assert self.spool is not None
        printer = self._for(table)
        if printer is None:
            return
        record = table.record(number)
        job = self._submit(table, number, "slip", f"slip {record.slip:04d}", printer)
        if not self.spool.void(job, "taken back"):
            self._submit(table, number, "void", f"void slip {record.slip:04d}", printer)

    def _submit(self, table: Table, number: int, kind: str, title: str, printer: str) -> int:
        assert self.spool is not None
        source = msgspec.json.encode(SlipSource(table.key, number, self._link(table)))
        return self.spool.submit(printer, kind, title, source, key=f"{kind}:{table.key}:{number}")

    def _for(self, table: Table) -> str | None:
        bound = [p.name for p in self._printers.values() if p.table in (table.key, table.name)]
        free = [p.name for p in self._printers.values() if not p.table]
        return next(iter(bound + free), None)

    def paper(self, printer: str, kind: str, fields: Mapping[str, str]) -> int:
        """Queue any paper; the number of its job. A wrong kind or field raises here and not at the printer."""
        if self.spool is None or printer not in self._printers:
            known = ", ".join(self._printers) or "none; set one up in the settings"
            raise SpoolError(f"There is no printer {printer[:40]!r}; there is {known}.")
        title = papers.document(self._tables, kind, fields).title
        source = msgspec.json.encode(SlipSource(paper=kind, fields=dict(fields)))
        return self.spool.submit(printer, "paper", title, source, key=f"paper:{secrets.token_hex(8)}")

    def draw(self, job: Job, banner: str) -> Rendering:
        """The spool's renderer."""
        source = msgspec.json.decode(job.source or b"{}", type=SlipSource)
        document = self._document(source)
        rendered = thermal.render(document, self._profiles[job.printer], banner)
        replaced = ", ".join(f"{sign} as {words}" for sign, words in rendered.replaced)
        return Rendering(rendered.data, "; ".join(part for part in (replaced, *rendered.remarks) if part))

    def _document(self, source: SlipSource) -> Document:
        if source.paper:
            return papers.document(self._tables, source.paper, source.fields)
        return slip(self._tables.get(source.table), source.number, link=source.link)

    def states(self, table: str = "") -> Sequence[Mapping[str, Any]]:
        """Each printer's state in words, and the jobs that wait for somebody."""
        if self.spool is None:
            return []
        names = [n for n, p in self._printers.items() if not table or p.table in ("", table)]
        return [msgspec.to_builtins(self.spool.status(name)) for name in names]

    def jobs(self) -> Sequence[Mapping[str, Any]]:
        """The latest jobs, newest first, without what they are drawn from."""
        if self.spool is None:
            return []
        return [{k: v for k, v in msgspec.to_builtins(j).items() if k != "source"} for j in self.spool.jobs()]


def _profile(printer: PrinterConfig) -> thermal.Profile:
    """The printer's profile by name with what the host has confirmed, else a plain one of its width."""
    confirmed: dict[str, Any] = {"native_qr": printer.native_qr}
    if printer.cutter:
        confirmed["cutter"] = printer.cutter
    if printer.profile:
        return thermal.profile(printer.profile, **confirmed)
    width, columns = (576, 48) if printer.paper == 80 else (384, 32)
    return thermal.Profile(printer.name, width_dots=width, columns=columns, **confirmed)


__all__ = ["Printing", "SpoolError"]
