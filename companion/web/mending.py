"""The three ways to mend: take back, correct a die, rule by hand; the other side agrees on its own phone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from companion.game import offers, views
from companion.game.errors import NotNow, UsageError
from companion.game.fold import Record
from companion.game.table import HOST, Table, revealed
from companion.web.screens import Row, Screens, form_of, piece_of, to, whole
from companion.web.words import AMEND_REASONS, BOOKKEEPING, RULING_REASONS, RULING_WORDS, SAYS, WORDS


class Mending(Screens):
    """Undo, redo, amend, rule, and the agreement that some of them need."""

    def rows(self) -> list[Row]:
        return [
            ("/e/{table}/undo", self.undo, "POST"),
            ("/e/{table}/agree", self.agree, "POST"),
            ("/e/{table}/amend/{number:int}", self.amend_page, "GET"),
            ("/e/{table}/amend", self.amend, "POST"),
            ("/e/{table}/rule/{number:int}", self.rule_page, "GET"),
            ("/e/{table}/rule", self.rule, "POST"),
            ("/e/{table}/set/{piece}", self.set_page, "GET"),
            ("/e/{table}/set/{piece}", self.set, "POST"),
        ]

    async def undo(self, request: Request) -> Response:
        """At once for the host and for a seat's own draft; else the other side is asked."""
        table = await self.api.table(request)
        form = await form_of(request)
        seat = self.api.acting(request, table)
        key = form.get("once", "")[:80]
        if form.get("redo"):
            await self.parts.run(table.redo, seat=seat)
        else:
            await self.parts.run(self._undo, table, seat, key, whole(form.get("last", "")))
        return to(f"/e/{table.key}")

    def _undo(self, table: Table, seat: str, key: str, shown: int) -> None:
        """`shown` is the act that the page offered to take back: another phone may have been faster."""
        with table.mutex:
            last = table.played[-1] if table.played else None
            if seat == HOST or last is None or key in table.keys or _is_draft(last, seat):
                table.undo(seat=seat, agreed=seat if seat == HOST else "", key=key, last=shown)
            else:
                text = WORDS.wish_undo.format(what=last.title)
                table.ask_to("undo", seat=seat, text=text, key=key, last=shown or last.number)

    async def agree(self, request: Request) -> Response:
        table = await self.api.table(request)
        form = await form_of(request)
        seat = self.api.acting(request, table)
        await self.parts.run(table.settle_wish, seat=seat, agreed=form.get("agree") == "yes")
        return to(f"/e/{table.key}")

    async def amend_page(self, request: Request) -> Response:
        """The faces of one die, to tap the one that really lay there."""
        table, who, view = await self.seen(request)
        number, address = request.path_params["number"], request.query_params.get("at", "")

        def found() -> tuple[Record, dict[str, Any]]:
            record = table.record(number)
            return record, views.asked_at(table, record, address, who.eyes)

        record, ask = await self.parts.run(found)
        return self.at_table(
            request, table, view, who, "amend.html", number=number, title=record.title, ask=ask, reasons=AMEND_REASONS
        )

    async def amend(self, request: Request) -> Response:
        table = await self.api.table(request)
        form = await form_of(request)
        seat = self.api.acting(request, table)
        slot, _, face = form.get("face", "").rpartition("=")
        given: Any = {slot: face} if slot else form.get("value", "")
        if form.get("many"):
            given = [part for name in sorted(form) if name.startswith("some") for part in form[name].split("|") if part]
        number, reason = whole(form.get("number", "")), form.get("reason", AMEND_REASONS[0])
        await self.parts.run(table.amend, number, form.get("address", ""), given, seat=seat, reason=reason)
        if table.current:  # with that answer the act asks for more
            return to(f"/e/{table.key}")
        return to(f"/e/{table.key}/result/{number}")

    async def rule_page(self, request: Request) -> Response:
        """The result replaced by what the table has agreed: which of its changes stand, one word, a reason."""
        table, who, view = await self.seen(request)
        result = await self.parts.run(_finished, table, request.path_params["number"])
        pieces = view["view"]["pieces"] if await self.parts.run(offers.settable, table) else []
        return self.at_table(
            request, table, view, who, "rule.html", r=result, reasons=RULING_REASONS, rulings=RULING_WORDS,
            pieces=pieces,
        )  # fmt: skip

    async def rule(self, request: Request) -> Response:
        table = await self.api.table(request)
        form = await form_of(request)
        seat = self.api.acting(request, table)
        number = whole(form.get("number", ""))
        await self.parts.run(self._rule, table, seat, number, form)
        return to(f"/e/{table.key}/result/{number}")

    def _rule(self, table: Table, seat: str, number: int, form: dict[str, str]) -> None:
        with table.mutex:
            record = table.record(number)
            stand = {whole(n) for n in form.get("stands", "").split("|") if n}
            changes = [plain for n, plain in enumerate(_plain(record), 1) if n in stand]
            word = form.get("own_word", "").strip() or form.get("word", "")
            reason = form.get("own_reason", "").strip() or form.get("reason", "")
            if not reason:
                raise UsageError(SAYS.say_why)
            ruling: dict[str, Any] = {"changes": changes, "reason": reason, "number": number, "word": word.upper()}
            if seat == HOST:
                table.rule(**ruling, seat=seat, agreed=HOST)
            else:
                text = WORDS.wish_rule.format(what=record.title, word=word or WORDS.ruled, reason=reason)
                table.ask_to("rule", seat=seat, text=text, **ruling)

    async def set_page(self, request: Request) -> Response:
        """Every value of a piece with all that it can be."""
        table, who, view = await self.seen(request)
        piece = piece_of(view, request.path_params["piece"])
        values = await self.parts.run(offers.settable, table, piece["key"])
        return self.at_table(request, table, view, who, "set.html", piece=piece, values=values, reasons=RULING_REASONS)

    async def set(self, request: Request) -> Response:
        table = await self.api.table(request)
        form = await form_of(request)
        seat = self.api.acting(request, table)
        piece = piece_of(await self.parts.run(views.view, table, seat), request.path_params["piece"])
        await self.parts.run(self._set_values, table, seat, piece, form)
        return to(f"/e/{table.key}/piece/{quote(piece['key'], safe='')}")

    def _set_values(self, table: Table, seat: str, piece: Mapping[str, Any], form: Mapping[str, str]) -> None:
        with table.mutex:
            chosen = [
                (value, *value.choices[whole(form[f"v{n}"])])
                for n, value in enumerate(offers.settable(table, piece["key"]))
                if form.get(f"v{n}", "").isdecimal() and whole(form[f"v{n}"]) < len(value.choices)
            ]
            changes = [
                {
                    "kind": value.kind, "target": value.target or piece["key"], "value": given, "rule": value.rule,
                    "text": WORDS.set_text.format(who=piece["title"], label=value.label.lower(), value=words),
                }
                for value, words, given in chosen
                if words != value.now
            ]  # fmt: skip
            if not changes:
                raise UsageError(SAYS.nothing_set)
            reason = form.get("own_reason", "").strip() or form.get("reason", "")
            if not reason:
                raise UsageError(SAYS.say_why)
            if seat == HOST:
                table.rule(changes, seat=seat, agreed=HOST, reason=reason)
            else:
                text = WORDS.wish_set.format(what="; ".join(c["text"] for c in changes), reason=reason)
                table.ask_to("rule", seat=seat, text=text, changes=changes, reason=reason)


