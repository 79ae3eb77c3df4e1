"""Age of Dogfights: an interrupted attack, a barrage, a torpedo on its way."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.umpire import (
    MOMENT,
    Barred,
    Change,
    Chart,
    Illegal,
    Missing,
    Modifier,
    Option,
    Question,
    SomeOf,
    Umpire,
    YesNo,
    at_least,
    dice,
    dice_of,
    named,
    odds,
    procedure,
    register,
    row,
)
from tests.hard_cases.walk import at, chosen, happen, opened, play
from tests.umpire.toys import by_every_face

PARTS = named("parts", ["wings", "wings", "tail", "engine", "guns", "ace"])
LETTERS = named("letters", ["A", "B", "C", "D", "E", "F"])
register(PARTS, LETTERS)

OUTCOME = Chart(
    "outcome",
    "Firing outcome",
    "4.6",
    ("effect",),
    (row("<=6", (0,)), row("7-10", (1,)), row("11-12", (2,)), row("13+", (9,))),
    natural={"1+1": 0},
)
TARGETING = {"A": 2, "B": 4, "C": 3}


def not_ace(faces: Any) -> bool:
    """The multicoloured side means nothing here (7.5)."""
    return bool(faces[0].name != "ace")


# --- 1. a break action between the two bursts of an attacker (4.6.5, 4.7)


class Craft(msgspec.Struct, frozen=True):
    key: str
    firepower: int
    durability: int = 6
    damages: tuple[str, ...] = ()
    capacity: int = 1

    @property
    def destroyed(self) -> bool:
        """More damages than it can bear, or the same one twice."""
        return len(self.damages) > self.capacity or len(set(self.damages)) < len(self.damages)


class Gun(msgspec.Struct, frozen=True):
    """One burst at a target as its place and the rules make it."""

    shooter: Craft
    target: Craft
    column: str
    mods: tuple[Modifier, ...] = ()
    bonus: tuple[Modifier, ...] = ()


class Burst(msgspec.Struct, frozen=True):
    hit: bool
    target: Craft


class Attack(msgspec.Struct, frozen=True):
    attacker: Craft
    target: Craft
    column: str = "A"
    parallel: bool = True
    defenders: tuple[tuple[Craft, str], ...] = ()


class Fight(msgspec.Struct, frozen=True):
    attacker: Craft
    target: Craft
    bursts: int
    fired: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()


def burst(ump: Umpire, gun: Gun) -> Burst:
    if not ump.test("targeting", dice("d6", "white"), gun.mods, at_least(TARGETING[gun.column]), rule="4.5"):
        return Burst(False, gun.target)
    firepower = gun.shooter.firepower // (2 if "guns" in gun.shooter.damages else 1)
    power = (
        Modifier(firepower, "firepower", "firepower", "4.6"),
        Modifier(-gun.target.durability, "durability", "durability", "4.6"),
        *gun.bonus,
    )
    target = gun.target
    for _ in range(int(ump.table(OUTCOME, "outcome", dice("2d6", "red"), power))):
        if not target.destroyed:
            part = ump.roll("part", dice("parts"), rule="4.6.1", until=not_ace)
            target = replace(target, damages=(*target.damages, part[0].name))
    return Burst(True, target)


class _Answering(msgspec.Struct, frozen=True):
    """The attacker while the defenders answer one after the other."""

    mover: Craft
    fired: tuple[str, ...] = ()


def answer_fire(ump: Umpire, so_far: _Answering, defender: tuple[Craft, str]) -> _Answering:
    """One defender of a break action, who may fire at the aircraft that just moved."""
    craft, column = defender
    if so_far.mover.destroyed or not ump.choose("fire", "allies", YesNo(), text=f"Does {craft.key} fire?", rule="4.7"):
        return so_far
    passive = Modifier(-1, "passive", "passive fire", "4.7.2")
    shot = ump.call("shot", burst, Gun(craft, so_far.mover, column, (passive,)))
    return _Answering(shot.target, (*so_far.fired, craft.key))


def run_attack(ump: Umpire, attack: Attack) -> Fight:
    first = ump.call("burst:1", burst, Gun(attack.attacker, attack.target, attack.column))
    target, bursts = first.target, 1
    after = _Answering(attack.attacker)
    if not target.destroyed:
        names = [craft.key for craft, _ in attack.defenders]
        after = ump.fold("break", answer_fire, after, attack.defenders, names=names)
    again = attack.parallel and attack.column not in "BF" and not (target.destroyed or after.mover.destroyed)
    if again and ump.choose("double", "axis", YesNo(), text="Fire a Double Burst?", rule="4.6.5"):
        fixed = (Modifier(1, "double", "second burst", "4.6.5"),)
        bonus = (Modifier(2, "passed on", "the first burst hit", "4.6.5"),) if first.hit else ()
        target = ump.call("burst:2", burst, Gun(after.mover, target, attack.column, fixed, bonus)).target
        bursts = 2
    changes = (
        Change("ammunition", attack.attacker.key, bursts, rule="4.2"),
        *(Change("ammunition", key, 1, rule="4.2") for key in after.fired),
        *(Change("damage", target.key, part) for part in target.damages[len(attack.target.damages) :]),
        *(Change("damage", after.mover.key, part) for part in after.mover.damages[len(attack.attacker.damages) :]),
    )
    return Fight(after.mover, target, bursts, after.fired, changes)


def fate(craft: Craft) -> str:
    return "destroyed" if craft.destroyed else "+".join(craft.damages) or "unharmed"


attack = procedure(
    "hard.attack",
    title="Attack",
    rule="4.5",
    questions={
        "target": Question("Fate of the target", lambda f: fate(f.target)),
        "attacker": Question("Fate of the attacker", lambda f: fate(f.attacker)),
    },
)(run_attack)

P, Q = Craft("P", 5, 6), Craft("Q", 3, 5)
DEFENDERS = ((Craft("11", 4), "A"), (Craft("12", 2), "B"), (Craft("13", 2), "C"))
CROWD = Attack(P, Q, defenders=DEFENDERS)


@pytest.mark.rule("aod:4.7")
def test_the_break_action_stands_between_the_two_bursts() -> None:
    done = play(
        attack,
        CROWD,
        at("burst:1/targeting", [4]),
        at("burst:1/outcome", [3, 5]),
        at("burst:1/part", ["tail"]),
        at("break:11/fire", "yes"),
        at("break:11/shot/targeting", [2]),
        at("break:12/fire", "no"),
        at("break:13/fire", "yes"),
        at("break:13/shot/targeting", [5]),
        at("break:13/shot/outcome", [5, 6]),
        at("break:13/shot/part", ["ace"]),
        at("break:13/shot/part~1", ["guns"]),
        at("double", "yes"),
        at("burst:2/outcome", [5, 4]),
        at("burst:2/part", ["tail"]),
    )
    assert (fate(done.result.target), fate(done.result.attacker)) == ("destroyed", "guns")
    assert [(c.kind, c.target, c.value) for c in done.changes] == [
        ("ammunition", "P", 2),
        ("ammunition", "11", 1),
        ("ammunition", "13", 1),
        ("damage", "Q", "tail"),
        ("damage", "Q", "tail"),
        ("damage", "P", "guns"),
    ]
    second = [line for line in done.lines if line.address.startswith("burst:2") or not line.address]
    assert "targeting: +1 second burst [4.6.5], needs 2+: yes, no die needed" in [line.text for line in second]
    halved = next(line for line in done.lines if line.address == "burst:2/outcome")
    assert [m.value for m in halved.mods] == [2, -5, 2]  # the break action halved the firepower of the second burst


@pytest.mark.rule("aod:4.7")
def test_whoever_is_destroyed_ends_the_exchange() -> None:
    gone = [at("burst:1/targeting", [4]), at("burst:1/outcome", [6, 6])]
    gone += [at("burst:1/part", ["tail"]), at("burst:1/part#2", ["tail"])]
    assert play(attack, CROWD, *gone).result.fired == ()
    shot_down = play(
        attack,
        CROWD,
        at("burst:1/targeting", [1]),
        at("break:11/fire", "yes"),
        at("break:11/shot/targeting", [6]),
        at("break:11/shot/outcome", [6, 6]),
        at("break:11/shot/part", ["wings"]),
        at("break:12/fire", "yes"),
        at("break:12/shot/targeting", [6]),
        at("break:12/shot/outcome", [6, 5]),
        at("break:12/shot/part", ["wings"]),
    )
    assert shot_down.result.attacker.destroyed
    assert shot_down.result.bursts == 1


@pytest.mark.rule("aod:4.6.5")
@pytest.mark.parametrize("changed", [{"parallel": False}, {"column": "B"}])
def test_no_double_burst_out_of_position(changed: dict[str, Any]) -> None:
    shot = Attack(P, Q, **{"column": "A", "parallel": True, **changed})
    assert opened(attack, shot, at("burst:1/targeting", [1])) == ()
    assert [a.seat for a in opened(attack, Attack(P, Q), at("burst:1/targeting", [1]))] == ["axis"]


def test_its_odds_need_the_decisions_and_are_exact_for_each_fate() -> None:
    with pytest.raises(Missing) as missing:
        odds(attack, CROWD, about="target")
    assert missing.value.asks[0].address == "break:11/fire"
    both = {"fire": "yes", "double": "yes"}
    for about in ("target", "attacker"):
        chances = odds(attack, CROWD, about=about, policy=both)
        assert sum(c.chance for c in chances) == 1
    small = Attack(P, Q, defenders=DEFENDERS[1:2])
    answers = [at("burst:1/targeting", [4]), at("burst:1/outcome", [3, 5]), at("burst:1/part", ["tail"])]
    answers += [at("break:12/fire", "yes"), at("break:12/shot/targeting", [6]), at("break:12/shot/outcome", [1, 2])]
    exact = {c.result: c.chance for c in odds(attack, small, [*answers, at("double", "yes")], about="target")}
    counted: dict[str, Fraction] = {}
    undamaged = replace(small.target, damages=("tail",))
    second = Gun(P, undamaged, "A", (Modifier(1, "d", "", ""),), (Modifier(2, "p", "", ""),))
    for shot, chance in by_every_face(_one_burst, second, counts=lambda name: name != "ace").items():
        counted[fate(shot.target)] = counted.get(fate(shot.target), Fraction(0)) + chance
    assert exact == counted


_one_burst = procedure("hard.burst", title="Burst", rule="4.5")(burst)


# --- 2. a barrage: heights first, then where each shell bursts (6.2.1)


class Flying(msgspec.Struct, frozen=True):
    key: str
    letter: int
    number: int
    level: int
    capacity: int = 1


class Barrage(msgspec.Struct, frozen=True):
    aircraft: tuple[Flying, ...]
    shots: int = 3
    top: int = 9


class Flak(msgspec.Struct, frozen=True):
    damages: tuple[tuple[str, tuple[str, ...]], ...]
    changes: tuple[Change, ...] = ()


def levels(top: int) -> SomeOf[int]:
    return SomeOf(tuple(Option(f"L{n}", f"L{n}", n) for n in range(4, top + 1)), repeats=True)


def announced(ump: Umpire, barrage: Barrage) -> tuple[int, ...]:
    space = replace(levels(barrage.top), least=barrage.shots, most=barrage.shots)
    return ump.choose("heights", "flak", space, text="At which height does each shell burst?", rule="6.2.1")


def near(craft: Flying, letter: int, number: int, level: int) -> int:
    """Damages of an aircraft by its distance from the burst (hexagonal steps stand in for the board's points)."""
    x, y = craft.letter - letter, craft.number - number
    away, above = max(abs(x), abs(y), abs(x + y)), abs(craft.level - level)
    if above == 0:
        return {0: 9, 1: 2, 2: 1}.get(away, 0)
    return 1 if above == 1 and away <= 1 else 0


def shell(ump: Umpire, damages: tuple[tuple[str, ...], ...], shot: tuple[int, tuple[Flying, ...]]) -> Any:
    """One shell against these aircraft; a name in `damages` is a part, `gone` ends it."""
    level, aircraft = shot
    letter, number = ump.roll("point", dice_of(letter="letters", number="d6"), rule="6.2.1")
    return tuple(
        suffer(ump, craft, had, near(craft, letter.value, number.value, level))
        for craft, had in zip(aircraft, damages, strict=True)
    )


def suffer(ump: Umpire, craft: Flying, had: tuple[str, ...], count: int) -> tuple[str, ...]:
    for _ in range(count):
        if "gone" in had or count > 2 or len(had) == craft.capacity:
            return ("gone",)
        part = ump.roll(f"part:{craft.key}", dice("parts"), rule="4.6.1", until=not_ace)[0].name
        had = ("gone",) if part in had else (*had, part)
    return had


def run_barrage(ump: Umpire, barrage: Barrage) -> Flak:
    shots = [(height, barrage.aircraft) for height in announced(ump, barrage)]
    after = ump.fold("shot", shell, ((),) * len(barrage.aircraft), shots)
    damages = tuple((craft.key, had) for craft, had in zip(barrage.aircraft, after, strict=True))
    return Flak(damages, tuple(Change("damage", key, part) for key, had in damages for part in had))


def fate_in_barrage(ump: Umpire, barrage: Barrage, subject: str) -> tuple[str, ...]:
    """What becomes of one aircraft: the others need not be counted. Its asks have the addresses of the whole."""
    alone = tuple(craft for craft in barrage.aircraft if craft.key == subject)
    shots = [(height, alone) for height in announced(ump, barrage)]
    return tuple(ump.fold("shot", shell, ((),), shots)[0])


def of_one(result: Any, subject: str) -> str:
    """The fate of one aircraft in a whole barrage, or what the lighter procedure gave."""
    had = dict(result.damages)[subject] if isinstance(result, Flak) else result
    return "destroyed" if "gone" in had else f"{len(had)} damages"


barrage_fire = procedure(
    "hard.barrage",
    title="Barrage",
    rule="6.2.1",
    questions={"fate": Question("Fate of", of_one, fate_in_barrage, lambda b: [a.key for a in b.aircraft])},
)(run_barrage)

FIVE = tuple(Flying(key, 2 + i % 3, 1 + i, 6) for i, key in enumerate("VWXYZ"))
RAID = Barrage(FIVE)
HEIGHTS = chosen("heights", "L6", "L6", "L7")


@pytest.mark.rule("aod:6.2.1")
def test_every_height_is_announced_before_the_first_shell() -> None:
    (ask,) = opened(barrage_fire, RAID)
    assert (ask.address, ask.seat) == ("heights", "flak")
    (first,) = opened(barrage_fire, RAID, HEIGHTS)
    assert (first.address, first.open_slots) == ("shot:1/point", ("letter", "number"))
    for wrong in (chosen("heights", "L6"), chosen("heights", "L3", "L6", "L6"), chosen("heights", *["L6"] * 4)):
        with pytest.raises(ValueError, match="heights: "):
            opened(barrage_fire, RAID, wrong)


@pytest.mark.rule("aod:6.2.1")
def test_a_shell_hits_all_who_are_near_and_a_multicoloured_side_is_thrown_again() -> None:
    done = play(
        barrage_fire,
        RAID,
        HEIGHTS,
        at("shot:1/point", {"letter": "C", "number": 2}),
        at("shot:1/part:V", ["ace"]),
        at("shot:1/part:V~1", ["wings"]),
        at("shot:1/part:X", ["tail"]),
        at("shot:1/part:Y", ["guns"]),
        at("shot:2/point", ["B", 4]),
        at("shot:2/part:Z", ["engine"]),
        at("shot:3/point", ["F", 6]),
    )
    assert dict(done.result.damages) == {
        "V": ("wings",),
        "W": ("gone",),
        "X": ("gone",),
        "Y": ("gone",),
        "Z": ("engine",),
    }


@pytest.mark.rule("aod:6.2.1")
def test_the_risk_of_one_aircraft_is_a_question_of_its_own() -> None:
    assert barrage_fire.abouts(RAID)["fate:W"] == "Fate of W"
    risk = {c.result: c.chance for c in odds(barrage_fire, RAID, [HEIGHTS], about="fate:W", strict=True)}
    assert sum(risk.values()) == 1
    two = replace(RAID, aircraft=FIVE[:2], shots=2)
    announced_two = chosen("heights", "L6", "L7")
    whole = odds(barrage_fire, two, [announced_two])
    for craft in two.aircraft:
        summed: dict[str, Fraction] = {}
        for c in whole:
            key = of_one(c.result, craft.key)
            summed[key] = summed.get(key, Fraction(0)) + c.chance
        alone = {c.result: c.chance for c in odds(barrage_fire, two, [announced_two], about=f"fate:{craft.key}")}
        assert alone == summed


@pytest.mark.rule("aod:6.2.1")
def test_dice_that_lie_and_dice_of_others_condition_the_risk_rightly() -> None:
    away = [HEIGHTS, at("shot:1/point", ["F", 1]), at("shot:2/point", ["F", 1]), at("shot:3/point", ["F", 1])]
    harmless = [near(FIVE[4], 6, 1, level) for level in (6, 7)]
    assert harmless == [0, 0]
    assert {c.result for c in odds(barrage_fire, RAID, away, about="fate:Z", strict=True)} == {"0 damages"}
    with pytest.raises(ValueError, match="fate:W"):
        odds(barrage_fire, RAID, [HEIGHTS], about="fate:11")


# --- 3. a torpedo runs for rounds before it counts (5.6)


class Torpedo(msgspec.Struct, frozen=True):
    ship: str
    distance: int
    round: int
    guns: bool = True
    lengthwise: bool = False
    speed: int = 6


class Launch(msgspec.Struct, frozen=True):
    hit: bool
    changes: tuple[Change, ...]


def launch_barred(torpedo: Torpedo) -> list[Barred]:
    reasons = []
    if torpedo.speed > 6:
        reasons.append(Barred("speed", "It flies faster than 6.", "5.6"))
    if not 3 <= torpedo.distance <= 6:
        reasons.append(Barred("distance", "A torpedo runs 3d to 6d.", "5.6"))
    return reasons


def run_launch(ump: Umpire, torpedo: Torpedo) -> Launch:
    mods = [Modifier(-1, "lengthwise", "along the ship", "5.6")] if torpedo.lengthwise else []
    need = at_least(3 if torpedo.distance <= 4 else 4)
    spent = Change("load", "aircraft", "torpedo", rule="5.6")
    if not ump.test("torpedo", dice("2d6"), mods, need, rule="5.6", words=("hit", "miss")):
        return Launch(False, (spent,))
    if not torpedo.guns:
        return Launch(True, (spent, Change("power", torpedo.ship, 25, rule="5.6")))
    arrives = torpedo.round + -(-(torpedo.distance - 1) // 2)  # the first point at once, then two a round
    running = Change("torpedo", torpedo.ship, torpedo.distance - 1, text="A torpedo runs", rule="5.6")
    return Launch(True, (spent, running, Change("power", torpedo.ship, 25, f"round {arrives}", rule="5.6")))


launch = procedure("hard.torpedo", title="Torpedo", rule="5.6", violations=launch_barred)(run_launch)


@pytest.mark.rule("aod:5.6")
@pytest.mark.parametrize(("distance", "rounds"), [(3, 1), (4, 2), (5, 2), (6, 3)])
def test_a_torpedo_hits_when_it_arrives_and_not_before(distance: int, rounds: int) -> None:
    done = play(launch, Torpedo("ship", distance, round=4), at("torpedo", [6, 2]))
    standing = happen(done.changes)
    assert standing.state == (("load", "aircraft", "torpedo"), ("torpedo", "ship", distance - 1))
    for number in range(5, 4 + rounds):
        standing = happen([Change(MOMENT, f"round {number}")], standing)
        assert len(standing.held) == 1
    standing = happen([Change(MOMENT, f"round {4 + rounds}")], standing)
    assert standing.state[-2:] == (("power", "ship", 25), (MOMENT, f"round {4 + rounds}", None))
    assert standing.held == ()


@pytest.mark.example("aod:169")
def test_example_169() -> None:
    assert play(launch, Torpedo("ship", 3, 1), at("torpedo", [6, 2])).result.hit
    done = play(launch, Torpedo("ship", 5, 1, lengthwise=True), at("torpedo", [3, 1]))
    assert not done.result.hit
    assert "= 3, needs 4+: miss" in done.lines[0].text


@pytest.mark.rule("aod:5.6")
def test_a_ship_without_guns_is_hit_at_once_and_every_reason_is_named_at_once() -> None:
    done = play(launch, Torpedo("ship", 6, 1, guns=False), at("torpedo", [6, 2]))
    assert happen(done.changes).held == ()
    with pytest.raises(Illegal) as illegal:
        play(launch, Torpedo("ship", 7, 1, speed=8))
    assert [v.code for v in illegal.value.violations] == ["speed", "distance"]
