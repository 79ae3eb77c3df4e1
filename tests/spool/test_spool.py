"""What the spool promises, whatever the printer does."""

import sqlite3
import threading
import time
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from companion.spool import Job, NoSuchJob, Rendering, Spool, SpoolError, SpoolStorage
from companion.spool.store import Store, connector
from drivers.printers import PrinterOff, Progress, Status
from drivers.printers.virtual import Faults, VirtualPrinter
from tests.spool.rig import QUICK, slip, spooling, state, until


def test_a_job_prints_and_says_so(tmp_path: Path) -> None:
    device = VirtualPrinter(name="till")
    with spooling(tmp_path, device) as spool:
        number = spool.submit("till", "slip", "No 0001", b"5 die -1", key="a")
        assert state(spool, number, "printed")
        job = spool.job(number)
    assert [each.lines for each in device.slips] == [["No 0001", "5 die -1"]]
    assert (job.sent, job.size, job.note, job.banner) == (job.size, job.sent, "", "")


def test_the_same_key_is_the_same_job(tmp_path: Path) -> None:
    device = VirtualPrinter(name="till")
    with spooling(tmp_path, device) as spool:
        numbers = {spool.submit("till", "slip", "once", b"", key="a") for _ in range(3)}
        last = spool.submit("till", "slip", "last", b"", key="b")
        assert state(spool, last, "printed")
    assert len(numbers) == 1
    assert device.text.count("once") == 1


@pytest.mark.parametrize("synced", [True, False])
def test_only_a_job_that_can_be_queued_again_does_not_wait_for_the_disk(tmp_path: Path, synced: bool) -> None:
    said: list[str] = []
    base = connector(tmp_path / "spool.db")()
    store = Store(lambda: base, time.time)
    base.set_trace_callback(lambda statement: said.append(" ".join(statement.split()[:4])))
    store.add("a", "till", "slip", "one", b"", 0.0, synced=synced)
    wait = "PRAGMA synchronous = FULL"
    assert said[1:4] == [wait if synced else "PRAGMA synchronous = NORMAL", "INSERT INTO jobs (key,", wait]
    store.close()


def test_each_printer_has_a_queue_of_its_own(tmp_path: Path) -> None:
    stuck, good = VirtualPrinter(name="stuck", faults=Faults(stall_at=0)), VirtualPrinter(name="good")
    with spooling(tmp_path, stuck, good) as spool:
        first = spool.submit("stuck", "slip", "one", b"", key="1")
        second = spool.submit("good", "slip", "two", b"", key="2")
        assert state(spool, second, "printed")
        assert state(spool, first, "sending")
        ticks = spool.tick
        assert until(lambda: spool.tick > ticks)


def test_a_silent_printer_prints_and_the_job_says_that_nobody_knows(tmp_path: Path) -> None:
    device = VirtualPrinter(name="till", faults=Faults(silent=True))
    with spooling(tmp_path, device) as spool:
        number = spool.submit("till", "slip", "x", b"", key="1")
        assert state(spool, number, "printed")
        assert "does not say" in spool.job(number).note


def test_what_cannot_be_drawn_fails_alone_and_may_be_tried_again(tmp_path: Path) -> None:
    device, broken = VirtualPrinter(name="till"), [True]

    def render(job: Job, banner: str) -> Rendering:
        if job.title == "bad" and broken:
            raise ValueError("no such page")
        return slip(job, banner)

    with spooling(tmp_path, device, render=render) as spool:
        bad = spool.submit("till", "slip", "bad", b"", key="1")
        good = spool.submit("till", "slip", "good", b"", key="2")
        assert state(spool, good, "printed")
        assert spool.job(bad).state == "failed"
        assert "no such page" in spool.job(bad).note
        broken.clear()
        assert spool.retry(bad) == bad
        assert state(spool, bad, "printed")


def test_a_copy_is_marked_and_a_double_tap_is_one_copy(tmp_path: Path) -> None:
    device = VirtualPrinter(name="till")
    with spooling(tmp_path, device) as spool:
        number = spool.submit("till", "slip", "No 7", b"", key="1")
        assert state(spool, number, "printed")
        copies = {spool.retry(number, "tap") for _ in range(2)}
        (copy,) = copies
        assert state(spool, copy, "printed")
        again = spool.retry(copy, "tap 2")
        assert spool.job(again).copy_of == number
        assert state(spool, again, "printed")
    assert [line[:7] for each in device.slips for line in each.lines if "COPY" in line] == ["** COPY"] * 2


def test_a_void_job_never_prints(tmp_path: Path) -> None:
    device = VirtualPrinter(name="till", faults=Faults(paper="out"))
    with spooling(tmp_path, device) as spool:
        number = spool.submit("till", "slip", "gone", b"", key="1")
        assert until(lambda: spool.job(number).note.startswith("waiting: no paper"))
        assert spool.void(number, "undone by blue")
        device.set(paper="ok")
        other = spool.submit("till", "slip", "stays", b"", key="2")
        assert state(spool, other, "printed")
        assert not spool.void(other)
        with pytest.raises(SpoolError, match="void"):
            spool.retry(number)
        assert spool.job(number).note == "undone by blue"
    assert "gone" not in device.text


