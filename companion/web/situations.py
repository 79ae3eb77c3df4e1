"""Small pictures, drawn by us: how two aircraft stand to each other, one's own filled; the dice that are asked for."""

from __future__ import annotations

from functools import lru_cache

from companion.game.offers import Mark, Scene

STEP = 34
"""Pixels to a step of the board."""

_ABOVE = "M13 0 9-2 3-2.6-1-15-5-15-3-2.6-9-2-12-6-14-6-12.6 0-14 6-12 6-9 2-3 2.6-5 15-1 15 3 2.6 9 2z"
_SIDE = "M13 0 9-2.6 3-3.2 0-5-4-3.4-10-2-14-7-15-7-13.5 1 4 3 12 1.6z"
_BEHIND = "M-17-2.5-17-1-3.4 2.6-1.6 4.6 1.6 4.6 3.4 2.6 17-1 17-2.5 3.2-.4 2-3 .7-3.4.7-9-.7-9-.7-3.4-2-3-3.2-.4z"
_SHAPES = {"above": _ABOVE, "side": _SIDE, "behind": _BEHIND}
_LEAN = {"above": 0, "side": -22, "behind": 28}
"""Degrees that a tilt of 1 turns a shape, clockwise."""


@lru_cache(256)
def svg(scene: Scene) -> str:
    """An image without words: what it shows is said by the option beside it."""
    marks = [(scene.own, "own")] + ([(scene.other, "other")] if scene.other else [])
    xs = [mark.x * STEP for mark, _ in marks]
    ys = [-mark.y * STEP for mark, _ in marks]
    left, top = min(xs) - 20, min(ys) - 20
    width, height = max(xs) - left + 20, max(ys) - top + 20
    shapes = "".join(_shape(scene, mark, who) for mark, who in marks)
    size = f'viewBox="{left:.0f} {top:.0f} {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    return f'<svg class="scene" {size} aria-hidden="true" focusable="false">{_points(scene)}{shapes}</svg>'


def _points(scene: Scene) -> str:
    """The points of the board between the two, so that a distance can be counted; a line of flight from the side."""
    if scene.other is None or scene.seen == "behind":
        return ""
    x, y = (scene.other.x - scene.own.x) * STEP, -(scene.other.y - scene.own.y) * STEP
    steps = max(round((x * x + y * y) ** 0.5 / STEP), 1)
    from_x, from_y = scene.own.x * STEP, -scene.own.y * STEP
    line = f'<path class="scene-line" d="M{from_x:.0f} {from_y:.0f}l{x:.0f} {y:.0f}"/>'
    if scene.seen == "side":
        return line
    dots = (f"{from_x + x * n / steps:.0f} {from_y + y * n / steps:.0f}" for n in range(steps + 1))
    return line + "".join(f'<path class="scene-point" d="M{dot}h0"/>' for dot in dots)


def _shape(scene: Scene, mark: Mark, who: str) -> str:
    turn = -mark.nose + mark.tilt * _LEAN[scene.seen]
    place = f"translate({mark.x * STEP:.0f} {-mark.y * STEP:.0f}) rotate({turn})"
    return f'<path class="scene-{who}" transform="{place}" d="{_SHAPES[scene.seen]}"/>'


_OUTLINES = {
    4: "M16 3 29 27H3z",
    6: "M6 4h20a2 2 0 0 1 2 2v20a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2z",
    8: "M16 2 29 16 16 30 3 16z",
    10: "M16 2 30 14 27 21 16 30 5 21 2 14z",
    12: "M16 2 26 5 31 14 29 24 20 30H12L3 24 1 14 6 5z",
    20: "M16 1 29 8.5v15L16 31 3 23.5v-15z",
}
_ROUND = "M16 2a14 14 0 1 1-.1 0z"
COLOURS = ("white", "red", "blue", "green", "purple", "yellow", "black", "orange")


@lru_cache(256)
def die_svg(slot: str, faces: int) -> str:
    """A die in its outline and colour; which it is stands beside it in words."""
    colour = next((word for word in slot.lower().split() if word in COLOURS), "plain")
    path = f'<path class="die-{colour}" d="{_OUTLINES.get(faces, _ROUND)}"/>'
    size = 'viewBox="0 0 32 32" width="40" height="40"'
    return f'<svg class="drawn" {size} aria-hidden="true" focusable="false">{path}</svg>'
