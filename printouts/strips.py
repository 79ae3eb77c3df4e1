"""Strips: parts of a page of known height that know how to draw themselves, and how they share pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from printouts.document import Run
from printouts.pen import Pen, width

Draw: TypeAlias = Callable[[Pen, float, float], None]
LEADING = 1.28
PAD = 1.2  # millimetres between a table's line and its words


@dataclass(frozen=True, slots=True)
class Strip:
    """A part of a page that is never split. `heads` are repeated above it on a new page."""

    height: float
    draw: Draw
    glued: bool = False  # to the next strip
    breaks: bool = False  # starts a new page
    heads: tuple[Strip, ...] = ()


def nothing(_pen: Pen, _x: float, _y: float) -> None:
    """Draws nothing."""


def stacked(strips: Iterable[Strip]) -> Strip:
    """Strips one below the other as one."""
    parts = tuple(strips)

    def draw(pen: Pen, x: float, y: float) -> None:
        for part in parts:
            part.draw(pen, x, y)
            y += part.height

    return Strip(sum(part.height for part in parts), draw)


def paged(strips: Iterable[Strip], limit: float) -> list[list[Strip]]:
    """Strips dealt to pages of that height; glued ones stay together where they fit on one page."""
    pages: list[list[Strip]] = [[]]
    room = limit
    for group in _groups(strips):
        height = sum(strip.height for strip in group)
        for part in [group] if height <= limit else [[strip] for strip in group]:
            height = sum(strip.height for strip in part)
            if pages[-1] and (height > room + 1e-6 or part[0].breaks):
                pages.append(list(part[0].heads))
                room = limit - sum(head.height for head in part[0].heads)
            pages[-1] += part
            room -= height
    return [page for page in pages if any(strip.height for strip in page)]


def _groups(strips: Iterable[Strip]) -> Iterator[list[Strip]]:
    group: list[Strip] = []
    for strip in strips:
        group.append(strip)
        if not strip.glued:
            yield group
            group = []
    if group:
        yield group


def measured(run: Run, size: float) -> float:
    """Width of a run in millimetres."""
    return width(run.text, size * (2 if run.large else 1), run.bold)


def text_strip(line: list[Run], size: float, indent: float) -> Strip:
    return many([(indent, line)], size)


def many(parts: list[tuple[float, list[Run]]], size: float) -> Strip:
    """Runs at several places of one line."""
    tall = size * (2 if any(run.large for _, line in parts for run in line) else 1)

    def draw(pen: Pen, x: float, y: float) -> None:
        for at, line in parts:
            pen.words(x + at, y + tall * 0.95, line, size)

    return Strip(tall * LEADING, draw)


def rule(pen: Pen, x: float, y: float, wide: float, size: float, heavy: bool) -> None:
    pen.line(x, y + size * 0.3, x + wide, y + size * 0.3, 0.6 if heavy else 0.2)


def glued(strips: Iterable[Strip], last: bool = False) -> list[Strip]:
    """Strips that stay together, with `last` also to what follows."""
    parts = list(strips)
    return [replace(part, glued=True) if last or n < len(parts) - 1 else part for n, part in enumerate(parts)]


def beside(strips: Iterable[Strip | None], widths: list[float]) -> Strip:
    parts = list(strips)

    def draw(pen: Pen, x: float, y: float) -> None:
        for part, wide in zip(parts, widths, strict=True):
            if part:
                part.draw(pen, x, y)
            x += wide

    return Strip(max(part.height for part in parts if part), draw)


def framed(inner: Strip, wide: float, line_mm: float) -> Strip:
    height = inner.height + 2 * PAD

    def draw(pen: Pen, x: float, y: float) -> None:
        pen.rectangle(x + 0.5, y + 0.5, wide - 1, height, line_mm)
        inner.draw(pen, x + PAD + 1, y + PAD + 0.5)

    return Strip(height + 2, draw)
