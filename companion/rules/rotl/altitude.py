"""Changing altitude, by the Adjust Altitude step or a Vertical Roll, and following."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from companion.rules.rotl.aircraft import Altitude
from companion.rules.rotl.cards import COUNTER, Card, Cards, deck_of, from_hand
from companion.rules.rotl.exchange import Fighter, Play, exchange, spent
from companion.rules.rotl.piles import Stock, draw
from companion.rules.rotl.ratings import Position, ahead, behind, follow_cost, level_barred, mirror, next_level
from companion.rules.rotl.refusals import refuse
from companion.umpire import Barred, Change, OneOf, Option, Question, Umpire, procedure

CHANGING = "Changing Altitude"
VER = "By Playing a VER Card"
FOLLOWING = "Following an Altitude Change"


class Climber(msgspec.Struct, frozen=True):
    """An element that may change altitude. `pays` says that it may pay with counters: jets and rockets."""

    fighter: Fighter = Fighter()
    ceiling: Altitude = "Very High"
    pays: bool = False

    @property
    def counters(self) -> int:
        return self.fighter.counters if self.pays else 0

    @property
    def purse(self) -> int:
        """Cards and counters that it can pay with."""
        return len(self.fighter.hand) + self.counters


class Move(msgspec.Struct, frozen=True):
    """A change of altitude. `position` is the mover's to the enemy it is engaged with, `enemy`."""

    mover: Climber = Climber(Fighter(title="the mover"))
    altitude: Altitude = "Medium"
    up: bool = False
    position: Position = "Neutral"
    enemy: Climber = Climber(Fighter(title="the enemy"))
    stock: Stock = Stock()
    deck: dict[str, Card] = {}
    free: bool = False
    used_ta152: bool = False


class Moved(msgspec.Struct, frozen=True):
    """Whether the altitude was changed, and whether the enemy followed."""

    level: str
    changed: bool
    followed: bool = False
    changes: tuple[Change, ...] = ()


def may_move(m: Move) -> list[Barred]:
    """Every reason against moving that everybody can see."""
    limit = level_barred(m.altitude, up=m.up, who=m.mover.fighter.title, ceiling=m.mover.ceiling)
    found = [limit] if limit else []
    if m.up and not m.mover.purse:
        found.append(refuse("CLIMB_NEEDS_DISCARD"))
    return found


def may_roll(m: Move) -> list[Barred]:
    """Every reason against a Vertical Roll that everybody can see: it is a card itself, and a climb needs another."""
    found = may_move(m)
    if m.up and m.mover.purse == 1 and len(m.mover.fighter.hand) == 1:
        found.append(refuse("CLIMB_NEEDS_DISCARD"))
    if not len(m.mover.fighter.hand):
        found.append(refuse("CARD_NOT_IN_HAND", card="VER"))
    if m.used_ta152:
        found.append(refuse("TA152_NOT_VERY_HIGH_ALL_TURN"))
    return found


def may_stop(m: Move) -> list[Barred]:
    """Why the enemy may not answer a Vertical Roll."""
    if behind(m.position):
        return []
    return [refuse("VER_STOP_ONLY_BY_ADVANTAGED_OR_TAILING")]


def _cards(count: int) -> str:
    return f"{count} card" if count == 1 else f"{count} cards"


def may_follow(m: Move, *, ver: bool) -> list[Barred]:
    """Every reason against following."""
    if not behind(m.position):
        return [refuse("ONLY_ADVANTAGED_OR_TAILING_MAY_FOLLOW")]
    found = []
    limit = level_barred(m.altitude, up=m.up, who=m.enemy.fighter.title, ceiling=m.enemy.ceiling)
    if limit:
        found.append(limit)
    cost, _ = follow_cost(mirror(m.position), climb=m.up, ver=ver)
    if cost > m.enemy.purse:
        found.append(
            refuse("FOLLOW_COST", cost=_cards(cost), held=f"{'is' if m.enemy.purse == 1 else 'are'} {m.enemy.purse}")
        )
    return found


LEVEL = {"level": Question("Where the element is then", lambda result: result.level)}


@procedure(
    "rotl.adjust",
    title="Adjust altitude",
    rule="During Adjust Altitude Step",
    violations=may_move,
    questions=LEVEL,
    asks={"pay": "what is discarded", "follow": "whether the pursuer follows", "draw": "a card for a dive"},
)
def adjust(ump: Umpire, m: Move) -> Moved:
    """One level up or down: a climb costs a card, a dive draws one; a pursuer may follow. The step is over."""
    moved = _moved(ump, m, ver=False)
    return replace(moved, changes=(*moved.changes, Change("step", m.mover.fighter.element, rule=CHANGING)))


