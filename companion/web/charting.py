"""Charts looked up while typing: over all games, by word, rule number or situation."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from companion.game import lookup, registry
from companion.game.errors import UsageError
from companion.game.shelf import pages
from companion.game.table import Table
from companion.web.screens import Row, Screens
from companion.web.words import SITUATIONS

MOST = 12
"""Charts that a search shows."""


class Charting(Screens):
    """The search, and one chart large with the row that applies now marked."""

    def rows(self) -> list[Row]:
        return [
            ("/charts", self.search, "GET"),
            ("/charts/{game}/{chart}", self.chart, "GET"),
            ("/e/{table}/charts", self.at_the_table, "GET"),
            ("/e/{table}/charts/{chart}", self.chart_at_table, "GET"),
        ]

    async def search(self, request: Request) -> Response:
        return self.render(request, "charts.html", **await _found(request, request.query_params.get("game", "")))

    async def at_the_table(self, request: Request) -> Response:
        """The same search, the table's own game first."""
        table, who, view = await self.seen(request)
        found = await _found(request, request.query_params.get("game", table.game.key))
        return self.at_table(request, table, view, who, "charts.html", **found)

    async def chart(self, request: Request) -> Response:
        page = await _page(request.path_params["game"], request.path_params["chart"])
        return self.render(request, "chart.html", c=page, marked=set(), back="/charts")

    async def chart_at_table(self, request: Request) -> Response:
        table, who, view = await self.seen(request)
        page = await _page(table.game.key, request.path_params["chart"])
        marked = await self.parts.run(applying, table, page.key)
        back = f"/e/{table.key}/charts"
        return self.at_table(request, table, view, who, "chart.html", c=page, marked=marked, back=back)


@cache
def _index() -> lookup.Index:
    return lookup.Index(pages())


async def _found(request: Request, game: str) -> dict[str, Any]:
    words = request.query_params.get("q", "")[:80]
    known = registry.keys()
    game = game if game in known else ""
    charts = (await asyncio.to_thread(_index)).find(words, game)
    games = [{"key": key, "title": registry.game(key).title} for key in known]
    return {"found": charts[:MOST], "more": max(0, len(charts) - MOST), "words": words, "of": game,
            "games": games, "titles": {g["key"]: g["title"] for g in games}, "situations": SITUATIONS}  # fmt: skip


async def _page(game: str, key: str) -> lookup.Page:
    known = registry.keys()
    if game not in known:
        raise UsageError("There is no such game.")
    charts = (await asyncio.to_thread(_index)).find("", game)
    page = next((p for p in charts if p.key == key), None)
    if page is None:
        raise UsageError("There is no such chart.")
    return page


def applying(table: Table, chart: str) -> set[str]:
    """The rows of a chart that the open act has come to: the verdicts of its throws and what is asked of it now."""
    with table.mutex:
        lines = table.open_lines
        verdicts = {line.verdict for line in lines if line.verdict}
        asked = [a for a in table.asks if a.chart == chart]
        return verdicts | {str(total) for total in (line.total for line in lines) if total is not None and asked}
