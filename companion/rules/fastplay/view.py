"""What each seat sees, and a result in a glance."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.rules.fastplay.cards import manoeuvres
from companion.rules.fastplay.due import phase_of
from companion.rules.fastplay.entry import Duel, Entered
from companion.rules.fastplay.losses import Resolved
from companion.rules.fastplay.shooting import Fired, rank
from companion.rules.fastplay.state import ESCAPE_HITS, Pilot, State
from companion.rules.fastplay.turn import Left
from companion.umpire import Change, Context, Field, Piece, Summary, View

_OUT = {
    "not in yet": "not on the mat yet",
    "left the mat": "left the mat, repaired; may return in turn {turn}",
    "strayed off the mat": "strayed off the mat; may return in turn {turn}",
    "shot down": "shot down, survived; may return in turn {turn}",
    "out of action": "out of action; a new pilot may come in turn {turn}",
}


def view(state: State, seat: str, context: Context) -> View:
    """Cards that lie face down are seen by their own seat alone."""
    mine = next((p for p in state.pilots if p.key == seat), None)
    return View(
        phase_of(state),
        tuple(_piece(p, state) for p in state.pilots),
        _score(state),
        _hand(mine) if mine else (),
        tuple(_notes(state)),
    )


def _piece(pilot: Pilot, state: State) -> Piece:
    return Piece(
        pilot.key,
        f"{pilot.name} ({pilot.aircraft})",
        pilot.side,
        pilot.key,
        tuple(_fields(pilot, state)),
        _OUT[pilot.out].format(turn=pilot.out_since + 1) if pilot.out else "",
        pilot.aircraft,
    )


def _fields(pilot: Pilot, state: State) -> Iterable[Field]:
    yield _damage(pilot)
    yield Field("Victories", f"{pilot.victories}{_rank(pilot)}", "Aces")
    if pilot.at:
        yield Field("Hex", f"{pilot.at}, nose {pilot.facing}", "Play Card and Move Planes")
    if pilot.shown:
        yield Field("Cards up", " ".join(pilot.plan[: pilot.shown]), "Play Card and Move Planes")
    if pilot.plan[pilot.shown :]:
        yield Field("Cards down", str(len(pilot.plan) - pilot.shown), "Choose Cards")
    if pilot.duel:
        yield Field("Duel", f"with {_name(state, pilot.duel)}", "Duels")
    if pilot.must_leave:
        yield Field("Duel", "won: has to fly off the mat", "Duels")


def _damage(pilot: Pilot) -> Field:
    colour = "red" if pilot.hits >= ESCAPE_HITS else "yellow" if pilot.hits else ""
    letter = "E" if pilot.hits >= ESCAPE_HITS else "D" if pilot.hits else ""
    return Field("Hits", f"{pilot.hits} of {pilot.points}", "Damage Points", letter, colour)


def _rank(pilot: Pilot) -> str:
    return f", {rank(pilot.victories)}" if rank(pilot.victories) != "pilot" else ""


def _score(state: State) -> tuple[Field, ...]:
    sides = dict.fromkeys(p.side for p in state.pilots)
    return tuple(
        Field(side, f"{sum(p.victories for p in state.pilots if p.side == side)} victories", "Victories")
        for side in sides
    )


def _hand(pilot: Pilot) -> tuple[Field, ...]:
    return tuple(
        Field(f"Card {n}{', face up' if n <= pilot.shown else ''}", f"{code} {manoeuvres()[code].title}")
        for n, code in enumerate(pilot.plan, 1)
    )


def _notes(state: State) -> Iterable[str]:
    if state.mat:
        yield f"Mat of {state.mat.columns} by {state.mat.rows} hexes (house value†); A1 is the lower left hex."
    hits = [f"{p.name} {', '.join(_shares(state, p))}" for p in state.pilots if p.hit_by]
    if hits:
        yield f"Hits this turn: {'; '.join(hits)}."


def _shares(state: State, pilot: Pilot) -> list[str]:
    return [f"{share.hits} from {_name(state, share.by)}" for share in pilot.hit_by]


# --- a result in a glance


def summary(state: State, procedure: str, inputs: Any, result: Any) -> Summary:
    changed = tuple(_changed(state, change) for change in getattr(result, "changes", ()) if change.text)
    match result:
        case Fired():
            at = (
                f" at {_name(state, result.target)}, range {result.range}"
                if result.target
                else f", range {result.range}"
            )
            return Summary((f"{_name(state, result.shooter)} fires{at}",), _hits(result.hits), changed)
        case Resolved():
            names = tuple(_name(state, fate.pilot) for fate in result.fates)
            return Summary(("Shot down", *names), _fates(result), changed)
        case Entered() | Left():
            word = "ENTERS" if isinstance(result, Entered) else "LEAVES"
            return Summary((_name(state, result.pilot),), word, changed)
        case Duel():
            pair = f"{_name(state, result.pilot)} and {_name(state, result.opponent)}"
            return Summary((pair,), "DUEL" if result.agreed else "NO DUEL", changed)
        case bool():
            return Summary(("Crash landing",), "SURVIVES" if result else "OUT OF ACTION")
        case str():
            return Summary(("The victory",), _name(state, result).upper() or "NOBODY")
    heading, word = _WORDS[procedure]
    return Summary((heading,), word, changed)


_WORDS = {
    "fastplay.choose_cards": ("All pilots", "CARDS DOWN"),
    "fastplay.reveal": ("All pilots", "CARDS UP"),
    "fastplay.move": ("All planes", "MOVED"),
    "fastplay.close": ("Shooting is over", "HITS COUNT"),
    "fastplay.finish": ("The game is over", "THE END"),
}


def _name(state: State, key: str) -> str:
    return next((p.name for p in state.pilots if p.key == key), key)


def _changed(state: State, change: Change) -> str:
    return f"{_name(state, change.target)}: {change.text}"


def _hits(hits: int) -> str:
    return "NO HIT" if not hits else "1 HIT" if hits == 1 else f"{hits} HITS"


def _fates(result: Resolved) -> str:
    lost = sum(not fate.survives for fate in result.fates)
    return "SURVIVES" if not lost and len(result.fates) == 1 else "ALL SURVIVE" if not lost else f"{lost} LOST"
