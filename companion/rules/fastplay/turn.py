"""Cards and moves: everybody chooses in secret, turns up card by card, and moves at once."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from companion.grid.hexes import Side
from companion.rules.fastplay.aircraft import slips_first
from companion.rules.fastplay.cards import PATH, card_options, copies, deck, stack
from companion.rules.fastplay.mat import Facing, Mat, flown
from companion.rules.fastplay.names import Names, called
from companion.rules.fastplay.refusals import barred
from companion.rules.fastplay.state import ESCAPE_HITS
from companion.umpire import MOMENT, Barred, Change, Choice, OneOf, Umpire, procedure

CHOOSE = "Choose Cards"
MOVE = "Play Card and Move Planes"
LEAVING = "Leaving the Board"

Hits = Annotated[int, Meta(ge=0, le=20)]
CardNumber = Annotated[int, Meta(ge=1, le=4)]


class Player(msgspec.Struct, frozen=True):
    """Who chooses: how many cards, and the card played before (the Lightning may need it). `played`: this turn's."""

    pilot: str
    aircraft: str
    plays: Annotated[int, Meta(ge=3, le=4)] = 3
    before: str = ""
    played: tuple[str, ...] = ()
    known: bool = True


class Players(msgspec.Struct, frozen=True):
    players: tuple[Player, ...]


class Locked(msgspec.Struct, frozen=True):
    """Everybody's cards lie face down; who holds which stands in the changes alone."""

    pilots: tuple[str, ...]
    changes: tuple[Change, ...]


@procedure(
    "fastplay.choose_cards",
    title="Choose cards",
    rule=CHOOSE,
    asks={"cards": "each pilot's cards of the turn in their order, sealed"},
)
def choose_cards(ump: Umpire, players: Players) -> Locked:
    """Each pilot lays a stack of three cards face down, the Zero four."""
    everybody = [p for p in players.players if p.known]
    standard = copies(ump) if everybody else ""
    group = {
        p.pilot: Choice(
            "stack",
            stack(ump.context, standard, p.aircraft, p.plays, p.before),
            f"Choose {p.plays} cards in the order in which you will play them",
            CHOOSE,
        )
        for p in everybody
    }
    chosen = ump.together("cards", group, rule=CHOOSE) if group else {}
    plans = tuple(Change("plan", p, cards, text="lays cards face down", rule=CHOOSE) for p, cards in chosen.items())
    ready = len(players.players)
    ump.note("1 pilot is ready" if ready == 1 else f"{ready} pilots are ready", CHOOSE)
    return Locked(tuple(p.pilot for p in players.players), (*plans, Change("locked", "", rule=CHOOSE)))


class Reveal(msgspec.Struct, frozen=True):
    """Who plays this card of the turn; the card of a pilot who is not `known` to Companion is asked."""

    card: CardNumber
    players: tuple[Player, ...]
    ask: bool = False
    names: Names = ()


class Revealed(msgspec.Struct, frozen=True):
    card: int
    changes: tuple[Change, ...]


@procedure(
    "fastplay.reveal",
    title="Turn up the cards",
    rule=MOVE,
    asks={"card": "which card lies on the table"},
)
def reveal(ump: Umpire, turned: Reveal) -> Revealed:
    """All turn up their next card together."""
    standard = copies(ump) if turned.ask else ""
    shown = tuple(_shown(ump, p, standard, turned.names) for p in turned.players if p.known or turned.ask)
    who = ", ".join(called(turned.names, p.pilot) for p in turned.players) or "nobody"
    ump.note(f"card {turned.card} is turned up by {who}", MOVE)
    return Revealed(turned.card, (*shown, Change("revealed", "", rule=MOVE)))


def _shown(ump: Umpire, player: Player, standard: str, names: Names) -> Change:
    card = None if player.known else _asked_card(ump, player, standard, called(names, player.pilot))
    return Change("reveal", player.pilot, card, rule=MOVE)


