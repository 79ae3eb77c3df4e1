"""Charts looked up while typing: over all games, by word, rule number or situation.

The browser searches by itself: it fetches once what `Book` has weighed, and needs no line from then on.
"""

from __future__ import annotations

import asyncio
import gzip
from functools import cache
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from companion import papers
from companion.game import applying, lookup, shelf
from companion.game.applying import Marks
from companion.game.errors import UsageError
from companion.game.lookup import Page
from companion.game.table import Table
from companion.web.screens import Row, Screens, drawn
from companion.web.words import SAYS, SITUATIONS

MOST = 12
"""Charts that a search shows."""


class Book(NamedTuple):
    """All charts: searched here for who has no scripts, and as a file for the browser."""

    charts: lookup.Index
    titles: dict[str, str]
    file: bytes
    name: str
    """Names exactly this content, so that a browser may keep it."""

    def page(self, game: str, key: str) -> Page:
        if game not in self.titles:
            raise UsageError(SAYS.no_game)
        found = next((page for page, _ in self.charts.rows if (page.game, page.key) == (game, key)), None)
        if found is None:
            raise UsageError(SAYS.no_chart_there)
        return found


@cache
def book() -> Book:
    index = lookup.Index(shelf.pages())
    titles = {game: shelf.title(game) for game in dict.fromkeys(page.game for page, _ in index.rows)}
    charts = [
        {"game": page.game, "key": page.key, "title": page.title, "rule": page.rule, "house": page.house,
         "number": lookup.number_of(page), "words": weights,
         "html": drawn("chart_body.html", c=page, marks={})}
        for page, weights in index.rows
    ]  # fmt: skip
    file = msgspec.json.encode(charts)
    return Book(index, titles, gzip.compress(file, mtime=0), sha256(file).hexdigest()[:12])


class Charting(Screens):
    """The search, and one chart large with the row that applies now marked."""

    def rows(self) -> list[Row]:
        return [
            ("/charts", self.search, "GET"),
            ("/charts/index.json", self.file, "GET"),
            ("/charts/{game}/{chart}", self.chart, "GET"),
            ("/charts/{game}/{chart}/pdf", self.pdf, "GET"),
            ("/e/{table}/charts", self.at_the_table, "GET"),
            ("/e/{table}/charts/{game}/{chart}", self.chart_at_table, "GET"),
        ]

    async def search(self, request: Request) -> Response:
        found = await _found(request, request.query_params.get("game", ""))
        return self.render(request, "charts.html", **found, now=[], marks={})

    async def at_the_table(self, request: Request) -> Response:
        """The same search, the table's own game first, and on top what is asked now."""
        table, who, view = await self.seen(request)
        found = await _found(request, request.query_params.get("game", table.game.key))
        now, marks = await self.parts.run(_now, table, found["book"])
        return self.at_table(request, table, view, who, "charts.html", **found, now=now[:MOST], marks=marks)

    async def file(self, request: Request) -> Response:
        """Everything that the browser searches in."""
        made = await asyncio.to_thread(book)
        keep = "max-age=31536000, immutable" if request.url.query == made.name else "no-store"
        packed = "gzip" in request.headers.get("accept-encoding", "")
        headers = {"cache-control": keep, "vary": "accept-encoding"} | ({"content-encoding": "gzip"} if packed else {})
        content = made.file if packed else gzip.decompress(made.file)
        return Response(content, media_type="application/json", headers=headers)

    async def chart(self, request: Request) -> Response:
        return self.render(request, "chart.html", c=await _page(request), marks={})

    async def chart_at_table(self, request: Request) -> Response:
        table, who, view = await self.seen(request)
        page = await _page(request)
        marks = await self.parts.run(_marks, table, page)
        return self.at_table(request, table, view, who, "chart.html", c=page, marks=marks)

    async def pdf(self, request: Request) -> Response:
        page = await _page(request)
        made = await asyncio.to_thread(lambda: papers.rendered(papers.chart([page]), "pdf", "a4")[0])
        headers = {"content-disposition": f'inline; filename="{page.key}.pdf"'}
        return Response(made, media_type="application/pdf", headers=headers)


async def _found(request: Request, game: str) -> dict[str, Any]:
    words, made = request.query_params.get("q", "")[:80], await asyncio.to_thread(book)
    game = game if game in made.titles else ""
    charts = made.charts.find(words, game)
    return {"found": charts[:MOST], "more": max(0, len(charts) - MOST), "words": words, "of": game, "book": made,
            "titles": made.titles, "situations": SITUATIONS, "most": MOST}  # fmt: skip


async def _page(request: Request) -> Page:
    made = await asyncio.to_thread(book)
    return made.page(request.path_params["game"], request.path_params["chart"])


def _marks(table: Table, page: Page) -> dict[str, Marks]:
    own = page.game == table.game.key
    return {f"{page.game}/{page.key}": applying.marks(page, applying.now(table).lines)} if own else {}


def _now(table: Table, made: Book) -> tuple[list[Page], dict[str, Marks]]:
    """The charts that count now, those by which a throw is asked first; the rows marked in each."""
    now = applying.now(table)
    own = [page for page, _ in made.charts.rows if page.game == table.game.key]
    marked = {page.key: applying.marks(page, now.lines) for page in own}
    pages = sorted((p for p in own if marked[p.key] or now.asks(p)), key=lambda p: not now.asks(p))
    return pages, {f"{table.game.key}/{key}": marks for key, marks in marked.items() if marks}
