"""The chits and markers that the rules name, to cut out (1.1.7 to 1.1.14)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.aod.craft import COLOURS
from printouts import document as doc

CHITS: tuple[tuple[str, str, int], ...] = (
    ("BOMB", "5.1", 12), ("ROCKET", "5.1", 12), ("TORPEDO", "5.1", 6), ("TANK", "7.2.3", 6), ("PHOTO", "7.1", 6),
    ("MISSION", "7.1", 8), ("STEEP DIVE", "3.4.2", 6), ("EVADING", "4.5.8", 8), ("RE-SLIDE", "4.2.1", 8),
    ("AA FIRED", "6.1.1", 8), ("TURNED", "6.1.1", 12), ("START", "1.1.9", 8),
)  # fmt: skip
"""Round chits: the word, the rule that needs it, how many."""

MARKERS: tuple[tuple[str, str, int], ...] = (
    ("POINT", "1.1.10", 12), ("CORNER", "1.1.10", 12), ("AA GUN", "6.1", 8), ("ACE", "7.5", 8), ("ROOKIE", "7.5", 8),
    ("CLOUD", "7.6.3", 10), ("SUN", "7.6.2", 1), ("WIND", "7.6.1", 1),
)  # fmt: skip
SPEEDS = range(1, 22)


def chits() -> Iterator[doc.Chit]:
    for word, rule, count in CHITS:
        yield from [doc.Chit(doc.Face(word, rule), doc.Face(word, rule, fill="light"), 16, 16)] * count
    for word, rule, count in MARKERS:
        yield from [doc.Chit(doc.Face(word, rule, heavy=True), width_mm=20, height_mm=20)] * count
    for damage, colour in COLOURS.items():
        face = doc.Face(damage[0].upper(), damage, fill=colour)  # type: ignore[arg-type]
        yield from [doc.Chit(face, face, 10, 10)] * 12
    for speed in SPEEDS:
        yield doc.Chit(doc.Face(str(speed), "speed"), doc.Face(str(speed), "speed"), 14, 14)
