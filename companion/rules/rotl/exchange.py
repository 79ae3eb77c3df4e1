"""An exchange: one side lays a card, both answer each other's last card until one passes. The last card wins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from companion.rules.rotl.cards import COUNTER, Card, Cards, Hand, answers, list_of
from companion.rules.rotl.refusals import refuse
from companion.umpire import Barred, Change, OneOf, Option, Umpire

ATTACK = "Responding to an Attack"
RESPONSE = "Responding to a Response"
PASS = "pass"

How: TypeAlias = Literal["", "agile", "ta152", "ace"]
Power: TypeAlias = Literal["", "ready", "used", "not now"]
"""A special ability: none, may be used, was used, or not in this turn."""


class Fighter(msgspec.Struct, frozen=True):
    """One side of an exchange: its hand (of cards that only its seat sees), counters and abilities."""

    element: str = ""
    plane: str = ""
    seat: str = ""
    title: str = "the fighter"
    hand: Hand = Hand((), 99)
    mini: bool = False
    counters: int = 0
    agile: Power = ""
    ta152: Power = ""
    ace: Power = ""


class Play(msgspec.Struct, frozen=True):
    """A card as it is laid: its own kind, or the one that an ability makes of it."""

    card: str
    kind: str
    how: How = ""

    @property
    def key(self) -> str:
        return f"{self.card}:{self.how}" if self.how else self.card

    def words(self, deck: Cards) -> str:
        if self.card == COUNTER:
            return "a Full Throttle counter"
        title = deck[self.card].title
        return f"{title} as {self.kind} ({_ABILITY[self.how][0]})" if self.how else title


class Chain(msgspec.Struct, frozen=True):
    """What was laid, in order, the attacker first, and both fighters afterwards."""

    plays: tuple[Play, ...]
    attacker: Fighter
    defender: Fighter

    @property
    def stands(self) -> bool:
        """The attacker laid the last card."""
        return len(self.plays) % 2 == 1


_ABILITY: dict[str, tuple[str, str, str]] = {
    "agile": ("agile", "SCI", "Agile Aircraft"),
    "ta152": ("Ta 152 at Very High", "FUT", "Special Aircraft, Ta-152H-1"),
    "ace": ("ace pilot", "ACE", "Pilot Skills, A"),
}
_REFUSED = {
    ("agile", "used"): "AGILE_ALREADY_USED",
    ("agile", "not now"): "AGILE_ONLY_OWN_TURN",
    ("ta152", "used"): "TA152_ALREADY_USED",
    ("ta152", "not now"): "TA152_NOT_VERY_HIGH_ALL_TURN",
    ("ace", "used"): "ACE_SKILL_SPENT",
}


def conversions(fighter: Fighter, deck: Cards, *, attack: bool) -> Iterator[tuple[Play, Barred | None]]:
    """Cards of the hand under another name, each with the reason against it."""
    for how in ("agile", "ta152", "ace"):
        power: Power = getattr(fighter, how)
        if not power or (how == "ace" and attack):
            continue
        kind = _ABILITY[how][1]
        refused = _REFUSED.get((how, power))
        barred = refuse(refused) if refused else None
        held = fighter.hand.kinds(deck)
        for card in held:
            if deck[card].kind != kind:
                yield Play(card, kind, how), barred
        if how == "ace" and not held:
            yield Play("", kind, "ace"), barred or refuse("ACE_SKILL_NEEDS_A_CARD")


def responses(
    fighter: Fighter, last: str, deck: Cards, *, attack: bool, only: tuple[str, ...] = ()
) -> tuple[Option[Play | None], ...]:
    """What may be laid against the last card, barred ones with their reason; passing is always there."""
    found: list[Option[Play | None]] = [Option(PASS, "Pass: no answer", None)]
    for key in fighter.hand.kinds(deck):
        card = deck[key]
        found.append(_option(Play(key, card.kind), deck, _response_barred(card, last, attack)))
    for play, barred in conversions(fighter, deck, attack=False):
        listed = list_of(play.kind, deck)
        found.append(_option(play, deck, barred or _unlisted(play.kind, last, listed, attack)))
    if fighter.counters:
        barred = _unlisted("FUT", last, list_of("FUT", deck), attack)
        found.append(_option(Play(COUNTER, "FUT"), deck, barred))
    return tuple(_only(option, only, last) for option in found)


def _only(option: Option[Play | None], only: tuple[str, ...], last: str) -> Option[Play | None]:
    if not only or option.barred or option.value is None or option.value.kind in only:
        return option
    return replace(option, barred=refuse("RESPONSE_NOT_LISTED", card=option.value.kind, last=last))


def _option(play: Play, deck: Cards, barred: Barred | None) -> Option[Play | None]:
    text = play.words(deck) if play.card else "Declare an ACE"
    return Option(play.key, text, play, barred)


def _response_barred(card: Card, last: str, attack: bool) -> Barred | None:
    if not card.responds:
        return refuse("NOT_A_RESPONSE_CARD", card=card.title)
    return _unlisted(card.kind, last, card.answers, attack)


def _unlisted(kind: str, last: str, listed: tuple[str, ...], attack: bool) -> Barred | None:
    if answers(last, listed, attack=attack):
        return None
    return refuse("RESPONSE_NOT_LISTED", card=kind, last=last)


def lay(fighter: Fighter, play: Play) -> Fighter:
    """The fighter after laying a card."""
    if play.card == COUNTER:
        return replace(fighter, counters=fighter.counters - 1)
    fighter = replace(fighter, hand=fighter.hand.minus([play.card]))
    return replace(fighter, **{play.how: "used"}) if play.how else fighter


def exchange(
    ump: Umpire,
    first: Play,
    attacker: Fighter,
    defender: Fighter,
    deck: Cards,
    *,
    most: int = 99,
    only: tuple[str, ...] = (),
) -> Chain:
    """From the attack card to the pass that ends it, or to `most` cards; `only` these kinds answer the attack."""
    sides = [lay(attacker, first), defender]
    plays = [first]
    ump.note(f"{attacker.title} lays {first.words(deck)}", "Initiating an Attack")
    while len(plays) < most:
        side = len(plays) % 2
        play = _answer(ump, sides[side], plays, deck, only)
        if play is None:
            break
        sides[side] = lay(sides[side], play)
        plays.append(play)
    return Chain(tuple(plays), sides[0], sides[1])


def _answer(ump: Umpire, fighter: Fighter, plays: list[Play], deck: Cards, only: tuple[str, ...]) -> Play | None:
    last, attack = plays[-1], len(plays) == 1
    rule = ATTACK if attack else RESPONSE
    space = OneOf(responses(fighter, last.kind, deck, attack=attack, only=only if attack else ()))
    text = f"{fighter.title}: answer {last.words(deck)}, or pass"
    play = ump.choose("respond", fighter.seat, space, text=text, rule=rule, options_to="seat")
    ump.note(f"{fighter.title} {f'answers with {play.words(deck)}' if play else 'passes'}", rule)
    return play


def spent(chain: Chain) -> tuple[Change, ...]:
    """All cards of an exchange are discarded, counters and abilities are used up."""
    return (
        *_spent_by(chain.attacker, chain.plays[::2]),
        *_spent_by(chain.defender, chain.plays[1::2]),
    )


def _spent_by(fighter: Fighter, plays: tuple[Play, ...]) -> Iterator[Change]:
    cards = tuple(p.card for p in plays if p.card != COUNTER)
    if cards:
        kind = "spend mini" if fighter.mini else "spend"
        text = f"{fighter.title} discards {len(cards)} played"
        yield Change(kind, fighter.element, cards, text=text, rule=RESPONSE)
    if len(cards) < len(plays):
        count = len(cards) - len(plays)
        text = f"{fighter.title}: {count:+d} Full Throttle counters"
        yield Change("counters", fighter.element, count, text=text, rule="Jet / Rocket Fighter Ratings")
    for how in dict.fromkeys(p.how for p in plays if p.how):
        text = f"{fighter.title} has used {_ABILITY[how][0]}"
        if how == "ace":
            yield Change("ace", fighter.element, False, text=text, rule=_ABILITY[how][2])
        else:
            yield Change("used", fighter.element, f"{how}:{fighter.plane}", text=text, rule=_ABILITY[how][2])
