"""Over the Reich: a flight in segments with a head-on attack inside it, rockets at random, an interrupted reload."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.game.fold import Standing
from companion.umpire import (
    MOMENT,
    Answer,
    Barred,
    Change,
    Chart,
    Context,
    Filled,
    Illegal,
    Modifier,
    Notation,
    Number,
    Question,
    TableSlot,
    Umpire,
    UsageError,
    YesNo,
    at_least,
    dice,
    odds,
    procedure,
    row,
)
from tests.hard_cases.walk import at, happen, opened, play

# --- 7. a head-on attack inside the move of another (10.3)

HEAD_ON = TableSlot("otr.head_on", "Head-on attack table", "10.3", Number(1, 100), ("inside", "column"))
HOUSE = Context(
    cells={
        ("otr.head_on", str(inside), column): Filled(value, "house", house=True)
        for inside in range(1, 6)
        for column, value in (("determination", 20 + 10 * inside), ("collision", 5 * inside))
    }
)


class Pilot(msgspec.Struct, frozen=True):
    key: str
    seat: str
    speed: int
    angle: int = 180
    gunner: bool = False


class HeadOn(msgspec.Struct, frozen=True):
    attacker: Pilot
    target: Pilot
    range: int

    @property
    def inside(self) -> int:
        """How far inside the collision risk range, a third of both speeds rounded up, the shot is declared."""
        return max(0, -(-(self.attacker.speed + self.target.speed) // 3) + 1 - self.range)


class Met(msgspec.Struct, frozen=True):
    fired: tuple[str, ...]
    zone: int
    changes: tuple[Change, ...]


def meet(ump: Umpire, head_on: HeadOn) -> Met:
    """Defence first; then each pilot needs the nerve to fire; a shot inside the risk range opens the danger zone."""
    attacker, target = head_on.attacker, head_on.target
    changes: list[Change] = []
    if target.gunner and ump.choose("defend", target.seat, YesNo(), text="Fire defensive guns?", rule="10.3"):
        changes += shots(ump, "defence", target, attacker, head_on)
    pilots = [attacker]
    if ump.choose("respond", target.seat, YesNo(), text="Fire back with fixed guns?", rule="10.3"):
        pilots.append(target)
    firing = [p for p in pilots if nerve(ump, p, head_on.inside)]
    for pilot in firing:
        changes += shots(ump, f"shot:{pilot.key}", pilot, target if pilot is attacker else attacker, head_on)
    if head_on.inside:
        changes.append(Change("danger zone", attacker.key, head_on.inside, rule="10.3"))
        changes.append(Change("danger zone over", attacker.key, when="end of next turn", rule="10.3"))
    return Met(tuple(p.key for p in firing), head_on.inside, tuple(changes))


def nerve(ump: Umpire, pilot: Pilot, inside: int) -> bool:
    if not inside:
        return True
    need = ump.look_up(HEAD_ON, inside, "determination")
    return need is not None and ump.test(
        f"determination:{pilot.key}", dice("d100"), [], at_least(int(need)), rule="10.3", seat=pilot.seat
    )


def shots(ump: Umpire, role: str, shooter: Pilot, target: Pilot, head_on: HeadOn) -> list[Change]:
    """The worst angle of the two is used for both; guns that fire now may not fire in the combat phase."""
    worst = max(head_on.attacker.angle, head_on.target.angle)
    closing = head_on.attacker.speed + head_on.target.speed
    mods = (
        Modifier(5 * closing, "closing", "combined speed", "10.3"),
        Modifier(10 if worst == 180 else 0, "angle", f"deflection {worst}", "9.3"),
    )
    hit = ump.test(role, dice("d100"), mods, at_least(100), rule="9.4", seat=shooter.seat)
    used = Change("fired", shooter.key, when="now", rule="10.3")
    return [used, Change("hits", target.key, 2, "step", rule="9.4")] if hit else [used]


head_on_attack = procedure("hard.head_on", title="Head-on attack", rule="10.3")(meet)

# --- 8. a flight flown in segments, with what is owed and what interrupts it (3.5, 4.5, 10.3)


class Segment(msgspec.Struct, frozen=True):
    """Flight points spent: H ahead, V up or down, Z ahead into a danger zone; `!` ends it with a head-on shot."""

    points: str
    shot: bool


class Flight(msgspec.Struct, frozen=True):
    flyer: Pilot
    points: int
    vertical: int = 0
    foe: Pilot | None = None
    range: int = 3


class Flown(msgspec.Struct, frozen=True):
    points: str
    collided: bool = False
    met: Met | None = None

    @property
    def changes(self) -> tuple[Change, ...]:
        return self.met.changes if self.met else ()


class _UnderWay(msgspec.Struct, frozen=True):
    flight: Flight
    points: str = ""
    met: Met | None = None

    @property
    def left(self) -> int:
        return self.flight.points - len(self.points)

    @property
    def owed(self) -> int:
        return max(0, self.flight.vertical - self.points.count("V"))

    def read(self, text: str) -> Segment:
        """A segment as a player writes it, with every reason why it cannot be flown."""
        points = text.upper().replace(" ", "").removesuffix("!")
        if not points or set(points) - set("HVZ"):
            raise UsageError(f"{text[:40]!r} is no segment; write H, V or Z for each flight point, such as HHV.")
        segment = Segment(points, text.strip().endswith("!"))
        reasons = [*self._overspent(points), *self._unshot(segment)]
        if reasons:
            raise Illegal(reasons)
        return segment

    def _overspent(self, points: str) -> list[Barred]:
        if len(points) > self.left:
            return [Barred("points", f"Only {self.left} flight points are left.", "3.5")]
        owed = self.owed - points.count("V")
        if self.left - len(points) < owed:
            return [Barred("owed", f"{owed} VFPs are still owed and would not fit any more.", "3.6")]
        return []

    def _unshot(self, segment: Segment) -> list[Barred]:
        if not segment.shot:
            return []
        spent = len(self.points) + len(segment.points)
        reasons = []
        if self.met:
            reasons.append(Barred("once", "These guns have fired in this move.", "10.3"))
        if spent == self.flight.points:
            reasons.append(Barred("last", "A head-on attack cannot follow the last flight point.", "10.3"))
        if 2 * spent < self.flight.flyer.speed:
            reasons.append(Barred("half", "Half the speed must be flown before the shot.", "10.3"))
        return reasons


def fly(ump: Umpire, flight: Flight) -> Flown:
    now = _UnderWay(flight)
    while now.left:
        owed = (f"{now.owed} VFP{'s' * (now.owed > 1)}",) if now.owed else ()
        segment = ump.choose(
            "segment",
            flight.flyer.seat,
            Notation(now.read, "HHV", ("H" * (now.left - now.owed) + "V" * now.owed,)),
            text=f"{now.left} flight points are left",
            rule="3.5",
            owed=owed,
        )
        now = replace(now, points=now.points + segment.points)
        if segment.shot and flight.foe:
            head_on = HeadOn(flight.flyer, flight.foe, flight.range)
            now = replace(now, met=ump.call("head-on", meet, head_on))
        if "Z" in segment.points and now.met and ump.call("collision", collide, now.met.zone):
            return Flown(now.points, collided=True, met=now.met)
    return Flown(now.points, met=now.met)


def collide(ump: Umpire, zone: int) -> bool:
    """Entering the danger zone of a head-on attack (3.3, 10.3)."""
    if not zone:
        return False
    mods = [Modifier(int(ump.look_up(HEAD_ON, zone, "collision") or 0), "inside", f"{zone} inside", "10.3")]
    return ump.test("collision", dice("d100"), mods, at_least(85), rule="3.3", words=("collision", "clear"))


flight = procedure(
    "hard.flight",
    title="Flight",
    rule="3.5",
    questions={"collision": Question("Whether it collides", lambda f: f.collided)},
)(fly)

FW, B17 = Pilot("fw190", "axis", 6, angle=150), Pilot("b17", "allies", 4, gunner=True)
CLIMB = Flight(FW, 6, vertical=2, foe=B17)


def test_a_flight_is_flown_in_segments_and_says_what_is_still_owed() -> None:
    (first,) = opened(flight, CLIMB)
    assert (first.owed, first.seat, first.text) == (("2 VFPs",), "axis", "6 flight points are left")
    (second,) = opened(flight, CLIMB, at("segment", "HHV"))
    assert (second.address, second.owed, second.text) == ("segment#2", ("1 VFP",), "3 flight points are left")
    assert (
        play(flight, CLIMB, at("segment", "HHV"), at("segment#2", "HH"), at("segment#3", "V")).result.points == "HHVHHV"
    )
    assert play(flight, CLIMB, at("segment", "VV"), at("segment#2", "hh hh")).result.points == "VVHHHH"
    assert first.space
    assert first.space.legal == ("HHHHVV",)


@pytest.mark.parametrize(
    ("flown", "text", "codes"),
    [
        ([], "HHHHH", ["owed"]),
        ([], "HHHHHHH", ["points"]),
        (["HHV"], "HHH", ["owed"]),
        ([], "H!", ["half"]),
        (["HHV"], "HHV!", ["last"]),
        ([], "HHHHHHH!", ["points"]),
    ],
)
def test_a_segment_that_cannot_be_flown_is_refused_where_it_was_asked(
    flown: list[str], text: str, codes: list[str]
) -> None:
    addresses = ["segment", "segment#2"]
    answers = [at(address, given) for address, given in zip(addresses, [*flown, text], strict=False)]
    with pytest.raises(Illegal) as illegal:
        opened(flight, CLIMB, *answers)
    assert [v.code for v in illegal.value.violations] == codes
    assert {v.address for v in illegal.value.violations} == {addresses[len(flown)]}
    with pytest.raises(ValueError, match="no segment"):
        opened(flight, CLIMB, at("segment", "left"))


@pytest.mark.rule("otr:10.3")
def test_a_head_on_attack_interrupts_the_move_and_the_move_goes_on() -> None:
    start = [at("segment", "HHV!")]
    (defend,) = opened(flight, CLIMB, *start, context=HOUSE)
    assert (defend.address, defend.seat) == ("head-on/defend", "allies")
    done = play(
        flight,
        CLIMB,
        *start,
        at("head-on/defend", "yes"),
        at("head-on/defence", [30, 5]),
        at("head-on/respond", "yes"),
        at("head-on/determination:fw190", [40, 0]),
        at("head-on/determination:b17", [39]),
        at("head-on/shot:fw190", [70, 7]),
        at("segment#2", "Z"),
        at("collision/collision", [74]),
        at("segment#3", "HV"),
        context=HOUSE,
    )
    assert done.result.points == "HHVZHV"
    assert done.result.met
    assert (done.result.met.fired, done.result.met.zone) == (("fw190",), 2)
    assert [(c.kind, c.target, c.when) for c in done.changes] == [
        ("fired", "b17", "now"),
        ("fired", "fw190", "now"),
        ("hits", "b17", "step"),
        ("danger zone", "fw190", "now"),
        ("danger zone over", "fw190", "end of next turn"),
    ]
    assert set(done.house) == {
        "Head-on attack table 2/determination [10.3]",
        "Head-on attack table 2/collision [10.3]",
    }
    mods = next(line.mods for line in done.lines if line.address == "head-on/shot:fw190")
    assert [m.text for m in mods] == ["combined speed", "deflection 180"]


@pytest.mark.rule("otr:10.3")
def test_without_the_printed_table_the_cell_is_asked_for_and_a_dash_is_no_shot() -> None:
    start = [at("segment", "HHV!"), at("head-on/defend", "no"), at("head-on/respond", "no")]
    (cell,) = opened(flight, CLIMB, *start)
    assert (cell.kind, cell.seat, cell.rule) == ("look_up", "", "10.3")
    dash = Answer(cell.address, value="-")
    done = play(flight, CLIMB, *start, dash, at("segment#2", "HHV"))
    assert done.result.met == Met((), 2, done.changes)
    far = replace(CLIMB, range=9)
    assert play(flight, far, *start, at("head-on/shot:fw190", [60]), at("segment#2", "HHV")).result.met.zone == 0


def test_the_odds_of_a_collision_at_any_moment_of_the_flight() -> None:
    segments = {"segment": "HHV!", "defend": "no", "respond": "no"}
    later = [at("segment", "HHV!"), at("segment#2", "Z"), at("segment#3", "HV")]
    risk = odds(flight, CLIMB, later, HOUSE, about="collision", policy=segments, strict=True)
    assert {c.result: c.chance for c in risk}[True] == Fraction(26, 100)
    sure = odds(flight, CLIMB, [*later, at("collision/collision", [99])], HOUSE, about="collision", policy=segments)
    assert [c.result for c in sure] == [True]


# --- 9. rockets: the first hit on the target, the others at random (10.7)

SALVO = Chart(
    "salvo",
    "Rocket hits",
    "10.7",
    ("hits",),
    (row("-19+", (0,)), row("-39..-20", (1,)), row("-59..-40", (2,)), row("-79..-60", (3,)), row("<=-80", (4,))),
)


class Salvo(msgspec.Struct, frozen=True):
    target: str
    others: tuple[str, ...]
    multiples: int
    mods: tuple[Modifier, ...] = ()


class Struck(msgspec.Struct, frozen=True):
    hits: tuple[tuple[str, int], ...]

    @property
    def changes(self) -> tuple[Change, ...]:
        return tuple(Change("hits", key, count, "step", rule="10.7") for key, count in self.hits)


def one_more(ump: Umpire, struck: tuple[str, ...], candidates: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted((*struck, ump.one_of("victim", candidates, rule="10.7"))))


def launch(ump: Umpire, salvo: Salvo) -> Struck:
    hits = min(salvo.multiples, int(ump.table(SALVO, "rockets", dice("d100"), salvo.mods)))
    struck = (salvo.target,) if hits else ()
    struck = ump.fold("hit", one_more, struck, [(salvo.target, *salvo.others)] * (hits - 1))
    return Struck(tuple(sorted(Counter(struck).items())))


rockets = procedure(
    "hard.rockets",
    title="Rockets",
    rule="10.7",
    questions={
        "hits on": Question(
            "Hits on", lambda s, key: dict(s.hits).get(key, 0), subjects=lambda s: (s.target, *s.others)
        )
    },
)(launch)
VOLLEY = Salvo("b17", ("b24", "p47"), 4, (Modifier(-120, "close", "range and deflection", "10.7"),))


@pytest.mark.rule("otr:10.7")
def test_the_first_hit_is_the_targets_and_the_rest_are_shared_out_as_shown() -> None:
    (throw,) = opened(rockets, VOLLEY, at("rockets", [50, 0]))
    assert (throw.address, throw.ranges) == ("hit:1/victim", ("1-2: b17", "3-4: b24", "5-6: p47"))
    done = play(rockets, VOLLEY, at("rockets", [50]), at("hit:1/victim", [4]), at("hit:2/victim", [1]))
    assert done.result.hits == (("b17", 2), ("b24", 1))
    assert {c.when for c in done.changes} == {"step"}
    assert play(rockets, replace(VOLLEY, others=()), at("rockets", [1])).result.hits == (("b17", 4),)
    assert play(rockets, replace(VOLLEY, mods=()), at("rockets", [1])).result.hits == ()


@pytest.mark.rule("otr:10.7")
def test_the_odds_merge_what_lies_where() -> None:
    chances = odds(rockets, VOLLEY)
    assert sum(c.chance for c in chances) == 1
    on_other = {c.result: c.chance for c in odds(rockets, VOLLEY, about="hits on:b24")}
    expected = {n: Fraction(0) for n in range(4)}
    for c in chances:
        expected[dict(c.result.hits).get("b24", 0)] += c.chance
    assert on_other == {n: chance for n, chance in expected.items() if chance}


# --- 12. a reload that is interrupted (10.6)


class Loading(msgspec.Struct, frozen=True):
    gun: str
    turn: int


class Begun(msgspec.Struct, frozen=True):
    turns: int
    changes: tuple[Change, ...]


def begin(ump: Umpire, loading: Loading) -> Begun:
    """The gun fires again in the turn after so many turns of loading; the promise carries the turn it began in."""
    turns = ump.total("reload", dice("d5"), rule="10.6")
    ready = f"turn {loading.turn + turns + 1}"
    return Begun(
        turns,
        (
            Change("loading", loading.gun, loading.turn, rule="10.6"),
            Change("loaded", loading.gun, loading.turn, ready, rule="10.6"),
        ),
    )


class Guns:
    """Which guns are loading, by the turn in which they began; a promise of a loading that was broken off is void."""

    def apply(self, state: dict[str, int], change: Change) -> dict[str, Any]:
        match change.kind:
            case "loading":
                return {**state, change.target: change.value}
            case "interrupted":
                return {gun: since for gun, since in state.items() if gun != change.target}
            case "loaded" if state.get(change.target) == change.value:
                return {**state, change.target: 0}
        return state


reload_gun = procedure("hard.reload", title="Reload", rule="10.6")(begin)


def turn(number: int) -> Change:
    return Change(MOMENT, f"turn {number}")


@pytest.mark.rule("otr:10.6")
def test_a_reload_takes_its_turns_and_one_that_is_interrupted_starts_over() -> None:
    first = play(reload_gun, Loading("nose", 3), at("reload", [4]))
    assert first.result.turns == 2  # a five-sided die is half a ten-sided one
    game = Guns()
    standing = happen(first.changes, Standing({}), game)
    smooth = happen([turn(4), turn(5), turn(6)], standing, game)
    assert (smooth.state, smooth.held) == ({"nose": 0}, ())

    broken = happen([turn(4), Change("interrupted", "nose")], standing, game)
    again = play(reload_gun, Loading("nose", 5), at("reload", [10]))
    broken = happen([*again.changes, turn(6)], broken, game)
    assert broken.state == {"nose": 5}  # the old promise for turn 6 no longer holds
    for number in range(7, 11):
        broken = happen([turn(number)], broken, game)
    assert broken.state == {"nose": 5}
    assert happen([turn(11)], broken, game).state == {"nose": 0}
