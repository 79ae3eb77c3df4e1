"""The dogfight as one seat may see it: its own cards, of the others only how many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

from companion.rules.rotl.aircraft import SIDES
from companion.rules.rotl.altitude import Move, Moved
from companion.rules.rotl.attack import Attack, Exchange
from companion.rules.rotl.chance import chance, unseen_by
from companion.rules.rotl.due import phase
from companion.rules.rotl.leaving import Left
from companion.rules.rotl.pilots import Chosen
from companion.rules.rotl.state import Dogfight, Element, Plane
from companion.rules.rotl.targets import leader_fighter
from companion.rules.rotl.turns import Declare, Outcome
from companion.rules.rotl.victory import TABLE, Balance, Victory, grade, victory_points
from companion.umpire import Context, Field, Piece, Summary, View


def view(state: Dogfight, seat: str, context: Context) -> View:
    """What a seat may see; '' is a spectator."""
    return View(
        headline=phase(state),
        pieces=tuple(_pieces(state)),
        score=tuple(_score(state, context)),
        hand=tuple(_hands(state, seat)),
        notes=tuple(_notes(state)),
        odds=tuple(_odds(state, seat)),
    )


def _pieces(state: Dogfight) -> Iterator[Piece]:
    for e in state.elements:
        wingman = e.wingman.key if e.wingman else ""
        for plane in sorted(e.planes, key=lambda p: p.key):
            if plane.key == e.leader.key:
                fields = (*_leader_fields(state, e), *_plane_fields(state, e, plane))
                yield Piece(plane.key, f"{e.key} {e.type} leader", e.side, e.seat, fields, _out(plane))
            else:
                fields = (*_wingman_fields(state, e), *_plane_fields(state, e, plane)) if plane.key == wingman else ()
                yield Piece(plane.key, f"{e.key} {e.type} wingman", e.side, e.seat, fields, _out(plane))


def _out(plane: Plane) -> str:
    return "" if plane.flying else plane.fate


def _plane_fields(state: Dogfight, e: Element, plane: Plane) -> Iterator[Field]:
    first, second = state.capacity(e, plane)
    house = state.type_of(e).is_house("capacity", damaged=plane.damaged)
    yield Field("Hits", f"{plane.hits} of {first} / {second}", "Damage Capacity", house=house)
    if plane.damaged:
        yield Field("Side", "damaged", "Damage Capacity", letter="D", colour="red")


def _leader_fields(state: Dogfight, e: Element) -> Iterator[Field]:
    yield Field("Altitude", e.altitude, "Altitude")
    engaged = state.engaged_with(e.key)
    if engaged:
        yield Field("Position", f"{state.position(e.key, engaged)} to {engaged}", "Relative Positions")
    else:
        yield Field("Position", "Neutral", "Relative Positions")
    yield Field("Cards", str(len(e.hand)), "Performance")
    for name, field in (("Performance", "performance"), ("Horsepower", "horsepower"), ("Bursts", "burst")):
        house = state.type_of(e).is_house(field, damaged=e.leader.damaged)
        yield Field(name, str(state.rating(e, field)), name, house=house)  # type: ignore[arg-type]
    if e.counters:
        yield Field("Full Throttle", str(e.counters), "Jet / Rocket Fighter Ratings")
    if e.ace:
        yield Field("Ace ability", "ready", "Pilot Skills, A")
    if e.pilot or e.skills:
        yield Field("Pilot", f"{e.pilot} {' '.join(e.skills)}".strip(), "Pilots")


def _wingman_fields(state: Dogfight, e: Element) -> Iterator[Field]:
    kind = state.type_of(e)
    assert e.wingman is not None
    for name, field in (("Offensive", "offence"), ("Defensive", "defence")):
        house = kind.is_house(field, damaged=e.wingman.damaged)
        value = getattr(kind, field)[e.wingman.damaged]
        yield Field(name, str(value), "Offensive and Defensive Ratings", house=house)
    if len(e.mini):
        yield Field("Mini-hand", str(len(e.mini)), "A Wingman's Mini-Hand")


def _score(state: Dogfight, context: Context) -> Iterator[Field]:
    points = {side: victory_points(state, side) for side in SIDES}
    for side in SIDES:
        yield Field(side, f"{points[side]} VP", "Determine Victory")
    if state.phase == "over":
        beyond = bool(context.switches.get("beyond_table", False))
        result = grade(points["Axis"] - points["Allies"], state.aircraft, beyond=beyond)
        yield Field("Result", result or "The table grades 4 to 15 aircraft", TABLE)


def _hands(state: Dogfight, seat: str) -> Iterator[Field]:
    """The seat's own cards; nobody else's are ever part of a view."""
    for e in state.elements:
        if not seat or e.seat != seat:
            continue
        for hand, name in ((e.hand, e.key), (e.mini, f"{e.key} mini-hand")):
            for card, count in sorted(Counter(hand.known).items()):
                title = state.cards[card].title + (f" x{count}" if count > 1 else "")
                yield Field(name, title, "Action Cards", house=bool(state.cards[card].house))
            if hand.unknown:
                yield Field(name, f"{hand.unknown} cards in the hand", "Action Cards")


def _notes(state: Dogfight) -> Iterator[str]:
    yield f"{state.pile} cards in the draw pile, {len(state.discards)} discarded"
    if state.holds:
        yield "; ".join(f"{h.by} {_HOLDS[h.position]} {h.over}" for h in state.holds)


_HOLDS = {"Advantaged": "is Advantaged over", "Tailing": "is Tailing"}


def _odds(state: Dogfight, seat: str) -> Iterator[str]:
    """The chance of an answer to each kind of attack, for the seat whose turn it is."""
    if not (seat and state.turn and state.element(state.turn.element).seat == seat):
        return
    for enemy in state.enemies(state.element(state.turn.element)):
        hand = leader_fighter(state, enemy)
        found = {k: chance(unseen_by(state, seat, hand, k, attack=True)) for k in ("MAN", "HAL", "SCI", "IMS", "OOS")}
        words = ", ".join(f"{kind} {100 * p.numerator // p.denominator} %" for kind, p in found.items())
        yield f"Chance that {enemy.key} can answer: {words}"


Weight: TypeAlias = Literal["quiet", "", "slip"]


def summary(state: Dogfight, procedure: str, inputs: Any, result: Any) -> Summary:
    """A result in a glance; nothing of it is hidden."""
    changed = tuple(c.text for c in getattr(result, "changes", ()) if c.text)
    heading = (_who(inputs),) if _who(inputs) else ()
    weight: Weight = "quiet" if _idle(result) else _WEIGHTS.get(procedure.removeprefix("rotl."), "")
    return Summary(heading, _word(result).upper(), changed, weight)


def _idle(result: Any) -> bool:
    """Nothing was laid after all."""
    return isinstance(result, (Exchange, Moved)) and not result.changes


_WEIGHTS: dict[str, Weight] = {
    **dict.fromkeys(("begin", "pass", "declare", "adjust", "give_up", "discard", "draw"), "quiet"),
    **dict.fromkeys(("attack", "vertical", "disengage", "promote"), "slip"),
}
"""Plain steps of a player-turn show on the table alone; an exchange has its slip."""


def _who(inputs: Any) -> str:
    match inputs:
        case Attack():
            return f"{inputs.attacker.title} attacks {inputs.defender.title}"
        case Move():
            return inputs.mover.fighter.element
        case Declare():
            return inputs.attacker
    return str(getattr(inputs, "element", ""))


def _word(result: Any) -> str:
    match result:
        case Exchange(effect=effect):
            return effect
        case Moved(level=level, changed=changed):
            return f"now at {level}" if changed else f"stays at {level}"
        case Left(fates=fates):
            return ", ".join(fates)
        case Victory(result=words):
            return words
        case Balance(bonus_to=side, bonus=bonus):
            return f"{side} +{bonus} VP" if side else "balanced"
        case Outcome(done=done):
            return done
        case Chosen(pilots=found):
            return ", ".join(p.name if p else "unskilled" for p in found)
    return "yes" if result else "no"
