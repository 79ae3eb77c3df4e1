"""A printed card or control panel becomes a pack, by touch: pick a field, touch its value, go on to the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from companion.game import own, panel_form, registry
from companion.game.errors import UsageError
from companion.game.panel_form import Field, Section
from companion.web.screens import Row, Screens, form_of
from companion.web.words import EDITOR, SAYS

PACK = "My panels"
PAD = 60
"""Numbers that have a button each; a wider range is entered by its digits."""


class Editor(Screens):
    """Every touch sends the whole panel so far; nothing is kept on the server before Save."""

    def rows(self) -> list[Row]:
        return [("/panels/{game}", self.choose, "GET"), ("/panels/{game}", self.touch, "POST")]

    async def choose(self, request: Request) -> Response:
        self.host_only(request, None, SAYS.only_host_panels)
        game = _game(request.path_params["game"])
        of = await self.parts.run(self._known, game)
        return self.render(request, "editor.html", e=EDITOR, g=game, row="", rows=of, pack=PACK)

    def _known(self, game: Any) -> list[str]:
        own_rows = [unit.key for unit in self.parts.tables.shelf.units(game.key)]
        return [*panel_form.rows(game), *own_rows]

    async def touch(self, request: Request) -> Response:
        self.host_only(request, None, SAYS.only_host_panels)
        game = _game(request.path_params["game"])
        form = await form_of(request)
        row, pack = form.get("row", "").strip(), form.get("pack", "").strip() or PACK
        given = _given(form["given"]) if "given" in form else await self.parts.run(self._kept, game, pack, row)
        panel_form.read(game, row, given)  # a name or a value that does not fit
        if form.get("save"):
            figures = await self.parts.run(self._save, game, pack, row, given)
            text = EDITOR["saved"].format(row=row, n=figures, pack=pack)
            return self.render(request, "said.html", text=text, back=f"/new/{game.key}")
        return self._panel(request, game, row, pack, form, given)

    def _panel(
        self, request: Request, game: Any, row: str, pack: str, form: Mapping[str, str], given: dict[str, str]
    ) -> Response:
        at = _touched(panel_form.form(game, row, given), form, given)
        sections = panel_form.form(game, row, given)  # as many bursts as have been touched now
        section = _section(sections, form.get("tab", ""), at)
        field = next((f for f in section.fields if f.key == at), section.fields[0])
        fields = [f for s in sections for f in s.fields]
        return self.render(
            request, "editor.html", e=EDITOR, g=game, row=row, pack=pack, sections=sections, section=section,
            field=field, pad=_pad(field), given="|".join(f"{key}={value}" for key, value in given.items()),
            left=EDITOR["left"].format(n=sum(bool(f.given) for f in fields), of=len(fields)),
        )  # fmt: skip

    def _kept(self, game: Any, pack: str, row: str) -> dict[str, str]:
        """What the pack says of it already."""
        return panel_form.touched(row, self._figures(game, pack))

    def _figures(self, game: Any, pack: str) -> dict[str, Any]:
        """The figures of a pack that the editor has made; one written by hand is never written over."""
        file = self.parts.tables.shelf.file_for(game.key, pack)
        if not file.exists():
            return {}
        if not file.read_bytes().startswith(panel_form.HEAD.encode()):
            raise UsageError(SAYS.pack_by_hand.format(pack=pack))
        return own.flat(own.read(file, game.key))

    def _save(self, game: Any, pack: str, row: str, given: Mapping[str, str]) -> int:
        fresh = panel_form.read(game, row, given)
        others = {path: v for path, v in self._figures(game, pack).items() if path.split(":")[1] != row}
        self.parts.tables.shelf.save(game.key, pack, panel_form.text(game, pack, {**others, **fresh}))
        return len(fresh)


def _game(key: str) -> Any:
    if key not in set(registry.keys()) or not registry.game(key).slots:
        raise UsageError(SAYS.no_panels)
    return registry.game(key)


def _given(text: str) -> dict[str, str]:
    pairs = (part.partition("=") for part in text[:20_000].split("|") if part)
    return {key: value for key, _, value in pairs if value}


def _touched(sections: Sequence[Section], form: Mapping[str, str], given: dict[str, str]) -> str:
    """Put down what was touched; the field that is asked for next."""
    fields = [f for s in sections for f in s.fields]
    at = next((f for f in fields if f.key == form.get("at", "")), None)
    picked = next((f for f in fields if f.key == form.get("pick", "")), None)
    if picked is not None:
        if picked.kind == "toggle":
            given[picked.key] = "no" if picked.shown == "yes" else "yes"
        return picked.key
    if form.get("keep"):
        whole = next((s for s in sections if s.key == form.get("section", "")), sections[0])
        given.update({f.key: f.shown or _blank(f) for f in whole.fields})
    elif at is not None and form.get("unset"):
        given.pop(at.key, None)
    elif at is not None and form.get("digit", "") and _digit(at, form["digit"], given):
        return at.key
    elif at is not None and form.get("set", ""):
        given[at.key] = form["set"]
        return _next(fields, at)
    return at.key if at is not None else ""


def _blank(field: Field) -> str:
    """What a panel that shows nothing there means."""
    if field.options:
        return "no" if field.kind == "toggle" else field.options[0][0]
    return "0" if field.kind == "number" and not field.low else panel_form.NONE


def _digit(field: Field, digit: str, given: dict[str, str]) -> bool:
    """One more digit of a number with a wide range; one that would lead out of it begins anew."""
    longer = f"{given.get(field.key, '')}{digit}".lstrip("0") or "0"
    given[field.key] = longer if longer.isdecimal() and int(longer) <= field.high else digit
    return True


def _next(fields: Sequence[Field], at: Field) -> str:
    keys = [f.key for f in fields]
    return keys[min(keys.index(at.key) + 1, len(keys) - 1)]


def _section(sections: Sequence[Section], tab: str, at: str) -> Section:
    of_tab = next((s for s in sections if s.key == tab), None)
    return of_tab or next((s for s in sections if any(f.key == at for f in s.fields)), sections[0])


def _pad(field: Field) -> dict[str, Any]:
    """The buttons for a field: a number each, its options, or digits."""
    options = field.options
    if field.kind == "number" and field.high - field.low < PAD:
        options = tuple((str(n), str(n)) for n in range(field.low, field.high + 1))
    return {"options": options, "digits": field.kind == "number" and not options, "text": field.kind == "text"}
