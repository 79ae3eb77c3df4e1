"""An evening in minutes: dice at four a second, slips, twenty phones, and everything that fails at random.

A player acts over HTTP, a tower throws over a pty, a printer prints over TCP, phones follow and leave. Tower and
printer fail and come back, the daemon is killed. At the end the books are compared.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import threading
import time
from collections import Counter, deque
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.game.proof import verify
from companion.game.table import HOST, Table
from companion.game.tables import Tables
from companion.game.views import view
from drivers.dice.virtual import VirtualTower
from drivers.printers.offer import TcpOffer
from drivers.printers.paper import Slip
from drivers.printers.virtual import Faults, VirtualPrinter
from tests.e2e.daemon import Daemon, until
from tests.soak_ci import paper

PHONES = 20
THROW_EVERY = 0.25
BURSTS_A_TABLE = 25
SETTLED_AFTER = 120.0
"""Seconds of a process's life after which its memory must stay where it is."""

Roll = tuple[str, int, str, tuple[str, ...]]
"""Table, act, where it was asked, faces."""

TOWER = ("drop", "half", "noise", "wrong-crc", "double", "flood", "unplug", "power")
SWITCHES: dict[str, dict[str, object]] = {
    "paper": {"paper": "out"}, "cover": {"cover_open": True}, "off": {"off": True}, "silent": {"silent": True},
    "slow": {"slow": 960},
}  # fmt: skip
PRINTER = (*SWITCHES, "reset")


@dataclass
class Books:
    """What was seen from outside."""

    rolls: set[Roll] = field(default_factory=set)
    dice: set[tuple[str, int, str, str, str]] = field(default_factory=set)
    """Table, act, address, die and face of every die that a page showed while its throw was open."""
    results: set[tuple[str, int]] = field(default_factory=set)
    acts: int = 0
    throws: int = 0
    kills: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    streams: int = 0
    memory: list[tuple[float, int]] = field(default_factory=list)
    """Seconds of the last process's life, and its resident kilobytes."""
    descriptors: list[int] = field(default_factory=list)
    """With every phone gone: of the process that went through it, and of a fresh one."""


class Papers(deque[Slip]):
    """Every slip that was ever cut, by its text."""

    def __init__(self) -> None:
        super().__init__(maxlen=200)
        self.texts: list[str] = []

    def append(self, slip: Slip) -> None:
        self.texts.append(slip.text)
        super().append(slip)


