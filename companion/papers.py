"""What can be printed, by kind: slips, charts and each game's own papers; and in which forms it goes to a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from companion.game import commands, lookup, registry
from companion.game.errors import UsageError
from companion.game.tables import Tables
from companion.umpire import Paper

if TYPE_CHECKING:  # the document tree is read when something is printed, not when the daemon starts
    from printouts import document as doc

FORMS = ("pdf", "png", "html", "txt", "bin")
PAPERS = ("a4", "letter", "a5", "80", "58")
_WIDTHS = {"80": (576, 48), "58": (384, 32)}
"""Dots and columns of a receipt printer on that paper."""

CALIBRATION = "calibration"
"""What a printer says of itself: its bytes are made for that printer and are no document."""

DUPLEX = "duplex"
"""Where a printer puts its backs."""

AGAIN = "again"
"""What has to lie where when a table that was put away goes on."""

OWN = ("slip", "chart", CALIBRATION, DUPLEX, AGAIN)
"""Kinds that no game brings."""

Fields = Mapping[str, str]


def kinds() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Everything that can be printed: its kind, its title, the fields that it takes."""
    yield "slip", "The slip of an act; the last one where none is named", ("table", "number")
    yield "chart", "Charts of a game, found by words or rule number, or one by its key", ("game", "words", "key")
    yield AGAIN, "The set-up-again sheet of a table", ("table", "seat", "link")
    yield CALIBRATION, "The test print of a printer; only to a printer", ()
    yield DUPLEX, "The test page for backs: print it on both sides", ()
    for game in registry.games():
        for paper in game.papers.values():
            yield f"{game.key}.{paper.key}", paper.title, (*paper.fields, "table", "seat")


def needs_table(kind: str, fields: Fields) -> bool:
    """Whether it is drawn from a table, and so by whoever owns the data folder."""
    return kind in ("slip", AGAIN) or "table" in fields or (kind not in OWN and _paper(kind)[1].needs_table)


def size(kind: str) -> str:
    """The paper that a kind is made for; '' where its document says so itself."""
    return "a4" if kind in (AGAIN, DUPLEX) else "" if kind in OWN else _paper(kind)[1].paper


def document(tables: Tables | None, kind: str, fields: Fields) -> doc.Document:
    """The document of a kind; `tables` may be None where `needs_table` says no."""
    if kind == "slip":
        _only(kind, fields, ("table", "number"))
        return _slip(tables, fields)
    if kind == "chart":
        _only(kind, fields, ("game", "words", "key"))
        charts = lookup.search(fields.get("words", ""), fields.get("game", ""))
        return chart([page for page in charts if fields.get("key", page.key) == page.key])
    if kind == AGAIN:
        _only(kind, fields, ("table", "seat", "link"))
        assert tables is not None
        table = commands.find(tables, fields.get("table", ""))
        from companion.game import again

        return again.sheet(table, fields.get("seat", ""), link=fields.get("link", ""))
    if kind == DUPLEX:
        _only(kind, fields, ())
        from printouts import duplex

        return duplex.page()
    if kind == CALIBRATION:
        raise UsageError("The calibration slip is made for one printer; print it with --to PRINTER.")
    game, paper = _paper(kind)
    _only(kind, fields, (*paper.fields, "table", "seat"))
    own: dict[str, Any] = {k: v for k, v in fields.items() if k in paper.fields}
    state = context = None
    if needs_table(kind, fields):
        assert tables is not None
        table = commands.find(tables, fields.get("table", ""))
        if table.game.key != game:
            raise UsageError(f"Table {table.name} plays {table.game.title}, which has no {paper.title}.")
        state, context = table.state, table.context
    if paper.context:
        own["context"] = context
    found: doc.Document = paper.make(state, fields.get("seat", ""), **own)
    return found


def title(tables: Tables | None, kind: str, fields: Fields) -> str:
    """What a list of jobs calls it; raises where it cannot be made."""
    if kind == CALIBRATION:
        _only(kind, fields, ())
        return "calibration slip"
    return document(tables, kind, fields).title


def _only(kind: str, fields: Fields, known: tuple[str, ...]) -> None:
    strange = next((f for f in fields if f not in known), None)
    if strange is not None:
        raise UsageError(f"{kind} has no field {strange[:40]!r}; it has {', '.join(known) or 'none'}.")


