"""The club's pilots of a game: their licences, and how one is forgotten."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from companion.game import registry
from companion.game.errors import UsageError
from companion.web.screens import Row, Screens, form_of, to


class ClubPages(Screens):
    """Only where the host stands: these are people's names."""

    def rows(self) -> list[Row]:
        return [("/club/{game}", self.pilots, "GET"), ("/club/{game}/forget", self.forget, "POST")]

    async def pilots(self, request: Request) -> Response:
        self.host_only(request, None, "Only the kiosk or the host sees the club's pilots.")
        key = _key(request)
        pilots = await self.parts.run(self.parts.tables.club.pilots, key)
        order = sorted(pilots, key=lambda p: (-p["victories"], p["name"]))
        return self.render(request, "club.html", g=registry.game(key), pilots=order)

    async def forget(self, request: Request) -> Response:
        self.host_only(request, None, "Only the kiosk or the host strikes a pilot off.")
        key, name = _key(request), (await form_of(request)).get("name", "")
        if not await self.parts.run(self.parts.tables.club.forget, key, name):
            raise UsageError(f"The club has no pilot {name[:40]!r}.")
        return to(f"/club/{key}")


def _key(request: Request) -> str:
    key, known = str(request.path_params["game"]), registry.keys()
    if key not in known:
        raise UsageError("There is no such game.")
    return key
