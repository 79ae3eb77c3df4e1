"""The three ways to mend what was played: take it back, correct an answer, rule by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from companion.game import dealing
from companion.game.acting import DECK, HOST, TEXT, Acting, words_of
from companion.game.errors import NotNow, NotYours
from companion.game.fold import Record, apply
from companion.game.ledger import QUIET, Wish
from companion.umpire import Ask, Change, Done, Open, UsageError


class Mended(Acting):
    """What was played is never rewritten: each mending is an entry of its own."""

    def undo(
        self, *, seat: str, agreed: str = "", acts: int = 1, fresh: bool = False, key: str = "", last: int = 0
    ) -> list[int]:
        """Take back the last acts. Faces stick to the next act at the same address unless `fresh` is agreed.

        `last` names the act that is meant, so that two who touch Undo at once do not take back two.
        """
        with self.mutex:
            if self._repeated(key):
                return []
            taken = self.played[-acts:] if acts > 0 else []
            if not taken:
                raise NotNow("There is nothing to take back.")
            if last and taken[-1].number != last:
                raise NotNow("Somebody was faster: that act is not the last one any more. Look what is now.")
            other = bool(agreed) and agreed != seat
            if (fresh or any(revealed(r, seat) for r in taken)) and not (other or HOST in (seat, agreed)):
                raise NotYours("The other side or the host must agree: dice are thrown afresh or secrets were shown.")
            numbers = [r.number for r in taken]
            body = {"acts": numbers, "seat": seat, "agreed": agreed, "fresh": fresh, "key": key}
            self._write(("undone", body))
            self._refold()
            self._go_on()
            self._changed()
            return numbers

    def redo(self, *, seat: str) -> list[int]:
        """Bring back what was undone last, with the same dice, as long as nothing else was done since."""
        with self.mutex:
            last = next((e for e in reversed(list(self.journal.entries(self.key))) if e.kind not in QUIET), None)
            if last is None or last.kind != "undone":
                raise NotNow("Nothing was taken back just now.")
            self._write(("redone", {"acts": last.body["acts"], "seat": seat}))
            self._refold()
            self._go_on()
            self._changed()
            return list(last.body["acts"])

    def amend(self, number: int, address: str, given: Any, *, seat: str, reason: str) -> None:
        """Correct a face, a fact or a choice; later answers stay wherever their address is asked again."""
        with self.mutex:
            record = self.record(number)
            if record.undone or record.ruled:
                raise NotNow(f"Act {number} was taken back or ruled by hand; there is nothing to amend.")
            if address not in record.answers:
                raise UsageError(f"Act {number} has no answer at {address!r}; it has {', '.join(record.answers)}.")
            merged = {**record.answers[address], **given} if isinstance(given, dict) else given
            answers = {**record.answers, address: merged}
            ask = self.asked_before(record, address, seat)
            outcome = self._rerun(record, answers)
            if isinstance(outcome, Open) and record is not self.played[-1]:
                raise NotNow("The amended act asks for more dice; take back the later acts first.")
            body = {"number": number, "address": address, "given": merged, "seat": seat, "reason": reason[:TEXT]}
            if ask is not None and address in record.said:
                body |= {"asked": ask.text, "said": words_of(ask, merged)}
            entries: list[tuple[str, Mapping[str, Any]]] = [("amended", body)]
            if isinstance(outcome, Done):
                entries.append(("closed", self._closing(record, outcome, self._state_before(record), answers)))
            self._write(*entries)
            self._refold()
            self._go_on()
            self._changed()

    def asked_before(self, record: Record, address: str, seat: str) -> Ask | None:
        """What was asked there, for who may see and amend its answer; None where nothing depends on it any more.

        Dice are everybody's. What a seat chose is its own and the host's, what a deck dealt the host's: it may be
        hidden still.
        """
        others = {place: given for place, given in record.answers.items() if place != address}
        outcome = self._rerun(record, others)
        ask = next((a for a in outcome.asks if a.address == address), None) if isinstance(outcome, Open) else None
        if ask is not None and ask.dice is None and ask.seat:
            self._may(seat, HOST if record.by.get(address) == DECK else ask.seat)
        return ask

    def rule(
        self,
        changes: Sequence[Mapping[str, Any]],
        *,
        seat: str,
        reason: str,
        agreed: str = "",
        number: int = 0,
        word: str = "",
    ) -> None:
        """Set values or a result by hand: the host, or both sides. `number` names the act whose result it replaces."""
        with self.mutex:
            if not (HOST in (seat, agreed) or (agreed and agreed != seat)):
                raise NotYours("A ruling by hand needs the host, or both sides.")
            if not reason.strip():
                raise UsageError("Say why: a ruling by hand needs a reason.")
            record = self.record(number) if number else None
            before = self._state_before(record) if record else self.standing
            typed = _changes(changes)
            apply(self.game, before, typed)  # refuses what the game cannot take
            ruling = {"seat": seat, "agreed": agreed, "reason": reason[:TEXT], "word": word[:TEXT]}
            plain = [msgspec.to_builtins(c) for c in typed]
            if record:
                self._write(("closed", self._ruled_closing(record, plain, ruling)))
            else:
                self._write(("ruled", ruling | {"changes": plain}))
            self._refold()
            self._go_on()
            self._changed()

    def ask_to(self, do: str, *, seat: str, text: str, **given: Any) -> None:
        """Wish for an `undo` or a `rule` that needs another's agreement; it waits, over a power cut too.

        It is over as soon as anything is played, taken back or ruled at the table.
        """
        with self.mutex:
            self._may(seat, "")
            wish = Wish(seat, text[:TEXT], do, given)
            if wish.do not in ("undo", "rule"):
                raise UsageError(f"Nobody has to agree to {do[:20]!r}.")
            if wish != self.wish:  # a double tap is one wish
                self._write(("wished", msgspec.to_builtins(wish)))
                self._changed()

    def settle_wish(self, *, seat: str, agreed: bool) -> None:
        """The other side or the host agrees or not; the one who wished may take it back."""
        with self.mutex:
            wish = self.wish
            if wish is None:
                raise NotNow("Nothing waits for an agreement now.")
            if agreed and not self._may_agree(wish, seat):
                raise NotYours("The other side or the host has to agree.")
            if agreed:
                getattr(self, wish.do)(seat=wish.seat, agreed=seat, **wish.given)
            else:
                self._may(seat, "")
                self._write(("unwished", {"seat": seat}))
                self._changed()

    def _may_agree(self, wish: Wish, seat: str) -> bool:
        """The host, or a seat of another side."""
        sides = {s.key: s.side or s.key for s in self.game.seats(self.state)}
        return seat == HOST or (seat in sides and sides[seat] != sides.get(wish.seat, wish.seat))

    def _ruled_closing(self, record: Record, changes: list[Any], ruling: dict[str, Any]) -> dict[str, Any]:
        word = ruling["word"] or "RULED BY HAND"
        heading = record.summary.get("heading") or [record.title]
        return {
            "number": record.number, "result": None, "lines": record.lines, "changes": changes,
            "thrown": record.thrown, "house": record.house, "rules": self.game.version,
            "summary": {"heading": heading, "word": word, "changed": [c["text"] for c in changes if c["text"]]},
            "slip": record.slip or self.slips + 1, "ruled": ruling,
        }  # fmt: skip


def _changes(given: Sequence[Mapping[str, Any]]) -> tuple[Change, ...]:
    try:
        return tuple(msgspec.convert(c, Change) for c in given)
    except msgspec.ValidationError as error:
        raise UsageError(f"A change by hand does not fit: {error}.") from None


def revealed(record: Record, seat: str) -> bool:
    """Something hidden was shown: a group's sealed choices, drawn cards, or another seat's choice of its own."""
    shown = any("@" in address or dealing.is_draw(address) for address in record.answers)
    return shown or any(record.by[address] not in (HOST, seat) for address in record.secret)
