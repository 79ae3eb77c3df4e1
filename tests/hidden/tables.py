"""Two tables that are played alike but for the hidden cards of the others, and all that is sent of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from companion import papers
from companion.config import Config
from companion.game.slip import slip
from companion.game.tables import Tables, seat_key
from companion.web.app import create_app
from companion.web.parts import Parts
from printouts import text
from tests.loops import in_own_loop
from tests.web.conftest import Till

PI = "192.168.1.23:8080"
HEADERS = ("content-type", "content-length", "location", "set-cookie", "x-version", "x-pages")


@dataclass
class Room:
    """One daemon's tables and its web, and the phones that follow."""

    folder: Path
    game: str
    setup: Mapping[str, Any]
    switches: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.tables = Tables(self.folder)
        self.table = self.tables.new(self.game, self.setup, name="SAME", switches=self.switches)
        self.till = Till()
        self.parts = Parts(
            Config(), self.tables, base_url=lambda: f"http://{PI}", roll=lambda faces: faces, printing=self.till,
            dice=lambda table: [], version="1.0",
        )  # fmt: skip
        app = self.app = create_app(self.parts)
        self.clients: dict[str, TestClient] = {}
        for seat in ("kiosk", "", *(s.key for s in self.table.game.seats(self.table.state))):
            peer, host = ("127.0.0.1", "localhost:8080") if seat == "kiosk" else ("192.168.1.50", PI)
            client = TestClient(app, base_url=f"http://{host}", client=(peer, 5000)).__enter__()
            if seat not in ("", "kiosk"):
                client.get(f"/e/{self.table.key}?k={seat_key(self.table, seat)}")
            self.clients[seat] = client

    def close(self) -> None:
        for client in self.clients.values():
            client.__exit__(None, None, None)
        self.parts.worker.shutdown()
        self.tables.close()

    def sent(self, seat: str) -> dict[str, bytes]:
        """Every answer of the pages and the API to this seat, what is printed, and the odds; by what was asked."""
        client, found = self.clients[seat], {}
        for method, path, body in self._wanted(seat):
            answer = client.request(method, path, json=body, follow_redirects=False)
            head = [f"{name}: {answer.headers.get(name)}" for name in HEADERS]
            found[f"{method} {path} {body or ''}"] = "\n".join([str(answer.status_code), *head, answer.text]).encode()
        last = next((r for r in reversed(self.table.records) if r.slip), None)
        if last:
            found["slip"] = text.render(slip(self.table, last.number), 48).encode()
        found["events"] = in_own_loop(self._event()).encode()
        return found

    async def _event(self) -> str:
        stream = self.app.state.hub.follow(self.table, "build")
        told = str(await anext(stream))
        await stream.aclose()
        return told

    def _wanted(self, seat: str) -> Iterator[tuple[str, str, Any]]:
        page, api = f"/e/{self.table.key}", f"/api/tables/{self.table.key}"
        for path in ("", "?screen=table", "?odds=1", "/log", "/rules", "/settings", "/paper", "/seats", "/hand"):
            yield "GET", page + path, None
        if seat != "kiosk":  # the API tells the host everything; on the kiosk it stays under the cover
            for path in ("", "/asks", "/odds", "/odds?about=hits", "/export", "/seats"):
                yield "GET", api + path, None
            yield from (("GET", f"{api}/asks/{ask.address}", None) for ask in self.table.asks)
        for asked in ("", *(s.key for s in self.table.game.seats(self.table.state))):  # nobody gets another seat's
            yield "GET", f"{page}/print/again.txt?seat={asked}", None
        for piece in self.table.game.view(self.table.state, "", self.table.context).pieces:
            yield "GET", f"{page}/piece/{piece.key}", None
        yield from self._records(page, seat)
        yield from self._tries(api, seat)

    def _records(self, page: str, seat: str) -> Iterator[tuple[str, str, Any]]:
        """The last acts: their results, their slips, and what is asked to mend them."""
        for record in self.table.records[-2:]:
            yield "GET", f"{page}/result/{record.number}", None
            yield "GET", f"{page}/rule/{record.number}", None
            yield "GET", f"/api/tables/{self.table.key}/print/slip.txt?number={record.number}", None
            for address in record.answers if seat != "kiosk" else ():
                if record.by.get(address) != seat or address.rsplit("/", 1)[-1].startswith("draw"):
                    yield "GET", f"{page}/amend/{record.number}?at={address}", None

    def _tries(self, api: str, seat: str) -> Iterator[tuple[str, str, Any]]:
        """What a seat may try that is not its own to do; none of it may change anything or say more."""
        if seat == "kiosk":
            return
        for ask in self.table.asks:
            if ask.seat not in ("", seat):
                yield "POST", f"{api}/asks/{ask.address}", {"choices": ["HL", "tit"]}
        for act in self.table.due().acts if not self.table.asks else ():
            if act.seat not in ("", seat):
                yield "POST", f"{api}/acts", {"act": act.key}
            elif act.sealed:
                yield "POST", f"{api}/acts", {"act": act.key, "inputs": {next(iter(act.sealed)): {}}}
        for record in self.table.records[-2:]:
            for address, by in record.by.items():
                if by != seat:
                    tried = {"number": record.number, "address": address, "value": ["HL"], "reason": "a try"}
                    yield "POST", f"{api}/amend", tried
        if any(r.secret for r in self.table.played[-1:]) or any("@" in a for r in self.table.played[-1:] for a in r.by):
            yield "POST", f"{api}/undo", {"acts": 1, "fresh": True}


def printed(room: Room, seat: str) -> dict[str, bytes]:
    """Every paper of the game as this seat gets it."""
    found = {}
    for paper in room.table.game.papers.values():
        kind, fields = f"{room.table.game.key}.{paper.key}", {"table": room.table.key, "seat": seat}
        found[kind] = text.render(papers.document(room.tables, kind, fields), 48).encode()
    return found


def same(one: Mapping[str, bytes], other: Mapping[str, bytes], hidden: str) -> None:
    """Alike to the last byte; what differs is shown."""
    assert one.keys() == other.keys()
    for asked, was in one.items():
        assert other[asked] == was, f"{hidden}: {asked}\n{was.decode()}\n--- but ---\n{other[asked].decode()}"
