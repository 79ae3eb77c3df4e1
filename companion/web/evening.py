"""Before, between and after: tables, settings, putting away, a copy of everything, switching off."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import time
from pathlib import Path
from typing import Any

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from companion.game import history, registry
from companion.game.belongings import back_up
from companion.game.commands import COPY
from companion.game.errors import NotNow, NotYours, StorageFailed, UsageError
from companion.game.journal import Journal
from companion.game.table import Table
from companion.papers import AGAIN
from companion.web.screens import SETTINGS, YEAR, Row, Screens, form_of, local, to
from companion.web.words import SAYS, WORDS


class Evening(Screens):
    """The home screen and what belongs to no single act."""

    def rows(self) -> list[Row]:
        return [
            ("/", self.home, "GET"),
            ("/look", self.look, "POST"),
            ("/host", self.host, "GET"),
            ("/host", self.enter, "POST"),
            ("/backup", self.backup, "GET"),
            ("/backup", self.to_stick, "POST"),
            ("/bind", self.bind, "POST"),
            ("/off", self.off_page, "GET"),
            ("/off", self.off, "POST"),
            ("/e/{table}/settings", self.settings, "GET"),
            ("/e/{table}/settings", self.set, "POST"),
            ("/e/{table}/away", self.away_page, "GET"),
            ("/e/{table}/away", self.away, "POST"),
            ("/e/{table}/rules", self.rules, "GET"),
        ]

    async def home(self, request: Request) -> Response:
        """The tables, the one played last first, and new games; a screen that stays at a table shows that table."""
        bound = request.cookies.get("bound", "")
        if bound in self.parts.tables.listed():
            return to(f"/e/{bound}?screen=table")

        def listed() -> dict[str, Any]:
            tables = [self.parts.tables.summary(key) for key in self.parts.tables.listed()[:20]]
            games = [{"key": key, "title": registry.title(key)} for key in sorted(registry.keys())]
            return {"tables": tables, "games": games}

        who = self.api.who(request, None)
        found = await self.parts.run(listed)
        can_switch = self.parts.switch_off is not None
        return self.render(
            request, "home.html", who=who, base=self.parts.base_url(), can_switch=can_switch,
            locked=self.api.pin.locked, sticks=bool(who.host and self.parts.sticks()), **found,
        )  # fmt: skip

    async def look(self, request: Request) -> Response:
        """Theme and large type, remembered by this screen."""
        form = await form_of(request)
        response = to(local(form.get("back", "/")))
        if form.get("theme") in ("dark", "light", "sunlight"):
            response.set_cookie("theme", form["theme"], samesite="lax", max_age=YEAR)
        if form.get("large") in ("0", "1"):
            response.set_cookie("large", form["large"], samesite="lax", max_age=YEAR)
        return response

    async def host(self, request: Request) -> Response:
        """A pad for the host's PIN; on the kiosk, which needs none, the buttons that unlock it and make another."""
        return self._host_page(request)

    def _host_page(self, request: Request, made: str = "") -> Response:
        pin = self.api.pin
        return self.render(
            request, "host.html", who=self.api.who(request, None), locked=pin.locked, pinned=pin.pin, made=made,
            can_make=self.parts.host is not None,
        )  # fmt: skip

    async def enter(self, request: Request) -> Response:
        """The right PIN makes this phone the host; the kiosk makes it, and unlocks it after too many wrong ones."""
        form = await form_of(request)
        if self.api.who(request, None).kiosk:
            if form.get("do") == "new" and self.parts.host is not None:
                self.api.pin.renew(await self.parts.run(self.parts.host.make_pin))
                return self._host_page(request, self.api.pin.pin)
            self.api.pin.unlock()
            return to("/host")
        key = self.api.pin.enter(form.get("pin", "")[:20])
        response = to("/")
        response.set_cookie("host", key, httponly=True, samesite="strict", max_age=86400)
        return response

    async def backup(self, request: Request) -> Response:
        """Every table, the club, its packs and settings in one file, for the host's phone or a stick."""
        self.host_only(request, None, SAYS.only_host_copies)
        folder = await self.parts.run(_copied, self.parts.tables.journal, self.parts.settings)
        target = Path(folder.name) / COPY
        return FileResponse(target, filename=target.name, background=BackgroundTask(folder.cleanup))

    async def to_stick(self, request: Request) -> Response:
        """The same on the first stick that is plugged into the Pi."""
        self.host_only(request, None, SAYS.only_host_copies)
        stick = next(iter(await self.parts.run(self.parts.sticks)), None)
        if stick is None:
            raise NotNow(SAYS.no_stick)

        def put() -> str:
            folder = _copied(self.parts.tables.journal, self.parts.settings)
            with folder:
                name = f"companion-{time.strftime('%Y-%m-%d-%H%M%S')}.db"
                try:
                    shutil.copyfile(Path(folder.name) / COPY, stick / name)
                    with (stick / name).open("rb+") as copy:
                        os.fsync(copy.fileno())  # it may be pulled out at once
                except OSError as error:
                    raise StorageFailed(SAYS.stick_failed.format(reason=error.strerror or error)) from None
            return name

        text = WORDS.backup_done.format(name=await self.parts.run(put), stick=stick.name)
        return self.render(request, "said.html", text=text, back="/")

    async def bind(self, request: Request) -> Response:
        """This screen stays at a table: its home is that table, until it is set free there."""
        table = (await form_of(request)).get("table", "")
        response = to(f"/e/{table}/settings" if table in self.parts.tables.listed() else "/")
        if table in self.parts.tables.listed() and table != request.cookies.get("bound"):
            response.set_cookie("bound", table, samesite="lax", max_age=YEAR)
        else:
            response.delete_cookie("bound")
        return response

    async def off_page(self, request: Request) -> Response:
        self._only_kiosk(request)
        return self.render(request, "off.html")

    async def off(self, request: Request) -> Response:
        """Asked twice, and only on the kiosk; what was played is on disk already."""
        self._only_kiosk(request)
        form = await form_of(request)
        if form.get("sure") != "yes":
            return to("/off")
        assert self.parts.switch_off is not None
        text = await self.parts.run(self.parts.switch_off)
        return self.render(request, "said.html", text=text, back="/")

    def _only_kiosk(self, request: Request) -> None:
        if not self.api.who(request, None).kiosk:
            raise NotYours(SAYS.only_kiosk_off)
        if self.parts.switch_off is None:
            raise NotNow(SAYS.no_service)

    async def settings(self, request: Request) -> Response:
        table, who, view = await self.seen(request)
        no_voice = self.parts.no_voice()
        return self.at_table(
            request, table, view, who, "settings.html", settings=SETTINGS, no_voice=no_voice,
            bound=request.cookies.get("bound") == table.key,
        )  # fmt: skip

    async def set(self, request: Request) -> Response:
        table = await self.api.table(request)
        seat = self.api.acting(request, table)
        form = await form_of(request)
        chosen = {key: form[key] for key in SETTINGS if key in form}
        strange = next((k for k, v in chosen.items() if v not in SETTINGS[k]), None)
        if strange or not chosen:
            raise UsageError(SAYS.no_setting)
        await self.parts.run(table.adjust, chosen, seat=seat)
        return to(f"/e/{table.key}/settings")

    async def away(self, request: Request) -> Response:
        """Put the table away for another evening, or take it out again."""
        table = await self.api.table(request)
        self.api.acting(request, table)
        back = (await form_of(request)).get("back") == "1"
        await self.parts.run(table.set_away, not back)
        here = f"/e/{table.key}"
        return to(f"{here}/away" if not back else here if table.current else f"{here}?screen=table")

    async def away_page(self, request: Request) -> Response:
        """What to do with a table that is put away: the sheet that tells how to set it up again."""
        table, who, view = await self.seen(request)
        printers = await self.parts.run(self.parts.printing.states, table.key)
        return self.at_table(request, table, view, who, "away.html", printers=printers, kind=AGAIN)

    async def rules(self, request: Request) -> Response:
        """Which optional rules are on, which values come from the house."""
        table, who, view = await self.seen(request)

        def found() -> dict[str, Any]:
            switches = [
                {"title": s.title, "rule": s.rule, "value": table.switches.get(k, s.default),
                 "own": table.switches.get(k, s.default) != s.default}
                for k, s in table.game.switches.items()
            ]  # fmt: skip
            cells = table.context.cells
            house = sorted({slot[0] for slot, cell in cells.items() if cell.house})
            titles = [table.game.slots[key].title for key in house if key in table.game.slots]
            charts = [c.title for c in table.game.charts.values() if c.house]
            rulings = [{"who": history.who(table, r["seat"]), **r} for r in table.rulings[-10:]]
            return {"switches": switches, "cells": titles, "house_charts": charts, "rulings": rulings,
                    "learned": _learned(table)}  # fmt: skip

        return self.at_table(request, table, view, who, "rules.html", **await self.parts.run(found))


def _learned(table: Table) -> list[dict[str, str]]:
    """What was read off the players' own cards at this table, and who read it."""
    return [
        {"title": table.game.slots[slot].title, "of": ", ".join(keys), "value": str(value),
         "who": history.who(table, table.learned_by.get(name, "host"))}
        for name, value in table.learned.items()
        for slot, *keys in [name.split(":")]
        if slot in table.game.slots
    ]  # fmt: skip


def _copied(journal: Journal, settings: Path | None) -> tempfile.TemporaryDirectory[str]:
    """A backup in a folder of its own: the temporary one, or below the tables where that one is full."""
    for place in (None, journal.folder):
        folder = None
        try:
            folder = tempfile.TemporaryDirectory(prefix=".copy-", dir=place)
            back_up(journal, Path(folder.name) / COPY, settings)
            return folder
        except (OSError, sqlite3.Error):
            if folder is not None:
                folder.cleanup()
    raise StorageFailed(SAYS.no_room)