def test_cancel_in_the_middle_frees_the_queue_and_spoils_nothing(tmp_path: Path) -> None:
    """The next slip is whole, though the one before broke off inside a picture."""
    device = VirtualPrinter(name="till", faults=Faults(stall_at=600))
    picture = b"\x1dv0\0\x30\0\x80\x01" + bytes(0x30 * 0x180)

    def render(job: Job, banner: str) -> Rendering:
        return Rendering(b"\x1b@" + picture) if job.kind == "picture" else slip(job, banner)

    with spooling(tmp_path, device, render=render) as spool:
        number = spool.submit("till", "picture", "long", b"", key="1")
        assert until(lambda: spool.job(number).sent == 600)
        assert spool.cancel(number)
        assert state(spool, number, "void")
        assert "cancelled after 600 of" in spool.job(number).note
        device.set(stall_at=None)
        after = spool.submit("till", "slip", "whole", b"5 die", key="2")
        assert state(spool, after, "printed")
    assert device.slips[-1].lines == ["whole", "5 die"]


def test_a_picture_that_a_power_cut_broke_off_ends_after_the_next_start(tmp_path: Path) -> None:
    device = VirtualPrinter(name="till", faults=Faults(stall_at=600))
    picture = b"\x1dv0\0\x30\0\x80\x01" + bytes(0x30 * 0x180)

    def render(job: Job, banner: str) -> Rendering:
        return Rendering(b"\x1b@" + picture) if job.kind == "picture" else slip(job, banner)

    with spooling(tmp_path, device, render=render) as spool:
        number = spool.submit("till", "picture", "long", b"", key="1")
        assert until(lambda: spool.job(number).sent == 600)
    base = sqlite3.connect(tmp_path / "companion.db")  # the stop wrote down what a dead process cannot
    base.execute("UPDATE jobs SET state = 'sending', sent = 0, note = ''")
    base.commit()
    base.close()
    device.set(stall_at=None)
    with spooling(tmp_path, device, render=render) as spool:
        assert spool.job(number).state == "held"
        after = spool.submit("till", "slip", "whole", b"5 die", key="2")
        assert state(spool, after, "printed")
        again = spool.submit("till", "slip", "another", b"5 die", key="3")
        assert state(spool, again, "printed")
    assert [one.lines for one in device.slips[-2:]] == [["whole", "5 die"], ["another", "5 die"]]


class _FailsTwice(VirtualPrinter):
    """After each first failure of its supply, a second one in the middle of the slip that prints again."""

    def _power_cut(self) -> None:
        super()._power_cut()
        if self.hang_ups % 2 == 1:
            self.faults.reset_at = self.received + 250


def test_the_operator_answers_what_became_of_a_slip(tmp_path: Path) -> None:
    device = _FailsTwice(name="till")
    with spooling(tmp_path, device) as spool:
        numbers = []
        for n, answer in enumerate(("yes", "no", "again")):
            device.set(reset_at=device.received + 40)
            number = spool.submit("till", "slip", f"slip {n}", b"x" * 200, key=str(n))
            assert state(spool, number, "held")
            assert "Did it come out whole?" in spool.job(number).note
            with pytest.raises(SpoolError):
                spool.answer(spool.submit("till", "slip", "free", b"", key=f"free {n}"), "yes")
            numbers.append(spool.answer(number, answer))  # type: ignore[arg-type]
            assert until(lambda: all(job.state == "printed" for job in spool.jobs()))
        assert [spool.job(number).mark for number in numbers] == ["REPRINT", "REPRINT", "COPY"]


def test_titles_cannot_command(tmp_path: Path) -> None:
    with spooling(tmp_path, VirtualPrinter(name="till")) as spool:
        number = spool.submit("till", "slip", "Rex\x1bm\nFAKE", b"", key="1")
        assert spool.job(number).title == "Rex·m·FAKE"


def test_refusals_say_what_to_do(tmp_path: Path) -> None:
    with spooling(tmp_path, VirtualPrinter(name="till")) as spool:
        with pytest.raises(SpoolError, match="the printers are: till"):
            spool.submit("toll", "slip", "x", b"", key="1")
        with pytest.raises(NoSuchJob, match="no print job 99"):
            spool.job(99)
        for wrong in ({"key": ""}, {"key": "k" * 201}, {"key": "k", "source": bytes(4_000_001)}):
            with pytest.raises(SpoolError, match="A job needs"):
                spool.submit("till", "slip", "x", **{"source": b"", **wrong})  # type: ignore[arg-type]


def test_a_job_that_cannot_be_stored_is_refused_aloud(tmp_path: Path) -> None:
    def connect() -> sqlite3.Connection:
        raise sqlite3.OperationalError("database or disk is full")

    with pytest.raises(SpoolStorage, match="make room"):
        Spool(connect, [], slip)


