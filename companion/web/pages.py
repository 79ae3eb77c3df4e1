"""The pages of kiosk and phones: one question a screen, rendered here, swapped live, working without scripts too."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from companion.game import chances, registry, views
from companion.game.errors import CompanionError, NotNow, NotYours, UsageError
from companion.game.table import HOST, Table
from companion.game.tables import seat_key
from companion.web.api import Api, Given, Handler
from companion.web.identity import Caller, is_kiosk
from companion.web.words import WORDS
from printouts import qr

YEAR = 365 * 24 * 3600


@cache
def _templates() -> Environment:
    env = Environment(
        loader=PackageLoader("companion.web"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, auto_reload=False,
    )  # fmt: skip
    env.globals.update(w=WORDS, qr=_code, once=lambda: secrets.token_urlsafe(9), q=lambda text: quote(text, safe=""))
    return env


def _code(link: str) -> str:
    from markupsafe import Markup

    return Markup(qr.svg(link, 40.0)) if link else Markup("")


class Pages:
    """Handlers of the pages; what they do they do through the API's own commands."""

    def __init__(self, api: Api) -> None:
        self.api, self.parts = api, api.parts

    # --- rendering

    def render(self, request: Request, template: str, *, status: int = 200, **values: Any) -> Response:
        """A whole page, or only its main part when a live page asks for that."""
        kiosk = is_kiosk(request, self.parts.config)
        values = {
            "kiosk": kiosk,
            "build": self.parts.version,
            "theme": request.cookies.get("theme", self.parts.config.theme),
            "large": request.cookies.get("large", "") == "1",
            "part": request.headers.get("x-part") == "main",
            "here": request.url.path,
            "table": None,
            "rehearsal": self.parts.rehearsal is not None,
            "version": 0,
            **values,
        }
        html = _templates().get_template(template).render(values)
        return HTMLResponse(html, status, headers={"vary": "x-part", "x-version": str(values["version"])})

    def refused(self, request: Request, error: CompanionError) -> Response:
        """The sentence on a page of its own, with the way back."""
        violations = getattr(error, "violations", ())
        back = request.headers.get("referer", "/") if request.method == "POST" else "/"
        key = request.path_params.get("table", "")
        if key and request.method == "POST":
            back = f"/e/{key}"
        status = 409 if isinstance(error, NotNow) else 403 if isinstance(error, NotYours) else 400
        return self.render(
            request, "refused.html", status=status, error=str(error), violations=violations, back=_local(back)
        )

    # --- pages

    async def home(self, request: Request) -> Response:
        """Tables to continue, games to begin."""

        def listed() -> dict[str, Any]:
            tables = [self.parts.tables.get(key) for key in self.parts.tables.listed()[:12]]
            rows = [
                {"key": t.key, "name": t.name, "title": t.game.title, "phase": t.due().phase, "away": t.put_away}
                for t in tables
            ]
            return {"tables": rows, "games": [{"key": g.key, "title": g.title} for g in registry.games()]}

        who = self.api.who(request, None)
        found = await self.parts.run(listed)
        return self.render(request, "home.html", who=who, base=self.parts.base_url(), **found)

    async def begin(self, request: Request) -> Response:
        if not self.api.who(request, None).host:
            raise NotYours("Only the kiosk or the host begins a game.")
        form = await _form(request)
        table = await self.parts.run(self.parts.tables.new, form.get("game", ""), preset=form.get("preset", ""))
        return _to(f"/e/{table.key}")

    async def table(self, request: Request) -> Response:
        """The table; for the one who is asked the ask, and after it the result until Next is touched."""
        table = await self.api.table(request)
        key = request.query_params.get("k", "")
        if key:
            return self._sit(table, key)
        who = self.api.who(request, table)
        view = await self.parts.run(views.view, table, who.seat)
        screen = self._screen(request, table, view, who)
        values: dict[str, Any] = {}
        if screen == "ask" and view["open"]:
            values["odds"] = await self.parts.run(chances.of_open_act, table, who.seat)
        return self._at_table(request, table, view, who, f"{screen}.html", **values)

    def _sit(self, table: Table, key: str) -> Response:
        """Swap a seat's key for a cookie and take it out of the address."""
        response = _to(f"/e/{table.key}")
        response.set_cookie(f"seat_{table.key}", key, httponly=True, samesite="lax", max_age=YEAR)
        return response

    def _screen(self, request: Request, table: Table, view: Mapping[str, Any], who: Caller) -> str:
        if request.query_params.get("screen") == "table":
            return "table"
        if view["open"]:
            return "ask" if any(ask["mine"] for ask in view["open"]["asks"]) else "table"
        last, seen = view["last"], request.cookies.get(f"seen_{table.key}", "0")
        fresh = bool(last) and last["latest"] and not last["undone"] and seen != f"{last['slip']}"
        return "result" if fresh and who.seat else "table"

    def _at_table(
        self, request: Request, table: Table, view: Mapping[str, Any], who: Caller, name: str, **values: Any
    ) -> Response:
        link = self.link(table)
        return self.render(
            request,
            name,
            table=table.key,
            name=table.name,
            v=view,
            who=who,
            version=view["version"],
            link=link,
            **values,
        )

    def link(self, table: Table) -> str:
        """The spectator's address of a table, or '' while no phone can reach the Pi."""
        base = self.parts.base_url()
        return f"{base}/e/{table.key}" if base else ""

    async def piece(self, request: Request) -> Response:
        """What one piece can do now; what is barred says why."""
        table = await self.api.table(request)
        who = self.api.who(request, table)
        view = await self.parts.run(views.view, table, who.seat)
        wanted = request.path_params["piece"]
        piece = next((p for p in view["view"]["pieces"] if p["key"] == wanted), None)
        if piece is None:
            raise UsageError("There is no such piece on this table.")
        acts = [a for a in view["acts"] if a["about"][:1] == [wanted]]
        return self._at_table(request, table, view, who, "piece.html", piece=piece, acts=acts)

    async def result(self, request: Request) -> Response:
        table = await self.api.table(request)
        who = self.api.who(request, table)

        def found() -> tuple[dict[str, Any], dict[str, Any]]:
            record = table.record(request.path_params["number"])
            if not record.slip:
                raise NotNow("That act is not finished.")
            return views.view(table, who.seat), views.result_data(table, record)

        view, result = await self.parts.run(found)
        return self._at_table(request, table, {**view, "last": result}, who, "result.html")

    async def log(self, request: Request) -> Response:
        table = await self.api.table(request)
        who = self.api.who(request, table)
        view = await self.parts.run(views.view, table, who.seat)
        return self._at_table(request, table, view, who, "log.html")

    async def seats(self, request: Request) -> Response:
        """A QR for each seat; only where the host stands."""
        table = await self.api.table(request)
        who = self.api.who(request, table)
        if not who.host:
            raise NotYours("Only the kiosk or the host hands out seats.")
        base = self.link(table)
        rows = await self.parts.run(
            lambda: [(s.title, f"{base}?k={seat_key(table, s.key)}") for s in table.game.seats(table.state)]
        )
        view = await self.parts.run(views.view, table, who.seat)
        return self._at_table(request, table, view, who, "seats.html", rows=rows if base else [])

    # --- what a touch does

    async def act(self, request: Request) -> Response:
        table = await self.api.table(request)
        form = await _form(request)
        seat = self.api.acting(request, table)
        await self.parts.run(table.open, form.get("act", ""), seat=seat, key=form.get("once", "")[:80])
        return _to(f"/e/{table.key}")

    async def answer(self, request: Request) -> Response:
        table = await self.api.table(request)
        form = await _form(request)
        seat = self.api.acting(request, table)
        given = _given(form)
        await self.parts.run(self.api.answer, table, form.get("address", ""), given, seat)
        return _to(f"/e/{table.key}")

    async def next(self, request: Request) -> Response:
        """This screen has seen the result."""
        table = await self.api.table(request)
        form = await _form(request)
        response = _to(f"/e/{table.key}")
        response.set_cookie(f"seen_{table.key}", form.get("slip", "0")[:12], samesite="lax", max_age=YEAR)
        return response

    async def undo(self, request: Request) -> Response:
        table = await self.api.table(request)
        form = await _form(request)
        seat = self.api.acting(request, table)
        if form.get("redo"):
            await self.parts.run(table.redo, seat=seat)
        else:
            agreed = HOST if seat == HOST else ""
            await self.parts.run(table.undo, seat=seat, agreed=agreed, key=form.get("once", "")[:80])
        return _to(f"/e/{table.key}")

    async def print_slip(self, request: Request) -> Response:
        table = await self.api.table(request)
        form = await _form(request)
        self.api.acting(request, table)
        number = form.get("number", "0")
        copy = form.get("copy", "1") == "1"
        text = await self.parts.run(
            self.parts.printing.slip, table, int(number) if number.isdecimal() else 0, copy=copy
        )
        return self.render(
            request, "said.html", text=text, back=f"/e/{table.key}", table=table.key, version=table.version
        )

    async def rehearse(self, request: Request) -> Response:
        """Throw the demonstration's tower; the dice come in as from a real one."""
        table = await self.api.table(request)
        self.api.acting(request, table)
        if self.parts.rehearsal is None:
            raise NotNow("There is no virtual tower: start with --demo.")
        asks = await self.parts.run(table.open_asks)
        self.parts.rehearsal.throw(asked=len(asks[0].open_slots) if asks else 2)
        return _to(f"/e/{table.key}")

    async def look(self, request: Request) -> Response:
        """Theme and large type, remembered by this screen."""
        form = await _form(request)
        response = _to(_local(form.get("back", "/")))
        if form.get("theme") in ("dark", "light", "sunlight"):
            response.set_cookie("theme", form["theme"], samesite="lax", max_age=YEAR)
        if form.get("large") in ("0", "1"):
            response.set_cookie("large", form["large"], samesite="lax", max_age=YEAR)
        return response

    def routes(self) -> list[Route]:
        rows: list[tuple[str, Handler, str]] = [
            ("/", self.home, "GET"),
            ("/begin", self.begin, "POST"),
            ("/look", self.look, "POST"),
            ("/e/{table}", self.table, "GET"),
            ("/e/{table}/piece/{piece}", self.piece, "GET"),
            ("/e/{table}/result/{number:int}", self.result, "GET"),
            ("/e/{table}/log", self.log, "GET"),
            ("/e/{table}/seats", self.seats, "GET"),
            ("/e/{table}/act", self.act, "POST"),
            ("/e/{table}/answer", self.answer, "POST"),
            ("/e/{table}/next", self.next, "POST"),
            ("/e/{table}/undo", self.undo, "POST"),
            ("/e/{table}/slip", self.print_slip, "POST"),
            ("/e/{table}/rehearse", self.rehearse, "POST"),
        ]
        return [Route(path, self._spoken(handler), methods=[method]) for path, handler, method in rows]

    def _spoken(self, handler: Handler) -> Handler:
        async def wrapped(request: Request) -> Response:
            try:
                return await handler(request)
            except CompanionError as error:
                return self.refused(request, error)

        return wrapped


