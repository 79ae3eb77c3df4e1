"""Aircraft made to measure for a test, and a short way to play a procedure with them."""

from typing import Any

from companion.grid.triangular import Point, Pose, Yaw
from companion.packs.records import Entry, Origin
from companion.rules.aod import GAME
from companion.rules.aod.aircraft import Aircraft, Vertical
from companion.rules.aod.craft import Craft
from companion.rules.aod.figures import cells_of
from companion.rules.aod.fire import Shot
from companion.rules.aod.passive import Defender
from companion.rules.aod.sight import Sight
from companion.umpire import Answer, Context, Done, Procedure, scripted

FIRE = GAME.procedures["aod.fire"]
BREAK = GAME.procedures["aod.break"]
ROCKETS = GAME.procedures["aod.rockets"]
THROTTLE = GAME.procedures["aod.throttle"]

_PLAIN: dict[str, Any] = {
    "basic_speed": 10, "agility": 2, "ceiling": 10, "climb": 2, "descent": 2, "stall": 3, "durability": 5,
}  # fmt: skip


def kind(name: str, **fields: Any) -> Entry[Aircraft]:
    """A type with these figures, as if its panel printed them all."""
    aircraft = Aircraft(name=name, **{**_PLAIN, **fields})
    return Entry(name, aircraft, dict.fromkeys(Aircraft.__struct_fields__, Origin("test", house=False)))


def turret(*hours: int, above: int = 0, same: int = 0, below: int = 0) -> dict[str, Vertical]:
    return {str(hour): Vertical(above, same, below) for hour in hours}


def context(*kinds: Entry[Aircraft], **switches: Any) -> Context:
    return Context(switches=switches, cells=cells_of(kinds))


def fighter(kind: str = "Fighter", key: str = "1", **state: Any) -> Craft:
    return Craft(key=key, type=kind, side="red", seat="red", **state)


def enemy(kind: str = "Enemy", key: str = "2", **state: Any) -> Craft:
    return Craft(key=key, type=kind, side="blue", seat="blue", **state)


def pose(q: int = 0, r: int = 0, yaw: Yaw = Yaw.E, level: int = 5, pitch: int = 0, roll: int = 0) -> Pose:
    return Pose(Point(q, r), yaw, level, pitch, roll)  # type: ignore[arg-type]


def defender(craft: Craft, **sight: Any) -> Defender:
    return Defender(craft=craft, sight=Sight(**sight))


A1: dict[str, Any] = {"position": "A", "distance": 1, "tilt": ()}
A2: dict[str, Any] = {"position": "A", "distance": 2, "tilt": ()}


def answers(*given: tuple[str, Any]) -> list[Answer]:
    """By role and in order: dice as numbers or a colour, choices and facts as words."""
    return [_answer(role, value) for role, value in given]


def _answer(role: str, value: Any) -> Answer:
    if role in ("targeting", "outcome", "damage die", "rockets", "throttle", "search"):
        return Answer(role=role, faces=list(value) if isinstance(value, tuple) else [value])
    if role in ("burst", "guns", "respond", "double", "twitch", "damage", "position"):
        return Answer(role=role, choice=value)
    return Answer(role=role, fact=value)


def play(procedure: Procedure[Any, Any], inputs: Any, at: Context, *given: tuple[str, Any]) -> Done:
    return scripted(procedure, inputs, answers(*given), at)


def line(done: Done, title: str, nth: int = 0) -> Any:
    """The nth line whose title begins so."""
    return [line for line in done.lines if line.title.startswith(title)][nth]


def shot(attacker: Craft, target: Craft, **known: Any) -> Shot:
    return Shot(attacker=attacker, target=target, **known)
