"""The HTTP API: the same views and commands as the pages, as JSON."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from companion.game import chances, registry, views
from companion.game.errors import CompanionError, Illegal, NoTable, NotNow, NotYours, StorageFailed, UsageError
from companion.game.table import BY_HAND, HOST, Table
from companion.game.tables import export, import_into, seat_key
from companion.web.identity import Caller, Pin, caller, is_kiosk
from companion.web.live import MOST, Hub
from companion.web.parts import Parts
from companion.web.words import SAYS

Handler = Callable[[Request], Awaitable[Response]]


class NewTable(msgspec.Struct, forbid_unknown_fields=True):
    game: str
    setup: dict[str, Any] | None = None
    name: str = ""
    switches: dict[str, Any] = {}
    preset: str = ""
    house: str = "use"


class NewAct(msgspec.Struct, forbid_unknown_fields=True):
    act: str
    inputs: dict[str, Any] = {}
    seat: str = ""
    key: str = ""


class Given(msgspec.Struct, forbid_unknown_fields=True):
    """One answer; `roll` lets the machine throw the open dice, `void` takes one die back, `settle` uses a held one."""

    faces: dict[str, Any] | list[Any] | None = None
    choice: Any = None
    choices: list[Any] | None = None
    fact: Any = None
    value: Any = None
    cards: list[str] | int | None = None
    roll: bool = False
    void: str = ""
    settle: int = 0
    refuse: int = 0
    reason: str = ""
    seat: str = ""
    key: str = ""


class Rehearse(msgspec.Struct, forbid_unknown_fields=True):
    """`throw`: faces by the tower's dice, {} for any; `faults`: the list that `serve --faults` takes."""

    throw: dict[str, int] | None = None
    faults: str | None = None


class Undo(msgspec.Struct, forbid_unknown_fields=True):
    """`last` is the number of the act that is to be taken back first: refused where another has been faster."""

    acts: int = 1
    last: int = 0
    agreed: str = ""
    fresh: bool = False
    redo: bool = False
    key: str = ""


class Amend(msgspec.Struct, forbid_unknown_fields=True):
    number: int
    address: str
    reason: str
    faces: dict[str, Any] | None = None
    value: Any = None


class Ruling(msgspec.Struct, forbid_unknown_fields=True):
    reason: str
    changes: list[dict[str, Any]] = []
    number: int = 0
    word: str = ""
    agreed: str = ""


STATUS: tuple[tuple[type[CompanionError], int], ...] = (
    (NoTable, 404),
    (NotYours, 403),
    (NotNow, 409),
    (StorageFailed, 507),
    (Illegal, 422),
    (UsageError, 400),
)


def failure(error: CompanionError) -> JSONResponse:
    """One plain sentence, and every violation with code and rule."""
    status = next((code for kind, code in STATUS if isinstance(error, kind)), 400)
    body: dict[str, Any] = {"error": str(error)}
    if isinstance(error, Illegal):
        body["violations"] = [views.barred_data(v) for v in error.violations]
    return JSONResponse(body, status)


def guarded(handler: Handler) -> Handler:
    async def wrapped(request: Request) -> Response:
        try:
            return await handler(request)
        except CompanionError as error:
            return failure(error)

    return wrapped


