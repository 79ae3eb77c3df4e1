"""Manoeuvre cards: decks, moves, and stacks of cards that may be chosen.

The rulebook names cards but prints no deck: how many lie in it and how most of them move are cells that a house
pack fills and a player's own printed cards overrule.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from companion.packs.records import Entry, merge, read_layer
from companion.rules.fastplay.aircraft import aircraft, fleet, slips_first
from companion.rules.fastplay.refusals import barred
from companion.rules.fastplay.switches import setting
from companion.umpire import Barred, Context, Filled, Illegal, Notation, Option, SomeOf, TableSlot, Umpire, UsageError

STEPS = ("F", "TL", "TR", "SL", "SR")
MOST_COPIES = 9

Code = str
Deck = tuple[tuple[Code, int], ...]
"""How many copies of each card, in the order of the cards."""


class Manoeuvre(msgspec.Struct, frozen=True):
    name: str
    title: Annotated[str, Meta(max_length=40)]
    kind: Literal["straight", "sideslip", "turn"]
    path: Annotated[str, Meta(max_length=40)]
    copies: Annotated[int, Meta(ge=0, le=MOST_COPIES)]


@cache
def _entries() -> dict[Code, Entry[Manoeuvre]]:
    return merge([read_layer(Path(__file__).with_name("manoeuvres.toml"), "manoeuvre")], Manoeuvre)


@cache
def manoeuvres() -> dict[Code, Manoeuvre]:
    return {code: entry.value for code, entry in _entries().items()}


def house_fields(code: Code) -> frozenset[str]:
    """What of a card no rulebook prints."""
    return _entries()[code].house


# --- cells that a table may fill


def read_path(text: str) -> str:
    """The path of a card, checked: steps that the mat knows, at least one hex ahead."""
    steps = text.upper().split()
    if not 0 < len(steps) <= 8 or any(s not in STEPS for s in steps) or steps[0] != "F":
        raise UsageError(f"{text[:40]!r} is no path; begin with F and use {', '.join(STEPS)}, for example F TL F.")
    return " ".join(steps)


def read_copies(text: str) -> str:
    """The copies of each card in everybody's deck, checked: `1ST 1, 2ST 3`."""
    counts: dict[Code, int] = {}
    for part in text.split(","):
        code, _, count = part.strip().partition(" ")
        code, count = code.upper(), count.strip()
        if code not in manoeuvres() or not count.isdecimal() or int(count) > MOST_COPIES:
            raise UsageError(f"{part.strip()[:40]!r} is no card with its copies; write for example HL 2, HR 2.")
        counts[code] = int(count)
    _check_changes(counts)
    return _deck_text(counts.items())


def _check_changes(counts: dict[Code, int]) -> None:
    for craft in fleet().values():
        for code, removed in Counter(craft.remove).items():
            if counts.get(code, 0) < removed:
                raise UsageError(f"The {craft.name} removes {removed} {code} from the deck, which has fewer.")


def _deck_text(deck: Any) -> str:
    return ", ".join(f"{code} {count}" for code, count in deck)


COPIES = TableSlot(
    "fastplay.deck",
    "Manoeuvre deck",
    "Choose Cards",
    Notation(read_copies, "1ST 1, 2ST 3, SL 1, SR 1, L 2, R 2, HL 2, HR 2"),
    ("deck",),
)
PATH = TableSlot(
    "fastplay.move",
    "Move of a manoeuvre card",
    "Play Card and Move Planes",
    Notation(read_path, "F TL F"),
    ("card",),
)
SLOTS = {slot.key: slot for slot in (COPIES, PATH)}


@cache
def cells() -> dict[tuple[str, ...], Filled]:
    standard = _deck_text((code, m.copies) for code, m in manoeuvres().items())
    found: dict[tuple[str, ...], Filled] = {(COPIES.key, "standard"): Filled(standard, "house", True)}
    for code, entry in _entries().items():
        house = "path" in entry.house
        found[PATH.key, code] = Filled(entry.value.path, "house" if house else "text", house)
    return found


# --- decks


def copies(ump: Umpire) -> str:
    """Everybody's deck before the changes of the aircraft data table."""
    return str(ump.look_up(COPIES, "standard"))


def known(context: Context, *key: str) -> Filled:
    """A cell without asking, for a page that only shows it."""
    return context.cells.get(key, cells()[key])


def known_copies(context: Context) -> str:
    return str(known(context, COPIES.key, "standard").value)


def known_path(context: Context, code: Code) -> tuple[str, bool]:
    """How a card moves, and whether that is a house value."""
    filled = known(context, PATH.key, code)
    return str(filled.value), filled.house


def is_house(context: Context) -> bool:
    """Whether any figure of the cards is a house value at this table."""
    return any(known(context, *key).house for key in cells())