def _paper(kind: str) -> tuple[str, Paper]:
    """The game and its paper, by full name, or by the paper's own where one game alone has it."""
    found = [
        (game.key, paper)
        for game in registry.games()
        for paper in game.papers.values()
        if kind in (f"{game.key}.{paper.key}", paper.key)
    ]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"{kind!r} could be {' or '.join(f'{g}.{p.key}' for g, p in found)}; say which.")
    raise UsageError(f"There is nothing called {kind[:40]!r} to print; `companion print` lists what there is.")


def _slip(tables: Tables | None, fields: Fields) -> doc.Document:
    assert tables is not None
    table = commands.find(tables, fields.get("table", ""))
    number = fields.get("number", "")
    last = next((r.number for r in reversed(table.records) if r.slip), 0)
    if number and not number.isdecimal():
        raise UsageError(f"number is {number[:20]!r}; it must be the number of an act.")
    if not (number or last):
        raise UsageError(f"Table {table.name} has no slip yet.")
    from companion.game.slip import slip

    return slip(table, int(number[:12]) if number else last)


def chart(pages: list[lookup.Page]) -> doc.Document:
    """Charts on paper, each as it stands on the page and the screen."""
    from printouts import document as doc

    if not pages:
        raise UsageError("No chart fits these words; `companion chart GAME` lists them all.")
    blocks = tuple(block for page in pages for block in _chart(page))
    return doc.Document(pages[0].title if len(pages) == 1 else "Charts", blocks, "page")


def _chart(page: lookup.Page) -> Iterator[doc.Block]:
    from printouts import document as doc

    yield doc.Heading(page.title, 2, right=page.rule)
    yield from [doc.Text(f"Dice: {page.dice}")] if page.dice else []
    yield doc.Table((doc.Column(""), *(doc.Column(c) for c in page.columns)), tuple(tuple(r) for r in page.rows))
    yield from (doc.Text(f"natural {faces}: {label}") for faces, label in page.natural)
    if page.note:
        yield doc.Text(page.note, small=True)


# --- forms


def rendered(
    document: doc.Document, form: str, paper: str = "", backs: tuple[float, float] = (0.0, 0.0)
) -> list[bytes]:
    """The document in a form; a picture for each page, and one piece of everything else.

    `backs` moves the backs of sheets by millimetres, for the printer in use.
    """
    if form == "pdf":
        from printouts import pdf

        return [pdf.render(document, paper, offset_mm=backs)]
    if form == "png":
        return _pictures(document, paper)
    if form == "html":
        from printouts import html

        return [html.page(document).encode()]
    dots, columns = _WIDTHS.get(paper, _WIDTHS["80"] if form == "txt" else _WIDTHS["58"])
    if form == "txt":
        from printouts import text

        return [text.render(document, columns).encode()]
    from printouts import thermal

    return [thermal.render(document, thermal.Profile("file", width_dots=dots, columns=columns)).data]


def _pictures(document: doc.Document, paper: str) -> list[bytes]:
    from printouts import pdf, picture

    whole = pdf.render(document, paper)
    pages: list[bytes] = []
    while True:
        try:
            pages.append(picture.from_pdf(whole, page=len(pages) + 1))
        except picture.NoSuchPage:
            return pages


def run(tables: Tables, do: str, args: Mapping[str, Any]) -> Any:
    """Commands on the tables, and printing from a table to a file."""
    if do != "print":
        return commands.run(tables, do, args)
    return encoded(ordered(tables, args), args)


def ordered(tables: Tables, args: Mapping[str, Any]) -> doc.Document:
    """What a `print` command wants drawn; only this part of it needs the tables."""
    return document(tables, str(args["kind"]), dict(args["fields"]))


def encoded(document: doc.Document, args: Mapping[str, Any]) -> list[str]:
    """The pieces of a document in the form that a `print` command wants, fit for a line of JSON."""
    from base64 import b64encode

    right, down = args.get("backs", (0.0, 0.0))
    paper = str(args["paper"]) or size(str(args["kind"]))
    made = rendered(document, str(args["form"]), paper, (float(right), float(down)))
    return [b64encode(piece).decode() for piece in made]
