"""Exact odds of every procedure of chapter 4 (4.5 to 4.10), cold: none refused, the slowest within the limit.

Real types of the box, all rules on: three defenders answer, a double burst may follow, and before each question some
dice of a fight that was really fought lie already. A question is asked as the pages ask it (the whole result, and each
of the procedure's own questions), and every cache is emptied before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from time import process_time
from typing import Any, NamedTuple

from companion.grid.triangular import Point, Pose, Yaw
from companion.rules.aod import GAME
from companion.rules.aod.craft import Craft
from companion.rules.aod.fire import Shot
from companion.rules.aod.passive import Defender, Passage
from companion.rules.aod.plain import Numbers
from companion.umpire import Answer, Context, Open, Procedure, advance, clear_caches, odds
from tests.benches.figure import Figure, within

MOST_MS = 50.0
ROUNDS = 3
FIGHTS = 6
CONTEXT = Context({**GAME.presets["full"], "sun": "off", "clouds": False, "fog": False}, GAME.cells())

FIGHTERS = ("Fw 190 A-8", "Me 262 Schwalbe", "Me 410 Hornisse", "Bf 109 G-6/U4")
BOMBERS = ("B-25 J Mitchell", "B-17 Flying Fortress", "Lancaster B Mk I", "RB-26 C Invader")
PLACES = (Point(0, 1), Point(1, -1), Point(-1, 1))
"""Beside an aircraft at the origin that flies east."""


class Fight(NamedTuple):
    """Something to ask odds of, before any die and after some."""

    name: str
    inputs: Any
    answers: tuple[Answer, ...] = ()

    @property
    def procedure(self) -> Procedure[Any, Any]:
        return GAME.procedures[self.name]


def craft(rng: Random, number: int, kind: str, side: str, point: Point) -> Craft:
    pose = Pose(point, Yaw.E, 5)
    return Craft(key=str(number), type=kind, side=side, seat=side, pose=pose, speed=rng.randint(6, 9), pilot="Ace")


def fights(rng: Random) -> Iterator[Fight]:
    """Each procedure, with three defenders where there can be any."""
    attacker = craft(rng, 1, rng.choice(FIGHTERS), "blue", Point(0, 0))
    target = craft(rng, 2, rng.choice(BOMBERS), "red", Point(rng.choice((1, 2)), 0))
    others = tuple(
        Defender(craft=craft(rng, n, rng.choice(BOMBERS), "red", place)) for n, place in enumerate(PLACES, 3)
    )
    yield Fight("aod.fire", Shot(attacker=attacker, target=target, bystanders=others[:2]))
    yield Fight("aod.fire", Shot(attacker=attacker, target=target, bystanders=others))
    yield Fight("aod.break", Passage(mover=attacker, defenders=others))
    rockets = Craft(key="9", type="Me 262 Schwalbe", side="blue", seat="blue", rockets=1)
    yield Fight("aod.rockets", Shot(attacker=rockets, target=target, position="rocket", distance=2, tilt=()))
    yield Fight("aod.burst", Numbers(position="A", modifier=-1, firepower=7, durability=4, capacity="double"))


def fought(fight: Fight, rng: Random) -> list[Answer]:
    """The answers of a whole fight: fair dice, and a legal choice each time."""
    answers: list[Answer] = []
    while isinstance(now := advance(fight.procedure, fight.inputs, answers, CONTEXT), Open):
        answers += [_answer(ask, rng) for ask in now.asks]
    return answers


def _answer(ask: Any, rng: Random) -> Answer:
    if ask.dice is not None:
        faces = {s.name: rng.choice(s.die.faces).name for s in ask.dice.slots if s.name in ask.open_slots}
        return Answer(address=ask.address, faces=faces)
    legal = [key for key in ask.space.legal if key != "no"] or list(ask.space.legal)
    return Answer(address=ask.address, choice=rng.choice(legal))


def asked(rng: Random) -> Iterator[tuple[Fight, str]]:
    """Every fight with every number of dice down, whole and one by one; and each of its questions."""
    for _ in range(FIGHTS):
        for fight in fights(rng):
            every = fought(fight, rng)
            for down in range(len(every) + 1):
                lying = fight._replace(answers=(*every[:down], *_one_die(every[down : down + 1])))
                for about in ("", *fight.procedure.abouts(fight.inputs)):
                    yield lying, about
            for answer in every:  # a die that lies although earlier ones are not thrown yet
                if answer.faces:
                    yield fight._replace(answers=(answer,)), ""


def _one_die(answers: list[Answer]) -> tuple[Answer, ...]:
    """The first die of a throw of several."""
    thrown = [(a.address, list(dict(a.faces).items())) for a in answers if isinstance(a.faces, Mapping)]
    return tuple(Answer(address=address, faces=dict(faces[:1])) for address, faces in thrown if len(faces) > 1)


def cold(fight: Fight, about: str) -> float:
    """Milliseconds of this process for one question, every cache emptied before; the best of some rounds."""
    times = []
    for _ in range(ROUNDS):
        clear_caches()
        begin = process_time()
        chances = odds(fight.procedure, fight.inputs, fight.answers, CONTEXT, about=about)
        times.append((process_time() - begin) * 1000)
        assert sum(chance.chance for chance in chances) == 1
    return min(times)


def measure(seed: int = 4) -> list[Figure]:
    slowest: dict[str, float] = {}
    count: dict[str, int] = {}
    for fight, about in asked(Random(seed)):
        slowest[fight.name] = max(slowest.get(fight.name, 0), cold(fight, about))
        count[fight.name] = count.get(fight.name, 0) + 1
    return [
        within(f"odds of {name}, cold, the slowest of {count[name]} questions", ms, MOST_MS, "ms")
        for name, ms in slowest.items()
    ]