def own_sources(context: Context) -> tuple[str, ...]:
    """The packs and readings that give the table figures of its own."""
    found = (known(context, *key).source for key, ours in cells().items() if known(context, *key) != ours)
    return tuple(dict.fromkeys(found))


def counted(standard: str) -> dict[Code, int]:
    """The copies of every card in a deck as a cell writes it."""
    counts = dict.fromkeys(manoeuvres(), 0)
    for part in standard.split(", "):
        code, count = part.split(" ")
        counts[code] = int(count)
    return counts


def deck(context: Context, standard: str, craft: str) -> Deck:
    """The deck of an aircraft: the standard one with its changes."""
    counts = counted(standard)
    if setting(context, "manoeuvrability"):
        changes = aircraft(craft)
        for code in changes.add:
            counts[code] += 1
        for code in changes.remove:
            counts[code] -= 1
    return tuple(counts.items())


# --- what may be chosen


def lightning_may(card: Code, before: Code) -> bool:
    """Whether a Lightning may play the card after that one; no card before it counts as none of the two."""
    return manoeuvres()[card].kind != "turn" or (before != "" and manoeuvres()[before].kind != "turn")


def card_options(
    held: Deck, careful: bool = False, before: Code = "", played: Sequence[Code] = ()
) -> tuple[Option[Code], ...]:
    """Every card as the next one; `careful` is the Lightning's restriction."""
    used = Counter(played)
    return tuple(_option(code, count - used[code], careful and not lightning_may(code, before)) for code, count in held)


def _option(code: Code, left: int, slip_first: bool) -> Option[Code]:
    reason: Barred | None = None
    if left <= 0:
        reason = barred("NOT_ENOUGH_COPIES", f"No {code} is left in the deck of this plane.")
    elif slip_first:
        reason = barred("LIGHTNING_NEEDS_STRAIGHT_OR_SLIP_FIRST")
    return Option(code, f"{manoeuvres()[code].title} ×{max(left, 0)}", code, reason)


class Stack(SomeOf[Code], frozen=True):
    """The cards of a turn in their order. `before` is the last card that was played, '' where there was none."""

    held: Deck = ()
    careful: bool = False
    before: Code = ""

    def parse(self, given: Any) -> tuple[Code, ...]:
        if not isinstance(given, (list, tuple)):
            raise UsageError(f"Give a list of cards here, not {str(given)[:40]!r}.")
        cards = [str(card).strip().upper() for card in given]
        unknown = [card for card in cards if card not in dict(self.held)]
        if unknown:
            raise UsageError(f"{unknown[0][:40]!r} is no manoeuvre card; there are {', '.join(dict(self.held))}.")
        reasons = self.reasons(cards)
        if reasons:
            raise Illegal(reasons)
        return tuple(cards)

    def reasons(self, cards: Sequence[Code]) -> tuple[Barred, ...]:
        """Everything that is wrong with a stack."""
        found = []
        if len(cards) != self.most:
            found.append(barred("WRONG_NUMBER_OF_CARDS", f"Choose {self.most} cards, not {len(cards)}."))
        held = dict(self.held)
        for code, count in Counter(cards).items():
            if count > held[code]:
                text = f"{count} {code} are more than the {held[code]} in the deck of this plane."
                found.append(barred("NOT_ENOUGH_COPIES", text))
        for before, card in zip((self.before, *cards), cards, strict=False):
            if self.careful and not lightning_may(card, before):
                text = f"A Lightning flies straight or sideslips before {card}."
                found.append(barred("LIGHTNING_NEEDS_STRAIGHT_OR_SLIP_FIRST", text))
        return tuple(found)

    @property
    def legal(self) -> tuple[Any, ...]:
        """A few stacks: of each card that may come first, the one with the plainest cards behind it."""
        firsts = [option.key for option in self._next(())]
        return tuple(self._filled((first,), lambda options: options[0].key) for first in firsts)

    def pick(self, rng: Random) -> Any:
        return self._filled((), lambda options: rng.choice(options).key)

    def _filled(self, cards: tuple[Code, ...], choose: Any) -> tuple[Code, ...]:
        while len(cards) < self.most:
            cards = (*cards, choose(self._next(cards)))
        return cards

    def _next(self, cards: tuple[Code, ...]) -> list[Option[Code]]:
        before = cards[-1] if cards else self.before
        return [o for o in card_options(self.held, self.careful, before, cards) if not o.barred]


def stack(context: Context, standard: str, craft: str, plays: int, before: Code) -> Stack:
    held = deck(context, standard, craft)
    careful = slips_first(context, craft)
    listed = tuple(_option(code, count, False) for code, count in held)
    return Stack(listed, plays, plays, True, held=held, careful=careful, before=before)
