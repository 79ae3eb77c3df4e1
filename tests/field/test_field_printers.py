"""Field reports 9 to 16 (and 34, 35 for jobs): printers that cut badly, stall, vanish, lie and run out of paper."""

import errno
import fcntl
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from companion.spool import Job, Pace, Rendering, Spool, SpoolStorage
from companion.spool.store import connector
from drivers.printers import Printer, PrinterBusy, printer_from
from drivers.printers.commands import Command
from drivers.printers.offer import PtyOffer, TcpOffer
from drivers.printers.usb import UsbPrinter
from drivers.printers.virtual import Faults, VirtualPrinter
from printouts.document import Document, Text
from printouts.thermal import profile, render
from tests.spool.rig import QUICK, slip, spooling, state, until

ROOT = Path(__file__).parents[2]


def over(line: str, device: VirtualPrinter, folder: Path, offers: ExitStack) -> Printer:
    """Reach the device over TCP, a serial line or USB."""
    if line == "tcp":
        return printer_from(offers.enter_context(TcpOffer(device)).description, "till")
    offers.enter_context(PtyOffer(device, folder / "lp0"))
    return printer_from(f"usb:{folder}/lp*" if line == "usb" else f"serial:{folder}/lp0@9600", "till")


@pytest.fixture
def offers() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


every_line = pytest.mark.parametrize("line", ["tcp", "serial", "usb"])


# 9: the cutter


@pytest.mark.field(9)
@pytest.mark.parametrize("cutter", ["full", "partial", "none"])
def test_9_the_last_line_stays_on_its_own_slip(tmp_path: Path, cutter: str) -> None:
    device = VirtualPrinter(name="till", cutter=cutter != "none")
    paper = profile("POS-5890", cutter=cutter)

    def draw(job: Job, banner: str) -> Rendering:
        return Rendering(render(Document(job.title, (Text(job.title), Text("TOTAL 17"))), paper, banner).data)

    with spooling(tmp_path, device, render=draw) as spool:
        numbers = [spool.submit("till", "slip", f"slip {n}", b"", key=str(n)) for n in range(3)]
        assert state(spool, numbers[-1], "printed")
    assert not device.paper.troubles
    pieces = [[line for line in each.lines if line.strip()] for each in device.slips]
    if cutter == "none":
        assert pieces == []
        assert [line for line in device.tape.lines if "TOTAL" in line] == ["TOTAL 17"] * 3
        assert "V" not in device.text
    else:
        assert pieces == [[f"slip {n}", "TOTAL 17"] for n in range(3)]


# 10: long and slow


@pytest.mark.field(10)
@every_line
def test_10_a_long_job_on_a_slow_printer_arrives_whole(tmp_path: Path, line: str, offers: ExitStack) -> None:
    """Twenty times as fast as in the report, and pausing as often: what counts is that nobody is in a hurry."""
    device = VirtualPrinter(faults=Faults(slow=19200, pause_every=4096, pause_ms=150))
    log = "".join(f"{n:05} a burst and its arithmetic\n" for n in range(400)).encode()
    picture = b"\x1dv0\0\x30\0\x80\x01" + bytes(range(256)) * 72
    data = b"\x1b@" + log + picture + b"\n"
    printer = over(line, device, tmp_path, offers)
    shares, answers = set(), []
    with spooling(tmp_path, printer, render=lambda *_: Rendering(data)) as spool:
        number = spool.submit("till", "log", "log sheet", b"", key="1")
        while spool.job(number).state in ("queued", "sending"):
            began = time.monotonic()
            shares.add(spool.job(number).sent)
            spool.status("till")
            answers.append(time.monotonic() - began)
            time.sleep(0.02)
        assert spool.job(number).state == "printed", spool.job(number)
    assert (device.received - len(data)) % len(b"\x10\x04\x04") == 0
    assert device.text.count("arithmetic") == 400
    assert sorted(answers)[-3] < 0.5  # the machine may be late twice, the spool never
    assert len(shares) > 5


# 11: no paper


