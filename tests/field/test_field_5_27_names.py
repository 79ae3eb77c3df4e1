"""Reports 5, 26 and 27 by the whole machine: hostile names and reasons from a phone, a line from a die, a full disk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.cli.main import main
from drivers.printers.offer import TcpOffer
from drivers.printers.paper import Slip
from drivers.printers.virtual import VirtualPrinter
from tests.e2e.daemon import Daemon, running, until

CONTROL = ["Rex\x1bm", "Ann\x1d(k", "Bo\x10\x14\x01\x00\x05", "Cy\x1b@", "Di\tX", "Ed\r\nFAKE ROLL 6 6 6"]
MARKUP = ["S&P 500", "0.1 <A <0.9", "<b>open", "</para>", '<img src="//127.0.0.1:9/x.png"/>', "roll >= 4 & <= 6"]


class Reader(HTMLParser):
    """The words of a page, the elements in it, and what it would fetch."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.fetched: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.fetched += [value or "" for name, value in attrs if name in ("src", "srcset", "style") or tag == "link"]

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


class Till(VirtualPrinter):
    """Also keeps what it was sent, byte for byte."""

    def __init__(self) -> None:
        super().__init__(58)
        self.stream = b""

    def take(self, data: bytes) -> bytes:
        self.stream += data
        return super().take(data)


@contextmanager
def playing(folder: Path) -> Iterator[tuple[Daemon, Till]]:
    till = Till()
    with TcpOffer(till) as offer:
        printer = f'[[printers]]\nname = "till"\naddress = "{offer.description}"\ncutter = "partial"\n'
        with running(folder / "pi", printer) as daemon:
            yield daemon, till


def missed(daemon: Daemon, name: str) -> str:
    """A table of that name, and on it a burst that is over."""
    made: dict[str, Any] = daemon.ask("POST", "/api/tables", {"game": "aod", "name": name})[1]
    table = str(made["table"])
    daemon.ask("POST", f"/api/tables/{table}/acts", {"act": "fire:3:11"})
    for _ in range(6):
        view = daemon.view(table)
        if view["open"] is None:
            break
        ask = view["open"]["asks"][0]
        if ask["dice"]:
            daemon.ask("POST", f"/api/tables/{table}/asks/{ask['address']}", {"faces": ["1"] * len(ask["dice"])})
        else:
            key = ask["space"]["options"][0]["key"] if ask["space"].get("options") else "yes"
            daemon.ask("POST", f"/api/tables/{table}/asks/{ask['address']}", {"value": key})
    assert daemon.view(table)["last"]
    return table


def ruled(daemon: Daemon, table: str, words: str) -> None:
    body = {"number": daemon.view(table)["last"]["number"], "reason": words, "word": words}
    status, said = daemon.ask("POST", f"/api/tables/{table}/rule", body)
    assert status == 200, said


def printed_again(daemon: Daemon, till: Till, table: str) -> Slip:
    """The slip of the last act as it is now, which a page has asked for."""
    until(lambda: daemon.ask("GET", "/api/printers")[1][0]["job"] is None, what="the slip before to be done with")
    out = len(till.slips)
    number = daemon.view(table)["last"]["number"]
    daemon.form(f"/e/{table}/slip", number=str(number), copy="1")
    until(lambda: len(till.slips) > out, seconds=20, what="the slip")
    return till.slips[-1]


@pytest.mark.field(5)
@pytest.mark.field(27)
def test_names_and_reasons_of_players_are_words_on_slip_page_and_log(tmp_path: Path) -> None:
    with playing(tmp_path) as (daemon, till):
        for n, name in enumerate(CONTROL + MARKUP):
            table = missed(daemon, name)
            until(lambda n=n: len(till.slips) == 2 * n + 1, what="the first slip")  # type: ignore[misc]
            ruled(daemon, table, name)
            slip = printed_again(daemon, till, table)
            lines = [" ".join(line.split()) for line in slip.lines]
            assert not any(line.startswith("FAKE") for line in lines)
            assert slip.text.count("No 0001") == 1  # nothing in a name cut it, or began it anew
            assert name not in MARKUP or " ".join(lines).count(name) >= 2  # the table's name and the reason
            for place in ("", "/log", f"/result/{daemon.view(table)['last']['number']}"):
                status, raw = daemon.ask("GET", f"/e/{table}{place}")
                page = Reader(raw.decode())
                assert status == 200
                assert not [found for found in page.fetched if "127.0.0.1:9" in found]
                assert name not in MARKUP or name in page.text
        for harm in (b"\x1bm", b"\x1d(k\x1d", b"\x10\x14"):
            assert harm not in till.stream
        assert till.stream.count(b"\x1b@") == len(till.slips)
        log = (daemon.folder / "daemon.log").read_text()
        assert "\x1b" not in log
        assert not any(line.startswith("FAKE") for line in log.splitlines())


@pytest.mark.field(26)
def test_no_half_file_is_left_where_the_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "charts.pdf"
    words = ["print", "chart", "game=fastplay", "--to", str(target)]

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    failed = CliRunner().invoke(main, words)
    assert failed.exit_code != 0
    assert "No space left on device" in failed.output
    assert list(tmp_path.iterdir()) == []
    monkeypatch.undo()
    CliRunner().invoke(main, words)
    assert target.read_bytes().startswith(b"%PDF")
