"""The set-up-again sheet: what lay where when a table was put away, so that another evening goes on from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.game import views
from companion.game.errors import UsageError
from companion.game.table import Table
from printouts import document as doc

TITLE = "Set up again"
GO_ON = "Set up every piece as it stands here, then touch Continue on the home page of Companion."


def sheet(table: Table, seat: str = "", *, link: str = "") -> doc.Document:
    """Every piece with all its values, whose turn it is and what is asked, as that seat may see it; '' for all."""
    if seat and seat not in {s.key for s in table.game.seats(table.state)}:
        raise UsageError(f"Table {table.name} has no seat {seat[:40]!r}.")
    seen = views.view(table, seat)
    blocks = [*_head(seen), *_pieces(seen), *_rest(seen)]
    if link:
        blocks.append(doc.QR(link, caption=link.split("://", 1)[-1]))
    footer = f"Table {table.name}, chain {seen['chain']}"
    return doc.Document(f"{TITLE}: {table.name}", tuple(blocks), "page", footer=footer)


def _head(seen: Mapping[str, Any]) -> Iterator[doc.Block]:
    yield doc.Heading(TITLE.upper(), 1, right=seen["name"])
    yield from (doc.Text(text) for text in dict.fromkeys((seen["title"], seen["view"]["headline"], seen["phase"])))
    turn = next((s["title"] for s in seen["seats"] if s["key"] == seen["turn"]), "")
    if turn:
        yield doc.Text(("Turn of ", doc.Run(turn, bold=True)))
    yield from _open(seen)
    yield doc.Text(GO_ON, small=True)
    yield doc.Rule()


def _open(seen: Mapping[str, Any]) -> Iterator[doc.Block]:
    """The act under way: what is asked of whom, and the dice that lie already."""
    act = seen["open"]
    if act is None:
        return
    titles = {s["key"]: s["title"] for s in seen["seats"]}
    lines: list[doc.Block] = []
    for ask in act["asks"]:
        who = titles.get(ask["seat"], ask["seat"])
        lines.append(doc.Text(f"{who}: {ask['text']}" if who else ask["text"]))
        lying = [f"{die['slot']} shows {die['face']}" for die in ask["dice"] if die["face"]]
        lines += [doc.Text("; ".join(lying))] if lying else []
    yield doc.Panel(tuple(lines), title=f"Under way: {act['title']}")


def _pieces(seen: Mapping[str, Any]) -> Iterator[doc.Block]:
    pieces = seen["view"]["pieces"]
    for side in dict.fromkeys(piece["side"] for piece in pieces):
        if side:
            yield doc.Heading(side, 2)
        for piece in pieces:
            if piece["side"] == side:
                title = doc.Heading(piece["title"], 3, right=piece["out"])
                yield doc.Keep((doc.Space(1.5), title, *_values(piece["fields"])))


def _rest(seen: Mapping[str, Any]) -> Iterator[doc.Block]:
    """The score, the seat's own hand, notes, and the rules that are not as they begin."""
    view = seen["view"]
    for title, fields in (("Score", view["score"]), ("Hand", view["hand"])):
        if fields:
            yield doc.Keep((doc.Heading(title, 2), *_values(fields)))
    yield from (doc.Text(note) for note in view["notes"])
    if seen["switches"]:
        yield doc.Text("rules: " + "; ".join(seen["switches"]), small=True)
    if seen["packs"]:
        yield doc.Text("packs: " + "; ".join(seen["packs"]), small=True)


def _values(fields: list[Mapping[str, Any]]) -> Iterator[doc.Block]:
    """All values in one paragraph: label, then value in bold; damage by its letter and its word."""
    words: list[str | doc.Run] = []
    for field in fields:
        value = " ".join(part for part in (field["letter"], field["value"]) if part)
        end = "" if field is fields[-1] else "; "
        words += [f"{field['label']} ", doc.Run(f"{value}{'†' if field['house'] else ''}{end}", bold=True)]
    if words:
        yield doc.Text(tuple(words))