class Soak:
    """One run in `folder`; `kills_until` is the share of the time after which nobody is killed any more.

    With `kills` it lasts until that many have struck, each within seconds of a start.
    """

    def __init__(self, folder: Path, seconds: float, seed: int, kills_until: float = 0.5, kills: int = 0) -> None:
        self.rng, self.seconds = random.Random(seed), seconds
        self.kills_until, self.kills = kills_until * seconds, kills
        self.tower = VirtualTower(folder / "usb-Companion_Tower")
        self.printer = VirtualPrinter(58)
        self.papers = self.printer.paper.slips = Papers()
        self.offer = TcpOffer(self.printer)
        self.daemon = Daemon(folder, self._settings())
        text = self.daemon.config.read_text()
        self.daemon.config.write_text(text.replace("hold = 0.2", "hold = 0"))
        self.books = Books()
        self.table = ""
        self.named = 0
        self.lived: dict[str, dict[str, Any]] = {}
        """The host's view of every table in the process that was there to the end."""
        self.over = threading.Event()
        self.calm = threading.Event()
        self.troubles: list[str] = []
        self.slips: dict[tuple[str, str], str] = {}
        """What the spool says of each slip, by table and number as they stand on it."""
        self._daemon_lock = threading.Lock()
        self._born = 0.0

    def _settings(self) -> str:
        dice = f'[[dice]]\nname = "oak"\nport = "{self.tower._link}"\nformat = "cd1"\n'
        return f'{dice}[[printers]]\nname = "till"\naddress = "{self.offer.description}"\ncutter = "partial"\n'

    # --- the run

    def run(self) -> Books:
        """Play, then heal everything and compare; raises AssertionError with what does not agree."""
        self.tower.start()
        self._start()
        works = (self._play, self._throw, self._fail, self._weigh, self._phones)
        threads = [threading.Thread(target=self._guarded, args=(work,), name=work.__name__) for work in works]
        try:
            for thread in threads:
                thread.start()
            self._kill_often() if self.kills else self._kill_at_random()
            self.calm.set()
            self.over.set()
            for thread in threads:
                thread.join(30)
                assert not thread.is_alive(), f"{thread.name} does not end"
            self._heal()
            self._compare()
        finally:
            self.over.set()
            if self.daemon.process is not None and self.daemon.process.poll() is None:
                self.daemon.stop()
            self.tower.stop()
            self.offer.close()
        return self.books

    def _guarded(self, work: Any) -> None:
        try:
            work()
        except BaseException as error:
            self.troubles.append(f"{work.__name__}: {error!r}")
            raise

    def _start(self) -> None:
        self.daemon.start()
        self._born = time.monotonic()
        self.books.memory.clear()
        self.books.descriptors[:] = []

    def _kill_at_random(self) -> None:
        began = time.monotonic()
        next_kill = began + self.rng.uniform(4, 10)
        while (now := time.monotonic()) < began + self.seconds:
            if next_kill < now < began + self.kills_until:
                with self._daemon_lock:
                    self._kill()
                next_kill = time.monotonic() + self.rng.uniform(4, 0.1 * self.seconds + 5)
            self.over.wait(0.1)

    def _kill_often(self) -> None:
        for _ in range(self.kills):
            self.over.wait(self.rng.uniform(0.05, 3.0))
            with self._daemon_lock:
                self._look_at_a_copy()
                self._kill()

    def _kill(self) -> None:
        """Pull the plug, look at what lies on the card, and start again."""
        self.daemon.kill()
        self.books.kills += 1
        for name in ("companion.db", "spool.db"):
            with closing(sqlite3.connect(self.daemon.folder / "data" / name)) as base:
                assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",), name
        self._start()

    def _look_at_a_copy(self) -> None:
        """The files as a power cut at this moment would leave them are a sound journal."""
        assert self.daemon.process is not None
        copy = self.daemon.folder / "copy"
        copy.mkdir()
        self.daemon.process.send_signal(signal.SIGSTOP)
        try:
            for file in (self.daemon.folder / "data").glob("companion.db*"):
                shutil.copyfile(file, copy / file.name)
        finally:
            self.daemon.process.send_signal(signal.SIGCONT)
        tables = Tables(copy)
        try:
            assert tables.journal.notices == []
            latest = tables.latest()
            assert latest is None or verify(latest) == []
        finally:
            tables.close()
            shutil.rmtree(copy)

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        """The answer, or None while the daemon is down or says no."""
        try:
            status, answer = self.daemon.ask(method, path, body)
        except OSError:
            return None
        except (ValueError, EOFError, ConnectionError):
            return None
        except Exception as error:  # a line that was cut in the middle of an answer
            if type(error).__module__ != "http.client":
                raise
            return None
        assert status < 500 or status == 503, f"{method} {path}: {status} {answer}"
        return answer if status < 400 else None

    # --- the player

    def _play(self) -> None:
        bursts = BURSTS_A_TABLE
        while not self.over.is_set():
            if bursts >= BURSTS_A_TABLE:
                self.named += 1
                made = self._ask("POST", "/api/tables", {"game": "aod", "name": f"T{self.named:04d}"})
                if made is None:
                    self.over.wait(0.1)
                    continue
                self.table, bursts = made["table"], 0
            view = self._ask("GET", f"/api/tables/{self.table}")
            if view is None:
                self.over.wait(0.1)
                continue
            self._note(view)
            if view["open"]:
                self._answer(view["open"]["asks"][0])
            elif view["log"] and not view["last"]["undone"]:
                self.over.wait(self.rng.uniform(0.1, 2.5))  # some slips come out before they are taken back
                self._ask("POST", f"/api/tables/{self.table}/undo", {"fresh": True})
                bursts += 1
            elif self._ask("POST", f"/api/tables/{self.table}/acts", {"act": "fire:3:11"}):
                self.books.acts += 1
            self.over.wait(0.05)

    def _answer(self, ask: dict[str, Any]) -> None:
        if ask["dice"]:
            return  # the tower throws
        space = ask["space"] or {}
        keys = [option["key"] for option in space.get("options", ()) if not option["barred"]]
        given = {"choices": keys[:1]} if space.get("form") == "some" else {"value": keys[0] if keys else "1"}
        if self._ask("POST", f"/api/tables/{self.table}/asks/{ask['address']}", given) is None:
            self._ask("POST", f"/api/tables/{self.table}/asks/{ask['address']}", {"fact": "yes"})

    def _note(self, view: dict[str, Any]) -> None:
        """Every die, every throw and every result that a page shows."""
        last, act, table = view["last"], view["open"], view["table"]
        if last:
            self.books.results.add((table, last["slip"]))
            self.books.rolls |= {(table, last["number"], *roll) for roll in thrown(last["lines"])}
        if act:
            self.books.rolls |= {(table, act["number"], *roll) for roll in thrown(act["lines"])}
            self.books.dice |= {
                (table, act["number"], ask["address"], die["slot"], die["face"])
                for ask in act["asks"]
                for die in ask["dice"]
                if die["face"]
            }

    # --- the tower and what fails

    def _throw(self) -> None:
        due = time.monotonic()
        while not self.over.is_set():
            if self.tower._thread is not None:
                dice = self.rng.choice(("w", "r", "w", "r", "wr"))  # a pair comes one by one, or at once
                self.tower.throw({die: self.rng.randint(1, 6) for die in dice})
                self.books.throws += 1
            due = max(due + THROW_EVERY, time.monotonic())
            self.over.wait(due - time.monotonic())

    def _fail(self) -> None:
        while not self.over.wait(self.rng.uniform(1.0, 4.0)):
            fault = self.rng.choice(TOWER + PRINTER)
            self.books.faults[fault] += 1
            self._have(fault, self.rng.uniform(0.3, 3.0))

    def _have(self, fault: str, seconds: float) -> None:
        if fault == "unplug":
            self.tower.unplug()
            self.over.wait(seconds)
            self.tower.replug()
        elif fault == "power":
            self.tower.reset()
        elif fault == "reset":
            self.printer.set(reset_at=self.printer.received + self.rng.randint(1, 1500))
        elif fault in SWITCHES:
            self.printer.set(**SWITCHES[fault])
            self.over.wait(seconds)
            self._mend_printer()
        else:
            self.tower.switch(fault)
            self.over.wait(seconds)
            self.tower.switch()

    def _mend_printer(self) -> None:
        healthy = Faults()
        self.printer.set(**{name: getattr(healthy, name) for name in healthy.__dataclass_fields__})

    # --- the phones

    def _phones(self) -> None:
        async def all_of_them() -> None:
            await asyncio.gather(*(self._phone(random.Random(n)) for n in range(PHONES)))

        asyncio.run(all_of_them())

    async def _phone(self, rng: random.Random) -> None:
        """Comes, follows for a while, reads the table at each change, and goes without a word."""
        while not self.over.is_set():
            await asyncio.sleep(rng.uniform(0.1, 2.0))
            if self.table and not self.over.is_set():
                try:
                    await asyncio.wait_for(self._follow(self.table), rng.uniform(1.0, 8.0))
                except (OSError, TimeoutError, asyncio.IncompleteReadError, ValueError):
                    continue

    async def _follow(self, table: str) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.daemon.port)
        try:
            writer.write(f"GET /api/tables/{table}/events HTTP/1.1\r\nHost: phone.localhost\r\n\r\n".encode())
            await reader.readuntil(b"\r\n\r\n")
            self.books.streams += 1
            seen = -1
            while not self.over.is_set():
                line = await reader.readline()
                if not line:
                    return
                told = json.loads(line[6:]) if line.startswith(b"data: {") else {}
                if told.get("version", seen) != seen:
                    seen = told["version"]
                    view = await self._read(table)
                    if view:
                        self._note(view)
        finally:
            writer.close()

    async def _read(self, table: str) -> dict[str, Any]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.daemon.port)
        try:
            writer.write(
                f"GET /api/tables/{table} HTTP/1.1\r\nHost: phone.localhost\r\nConnection: close\r\n\r\n".encode()
            )
            head = await reader.readuntil(b"\r\n\r\n")
            body = await reader.read(-1)
            found: dict[str, Any] = json.loads(body) if b" 200 " in head.split(b"\r\n")[0] else {}
            return found
        finally:
            writer.close()

    # --- what the process costs

    def _weigh(self) -> None:
        while not self.over.wait(1.0):
            with self._daemon_lock:
                process = self.daemon.process
                if process is None or process.poll() is not None:
                    continue
                age = time.monotonic() - self._born
                self.books.memory.append((age, resident(process.pid)))

    # --- the end

    def _heal(self) -> None:
        self.tower.switch()
        self._mend_printer()
        assert self.troubles == []
        until(lambda: self._printers_done(), 120, "every slip to be printed or held")
        old = self._fewest_descriptors(6.0)
        memory = list(self.books.memory)
        self.lived = self._views()
        assert self.daemon.stop() == 0
        self._start()
        until(lambda: self._printers_done(), 60, "the fresh daemon")
        self.books.memory = memory
        self.books.descriptors = [old, self._fewest_descriptors(2.0)]
        assert old <= self.books.descriptors[1], f"descriptors leak: {self.books.descriptors}"

    def _printers_done(self) -> bool:
        states = self._ask("GET", "/api/printers")
        return bool(states) and all(s["queued"] == 0 and s["job"] is None for s in states)

    def _fewest_descriptors(self, seconds: float) -> int:
        """The printer is looked at now and then, and a beat finds out who has gone: the least of a while counts."""
        assert self.daemon.process is not None
        counts = []
        for _ in range(int(10 * seconds)):
            counts.append(len(os.listdir(f"/proc/{self.daemon.process.pid}/fd")))
            time.sleep(0.1)
        return min(counts)

    def _views(self) -> dict[str, dict[str, Any]]:
        return {row["table"]: self.daemon.view(row["table"]) for row in self.daemon.ask("GET", "/api/tables")[1]}

    def _compare(self) -> None:
        assert self._views() == self.lived, "a fresh process shows something else"
        assert self.daemon.stop() == 0
        folder = self.daemon.folder / "data"
        tables = Tables(folder)
        try:
            assert tables.journal.notices == []
            assert set(tables.listed()) == set(self.lived)
            found = {key: tables.get(key) for key in tables.listed()}
            for table in found.values():
                assert verify(table) == [], f"table {table.key} does not come out again"
                self._compare_state(table)
            self._compare_rolls(found)
            self._compare_results({(key, r.slip) for key, t in found.items() for r in t.records if r.slip})
            self._compare_jobs(folder / "spool.db", found)
            self._compare_paper(found)
        finally:
            tables.close()

    def _compare_state(self, table: Table) -> None:
        """What the process that lived through it all showed is what the journal gives when it is read anew."""
        replayed = Table(table.journal, table.key)
        assert replayed.state == table.state
        assert json.loads(json.dumps(view(replayed, HOST))) == self.lived[table.key]

    def _compare_rolls(self, tables: dict[str, Table]) -> None:
        """Every die and every throw that any page has shown is in the journal, for the same act, as it was shown."""
        dice: set[Any] = set()
        faces: dict[tuple[str, int, str], Counter[str]] = {}
        for key, table in tables.items():
            for entry in table.journal.entries(key):
                if entry.kind == "answered" and "faces" in entry.body:
                    number, address = entry.body["number"], entry.body["address"]
                    dice |= {(key, number, address, slot, face) for slot, face in entry.body["faces"].items()}
                    throw = address.partition("~")[0]  # a line stands for the throw and what was thrown again
                    faces.setdefault((key, number, throw), Counter()).update(entry.body["faces"].values())
        assert self.books.dice - dice == set()
        strange = [roll for roll in self.books.rolls if Counter(roll[3]) - faces.get(roll[:3], Counter())]
        assert strange == [], strange

    def _compare_results(self, there: set[tuple[str, int]]) -> None:
        assert self.books.results - there == set()

    def _compare_jobs(self, file: Path, tables: dict[str, Table]) -> None:
        """Printed and listed make up the results, and what was taken back is dropped or followed by a VOID."""
        with sqlite3.connect(file) as base:
            rows = base.execute("SELECT key, kind, state FROM jobs WHERE kind IN ('slip', 'void')").fetchall()
        jobs = {(kind, key.split(":")[1], int(key.split(":")[2])): state for key, kind, state in rows}
        records = {(t.key, r.number): r for t in tables.values() for r in t.records if r.slip}
        slips = {(table, number): state for (kind, table, number), state in jobs.items() if kind == "slip"}
        assert set(records) - set(slips) == set(), "results without a slip"
        assert set(slips) - set(records) == set(), "slips without a result"
        assert set(jobs.values()) <= {"printed", "held", "void"}, Counter(jobs.values())
        loose = [n for n, r in records.items() if r.undone and slips[n] != "void" and ("void", *n) not in jobs]
        assert loose == [], "taken back, and its paper is not"
        names = {(tables[key].name, f"{records[key, number].slip:04d}"): s for (key, number), s in slips.items()}
        self.slips = names

    def _compare_paper(self, tables: dict[str, Table]) -> None:
        """What counts as printed is on paper, once without a mark, each line of it as it is in the journal."""
        records = {(t.name, f"{r.slip:04d}"): (t, r.number) for t in tables.values() for r in t.records if r.slip}
        out = paper.pieces(self.papers.texts, next(iter(tables.values())).game.title.upper())
        whole = Counter(piece.number for piece in out if piece.whole and piece.plain)
        assert [number for number, times in whole.items() if times > 1] == [], "a slip came out twice without a mark"
        there = {piece.number for piece in out if piece.number}
        assert there - set(records) == set(), "papers without a result"
        printed = {number for number, state in self.slips.items() if state == "printed"}
        assert printed - {piece.number for piece in out if piece.whole} == set(), "said to be printed"
        for piece in out:
            if piece.number:
                table, number = records[piece.number]
                lines = paper.expected(table, number, f"{self.daemon.spectator}/e/{table.key}")
                assert paper.differs(piece, lines) == "", piece


def thrown(lines: list[dict[str, Any]]) -> list[tuple[str, tuple[str, ...]]]:
    """Where it was asked, and the faces, line by line."""
    return [(line["address"], tuple(line["faces"])) for line in lines if line["faces"]]


def resident(pid: int) -> int:
    """Kilobytes."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) if found else 0


def growth(memory: list[tuple[float, int]]) -> float | None:
    """By how much the last half minute is above that after `SETTLED_AFTER`; None where it did not live so long."""
    settled = [kb for age, kb in memory if SETTLED_AFTER <= age < SETTLED_AFTER + 30]
    if not settled or memory[-1][0] < SETTLED_AFTER + 90:
        return None
    last = [kb for age, kb in memory if age > memory[-1][0] - 30]
    return (sum(last) / len(last)) / (sum(settled) / len(settled)) - 1
