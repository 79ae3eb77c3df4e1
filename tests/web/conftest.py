"""The application on a data folder of its own, with a toy game, asked by kiosk and by phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from companion import lan
from companion.config import Config
from companion.game import registry
from companion.game.table import Table
from companion.game.tables import Tables, seat_key
from companion.web.app import create_app
from companion.web.parts import Parts
from tests.game.toy import GAME

PI = "192.168.1.23:8080"
PIN = "2468"


class Till:
    """Remembers which slips it was asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, bool]] = []
        self.sent: list[tuple[str, str, dict[str, str]]] = []
        self.settled: list[tuple[int, str]] = []
        self.held = {"id": 7, "state": "held", "title": "slip 0001", "note": "", "kind": "slip"}

    def slip(self, table: Table, number: int, *, copy: bool = False) -> str:
        self.asked.append((number, copy))
        return "On its way."

    def states(self, table: str = "") -> Sequence[Mapping[str, Any]]:
        return [{"name": "till", "text": "ready", "paper": "ok", "queued": 0, "held": 0}]

    def paper(self, printer: str, kind: str, fields: Mapping[str, str]) -> int:
        self.sent.append((printer, kind, dict(fields)))
        return len(self.sent)

    def jobs(self) -> Sequence[Mapping[str, Any]]:
        return [self.held]

    def settle(self, job: int, answer: str, key: str = "") -> None:
        self.settled.append((job, answer))


class Clock:
    """A clock that nobody has set."""

    is_set = False

    def __init__(self) -> None:
        self.told: list[float] = []

    def now(self) -> float:
        return 1_750_000_000.0

    def set(self, to: float) -> str:
        self.told.append(to)
        return "The clock of the Pi is set."


class Host:
    """Remembers what was touched in on the page of the first evening."""

    def __init__(self) -> None:
        self.wall = Clock()
        self.done: list[tuple[str, ...]] = []
        self.own_wifi = "none"
        self.going: dict[str, Any] | None = None

    def slip_asks(self, printer: str) -> Mapping[str, Any]:
        if printer != "till":
            raise KeyError(printer)
        return {
            "columns": [(32, True), (48, False)], "dots": [(384, True), (576, False)],
            "pages": [(0, "cp437", "éñß", True), (17, "cp866", "ЙЖ", False)],
            "native_qr": False, "cuts": False, "distances": [(30, False), (3, False)],
        }  # fmt: skip

    def read_off(self, printer: str, what: str, value: str) -> None:
        self.done.append(("read", printer, what, value))

    def loose_printers(self) -> list[str]:
        return ["/dev/usb/lp3"]

    def keep_printer(self, address: str) -> None:
        self.done.append(("printer", address))

    def keep_backs(self, right: float, down: float) -> None:
        self.done.append(("backs", f"{right:g}", f"{down:g}"))

    def keep_wifi(self, name: str, password: str) -> None:
        self.done.append(("wifi", name, password))

    def make_pin(self) -> str:
        return "135790"

    def hotspot(self) -> str:
        return self.own_wifi

    def switch_hotspot_on(self) -> str:
        self.done.append(("hotspot",))
        return "It is on."

    def ports(self) -> list[str]:
        return ["/dev/serial/by-id/usb-Acme_Die"]

    def begin_lesson(self, port: str, name: str, baud: int) -> None:
        self.done.append(("begin", port, name, str(baud)))

    def lesson(self) -> Mapping[str, Any] | None:
        return self.going

    def lesson_face(self, face: str) -> None:
        self.done.append(("face", face))

    def lesson_kind(self, kind: str) -> None:
        self.done.append(("kind", kind))

    def keep_lesson(self) -> None:
        self.done.append(("keep",))

    def end_lesson(self) -> None:
        self.done.append(("end",))


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    real, keys = registry.game, registry.keys
    monkeypatch.setattr(registry, "game", lambda key: GAME if key == "toy" else real(key))
    monkeypatch.setattr(registry, "keys", lambda: (*keys(), "toy"))
    title = registry.title
    monkeypatch.setattr(registry, "title", lambda key: GAME.title if key == "toy" else title(key))
    folder = registry.folder
    monkeypatch.setattr(registry, "folder", lambda key: str(Path(__file__).parent) if key == "toy" else folder(key))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def config() -> Config:
    return Config(pin=PIN, trusted_proxies=["10.0.0.9"])


@pytest.fixture
def till() -> Till:
    return Till()


@pytest.fixture
def host() -> Host:
    return Host()


@pytest.fixture
def parts(tmp_path: Path, config: Config, till: Till, host: Host) -> Iterator[Parts]:
    tables = Tables(tmp_path / "data")
    wlan = [("wlan0", PI.split(":")[0])]
    made = Parts(
        config,
        tables,
        base_url=lambda: lan.base_url(config.public_url, config.port, wlan),
        roll=lambda faces: faces,
        printing=till,
        dice=lambda table: [],
        version="1.0",
        host=host,
    )
    yield made
    made.worker.shutdown()
    tables.close()


@pytest.fixture
def table(parts: Parts) -> Table:
    return parts.tables.new("toy")


@pytest.fixture
def app(parts: Parts) -> Starlette:
    return create_app(parts)


Ask = Callable[..., TestClient]


@pytest.fixture
def ask(app: Starlette) -> Iterator[Ask]:
    """A browser at an address: `ask("192.168.1.50")` is a phone."""
    opened: list[TestClient] = []

    def made(peer: str, host: str = PI, **headers: str) -> TestClient:
        client = TestClient(app, base_url=f"http://{host}", client=(peer, 5000), headers=headers)
        opened.append(client.__enter__())
        return client

    yield made
    for client in opened:
        client.__exit__(None, None, None)


@pytest.fixture
def kiosk(ask: Ask) -> TestClient:
    return ask("127.0.0.1", "localhost:8080")


@pytest.fixture
def phone(ask: Ask) -> TestClient:
    return ask("192.168.1.50")


@pytest.fixture
def ann(ask: Ask, table: Table) -> TestClient:
    """A phone that has scanned the QR of seat `ann`."""
    client = ask("192.168.1.51")
    assert client.get(f"/e/{table.key}?k={seat_key(table, 'ann')}").status_code == 200
    return client
