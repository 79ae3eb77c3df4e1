"""The result slip of an act, as a document: the same lines that the screen shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.game.fold import Record
from companion.game.lines import sources_of
from companion.game.table import Table
from companion.umpire import UsageError
from printouts import document as doc

DAGGER_NOTE = "† a house value of Companion"


def slip(table: Table, number: int, *, link: str = "") -> doc.Document:
    """The slip of a finished act; one that was taken back says VOID across its head."""
    record = table.record(number)
    if not record.slip:
        raise UsageError(f"Act {number} of table {table.name} has no slip yet; finish it first.")
    blocks = [*_head(table, record), *_sums(record.lines), *_verdict(record), *_foot(table, record)]
    if link:
        blocks.append(doc.QR(link, caption=link.split("://", 1)[-1]))
    return doc.Document(f"slip {record.slip:04d}", tuple(blocks), footer=f"chain {table.tail}", void=record.undone)


def _head(table: Table, record: Record) -> list[doc.Block]:
    heading = [doc.Text(text) for text in record.summary["heading"]]
    phase = record.summary.get("phase", "")
    return [
        doc.Heading(table.game.title.upper(), 1, right=f"No {record.slip:04d}"),
        doc.Pair(phase or "Table", f"Table {table.name}" if phase else table.name),
        doc.Rule(),
        *heading,
    ]


def _sums(lines: Sequence[Mapping[str, Any]]) -> list[doc.Block]:
    return [sum_of(line) for line in lines]


def sum_of(line: Mapping[str, Any]) -> doc.Block:
    """One piece of arithmetic; a note stands as a line of text with its rule."""
    if not line["title"]:
        return doc.Sum((doc.Line(line["verdict"], "", line["rule"]),))
    parts = []
    if line["faces"]:
        parts.append(
            doc.Line(f"dice {line['dice']}" if len(line["faces"]) > 1 else f"die {line['dice']}", _faces(line))
        )
    parts += [doc.Line(m["text"], f"{m['value']:+d}", _own(m, line), house=m["house"]) for m in line["mods"]]
    if line["total"] is not None and line["mods"]:
        parts.append(doc.Line("total", str(line["total"]), role="total"))
    verdict = line["verdict"].upper()
    if line["needs"]:
        parts.append(doc.Line(f"needs {line['needs']}", verdict))
    elif verdict:
        parts.append(doc.Line("result", verdict))
    return doc.Sum(tuple(parts), title=line["title"].upper(), rule=line["rule"])


def _own(mod: Mapping[str, Any], line: Mapping[str, Any]) -> str:
    return "" if mod["rule"] == line["rule"] else str(mod["rule"])


def _faces(line: Mapping[str, Any]) -> str:
    faces = "+".join(line["faces"])
    plain = line["total"] is not None and len(line["faces"]) > 1
    return f"{faces} = {line['total'] - sum(m['value'] for m in line['mods'])}" if plain else faces


def _verdict(record: Record) -> list[doc.Block]:
    blocks: list[doc.Block] = [doc.Big(record.summary["word"])]
    blocks += [doc.Text(text) for text in record.summary["changed"]]
    if record.ruled:
        who = " and ".join(w for w in (record.ruled["seat"], record.ruled["agreed"]) if w)
        blocks.append(doc.Text(f"Ruled by hand ({who}): {record.ruled['reason']}"))
    blocks += [doc.Text(f"Amended by {a['seat']}: {a['reason']}") for a in record.amended]
    return blocks


def _foot(table: Table, record: Record) -> list[doc.Block]:
    blocks: list[doc.Block] = []
    sources = sources_of(record)
    if sources:
        blocks.append(doc.Text(f"dice: {sources}", small=True))
    if record.summary.get("worse"):
        blocks.append(doc.Text(f"chance of this or worse {record.summary['worse']}", small=True))
    if record.house:
        blocks.append(doc.Text(DAGGER_NOTE, small=True))
    named = [s.title for k, s in table.game.switches.items() if table.switches.get(k) != s.default]
    if named:
        blocks.append(doc.Text("rules: " + "; ".join(named), small=True))
    if table.packs:
        blocks.append(doc.Text("packs: " + "; ".join(table.packs), small=True))
    return blocks