class _Clumsy:
    """A driver with a mistake in it."""

    name, bytes_per_second = "clumsy", 1000

    def open(self) -> None: ...
    def close(self) -> None: ...
    def cancel(self) -> None: ...
    def status(self, deadline_s: float) -> Status:
        return Status(True, "ok", False, "ready")

    def write(self, data: bytes, deadline_s: float, progress: Progress | None = None) -> None:
        raise KeyError("a mistake")


def test_a_mistake_in_a_driver_holds_the_job_and_the_worker_lives(tmp_path: Path) -> None:
    with spooling(tmp_path, _Clumsy()) as spool:
        number = spool.submit("clumsy", "slip", "x", b"", key="1")
        assert state(spool, number, "held")
        ticks = spool.tick
        assert until(lambda: spool.tick > ticks)


def test_what_the_page_is_told_of_a_printer(tmp_path: Path) -> None:
    device = VirtualPrinter(name="till", faults=Faults(paper="low"))
    with spooling(tmp_path, device) as spool:
        assert state(spool, spool.submit("till", "slip", "x", b"", key="1"), "printed")
        assert until(lambda: spool.status("till").text == "paper low")
        device.set(paper="out")
        spool.submit("till", "slip", "y", b"", key="2")
        assert until(lambda: "put in a new roll" in spool.status("till").text)
        assert (spool.status("till").paper, spool.status("till").queued) == ("out", 1)
        device.set(off=True)
        assert until(lambda: "switch it on" in spool.status("till").text)
        assert spool.status("till").paper == "unknown"


def test_threads_do_not_get_in_each_others_way(tmp_path: Path) -> None:
    device = VirtualPrinter(name="till")
    with spooling(tmp_path, device) as spool:

        def work(n: int) -> None:
            for i in range(10):
                spool.submit("till", "slip", f"{n}-{i}", b"", key=f"{n}-{i}")

        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert until(lambda: all(job.state == "printed" for job in spool.jobs()))
        order = [job.title for job in reversed(spool.jobs())]
    assert [each.lines[0] for each in device.slips] == order
    assert len(order) == 40


def test_old_jobs_lose_their_source_and_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.spool.store._KEEP", 1)
    with spooling(tmp_path, VirtualPrinter(name="till")) as spool:
        old = spool.submit("till", "slip", "old", b"old", key="1")
        new = spool.submit("till", "slip", "new", b"new", key="2")
        assert state(spool, new, "printed")
    with spooling(tmp_path, VirtualPrinter(name="till")) as spool:
        assert (spool.job(old).source, spool.job(new).source) == (None, b"new")
        with pytest.raises(SpoolError, match="too old"):
            spool.retry(old)


def test_pauses_double(tmp_path: Path) -> None:
    device = VirtualPrinter(name="till", faults=Faults(off=True))
    tries: list[float] = []
    really_open = device.open

    def counted() -> None:
        tries.append(time.monotonic())
        really_open()

    device.open = counted  # type: ignore[method-assign]
    pace = msgspec.structs.replace(QUICK, first_pause=0.05, longest_pause=60)
    with spooling(tmp_path, device, pace=pace) as spool:
        spool.submit("till", "slip", "x", b"", key="1")
        assert until(lambda: len(tries) >= 5)  # the first may be the look at an idle printer
        gaps = [later - sooner for sooner, later in pairwise(tries[1:5])]
        assert [gap > least for gap, least in zip(gaps, (0.05, 0.1, 0.2), strict=True)] == [True] * 3


def test_a_wake_ends_a_pause(tmp_path: Path) -> None:
    device = VirtualPrinter(name="till", faults=Faults(off=True))
    pace = msgspec.structs.replace(QUICK, first_pause=3600, longest_pause=3600)
    with spooling(tmp_path, device, pace=pace) as spool:
        number = spool.submit("till", "slip", "x", b"", key="1")
        assert until(lambda: spool.job(number).waited)
        device.set(off=False)
        spool.wake("till")
        assert state(spool, number, "printed")


def test_paper_that_ends_while_the_buffer_prints_is_noticed(tmp_path: Path) -> None:
    device = VirtualPrinter(name="till")
    pace = msgspec.structs.replace(QUICK, settle=60.0)
    with spooling(tmp_path, device, pace=pace) as spool:
        number = spool.submit("till", "slip", "x", b"", key="1")
        assert device.until(lambda: "x" in device.text)
        assert until(lambda: spool.job(number).sent > 0)
        device.set(paper="out")
        assert until(lambda: (spool.wake("till"), spool.job(number).state)[1] == "held")
        assert "paper ran out" in spool.job(number).note


def test_off_is_never_lost(tmp_path: Path) -> None:
    device = VirtualPrinter(name="till", faults=Faults(off=True))
    with pytest.raises(PrinterOff):
        device.open()
    with spooling(tmp_path, device) as spool:
        numbers = [spool.submit("till", "slip", f"slip {n}", b"", key=str(n)) for n in range(3)]
        assert until(lambda: spool.job(numbers[0]).note.startswith("waiting:"))
        device.set(off=False)
        assert all(state(spool, number, "printed") for number in numbers)
    assert [each.lines[-2] for each in device.slips] == ["slip 0", "slip 1", "slip 2"]