@pytest.mark.field(11)
@every_line
def test_11_without_paper_jobs_wait_and_only_the_valid_print(tmp_path: Path, line: str, offers: ExitStack) -> None:
    device = VirtualPrinter(faults=Faults(paper="out"))
    with spooling(tmp_path, over(line, device, tmp_path, offers)) as spool:
        numbers = [spool.submit("till", "slip", f"slip {n}", b"", key=str(n), now=0.0) for n in range(5)]
        assert until(lambda: spool.job(numbers[0]).note == "waiting: no paper: put in a new roll.")
        assert spool.void(numbers[1])
        assert spool.void(numbers[3])
        assert [spool.job(number).state for number in numbers] == ["queued", "void"] * 2 + ["queued"]
        assert device.text.strip() == ""
        device.set(paper="ok")
        assert state(spool, numbers[4], "printed")
        assert [spool.job(n).state for n in numbers] == ["printed", "void", "printed", "void", "printed"]
    late = time.strftime("** LATE of %d %b %H:%M **", time.localtime(0))
    assert [each.lines[:2] for each in device.slips] == [[late, f"slip {n}"] for n in (0, 2, 4)]


@pytest.mark.field(11)
def test_11_paper_that_runs_out_in_the_middle_is_asked_about(tmp_path: Path) -> None:
    device = VirtualPrinter(name="till", faults=Faults(slow=2000))
    with spooling(tmp_path, device) as spool:
        number = spool.submit("till", "slip", "long", b"five dice\n" * 40, key="1")
        assert until(lambda: "five dice" in device.text)
        device.set(paper="out")
        assert state(spool, number, "held")
        assert spool.job(number).note == "The paper ran out with this slip. Did it come out whole?"
        after = spool.submit("till", "slip", "next", b"", key="2")
        assert until(lambda: "no paper" in spool.job(after).note)
        device.set(paper="ok")
        assert state(spool, after, "printed")
        assert spool.job(number).state == "held"


# 12: nobody knows whether it printed


class _CutsAndFails(VirtualPrinter):
    """Falls silent, or loses its power for a moment, as soon as it has cut its first slip."""

    def __init__(self, what: str) -> None:
        super().__init__()
        self._what = what

    def _accept(self, command: Command) -> bytes:
        if command.name == "GS V" and not self.paper.slips:
            self.faults.silent = self._what == "silence"
            self.faults.reset_at = self.received if self._what == "reset" else None
        return super()._accept(command)


@pytest.mark.field(12)
@pytest.mark.parametrize("line", ["tcp", "usb"])
@pytest.mark.parametrize("what", ["reset", "silence"])
def test_12_an_unknown_outcome_is_asked_about_and_a_second_paper_says_copy(
    tmp_path: Path, line: str, what: str, offers: ExitStack
) -> None:
    device = _CutsAndFails(what)
    with spooling(tmp_path, over(line, device, tmp_path, offers)) as spool:
        number = spool.submit("till", "slip", "No 0042", b"6", key="1")
        assert state(spool, number, "held")
        assert spool.job(number).note.endswith("Did it come out whole?")
        assert device.text.count("No 0042") == 1
        device.set(silent=False)
        copy = spool.retry(number, "one tap")
        assert spool.retry(number, "one tap") == copy
        assert state(spool, copy, "printed")
        assert spool.job(number).state == "printed"
    assert device.text.count("No 0042") == 2
    assert device.text.count("COPY of") == 1


