"""Action cards: what they are, what they answer, and hands of known cards beside an unknown count.

Where players hold printed cards their hands are `Hand((), n)`; a card becomes known when it is laid. With the virtual
deck all are known, to the table alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, structs

from companion.packs.records import Entry, Layer, as_layer, merge, read_layer
from companion.packs.source import Source
from companion.rules.rotl.aircraft import charts
from companion.rules.rotl.refusals import refuse
from companion.umpire import Illegal, Option, SomeOf, UsageError

Kind: TypeAlias = Literal["MAN", "HAL", "IMS", "OOS", "TIT", "BAR", "ACE", "SCI", "VER", "FUT"]
BURSTS: tuple[Kind, ...] = ("IMS", "OOS")
MOVES: tuple[Kind, ...] = ("MAN", "HAL", "SCI", "FUT")

UNKNOWN = "?"
"""A printed card of which only its back was seen."""
COUNTER = "counter"
"""A Full Throttle counter, laid or paid like a card."""

Name = Annotated[str, Meta(max_length=40)]
Few = Annotated[int, Meta(ge=0, le=9)]
Level = Literal["A", "B", "C", "D", "E", "F", "G", "H", "I"]


class Card(msgspec.Struct, frozen=True):
    """A kind of card with all its copies. `answers` names what it answers; see deck.toml. `house`: its house values."""

    name: str
    kind: Kind
    title: Name
    colour: Literal["red", "blue", "white"]
    level: Level
    copies: Annotated[int, Meta(ge=1, le=40)] = 1
    bursts: Few = 0
    hits: Few = 0
    answers: Annotated[tuple[Name, ...], Meta(max_length=20)] = ()
    house: tuple[str, ...] = ()

    @property
    def responds(self) -> bool:
        return self.colour != "red"


Cards: TypeAlias = Mapping[str, Card]


@cache
def house_layer() -> Layer:
    return read_layer(Path(__file__).with_name("deck.toml"), "card")


@cache
def house_entries() -> dict[str, Entry[Card]]:
    """The house deck with the origin of each value."""
    return merge([house_layer()], Card)


@cache
def house_deck() -> dict[str, Card]:
    return {key: structs.replace(entry.value, house=_house_fields(entry)) for key, entry in house_entries().items()}


def _house_fields(entry: Entry[Card]) -> tuple[str, ...]:
    """What no text prints: copies, most costs and hits, and the answers that no example or rule proves."""
    fields: list[str] = [f for f in ("copies", "bursts", "hits") if f in entry.origins and f in entry.house]
    column = charts()["proved"].columns
    kind = entry.value.kind
    if kind in column:
        fields += [f"answers {row.key}" for row in charts()["proved"].rows if not row.cells[column.index(kind)]]
    return tuple(fields)


TITLES: dict[Kind, str] = {
    "MAN": "Maneuvering", "HAL": "Half Loop", "IMS": "In My Sights", "OOS": "Out of the Sun", "TIT": "Tight Turn",
    "BAR": "Barrel Roll", "ACE": "Ace Pilot", "SCI": "Scissors", "VER": "Vertical Roll", "FUT": "Full Throttle",
}  # fmt: skip
_LEVELS: dict[str, Level] = {"MAN": "F", "HAL": "G", "ACE": "I", "OOS": "B"}
_IMS: dict[int, Level] = {1: "E", 2: "D", 3: "C"}
PLAYED = (
    "MAN",
    "HAL",
    "IMS",
    "OOS",
    "attack SCI",
    "attack FUT",
    "attack VER",
    "TIT",
    "BAR",
    "SCI",
    "VER",
    "FUT",
    "ACE",
)
"""What can be answered: an attack stands before its name where a response bears it too."""


def card_of(
    name: str,
    kind: Kind,
    copies: int,
    bursts: int,
    hits: int,
    met: Sequence[str],
    *,
    fuel: bool,
    house: tuple[str, ...],
) -> Card:
    """A card from what is printed on it; its colour and its level of disengagement follow from its kind."""
    fires = kind in BURSTS
    level = "A" if fuel else _IMS.get(bursts, "E") if kind == "IMS" else _LEVELS.get(kind, "H")
    colour: Literal["red", "blue", "white"] = (
        "red" if kind in RED else "white" if kind in ("SCI", "VER", "FUT") else "blue"
    )
    mine = house_deck().get(name)
    title = TITLES[kind] + (" (Fuel Tank Hit)" if fuel else f" ({bursts}B/{hits}D)" if fires else "")
    if mine and (mine.kind, mine.bursts, mine.hits) == (kind, bursts, hits):
        title = mine.title
    elif not mine:
        title = f"{title} {name}"[:40]
    cost, damage = (bursts, hits) if fires else (0, 0)
    return Card(name, kind, title, colour, level, copies, cost, damage, _listed(met), house)


RED: tuple[Kind, ...] = ("MAN", "HAL", *BURSTS)


def is_attack(played: str) -> bool:
    return played.startswith("attack ") or played in RED


def meets(listed: Sequence[str], played: str) -> bool:
    """Whether a response list meets one of `PLAYED`."""
    return answers(played.removeprefix("attack "), listed, attack=is_attack(played))


def _listed(met: Sequence[str]) -> tuple[str, ...]:
    """What is met, as a response list."""
    if len(met) == len(PLAYED):
        return ("*",)
    both = {p.removeprefix("attack ") for p in met if p.startswith("attack ")} & set(met)
    return tuple(dict.fromkeys(_name(p, both) for p in met))


def _name(played: str, both: set[str]) -> str:
    plain = played.removeprefix("attack ")
    if plain in both or plain not in ("SCI", "VER", "FUT"):
        return plain
    return played if played != plain else f"response {plain}"


def own_deck(records: Mapping[str, Any]) -> dict[str, Card]:
    """A deck typed in from a player's own cards; it stands alone. Raises PackError with every fault."""
    layer = as_layer(Source("the deck", {"pack": "own deck", "card": dict(records)}, {}), "card")
    return {key: entry.value for key, entry in merge([layer], Card).items()}


