"""Puts the parts together, once, for the daemon and for the command line."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from companion import keeping, lan, local, papers, sources, speech, touched
from companion.clock import Wall
from companion.config import Config, ConfigError, DiceConfig, data_folder
from companion.dice import chosen, tallied
from companion.ears import Ears
from companion.first import FirstEvening
from companion.game.errors import JournalDamaged, StorageFailed
from companion.game.intake import Intake
from companion.game.table import Table
from companion.game.tables import KEPT, Tables
from companion.printing import Printing
from companion.sources import source_from
from companion.speech import Voice
from companion.spool import Spool, SpoolStorage
from companion.sticks import sticks
from companion.storage import Look, Storage
from companion.umpire import Slot
from companion.web.parts import Parts
from drivers.dice import DiceSource, Event
from drivers.dice.software import draw

log = logging.getLogger("companion")

COPY_AFTER = 60.0
"""Seconds without a new entry after which the journal is copied."""

STOP_PRINTERS, STOP_DICE = 4.0, 2.0
"""Seconds to stop in; with the pages' own it must stay under ten."""

SAID_FOR, RENEW_AFTER = 10.0, 0.2
"""Seconds for which a dial's face is shown, and in which what dice say is gathered before pages read again."""

SOFTWARE = "software die"

PRINTED_WITHIN = 20.0
"""Seconds that a command waits for its paper; the job stays in the queue after that."""


