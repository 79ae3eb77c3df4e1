"""The faces that numbered dice have, as they are printed."""

import re

_PRINTED = {"d5": range(1, 11), "d00": range(0, 100, 10), "d10 units": range(10)}
"""A d5 is a ten-sided die that is halved by the rule, not by the die."""


def faces_of(kind: str | None) -> range | None:
    """Every face of such a die once, or None for a die whose faces are not simply numbers."""
    numbered = re.fullmatch(r"d([1-9][0-9]{0,2})", kind or "")
    return _PRINTED.get(kind or "") or (range(1, int(numbered[1]) + 1) if numbered else None)


def fits(kind: str | None, value: int | str) -> bool:
    """Whether such a die can show this; a d10 or d100 may be printed with 0. Special dice may show names."""
    faces = faces_of(kind)
    if isinstance(value, str):
        return faces is None
    if faces is None:
        return 0 <= value <= 100
    return value in faces or (value == 0 and kind in ("d5", "d10", "d100"))
