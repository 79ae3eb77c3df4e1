"""The web application: one port, pages and API together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from companion.web.api import Api
from companion.web.charting import Charting
from companion.web.club import ClubPages
from companion.web.editor import Editor
from companion.web.evening import Evening
from companion.web.guard import Guard, TooMuch
from companion.web.identity import Pin
from companion.web.live import Hub
from companion.web.machine import MachinePages
from companion.web.mending import Mending
from companion.web.openapi import document
from companion.web.pages import Pages
from companion.web.paper import Papers
from companion.web.parts import Parts
from companion.web.proxy import Proxy
from companion.web.screens import build
from companion.web.seats import Seats
from companion.web.setup import SetUp
from companion.web.words import WORDS

STATIC = Path(__file__).parent / "static"
GROUPS = (Evening, SetUp, Pages, Mending, Seats, Charting, Papers, Editor, ClubPages, MachinePages)
"""Every group of pages."""


def create_app(parts: Parts) -> Starlette:
    """Pages, API, live events and the wall around them."""
    hub = Hub()
    api = Api(parts, hub, Pin(parts.config.pin), build(parts.version))
    parts.tables.listeners.append(hub.publish)
    parts.news.append(lambda: hub.renew(parts.tables.open_tables()))

    @asynccontextmanager
    async def life(_app: Starlette) -> AsyncIterator[None]:
        hub.bind(asyncio.get_running_loop())
        yield

    async def openapi(_request: Request) -> Response:
        return JSONResponse(document(parts.version))

    async def nowhere(request: Request, error: Exception) -> Response:
        """No page has this address, or it takes no such request (then its header says which)."""
        assert isinstance(error, HTTPException)
        status, allow = error.status_code, error.headers
        if request.url.path.startswith(("/api", "/static")):
            return JSONResponse({"error": WORDS.no_page}, status, allow)
        page = pages.render(request, "refused.html", status=status, error=WORDS.no_page, violations=(), back="/")
        page.headers.update(allow or {})
        return page

    async def icon(_request: Request) -> Response:
        return FileResponse(STATIC / "icon.svg", media_type="image/svg+xml")

    pages = Pages(api)
    routes = [
        Route("/api", openapi),
        *api.routes(),
        *(route for group in GROUPS for route in group(api).routes()),
        Route("/favicon.ico", icon),
        Mount("/static", StaticFiles(directory=STATIC), name="static"),
    ]
    app = Starlette(
        routes=routes,
        middleware=[
            Middleware(Proxy, trusted=parts.config.trusted_proxies, public_url=parts.config.public_url),
            Middleware(Guard),
        ],
        lifespan=life,
        exception_handlers={TooMuch: _too_much, HTTPException: nowhere},
    )
    app.state.hub = hub
    return app


async def _too_much(_request: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 413)
