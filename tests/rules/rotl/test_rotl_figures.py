"""The printed tables against the rules: victory, points, following, altitude, bursts, disengagement."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from msgspec.structs import replace

from companion.rules.rotl import GAME, aircraft
from companion.rules.rotl.aircraft import ALTITUDES, Altitude, house_entries, house_types
from companion.rules.rotl.attack import Attack, attack
from companion.rules.rotl.cards import house_deck
from companion.rules.rotl.chance import Unseen, can_answer, chance
from companion.rules.rotl.leaving import LEVELS, Disengagement, Leaving, disengage, fate, shifts
from companion.rules.rotl.lookup import charts, response_matrix
from companion.rules.rotl.pilots import Counter, Cup, Pilot, pilots
from companion.rules.rotl.ratings import (
    POSITIONS,
    Position,
    burst_limit,
    follow_cost,
    horsepower,
    mini_hand,
    mirror,
    step,
    wingman_bursts,
)
from companion.rules.rotl.state import Plane
from companion.rules.rotl.victory import (
    Flown,
    Forces,
    Score,
    balance,
    grade,
    may_balance,
    points_for,
    value_of,
    victory,
)
from companion.umpire import Answer, Illegal, Missing, Rolling, TooLarge, add, odds, run
from tests.rules.rotl.hangar import TYPES
from tests.rules.rotl.tables import CONTEXT, context

# --- victory -----------------------------------------------------------------------------------------

# For each column: from what difference on the Axis wins decisively and marginally, and the same for the Allies.
PRINTED = {
    (4, 5): ((6, None), (2, 5), (-1, 1), (-5, -2), (None, -6)),
    (6, 7): ((9, None), (3, 8), (-2, 2), (-8, -3), (None, -9)),
    (8, 9): ((12, None), (4, 11), (-3, 3), (-11, -4), (None, -12)),
    (10, 11): ((15, None), (5, 14), (-4, 4), (-14, -5), (None, -15)),
    (12, 13): ((18, None), (6, 17), (-5, 5), (-17, -6), (None, -18)),
    (14, 15): ((21, None), (7, 20), (-6, 6), (-20, -7), (None, -21)),
}
RESULTS = (
    "Axis Decisive Victory",
    "Axis Marginal Victory",
    "Draw",
    "Allies Marginal Victory",
    "Allies Decisive Victory",
)
CELLS = [
    (aircraft, result, low, high)
    for counts, cells in PRINTED.items()
    for aircraft in counts
    for result, (low, high) in zip(RESULTS, cells, strict=True)
]


@pytest.mark.rule("rotl:Victory table")
@pytest.mark.parametrize(("count", "result", "low", "high"), CELLS)
def test_each_printed_cell_of_the_victory_table(count: int, result: str, low: int | None, high: int | None) -> None:
    inside = range(-60 if low is None else low, (60 if high is None else high) + 1)
    assert {d for d in range(-60, 61) if grade(d, count) == result} == set(inside)


@pytest.mark.rule("rotl:Victory table")
def test_the_chart_prints_the_same_cells() -> None:
    for number, cells in enumerate(PRINTED.values()):
        printed = [row.cells[number] for row in charts()["victory"].rows]
        (high, _), (m_low, m_high), (d_low, d_high), (a_low, a_high), (_, low) = cells
        ends = (f"{high} or higher", f"{low} or lower")
        middle = [f"{m_high} to {m_low}", f"{d_high} to {d_low}", f"{a_high} to {a_low}"]
        assert printed == [ends[0], *middle, ends[1]]


@pytest.mark.rule("rotl:Victory table")
def test_outside_the_table_only_points_are_shown_unless_the_table_goes_beyond() -> None:
    three = Score(5, 0, 3)
    assert run(victory, three, Rolling(CONTEXT, 1)).result.result == "The table grades 4 to 15 aircraft"
    assert run(victory, three, Rolling(context(beyond_table=True), 1)).result.result == "Axis Marginal Victory"
    assert grade(21, 16) is None
    assert grade(24, 16, beyond=True) == "Axis Decisive Victory"


@pytest.mark.rule("rotl:Victory points")
@pytest.mark.parametrize(
    ("plane", "points"),
    [
        (Plane("p"), 0),
        (Plane("p", 2), 0),
        (Plane("p", 3, damaged=True), 2),
        (Plane("p", fate="disengaged"), 2),
        (Plane("p", 3, damaged=True, fate="disengaged"), 2),
        (Plane("p", 6, damaged=True, fate="destroyed"), 5),
    ],
)
def test_points_for_an_aircraft_count_once_and_double_for_jets(plane: Plane, points: int) -> None:
    assert points_for(plane, powered=False) == points
    assert points_for(plane, powered=True) == 2 * points


# --- point values --------------------------------------------------------------------------------------

POINTS = """
Bf-109E 6 4|Bf-109F 8 6|Bf-109G 9 6|Bf-109K 13 9|Bf-110C 5 4|Bf-110G - 7|Fw-190A 10 7|Fw-190D 10 7|He-219 - 10
Ju-88C - 5|Me-163 - 13|Me-262A 21 14|Me-410 9 6|I-16 3 2|MiG-3 6 4|P-39D 6 4|Yak-3 8 6|Yak-9 6 4|Beaufighter IF - 6
Gladiator 2 1|Hurricane I 5 4|Hurricane II 7 5|Mosquito II - 7|Mosquito VI 11 8|Spitfire I 6 4|Spitfire V 8 5
Spitfire IX 9 6|Spitfire XIV 12 9|P-38F 7 5|P-38L 9 6|P-40 5 4|P-47C 12 8|P-47D 13 9|P-51B 11 8|P-51D 12 9
MS-406 5 3|P-11c 2 1
"""
ROWS = [tuple(row.strip().rsplit(" ", 2)) for row in POINTS.replace("\n", "|").split("|") if row.strip()]


@pytest.mark.rule("rotl:Value table")
@pytest.mark.parametrize(("name", "element", "leader"), ROWS)
def test_each_row_of_the_point_table(name: str, element: str, leader: str) -> None:
    assert value_of(Flown(name, wingman=False)) == int(leader)
    if element == "-":
        with pytest.raises(Illegal, match="with a wingman"):
            value_of(Flown(name))
    else:
        assert value_of(Flown(name)) == int(element)


@pytest.mark.rule("rotl:Value table")
def test_the_point_table_has_these_rows_alone() -> None:
    assert [row.key for row in charts()["points"].rows] == [row[0] for row in ROWS]
    assert len(ROWS) == 37


@pytest.mark.rule("rotl:Value table")
def test_house_ratings_add_up_to_the_printed_leader_values() -> None:
    for name, kind in house_types().items():
        specials = kind.agile + kind.heavy[0] + kind.thrust[0]
        built = kind.performance[0] + kind.horsepower[0] + kind.burst[0] + kind.capacity[0] - 3 + specials - 5
        assert built == value_of(Flown(name, wingman=False)), name
        wing = value_of(Flown(name)) - value_of(Flown(name, wingman=False))
        assert kind.offence[0] == kind.defence[0] == (wing // 2 if kind.jet else wing)


@pytest.mark.rule("rotl:Aircraft choice")
def test_ratings_that_the_text_prints_are_no_house_values() -> None:
    assert "capacity" not in house_entries()["Bf-109E"].house
    assert "performance" in house_entries()["Bf-109E"].house
    assert "burst" not in house_entries()["P-11c"].house


def _balance(axis: tuple[Flown, ...], allies: tuple[Flown, ...]):  # type: ignore[no-untyped-def]
    return run(balance, Forces(axis, allies), Rolling(CONTEXT, 1)).result


@pytest.mark.rule("rotl:Equal totals")
@pytest.mark.rule("rotl:More elements")
@pytest.mark.rule("rotl:Lone leaders")
@pytest.mark.rule("rotl:Pilot balance")
def test_four_ways_of_balancing() -> None:
    even = _balance((Flown("Bf-109E"),), (Flown("Spitfire I"),))
    assert (even.bonus_to, even.bonus, even.advice) == ("", 0, ("Balanced",))
    ganged = _balance((Flown("Bf-109E"),), (Flown("I-16"), Flown("I-16")))
    assert (ganged.axis, ganged.allies, ganged.axis_aircraft, ganged.allied_aircraft) == (6, 6, 2, 4)
    assert ganged.advice[0].startswith("Balanced: the side with more elements")
    lone = _balance((Flown("Bf-109E", wingman=False),), (Flown("Hurricane I", wingman=False),))
    assert lone.bonus == 0
    skilled = _balance((Flown("Bf-109E", skills=("A", "BU")),), (Flown("Spitfire V"),))
    assert (skilled.axis, skilled.allies, skilled.bonus) == (8, 8, 0)
    uneven = _balance((Flown("Fw-190A"), Flown("Zero")), (Flown("Spitfire I"), Flown("Spitfire I")))
    assert (uneven.bonus_to, uneven.bonus) == ("Allies", 4)
    assert "Or fly one Fw-190A without its wingman: 3 points less" in uneven.advice


@pytest.mark.rule("rotl:Value table")
def test_a_type_without_a_value_is_refused() -> None:
    barred = may_balance(Forces((Flown("Zero", wingman=False), Flown("Bf-110G")), (Flown("Camel"),)))
    assert [b.code for b in barred] == ["PACK_INCOMPLETE"] * 3


# --- positions and bursts ------------------------------------------------------------------------------

STEPS = {
    "MAN": ("Disadvantaged", "Neutral", "Advantaged", "Tailing", None),
    "HAL": ("Neutral", "Advantaged", "Tailing", None, None),
    "FUT": ("Disadvantaged", "Neutral", None, None, None),
    "SCI": (None, "Advantaged", None, None, None),
}


@pytest.mark.rule("rotl:Five positions")
@pytest.mark.parametrize("card", STEPS)
def test_each_card_from_each_position(card: str) -> None:
    assert tuple(step(card, p) for p in POSITIONS) == STEPS[card]


def test_positions_mirror() -> None:
    assert [mirror(p) for p in POSITIONS] == list(reversed(POSITIONS))


@pytest.mark.rule("rotl:Small target")
def test_a_small_target_takes_a_burst_off_but_never_below_none() -> None:
    assert burst_limit(1, "Advantaged", small=True) == 1
    assert burst_limit(0, "Neutral", small=True) == 0
    assert wingman_bursts(1, 2, small=True) == 2
    assert wingman_bursts(0, 0, small=True) == 0


# --- altitude ------------------------------------------------------------------------------------------


@pytest.mark.rule("rotl:Follow, Tailing")
@pytest.mark.parametrize(
    ("position", "climb", "ver", "cost"),
    [
        ("Advantaged", False, False, (1, 1)),
        ("Advantaged", False, True, (2, 1)),
        ("Advantaged", True, False, (2, 0)),
        ("Advantaged", True, True, (3, 0)),
        ("Tailing", False, False, (0, 1)),
        ("Tailing", False, True, (1, 1)),
        ("Tailing", True, False, (1, 0)),
        ("Tailing", True, True, (2, 0)),
    ],
)
def test_each_cost_of_following(position: Position, climb: bool, ver: bool, cost: tuple[int, int]) -> None:
    assert follow_cost(position, climb=climb, ver=ver) == cost


@pytest.mark.rule("rotl:Horsepower")
@pytest.mark.rule("rotl:Turbo")
@pytest.mark.rule("rotl:Rocket")
@pytest.mark.parametrize(
    ("name", "drawn"),
    [("Zero", (4, 4, 3, 2, 1)), ("Turbo", (4, 4, 3, 3, 2)), ("Jet", (4, 4, 3, 3, 2)), ("Rocket", (3, 3, 3, 3, 3))],
)
def test_horsepower_by_altitude(name: str, drawn: tuple[int, ...]) -> None:
    assert tuple(horsepower(3, level, TYPES[name]) for level in ALTITUDES) == drawn


@pytest.mark.rule("rotl:Turbo")
def test_the_summary_page_is_kinder_to_turbochargers() -> None:
    assert horsepower(3, "Very High", TYPES["Turbo"], summary=True) == 3
    assert horsepower(3, "Very High", TYPES["Zero"], summary=True) == 1


@pytest.mark.rule("rotl:WM ratings")
@pytest.mark.parametrize(
    ("level", "piston", "turbo"),
    [
        ("Very High", (1, 1), (2, 1)),
        ("High", (2, 1), (2, 2)),
        ("Medium", (2, 2), (2, 2)),
        ("Low", (2, 2), (2, 2)),
        ("Very Low", (2, 2), (2, 2)),
    ],
)
def test_mini_hands_by_altitude(level: Altitude, piston: tuple[int, int], turbo: tuple[int, int]) -> None:
    for name, expected in (("Zero", piston), ("Turbo", turbo)):
        kind = TYPES[name]
        assert (mini_hand(2, level, kind, "offence"), mini_hand(2, level, kind, "defence")) == expected


# --- disengagement -------------------------------------------------------------------------------------

FATES = ["Destroyed", "Destroyed", "Damaged", "Damaged", "Damaged", "Safe", "Safe", "Safe", "Safe"]


@pytest.mark.rule("rotl:Disengagement table")
@pytest.mark.rule("rotl:Dagger")
@pytest.mark.parametrize("shift", range(-4, 7))
@pytest.mark.parametrize("level", LEVELS)
def test_each_level_with_each_shift(level: str, shift: int) -> None:
    index = min(8, max(0, LEVELS.index(level) + shift))
    fresh, hurt = fate(level, shift, damaged=False), fate(level, shift, damaged=True)
    assert fresh[0] == hurt[0] == LEVELS[index]
    assert fresh[1].split()[0] == FATES[index]
    assert hurt[1].split()[0] == ("Safe" if FATES[index] == "Damaged" else FATES[index])


@pytest.mark.rule("rotl:Disengagement modifiers")
@pytest.mark.rule("rotl:Disengagement, campaign rows")
@pytest.mark.parametrize(
    ("fields", "total"),
    [
        ({"position": "Tailing"}, 2),
        ({"position": "Advantaged"}, 1),
        ({"position": "Neutral"}, 0),
        ({"position": "Disadvantaged"}, -1),
        ({"position": "Tailed"}, -2),
        ({"alone": True}, 3),
        ({"powered": True}, 1),
        ({"fuel": True}, -1),
        ({"fuel": True, "rocket": True}, -3),
        ({"fuel": True, "powered": True}, -1),
        ({"target_bound": True}, -1),
        ({"over_target": True}, -1),
        ({"home_bound": True}, -1),
        ({"heavy_bomber": True}, 1),
        ({"position": "Tailed", "alone": True, "powered": True}, 2),
    ],
)
def test_each_shift_of_the_disengagement_table(fields: dict[str, object], total: int) -> None:
    leaving = Disengagement(**fields)  # type: ignore[arg-type]
    assert add(shifts(leaving, Leaving("p"))) == total
    assert add(shifts(leaving, Leaving("p", damaged=True))) == total - 1


@pytest.mark.rule("rotl:Disengagement table")
def test_each_card_has_the_level_of_the_table() -> None:
    levels = {key: card.level for key, card in house_deck().items()}
    assert levels == {
        "ims-fuel": "A", "oos-1b": "B", "oos-2b": "B", "oos-3b": "B", "ims-3b": "C", "ims-2b": "D",
        "ims-1b1d": "E", "ims-1b2d": "E", "man": "F", "hal": "G", "tit": "H", "bar": "H", "sci": "H", "ver": "H",
        "fut": "H", "ace": "I",
    }  # fmt: skip


# --- the deck and the response matrix ------------------------------------------------------------------


@pytest.mark.rule("rotl:Action Cards")
@pytest.mark.rule("rotl:Card roles")
def test_the_house_deck_has_eighty_cards_of_three_colours() -> None:
    deck = house_deck().values()
    assert sum(card.copies for card in deck) == 80
    attack = sum(c.copies for c in deck if c.colour == "red")
    assert (attack, sum(c.copies for c in deck if c.colour == "blue")) == (40, 22)
    assert all(not c.answers for c in deck if c.colour == "red")


@pytest.mark.rule("rotl:Respond")
def test_the_deck_gives_every_answer_that_the_text_proves() -> None:
    matrix, proved = charts()["responses"], charts()["proved"]
    for row in proved.rows:
        for column, proof in zip(proved.columns, row.cells, strict=True):
            if proof:
                expected = "-" if str(proof).startswith("not by") else "yes"
                assert matrix.at(row.key, column) == expected, (row.key, column)
                assert (row.key, column) not in matrix.house
            else:
                assert (row.key, column) in matrix.house


@pytest.mark.rule("rotl:Respond")
def test_what_the_house_adds_to_the_proved_answers() -> None:
    matrix = charts()["responses"]
    added = {(r.key, c) for r in matrix.rows for c in matrix.columns if matrix.at(r.key, c) == "yes"} & matrix.house
    assert added == {("HAL", "VER"), ("attack SCI", "TIT"), ("BAR", "BAR"), ("FUT", "FUT")}
    own = {name: replace(card, house=()) for name, card in house_deck().items()}
    assert not response_matrix(own).house


# --- odds ----------------------------------------------------------------------------------------------


def _by_counting(unseen: int, answering: int, cards: int) -> Fraction:
    hands = list(combinations(range(unseen), min(cards, unseen)))
    return Fraction(sum(any(card < answering for card in hand) for hand in hands), len(hands))


@pytest.mark.parametrize(("unseen", "answering", "cards"), [(9, 3, 2), (8, 0, 3), (7, 7, 1), (10, 4, 0), (5, 2, 9)])
def test_the_chance_of_an_answer_by_counting_hands(unseen: int, answering: int, cards: int) -> None:
    given = Unseen(unseen, answering, cards)
    expected = _by_counting(unseen, answering, cards)
    assert chance(given) == expected
    by_umpire = {c.result: c.chance for c in odds(can_answer, given, about="can")}
    assert by_umpire.get(True, Fraction(0)) == expected


def test_a_counter_on_the_table_answers_for_sure() -> None:
    sure = Unseen(60, 0, 5, sure=True)
    assert chance(sure) == 1
    assert [c.result for c in odds(can_answer, sure)] == [True]
    assert run(can_answer, Unseen(1, 1, 1), Rolling(CONTEXT, 1)).result is True


def test_every_chart_names_the_game_and_can_be_read() -> None:
    assert set(GAME.charts) >= {"points", "victory", "steps", "follow", "responses", "disengagement"}
    assert all(chart.game == "rotl" for chart in GAME.charts.values())
    assert aircraft.charts()["follow"].at("Tailing, climb", "discard") == 1


@pytest.mark.rule("rotl:Voluntary disengagement")
def test_the_odds_of_leaving_from_all_cards_that_do_not_lie_face_up() -> None:
    leaving = Disengagement("X1", planes=(Leaving("X1.1"),), discards=("ims-fuel", "oos-1b"))
    found = {c.result: c.chance for c in odds(disengage, leaving, about="fate:X1.1")}
    assert found == {"Destroyed": Fraction(2, 78), "Damaged": Fraction(20, 78), "Safe Escape": Fraction(56, 78)}
    safer = Disengagement("X1", planes=(Leaving("X1.1", damaged=True),), alone=True, position="Tailing")
    assert {c.result: c.chance for c in odds(disengage, safer, about="fate:X1.1")} == {"Safe Escape": 1}


@pytest.mark.rule("rotl:Initiate")
def test_odds_of_an_attack_take_given_answers_and_never_a_hand() -> None:
    given = [Answer(role="card", choice="man"), Answer(role="respond", choice="pass")]
    assert [(c.result, c.chance) for c in odds(attack, Attack(), given, about="stands")] == [(True, 1)]
    assert odds(attack, Attack(), given)[0].result.stands
    with pytest.raises(Missing):
        odds(attack, Attack(), given[:1])


@pytest.mark.rule("rotl:Pilot choice")
def test_a_cup_with_too_many_ways_is_refused_at_once() -> None:
    counters = tuple(Counter(Pilot(f"F{n}", skills=("A",)), Pilot(f"B{n}")) for n in range(20))
    with pytest.raises(TooLarge, match="more than"):
        odds(pilots, Cup(counters, 20))
    assert len(odds(pilots, Cup(counters[:3], 2))) == 6 + 3 + 3 + 1, "both skilled, one of them, neither"
