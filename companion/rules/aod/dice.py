"""The dice of the box (1.1.6); their faces are charts."""

from companion.rules.aod.charts import charts
from companion.umpire import Die, Face, dice, movement, register

DAMAGE_DIE = "damage"
ALL = "all"
"""The side with all four colours."""


def _damage_die() -> Die:
    chart = charts()["damage_die"]
    sides = [(n, row) for n, row in enumerate(chart.rows, 1) for _ in range(int(row.cells[0]))]
    return Die(DAMAGE_DIE, tuple(Face(row.key, n) for n, row in sides))


def _movement_die(kind: str) -> Die:
    numbers = next(row for row in charts()["movement_dice"].rows if row.key == kind)
    dots = next((row.cells for row in charts()["movement_dots"].rows if row.key == kind), ("X",) * 6)
    return movement(kind, [int(n) for n in numbers.cells], [d if isinstance(d, int) else None for d in dots])


register(_damage_die(), *(_movement_die(row.key) for row in charts()["movement_dice"].rows))

WHITE = dice("d6", "white")
RED = dice("2d6", "red")
DAMAGE = dice(DAMAGE_DIE)
GREEN = dice("m6")
