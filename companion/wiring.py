"""Puts the parts together, once, for the daemon and for the command line."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from companion import lan, local, papers
from companion.config import Config, DiceConfig, data_folder
from companion.game.intake import Intake
from companion.game.table import Table
from companion.game.tables import Tables
from companion.printing import Printing
from companion.spool import Spool
from companion.web.parts import Parts
from drivers.dice import DiceSource, Event
from drivers.dice.software import draw

PRINTED_WITHIN = 20.0
"""Seconds that a command waits for its paper; the job stays in the queue after that."""


class Machine:
    """One daemon: tables, dice, printers, pages. `start` opens the hardware; `close` lets it go."""

    def __init__(self, config: Config, folder: Path | None = None, *, version: str = "") -> None:
        self.config = config
        self.folder = folder or data_folder(config, None)
        self.tables = Tables(self.folder)
        self.printing = Printing(config, self.tables, self.link)
        self.parts = Parts(config, self.tables, self.base_url, draw, self.printing, self.dice_states, version)
        self.sources: dict[str, DiceSource] = {}
        self._intakes: dict[str, Intake] = {}
        self._armed: dict[str, tuple[tuple[str, str], ...]] = {}
        self._active = ""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._mutex = threading.RLock()
        self.tables.opened.append(self.printing.watch)
        self.tables.listeners += [self.printing.follow, self._arm]

    # --- addresses

    def base_url(self) -> str:
        return lan.base_url(self.config.public_url, self.config.port, lan.interfaces())

    def link(self, table: Table) -> str:
        base = self.base_url()
        return f"{base}/e/{table.key}" if base else ""

    # --- life

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Open dice and printers; a part that fails says so in its state and leaves the rest alone."""
        self._loop = loop
        self.start_spool()
        for die in self.config.dice:
            source = source_from(die)
            self.sources[die.name] = source
            source.start(self._heard)
        latest = self.tables.latest()
        if latest is not None:
            self._arm(latest)

    def start_spool(self) -> Spool:
        """Open the printers and print what waits for them."""
        from drivers.printers import printer_from

        printers = [printer_from(p.address, p.name) for p in self.config.printers]
        self.printing.spool = spool = Spool(self.folder / "spool.db", printers, self.printing.draw)
        spool.start()
        return spool

    def close(self) -> None:
        """Stop everything within seconds, whatever the hardware does."""
        for source in self.sources.values():
            source.stop()
        if self.printing.spool is not None:
            self.printing.spool.close()
        self.parts.worker.shutdown(wait=True, cancel_futures=True)
        self.tables.close()

    def do(self, command: str, args: Mapping[str, Any]) -> Any:
        """A command that came over the local socket; called in the thread that owns the tables."""
        if command == "print.submit":
            self.printing.paper(args["printer"], args["kind"], args["fields"])
            return {"ok": True, "text": f"It is on its way to {args['printer']}."}
        return papers.run(self.tables, command, args)

    # --- dice

    def _heard(self, event: Event) -> None:
        """From a source's own thread: hand over to the thread that owns the tables."""
        if self._loop is not None and not self._loop.is_closed():
            self.parts.worker.submit(self._take, event)

    def _take(self, event: Event) -> None:
        if event.kind == "throw":
            table = self._table_for(event.source)
            if table is not None:
                source = "software" if event.drawn else event.source
                self._intake(table).arrive(source, event.faces, at=event.at)
            if event.number is not None:
                self.sources[event.source].acknowledge(event.number)
        elif event.kind == "cocked":
            table = self._table_for(event.source)
            if table is not None:
                table.aside(event.source, f"{event.text} Throw it again.")

    def _table_for(self, source: str) -> Table | None:
        bound = next((d.table for d in self.config.dice if d.name == source and d.table), "")
        for key in self.tables.listed():
            table = self.tables.get(key)
            if bound and bound in (table.key, table.name):
                return table
        if bound:
            return None
        return self.tables.get(self._active) if self._active else self.tables.latest()

    def _intake(self, table: Table) -> Intake:
        if table.key not in self._intakes:
            self._intakes[table.key] = Intake(table, self._later, hold=self.config.hold)
        return self._intakes[table.key]

    def _later(self, seconds: float, do: Callable[[], None]) -> None:
        assert self._loop is not None
        loop = self._loop
        loop.call_soon_threadsafe(lambda: loop.call_later(seconds, lambda: self.parts.worker.submit(do)))

    def _arm(self, table: Table) -> None:
        """Tell the sources which dice are asked for; the table played last has the free ones."""
        with self._mutex:
            self._active = table.key
            self._intake(table)
            slots = tuple(
                (slot.name, slot.die.kind)
                for ask in table.asks[:1]
                if ask.dice is not None
                for slot in ask.dice.slots
                if slot.name in ask.open_slots
            )
            for die in self.config.dice:
                if die.table in ("", table.key, table.name) and self._armed.get(die.name) != slots:
                    self._armed[die.name] = slots
                    if die.name in self.sources:
                        self.sources[die.name].arm(slots)

    def dice_states(self, table: str = "") -> Sequence[Mapping[str, Any]]:
        """Each source's state in words."""
        shown = [d for d in self.config.dice if not table or d.table in ("", table)]
        return [{"name": d.name, **asdict(self.sources[d.name].status())} for d in shown if d.name in self.sources]


def print_now(config: Config, folder: Path, printer: str, kind: str, fields: Mapping[str, str]) -> Mapping[str, Any]:
    """Print by the daemon where one runs, else here; `ok` says whether it is on its way or on paper, `text` what is."""
    try:
        found: Mapping[str, Any] = local.ask(
            folder, "print.submit", {"printer": printer, "kind": kind, "fields": dict(fields)}
        )
        return found
    except local.NotRunning:
        pass
    machine = Machine(config, folder)
    try:
        spool = machine.start_spool()
        number = machine.printing.paper(printer, kind, fields)
        until = time.monotonic() + PRINTED_WITHIN
        while (job := spool.job(number)).state in ("queued", "sending") and time.monotonic() < until:
            time.sleep(0.05)
        return {"ok": job.state == "printed", "text": job.note or f"{printer}: {job.title} is {job.state}."}
    finally:
        machine.close()


def source_from(die: DiceConfig) -> DiceSource:
    """The driver that a setting names."""
    if die.kind == "gpio":
        from drivers.dice.gpio import GpioDice, Pins

        return GpioDice(die.name, Pins.of(die.pins))
    from drivers.dice.formats import format_named
    from drivers.dice.serial import SerialDice

    settings = {"pattern": die.pattern} if die.pattern else {}
    return SerialDice(die.name, die.port, format_named(die.format, **settings), die.baud)
