"""Playing a procedure one answer at a time, and one die at a time, as a table does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from companion.game.fold import Standing, apply
from companion.umpire import Answer, Ask, Change, Context, Done, Open, Procedure, advance, scripted


def at(address: str, given: Any) -> Answer:
    """Faces for a list or a mapping of dice, else a choice, a fact, a cell or cards: a space does not mind which."""
    return Answer(address, faces=given) if isinstance(given, (list, dict)) else Answer(address, choice=given)


def chosen(address: str, *given: Any) -> Answer:
    return Answer(address, choices=list(given))


def opened(of: Procedure[Any, Any], inputs: Any, *answers: Answer, context: Context | None = None) -> tuple[Ask, ...]:
    """The asks that are open after these answers."""
    stopped = advance(of, inputs, answers, context)
    return stopped.asks if isinstance(stopped, Open) else ()


def play(of: Procedure[Any, Any], inputs: Any, *answers: Answer, context: Context | None = None) -> Done:
    """To the end: each answer fits an ask that is open when it comes, and the dice may as well come one by one."""
    asked: list[str] = []
    for i, answer in enumerate(answers):
        asks = {ask.address: ask for ask in opened(of, inputs, *answers[:i], context=context)}
        assert answer.address in asks, f"{answer.address} is not open; open are {', '.join(asks) or 'none'}"
        asked.append(answer.address)
    done = scripted(of, inputs, answers, context)
    assert scripted(of, inputs, tuple(single_dice(of, inputs, answers, context)), context) == done
    assert {t.address for t in done.thrown} <= set(asked)
    return done


def single_dice(
    of: Procedure[Any, Any], inputs: Any, answers: Sequence[Answer], context: Context | None
) -> Iterable[Answer]:
    """The same answers with each die of a throw on its own, the last slot first."""
    for i, answer in enumerate(answers):
        ask = next(a for a in opened(of, inputs, *answers[:i], context=context) if a.address == answer.address)
        if ask.dice is None:
            yield answer
            continue
        lying = ask.dice.lying(answer.faces)
        for name in reversed(ask.open_slots):
            yield Answer(answer.address, faces={name: lying[name].name})


class Log:
    """A state that is the list of what was applied to it, so that the order and the moment can be read off."""

    def apply(self, state: tuple[tuple[str, str, Any], ...], change: Change) -> tuple[tuple[str, str, Any], ...]:
        return (*state, (change.kind, change.target, change.value))


def happen(changes: Iterable[Change], standing: Standing | None = None, game: Any = None) -> Standing:
    """The changes of a result applied as the table applies them: now, or held for their moment."""
    return apply(game or Log(), standing or Standing(()), changes)
