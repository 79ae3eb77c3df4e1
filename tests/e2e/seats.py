"""Players at a table: each acts through HTTP with the key of its own seat, and knows what that seat is sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any

from playwright.sync_api import Browser, Page

from tests.e2e.conftest import PATIENCE_MS, PHONE
from tests.e2e.daemon import Daemon

Json = dict[str, Any]
Liking = Callable[[Mapping[str, Any]], float]
Answering = Callable[[Mapping[str, Any], Random], Json]

REFUSED = (409, 422)
"""The table says why not: somebody was faster, or the rules forbid it."""


class Player:
    """One seat. Everything it does goes by its own view and asks, from its own browser session once it has one."""

    def __init__(self, daemon: Daemon, table: str, seat: str, key: str) -> None:
        self.daemon, self.table, self.seat, self.key = daemon, table, seat, key
        self.cookie = ""
        self.link = f"{daemon.spectator}/e/{table}?k={key}"

    def view(self) -> Json:
        status, found = self._ask("GET", "")
        assert status == 200
        assert found["seat"] == self.seat
        return dict(found)

    def asks(self) -> list[Json]:
        """What this seat is asked now."""
        view = self.view()
        return [a for a in view["open"]["asks"] if a["mine"]] if view["open"] else []

    def act(self, key: str) -> None:
        self._post("acts", {"act": key}, (201,))

    def answer(self, address: str, **given: Any) -> None:
        self._post(f"asks/{address}", given, (200,))

    def try_answer(self, address: str, **given: Any) -> bool:
        """Whether the rules allow it."""
        return self._post(f"asks/{address}", given, (200, *REFUSED)) == 200

    def undo(self) -> tuple[int, Any]:
        return self._ask("POST", "/undo", {})

    def _post(self, path: str, body: Json, allowed: Sequence[int]) -> int:
        status, said = self._ask("POST", f"/{path}", body)
        assert status in allowed, (self.seat, path, body, said)
        return status

    def _ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """As the browser session that has taken the seat, by its cookie; without one by the key of the seat."""
        path, phone = f"/api/tables/{self.table}{path}", self.daemon.spectator.split("//")[1]
        if not self.cookie:
            return self.daemon.ask(method, path, body, seat=self.key)
        return self.daemon.ask(method, path, body, headers={"Host": phone, "Cookie": self.cookie})


def seated(daemon: Daemon, game: str, setup: Json, **more: Any) -> dict[str, Player]:
    """A new table and a player for each seat; the host's key stays with the host."""
    status, made = daemon.ask("POST", "/api/tables", {"game": game, "setup": setup, **more})
    assert status == 201, made
    return {s: Player(daemon, made["table"], s, key) for s, key in made["keys"].items() if s != "host"}


def step(player: Player, rng: Random, answering: Answering, liking: Liking) -> bool:
    """Answer one ask of this seat, or begin an act of its own; False where it has nothing to do now."""
    view = player.view()
    if view["open"]:
        mine = [a for a in view["open"]["asks"] if a["mine"]]
        for ask in mine[:1]:
            given = {"roll": True} if ask["dice"] else answering(ask, rng)
            while not player.try_answer(ask["address"], **given):
                given = answering(ask, rng)
        return bool(mine)
    acts = [a for a in view["acts"] if a["mine"] and not a["barred"] and liking(a) > 0]
    if not acts or view["over"]:
        return False
    acts = [a for a in acts if a["must"]] or acts
    player.act(rng.choices(acts, [liking(a) for a in acts])[0]["key"])
    return True


def play(
    players: Mapping[str, Player], rng: Random, answering: Answering, liking: Liking, until: Callable[[Json], bool]
) -> Json:
    """The seats play in turn until their table is where it should be; the view of the first of them then."""
    first = next(iter(players.values()))
    for _ in range(5000):
        view = first.view()
        if until(view):
            return view
        busy = [step(p, rng, answering, liking) for p in players.values()]
        assert any(busy), "nobody has anything to do"
    raise AssertionError("the game does not come there")


def allowed(ask: Mapping[str, Any]) -> list[str]:
    return [o["key"] for o in ask["space"]["options"] if not o["barred"]]


@contextmanager
def phones(browser: Browser, players: Mapping[str, Player]) -> Iterator[dict[str, Page]]:
    """A phone for each seat, a browser session of its own, its seat taken by the link of its QR."""
    contexts = {seat: browser.new_context(viewport=PHONE, has_touch=True) for seat in players}  # type: ignore[arg-type]
    errors: list[str] = []
    pages = {}
    for seat, context in contexts.items():
        page = pages[seat] = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(players[seat].link)
        assert players[seat].key not in page.url
        held = context.cookies()
        players[seat].cookie = "; ".join(f"{c['name']}={c['value']}" for c in held)  # type: ignore[typeddict-item]
        assert players[seat].cookie
    yield pages
    for seat, context in contexts.items():
        players[seat].cookie = ""
        context.close()
    assert errors == []
