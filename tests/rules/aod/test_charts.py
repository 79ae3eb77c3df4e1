"""Every cell of every chart against a second copy, typed from the rulebook by itself.

A line is a row: its key, a colon, its cells. `x` stands for "not permitted".
"""

import itertools
import tomllib
from pathlib import Path

import pytest

from companion.rules import aod as rules
from companion.rules.aod.charts import charts
from companion.umpire.dice import Face

COPY = """
dogfight_score 2.2.1
destroyed: 1
damaged: 0.5

opportunity_score 2.2.4
ground target below durability 50: 1
ground target of durability 50 or more: 2
AA gun: 1
aircraft destroyed: 1
aircraft damaged: 0.5

movement_dice 3.1
m1: -8 | -8 | -7 | -7 | -6 | -6
m2: -7 | -6 | -6 | -5 | -5 | -4
m3: -5 | -4 | -4 | -3 | -3 | -2
m4: -3 | -2 | -2 | -1 | -1 | 0
m5: -1 | 0 | 0 | +1 | +1 | +2
m6: 0 | +1 | +2 | +3 | +3 | +3
purple: -1 | 0 | 0 | 0 | 0 | +1

movement_dots 3.2.1
m1: 3 | X | 2 | 1 | 2 | 1
m2: 3 | X | 2 | 1 | 2 | 1
m3: 3 | X | 2 | 1 | 2 | 1
m4: 3 | X | 2 | 1 | 2 | 1
m5: 3 | X | 2 | 1 | 2 | 1
m6: 3 | X | 2 | 1 | 2 | 1

turn_spacing 3.2.2
<=9: 0
10-16: 1
17+: 2

structural_failure 3.4
<=2: structural failure
3+: holds

low_pull_up 3.4.3
<=2: crash
3+: clear

aerobatics 3.5.7
<=1: spin
2+: success

absolute_maximum 3.6.2
<=4: +2
5-7: +3
8+: +4

recovery 3.6.4
<=2: spin
3+: recovers

spin_direction 3.6.6
1: NE
2: E
3: SE
4: SW
5: W
6: NW

collision 3.10
<=4: near miss
5+: collision

targeting 4.5
hit: 2 | 4 | 3

position_a 4.5.1
distance 2d: -1
different roll: -1
different pitch: -1
opposite roll: x
opposite pitch: x

position_b 4.5.2
target banked: -1
target pitched: -1

position_frontal 4.5.3
target banked: x
target pitched: -2

position_parallel 4.5.4
target banked: -1
both pitched: -1
different pitch: x

targeting_modifiers 4.5
Ace: +1
Rookie: -1
large target: +1
very small target: -1
tracer burst: +1
double burst: +1
sun behind target: -2
passive firing: -1
twitch: -1
target prepared for a steep dive: -1
after a forward slip: -1
night: -1

outcome 4.6
<=6: none
7-10: damaged
11-12: double
13+: destroyed
natural 1+1: none

damage_die 4.6.1
blue: 2 | wings
yellow: 1 | tail
red: 1 | guns
green: 1 | engine
all: 1 | throw again

damage_effects 4.6.1
wings: -1 | 0 | all
tail: 0 | -1 | all
engine: -2 | 0 | all
guns: 0 | 0 | half

speed_faster 4.9
0-3: 0
4-6: -1
7-10: -2
11+: -3

speed_slower 4.9
0: 0
1: -1
2-3: -2
4-6: -3
7+: x

speed_frontal 4.9
<=12: 0
13-16: -1
17-21: -2
22-27: -3
28+: x

air_rockets 4.10
2: 4
3: 5

rocket_tilt 4.10
target banked: -1
target pitched: -1

surface_durability 5.2
light tank: 10
medium tank: 15-20
heavy tank: 25-30
artillery: 5-10
bunker: 20-50
truck: 4-6
infantry in the open: 2
infantry in trenches: 4-10
small house: 8-30
small vessel: 5-40
AA gun: 5-10
ship: 25-300
zone: 200-2000

strafing 5.3.2
<=6: 4
7-9: 6
10-12: 8
13-15: 11
16+: x

strafing_outcome 5.3.3
<=5: none
6+: destroyed
natural 1+1: none

drop_point 5.4.1
1-6: 1
7+: 2

level_bombing 5.4.1
1-3: 7 | 6 | 4
4-6: 9 | 8 | 6
7-9: 11 | 10 | 8
10+: 12 | 11 | 10

level_bombing_speed 5.4.1
<=6: 0
7-9: -2
10+: x

dive_bombing 5.4.2
1-3: 6 | 5 | 3
4-6: 8 | 7 | 5

dive_bombing_speed 5.4.2
<=8: 0
9-11: -2
12+: x

steep_bombing 5.4.3
1-3: 5 | 4 | 2
4-6: 7 | 6 | 4

vertical_bombing 5.4.4
1-3: 4 | 3 | 2
4-6: 6 | 5 | 3

skip_bombing 5.4.5
hit: 6 | 4

lengthwise 5.4
level bombing: +1
dive bombing: +1
steep dive bombing: +1
vertical dive bombing: 0
skip bombing: -1
torpedo: -1

surface_rockets 5.5.2
3: 6 | 5 | 3
4: 8 | 7 | 5

rocket_power 5.5.2
3: 25 | 25 | 25 | 25
4: 15 | 15 | 25 | 25

torpedo 5.6
3-4: 5 | 3
5-6: 6 | 4

aa 6.1.2
<=2: 4 | 6 | 8 | 11 | x
3+: 5 | 7 | 9 | 12 | x

aa_modifiers 6.1.2
4 or more points in range: +1
inner zone: +1
large target: +1
very small target: -1
attacks the gun: +1
three turns, both ways: -1
vertical pull-up: +1
sun behind target: -2
night: -3

aa_gun 6.1
firepower: 10
range: 3
height: 3

barrage 6.2.1
0: destroyed | damaged
1: double | damaged
2: damaged | none
3+: none | none

takeoff 7.3
1: 3
2: 4
3: 5
4: 6

takeoff_modifiers 7.3
load: +1
upwind: -1
downwind: +1
wing damage: +1
engine damage: +2

dead_engine 7.4
1-3: glides
4+: destroyed

experience 7.5.1
damage caused: 0.5
aircraft destroyed: 1
Rookie becomes average: 0.5
average becomes Ace: 3
Rookie becomes Ace: 3.5

fog 7.6.4
<=2: crash
3+: clear

night_flight 7.7
<=1: crash
2+: clear

night_search 7.7
<=4: not found
5+: found
"""