@procedure(
    "rotl.vertical",
    title="Change altitude with a Vertical Roll",
    rule=VER,
    violations=may_roll,
    questions=LEVEL,
    asks={
        "card": "the Vertical Roll",
        "respond": "a VER or ACE against it",
        "pay": "what is discarded",
        "follow": "whether the pursuer follows",
        "draw": "a card for a dive",
    },
)
def vertical(ump: Umpire, m: Move) -> Moved:
    """A VER is laid; a pursuer may stop it with VER or ACE. Then as any change of altitude, at a higher cost."""
    deck = deck_of(m.deck)
    space = OneOf(_rolls(m.mover.fighter, deck))
    text = f"{m.mover.fighter.title}: lay the Vertical Roll"
    roll = ump.choose("card", m.mover.fighter.seat, space, text=text, rule=VER, options_to="seat")
    if roll is None:
        return Moved(m.altitude, False)
    most = 1 if may_stop(m) else 99
    chain = exchange(ump, roll, m.mover.fighter, m.enemy.fighter, deck, most=most, only=("VER", "ACE"))
    element = m.mover.fighter.element
    laid = (*spent(chain), Change("played", element, 1, rule=VER), _first(m))
    m = replace(
        m,
        mover=replace(m.mover, fighter=chain.attacker),
        enemy=replace(m.enemy, fighter=chain.defender),
    )
    return _resolved(ump, m, chain.stands, laid)


def _rolls(fighter: Fighter, deck: Cards) -> tuple[Option[Play | None], ...]:
    """The cards of the hand: only a VER will do."""
    barred = refuse("CARD_NOT_IN_HAND", card="VER")
    listed: list[Option[Play | None]] = [Option("back", "Lay nothing", None)]
    for key in fighter.hand.kinds(deck):
        play = Play(key, deck[key].kind)
        listed.append(Option(play.key, play.words(deck), play, None if play.kind == "VER" else barred))
    return tuple(listed)


def _first(m: Move) -> Change:
    how = "free" if m.free else "bound"
    return Change("vertical", m.mover.fighter.element, how, rule="Altitude Attack Restrictions")


def _resolved(ump: Umpire, m: Move, stands: bool, laid: tuple[Change, ...]) -> Moved:
    if not stands:
        ump.note("The Vertical Roll is stopped", VER)
        return Moved(m.altitude, False, changes=laid)
    if m.up and not m.mover.purse:
        ump.note("Nothing is left to pay for the climb, so it fails", CHANGING)
        return Moved(m.altitude, False, changes=laid)
    moved = _moved(ump, m, ver=True)
    return replace(moved, changes=(*laid, *moved.changes))


def _moved(ump: Umpire, m: Move, *, ver: bool) -> Moved:
    level = next_level(m.altitude, up=m.up)
    assert level is not None
    changes, there = _one_level(ump, m, m.mover, level, (1, 0) if m.up else (0, 1))
    followed = False
    if behind(m.position):
        followed, more = _follow(ump, replace(m, stock=there), level, ver)
        changes += more
    lost = ahead(m.position) or (behind(m.position) and not followed)
    if lost:
        pair = f"{m.mover.fighter.element}|{m.enemy.fighter.element}"
        changes.append(Change("position", pair, "Neutral", text="Both are Neutral", rule=CHANGING))
    return Moved(level, True, followed, tuple(changes))


def _one_level(
    ump: Umpire, m: Move, who: Climber, level: Altitude, price: tuple[int, int]
) -> tuple[list[Change], Stock]:
    """Pay, then change the level, then draw; `price` is the cards to discard and to draw."""
    fighter, changes = who.fighter, []
    cost, gain = price
    if cost:
        space = from_hand(fighter.hand, cost, cost, deck_of(m.deck), counters=who.counters if who.pays else None)
        text = f"{fighter.title} discards {_cards(cost)}"
        paid = ump.choose("pay", fighter.seat, space, text=text, rule=CHANGING, options_to="seat")
        changes += list(_paid(fighter, paid))
    changes.append(Change("altitude", fighter.element, level, text=f"{fighter.title}: {level}", rule=CHANGING))
    ump.note(f"{fighter.title} goes to {level}", CHANGING)
    if gain:
        drawn = draw(ump, fighter.element or "dive", fighter.seat, gain, m.stock, "take", fighter.element)
        return [*changes, *drawn.changes], drawn.stock
    return changes, m.stock


def _paid(fighter: Fighter, paid: tuple[str, ...]) -> Iterator[Change]:
    cards = tuple(c for c in paid if c != COUNTER)
    if cards:
        yield Change("spend", fighter.element, cards, text=f"{fighter.title} discards {len(cards)}", rule=CHANGING)
    if len(cards) < len(paid):
        count = len(cards) - len(paid)
        yield Change("counters", fighter.element, count, text=f"{fighter.title}: {count:+d} counters", rule=CHANGING)


def _follow(ump: Umpire, m: Move, level: Altitude, ver: bool) -> tuple[bool, list[Change]]:
    """The pursuer follows at a cost, or stays at its level and is Neutral."""
    barred = may_follow(m, ver=ver)
    price = follow_cost(mirror(m.position), climb=m.up, ver=ver)
    choices = (
        Option(
            "follow",
            f"Follow to {level} for {_cards(price[0]) if price[0] else 'nothing'}",
            True,
            barred[0] if barred else None,
        ),
        Option("stay", "Stay and lose the position", False),
    )
    text = f"{m.enemy.fighter.title}: follow to {level}?"
    if not ump.choose("follow", m.enemy.fighter.seat, OneOf(choices), text=text, rule=FOLLOWING):
        return False, []
    changes, _ = _one_level(ump, m, m.enemy, level, price)
    return True, changes
