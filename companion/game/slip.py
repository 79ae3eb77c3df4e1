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


def slip(table: Table, number: int, *, link: str = "", more: Sequence[int] = ()) -> doc.Document:
    """The slip of a finished act; one that was taken back says VOID across its head.

    `more` are further acts of the same engagement, each a few lines under the first. Where the table wants short
    slips the arithmetic is left out.
    """
    record = table.record(number)
    if not record.slip:
        raise UsageError(f"Act {number} of table {table.name} has no slip yet; finish it first.")
    blocks = [*_head(table, record), *_body(table, record), *_verdict(record)]
    for each in map(table.record, more):
        blocks += _further(table, each)
    blocks += _foot(table, [record, *map(table.record, more)])
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


def _body(table: Table, record: Record) -> list[doc.Block]:
    """The arithmetic; a last line that only repeats the large word is left out."""
    return [] if table.settings.get("length") == "short" else _sums(record.lines, record.summary["word"])


def _further(table: Table, record: Record) -> list[doc.Block]:
    """Another act of an engagement: its sums, its word in bold, what it changed; five centimetres of paper at most."""
    if record.undone:
        return [doc.Text(f"No {record.slip:04d} was taken back", small=True)]
    heading = doc.Text(doc.Run(f"No {record.slip:04d} {' '.join(record.summary['heading'])}", bold=True))
    changed = [doc.Text("; ".join(_changed(record)), small=True)] if record.summary["changed"] else []
    return [heading, *_body(table, record), doc.Heading(record.summary["word"], 2), *changed, *_remarks(record)]


def _changed(record: Record) -> list[str]:
    """What changed; of the one that acts, whom the heading names, without its name."""
    actor = next(iter(record.summary["heading"]), "")
    parts = [text.partition(": ") for text in record.summary["changed"]]
    return [rest if rest and actor.startswith(who) else f"{who}{sep}{rest}" for who, sep, rest in parts]


def _sums(lines: Sequence[Mapping[str, Any]], word: str) -> list[doc.Block]:
    last = len(lines) - 1
    return [sum_of(line, word if n == last else "") for n, line in enumerate(lines)]


def sum_of(line: Mapping[str, Any], word: str = "") -> doc.Block:
    """One piece of arithmetic; a note stands as a line of text with its rule. `word` is said in large letters below."""
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
    elif verdict and verdict not in word.upper():
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
    blocks += [doc.Text(text) for text in _changed(record)]
    return [*blocks, *_remarks(record)]


def _remarks(record: Record) -> list[doc.Block]:
    """What was ruled and amended."""
    blocks: list[doc.Block] = []
    if record.ruled:
        who = " and ".join(w for w in (record.ruled["seat"], record.ruled["agreed"]) if w)
        blocks.append(doc.Text(f"Ruled by hand ({who}): {record.ruled['reason']}"))
    blocks += [doc.Text(f"Amended by {a['seat']}: {a['reason']}") for a in record.amended]
    return blocks


def _foot(table: Table, records: Sequence[Record]) -> list[doc.Block]:
    blocks: list[doc.Block] = []
    sources = dict.fromkeys(source for record in records if (source := sources_of(record)))
    if sources:
        blocks.append(doc.Text(f"dice: {', '.join(sources)}", small=True))
    worse = [record.summary["worse"] for record in records if record.summary.get("worse")]
    if worse:
        label = "chance of this or worse" if len(worse) == 1 else "this or worse"
        blocks.append(doc.Text(f"{label} {', '.join(worse)}", small=True))
    if any(record.house for record in records):
        blocks.append(doc.Text(DAGGER_NOTE, small=True))
    named = [s.title for k, s in table.game.switches.items() if table.switches.get(k) != s.default]
    if named:
        blocks.append(doc.Text("rules: " + "; ".join(named), small=True))
    if table.packs:
        blocks.append(doc.Text("packs: " + "; ".join(table.packs), small=True))
    return blocks
