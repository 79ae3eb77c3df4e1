"""Outcomes for a reader at a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

DAGGER = "†"
HOUSE = f"{DAGGER} house value: no rulebook prints it"


def resolved(data: dict[str, Any]) -> Iterator[str]:
    """The arithmetic, what changes, and the result; or what is still asked."""
    for line in data.get("lines", ()):
        yield f"{line['text']} [{line['rule']}]" if line["rule"] else line["text"]
    for change in data.get("changes", ()):
        if change["text"]:
            yield f"-> {change['text']}" + ("" if change["when"] == "now" else f" (at: {change['when']})")
    if "result" in data:
        yield f"Result: {_plain(data['result'])}"
    if data.get("house"):
        yield f"{HOUSE}: {', '.join(data['house'])}"
    yield from asked(data)


def chances(data: dict[str, Any]) -> Iterator[str]:
    """One outcome a line."""
    for row in data.get("outcomes", ()):
        option = f"{row['option']}: " if "option" in row else ""
        fraction = f"{row['numerator']}/{row['denominator']}"
        yield f"{row['percent']:6.1f} %  {fraction:>15}  {option}{_plain(row['result'])}"
    yield from asked(data)


def standing(view: dict[str, Any]) -> Iterator[str]:
    """A table as it stands: its pieces, what is open, what may be done, what was done last."""
    yield f"{view['title']}, table {view['name']}: {view['phase']} (version {view['version']}, chain {view['chain']})"
    yield view["view"]["headline"]
    for piece in view["view"]["pieces"]:
        fields = ", ".join(f"{f['label']} {f['value']}{DAGGER if f['house'] else ''}" for f in piece["fields"])
        yield f"  {piece['title']}: {piece['out'] or fields}"
    for score in view["view"]["score"]:
        yield f"  {score['label']}: {score['value']}"
    if view["open"]:
        yield f"Open: {view['open']['title']}"
        yield from (f"  {ask['address']}: {ask['text']} [{ask['rule']}]" for ask in view["open"]["asks"])
    for act in view["acts"]:
        why = "; ".join(f"{b['text'].rstrip('.')} [{b['rule']}]" for b in act["barred"])
        yield f"  {'must' if act['must'] else 'may'} {act['title']}" + (f" (not now: {why})" if why else "")
    if view["last"]:
        yield f"Last: {' '.join(view['last']['heading'])}: {view['last']['word']}"


def asked(data: dict[str, Any]) -> Iterator[str]:
    """What is still asked, and how it may be answered."""
    for ask in data.get("asks", ()):
        yield f"{ask['address']}: {ask['text']} [{ask['rule']}]"
        for die in ask.get("dice", ()):
            yield f"    {die['slot']}: {', '.join(die['faces'])}"
        yield from _choices(ask.get("space", {}))


def _choices(space: dict[str, Any]) -> Iterator[str]:
    for option in space.get("options", ()):
        barred = option["barred"]
        yield f"    {option['key']}: {option['text']}" + (f" (not now: {barred['text']})" if barred else "")
    if space.get("form") == "number":
        yield f"    {space['low']} to {space['high']}"
    if space.get("example"):
        yield f"    such as {space['example']}"


def _plain(value: Any) -> str:
    if isinstance(value, str):
        return value
    return msgspec.json.encode(value).decode()
