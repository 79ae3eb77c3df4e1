"""An attack: a leader, a wingman or a gunner lays a card against one enemy aircraft."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

import msgspec

from companion.rules.rotl.cards import BURSTS, COUNTER, MOVES, Card, Cards, deck_of
from companion.rules.rotl.exchange import Chain, Fighter, Play, conversions, exchange, spent
from companion.rules.rotl.ratings import (
    Position,
    ahead,
    behind,
    burst_limit,
    mirror,
    no_step,
    step,
    wingman_bursts,
)
from companion.rules.rotl.refusals import refuse
from companion.rules.rotl.slots import HITS
from companion.umpire import Barred, Change, OneOf, Option, Question, Umpire, procedure

By: TypeAlias = Literal["leader", "wingman", "gunner"]
FIRST = "Initiating an Attack"
BACK = "back"


class Attack(msgspec.Struct, frozen=True):
    """An attack on one aircraft.

    `position` is that of the attacking element's leader to the target's; against a lone leader it is the friend's
    whom the target holds, and `lone` names that friend. `rating`, `used`, `extra` are the bursts of the attacker.
    """

    by: By = "leader"
    at: Literal["leader", "wingman"] = "leader"
    attacker: Fighter = Fighter(title="the attacker")
    defender: Fighter = Fighter(title="the defender")
    position: Position = "Neutral"
    lone: str = ""
    rating: int = 1
    used: int = 0
    extra: int = 0
    small: bool = False
    heavy: int = 0
    deck: dict[str, Card] = {}


class Exchange(msgspec.Struct, frozen=True):
    """What was laid (titles, the attacker's first), whether the attack stands, its effect in words."""

    laid: tuple[str, ...] = ()
    stands: bool = False
    effect: str = "nothing was laid"
    ended_by: str = ""
    changes: tuple[Change, ...] = ()


def attack_barred(a: Attack, play: Play, deck: Cards, *, break_first: bool = False) -> list[Barred]:
    """Every reason against laying this card as an attack."""
    card = deck.get(play.card)
    if play.kind in BURSTS and card:
        return list(_burst_barred(a, card, break_first))
    if play.kind in MOVES:
        return list(_move_barred(a, play.kind))
    if play.kind == "VER" and a.by == "wingman":
        return [refuse("WM_NO_VER_ATTACK")]
    return [refuse("NOT_AN_ATTACK_CARD", card=play.words(deck))]


def _move_barred(a: Attack, kind: str) -> Iterator[Barred]:
    if a.by == "gunner":
        yield refuse("GUNNER_ONLY_FIRES")
    elif a.at == "wingman" and a.by == "wingman":
        yield refuse("WM_VS_WM_NO_POSITION_CARDS")
    elif a.at == "wingman" and kind in ("SCI", "FUT"):
        yield refuse("NOT_AGAINST_WINGMAN")
    elif a.at == "leader" and step(kind, a.position) is None:
        yield no_step(kind, a.position, lone=bool(a.lone))


def _burst_barred(a: Attack, card: Card, break_first: bool) -> Iterator[Barred]:
    if a.by == "wingman":
        if a.lone and behind(a.position) and break_first:
            yield refuse("LONE_LEADER_BREAK_FIRST")
        if a.small and (card.kind, card.bursts, card.hits) == ("IMS", 1, 1):
            yield refuse("SMALL_TARGET_WM_1B1D")
        return
    limit = limit_of(a)
    if limit is None and a.lone:
        yield refuse("LONE_LEADER_BREAK_FIRST")
    elif limit is None:
        yield refuse("NO_BURSTS_WHEN_DISADVANTAGED_OR_TAILED", position=a.position)
    elif a.used + card.bursts > limit:
        left = max(0, limit - a.used)
        yield refuse("BURST_LIMIT", card=card.title, need=card.bursts, left=left, limit=limit)


def limit_of(a: Attack) -> int | None:
    """All bursts of this player-turn; None where the position allows none."""
    if a.by == "gunner":
        return a.rating
    if a.at == "wingman":
        return wingman_bursts(a.rating, a.extra, small=a.small)
    return burst_limit(a.rating, a.position, small=a.small)


def plays(a: Attack, *, break_first: bool = False) -> tuple[Option[Play | None], ...]:
    """Every card that may be in the hand as an attack, and not attacking after all."""
    deck = deck_of(a.deck)
    found: list[tuple[Play, Barred | None]] = [(Play(k, deck[k].kind), None) for k in a.attacker.hand.kinds(deck)]
    found += conversions(a.attacker, deck, attack=True)
    if a.attacker.counters:
        found.append((Play(COUNTER, "FUT"), None))
    listed: list[Option[Play | None]] = [Option(BACK, "Lay nothing", None)]
    for play, barred in found:
        reasons = [barred] if barred else attack_barred(a, play, deck, break_first=break_first)
        listed.append(Option(play.key, play.words(deck), play, reasons[0] if reasons else None))
    return tuple(listed)


@procedure(
    "rotl.attack",
    title="Attack an aircraft",
    rule=FIRST,
    questions={"stands": Question("The attack stands", lambda result: result.stands)},
    asks={"card": "the card that attacks", "respond": "a card against the last one, or pass", "look_up": "hits"},
)
def attack(ump: Umpire, a: Attack) -> Exchange:
    """A card is laid, answered and, where the attacker's is the last, takes effect. Bursts are spent in any case."""
    deck = deck_of(a.deck)
    space = OneOf(plays(a, break_first=ump.on("lone_break_first")))
    text = f"{a.attacker.title}: lay a card against {a.defender.title}"
    first = ump.choose("card", a.attacker.seat, space, text=text, rule=FIRST, options_to="seat")
    if first is None:
        return Exchange()
    chain = exchange(ump, first, a.attacker, a.defender, deck, most=2 if a.by == "gunner" else 99)
    hits = _hits(ump, a, first, deck) if chain.stands and first.kind in BURSTS else 0
    effect = _effect(a, first, chain, hits, deck)
    ump.note(effect, RESULT)
    changes = (*spent(chain), *_costs(a, first, deck), *(_changes(a, first, hits) if chain.stands else ()))
    gunner_ends = a.by == "gunner" and not chain.stands
    laid = tuple(p.words(deck) for p in chain.plays)
    return Exchange(laid, chain.stands, effect, "GUNNER_CANNOT_RESPOND" if gunner_ends else "", changes)


RESULT = "Responding to a Response"


def _hits(ump: Umpire, a: Attack, first: Play, deck: Cards) -> int:
    """Hits on the card and those of heavy cannons; a house value is a table's to fill in."""
    card = deck[first.card]
    known = a.deck and "hits" not in card.house
    printed = card.hits if known else int(ump.look_up(HITS, first.card) or 0)
    heavy = 0 if a.by == "gunner" else a.heavy
    if heavy:
        ump.note(f"{printed} hits and {heavy} of heavy cannons", "Heavy Cannons")
    return printed + heavy


def _effect(a: Attack, first: Play, chain: Chain, hits: int, deck: Cards) -> str:
    if not chain.stands:
        end = "; a gunner never answers" if a.by == "gunner" else ""
        return f"{first.words(deck)} is negated{end}"
    if first.kind in BURSTS:
        return f"{hits} {'hit' if hits == 1 else 'hits'} on {a.defender.title}"
    if a.at == "wingman":
        return f"{a.attacker.title} gains {_extra(first)} {_named(_extra(first))}"
    return f"{a.attacker.title} is {step(first.kind, a.position)}" + (" (lone leader)" if a.lone else "")


def _extra(first: Play) -> int:
    return 1 if first.kind == "MAN" else 2


def _costs(a: Attack, first: Play, deck: Cards) -> Iterator[Change]:
    """What an attack uses up whether it succeeds or not."""
    element = a.attacker.element
    shooter = f"gunner:{a.attacker.plane}" if (a.by, a.at) == ("gunner", "wingman") else a.attacker.plane
    yield Change("target", shooter, a.defender.plane, rule="Engaged / Unengaged")
    if a.by != "wingman":
        yield Change("played", element, 1, rule=FIRST)
    if first.kind in BURSTS and a.by != "wingman":
        bursts = deck[first.card].bursts
        text = f"{bursts} {_named(bursts)} spent"
        yield Change("gunner" if a.by == "gunner" else "bursts", element, bursts, text=text, rule="Bursts")


def _changes(a: Attack, first: Play, hits: int) -> Iterator[Change]:
    """What a successful attack does."""
    mine, theirs = a.attacker.element, a.defender.element
    if first.kind in BURSTS:
        yield Change(
            "hits",
            a.defender.plane,
            hits,
            text=f"{a.defender.title}: {hits} {'hit' if hits == 1 else 'hits'}",
            rule="Damage Capacity",
        )
    elif a.at == "wingman":
        yield Change(
            "extra",
            mine,
            _extra(first),
            text=f"+{_extra(first)} {_named(_extra(first))}",
            rule="Leaders Attacking Wingmen",
        )
    else:
        after = step(first.kind, a.position)
        assert after is not None
        if a.lone:
            yield from _prised(a, after)
        else:
            text = f"{a.attacker.title} is {after}"
            yield Change("position", f"{mine}|{theirs}", after, text=text, rule="Adjusting Position")


def _prised(a: Attack, after: Position) -> Iterator[Change]:
    """A lone leader's hold on a friend is loosened, ended, or turned into the attacker's own position."""
    rule, theirs = "Attacking a Lone Leader", a.defender.element
    held = mirror(after) if behind(after) else "Neutral"
    yield Change("position", f"{theirs}|{a.lone}", held, text=f"{a.defender.title} is {held} to the friend", rule=rule)
    if ahead(after):
        text = f"{a.attacker.title} is {after} over {a.defender.title}"
        yield Change("position", f"{a.attacker.element}|{theirs}", after, text=text, rule=rule)


__all__ = ["Attack", "Exchange", "attack", "attack_barred", "limit_of", "plays"]


def _named(bursts: int) -> str:
    return "burst" if bursts == 1 else "bursts"
