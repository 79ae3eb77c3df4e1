"""The table itself: whose turn, what is asked, what came of it; one question a screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from companion.game import foresight, history, views
from companion.game.errors import NotNow
from companion.game.table import Table
from companion.web.api import Given
from companion.web.identity import Caller
from companion.web.screens import YEAR, Row, Screens, form_of, piece_of, to, whole
from companion.web.words import SAYS, WORDS

MOST_ROWS, FEW_ROWS = 8, 4
"""Outcomes that a group of chances lists: of one or two groups, of more."""

MOST_PARTS = 20
"""Words of a notation that is touched together."""


class Pages(Screens):
    """The table, its pieces, the open ask, results and the log."""

    def rows(self) -> list[Row]:
        return [
            ("/e/{table}", self.table, "GET"),
            ("/e/{table}/piece/{piece}", self.piece, "GET"),
            ("/e/{table}/result/{number:int}", self.result, "GET"),
            ("/e/{table}/log", self.log, "GET"),
            ("/e/{table}/act", self.act, "POST"),
            ("/e/{table}/answer", self.answer, "POST"),
            ("/e/{table}/next", self.next, "POST"),
            ("/e/{table}/slip", self.print_slip, "POST"),
            ("/e/{table}/rehearse", self.rehearse, "POST"),
        ]

    async def table(self, request: Request) -> Response:
        """The table; for the one who is asked the ask, and after it the result until Next is touched."""
        key = request.query_params.get("k", "")
        if key:
            return self._sit(await self.api.table(request), key)
        sight = self.spectators_sight(request)
        return await (self.once_for_all(sight, self._table, request) if sight else self._table(request))

    async def _table(self, request: Request) -> Response:
        table, who, view = await self.seen(request)
        screen = self._screen(request, table, view, who)
        if screen == "ask":
            return await self._ask(request, table, view, who)
        if screen == "result":
            return self.at_table(request, table, view, who, "result.html", **result_values(table, view["last"]))
        hands = await self.parts.run(_hidden_hands, table) if who.kiosk else []
        able = {a["about"][0] for a in view["acts"] if a["mine"] and a["about"] and not a["barred"]}
        return self.at_table(request, table, view, who, "table.html", sides=sides(view), hands=hands, able=able)

    def _sit(self, table: Table, key: str) -> Response:
        """Swap a seat's key for a cookie and take it out of the address."""
        response = to(f"/e/{table.key}")
        response.set_cookie(f"seat_{table.key}", key, httponly=True, samesite="lax", max_age=YEAR)
        return response

    def _screen(self, request: Request, table: Table, view: Mapping[str, Any], who: Caller) -> str:
        if request.query_params.get("screen") == "table":
            return "table"
        if view["open"]:
            return "ask" if any(ask["mine"] for ask in view["open"]["asks"]) else "table"
        last, seen = view["last"], request.cookies.get(f"seen_{table.key}", "0")
        fresh = bool(last) and last["latest"] and not (last["undone"] or last["quiet"]) and seen != f"{last['slip']}"
        return "result" if fresh and who.seat else "table"

    async def _ask(self, request: Request, table: Table, view: Mapping[str, Any], who: Caller) -> Response:
        """What is asked; what is hidden stays under the cover until its seat has the kiosk in hand.

        On the host's phone it stays away until the host answers for that seat.
        """
        asks = [a for a in view["open"]["asks"] if a["mine"]]
        covered = [a for a in asks if who.kiosk and a["hidden"] and who.sees != a["seat"]]
        open_asks = [a for a in asks if a not in covered]
        if covered and not open_asks:
            return self.at_table(request, table, view, who, "cover.html", seats=_owners(view, covered))
        absent = who.host and not who.kiosk and any(a["hidden"] for a in open_asks)
        if absent:
            open_asks = [a for a in open_asks if a["seat"] == request.query_params.get("for", "")]
        if not open_asks:
            return self.at_table(request, table, view, who, "absent.html", seats=_owners(view, asks))
        shown = view["settings"].get("odds", "shown")
        wanted = shown == "shown" or (shown == "asked" and request.query_params.get("odds") == "1")
        ahead = await self.parts.run(foresight.of_open_act, table, who.eyes) if wanted else {}
        return self.at_table(
            request, table, view, who, "ask.html", asks=open_asks, absent=absent, odds=odds_groups(ahead, open_asks),
            assumed=ahead.get("assumed", ()), can_ask=shown == "asked" and not wanted,
        )  # fmt: skip

    async def piece(self, request: Request) -> Response:
        """What one piece can do now; what is barred says why; where its values come from."""
        table, who, view = await self.seen(request)
        wanted = request.path_params["piece"]
        piece = piece_of(view, wanted)
        acts = [a for a in view["acts"] if a["about"][:1] == [wanted]]
        changed = await self.parts.run(history.of_piece, table, wanted)
        return self.at_table(
            request, table, view, who, "piece.html", piece=piece, acts=acts, history=changed,
            by_hand=hasattr(table.game, "settable"),
        )  # fmt: skip

    async def result(self, request: Request) -> Response:
        table, who, view = await self.seen(request)

        def found() -> dict[str, Any]:
            record = table.record(request.path_params["number"])
            if not record.slip:
                raise NotNow(SAYS.not_finished)
            return views.result_data(table, record)

        result = await self.parts.run(found)
        values = result_values(table, result)
        return self.at_table(request, table, {**view, "last": result}, who, "result.html", **values)

    async def log(self, request: Request) -> Response:
        table, who, view = await self.seen(request)
        return self.at_table(request, table, view, who, "log.html")

    # --- what a touch does

    async def act(self, request: Request) -> Response:
        table = await self.api.table(request)
        form = await form_of(request)
        seat = self.api.acting(request, table)
        await self.parts.run(table.open, form.get("act", ""), seat=seat, key=form.get("once", "")[:80])
        return to(f"/e/{table.key}")

    async def answer(self, request: Request) -> Response:
        """One answer; a kiosk in a seat's hand is covered again after it."""
        table = await self.api.table(request)
        form = await form_of(request)
        seat = self.api.acting(request, table)
        await self.parts.run(self.api.answer, table, form.get("address", ""), given_by(form), seat)
        response = to(f"/e/{table.key}")
        response.delete_cookie(f"as_{table.key}")
        return response

    async def next(self, request: Request) -> Response:
        """This screen has seen the result."""
        table = await self.api.table(request)
        form = await form_of(request)
        response = to(f"/e/{table.key}")
        response.set_cookie(f"seen_{table.key}", form.get("slip", "0")[:12], samesite="lax", max_age=YEAR)
        return response

    async def print_slip(self, request: Request) -> Response:
        table = await self.api.table(request)
        form = await form_of(request)
        self.api.acting(request, table)
        number, copy = whole(form.get("number", "")), form.get("copy", "1") == "1"
        text = await self.parts.run(self.parts.printing.slip, table, number, copy=copy)
        return self.render(
            request, "said.html", text=text, back=f"/e/{table.key}", table=table.key, game=table.game.key,
            version=self.api.hub.pages(table),
        )  # fmt: skip

    async def rehearse(self, request: Request) -> Response:
        """Throw the demonstration's tower; the dice come in as from a real one."""
        table = await self.api.table(request)
        self.api.acting(request, table)
        if self.parts.rehearsal is None:
            raise NotNow(SAYS.no_tower)
        asks = await self.parts.run(table.open_asks)
        self.parts.rehearsal.throw(asked=len(asks[0].open_slots) if asks else 2)
        return to(f"/e/{table.key}")


