"""What a seat may see of a table, as plain data for pages, the API and the command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.game import history
from companion.game.fold import Record
from companion.game.lines import line_data, sources_of
from companion.game.table import HOST, Table
from companion.umpire import Act, Ask, Barred, Number, OneOf, SomeOf, Space, UsageError, YesNo
from companion.umpire.base import Cards

LOG_LENGTH = 30


def view(table: Table, seat: str) -> dict[str, Any]:
    """The caller's view; '' is a spectator. `version` rises with every change."""
    with table.mutex:
        due = table.due()
        game = table.game
        log = [_log_row(r) for r in table.records[-LOG_LENGTH:] if r.slip]
        last = next((r for r in reversed(table.records) if r.slip), None)
        return {
            "version": table.version,
            "table": table.key,
            "name": table.name,
            "game": game.key,
            "title": game.title,
            "phase": due.phase,
            "over": due.over,
            "turn": due.seat,
            "seat": seat,
            "seats": [msgspec.to_builtins(s) for s in game.seats(table.state)],
            "view": _seen(table, seat),
            "acts": [] if table.current else [act_data(a, seat) for a in due.acts],
            "open": _open(table, seat),
            "last": result_data(table, last) if last else None,
            "log": log,
            "asides": table.asides[-3:],
            "arrived": [dict(a) for a in table.arrived.values()],
            "switches": [s.title for k, s in game.switches.items() if table.switches.get(k) != s.default],
            "packs": list(table.packs),
            "house": table.house,
            "settings": dict(table.settings),
            "put_away": table.put_away,
            "chain": table.tail,
        }


def _seen(table: Table, seat: str) -> dict[str, Any]:
    """The game's own view; without its odds where this table does not show them."""
    found: dict[str, Any] = msgspec.to_builtins(table.game.view(table.state, seat, table.context))
    return found if table.settings.get("odds", "shown") == "shown" else {**found, "odds": []}


def act_data(act: Act, seat: str) -> dict[str, Any]:
    """An act as JSON for a seat; `mine` where that seat may begin it."""
    return {
        "key": act.key,
        "procedure": act.procedure,
        "title": act.title,
        "seat": act.seat,
        "mine": _mine(act.seat, seat),
        "about": list(act.about),
        "barred": [barred_data(b) for b in act.barred],
        "must": act.must,
    }


def barred_data(barred: Barred) -> dict[str, str]:
    return {"code": barred.code, "text": barred.text, "rule": barred.rule, "address": barred.address}


def _mine(needed: str, seat: str) -> bool:
    return bool(seat) and (seat == HOST or needed in ("", seat))


def _open(table: Table, seat: str) -> dict[str, Any] | None:
    record = table.current
    if record is None:
        return None
    procedure = table.game.procedures[record.procedure]
    return {
        "number": record.number,
        "title": record.title,
        "procedure": record.procedure,
        "rule": procedure.rule,
        "seat": record.seat,
        "lines": [line_data(line) for line in table.open_lines],
        "asks": [ask_data(table, ask, seat) for ask in table.asks],
    }


def ask_data(table: Table, ask: Ask, seat: str) -> dict[str, Any]:
    """One ask; options only for those who may see them."""
    mine = _mine(ask.seat, seat)
    data: dict[str, Any] = {
        "address": ask.address,
        "role": ask.role,
        "kind": ask.kind,
        "text": ask.text,
        "rule": ask.rule,
        "seat": ask.seat,
        "mine": mine,
        "hidden": ask.options_to != "all",
        "needs": ask.needs,
        "chart": ask.chart,
        "column": ask.column,
        "ranges": list(ask.ranges),
        "count": ask.count,
        "mods": [{"value": m.value, "text": m.text, "rule": m.rule, "house": m.house} for m in ask.mods],
        "dice": _dice_data(table, ask),
    }
    visible = ask.options_to == "all" or (mine and seat == ask.seat) or seat == HOST
    if ask.space is not None and visible:
        data["space"] = space_data(ask.space)
    return data