def child(folder: Path, printer: str, *titles: str) -> subprocess.Popen[str]:
    """A process with a spool, up and running."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.spool.child", str(folder), printer, *titles],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def kill(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=30)


@pytest.mark.field(12)
def test_12_killed_between_sending_and_marking_is_asked_about(tmp_path: Path) -> None:
    device = VirtualPrinter(faults=Faults(stall_at=100))
    with TcpOffer(device) as offer:
        process = child(tmp_path, offer.description, "No 0042")
        assert device.until(lambda: device.received == 100)
        kill(process)
        device.set(stall_at=None)
        with spooling(tmp_path, printer_from(offer.description, "till")) as spool:
            (job,) = spool.jobs()
            assert (job.state, job.note) == (
                "held",
                "The power went while this was being sent. Did it come out whole?",
            )
            assert spool.answer(job.id, "no") == job.id
            assert state(spool, job.id, "printed")
            assert spool.job(job.id).banner.startswith("REPRINT of")


# 13: off and on again


@pytest.mark.field(13)
def test_13_a_printer_that_vanished_in_the_middle_prints_that_slip_again(tmp_path: Path) -> None:
    device = VirtualPrinter(faults=Faults(stall_at=80))
    offer = PtyOffer(device, tmp_path / "lp0")
    with spooling(tmp_path, printer_from(f"usb:{tmp_path}/lp*", "till")) as spool:
        number = spool.submit("till", "slip", "No 7", bytes(150_000), key="1")
        assert until(lambda: spool.job(number).sent > 80)
        offer.close()
        assert until(lambda: spool.job(number).note.startswith("waiting: "))
        assert spool.job(number).state == "queued"
        descriptors = len(os.listdir("/proc/self/fd"))
        assert until(lambda: "no printer at" in spool.status("till").text)
        device.set(stall_at=None, off=True)
        device.set(off=False)
        offer = PtyOffer(device, tmp_path / "lp1")
        assert state(spool, number, "printed")
        assert len(os.listdir("/proc/self/fd")) <= descriptors + 4
    offer.close()
    begun, mark, title, *_ = device.slips[-1].lines
    assert (begun, "REPRINT of" in mark, title) == ("No 7", True, "No 7")


@pytest.mark.field(13)
@every_line
def test_13_unplugged_while_idle(tmp_path: Path, line: str, offers: ExitStack) -> None:
    device = VirtualPrinter()
    pace = Pace(first_pause=0.05, longest_pause=0.2, paper=0.05, idle_look=0.1, status=0.6)
    with spooling(tmp_path, over(line, device, tmp_path, offers), pace=pace) as spool:
        assert until(lambda: spool.status("till").text == "ready")
        device.set(off=True)
        assert until(lambda: "switch it on" in spool.status("till").text)
        device.set(off=False)
        assert until(lambda: spool.status("till").text == "ready")
        assert state(spool, spool.submit("till", "slip", "x", b"", key="1"), "printed")


# 14: busy


@pytest.mark.field(14)
def test_14_a_busy_printer_names_its_holder_and_is_not_hammered(tmp_path: Path) -> None:
    device, tries = VirtualPrinter(), []
    with PtyOffer(device, tmp_path / "lp0"):
        hold = (
            "import fcntl, sys, time; f = open(sys.argv[1], 'rb+', 0); fcntl.flock(f, 2);"
            " print(1, flush=True); time.sleep(60)"
        )
        holder = subprocess.Popen([sys.executable, "-c", hold, tmp_path / "lp0"], stdout=subprocess.PIPE, text=True)
        assert holder.stdout is not None
        holder.stdout.readline()
        printer = UsbPrinter(str(tmp_path / "lp0"), name="till")
        really_open = printer.open
        printer.open = lambda: (tries.append(time.monotonic()), really_open())[1]  # type: ignore[method-assign]
        pace = Pace(first_pause=0.1, longest_pause=10, paper=0.05, idle_look=3600, status=0.6)
        with spooling(tmp_path, printer, pace=pace) as spool:
            number = spool.submit("till", "slip", "x", b"", key="1")
            assert until(lambda: f"(PID {holder.pid})" in spool.job(number).note)
            assert "stop that program (CUPS: " in spool.job(number).note
            assert "another line" in spool.job(number).note
            assert until(lambda: len(tries) == 5)  # the first look, and four tries with a longer pause after each
            assert tries[4] - tries[1] > 0.6
            holder.kill()
            holder.communicate()
            spool.wake("till")
            assert state(spool, number, "printed")


@pytest.mark.field(14)
def test_14_busy_at_the_first_write_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    device, refusals = VirtualPrinter(), [OSError(errno.EBUSY, "Device or resource busy")]
    with PtyOffer(device, tmp_path / "lp0"):
        printer = UsbPrinter(str(tmp_path / "lp0"), name="till")
        really_put = printer._put

        def put(some: memoryview, sent: int) -> int:
            if refusals and len(some) > 3:
                raise printer._trouble(refusals.pop(), sent)
            return really_put(some, sent)

        monkeypatch.setattr(printer, "_put", put)
        with spooling(tmp_path, printer) as spool:
            number = spool.submit("till", "slip", "x", b"", key="1")
            assert state(spool, number, "printed")
            assert not spool.job(number).mark
    assert device.text.count("x\n") == 1


@pytest.mark.field(14)
def test_14_a_second_user_of_the_same_printer_is_refused(tmp_path: Path) -> None:
    with PtyOffer(VirtualPrinter(), tmp_path / "lp0"):
        first = UsbPrinter(str(tmp_path / "lp0"))
        first.open()
        with (tmp_path / "lp0").open("rb+", 0) as other, pytest.raises(OSError):
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        with pytest.raises(PrinterBusy, match="in use"):
            UsbPrinter(str(tmp_path / "lp0")).open()
        first.close()


# 15: it takes no more


@pytest.mark.field(15)
@pytest.mark.parametrize("line", ["tcp", "serial", "usb", "fifo"])
def test_15_a_stalled_printer_is_called_stuck_and_stops_nobody(
    tmp_path: Path, line: str, offers: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.spool.worker._STUCK_S", 0.5)
    device = VirtualPrinter(faults=Faults(stall_at=1024, silent=True))
    if line == "fifo":
        os.mkfifo(tmp_path / "lp0")
        printer = printer_from(f"usb:{tmp_path}/lp0", "till")
    else:
        printer = over(line, device, tmp_path, offers)
    spool = Spool(tmp_path / "companion.db", [printer], lambda *_: Rendering(bytes(300_000)), pace=QUICK)
    spool.start()
    try:
        number = spool.submit("till", "slip", "No 9", b"", key="1")
        assert until(lambda: spool.status("till").stuck)
        assert "stuck: the printer takes no data" in spool.status("till").text
        ticks = spool.tick
        assert until(lambda: spool.tick > ticks + 2)
        began = time.monotonic()
        assert spool.cancel(number)
        assert state(spool, number, "void")
        assert time.monotonic() - began < 5
        spool.submit("till", "slip", "No 10", b"", key="2")
    finally:
        began = time.monotonic()
        assert spool.close()
        assert time.monotonic() - began < 10


@pytest.mark.field(15)
def test_15_a_stop_during_a_stall_ends_in_time_and_asks_at_the_next_start(tmp_path: Path) -> None:
    device = VirtualPrinter(faults=Faults(stall_at=150))
    with TcpOffer(device) as offer:
        process = child(tmp_path, offer.description, "No 9")
        assert device.until(lambda: device.received == 150)
        began = time.monotonic()
        process.terminate()
        assert process.wait(30) == 0
        assert time.monotonic() - began < 15
        with spooling(tmp_path, printer_from(offer.description, "till")) as spool:
            assert spool.jobs()[0].state == "held"


# 16: jobs outlive everything


@pytest.mark.field(16)
@pytest.mark.parametrize("end", ["stop", "kill", "copy"])
def test_16_ten_jobs_wait_for_the_printer_over_a_restart(tmp_path: Path, end: str) -> None:
    device, titles = VirtualPrinter(faults=Faults(off=True)), [f"slip {n}" for n in range(10)]
    with TcpOffer(device) as offer:
        process = child(tmp_path, offer.description, *titles)
        if end == "stop":
            process.terminate()
            assert process.wait(30) == 0
        else:
            kill(process)
        folder = tmp_path
        if end == "copy":
            folder = shutil.copytree(tmp_path, tmp_path / "new boot")
        device.set(off=False)
        with spooling(folder, printer_from(offer.description, "till")) as spool:
            assert until(lambda: all(job.state == "printed" for job in spool.jobs()))
            assert [job.title for job in reversed(spool.jobs())] == titles
    assert [each.lines[1] for each in device.slips] == titles
    assert all("LATE of" in each.lines[0] for each in device.slips)


@pytest.mark.field(16)
@pytest.mark.field(34)
def test_34_killed_at_any_moment_no_job_vanishes_and_none_prints_twice(tmp_path: Path) -> None:
    """Whatever was on its way is asked about; a slip prints twice only where the operator says so."""
    rng, device, titles = random.Random(34), VirtualPrinter(faults=Faults(slow=20_000)), []
    with TcpOffer(device) as offer:
        for n in range(12):
            new = [f"slip {n}.{i}" for i in range(4)]
            titles += new
            process = child(tmp_path, offer.description, *new)
            mark = device.received + rng.randrange(1, 1200)
            device.until(lambda mark=mark: device.received >= mark, 1)
            kill(process)
            base = sqlite3.connect(tmp_path / "companion.db")
            assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            base.close()
        with spooling(tmp_path, printer_from(offer.description, "till")) as spool:
            assert until(lambda: all(job.state in ("printed", "held") for job in spool.jobs(limit=1000)), 30)
            jobs = {job.title: job for job in spool.jobs(limit=1000)}
    assert list(reversed(jobs)) == titles
    lines = device.text.splitlines()
    for title, job in jobs.items():
        count = lines.count(title)
        assert count == 1 if job.state == "printed" else count <= 1, (title, job.state, count)
    assert 0 < sum(job.state == "held" for job in jobs.values()) <= 12


# 35: a full disk


def _full(pages: int) -> Callable[[Path], Callable[[], sqlite3.Connection]]:
    def small(path: Path) -> Callable[[], sqlite3.Connection]:
        def connect() -> sqlite3.Connection:
            base = connector(path)()
            base.execute(f"PRAGMA max_page_count = {pages}")
            return base

        return connect

    return small


@pytest.mark.field(35)
def test_35_a_full_disk_refuses_new_jobs_aloud_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    path, device = tmp_path / "companion.db", VirtualPrinter(name="till")
    spool = Spool(_full(12)(path), [device], slip, pace=QUICK)
    spool.start()
    try:
        with pytest.raises(SpoolStorage, match="make room on the disk"):
            _flood(spool)
        stored = len(spool.jobs())
        assert stored > 2
        assert until(lambda: all(job.state == "printed" for job in spool.jobs()))
    finally:
        assert spool.close()
    assert len(device.slips) == stored


def _flood(spool: Spool) -> None:
    for n in range(100):
        spool.submit("till", "slip", f"slip {n}", b"x" * 1000, key=str(n))


@contextmanager
def _cannot_finish(path: Path) -> Iterator[None]:
    """The disk takes no more just when a job's outcome is to be stored."""
    base = sqlite3.connect(path, isolation_level=None)
    base.execute(
        "CREATE TRIGGER full BEFORE UPDATE ON jobs WHEN new.state = 'printed'"
        " BEGIN SELECT raise(FAIL, 'database or disk is full'); END"
    )
    yield
    base.execute("DROP TRIGGER full")
    base.close()


@pytest.mark.field(35)
def test_35_an_outcome_that_cannot_be_stored_is_kept_until_it_can(tmp_path: Path) -> None:
    device = VirtualPrinter(name="till")
    with spooling(tmp_path, device) as spool:
        with _cannot_finish(tmp_path / "companion.db"):
            number = spool.submit("till", "slip", "once", b"", key="1")
            assert until(lambda: device.text.count("once") == 1)
            assert until(lambda: "disk is full" in _trouble(spool))
            ticks = spool.tick
            assert until(lambda: spool.tick > ticks)
        assert state(spool, number, "printed")
    assert device.text.count("once") == 1


def _trouble(spool: Spool) -> str:
    return spool._workers["till"]._trouble


def test_the_rig_itself_leaves_no_thread(tmp_path: Path) -> None:
    before = threading.active_count()
    with TcpOffer(VirtualPrinter()) as offer, spooling(tmp_path, printer_from(offer.description, "till")):
        pass
    assert threading.active_count() == before