def sides(view: Mapping[str, Any]) -> list[tuple[str, list[Mapping[str, Any]]]]:
    """The pieces by side, each side a column; the side that plays first."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for piece in view["view"]["pieces"]:
        found.setdefault(piece["side"], []).append(piece)
    return list(found.items())


def _hidden_hands(table: Table) -> list[dict[str, str]]:
    """Seats that hold something which only they may see."""
    shown = table.game.view(table.state, "", table.context).hand
    return [
        {"key": s.key, "title": s.title}
        for s in table.game.seats(table.state)
        if table.game.view(table.state, s.key, table.context).hand != shown
    ]


def _owners(view: Mapping[str, Any], asks: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    wanted = {a["seat"] for a in asks}
    return [s for s in view["seats"] if s["key"] in wanted]


def odds_groups(ahead: Mapping[str, Any], asks: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What each option leads to: what it is called, the modifiers of the next throw, its likeliest outcomes."""
    titles = {o["key"]: o["text"] for a in asks for o in a.get("space", {}).get("options", ())}
    found = ahead.get("groups", ())
    most = MOST_ROWS if len(found) < 3 else FEW_ROWS
    return [
        {
            **group,
            "title": ", ".join(titles.get(key, key) for key in group["option"].split("|") if key) or WORDS.none,
            "rows": [{**row, "words": spoken(row["result"])} for row in group["rows"][:most]],
            "more": max(0, len(group["rows"]) - most),
        }
        for group in found
    ]


def spoken(result: Any) -> str:
    """A result in a few words."""
    if isinstance(result, Mapping):
        return str(result.get("word") or ", ".join(f"{k} {spoken(v)}" for k, v in list(result.items())[:3] if v))
    if isinstance(result, (list, tuple)):
        return ", ".join(spoken(r) for r in result) or WORDS.none
    if isinstance(result, bool):
        return WORDS.yes if result else WORDS.no
    return str(result)


def result_values(table: Table, result: Mapping[str, Any]) -> dict[str, Any]:
    """Which dice of a result may be tapped and amended: those that still have an answer of their own."""
    record = table.record(result["number"])
    dice = {address: list(faces) for address, faces in record.answers.items() if isinstance(faces, dict)}
    return {"amendable": {} if record.undone or record.ruled else dice, "from_where": history.sources(table, record)}


def given_by(form: Mapping[str, str]) -> Given:
    """One touch: a face, a choice, a held die, the machine's roll."""
    key = form.get("once", "")[:80]
    if form.get("roll"):
        return Given(roll=True, key=key)
    if form.get("void"):
        return Given(void=form["void"], reason=form.get("reason", "cocked"), key=key)
    if whole(form.get("settle", "")):
        return Given(settle=whole(form["settle"]), key=key)
    if whole(form.get("refuse", "")):
        return Given(refuse=whole(form["refuse"]), reason="cocked", key=key)
    if form.get("slot"):
        return Given(faces={form["slot"]: form.get("face", "")}, key=key)
    if form.get("many"):
        chosen = [form[name] for name in sorted(form) if name.startswith("some")]
        return Given(choices=[part for text in chosen for part in text.split("|") if part], key=key)
    if form.get("parts"):
        parts = [form.get(f"part{n}", "") for n in range(min(whole(form["parts"]), MOST_PARTS))]
        return Given(value=" ".join(part for part in parts if part), key=key)
    return Given(value=form.get("value", ""), key=key)