def bookkeeping(change: Mapping[str, Any], titles: Mapping[str, str]) -> str:
    """What a change without words of its own does."""
    words = BOOKKEEPING.get(change["kind"], BOOKKEEPING[""])
    who = titles.get(change["target"], change["target"])
    return words.format(who=who, value=change["value"], kind=change["kind"])


def _is_draft(record: Record, seat: str) -> bool:
    """A seat's own act in which no die has fallen and nothing was revealed yet (its choices are a draft)."""
    thrown = any(isinstance(v, dict) for v in record.answers.values())
    return record.seat == seat and not record.closed and not thrown and not revealed(record, seat)


def _finished(table: Table, number: int) -> dict[str, Any]:
    record = table.record(number)
    if not record.slip or record.undone:
        raise NotNow(SAYS.only_finished)
    titles = {piece.key: piece.title for piece in table.game.view(table.state, HOST, table.context).pieces}
    changes = [
        {"n": n, "text": c["text"] or bookkeeping(c, titles), "stands": not c["text"]}
        for n, c in enumerate(_plain(record), 1)
    ]
    return {**views.result_data(table, record), "all_changes": changes}


def _plain(record: Record) -> list[dict[str, Any]]:
    from msgspec import to_builtins

    return [to_builtins(c) for c in record.changes]
