"""The club's pilots of a game: their licences, other nicknames, and how one is forgotten. Pages and API."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from companion.game import registry
from companion.game.club import Club, as_csv, check_name
from companion.game.errors import UsageError
from companion.game.table import HOST, Table
from companion.web.api import body, guarded
from companion.web.screens import Row, Screens, form_of, to
from companion.web.words import SAYS


class Renaming(msgspec.Struct, forbid_unknown_fields=True):
    """The pilot of that name is called `to` from now on."""

    name: str
    to: str


class Forgetting(msgspec.Struct, forbid_unknown_fields=True):
    name: str


class ClubPages(Screens):
    """Only where the host stands: these are people's names."""

    def rows(self) -> list[Row]:
        return [
            ("/club/{game}", self.page, "GET"),
            ("/club/{game}/rename", self.rename_here, "POST"),
            ("/club/{game}/forget", self.forget_here, "POST"),
            ("/e/{table}/nickname", self.nickname, "POST"),
        ]

    def routes(self) -> list[Route]:
        api = "/api/club/{game}"
        return [
            *super().routes(),
            Route(api, guarded(self.listed), methods=["GET"]),
            Route(f"{api}/export", guarded(self.exported), methods=["GET"]),
            Route(f"{api}/rename", guarded(self.rename), methods=["POST"]),
            Route(f"{api}/forget", guarded(self.forget), methods=["POST"]),
        ]

    # --- pages

    async def page(self, request: Request) -> Response:
        key = self._key(request)
        return self.render(request, "club.html", g=registry.game(key), pilots=await self._pilots(key))

    async def rename_here(self, request: Request) -> Response:
        key, form = self._key(request), await form_of(request)
        await self._do("rename", key, form.get("name", ""), form.get("to", "").strip())
        return to(f"/club/{key}")

    async def forget_here(self, request: Request) -> Response:
        key = self._key(request)
        await self._do("forget", key, (await form_of(request)).get("name", ""))
        return to(f"/club/{key}")

    async def nickname(self, request: Request) -> Response:
        """A pupil's own nickname at this table; the host gives anybody one."""
        table, form = await self.api.table(request), await form_of(request)
        seat = self.api.acting(request, table, form.get("seat", ""))
        await self.parts.run(_call, self.parts.tables.club, table, seat, form.get("to", "").strip())
        return to(f"/e/{table.key}")

    # --- API

    async def listed(self, request: Request) -> Response:
        return await self._answer(self._key(request))

    async def exported(self, request: Request) -> Response:
        key = self._key(request)
        headers = {"content-disposition": f'attachment; filename="pilots-{key}.csv"'}
        return Response(as_csv(await self._pilots(key)), media_type="text/csv; charset=utf-8", headers=headers)

    async def rename(self, request: Request) -> Response:
        key, wish = self._key(request), await body(request, Renaming)
        await self._do("rename", key, wish.name, wish.to.strip())
        return await self._answer(key)

    async def forget(self, request: Request) -> Response:
        key, wish = self._key(request), await body(request, Forgetting)
        await self._do("forget", key, wish.name)
        return await self._answer(key)

    # --- both

    def _key(self, request: Request) -> str:
        """The game, where the caller may see its pilots."""
        self.host_only(request, None, SAYS.only_host_club)
        key, known = str(request.path_params["game"]), registry.keys()
        if key not in known:
            raise UsageError(SAYS.no_game)
        return key

    async def _pilots(self, key: str) -> list[dict[str, Any]]:
        return await self.parts.run(self.parts.tables.club.pilots, key)

    async def _answer(self, key: str) -> Response:
        return JSONResponse({"game": key, "pilots": await self._pilots(key)})

    async def _do(self, what: str, key: str, *names: str) -> None:
        await self.parts.run(getattr(self.parts.tables.club, what), key, *names)


def _call(club: Club, table: Table, seat: str, name: str) -> None:
    check_name(name)
    nickname, roster = getattr(table.game, "nickname", None), getattr(table.game, "roster", None)
    pilots = roster(table.state) if nickname and roster else []
    if nickname is None or seat not in {pilot["key"] for pilot in pilots}:
        raise UsageError(SAYS.whose_nickname)
    if name.lower() in {pilot["name"].lower() for pilot in pilots if pilot["key"] != seat}:
        raise UsageError(SAYS.name_taken.format(name=name))
    known = next((pilot for pilot in club.pilots(table.game.key) if pilot["name"] == name), None)
    change = nickname(table.state, seat, name, known)
    table.rule([msgspec.to_builtins(change)], seat=HOST, reason="a nickname")