COLUMNS = {
    "movement_dice": "1 2 3 4 5 6",
    "movement_dots": "1 2 3 4 5 6",
    "targeting": "A B C",
    "damage_die": "sides damage",
    "damage_effects": "speed agility firepower",
    "level_bombing": "point ship zone",
    "dive_bombing": "point ship zone",
    "steep_bombing": "point ship zone",
    "vertical_bombing": "point ship zone",
    "skip_bombing": "point ship",
    "surface_rockets": "point ship zone",
    "rocket_power": "point ship zone area",
    "torpedo": "point ship",
    "aa": "<=6 7-9 10-12 13-15 16+",
}

DICE = {
    "movement_dice": "m", "movement_dots": "m", "damage_die": "damage",
    **dict.fromkeys(
        ("structural_failure", "low_pull_up", "aerobatics", "recovery", "spin_direction", "collision", "targeting",
         "air_rockets", "dead_engine", "fog", "night_flight", "night_search"), "d6"),
    **dict.fromkeys(
        ("outcome", "strafing", "strafing_outcome", "level_bombing", "dive_bombing", "steep_bombing",
         "vertical_bombing", "skip_bombing", "surface_rockets", "torpedo", "aa"), "2d6"),
}  # fmt: skip


def typed(text: str) -> str:
    plain = "not permitted" if text == "x" else text
    return plain.removeprefix("+") if plain.lstrip("+").isdigit() else plain


def copied() -> dict[str, tuple[str, list[list[str]]]]:
    found = {}
    for block in COPY.strip().split("\n\n"):
        head, *lines = block.splitlines()
        key, rule = head.split()
        rows = [line.split(": ", 1) for line in lines]
        found[key] = (rule, [[name, *map(typed, cells.split(" | "))] for name, cells in rows])
    return found


@pytest.mark.parametrize("key", sorted(copied()))
def test_every_cell_is_as_printed(key: str) -> None:
    rule, rows = copied()[key]
    chart = charts()[key]
    natural = [[f"natural {faces}", str(cell)] for faces, cell in chart.natural.items()]
    assert [[row.key, *map(str, row.cells)] for row in chart.rows] + natural == rows
    assert chart.rule == rule
    assert chart.dice == DICE.get(key, "")
    if key in COLUMNS:
        assert " ".join(chart.columns) == COLUMNS[key]


def test_no_chart_lacks_a_copy_nor_a_copy_a_chart() -> None:
    assert charts().keys() == copied().keys()


def test_the_dots_of_the_movement_dice_are_the_only_house_cells() -> None:
    assert {key for key, chart in charts().items() if chart.house} == {"movement_dots"}
    assert len(charts()["movement_dots"].house) == 36


@pytest.mark.parametrize("key", sorted(k for k, c in charts().items() if c.rows[0].high is not None))
def test_number_rows_follow_one_another_without_gap_or_overlap(key: str) -> None:
    rows = charts()[key].rows
    for above, below in itertools.pairwise(rows):
        assert above.high is not None
        assert below.low == above.high + 1


def test_needs_are_numbers_so_that_a_rule_can_use_them() -> None:
    """A need of `2+` would have to be parsed; a need of 2 is one."""
    text = (Path(rules.__file__).with_name("charts.toml")).read_text()
    cells = [c for chart in tomllib.loads(text)["chart"].values() for r in chart["rows"] for c in r[1:]]
    assert not [c for c in cells if isinstance(c, str) and c.endswith("+")]


@pytest.mark.rule("aod:4.6")
@pytest.mark.parametrize(
    ("faces", "total", "result"),
    [((1, 1), 30, "none"), ((1, 1), 2, "none"), ((3, 5), 14, "destroyed"), ((2, 2), 6, "none"), ((6, 4), 10, "damaged"),
     ((6, 6), 11, "double"), ((1, 2), -5, "none")],
)  # fmt: skip
def test_two_ones_leave_the_target_alone_whatever_the_sum(faces: tuple[int, int], total: int, result: str) -> None:
    assert charts()["outcome"].read([Face(str(f), f) for f in faces], total) == result