class Api:
    """The handlers of `/api`. `commands` do what pages do too."""

    def __init__(self, parts: Parts, hub: Hub, pin: Pin, build: str) -> None:
        self.parts, self.hub, self.pin, self.build = parts, hub, pin, build

    # --- shared with the pages

    def who(self, request: Request, table: Table | None) -> Caller:
        return caller(request, self.parts.config, table, self.pin.host_key)

    def acting(self, request: Request, table: Table, wanted: str = "") -> str:
        """The seat that acts; the host may say for whom."""
        who = self.who(request, table)
        if not who.seat:
            raise NotYours(SAYS.only_watching)
        if wanted and wanted != who.seat and not who.host:
            raise NotYours(SAYS.other_key)
        return wanted or who.seat

    async def table(self, request: Request) -> Table:
        return await self.parts.run(self.parts.tables.get, request.path_params["table"])

    def answer(self, table: Table, address: str, given: Given, seat: str) -> None:
        """Everything that can be done with an open ask."""
        if given.void:
            table.void(address, given.void, seat=seat, reason=given.reason or "void")
        elif given.settle:
            table.settle(given.settle)
        elif given.refuse:
            table.refuse(given.refuse, seat=seat, reason=given.reason or "void")
        elif given.roll:
            self.roll(table, address, seat, given.key)
        else:
            table.answer(address, _one(given), seat=seat, source=BY_HAND, key=given.key)

    def roll(self, table: Table, address: str, seat: str, key: str = "") -> None:
        """Software dice: drawn now, from the operating system, for the slots that are open."""
        with table.mutex:
            if key and key in table.keys:
                return
            ask = next((a for a in table.open_asks() if a.address == address), None)
            if ask is None or ask.dice is None:
                raise NotNow(SAYS.no_dice_asked.format(address=address))
            faces = {
                slot.name: slot.die.faces[self.parts.roll(len(slot.die.faces)) - 1].name
                for slot in ask.dice.slots
                if slot.name in ask.open_slots
            }
            table.answer(address, faces, seat=seat, source="software", key=key)

    # --- handlers

    async def games(self, _request: Request) -> Response:
        def listed() -> list[dict[str, Any]]:
            return [
                {"key": g.key, "title": g.title, "version": g.version, "procedures": sorted(g.procedures)}
                for g in registry.games()
            ]

        return JSONResponse(await self.parts.run(listed))

    async def tables(self, request: Request) -> Response:
        if request.method == "POST":
            return await self.create(request)

        def listed() -> list[dict[str, Any]]:
            found = map(self.parts.tables.summary, self.parts.tables.listed())
            return [{"table": t.key, "name": t.name, "game": t.game, "version": t.version} for t in found]

        return JSONResponse(await self.parts.run(listed))

    async def create(self, request: Request) -> Response:
        if not self.who(request, None).host:
            raise NotYours(SAYS.only_host_begins)
        new = await body(request, NewTable)
        table = await self.parts.run(
            self.parts.tables.new,
            new.game,
            new.setup,
            name=new.name[:40],
            switches=new.switches,
            preset=new.preset,
            house=new.house,
        )
        keys = {s.key: seat_key(table, s.key) for s in table.game.seats(table.state)} | {HOST: seat_key(table, HOST)}
        return JSONResponse({"table": table.key, "name": table.name, "version": table.version, "keys": keys}, 201)

    async def state(self, request: Request) -> Response:
        table = await self.table(request)
        since = request.query_params.get("since", "")
        if since.isdecimal() and int(since) == table.version:
            return Response(status_code=304)
        seat = self.who(request, table).seat
        return JSONResponse(await self.parts.run(views.view, table, seat))

    async def events(self, request: Request) -> Response:
        table = await self.table(request)
        if self.hub.count >= MOST:
            return JSONResponse({"error": SAYS.too_many_pages}, 503)
        stream = self.hub.follow(table, self.build, watches=not self.who(request, table).seat)
        return StreamingResponse(stream, media_type="text/event-stream", headers={"x-accel-buffering": "no"})

    async def act(self, request: Request) -> Response:
        table = await self.table(request)
        new = await body(request, NewAct)
        seat = self.acting(request, table, new.seat)
        key = request.headers.get("idempotency-key", new.key)[:80]
        number = await self.parts.run(table.open, new.act, seat=seat, key=key, inputs=new.inputs)
        return JSONResponse({"number": number, "version": table.version}, 201)

    async def asks(self, request: Request) -> Response:
        table = await self.table(request)
        seat = self.who(request, table).seat
        view = await self.parts.run(views.view, table, seat)
        return JSONResponse(view["open"]["asks"] if view["open"] else [])

    async def ask(self, request: Request) -> Response:
        table = await self.table(request)
        address = request.path_params["address"]
        if request.method == "POST":
            given = await body(request, Given)
            given.key = request.headers.get("idempotency-key", given.key)[:80]
            seat = self.acting(request, table, given.seat)
            await self.parts.run(self.answer, table, address, given, seat)
            return JSONResponse({"version": table.version})
        view = await self.parts.run(views.view, table, self.who(request, table).seat)
        found = [a for a in (view["open"] or {"asks": []})["asks"] if a["address"] == address]
        if not found:
            raise NotNow(SAYS.not_asked.format(address=address[:80]))
        return JSONResponse(found[0])

    async def odds(self, request: Request) -> Response:
        table = await self.table(request)
        if table.settings.get("odds") == "off":
            raise NotNow(SAYS.no_odds_here)
        seat = self.who(request, table).seat
        about = request.query_params.get("about", "")
        return JSONResponse(await self.parts.run(chances.of_open_act, table, seat, about))

    async def undo(self, request: Request) -> Response:
        table = await self.table(request)
        wish = await body(request, Undo)
        seat = self.acting(request, table)
        if wish.redo:
            acts = await self.parts.run(table.redo, seat=seat)
        else:
            key = request.headers.get("idempotency-key", wish.key)[:80]
            acts = await self.parts.run(
                table.undo, seat=seat, agreed=self._agreed(request, table, wish.agreed), acts=wish.acts,
                fresh=wish.fresh, key=key, last=wish.last,
            )  # fmt: skip
        return JSONResponse({"acts": acts, "version": table.version})

    def _agreed(self, request: Request, table: Table, agreed: str) -> str:
        """Only the host can speak for another seat; a seat's own word is no agreement."""
        return agreed if self.who(request, table).host else ""

    async def amend(self, request: Request) -> Response:
        table = await self.table(request)
        wish = await body(request, Amend)
        seat = self.acting(request, table)
        given = wish.faces if wish.faces is not None else wish.value
        await self.parts.run(table.amend, wish.number, wish.address, given, seat=seat, reason=wish.reason)
        return JSONResponse({"version": table.version})

    async def rule(self, request: Request) -> Response:
        table = await self.table(request)
        wish = await body(request, Ruling)
        seat = self.acting(request, table)
        agreed = self._agreed(request, table, wish.agreed)
        await self.parts.run(
            table.rule, wish.changes, seat=seat, reason=wish.reason, agreed=agreed, number=wish.number, word=wish.word
        )
        return JSONResponse({"version": table.version})

    async def seats(self, request: Request) -> Response:
        table = await self.table(request)
        if not self.who(request, table).host:
            raise NotYours(SAYS.only_host_seats)
        seats = [
            {"seat": s.key, "title": s.title, "key": seat_key(table, s.key)} for s in table.game.seats(table.state)
        ]
        return JSONResponse(seats)

    async def export(self, request: Request) -> Response:
        table = await self.table(request)
        if not self.who(request, table).host:
            raise NotYours(SAYS.only_host_exports)
        data = await self.parts.run(export, table)
        headers = {"content-disposition": f'attachment; filename="{table.key}.jsonl"'}
        return Response(data, media_type="application/jsonl", headers=headers)

    async def take_in(self, request: Request) -> Response:
        if not self.who(request, None).host:
            raise NotYours(SAYS.only_host_imports)
        table = await self.parts.run(import_into, self.parts.tables, await request.body())
        return JSONResponse({"table": table.key, "name": table.name, "version": table.version}, 201)

    async def printers(self, request: Request) -> Response:
        return JSONResponse(await self.parts.run(self.parts.printing.states, request.query_params.get("table", "")))

    async def rehearse(self, request: Request) -> Response:
        """Throw the demonstration's tower, or switch its faults."""
        if not self.who(request, None).host:
            raise NotYours(SAYS.only_host_rehearses)
        if self.parts.rehearsal is None:
            raise NotNow(SAYS.no_tower)
        wish = await body(request, Rehearse)
        if wish.faults is not None:
            self.parts.rehearsal.switch(wish.faults)
        if wish.throw is not None:
            self.parts.rehearsal.throw(wish.throw or None, asked=await self.parts.run(self._asked))
        return JSONResponse({"done": True})

    def _asked(self) -> int:
        """Dice that the table played last still asks for."""
        table = self.parts.tables.latest()
        return len(table.open_asks()[0].open_slots) if table and table.open_asks() else 2

    async def host(self, request: Request) -> Response:
        """Enter the PIN, or unlock it from the kiosk."""
        if is_kiosk(request, self.parts.config):
            self.pin.unlock()
            return JSONResponse({"host": True})
        given = await body(request, PinGiven)
        response = JSONResponse({"host": True})
        response.set_cookie("host", self.pin.enter(given.pin), httponly=True, samesite="strict", max_age=86400)
        return response

    def routes(self) -> list[Route]:
        """Every route of the API."""
        rows: list[tuple[str, Handler, list[str]]] = [
            ("/api/games", self.games, ["GET"]),
            ("/api/tables", self.tables, ["GET", "POST"]),
            ("/api/import", self.take_in, ["POST"]),
            ("/api/printers", self.printers, ["GET"]),
            ("/api/host", self.host, ["POST"]),
            ("/api/rehearsal", self.rehearse, ["POST"]),
            ("/api/tables/{table}", self.state, ["GET"]),
            ("/api/tables/{table}/events", self.events, ["GET"]),
            ("/api/tables/{table}/acts", self.act, ["POST"]),
            ("/api/tables/{table}/asks", self.asks, ["GET"]),
            ("/api/tables/{table}/asks/{address:path}", self.ask, ["GET", "POST"]),
            ("/api/tables/{table}/odds", self.odds, ["GET"]),
            ("/api/tables/{table}/undo", self.undo, ["POST"]),
            ("/api/tables/{table}/amend", self.amend, ["POST"]),
            ("/api/tables/{table}/rule", self.rule, ["POST"]),
            ("/api/tables/{table}/seats", self.seats, ["GET"]),
            ("/api/tables/{table}/export", self.export, ["GET"]),
        ]
        return [Route(path, guarded(handler), methods=methods) for path, handler, methods in rows]


class PinGiven(msgspec.Struct, forbid_unknown_fields=True):
    pin: str


def _one(given: Given) -> Any:
    for value in (given.faces, given.choice, given.choices, given.fact, given.value, given.cards):
        if value is not None:
            return value
    raise UsageError(SAYS.empty_answer)


async def body(request: Request, kind: type[Any]) -> Any:
    """The JSON body as a typed value; a wrong one gives one sentence with its place."""
    raw = await request.body()
    try:
        return msgspec.json.decode(raw or b"{}", type=kind)
    except msgspec.MsgspecError as error:
        raise UsageError(SAYS.request_unfit.format(reason=str(error).rstrip("."))) from None
