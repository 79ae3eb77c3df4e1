"""The spool: print jobs that survive anything, and one worker a printer."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from companion.spool.jobs import Answer, Job, PrinterState, Renderer, SpoolError
from companion.spool.store import Connect, Store, connector
from companion.spool.worker import Pace, Worker
from drivers.printers import Printer

_LONGEST = 200
_LARGEST = 4_000_000


class Spool:
    """Takes jobs for named printers. Nothing here waits for a printer; only `close` waits, for seconds.

    `base` is the file with the table `jobs`, or a function that opens a connection to it.
    """

    def __init__(
        self,
        base: Path | Connect,
        printers: Iterable[Printer],
        render: Renderer,
        *,
        pace: Pace | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._now = now
        self._store = Store(connector(base) if isinstance(base, Path) else base, now)
        self._render, self._pace = render, pace or Pace()
        self._workers = {printer.name: self._worker_for(printer) for printer in printers}

    def start(self) -> None:
        """Ask about what was under way when the power went, then work."""
        self._store.recover()
        for worker in self._workers.values():
            worker.start()

    def add(self, printer: Printer) -> None:
        """Another printer from now on; what waits for one of its name is printed."""
        worker = self._workers[printer.name] = self._worker_for(printer)
        worker.start()

    def _worker_for(self, printer: Printer) -> Worker:
        return Worker(printer, self._store, self._render, self._pace)

    def close(self, deadline_s: float = 8.0) -> bool:
        """Stop all workers, whatever their printers do; a slip cut off by it is asked about next time."""
        end = time.monotonic() + deadline_s
        for worker in self._workers.values():
            worker.stop()
        stopped = [worker.join(end) for worker in self._workers.values()]
        if all(stopped):
            self._store.close()
        return all(stopped)

    # jobs

    def submit(
        self,
        printer: str,
        kind: str,
        title: str,
        source: bytes,
        *,
        key: str,
        copy_of: int | None = None,
        now: float | None = None,
        synced: bool = True,
    ) -> int:
        """Queue a job and return its number; it is on the disk. The same `key` again is the same job.

        A job that its caller can queue again after a power cut need not be `synced`: the next change of any job, at
        the latest the claim before it is sent, takes it along to the disk.
        """
        worker = self._worker(printer)
        if not key or len(key) > _LONGEST or len(source) > _LARGEST:
            raise SpoolError(f"A job needs a key of 1 to {_LONGEST} letters and at most {_LARGEST} bytes.")
        number = self._store.add(
            key,
            printer,
            _clean(kind),
            _clean(title),
            source,
            self._now() if now is None else now,
            copy_of,
            "COPY" if copy_of is not None else "",
            synced=synced,
        )
        worker.ring()
        return number

    def jobs(self, printer: str | None = None, limit: int = 100) -> list[Job]:
        """The latest jobs, newest first."""
        return [self._live(job) for job in self._store.jobs(limit, printer)]

    def job(self, number: int) -> Job:
        return self._live(self._store.job(number))

    def latest(self, series: str) -> Job | None:
        """The newest job whose key begins so, whatever became of it."""
        return self._store.latest(series)

    def retry(self, number: int, key: str = "") -> int:
        """Print again: a failed job as it is, a printed, held or void one as a marked copy.

        Returns the number of the job that will print; `key` makes a double tap one copy.
        """
        job = self._store.job(number)
        if job.state in ("queued", "sending"):
            self._ring(job)
            return number
        if job.state == "failed":
            self._store.move(number, ("failed",), "queued", note="")
            self._ring(job)
            return number
        if job.state == "void":
            raise SpoolError(f"{job.title} is void and is not printed again.")
        if job.state == "held":
            return self.answer(number, "again", key)
        return self._copy(job, key)

    def answer(self, number: int, printed: Answer, key: str = "") -> int:
        """The operator's answer to a held job's question. "no" prints it again in its place, marked REPRINT;
        "again" takes it as printed and prints a COPY. Returns the number of the job that prints, if any.
        """
        job = self._store.job(number)
        if job.state != "held":
            raise SpoolError(f"{job.title} is {job.state}: nothing is asked about it.")
        if printed == "no":
            self._store.move(number, ("held",), "queued", note="", mark="REPRINT", cuts=0)
            self._ring(job)
            return number
        number_of_copy = self._copy(job, key) if printed == "again" else number
        self._store.move(number, ("held",), "printed", note="so said the operator")
        return number_of_copy

    def void(self, number: int, why: str = "void") -> bool:
        """See that a job does not print; False where it has printed already."""
        job = self._store.job(number)
        if self._store.move(number, ("queued", "held", "failed"), "void", note=_clean(why)):
            return True
        if self._store.job(number).state == "sending" and job.printer in self._workers:
            self._workers[job.printer].interrupt(number)
            return True
        return self._store.job(number).state == "void"

    def cancel(self, number: int) -> bool:
        """The operator's stop: as `void`, also in the middle of a slip."""
        return self.void(number, "cancelled")

    def _copy(self, job: Job, key: str) -> int:
        if job.source is None:
            raise SpoolError(f"{job.title} is too old to be printed again.")
        return self.submit(
            job.printer,
            job.kind,
            job.title,
            job.source,
            key=key or f"copy {uuid.uuid4()}",
            copy_of=job.copy_of or job.id,
            now=job.submitted,
        )

    # printers

    @property
    def printers(self) -> list[str]:
        return list(self._workers)

    def status(self, printer: str) -> PrinterState:
        """What is known of a printer now; it is not asked for it."""
        return msgspec.structs.replace(
            self._worker(printer).state(),
            queued=self._store.count(printer, "queued"),
            held=self._store.count(printer, "held"),
        )

    def wake(self, printer: str) -> None:
        """Try a printer again now instead of after its pause."""
        self._worker(printer).ring()

    @property
    def ticks(self) -> dict[str, int]:
        """A count for each printer that grows while its worker lives; the watchdog's proof."""
        return {name: worker.tick for name, worker in self._workers.items()}

    @property
    def tick(self) -> int:
        """Grows while every worker lives; the watchdog's proof."""
        return min((worker.tick for worker in self._workers.values()), default=int(time.monotonic()))

    def _worker(self, printer: str) -> Worker:
        try:
            return self._workers[printer]
        except KeyError:
            known = ", ".join(self._workers) or "none"
            raise SpoolError(f"There is no printer {printer!r}; the printers are: {known}.") from None

    def _ring(self, job: Job) -> None:
        if job.printer in self._workers:
            self._workers[job.printer].ring()

    def _live(self, job: Job) -> Job:
        worker = self._workers.get(job.printer)
        return worker.live(job) if worker else job


def _clean(words: str) -> str:
    """Short, and on one line: a title can neither command a printer nor start a line in the log."""
    return "".join(c if c.isprintable() else "·" for c in words)[:_LONGEST]
