"""A table for tests: opens acts, answers asks, deals a virtual deck, and folds the changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from msgspec.structs import replace

from companion.rules.rotl import GAME
from companion.rules.rotl.cards import Hand
from companion.rules.rotl.state import Dogfight, Element, Hold, Plane, Turn
from companion.umpire import Act, Answer, Ask, Context, Done, Due, Rolling, run, scripted

SWITCHES = {key: switch.default for key, switch in GAME.switches.items()}
CONTEXT = Context(SWITCHES, GAME.cells())


def context(**switches: Any) -> Context:
    return Context({**SWITCHES, **switches}, GAME.cells())


def inputs_of(act: Act, **more: Any) -> Any:
    procedure = GAME.procedures[act.procedure]
    return procedure.inputs({**act.inputs, **act.sealed, **more})


def act_of(due: Due, key: str) -> Act:
    return next(a for a in due.acts if a.key == key)


def play(state: Dogfight, key: str, *answers: Answer, ctx: Context = CONTEXT) -> tuple[Dogfight, Done]:
    """Open an act that is due and answer all its asks; the act must not be barred."""
    act = act_of(GAME.due(state, ctx), key)
    assert not act.barred, act.barred
    done = scripted(GAME.procedures[act.procedure], inputs_of(act), answers, ctx)
    return fold(state, done), done


def fold(state: Dogfight, done: Done) -> Dogfight:
    for change in done.changes:
        state = GAME.apply(state, change)
    return state


def codes(state: Dogfight, key: str) -> list[str]:
    """Why an act is barred."""
    return [b.code for b in act_of(GAME.due(state, CONTEXT), key).barred]


def answers(**roles: Any) -> list[Answer]:
    """`card="man"`, `respond=["tit", "pass"]`: answers by role, in the order in which the role is asked."""
    found = []
    for role, given in roles.items():
        for one in given if isinstance(given, list) else [given]:
            found.append(Answer(role=role.replace("_", ":"), choice=one))
    return found


# --- states by hand --------------------------------------------------------------------------------


def element(key: str, kind: str, *cards: str, wingman: bool = True, mini: str = "", **fields: Any) -> Element:
    """An element whose hand holds these cards; X keys are Axis, A keys Allies."""
    return Element(
        key=key,
        side="Axis" if key.startswith("X") else "Allies",
        seat=fields.pop("seat", "axis" if key.startswith("X") else "allies"),
        type=kind,
        leader=Plane(f"{key}.1"),
        wingman=Plane(f"{key}.2") if wingman else None,
        hand=Hand(tuple(sorted(cards))),
        mini=Hand(tuple(sorted(mini.split()))),
        **fields,
    )


def dogfight(
    *elements: Element, step: str = "play", holds: tuple[tuple[str, str, str], ...] = (), **turn: Any
) -> Dogfight:
    """The first element's player-turn in game-turn 2; `holds` are (by, position, over)."""
    me = elements[0]
    state = Dogfight(
        elements=elements,
        phase="turn",
        holds=tuple(Hold(by, over, position) for by, position, over in holds),  # type: ignore[arg-type]
        order=tuple(e.key for e in elements),
        game_turn=turn.pop("game_turn", 2),
        types=turn.pop("types", {}),
        discards=turn.pop("discards", Hand()),
    )
    deck = sum(card.copies for card in state.cards.values())
    pile = turn.pop("pile", None)
    began = turn.pop("began_at", me.altitude)
    held = turn.pop("held", any(by == me.key for by, _, _ in holds))
    state = replace(state, turn=Turn(me.key, step=step, began_at=began, held=held, **turn))  # type: ignore[arg-type]
    return replace(state, pile=deck - held_cards(state) if pile is None else pile)


def held_cards(state: Dogfight) -> int:
    """Cards that are not in the pile."""
    return len(state.discards) + sum(len(e.hand) + len(e.mini) for e in state.elements)


# --- whole games -----------------------------------------------------------------------------------

Watch = Callable[[Dogfight, Dogfight, Act, Done], None]


def random_game(setup: Mapping[str, Any], rng: Random, ctx: Context = CONTEXT, watch: Watch | None = None) -> Dogfight:
    """Random legal play to the end, with a liking for the fight; `watch` sees each state before and after an act."""
    state = GAME.start(setup, ctx)
    for _ in range(3000):
        due = GAME.due(state, ctx)
        if due.over:
            return state
        state = random_act(state, due, rng, ctx, watch)
    raise AssertionError("The game does not end.")


def random_act(state: Dogfight, due: Due, rng: Random, ctx: Context, watch: Watch | None = None) -> Dogfight:
    open_acts = [a for a in due.acts if not a.barred]
    return played(state, rng.choices(open_acts, [liking(a.key) for a in open_acts])[0], rng, ctx, watch)


def played(state: Dogfight, act: Act, rng: Random, ctx: Context, watch: Watch | None = None) -> Dogfight:
    """The state after an act, all its asks answered at random."""
    drawn: list[str] = []

    def decide(ask: Ask) -> Any:
        if ask.kind == "draw":
            cards = deal(state, drawn, ask.count, rng)
            drawn.extend(cards)
            return cards
        if ask.role == "altitude" and rng.random() < 0.8:
            return _medium(ask)
        options = ask.space.legal if ask.role in ("card", "respond") and ask.space else ()
        if len(options) > 1 and rng.random() < 0.85:
            return rng.choice(options[1:])
        return ask.space.pick(rng) if ask.space else None

    done = run(GAME.procedures[act.procedure], inputs_of(act), Rolling(ctx, rng.randrange(2**32), decide))
    after = fold(state, done)
    if watch:
        watch(state, after, act, done)
    return after


def _medium(ask: Ask) -> Any:
    """All where they are likely to meet."""
    assert ask.space is not None
    keys = [o.key for o in ask.space.listed if o.key.endswith("Medium")]
    return keys if len(keys) > 1 else keys[0]


def liking(key: str) -> float:
    kind = key.split(":")[0]
    return {"leader": 6, "wingman": 6, "gunner": 4, "disengage": 0.02, "roll_up": 0.1, "roll_down": 0.2}.get(kind, 1)


def deal(state: Dogfight, drawn: list[str], count: int, rng: Random) -> list[str]:
    """As a table with a virtual deck does; with printed cards only how many."""
    if not state.virtual:
        return ["?"] * count
    return rng.sample(GAME.pile(state, drawn), count)
