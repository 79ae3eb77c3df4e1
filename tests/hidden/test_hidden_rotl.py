"""Rise of the Luftwaffe with a virtual deck: hands and mini-hands of the others, and what the pile holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.game import dealing
from companion.game.journal import Journal
from companion.game.table import DECK, Table
from companion.rules.rotl import GAME
from companion.rules.rotl.altitude import Climber, Move, adjust
from companion.rules.rotl.cards import Hand
from companion.rules.rotl.exchange import Fighter
from companion.umpire import Answer, Ask, Missing, odds_by_option
from tests.hidden.tables import Room, printed, same
from tests.rules.rotl.tables import CONTEXT, liking

SEATS = ("axis", "allies")
SETUP = {
    "elements": [
        {"side": "Axis", "type": "Bf-109E", "seat": "axis",
         "pilot": {"name": "Someone", "skills": ["CV"]}},
        {"side": "Allies", "type": "Spitfire I", "seat": "allies",
         "pilot": {"name": "Anybody", "skills": ["A"]}},
        {"side": "Axis", "type": "Bf-110C", "seat": "axis"},
        {"side": "Allies", "type": "Hurricane I", "seat": "allies"},
    ],
}  # fmt: skip
SEED, STEPS, STRIDE = 47, 72, 12
"""Which game, how many commands of it, and how many of them lie between two comparisons."""


@dataclass
class Script:
    """What was done at a table, and every card that came, in order."""

    commands: list[tuple[str, str, Any, str]] = field(default_factory=list)
    deals: list[tuple[str, str, list[str]]] = field(default_factory=list)
    """Seat, element, cards."""
    shown: list[tuple[str, str]] = field(default_factory=list)
    """Element and card of everything that was laid or discarded."""
    pile: tuple[str, ...] = ()

    def do(self, table: Table, number: int) -> None:
        kind, where, given, seat = self.commands[number]
        if kind == "open":
            table.open(where, seat=seat)
        else:
            table.answer(where, given, seat=seat)


class Deck:
    """Deals what a script says, or at random and keeps it."""

    def __init__(self) -> None:
        self.script, self.rng, self.place = Script(), Random(0), -1

    def dealt(self, game: Any, state: Any, ask: Ask, answers: Any, kept: Any, rng: Any = None) -> list[str] | None:
        if ask.kind != "draw":
            return None
        if self.place >= 0:
            self.place += 1
            return self.script.deals[self.place - 1][2]
        cards = _REAL(game, state, ask, answers, kept, self.rng)
        assert cards is not None
        self.script.deals.append((ask.seat, ask.role.removeprefix("draw:"), cards))
        return cards


_REAL = dealing.dealt


@pytest.fixture
def deck(monkeypatch: pytest.MonkeyPatch) -> Deck:
    made = Deck()
    monkeypatch.setattr(dealing, "dealt", made.dealt)
    return made


def written(folder: Path, deck: Deck, seed: int) -> Script:
    """A game played for so many steps, each by the seat whose it is."""
    deck.script, deck.rng, deck.place = Script(), Random(seed), -1
    journal = Journal(folder)
    table = Table.create(journal, "t", "rotl", SETUP, switches={})
    while len(deck.script.commands) < STEPS:
        command = _next(table, deck.rng)
        deck.script.commands.append(command)
        before = minis(table)
        deck.script.do(table, -1)
        deck.script.shown += [lost for lost in (before - minis(table)).elements() if not _spent_minis(table)]
    for record in table.played:
        for change in record.changes:
            if change.kind in ("spend", "spend mini", "turn up"):
                deck.script.shown += [(change.target, card) for card in change.value]
    deck.script.pile = GAME.pile(table.state) or ()
    journal.close()
    return deck.script


def minis(table: Table) -> Counter[tuple[str, str]]:
    """Element and card of every mini-hand; at the end of a step they are discarded face up."""
    return Counter((e.key, card) for e in table.state.elements for card in e.mini.known)


def _spent_minis(table: Table) -> bool:
    return any(change.kind == "spend mini" for change in table.played[-1].changes)


def _next(table: Table, rng: Random) -> tuple[str, str, Any, str]:
    if table.asks:
        ask = table.asks[0]
        if ask.dice is not None:
            return "answer", ask.address, [ask.dice.slots[0].die.names[0]], "host"
        assert ask.space is not None
        return "answer", ask.address, _given(ask, rng), ask.seat
    acts = [a for a in table.due().acts if not a.barred and a.key != "disengage"]
    act = rng.choices(acts, [liking(a.key) for a in acts])[0]
    return "open", act.key, None, act.seat or "axis"


def _given(ask: Ask, rng: Random) -> Any:
    """All begin at medium altitude and fight; a copy of a card is any copy."""
    assert ask.space is not None
    if ask.role == "altitude":
        return [o.key for o in ask.space.listed if o.key.endswith("Medium")]
    legal = ask.space.legal
    if ask.role in ("card", "respond") and len(legal) > 1:
        return rng.choice(legal[1:])
    picked = ask.space.pick(rng)
    return [str(card).split("#")[0] for card in picked] if isinstance(picked, (list, tuple)) else picked


def permuted(script: Script, seat: str, rng: Random) -> Script:
    """The same game, but every card that others hold and never showed is another one."""
    shown = list(script.shown)
    hidden: list[tuple[int, int]] = []
    for n, (owner, element, cards) in enumerate(script.deals):
        for i, card in enumerate(cards):
            if (element, card) in shown:
                shown.remove((element, card))
            elif owner != seat:
                hidden.append((n, i))
    pool = [script.deals[n][2][i] for n, i in hidden] + list(script.pile)
    rng.shuffle(pool)
    deals = [(owner, element, list(cards)) for owner, element, cards in script.deals]
    for n, i in hidden:
        deals[n][2][i] = pool.pop()
    assert sum(script.deals[n][2][i] != deals[n][2][i] for n, i in hidden) > len(hidden) // 2
    return Script(script.commands, deals)


@pytest.mark.rule("rotl:Initial deal")
@pytest.mark.parametrize("seat", [*SEATS, "", "kiosk"])
def test_what_a_seat_is_sent_does_not_depend_on_the_hands_of_others(
    room: Callable[..., Room], deck: Deck, tmp_path: Path, seat: str
) -> None:
    script = written(tmp_path / "script", deck, SEED)
    asked = {where for kind, where, _, _ in script.commands if kind == "answer"}
    assert {"exchange", "respond", "respond#2", "follow"} <= asked, "a game in which all kinds of choices come up"
    scripts = [script, permuted(script, seat, Random(1))]
    rooms = [room("rotl", SETUP) for _ in scripts]
    places = [0, 0]
    for step in range(STEPS):
        for n, (each, plays) in enumerate(zip(rooms, scripts, strict=True)):
            deck.script, deck.place = plays, places[n]
            plays.do(each.table, step)
            places[n] = deck.place
        if step % STRIDE == 0 or any(ask.role in ("respond", "follow", "exchange") for ask in rooms[0].table.asks):
            eyes = "" if seat == "kiosk" else seat
            for one, other in pairwise([{**r.sent(seat), **printed(r, eyes)} for r in rooms]):
                same(one, other, f"{seat or 'a spectator'} after {script.commands[step]}")


def test_a_card_that_the_deck_dealt_is_not_a_seats_to_amend(
    room: Callable[..., Room], deck: Deck, tmp_path: Path
) -> None:
    script = written(tmp_path / "script", deck, SEED)
    deck.script, deck.place = script, 0
    each = room("rotl", SETUP)
    for step in range(STEPS):
        script.do(each.table, step)
    record = next(r for r in each.table.records if DECK in r.by.values())
    address = next(a for a, by in record.by.items() if by == DECK)
    for seat in SEATS:
        answer = each.clients[seat].get(f"/e/same/amend/{record.number}?at={address}")
        assert answer.status_code == 403
        tried = {"number": record.number, "address": address, "value": ["tit"], "reason": "better"}
        assert each.clients[seat].post("/api/tables/same/amend", json=tried).status_code == 403


def test_odds_use_no_card_that_another_seat_drew() -> None:
    """A dive draws a card; the pursuer, who cannot pay to follow, is shown no result that names it."""
    mover = Climber(Fighter(element="X1", seat="axis", hand=Hand(("man",))))
    pursuer = Climber(Fighter(element="A1", seat="allies", hand=Hand()))
    dive = Move(mover, "Medium", up=False, position="Disadvantaged", enemy=pursuer)
    drawn = [Answer(address="draw:X1", cards=["tit"])]
    assert "tit" in repr(odds_by_option(adjust, dive, drawn, CONTEXT, eyes="axis"))
    with pytest.raises(Missing):
        odds_by_option(adjust, dive, drawn, CONTEXT, eyes="allies")
