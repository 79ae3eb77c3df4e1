"""Report 40 by the whole daemon, as it is written: roll, move, roll; undo twice, redo; two phones; a restart."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from companion.game.proof import verify
from companion.game.table import Table
from companion.game.tables import Tables
from drivers.printers.offer import TcpOffer
from drivers.printers.virtual import VirtualPrinter
from tests.e2e.daemon import Daemon, running, until


def play(daemon: Daemon, table: str, act: str) -> dict[str, Any]:
    """An act to its end, with a one for every die and the first of all that may be chosen; how it came out."""
    assert daemon.ask("POST", f"/api/tables/{table}/acts", {"act": act})[0] == 201
    while (view := daemon.view(table))["open"]:
        ask = view["open"]["asks"][0]
        options = [o["key"] for o in ask.get("space", {}).get("options", ()) if not o["barred"]]
        given = {"faces": [1] * len(ask["dice"])} if ask["dice"] else {"value": options[0] if options else "1"}
        status, said = daemon.ask("POST", f"/api/tables/{table}/asks/{ask['address']}", given)
        assert status == 200, said
    found: dict[str, Any] = view["last"]
    return found


def shot(daemon: Daemon, table: str) -> dict[str, Any]:
    return play(daemon, table, "fire:3:11")


def undo(daemon: Daemon, table: str, **more: object) -> tuple[int, Any]:
    return daemon.ask("POST", f"/api/tables/{table}/undo", more)


def counted(daemon: Daemon, table: str) -> list[int]:
    return [row["number"] for row in daemon.view(table)["log"] if not row["undone"]]


@pytest.mark.field(40)
def test_undo_and_redo_never_throw_again_and_the_paper_follows(tmp_path: Path) -> None:
    till = VirtualPrinter(58)
    with TcpOffer(till) as offer:
        printer = f'[[printers]]\nname = "till"\naddress = "{offer.description}"\ncutter = "partial"\n'
        with running(tmp_path, printer) as daemon:
            table = daemon.ask("POST", "/api/tables", {"game": "aod"})[1]["table"]
            first = shot(daemon, table)
            until(lambda: len(till.slips) == 1, 30, "the slip")
            move = play(daemon, table, "throttle:3")["number"]
            assert counted(daemon, table) == [first["number"], move]
            for _ in range(2):
                assert undo(daemon, table)[0] == 200
            assert counted(daemon, table) == []
            until(lambda: any("VOID" in slip.text for slip in till.slips), 30, "the void slip")
            assert undo(daemon, table, redo=True)[1]["acts"] == [first["number"]]
            daemon.kill()
            daemon.start()
            assert counted(daemon, table) == [first["number"]]
            assert undo(daemon, table, last=first["number"])[0] == 200
            status, said = undo(daemon, table, last=first["number"])  # the other phone, a moment later
            assert (status, "There is nothing to take back" in said["error"]) == (409, True)
            assert counted(daemon, table) == []
            until(lambda: daemon.ask("GET", "/api/printers")[1][0]["queued"] == 0, 30, "the queue to be empty")
        tables = Tables(tmp_path / "data")
        played = tables.get(table)
        assert verify(played) == []
        assert played.record(first["number"]).lines == first["lines"]  # taken back twice, thrown once
        assert Table(tables.journal, table).state == played.state
        kinds = [entry.kind for entry in tables.journal.entries(table)]
        assert kinds.count("undone") == 3
        assert kinds.count("redone") == 1
        tables.close()
    of_the_first = [slip.text for slip in till.slips if "No 0001" in slip.text]
    marks = [re.findall("VOID|COPY", text) for text in of_the_first]
    assert marks[0] == []
    assert marks[-1] == ["VOID"]  # the last word on paper is that it does not count
    assert all(marks[1:])  # no second paper without a mark


@pytest.mark.field(40)
def test_two_who_touch_undo_at_once_take_back_one_act(tmp_path: Path) -> None:
    with running(tmp_path) as daemon:
        table = daemon.ask("POST", "/api/tables", {"game": "aod"})[1]["table"]
        play(daemon, table, "throttle:3")
        shot(daemon, table)
        both = counted(daemon, table)
        number = str(both[-1])
        pages = [daemon.ask("GET", f"/e/{table}/result/{number}")[1].decode() for _ in range(2)]
        for page in pages:
            assert f'name="last" value="{number}"' in page
        daemon.form(f"/e/{table}/undo", once="kiosk", last=number)
        status, said = undo(daemon, table, last=int(number), key="phone")
        assert (status, said["error"][:19]) == (409, "Somebody was faster")
        assert counted(daemon, table) == both[:1]
