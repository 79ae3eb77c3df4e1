"""One thread a printer: takes the oldest waiting job, sends it, and finds out what became of it."""

from __future__ import annotations

import logging
import threading
import time

import msgspec

from companion.spool.jobs import Job, PrinterState, Renderer, Rendering, SpoolStorage
from companion.spool.store import Store
from drivers.printers import (
    CoverOpen,
    PaperOut,
    Printer,
    PrinterCancelled,
    PrinterError,
    PrinterOff,
    PrinterStalled,
    Status,
    deadline_for,
)

log = logging.getLogger("companion.spool")

_STUCK_S = 10.0
_MOST_OWED = 65_536


class Pace(msgspec.Struct, frozen=True):
    """How long the workers wait, in seconds."""

    first_pause: float = 1.0  # before a printer that is off is tried again; it doubles each time
    longest_pause: float = 30.0
    paper: float = 2.0  # between looks for new paper
    idle_look: float = 15.0  # between looks at an idle printer
    status: float = 3.0  # for one status
    silence: float = 20.0  # for a printer that has talked to talk again after a slip, beside the slip's own time
    settle: float = 1.0  # for what still prints from the printer's buffer


class Worker:
    """The queue of one printer. Everything public may be called from any thread and never waits."""

    def __init__(self, printer: Printer, store: Store, render: Renderer, pace: Pace) -> None:
        self.printer, self.tick = printer, 0
        self._store, self._render, self._pace = store, render, pace
        self._stopping = False
        self._bell = threading.Condition()
        self._rung = False
        self._thread = threading.Thread(target=self._run, name=f"spool {printer.name}", daemon=True)
        self._seen: Status | None = None
        self._silent = False
        self._trouble = ""
        self._pause = 0.0
        self._owed = 0
        self._drawn: tuple[int, str, Rendering] | None = None
        self._job: Job | None = None
        self._unwanted = 0
        self._sent, self._moved_at = 0, 0.0

    # from other threads

    def start(self) -> None:
        self._thread.start()

    def ring(self) -> None:
        """There is something to do, or to try again at once."""
        with self._bell:
            self._rung = True
            self._bell.notify_all()

    def interrupt(self, number: int) -> None:
        """Stop sending that job, if it is the one."""
        self._unwanted = number
        if self._job is not None and self._job.id == number:
            self.printer.cancel()

    def stop(self) -> None:
        self._stopping = True
        self.ring()

    def join(self, end: float) -> bool:
        """Wait for the thread until `end`, stopping whatever the printer keeps it waiting for."""
        while self._thread.is_alive() and time.monotonic() < end:
            self.printer.cancel()
            self.ring()
            self._thread.join(0.2)
        return not self._thread.is_alive()

    def state(self) -> PrinterState:
        job, seen = self._job, self._seen
        stuck = job is not None and time.monotonic() - self._moved_at > _STUCK_S
        return PrinterState(
            name=self.printer.name,
            text=self._words(job, stuck),
            online=seen.online if seen else None,
            paper=seen.paper if seen else "unknown",
            cover_open=seen.cover_open if seen else None,
            job=job.id if job else None,
            sent=self._sent if job else 0,
            size=job.size if job else 0,
            stuck=stuck,
        )

    def live(self, job: Job) -> Job:
        """The same job with its progress, which is not on the disk."""
        mine = self._job
        return msgspec.structs.replace(job, sent=self._sent) if mine and mine.id == job.id else job

    def _words(self, job: Job | None, stuck: bool) -> str:
        if job and stuck:
            return f"stuck: the printer takes no data; look at it or cancel {job.title}"
        if job:
            return f"printing {job.title}, {100 * self._sent // max(1, job.size)} %"
        return self._trouble or (self._seen.text if self._seen else "not yet tried")

    # the thread

    def _run(self) -> None:
        self._remember()
        looked = float("-inf")  # a first look at once, however long the machine has been on
        while not self._stopping:
            self.tick += 1
            try:
                job = self._store.next(self.printer.name)
                if job is not None:
                    self._serve(job)
                elif time.monotonic() - looked > self._pace.idle_look:
                    self._look()
                    looked = time.monotonic()
                else:
                    self._rest(1.0)
            except SpoolStorage as error:
                self._say(str(error))
                self._rest(2.0)
            except Exception as error:
                self._stumble(error)
                self._rest(2.0)

    def _remember(self) -> None:
        """The power may have gone in the middle of a picture: the printer still takes what comes for its rest."""
        try:
            self._owed = min(_MOST_OWED, self._store.owed(self.printer.name))
        except SpoolStorage as error:
            self._say(str(error))

    def _rest(self, seconds: float) -> None:
        """Wait, but not past a ring, and tick meanwhile."""
        end = time.monotonic() + seconds
        with self._bell:
            while not self._rung and not self._stopping and (left := end - time.monotonic()) > 0:
                self._bell.wait(min(1.0, left))
                self.tick += 1
            self._rung = False

    def _hush(self) -> None:
        """The ring that began this slip must not cut short the look at how it came out."""
        with self._bell:
            self._rung = False

    def _stumble(self, error: Exception) -> None:
        """A mistake in a driver must not end the queue, nor fill the log."""
        words = f"{self.printer.name}: the print worker stumbled ({error!r}); it goes on"
        if words != self._trouble:
            log.error("%s", words, exc_info=error)
        self._trouble = words

    def _say(self, trouble: str) -> None:
        if trouble and trouble != self._trouble:
            log.warning("%s", trouble)
        self._trouble = trouble

    def _look(self) -> None:
        """Refresh what is known of an idle printer."""
        try:
            self.printer.open()
            self._ask()
            self._say("")
        except PrinterError as error:
            self._seen = None
            self._say(str(error))
        finally:
            self.printer.close()

    def _ask(self) -> Status:
        """A printer that has never answered is not waited for as long again."""
        self._seen = self.printer.status(0.6 if self._silent else self._pace.status)
        self._silent = not self._seen.answered and self._job is None
        return self._seen

    # one job

    def _serve(self, job: Job) -> None:
        drawing = self._draw(job)
        if drawing is None:
            return
        try:
            self.printer.open()
            self._end_picture()
            before = self._ask()
            before.demand_ready()
        except (PaperOut, CoverOpen) as error:
            self._wait(job, str(error), self._pace.paper)
        except PrinterCancelled:
            pass  # stopped before anything was sent: the loop looks at the job again
        except PrinterError as error:
            self._seen = None
            self._wait(job, str(error), self._longer())
        else:
            self._send(job, drawing, before)
        finally:
            self.printer.close()
            self._job = None

    def _draw(self, job: Job) -> Rendering | None:
        banner = job.banner
        if self._drawn and self._drawn[:2] == (job.id, banner):
            return self._drawn[2]
        try:
            drawing = self._render(job, banner)
        except Exception as error:
            log.exception("%s cannot be drawn", job.title)
            self._store.move(job.id, ("queued",), "failed", note=f"Cannot be drawn: {error}")
            return None
        self._drawn = (job.id, banner, drawing)
        return drawing

    def _end_picture(self) -> None:
        """Feed empty bytes for the rest of a slip that was cut off, so that a picture begun in it ends."""
        if self._owed:
            self._write(bytes(self._owed))
            self._owed = 0

    def _write(self, data: bytes) -> None:
        self.printer.write(data, deadline_for(len(data), self.printer.bytes_per_second), self._progress)

    def _wait(self, job: Job, why: str, seconds: float) -> None:
        self._say(why)
        note = f"waiting: {why[0].lower()}{why[1:]}"
        if job.note != note:
            self._store.move(job.id, ("queued",), "queued", note=note)
        self._store.all_wait(self.printer.name)
        self.printer.close()
        self._rest(seconds)

    def _longer(self) -> float:
        self._pause = min(self._pace.longest_pause, 2 * self._pause or self._pace.first_pause)
        return self._pause

    def _send(self, job: Job, drawing: Rendering, before: Status) -> None:
        size = len(drawing.data)
        self._sent, self._moved_at = 0, time.monotonic()
        job = msgspec.structs.replace(job, size=size)
        claim = {"note": "", "sent": 0, "size": size, "remarks": drawing.remarks}
        self._job = job  # before the claim, so that a cancel finds it
        if not self._store.move(job.id, ("queued",), "sending", **claim):
            return  # voided meanwhile
        self._pause = 0.0
        self._say("")
        try:
            self._write(drawing.data)
            self._sent = size
            self._hush()
            doubt = self._doubt(before)
        except PrinterError as error:
            self._cut_off(job, error)
        except Exception:
            self._hold(job, self._sent, "Companion stumbled while sending this.")
            raise
        else:
            self._done(job, before, doubt)

    def _progress(self, sent: int) -> None:
        self.tick += 1
        if sent != self._sent:
            self._sent, self._moved_at = sent, time.monotonic()

    def _doubt(self, before: Status) -> str:
        """Why a slip that was handed over may not have come out; empty where nothing speaks against it."""
        try:
            after = self._ask_patiently(before)
        except PrinterCancelled:
            return "Stopped just after it was sent."
        except PrinterError:
            return "The printer hung up just after it was sent."
        if after.paper == "out":
            return "The paper ran out with this slip."
        if after.cover_open:
            return "The cover was opened during this slip."
        if after.online is False:
            return "The printer went off line during this slip."
        if before.answered and not after.answered:
            return "The printer fell silent after it was sent."
        return ""

    def _ask_patiently(self, before: Status) -> Status:
        """The question waits behind all that the printer has not yet taken out of its buffer."""
        end = time.monotonic() + self._pace.silence + self._sent / self.printer.bytes_per_second
        after, late = self._ask(), False
        while before.answered and not after.answered and time.monotonic() < end:
            self.tick += 1
            after, late = self._ask(), True
        if after.answered and (late or self._pace.settle):
            # late answers to all that was asked come at once; and paper may end while the buffer prints
            self._rest(max(0.3, self._pace.settle))
            after = self._ask()
        return after

    def _done(self, job: Job, before: Status, doubt: str) -> None:
        if doubt:
            self._hold(job, job.size, doubt)
            return
        note = "" if before.answered else "sent; this printer does not say whether it printed"
        self._finish(job, "printed", note=note, sent=job.size)

    def _cut_off(self, job: Job, error: PrinterError) -> None:
        """A slip begun and not finished. Only where it surely lacks its end does it print again by itself."""
        sent = error.sent
        self._owed = min(_MOST_OWED, job.size - sent) if sent else 0
        partly = f"after {sent} of {job.size} bytes"
        if isinstance(error, PrinterCancelled) and self._unwanted == job.id:
            self._finish(job, "void", note=f"cancelled {partly}", sent=sent)
        elif sent == 0:
            self._requeue(job, error, note=f"waiting: {error}")
        elif isinstance(error, PrinterOff) and sent < job.size and job.cuts == 0:
            again = f"waiting: broken off {partly}; it prints again from the start"
            self._requeue(job, error, note=again, mark="REPRINT", cuts=1, sent=sent)
        else:
            self._hold(job, sent, _reason(error, partly))

    def _requeue(self, job: Job, error: PrinterError, **also: object) -> None:
        self._finish(job, "queued", **also)
        self._store.all_wait(self.printer.name)
        self._say(str(error))
        self.printer.close()
        self._job = None
        self._rest(self._longer())

    def _hold(self, job: Job, sent: int, why: str) -> None:
        self._finish(job, "held", note=f"{why} Did it come out whole?", sent=sent)

    def _finish(self, job: Job, state: str, **also: object) -> None:
        """What became of a job must reach the disk: a full one is waited for."""
        self._drawn = None
        log.info("job %d %s: %s %s", job.id, job.title, state, also.get("note", ""))
        while True:
            try:
                self._store.move(job.id, ("sending",), state, **also)  # type: ignore[arg-type]
                return
            except SpoolStorage as error:
                self._say(str(error))
                if self._stopping:
                    return  # it stays "sending", and is asked about after the next start
                self._rest(1.0)


def _reason(error: PrinterError, partly: str) -> str:
    if isinstance(error, PrinterStalled):
        return f"The printer took no more data {partly}."
    if isinstance(error, PrinterCancelled):
        return f"Companion was stopped {partly}."
    return f"The printer broke off {partly}, and had done so before (is its supply strong enough?)."
