"""What every page shares: rendering, whose eyes see it, and how a refusal looks."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Coroutine, Mapping
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import parse_qsl, quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from companion.game import history, offers, views
from companion.game.errors import CompanionError, NoTable, NotNow, NotYours, UsageError
from companion.game.table import Table
from companion.web.api import Api, Handler
from companion.web.identity import Caller, is_kiosk
from companion.web.situations import die_svg, svg
from companion.web.words import EXPLAIN, SAYS, SHORT, WORDS
from printouts import qr

YEAR = 365 * 24 * 3600
Row = tuple[str, Handler, str]
"""A path, what answers it, and its method."""

SETTINGS: Mapping[str, tuple[str, ...]] = {
    "odds": ("shown", "asked", "off"),
    "slips": ("each", "engagement", "asked", "off"),
    "length": ("full", "short"),
    "papers": ("each", "asked"),
    "teach": ("off", "on"),
    "sound": ("on", "silent"),
    "speech": ("off", "on"),
}
"""What a table may be set to beside the rules; the first is the default, but for slips, where the settings file is."""


@cache
def build(version: str) -> str:
    """Names exactly these pages and scripts: an open page of another build reloads itself once."""
    files = sorted(f for f in Path(__file__).parent.rglob("*") if f.suffix in (".html", ".css", ".js"))
    return f"{version}-{sha256(b''.join(f.read_bytes() for f in files)).hexdigest()[:8]}"


@cache
def _templates() -> Environment:
    env = Environment(
        loader=PackageLoader("companion.web"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, auto_reload=False,
    )  # fmt: skip
    env.filters["capitalize_first"] = lambda text: text[:1].upper() + text[1:]
    env.globals.update(
        w=WORDS, qr=_code, once=lambda: secrets.token_urlsafe(9), q=lambda text: quote(text, safe=""),
        short=lambda label: SHORT.get(label, label), explain=explain, die=die,
    )  # fmt: skip
    return env


def drawn(template: str, **values: Any) -> str:
    """A template with its values, as it goes into a page."""
    return _templates().get_template(template).render(values)


def _code(link: str) -> str:
    from markupsafe import Markup

    return Markup(qr.svg(link, 40.0)) if link else Markup("")


def die(asked: Mapping[str, Any]) -> str:
    """The die that is asked for, drawn."""
    from markupsafe import Markup

    return Markup(die_svg(asked["slot"], len(asked["faces"])))


def explain(ask: Mapping[str, Any]) -> str:
    """One sentence for a first game: by the role of the ask where there is one, else by its kind."""
    role = ask["role"]
    return EXPLAIN.get(role) or EXPLAIN.get(role.split(" ")[0].split(":")[0]) or EXPLAIN[ask["kind"]]


def picture(table: Table, ask: Mapping[str, Any], option: Mapping[str, Any]) -> str:
    """How it looks where this option is right; '' where there is nothing to see."""
    from markupsafe import Markup

    scene = offers.scene(table, ask, option)
    return Markup(svg(scene)) if scene else ""


Sight: TypeAlias = tuple[str, int, str, str, str]
"""Table, version, link, path of the proxy, query."""

Draw: TypeAlias = Callable[[Request], Coroutine[Any, Any, Response]]

SIGHTS = 16
"""Pages of spectators that are kept drawn."""


class Screens:
    """A group of pages; what they do they do through the API's own commands."""

    def __init__(self, api: Api) -> None:
        self.api, self.parts = api, api.parts
        self._sights: dict[Sight, asyncio.Task[Response]] = {}

    def rows(self) -> list[Row]:
        """The paths of this group."""
        raise NotImplementedError

    def routes(self) -> list[Route]:
        return [Route(path, self._spoken(handler), methods=[method]) for path, handler, method in self.rows()]

    # --- rendering

    def render(self, request: Request, template: str, *, status: int = 200, **values: Any) -> Response:
        """A whole page, or only its main part when a live page asks for that."""
        values = {
            "kiosk": is_kiosk(request, self.parts.config),
            "build": self.api.build,
            "root": request.scope.get("root_path", ""),
            "theme": request.cookies.get("theme", self.parts.config.theme),
            "large": request.cookies.get("large", "") == "1",
            "part": request.headers.get("x-part") == "main",
            "here": request.url.path,
            "table": None,
            "notices": self.parts.notices(),
            "rehearsal": self.parts.rehearsal is not None,
            "version": 0,
            "game": "",
            **values,
        }
        html = drawn(template, **values)
        return HTMLResponse(html, status, headers={"vary": "x-part", "x-version": str(values["version"])})

    def at_table(
        self, request: Request, table: Table, view: Mapping[str, Any], who: Caller, name: str, **values: Any
    ) -> Response:
        """A page of a table, with what waits for an agreement on top."""
        return self.render(
            request, name, table=table.key, name=table.name, v=view, who=who, link=self.link(table), wish=table.wish,
            version=view["version"] + self.api.hub.news, game=table.game.key,
            setting=lambda key: view["settings"].get(key) or self.default(key), picture=partial(picture, table),
            seat_title=partial(history.who, table), nicknames=hasattr(table.game, "nickname"),
            **values,
        )  # fmt: skip

    def default(self, key: str) -> str:
        return self.parts.config.slips if key == "slips" else SETTINGS[key][0]

    async def seen(self, request: Request) -> tuple[Table, Caller, dict[str, Any]]:
        """The table of the address, who asks, and what they may see."""
        table = await self.api.table(request)
        who = self.api.who(request, table)
        return table, who, await self.parts.run(views.view, table, who.eyes)

    def spectators_sight(self, request: Request) -> Sight | None:
        """What every spectator of a live page sees alike: it is drawn once however many phones follow."""
        table = self.parts.tables.known(request.path_params["table"])
        if table is None or request.headers.get("x-part") != "main" or self.api.who(request, table).seat:
            return None
        version = table.version + self.api.hub.news
        return table.key, version, self.link(table), request.scope.get("root_path", ""), request.url.query

    async def once_for_all(
        self, sight: Sight, draw: Callable[[Request], Coroutine[Any, Any, Response]], request: Request
    ) -> Response:
        """The page of this sight: the first who asks draws it, the others wait for the same."""
        if sight not in self._sights:
            while len(self._sights) >= SIGHTS:
                del self._sights[next(iter(self._sights))]
            self._sights[sight] = asyncio.create_task(draw(request))
        try:
            return await asyncio.shield(self._sights[sight])
        except Exception:
            self._sights.pop(sight, None)  # a page that could not be drawn is tried again
            raise

    def link(self, table: Table) -> str:
        """The spectator's address of a table, or '' while no phone can reach the Pi."""
        base = self.parts.base_url()
        return f"{base}/e/{table.key}" if base else ""

    def refused(self, request: Request, error: CompanionError) -> Response:
        """The sentence on a page of its own, with the way back."""
        key = request.path_params.get("table", "")
        back = f"/e/{key}" if key and not isinstance(error, NoTable) else "/"
        return self.render(
            request, "refused.html", status=status_of(error), error=str(error),
            violations=getattr(error, "violations", ()), back=back,
        )  # fmt: skip

    def _spoken(self, handler: Handler) -> Handler:
        async def wrapped(request: Request) -> Response:
            try:
                return await handler(request)
            except CompanionError as error:
                return self.refused(request, error)

        return wrapped

    def host_only(self, request: Request, table: Table | None, sentence: str) -> Caller:
        who = self.api.who(request, table)
        if not who.host:
            raise NotYours(sentence)
        return who


def status_of(error: CompanionError) -> int:
    kinds: tuple[tuple[type[CompanionError], int], ...] = ((NoTable, 404), (NotNow, 409), (NotYours, 403))
    return next((status for kind, status in kinds if isinstance(error, kind)), 400)


def to(path: str) -> Response:
    return RedirectResponse(path, 303)


def local(path: str) -> str:
    """Only a path of this site: never a way out."""
    return path if path.startswith("/") and not path.startswith("//") and "\\" not in path else "/"


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a plain form; repeated ones are joined by a bar."""
    raw = (await request.body()).decode("utf-8", "replace")
    found: dict[str, str] = {}
    for name, value in parse_qsl(raw, keep_blank_values=True, max_num_fields=200):
        found[name] = f"{found[name]}|{value}" if name in found else value
    return found


def piece_of(view: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """A piece on the table by its key; raises UsageError."""
    found: Mapping[str, Any] | None = next((p for p in view["view"]["pieces"] if p["key"] == key), None)
    if found is None:
        raise UsageError(SAYS.no_piece)
    return found


def whole(text: str) -> int:
    """A number from a form; 0 for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
