"""Games at random: what each seat may see of hidden cards."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.rules.rotl import GAME
from companion.rules.rotl.cards import Hand
from companion.rules.rotl.state import Dogfight
from companion.umpire import Act, Answer, Ask, Done, Open, Recorded, advance, run
from companion.umpire.errors import Missing
from tests.rules.rotl.soak import check, play, random_setup
from tests.rules.rotl.tables import CONTEXT, context, inputs_of, random_act, random_game


def mid_game(seed: int, acts: int) -> Dogfight:
    """A game some way in, with hidden hands."""
    rng = Random(seed)
    state = GAME.start(random_setup(rng), CONTEXT)
    for _ in range(acts):
        due = GAME.due(state, CONTEXT)
        if due.over:
            break
        state = random_act(state, due, rng, CONTEXT, check)
    return state


def permuted(state: Dogfight, seat: str, rng: Random) -> Dogfight:
    """The same table with other hidden cards: all that this seat has not seen, dealt anew."""
    unseen = list(GAME.pile(state)) if state.pile else []
    others = [e for e in state.elements if e.seat != seat]
    for e in others:
        unseen += [*e.hand.known, *e.mini.known]
    rng.shuffle(unseen)
    elements = []
    for e in state.elements:
        if e in others:
            hand, unseen = unseen[: len(e.hand)], unseen[len(e.hand) :]
            mini, unseen = unseen[: len(e.mini)], unseen[len(e.mini) :]
            e = replace(e, hand=Hand().plus(hand), mini=Hand().plus(mini))
        elements.append(e)
    return replace(state, elements=tuple(elements))


def seen(state: Dogfight, seat: str) -> bytes:
    """All that a page, a print or an export of a seat can hold: its view and the open acts without sealed inputs."""
    acts = [msgspec.to_builtins(replace(act, sealed={})) for act in GAME.due(state, CONTEXT).acts]
    return msgspec.json.encode([msgspec.to_builtins(GAME.view(state, seat, CONTEXT)), acts])


@pytest.mark.rule("rotl:Initial deal")
@pytest.mark.parametrize("seed", range(30))
def test_the_bytes_of_a_seat_do_not_depend_on_hidden_cards(seed: int) -> None:
    rng = Random(seed)
    state = mid_game(seed, 10 + 8 * seed)
    for seat in ("Axis", "Allies", ""):
        other = permuted(state, seat, rng)
        assert seen(other, seat) == seen(state, seat)


def asks_on_the_way(state: Dogfight, act: Act, seat: str) -> list[Ask]:
    """The asks of an act as this seat takes it as far as it goes and others pass."""
    procedure, inputs = GAME.procedures[act.procedure], inputs_of(act)
    given: list[Answer] = []
    found: list[Ask] = []
    for _ in range(8):
        outcome = advance(procedure, inputs, given, CONTEXT)
        if not isinstance(outcome, Open):
            break
        ask = outcome.asks[0]
        found.append(ask)
        if ask.kind != "choose" or ask.space is None or (ask.seat != seat and ask.role not in ("respond", "card")):
            break
        legal = ask.space.legal
        given.append(Answer(address=ask.address, value=legal[-1] if ask.seat == seat else legal[0]))
    return found


def ask_bytes(ask: Ask, seat: str) -> bytes:
    """An ask as a seat sees it: the options only where they are meant for it."""
    options = [(o.key, o.text, o.barred) for o in ask.space.listed] if ask.space else []
    shown = options if ask.options_to == "all" or ask.seat == seat else []
    return msgspec.json.encode([ask.address, ask.text, ask.rule, ask.seat, ask.count, msgspec.to_builtins(shown)])


@pytest.mark.rule("rotl:Respond")
@pytest.mark.parametrize("seed", range(30))
def test_the_asks_of_a_seat_do_not_depend_on_hidden_cards(seed: int) -> None:
    state = mid_game(seed, 12 + 9 * seed)
    rng = Random(seed)
    for seat in ("Axis", "Allies", ""):
        other = permuted(state, seat, rng)
        pairs = zip(GAME.due(state, CONTEXT).acts, GAME.due(other, CONTEXT).acts, strict=True)
        for mine, theirs in pairs:
            if not mine.barred:
                before, after = asks_on_the_way(state, mine, seat), asks_on_the_way(other, theirs, seat)
                assert [ask_bytes(a, seat) for a in before] == [ask_bytes(a, seat) for a in after]


def test_what_is_written_of_a_draw_does_not_name_the_cards() -> None:
    """Lines, results and summaries are for everybody; the cards are in the changes alone."""
    rng = Random(5)

    def watch(before: Dogfight, _after: Dogfight, act: Act, done: Done) -> None:
        if act.procedure in ("rotl.deal", "rotl.declare", "rotl.draw", "rotl.promote"):
            inputs = inputs_of(act)
            texts = [done.lines, GAME.summary(before, act.procedure, inputs, done.result), done.result.done]
            written = msgspec.json.encode([msgspec.to_builtins(t) for t in texts]).decode()
            assert not any(card.title in written or f'"{key}"' in written for key, card in before.cards.items())

    random_game(GAME.demo(), rng, CONTEXT, watch)


@pytest.mark.rule("rotl:Counters")
def test_printed_cards_are_hands_of_unknown_cards() -> None:
    """Players say what they lay; the hand shrinks by one."""
    rng = Random(3)
    ctx = context(cards="printed")
    state = random_game(GAME.demo(), rng, ctx, lambda _b, after, _a, _d: known_are_laid(after))
    assert not state.virtual


def known_are_laid(state: Dogfight) -> None:
    assert all(not e.hand.known for e in state.elements)


@pytest.mark.rule("rotl:Action Cards")
def test_an_empty_pile_is_filled_by_the_discards() -> None:
    rng = Random(11)
    shuffles = 0

    def watch(_before: Dogfight, _after: Dogfight, _act: Act, done: Done) -> None:
        nonlocal shuffles
        shuffles += any(c.kind == "shuffle" for c in done.changes)

    for seed in range(12):
        random_game(random_setup(Random(seed)), rng, CONTEXT, watch)
    assert shuffles


def test_a_seeded_game_is_repeated_exactly() -> None:
    assert play(4) == play(4)


def test_the_state_is_plain_data_and_comes_back() -> None:
    state = mid_game(8, 60)
    assert msgspec.json.decode(msgspec.json.encode(state), type=Dogfight) == state


def test_a_procedure_resumes_from_its_answers() -> None:
    """An exchange stopped after any answer goes on where it was."""
    state = mid_game(21, 40)
    rng = Random(1)
    due = GAME.due(state, CONTEXT)
    while not any(a.procedure == "rotl.attack" and not a.barred for a in due.acts):
        state = random_act(state, due, rng, CONTEXT)
        due = GAME.due(state, CONTEXT)
    act = next(a for a in due.acts if a.procedure == "rotl.attack" and not a.barred)
    given: list[Any] = []
    procedure, inputs = GAME.procedures[act.procedure], inputs_of(act)
    for _ in range(20):
        umpire = Recorded(CONTEXT, given)
        try:
            run(procedure, inputs, umpire)
            break
        except Missing as missing:
            ask = missing.asks[0]
            assert ask.space is not None
            given.append(Answer(address=ask.address, choice=ask.space.legal[-1]))
    else:
        raise AssertionError("The exchange does not end.")
