"""Acts: begin one, answer what it asks, and run it on as far as its answers reach."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from companion.game import dealing, worse
from companion.game.errors import NotNow, NotYours
from companion.game.fold import Record, Standing, apply, as_answer
from companion.game.journal import Journal
from companion.game.ledger import BY_HAND, Ledger
from companion.umpire import Act, Ask, CompanionError, Done, Illegal, Open, advance

HOST = "host"
"""May act for every seat and rule by hand."""

KEPT = "as thrown before"
DECK = "from the deck"
TEXT = 200


class Acting(Ledger):
    """Opened from its journal stream; an act that was open goes on where it stopped."""

    def __init__(self, journal: Journal, key: str) -> None:
        super().__init__(journal, key)
        self.listeners: list[Callable[[Any], None]] = []
        self._go_on()

    def open(self, act_key: str, *, seat: str, key: str = "", inputs: Mapping[str, Any] | None = None) -> int:
        """Begin an act that is due, with inputs that the table adds to what the state knows; returns its number."""
        with self.mutex:
            if self._repeated(key):
                return self.keys[key]
            if self.current:
                raise NotNow(f"{self.current.title} is still open; finish it or undo it first.")
            act = next((a for a in self.due().acts if a.key == act_key), None)
            if act is None:
                raise NotNow(f"{act_key!r} is not something to do now.")
            self._may(seat, act.seat)
            if act.barred:
                raise Illegal(act.barred)
            self._may_say(seat, act, inputs or {})
            full = {**act.inputs, **(inputs or {}), **act.sealed}
            procedure = self.game.procedures[act.procedure]
            violations = procedure.violations(procedure.inputs(full))
            if violations:
                raise Illegal(violations)
            body = {"act": act.key, "title": act.title, "procedure": act.procedure, "inputs": full, "seat": seat}
            self._write(("opened", body | {"about": list(act.about), "key": key}))
            number = self.version
            self._go_on()
            self._changed()
            return number

    def answer(
        self,
        address: str,
        given: Any,
        *,
        seat: str,
        source: str = BY_HAND,
        dice: Mapping[str, str] | None = None,
        key: str = "",
    ) -> None:
        """Answer an open ask: faces by slot or in order, else what its space takes. On disk when it returns."""
        with self.mutex:
            if self._repeated(key):
                return
            ask = next((a for a in self.asks if a.address == address), None)
            if ask is None:
                raise NotNow(f"{address!r} is not asked now.")
            self._may(seat, ask.seat)
            assert self.current is not None
            body: dict[str, Any] = {
                "number": self.current.number,
                "address": address,
                "seat": seat,
                "source": source[:TEXT],
                "key": key,
                **({"dice": dict(dice)} if dice else {}),
            }
            if ask.options_to == "seat":
                body["secret"] = True
            elif ask.dice is None and ask.answer_to == "all":
                body["asked"], body["said"] = ask.text, words_of(ask, given)
            entry = ("answered", body | self._checked(ask, given))
            self._write_and_go_on(entry)
            self._changed()

    def _checked(self, ask: Ask, given: Any) -> dict[str, Any]:
        if ask.dice is None:
            if ask.space is not None:
                ask.space.parse(given)
            return {"given": given}
        if isinstance(given, Mapping):
            faces = ask.dice.lying(given)
        else:
            listed = list(given) if isinstance(given, (list, tuple)) else [given]
            whole = len(ask.open_slots) == len(ask.dice.slots)
            faces = ask.dice.lying(listed if whole else dict(zip(ask.open_slots, listed, strict=False)))
        taken = [name for name in faces if name not in ask.open_slots]
        if taken:
            raise NotNow(f"The die {taken[0]!r} lies already; void it first if it is wrong.")
        return {"faces": {name: face.name for name, face in faces.items()}}

    def void(self, address: str, slot: str, *, seat: str, reason: str) -> None:
        """Take one die of the open throw back (cocked, off the table): only that die is asked again."""
        with self.mutex:
            record = self.current
            if record is None or slot not in record.answers.get(address, {}):
                raise NotNow(f"The die {slot!r} does not lie in an open throw; use amend for a finished one.")
            self._may(seat, record.seat)
            body = {"number": record.number, "address": address, "slot": slot, "seat": seat, "reason": reason[:TEXT]}
            self._write(("voided", body))
            self._go_on()
            self._changed()

    def open_asks(self) -> tuple[Ask, ...]:
        """The open asks without the slots for which a die has arrived and is held."""
        held = {(a["address"], slot) for a in self.arrived.values() for slot in a["faces"]}
        return tuple(
            msgspec.structs.replace(ask, open_slots=tuple(s for s in ask.open_slots if (ask.address, s) not in held))
            for ask in self.asks
        )

    def arrive(
        self, address: str, faces: Mapping[str, str], *, source: str, dice: Mapping[str, str] | None = None
    ) -> int:
        """Show dice that came by themselves; they count when `settle` is called, unless `refuse` is called first.

        `dice` names the die of each slot where its source tells them apart.
        """
        with self.mutex:
            body = {"address": address, "faces": dict(faces), "source": source[:TEXT]}
            self._write(("arrived", body | ({"dice": dict(dice)} if dice else {})))
            number = self.version
            self._changed()
            return number

    def settle(self, number: int) -> None:
        """Use dice that arrived; nothing happens where they were refused, used or taken back meanwhile."""
        with self.mutex:
            held = self.arrived.get(number)
            ask = next((a for a in self.asks if held and a.address == held["address"]), None)
            if held is None or ask is None:
                self.arrived.pop(number, None)
                return
            free = {slot: face for slot, face in held["faces"].items() if slot in ask.open_slots}
            if free:  # should the card be full, it stays here and may be settled again
                self.answer(ask.address, free, seat=HOST, source=held["source"], dice=held.get("dice"))
            self.arrived.pop(number, None)

    def refuse(self, number: int, *, seat: str, reason: str) -> None:
        """Void dice that arrived (cocked, off the table) before they count."""
        with self.mutex:
            if number not in self.arrived:
                raise NotNow("That die was used or taken back already.")
            self._may(seat, self.current.seat if self.current else "")
            self._write(("refused", {"number": number, "seat": seat, "reason": reason[:TEXT]}))
            self._changed()

    def aside(self, source: str, text: str) -> None:
        """Show a result that came when nothing was asked; it is never used."""
        with self.mutex:
            self._write(("aside", {"source": source[:TEXT], "text": text[:TEXT]}))
            self._changed()

    # --- how it goes on

    def _repeated(self, key: str) -> bool:
        return bool(key) and key in self.keys

    def _may(self, seat: str, needed: str) -> None:
        if seat and (seat == HOST or needed in ("", seat)):
            return
        if not needed:
            raise NotYours("A spectator only watches; take a seat to act.")
        raise NotYours(f"That is for {self._title(needed)} to do, not for {self._title(seat) or 'a spectator'}.")

    def _may_say(self, seat: str, act: Act, inputs: Mapping[str, Any]) -> None:
        """What the table knows is not for a seat to say otherwise."""
        known = next((key for key, value in inputs.items() if act.inputs.get(key, value) != value), None)
        if seat != HOST and (known or act.sealed.keys() & inputs.keys()):
            raise NotYours(f"The table knows {known or 'the hands'} itself; only the host may say otherwise.")

    def _title(self, seat: str) -> str:
        if seat == HOST:
            return "the host"
        return next((s.title for s in self.game.seats(self.state) if s.key == seat), seat)

    def _write(self, *entries: tuple[str, Mapping[str, Any]]) -> None:
        for entry in self.journal.append(self.key, *entries):
            self._take(entry)

    def _changed(self) -> None:
        for listener in list(self.listeners):
            listener(self)

    def _rerun(self, record: Record, answers: Mapping[str, Any], memo: dict[Any, Any] | None = None) -> Open | Done:
        procedure = self.game.procedures[record.procedure]
        given = [as_answer(address, value) for address, value in answers.items()]
        return advance(procedure, procedure.inputs(record.inputs), given, self.context, memo)

    def _go_on(self) -> None:
        """Run the open act as far as its answers reach; close it when it is over; use faces that stick."""
        while (record := self.current) is not None:
            outcome = self._rerun(record, record.answers, self.memo)
            if isinstance(outcome, Done):
                self._write(("closed", self._closing(record, outcome, self.standing, record.answers)))
                self._after_close(record)
                break
            self._ask(outcome.asks, outcome.lines)
            if not (self._stick(record) or self._deal(record)):
                return
        self._ask((), ())

    def _ask(self, asks: tuple[Ask, ...], lines: tuple[Any, ...]) -> None:
        """`asked_at` is when the first of the open throws was asked: a die that came earlier is not an answer."""
        if [a.address for a in asks] != [a.address for a in self.asks]:
            self.asked_at = time.monotonic()
        self.asks, self.open_lines = asks, lines

    def _write_and_go_on(self, entry: tuple[str, Mapping[str, Any]]) -> None:
        """The last answer and the end of its act reach the disk in one transaction."""
        record = self.current
        assert record is not None
        body = entry[1]
        answers = dict(record.answers)
        if "faces" in body:
            answers[body["address"]] = {**answers.get(body["address"], {}), **body["faces"]}
        else:
            answers[body["address"]] = body["given"]
        outcome = self._rerun(record, answers, self.memo)
        if isinstance(outcome, Done):
            self._write(entry, ("closed", self._closing(record, outcome, self.standing, answers)))
            self._after_close(record)
            self._ask((), ())
            return
        self._write(entry)
        self._ask(outcome.asks, outcome.lines)
        if self._stick(record) or self._deal(record):
            self._go_on()

    def _closing(self, record: Record, done: Done, before: Standing, answers: Mapping[str, Any]) -> dict[str, Any]:
        inputs = self.game.procedures[record.procedure].inputs(record.inputs)
        summary = self.game.summary(before.state, record.procedure, inputs, done.result)
        given = [as_answer(address, value) for address, value in answers.items()]
        phase = self.game.due(before.state, self.context).phase
        worse_too = worse.chance(self.game, record.procedure, inputs, done.result, given, self.context)
        return {
            "number": record.number,
            "result": msgspec.to_builtins(done.result),
            "lines": [{"text": line.text, **msgspec.to_builtins(line)} for line in done.lines],
            "changes": [msgspec.to_builtins(c) for c in done.changes],
            "thrown": [msgspec.to_builtins(t) for t in done.thrown],
            "house": list(done.house),
            "summary": {**msgspec.to_builtins(summary), "phase": phase, "worse": worse_too},
            "slip": record.slip or self.slips + 1,
            "rules": self.game.version,
        }

    def _after_close(self, record: Record) -> None:
        self.standing = apply(self.game, self.standing, record.changes)

    def _stick(self, record: Record) -> bool:
        """Faces of an act that was taken back count again for the same address and die."""
        if not self.shelf:
            return False
        kept = self.shelf[0]
        entries: list[tuple[str, Mapping[str, Any]]] = []
        for ask in (a for a in self.asks if a.dice is not None):
            faces = {s: f for s, f in kept.get(ask.address, {}).items() if s in ask.open_slots and _fits(ask, s, f)}
            if faces:
                body = {"number": record.number, "address": ask.address, "seat": record.seat, "source": KEPT}
                entries.append(("answered", body | {"faces": faces}))
        if entries:
            self._write(*entries)
        return bool(entries)

    def _deal(self, record: Record) -> bool:
        """A virtual deck deals for itself."""
        kept = self.shelf[0] if self.shelf else {}
        for ask in self.asks:
            cards = dealing.dealt(self.game, self.state, ask, record.answers, kept)
            if cards is not None:
                body = {"number": record.number, "address": ask.address, "seat": DECK, "source": DECK}
                self._write(("answered", body | {"given": cards}))
                return True
        return False


def words_of(ask: Ask, given: Any) -> str:
    """An answer in the words of its options."""
    listed = {o.key: o.text for o in ask.space.listed} if ask.space is not None else {}
    keys = given if isinstance(given, (list, tuple)) else [given]
    return ", ".join(listed.get(str(key), str(key)) for key in keys)[:TEXT]


def _fits(ask: Ask, slot: str, face: str) -> bool:
    assert ask.dice is not None
    try:
        ask.dice.lying({slot: face})
    except CompanionError:
        return False
    return True