def _dice_data(table: Table, ask: Ask) -> list[dict[str, Any]]:
    if ask.dice is None:
        return []
    record = table.current
    lying = record.answers.get(ask.address, {}) if record else {}
    sources = record.sources.get(ask.address, {}) if record else {}
    return [
        {
            "slot": slot.name,
            "kind": slot.die.kind,
            "faces": list(slot.die.names),
            "face": lying.get(slot.name, ""),
            "source": sources.get(slot.name, "") if slot.name in lying else "",
        }
        for slot in ask.dice.slots
    ]


def space_data(space: Space[Any]) -> dict[str, Any]:
    """A space as JSON: its kind, its options with those barred and why, and its limits."""
    options = [
        {"key": o.key, "text": o.text, "barred": barred_data(o.barred) if o.barred else None} for o in space.listed
    ]
    match space:
        case OneOf() | Cards():
            return {"form": "one", "options": options}
        case SomeOf():
            return {
                "form": "some",
                "options": options,
                "least": space.least,
                "most": min(space.most, 99),
                "repeats": space.repeats,
            }
        case YesNo():
            return {"form": "one", "options": options}
        case Number():
            return {"form": "number", "low": space.low, "high": space.high}
        case _:
            parts = [
                {"title": part.title, "choices": [list(choice) for choice in part.choices], "now": part.now}
                for part in getattr(space, "parts", ())
            ]
            return {"form": "text", "example": getattr(space, "example", ""), "options": options, "parts": parts}


def asked_at(table: Table, record: Record, address: str, seat: str) -> dict[str, Any]:
    """What a finished act asked at an address, with the answer that it was given; raises UsageError or NotYours."""
    if address not in record.answers:
        raise UsageError(f"Act {record.number} has no answer at {address[:80]!r}.")
    ask = table.asked_before(record, address, seat)
    if ask is None:
        raise UsageError(f"{address[:80]!r} is not asked any more; nothing depends on it.")
    space = {"space": space_data(ask.space)} if ask.space is not None else {}
    dice = (
        [{"slot": s.name, "kind": s.die.kind, "faces": list(s.die.names)} for s in ask.dice.slots] if ask.dice else []
    )
    return {"address": address, "text": ask.text, "rule": ask.rule, "role": ask.role, "kind": ask.kind, "dice": dice,
            "given": record.answers[address], **space}  # fmt: skip


def _log_row(record: Record) -> dict[str, Any]:
    return {
        "number": record.number,
        "slip": record.slip,
        "heading": record.summary["heading"],
        "word": record.summary["word"],
        "undone": record.undone,
        "ruled": bool(record.ruled),
    }


def _amended_row(amended: Mapping[str, Any]) -> dict[str, Any]:
    """Faces lie open before and after; another answer may be hidden still, so it is only said that it was amended."""
    row = {key: amended[key] for key in ("number", "address", "seat", "reason")}
    faces = isinstance(amended["given"], Mapping)
    return row | ({"given": amended["given"], "before": amended["before"]} if faces else {})


def result_data(table: Table, record: Record) -> dict[str, Any]:
    """A finished act: its word, its arithmetic, what it changed, where its dice came from."""
    return {
        **_log_row(record),
        "quiet": record.summary.get("weight") == "quiet",
        "title": record.title,
        "procedure": record.procedure,
        "changed": record.summary["changed"],
        "lines": record.lines,
        "sources": sources_of(record),
        "worse": record.summary.get("worse", ""),
        "house": record.house,
        "ruling": record.ruled,
        "entered": history.entered(table, record),
        "amended": [_amended_row(a) | {"who": history.who(table, a["seat"])} for a in record.amended],
        "closed": record.closed,
        "latest": bool(table.played) and table.played[-1] is record,
    }
