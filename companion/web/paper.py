"""Everything that can be printed: looked at first as the very page, then sent to a printer or taken as a file."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion import papers
from companion.game.errors import UsageError
from companion.game.table import Table
from companion.web.api import Api, guarded
from companion.web.screens import Row, Screens, form_of, to, whole
from companion.web.words import SAYS

if TYPE_CHECKING:
    from printouts.document import Document

MEDIA = {
    "pdf": "application/pdf",
    "png": "image/png",
    "html": "text/html; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
    "bin": "application/octet-stream",
}
KEPT = 4
"""Drawn papers that are kept."""
SHEETS = ("a4", "letter", "a5", "80", "58")


class Papers(Screens):
    """Lists, previews, prints; asks what became of a page that was cut off."""

    def __init__(self, api: Api) -> None:
        super().__init__(api)
        self._kept: dict[Hashable, tuple[str, list[bytes]]] = {}

    def rows(self) -> list[Row]:
        return [
            ("/e/{table}/paper", self.all, "GET"),
            ("/e/{table}/paper/{kind}", self.preview, "GET"),
            ("/e/{table}/paper", self.send, "POST"),
            ("/e/{table}/print/{kind}", self.file, "GET"),
            ("/e/{table}/job", self.job, "POST"),
        ]

    def routes(self) -> list[Route]:
        path = "/api/tables/{table}/print/{kind}"
        return [*super().routes(), Route(path, guarded(self.file), methods=["GET"])]

    async def all(self, request: Request) -> Response:
        """Each paper, the slips, the printers in words, and the jobs that wait for somebody."""
        table, who, view = await self.seen(request)
        states = await self.parts.run(self.parts.printing.states, table.key)
        jobs = await self.parts.run(self.parts.printing.jobs)
        return self.at_table(
            request, table, view, who, "paper.html", papers=list(kinds_of(table)), printers=states,
            held=[j for j in jobs if j["state"] == "held"],
            waiting=[j for j in jobs if j["state"] in ("queued", "sending")][:5],
        )  # fmt: skip

    async def preview(self, request: Request) -> Response:
        """The page itself, drawn by the renderer that prints it."""
        table, who, view = await self.seen(request)
        kind, fields = request.path_params["kind"], _fields(request, table)
        sheet = _sheet(request, kind)
        title, pieces = await self._drawn(table, kind, fields, who.seat, "png", sheet)
        page = min(max(whole(request.query_params.get("page", "1")), 1), len(pieces))
        printers = await self.parts.run(self.parts.printing.states, table.key)
        return self.at_table(
            request, table, view, who, "preview.html", kind=kind, title=title, sheet=sheet, page=page,
            pages=len(pieces), query=_query(request, sheet), needed=_needed(kind), given=fields, printers=printers,
        )  # fmt: skip

    async def _drawn(
        self, table: Table, kind: str, fields: Mapping[str, str], seat: str, form: str, sheet: str
    ) -> tuple[str, list[bytes]]:
        """Title and pages; the last few are kept, since a preview is asked for page by page."""
        backs = self.parts.config.back_offset_mm
        key = (table.key, table.version, kind, tuple(sorted(fields.items())), seat, form, sheet, backs)
        if (found := self._kept.get(key)) is None:
            document = await self.parts.run(self._document, table, kind, fields, seat)
            found = document.title, await self.parts.draw(papers.rendered, document, form, sheet, backs)
            self._kept[key] = found
            while len(self._kept) > KEPT:
                self._kept.pop(next(iter(self._kept)))
        return found

    def _document(self, table: Table, kind: str, fields: Mapping[str, str], seat: str) -> Document:
        """What a seat may have on paper is what it may see."""
        own = dict(fields)
        if kind not in ("slip", "chart"):
            own |= {"table": table.key, "seat": "" if seat == "host" else seat}
        elif kind == "slip":
            own |= {"table": table.key}
        if kind == papers.AGAIN:
            own |= {"link": self.link(table)}
        return papers.document(self.parts.tables, kind, own)

    async def file(self, request: Request) -> Response:
        """The paper in the form of its ending, else of the Accept header."""
        table = await self.api.table(request)
        seat = self.api.who(request, table).seat
        kind, form = _form_of(request)
        fields = _fields(request, table)
        sheet = _sheet(request, kind)

        _, pieces = await self._drawn(table, kind, fields, seat, form, sheet)
        page = min(max(whole(request.query_params.get("page", "1")), 1), len(pieces))
        headers = {"content-disposition": f'inline; filename="{kind}.{form}"', "x-pages": str(len(pieces))}
        if form == "html":
            headers["content-security-policy"] = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
        return Response(pieces[page - 1], media_type=MEDIA[form], headers=headers)

    async def send(self, request: Request) -> Response:
        table = await self.api.table(request)
        form = await form_of(request)
        seat = self.api.acting(request, table)
        kind = form.get("kind", "")
        fields = {name[2:]: value[:80] for name, value in form.items() if name.startswith("f_") and value}
        own = {"table": table.key} if kind != "chart" else {}
        if kind not in ("slip", "chart") and seat != "host":
            own["seat"] = seat
        if kind == papers.AGAIN:
            own["link"] = self.link(table)
        await self.parts.run(self.parts.printing.paper, form.get("printer", ""), kind, {**fields, **own})
        return to(f"/e/{table.key}/paper")

    async def job(self, request: Request) -> Response:
        """The operator's answer about a job that was cut off: it is on paper, it is not, or print it again."""
        table = await self.api.table(request)
        form = await form_of(request)
        self.api.acting(request, table)
        number, word = whole(form.get("job", "")), form.get("answer", "")
        if word not in ("yes", "no", "again", "cancel"):
            raise UsageError(SAYS.say_yes_no_again)
        await self.parts.run(self.parts.printing.settle, number, word, form.get("once", "")[:80])
        return to(f"/e/{table.key}/paper")


