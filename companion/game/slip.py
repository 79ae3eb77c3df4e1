"""The result slip of an act, as a document: the same lines that the screen shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.game.fold import Record
from companion.game.lines import sources_of
from companion.game.slip_lines import in_one, once, running, sum_of
from companion.game.table import Table
from companion.umpire import UsageError
from printouts import document as doc
from printouts.slip import Row, lay_out

DAGGER_NOTE = "† house value"

ROWS, ROWS_MORE, NARROW = 26, 16, 32
"""Rows of narrow paper that a burst may take, 12 cm with its link and the way to the cutter, and each one after it."""

QR_MM = 18.0
"""Half a millimetre and more for each module of a short link: as much as a phone at the table needs."""

Lines = Sequence[Mapping[str, Any]]


def slip(table: Table, number: int, *, link: str = "", more: Sequence[int] = ()) -> doc.Document:
    """The slip of a finished act; one that was taken back says VOID across its head.

    `more` are further acts of the same engagement, each a few lines under the first. Where the table wants short
    slips the arithmetic is left out.
    """
    record = table.record(number)
    if not record.slip:
        raise UsageError(f"Act {number} of table {table.name} has no slip yet; finish it first.")
    after = [table.record(each) for each in more]
    foot = _foot(table, [record, *after])
    blocks = _fitted(table, record, foot)
    for each in after:
        blocks += _further(table, each)
    blocks += foot
    if link:
        blocks.append(doc.QR(link, caption=link.split("://", 1)[-1], size_mm=QR_MM))
    return doc.Document(f"slip {record.slip:04d}", tuple(blocks), footer=f"chain {table.tail}", void=record.undone)


# --- how much room there is


def _fitted(table: Table, record: Record, foot: list[doc.Block]) -> list[doc.Block]:
    """In columns what the paper has room for, the rest in running text, and all in one paragraph if need be.

    Only a game that says what is `further` to its first throws has its slips shortened; a slip that is still too long
    leaves out `asides`, notes that begin like one of these.
    """
    further: tuple[str, ...] = getattr(table.game, "further", ())
    first, more = _parted(_lines(table, record), further)
    room = ROWS + ROWS_MORE * len({line["address"].rpartition("/")[0] for line in more if line["title"]})
    for columns in (len(first), 1, 0):
        sums = [*_sums(first, columns, record.summary["word"]), *_sums(more, 0)]
        blocks = [*_head(table, record), *sums, *_verdict(record, flowing=bool(more))]
        if not further or _rows([*blocks, *foot]) <= room:
            return blocks
    told = _told(table, first)
    return [*_head(table, record, tight=True), doc.Text(in_one(told)), *_sums(more, 0), *_verdict(record, flowing=True)]


def _lines(table: Table, record: Record) -> Lines:
    return () if table.settings.get("length") == "short" else record.lines


def _told(table: Table, lines: Lines) -> list[Mapping[str, Any]]:
    """Without what is only said in passing."""
    asides: tuple[str, ...] = getattr(table.game, "asides", ())
    return [line for line in lines if line["title"] or not line["verdict"].startswith(asides)]


def _parted(lines: Lines, further: Sequence[str]) -> tuple[Lines, Lines]:
    """The lines of the first throws, and those after them with the notes that say what they are."""
    at = next((n for n, line in enumerate(lines) if line["address"].split("/")[0] in further), len(lines))
    while 0 < at < len(lines) and not lines[at - 1]["title"]:
        at -= 1
    return lines[:at], lines[at:]


def _sums(lines: Lines, columns: int, word: str = "") -> list[doc.Block]:
    """So many of the lines in columns, notes and the rest in running text; `word` is said in large letters below."""
    last = len(lines) - 1
    return [
        sum_of(line, word if n == last else "") if n < columns and line["title"] else doc.Text(running(line))
        for n, line in enumerate(lines)
    ]


def _rows(blocks: Sequence[doc.Block]) -> int:
    rows = lay_out(doc.Document("", tuple(blocks), "slip"), NARROW)
    return sum(1 + any(span.large or span.tall for span in row.spans) for row in rows if isinstance(row, Row))


def _further(table: Table, record: Record) -> list[doc.Block]:
    """Another act of an engagement: its sums, its word in bold, what it changed; five centimetres of paper at most."""
    if record.undone:
        return [doc.Text(f"No {record.slip:04d} was taken back", small=True)]
    heading = doc.Text(doc.Run(f"No {record.slip:04d} {' '.join(record.summary['heading'])}", bold=True))
    word = doc.Heading(record.summary["word"], 2)
    lines = _lines(table, record)
    blocks = [heading, *_sums(lines, len(lines), record.summary["word"]), word, *_changes(record, flowing=True)]
    if lines and _rows(blocks) > ROWS_MORE:
        blocks = [heading, doc.Text(in_one(_told(table, lines))), word, *_changes(record, flowing=True)]
    return [*blocks, *_remarks(record)]


# --- head, result and foot


def _head(table: Table, record: Record, *, tight: bool = False) -> list[doc.Block]:
    phase = record.summary.get("phase", "")
    return [
        doc.Heading(table.game.title.upper(), 1, right=f"No {record.slip:04d}"),
        doc.Pair(phase or "Table", f"Table {table.name}" if phase else table.name),
        *(() if tight else (doc.Rule(),)),
        doc.Text(" ".join(record.summary["heading"])),
    ]


def _verdict(record: Record, *, flowing: bool) -> list[doc.Block]:
    return [doc.Big(record.summary["word"]), *_changes(record, flowing=flowing), *_remarks(record)]


def _changes(record: Record, *, flowing: bool) -> list[doc.Block]:
    """What changed; of the one that acts, whom the heading names, without its name."""
    actor = next(iter(record.summary["heading"]), "")
    parts = [text.partition(": ") for text in record.summary["changed"]]
    changed = [rest if rest and actor.startswith(who) else f"{who}{sep}{rest}" for who, sep, rest in parts]
    return [doc.Text(text) for text in (["; ".join(once(changed))] if flowing and changed else changed)]


def _remarks(record: Record) -> list[doc.Block]:
    """What was ruled and amended."""
    blocks: list[doc.Block] = []
    if record.ruled:
        who = " and ".join(w for w in (record.ruled["seat"], record.ruled["agreed"]) if w)
        blocks.append(doc.Text(f"Ruled by hand ({who}): {record.ruled['reason']}"))
    blocks += [doc.Text(f"Amended by {a['seat']}: {a['reason']}") for a in record.amended]
    return blocks


def _foot(table: Table, records: Sequence[Record]) -> list[doc.Block]:
    """In one paragraph, since paper is short."""
    sources = dict.fromkeys(source for record in records if (source := sources_of(record)))
    worse = [record.summary["worse"] for record in records if record.summary.get("worse")]
    label = "chance of this or worse" if len(worse) == 1 else "this or worse"
    parts = [DAGGER_NOTE] if any(record.house for record in records) else []
    parts += [f"dice: {', '.join(sources)}"] if sources else []
    parts += [f"{label} {', '.join(worse)}"] if worse else []
    parts += [f"rules: {rules}"] if (rules := rules_of(table)) else []
    parts += ["packs: " + ", ".join(table.packs)] if table.packs else []
    return [doc.Text("; ".join(parts), small=True)] if parts else []


def rules_of(table: Table) -> str:
    """What is not as the rulebook begins with: the preset that comes nearest, and what differs from it."""
    game = table.game
    plain = {key: switch.default for key, switch in game.switches.items()}
    presets = {"": plain, **{name: {**plain, **preset} for name, preset in game.presets.items()}}
    mine = {key: table.switches.get(key, default) for key, default in plain.items()}
    differ = {name: [key for key in mine if mine[key] != preset[key]] for name, preset in presets.items()}
    near = min(differ, key=lambda name: len(differ[name]))
    named = [f"{_state(mine[key])} {game.switches[key].title}".strip() for key in differ[near]]
    return ", ".join(part for part in (near if presets[near] != plain else "", *named) if part)


def _state(value: Any) -> str:
    """In words: what is on needs none."""
    return {True: "", False: "no", "off": "no"}.get(value, f"{value}:")
