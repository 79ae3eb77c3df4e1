"""A new game without a keyboard: the game, how much of its rules, who flies what; or the same as last time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from companion.game import offers, picking, registry
from companion.game.errors import UsageError
from companion.web.screens import Row, Screens, form_of, to
from companion.web.words import SAYS

MOST = 16
"""Units a side; more are set up by a file or the API."""


class SetUp(Screens):
    """Every touch sends the whole choice so far; nothing is kept on the server before Begin."""

    def rows(self) -> list[Row]:
        return [
            ("/new/{game}", self.choose, "GET"),
            ("/new/{game}", self.touch, "POST"),
            ("/begin", self.begin, "POST"),
        ]

    async def choose(self, request: Request) -> Response:
        return await self._page(request, {})

    async def touch(self, request: Request) -> Response:
        return await self._page(request, await form_of(request))

    async def _page(self, request: Request, form: Mapping[str, str]) -> Response:
        self.host_only(request, None, SAYS.only_host_begins)
        game = _game(request.path_params["game"])
        units = await self.parts.run(self._units, game)
        sides = [_names(form.get(side, ""), units) for side in ("a", "b")]
        side = 1 if form.get("side", "0") == "1" else 0
        side = _touched(form, units, sides, side)
        nations = list(dict.fromkeys(u.nation for u in units if u.nation))
        nation = form.get("nation", "")
        last = await self.parts.run(self._last, game.key)
        return self.render(
            request, "setup.html", g=game, sides=sides, side=side, nations=nations,
            scenarios=offers.scenarios(game), formations=offers.formations(game),
            formation=form.get("formation", "") if form.get("formation", "") in offers.formations(game) else "",
            nation=nation if nation in nations else "", preset=_preset(form, game), last=last,
            wide=[unit for unit in units if nation not in nations or unit.nation == nation],
        )  # fmt: skip

    def _units(self, game: Any) -> list[Any]:
        """Those of the box, and those that only the players' own packs have."""
        return [*game.units, *self.parts.tables.shelf.units(game.key)]

    def _last(self, game: str) -> str:
        """The name of the table whose set-up `same as last time` takes."""
        found = map(self.parts.tables.summary, self.parts.tables.listed())
        return next((t.key for t in found if t.game == game), "")

    async def begin(self, request: Request) -> Response:
        """Begin: with the sides as picked, as last time, a scenario, or the game's demonstration."""
        self.host_only(request, None, SAYS.only_host_begins)
        form = await form_of(request)
        game = _game(form.get("game", ""))
        table = await self.parts.run(self._begin, game, form)
        return to(f"/e/{table}")

    def _begin(self, game: Any, form: Mapping[str, str]) -> str:
        setup: Mapping[str, Any] | None = None
        switches: Mapping[str, Any] = {}
        preset = _preset(form, game)
        sides = [_names(form.get(side, ""), self._units(game)) for side in ("a", "b")]
        if form.get("same"):
            last = self.parts.tables.get(form["same"])
            setup, switches, preset = self.parts.tables.club.setup_again(last), last.switches, ""
        elif form.get("scenario"):
            scenario = offers.scenarios(game).get(form["scenario"])
            if scenario is None:
                raise UsageError(SAYS.no_scenario)
            setup, switches = scenario.setup, scenario.switches
        elif any(sides):
            setup = picking.setup(game.key, sides, form.get("formation", ""))
        return self.parts.tables.new(game.key, setup, preset=preset, switches=switches).key


def _game(key: str) -> Any:
    known = registry.keys()
    if key not in known:
        raise UsageError(SAYS.no_game)
    return registry.game(key)


def _preset(form: Mapping[str, str], game: Any) -> str:
    return form.get("preset", "") if form.get("preset", "") in game.presets else ""


def _names(text: str, units: Sequence[Any]) -> list[str]:
    known = {unit.key for unit in units}
    return [name for name in text.split("|") if name in known][:MOST]


def _touched(form: Mapping[str, str], units: Sequence[Any], sides: Sequence[list[str]], side: int) -> int:
    """The choice after this touch; the side that is picked for from now on."""
    if form.get("add"):
        sides[side].extend(_names(form["add"], units))
        del sides[side][MOST:]
    if form.get("to") in ("0", "1"):
        side = int(form["to"])
    where, _, index = form.get("drop", "").partition(":")
    if where in ("0", "1") and index.isdecimal() and int(index) < len(sides[int(where)]):
        sides[int(where)].pop(int(index))
    return side