def deck_of(own: Cards) -> Cards:
    """A table's own deck, or the house deck."""
    return own or house_deck()


def answers(to: str, listed: Sequence[str], *, attack: bool) -> bool:
    """Whether a response list meets the card laid last; `attack` says that it was laid as an attack."""
    return "*" in listed or to in listed or f"{'attack' if attack else 'response'} {to}" in listed


def list_of(kind: str, deck: Cards) -> tuple[str, ...]:
    """What a card of this kind answers: a converted card uses the list of the name that it takes."""
    return next((card.answers for card in deck.values() if card.kind == kind), ())


# --- hands -----------------------------------------------------------------------------------------


class Hand(msgspec.Struct, frozen=True):
    """Known cards, sorted, and how many more there are."""

    known: tuple[str, ...] = ()
    unknown: Annotated[int, Meta(ge=0, le=9999)] = 0

    def __len__(self) -> int:
        return len(self.known) + self.unknown

    def plus(self, cards: Iterable[str]) -> Hand:
        """With these; `?` adds to the unknown ones."""
        cards = list(cards)
        known = sorted([*self.known, *(c for c in cards if c != UNKNOWN)])
        return Hand(tuple(known), self.unknown + cards.count(UNKNOWN))

    def minus(self, cards: Iterable[str]) -> Hand:
        """Without these; a card that is not known comes out of the unknown ones."""
        hand = self
        for card in cards:
            hand = hand._without(card)
        return hand

    def _without(self, card: str) -> Hand:
        if card in self.known:
            known = list(self.known)
            known.remove(card)
            return Hand(tuple(known), self.unknown)
        if self.unknown:
            return Hand(self.known, self.unknown - 1)
        raise Illegal([refuse("CARD_NOT_IN_HAND", card=repr(card[:40]))])

    def all(self) -> tuple[str, ...]:
        """Every card, `?` for an unknown one."""
        return (*self.known, *[UNKNOWN] * self.unknown)

    def kinds(self, deck: Cards) -> tuple[str, ...]:
        """The cards that may be in it, each once: with unknown ones, any card of the deck."""
        if self.unknown:
            return tuple(deck)
        return tuple(card for card in deck if card in self.known)


class FromHand(SomeOf[str], frozen=True):
    """Cards out of a hand, each copy a choice of its own: `tit`, `tit#2`; a name given twice means two copies."""

    def parse(self, given: Any) -> tuple[str, ...]:
        names = [str(name) for name in given] if isinstance(given, (list, tuple)) else [str(given)]
        return super().parse(_numbered(names))


def _numbered(cards: Iterable[str]) -> list[str]:
    """A key for each copy."""
    seen: Counter[str] = Counter()
    keys = []
    for card in cards:
        seen[card] += 1
        keys.append(card if seen[card] == 1 else f"{card}#{seen[card]}")
    return keys


def from_hand(hand: Hand, least: int, most: int, deck: Cards, *, counters: int | None = None) -> FromHand:
    """So many cards of a hand, `?` for a printed one; `counters`, where they may be paid like cards, as `counter`."""
    held = [*hand.all(), *[COUNTER] * (counters or 0)]
    choices = [_choice(key, card, deck) for key, card in zip(_numbered(held), held, strict=True)]
    if counters == 0:
        choices.append(Option(COUNTER, "a Full Throttle counter", COUNTER, refuse("NO_COUNTER_LEFT")))
    return FromHand(tuple(choices), least, most)


def _choice(key: str, card: str, deck: Cards) -> Option[str]:
    titles = {UNKNOWN: "a card of the hand", COUNTER: "a Full Throttle counter"}
    return Option(key, titles.get(card) or known_card(card, deck).title, card)


def known_card(card: str, deck: Cards) -> Card:
    """The card of this name; raises UsageError where the deck has none."""
    if card not in deck:
        raise UsageError(f"There is no action card {card[:40]!r} in this deck; there are {', '.join(deck)}.")
    return deck[card]