def _given(form: Mapping[str, str]) -> Given:
    """One touch: a face, a choice, a held die, the machine's roll."""
    key = form.get("once", "")[:80]
    if form.get("roll"):
        return Given(roll=True, key=key)
    if form.get("void"):
        return Given(void=form["void"], reason=form.get("reason", "cocked"), key=key)
    for held in ("settle", "refuse"):
        if form.get(held, "").isdecimal():
            number = int(form[held])
            return Given(settle=number, key=key) if held == "settle" else Given(refuse=number, reason="cocked", key=key)
    if form.get("slot"):
        return Given(faces={form["slot"]: form.get("face", "")}, key=key)
    if form.get("some"):
        return Given(choices=[part for part in form["some"].split("|") if part], key=key)
    return Given(value=form.get("value", ""), key=key)


def _to(path: str) -> Response:
    return RedirectResponse(path, 303)


def _local(path: str) -> str:
    """Only a path of this site: never a way out."""
    return path if path.startswith("/") and not path.startswith("//") and "\\" not in path else "/"


async def _form(request: Request) -> dict[str, str]:
    """The fields of a plain form; repeated ones are joined by a bar."""
    from urllib.parse import parse_qsl

    raw = (await request.body()).decode("utf-8", "replace")
    found: dict[str, str] = {}
    for name, value in parse_qsl(raw, keep_blank_values=True, max_num_fields=200):
        found[name] = f"{found[name]}|{value}" if name in found else value
    return found