class Machine:
    """One daemon: tables, dice, printers, pages. `start` opens the hardware; `close` lets it go."""

    def __init__(
        self,
        config: Config,
        folder: Path | None = None,
        *,
        version: str = "",
        notices: Sequence[str] = (),
        interfaces: lan.Interfaces = lan.interfaces,
        look: Look = os.statvfs,
    ) -> None:
        """`notices` are shown on every page. `interfaces` and `look` ask the machine, and tests."""
        self.folder = folder or data_folder(config, None)
        self.config, wrong = _with_touched(config, self.folder)
        base, config, self._interfaces = config, self.config, interfaces
        self.tables = Tables(self.folder)
        self.wall = Wall(self.folder)
        self.storage = Storage(self.folder, look)
        self._notices = [*notices, *wrong, *self.tables.journal.notices]
        self.printing = Printing(config, self.tables, self.link, self.storage.guard)
        self.parts = Parts(config, self.tables, self.base_url, draw, self.printing, self.dice_states, version)
        self.parts.notices, self.parts.doctor, self.parts.bundle = self.notices, self.findings, self.bundle
        self.parts.sticks = sticks
        self.parts.no_voice = lambda: "" if speech.installed() else speech.MISSING
        self.tables.journal.now = self.printing.now = self.wall.now
        self.first = FirstEvening(
            base, self.folder, self.printing, self.wall, self.adopt, self.release, self.restart_dice
        )
        self.parts.host = self.first
        self.sources: dict[str, DiceSource] = {}
        self.ears = Ears()
        self._said: dict[str, tuple[str, float]] = {}
        self._renewing = False
        self._intakes: dict[str, Intake] = {}
        self._armed: dict[str, tuple[tuple[tuple[str, str], ...], float]] = {}
        self._active = ""
        self._told: tuple[str, ...] = ()
        self._heads: dict[str, int] = {}
        self._copied: dict[str, int] = {}
        self._quiet_since = time.monotonic()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._mutex = threading.RLock()
        self.tables.opened.append(self.printing.watch)
        self.voice = Voice()
        self.tables.listeners += [self.printing.follow, self._arm, self.voice.follow]

    # --- addresses

    def base_url(self) -> str:
        try:
            found = self._interfaces()
        except OSError:  # the list changes while it is read, or a sandbox hides it
            found = []
        return lan.base_url(self.config.public_url, self.config.port, found)

    def link(self, table: Table) -> str:
        base = self.base_url()
        return f"{base}/e/{table.key}" if base else ""

    # --- life

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Open dice and printers; a part that fails says so in its state and leaves the rest alone."""
        self._loop = loop
        with contextlib.suppress(SpoolStorage):  # its state says so, and `tend` tries again
            self.start_spool()
        for die in (*self.config.dice, *self._fallback):
            self._start_die(die)
        self.parts.worker.submit(self._resume)

    def _start_die(self, die: DiceConfig) -> None:
        source = self.sources[die.name] = sources.make(die)
        try:
            source.start(self._heard)
        except Exception as error:  # no thread or descriptor left for it
            self.sources[die.name] = sources.OffSource(die.name, str(error))

    # --- other settings while it runs

    def adopt(self, config: Config) -> None:
        """What was touched in on a page holds from now on."""
        changed = [die.name for die in config.dice if die not in self.config.dice]
        self.config = self.parts.config = config
        self.printing.adopt(config.printers)
        self.restart_dice(changed)

    def release(self, port: str) -> list[str]:
        """Let go of a port; the names of the sources that had it."""
        mine = [die.name for die in self.config.dice if die.port and sources.node(die.port) == sources.node(port)]
        for name in mine:
            if name in self.sources:
                self.sources[name].stop()
        return mine

    def restart_dice(self, names: Sequence[str]) -> None:
        """Begin again with these sources, by the settings of now; what is asked for is asked of them too."""
        for die in self.config.dice:
            if die.name in names:
                with contextlib.suppress(KeyError):
                    self.sources[die.name].stop()
                self._start_die(die)
                self._armed.pop(die.name, None)
        if names:
            self._submit(self._resume)

    def _resume(self) -> None:
        """Go on with the table played last; only in the thread that owns the tables, for dice may come already."""
        latest = self.tables.latest()
        if latest is not None:
            with contextlib.suppress(StorageFailed):  # the table's next change brings it again
                self.tables.club.follow(latest)
            self._arm(latest)

    @property
    def _fallback(self) -> tuple[DiceConfig, ...]:
        """The die that stands in for those that no source has."""
        return (DiceConfig(SOFTWARE, "software"),) if self.config.fallback == "software" else ()

    def start_spool(self) -> Spool:
        """Open the printers and print what waits for them; raises SpoolStorage."""
        return self.printing.start(self.folder / "spool.db")

    def tend(self) -> None:
        """What has to be seen to every few seconds, in the thread that owns the tables."""
        self.first.tend()
        if self.printing.spool is None:
            with contextlib.suppress(SpoolStorage):
                self.start_spool()
        if self.storage.retry():
            self._keep_copy()
        news = (self.base_url(), *self.notices())
        if news != self._told:
            self._told = news
            for told in self.parts.news:
                told()

    def notices(self) -> list[str]:
        """What everybody at the table must know of the machine, in sentences."""
        return [*self._notices, *self.storage.notices(), *self.tables.shelf.notices(), *self._of_dice()]

    def _of_dice(self) -> list[str]:
        """Dice that were there and cannot be used, and what a dial or a shock on the pins says just now."""
        states = [(name, source.status()) for name, source in list(self.sources.items())]
        bad = [_named(name, status.text) for name, status in states if status.state in ("lost", "trouble")]
        since = time.monotonic() - SAID_FOR
        return [*bad, *(_named(name, text) for name, (text, at) in list(self._said.items()) if at > since)]

    def findings(self) -> list[dict[str, Any]]:
        """What the doctor says of this machine. It may take seconds: call it in a thread of its own."""
        from companion.doctor import Facts, examine

        return [msgspec.to_builtins(finding) for finding in examine(Facts(), self.config, str(self.folder))]

    def bundle(self) -> str:
        """All that a helper needs to know of this machine, scrubbed; as slow as `findings`."""
        from companion.doctor import Facts, bundle, examine

        facts, states = Facts(), [*self.dice_states(), *self.printing.states()]
        found = examine(facts, self.config, str(self.folder))
        return bundle(facts, self.config, found, states, self.parts.version)

    def _keep_copy(self, *, now: bool = False) -> None:
        """A copy of the journal once play has paused; the one that is there stays where this one is not sound."""
        heads = {stream: self.tables.journal.head(stream)[0] for stream in self.tables.journal.streams()}
        if heads != self._heads:
            self._heads, self._quiet_since = heads, time.monotonic()
        if heads == self._copied or (time.monotonic() - self._quiet_since < COPY_AFTER and not now):
            return
        self._copied = heads
        try:
            self.tables.journal.checkpoint()
            keeping.copy_journal(self.tables.journal)
        except JournalDamaged:
            self._notices.append("The journal on the card is damaged: export the table now, then restart Companion.")
        except (OSError, sqlite3.Error) as error:
            log.warning("No copy of the journal could be kept: %s", error)

    def close(self) -> None:
        """Stop everything within seconds, whatever the hardware does."""
        self.voice.stop()
        self.first.end_lesson()
        stopping = [threading.Thread(target=source.stop, daemon=True) for source in self.sources.values()]
        for thread in stopping:
            thread.start()
        self.parts.painter.shutdown(wait=False, cancel_futures=True)
        self.parts.worker.shutdown(wait=True, cancel_futures=True)  # before the queue that it may be reading just now
        if self.printing.spool is not None:
            self.printing.spool.close(STOP_PRINTERS)
        for thread in stopping:
            thread.join(STOP_DICE)
        with contextlib.suppress(StorageFailed, sqlite3.Error):
            self._keep_copy(now=True)
        self.tables.close()

    async def obey(self, command: str, args: Mapping[str, Any]) -> Any:
        """A command that came over the local socket."""
        if command == "dice.tallies":
            return await tallied(self.parts, {})
        if command == "machine.findings":
            return await asyncio.to_thread(self.findings)
        if command != "print":
            return await self.parts.run(self.do, command, args)
        document = await self.parts.run(papers.ordered, self.tables, args)
        return await self.parts.draw(papers.encoded, document, {**args, "backs": self.config.back_offset_mm})

    def do(self, command: str, args: Mapping[str, Any]) -> Any:
        """A command for the thread that owns the tables."""
        if command == "machine.states":
            return {"states": [*self.dice_states(), *self.printing.states()], "notices": self.notices()}
        if command == "print.submit":
            self.printing.paper(args["printer"], args["kind"], args["fields"])
            return {"ok": True, "text": f"It is on its way to {args['printer']}."}
        if command == "backup" and not args.get("settings"):
            args = {"settings": str(self.parts.settings or "")}
        return papers.run(self.tables, command, args)

    async def watch(self, args: Mapping[str, Any]) -> AsyncIterator[Any]:
        """What the dice say beside the game, over the local socket; first how each source is."""
        for name in chosen(list(self.sources), str(args.get("name", ""))):
            yield {"source": name, "text": self.sources[name].status().text, "raw": ""}
        async for heard in self.ears.follow(str(args.get("name", ""))):
            yield heard

    # --- dice

    def _heard(self, event: Event) -> None:
        """From a source's own thread: hand over to the thread that owns the tables."""
        self.ears.hear(event)
        self._notice(event)
        self._submit(partial(self._take, event))

    def _notice(self, event: Event) -> None:
        """A dial has no face of its own: the pages show at once what it stands on."""
        is_shown = event.kind == "moving" and event.source in self._on_pins
        before = self._said.pop(event.source, None)
        if is_shown:
            self._said[event.source] = event.text, event.at
        if (is_shown or before) and self._loop is not None and not self._loop.is_closed():
            with contextlib.suppress(RuntimeError):  # the loop is being closed
                self._loop.call_soon_threadsafe(self._renew_soon, self._loop)

    def _renew_soon(self, loop: asyncio.AbstractEventLoop) -> None:
        """Once for all that comes within a moment."""
        if not self._renewing:
            self._renewing = True
            loop.call_later(RENEW_AFTER, self._submit, self._renew)

    def _renew(self) -> None:
        self._renewing = False
        for told in self.parts.news:
            told()

    @property
    def _on_pins(self) -> list[str]:
        return [die.name for die in self.config.dice if die.kind == "gpio"]

    def _submit(self, do: Callable[[], object]) -> None:
        """What comes by itself is never lost to a full card: it waits until it can be written."""
        if self._loop is not None and not self._loop.is_closed():
            with contextlib.suppress(RuntimeError):  # the daemon is being stopped
                self.parts.worker.submit(self.storage.guard, do)

    def _take(self, event: Event) -> None:
        table = self._table_for(event.source)
        if table is not None and event.kind == "throw":
            self._intake(table).arrive("software" if event.drawn else event.source, event.faces, at=event.at)
        elif table is not None and event.kind == "cocked":
            table.aside(event.source, f"{event.text} Throw it again.")
        if event.kind == "throw" and event.number is not None:
            self.sources[event.source].acknowledge(event.number)  # it is on the disk now

    def _table_for(self, source: str) -> Table | None:
        bound = next((d.table for d in self.config.dice if d.name == source and d.table), "")
        if bound:
            found = map(self.tables.summary, self.tables.listed())
            return next((self.tables.get(t.key) for t in found if bound in (t.key, t.name)), None)
        return self.tables.get(self._active) if self._active else self.tables.latest()

    def _intake(self, table: Table) -> Intake:
        intake = self._intakes.pop(table.key, None) or Intake(table, self._later, hold=self.config.hold)
        self._intakes[table.key] = intake
        while len(self._intakes) > KEPT:  # an intake holds its table, and idle tables shall go
            del self._intakes[next(iter(self._intakes))]
        return intake

    def _later(self, seconds: float, do: Callable[[], None]) -> None:
        assert self._loop is not None
        loop = self._loop
        loop.call_soon_threadsafe(lambda: loop.call_later(seconds, self._submit, do))

    def _arm(self, table: Table) -> None:
        """Tell the sources which dice are asked for; the table played last has the free ones."""
        with self._mutex:
            self._active = table.key
            self._intake(table)
            ask = next((a for a in table.asks if a.dice is not None), None)
            dice = ask.dice.slots if ask and ask.dice else ()
            slots = [slot for slot in dice if ask and slot.name in ask.open_slots]
            since = table.asked_at if slots else 0.0
            mine = [die for die in self.config.dice if die.table in ("", table.key, table.name)]
            for die in mine:
                self._hush(die.name, table.settings.get("sound") == "silent")
                self._arm_source(die.name, slots, since)
            for die in self._fallback:
                self._arm_source(die.name, [slot for slot in slots if not self._has(mine, slot)], since)

    def _hush(self, name: str, silent: bool) -> None:
        """A source with a buzzer keeps still where its table wants it so."""
        source: Any = self.sources.get(name)
        if hasattr(source, "silent"):
            source.silent = silent

    def _has(self, dice: Sequence[DiceConfig], slot: Slot) -> bool:
        """Whether one of these sources has such a die and is not off."""
        sides = len(slot.die.faces)
        return any(
            sources.serves(d, slot.die.kind, sides) for d in dice if self.sources[d.name].status().state != "off"
        )

    def _arm_source(self, name: str, slots: Sequence[Slot], since: float) -> None:
        """Once for each ask, even where the next one wants the same dice: the lamp is out and the count has gone on."""
        asked = tuple((slot.name, sources.drawable(slot.die.kind, len(slot.die.faces))) for slot in slots)
        if name not in self.sources or self._armed.get(name, ((), 0.0)) == (asked, since):
            return
        self._armed[name] = asked, since
        try:
            self.sources[name].arm(asked)
        except Exception:
            log.exception("%s could not be asked for dice", name)

    def dice_states(self, table: str = "") -> Sequence[Mapping[str, Any]]:
        """Each source's state in words; one that is off says why and what to do."""
        shown = [d for d in (*self.config.dice, *self._fallback) if not table or d.table in ("", table)]
        return [{"name": d.name, **asdict(self.sources[d.name].status())} for d in shown if d.name in self.sources]


def _named(name: str, text: str) -> str:
    return text if name in text else f"{name}: {text}"


def _with_touched(config: Config, folder: Path) -> tuple[Config, list[str]]:
    """The settings with what was touched in; what is wrong with that is said, and left out."""
    try:
        return touched.applied(config, touched.read(folder)), []
    except ConfigError as error:
        return config, [str(error)]


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


__all__ = ["Machine", "print_now", "source_from"]
