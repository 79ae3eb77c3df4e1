"""One piece of arithmetic on a slip: in columns, or shorter in running text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from printouts import document as doc


def sum_of(line: Mapping[str, Any], word: str = "") -> doc.Sum:
    """One piece of arithmetic; a result that `word` repeats in large letters below is left out."""
    if line["faces"] and not (line["mods"] or line["needs"] or line["verdict"]):
        return doc.Sum((doc.Line(line["title"].upper(), _faces(line), line["rule"]),))
    parts = []
    if line["faces"]:
        parts.append(
            doc.Line(f"dice {line['dice']}" if len(line["faces"]) > 1 else f"die {line['dice']}", _faces(line))
        )
    parts += [doc.Line(m["text"], f"{m['value']:+d}", _own(m, line), house=m["house"]) for m in line["mods"]]
    summed = line["total"] is not None and bool(line["mods"])
    tail = ", ".join(
        words for words in (f"= {line['total']}" * summed, f"needs {line['needs']}" * bool(line["needs"])) if words
    )
    verdict = line["verdict"].upper()
    said = verdict if line["needs"] or verdict not in word.upper() else ""
    if tail or said:
        parts.append(doc.Line(tail or "result", said, role="total" if summed else "plain"))
    return doc.Sum(tuple(parts), title=line["title"].upper(), rule=line["rule"])


def running(line: Mapping[str, Any]) -> tuple[doc.Run, ...]:
    """The same in one sentence, with every modifier and its rule."""
    title = f"{line['title']}: " if line["title"] else ""
    parts = [_faces(line)] if line["faces"] else []
    parts += [
        f"{m['value']:+d} {m['text']}{' †' if m['house'] else ''}{f' [{rule}]' if (rule := _own(m, line)) else ''}"
        for m in line["mods"]
    ]
    parts += [f"= {line['total']}"] if line["total"] is not None and line["mods"] else []
    said = " ".join(parts)
    if line["needs"]:
        said = f"{said}, needs {line['needs']}".removeprefix(", ")
    verdict = line["verdict"].upper() if title else line["verdict"]
    said = ": ".join(part for part in (said, verdict) if part)
    return (doc.Run(title, bold=True), doc.Run(f"{said} [{line['rule']}]"))


def _own(mod: Mapping[str, Any], line: Mapping[str, Any]) -> str:
    return "" if mod["rule"] == line["rule"] else str(mod["rule"])


def _faces(line: Mapping[str, Any]) -> str:
    faces = "+".join(line["faces"])
    plain = line["total"] is not None and len(line["faces"]) > 1
    return f"{faces} = {line['total'] - sum(m['value'] for m in line['mods'])}" if plain else faces


def in_one(lines: Sequence[Mapping[str, Any]]) -> tuple[doc.Run, ...]:
    """Several in one paragraph."""
    return tuple(run for line in lines for run in (*running(line), doc.Run(" ")))


def once(sentences: Sequence[str]) -> Iterator[str]:
    """What several begin with, up to a colon, is said in the first of them alone."""
    before = ""
    for sentence in sentences:
        beginning = sentence.partition(": ")[0] + ": "
        yield sentence.removeprefix(beginning) if beginning == before else sentence
        before = beginning
