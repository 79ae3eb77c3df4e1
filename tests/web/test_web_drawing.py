"""Papers are drawn where they keep nobody waiting: not in the loop of the pages, nor in the thread of the tables."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from companion import papers
from companion.config import Config
from companion.game.table import Table
from companion.web.parts import Parts
from printouts import document as doc
from tests.loops import in_own_loop
from tests.wiring.rig import burst, in_worker, working

BOOK = doc.Document(
    "Log", tuple(doc.Table((doc.Column("a"), doc.Column("b")), (("row", "1"),) * 60) for _ in range(60))
)


class Press:
    """Stands in for the drawing, and stops in the middle of it until it is let go."""

    def __init__(self) -> None:
        self.started, self.let_go = threading.Event(), threading.Event()
        self.threads: list[str] = []

    def __call__(self, _document: object, _form: str, _sheet: str = "", _backs: object = None) -> list[bytes]:
        self.threads.append(threading.current_thread().name)
        self.started.set()
        assert self.let_go.wait(60)
        return [b"%PDF the paper"]


@pytest.fixture
def press(monkeypatch: pytest.MonkeyPatch) -> Press:
    made = Press()
    monkeypatch.setattr(papers, "rendered", made)
    return made


def test_an_ask_is_answered_while_a_paper_is_drawn(kiosk: TestClient, table: Table, press: Press) -> None:
    with ThreadPoolExecutor(1) as reader:
        paper = reader.submit(kiosk.get, f"/e/{table.key}/print/again.pdf")
        assert press.started.wait(60)
        at = f"/api/tables/{table.key}"
        kiosk.post(f"{at}/acts", json={"act": "shoot:ann>bob", "seat": "ann"}).raise_for_status()
        for address, answer in (("far", {"fact": "near"}), ("aim", {"faces": {"white": "1"}})):
            assert [ask["address"] for ask in kiosk.get(f"{at}/asks").json()] == [address]
            kiosk.post(f"{at}/asks/{address}", json=answer).raise_for_status()
        assert table.records[-1].slip
        assert not paper.done()
        press.let_go.set()
        assert paper.result(60).content == b"%PDF the paper"
    assert press.threads[0].startswith("paper")


def test_a_result_counts_while_a_command_draws_a_paper(tmp_path: Path, press: Press) -> None:
    with working(tmp_path / "data", Config()) as machine:
        table = burst(machine)
        order = {"kind": "again", "fields": {"table": table.key}, "form": "pdf", "paper": ""}
        assert machine._loop is not None
        drawing = asyncio.run_coroutine_threadsafe(machine.obey("print", order), machine._loop)
        assert press.started.wait(60)
        in_worker(machine, lambda: table.answer("first/targeting", [1], seat="host"))
        assert table.records[-1].slip
        assert not drawing.done()
        press.let_go.set()
        assert drawing.result(60)


def test_the_tables_answer_many_times_within_one_large_paper(parts: Parts, table: Table) -> None:
    """With the real renderer: it gives way, so that what is asked of the tables is not done after it but during it."""

    async def both() -> tuple[int, list[bytes]]:
        drawing = asyncio.ensure_future(parts.draw(papers.rendered, BOOK, "pdf"))
        answered = 0
        while not drawing.done():
            await parts.run(lambda: table.version)
            answered += 1
        return answered, await drawing

    answered, pieces = in_own_loop(both())
    assert answered > 5
    assert pieces[0].startswith(b"%PDF")


def test_a_machine_that_stops_does_not_wait_for_papers_in_the_queue(tmp_path: Path, press: Press) -> None:
    with working(tmp_path / "data", Config()) as machine:
        first = machine.parts.painter.submit(press, BOOK, "pdf")
        second = machine.parts.painter.submit(press, BOOK, "pdf")
        assert press.started.wait(60)
    assert second.cancelled()
    press.let_go.set()
    assert first.result(60)