def _asked_card(ump: Umpire, player: Player, standard: str, name: str) -> str:
    held = deck(ump.context, standard, player.aircraft)
    listed = card_options(held, slips_first(ump.context, player.aircraft), player.before, player.played)
    return ump.fact(f"card:{player.pilot}", OneOf(listed), text=f"Which card did {name} play?", rule=MOVE)


class Moving(msgspec.Struct, frozen=True):
    pilot: str
    card: str
    at: str
    facing: Facing
    hits: Hits = 0
    must_leave: bool = False


class Moves(msgspec.Struct, frozen=True):
    """All planes with the cards that lie face up."""

    mat: Mat
    planes: tuple[Moving, ...]
    names: Names = ()


class Moved(msgspec.Struct, frozen=True):
    changes: tuple[Change, ...]


@procedure("fastplay.move", title="Move all planes", rule=MOVE)
def move(ump: Umpire, moves: Moves) -> Moved:
    """All planes move at once as their cards say; one that ends beyond the mat has left it."""
    made = tuple(_moved(ump, moves.mat, plane, called(moves.names, plane.pilot)) for plane in moves.planes)
    return Moved((*made, Change("moved", "", rule=MOVE)))


def _moved(ump: Umpire, mat: Mat, plane: Moving, name: str) -> Change:
    path = str(ump.look_up(PATH, plane.card))
    at, facing = flown(mat.hex(plane.at), Side[plane.facing], path)
    if not mat.holds(at):
        ump.note(f"{name} {plane.card}: {plane.at} {plane.facing} off the mat", MOVE)
        return gone(ump, plane.pilot, name, may_escape(plane.hits, plane.must_leave))
    place = {"at": mat.name(at), "facing": facing.name}
    words = f"{plane.at} {plane.facing} to {place['at']} {place['facing']}"
    ump.note(f"{name} {plane.card}: {words}", MOVE)
    return Change("move", plane.pilot, place, text=words, rule=MOVE)


# --- leaving the mat


def may_escape(hits: int, must_leave: bool) -> bool:
    """Whether a plane may leave of its own will: damaged enough, or the winner of a duel, who has to."""
    return hits >= ESCAPE_HITS or must_leave


def gone(ump: Umpire, pilot: str, name: str, restored: bool) -> Change:
    how = "left the mat and is repaired" if restored else "strayed off the mat and keeps its damage"
    ump.note(f"{name} {how} and may come back next turn", LEAVING)
    return Change("leave", pilot, restored, text=how, rule=LEAVING)


class Leaving(msgspec.Struct, frozen=True):
    """A plane that flies off a mat which Companion does not keep; `strayed` where it could not help it."""

    pilot: str
    hits: Hits = 0
    must_leave: bool = False
    strayed: bool = False
    names: Names = ()


class Left(msgspec.Struct, frozen=True):
    pilot: str
    restored: bool
    changes: tuple[Change, ...]


def _leave_violations(leaving: Leaving) -> tuple[Barred, ...]:
    allowed = leaving.strayed or may_escape(leaving.hits, leaving.must_leave)
    return () if allowed else (barred("ESCAPE_NEEDS_4_DAMAGE"),)


@procedure("fastplay.leave", title="Fly off the mat", rule=LEAVING, violations=_leave_violations)
def leave(ump: Umpire, leaving: Leaving) -> Left:
    """An escape restores the plane; one that strayed off keeps its damage (the rulebook is silent on it)."""
    restored = may_escape(leaving.hits, leaving.must_leave)
    change = gone(ump, leaving.pilot, called(leaving.names, leaving.pilot), restored)
    return Left(leaving.pilot, restored, (change,))


# --- the end of a step


class Closing(msgspec.Struct, frozen=True):
    card: CardNumber = 1


class Closed(msgspec.Struct, frozen=True):
    changes: tuple[Change, ...]


@procedure("fastplay.close", title="Shooting is over", rule="Resolve Shooting")
def close(ump: Umpire, closing: Closing) -> Closed:
    """All firing takes place at the same time: the hits of this card count now."""
    ump.note(f"the hits after card {closing.card} count now", "Resolve Shooting")
    return Closed((Change(MOMENT, "step", rule="Resolve Shooting"),))