def kinds_of(table: Table) -> Iterator[Mapping[str, Any]]:
    """The slip of the last act, then the game's own papers."""
    last = next((r for r in reversed(table.records) if r.slip), None)
    if last:
        yield {"kind": "slip", "title": f"Slip {last.slip:04d}", "query": f"number={last.number}", "paper": "58"}
    from companion.game import again

    yield {"kind": papers.AGAIN, "title": again.TITLE, "query": "", "paper": papers.size(papers.AGAIN)}
    for paper in table.game.papers.values():
        yield {"kind": f"{table.game.key}.{paper.key}", "title": paper.title, "query": "", "paper": paper.paper}


def _needed(kind: str) -> tuple[str, ...]:
    """The fields that a paper asks for."""
    return next((fields for key, _, fields in papers.kinds() if key == kind), ())


def _fields(request: Request, table: Table) -> dict[str, str]:
    found = {k: v[:80] for k, v in request.query_params.items() if k not in ("paper", "page", "form", "seat", "table")}
    return {k: v for k, v in found.items() if v}


def _query(request: Request, sheet: str) -> str:
    from urllib.parse import urlencode

    return urlencode({**{k: v for k, v in request.query_params.items() if k != "page"}, "paper": sheet})


def _sheet(request: Request, kind: str) -> str:
    wanted = request.query_params.get("paper", "")
    return wanted if wanted in SHEETS else papers.size(kind) or ("80" if kind == "slip" else "a4")


def _form_of(request: Request) -> tuple[str, str]:
    kind, dot, ending = request.path_params["kind"].rpartition(".")
    if dot and ending in MEDIA:
        return kind, ending
    accept = request.headers.get("accept", "")
    form = next((f for f, media in MEDIA.items() if media.split(";")[0] in accept and f != "html"), "")
    return request.path_params["kind"], form or ("html" if "text/html" in accept else "pdf")
