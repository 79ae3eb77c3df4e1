"""Every refusal by its stable code; the sentences stand in refusals.toml."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from companion.packs.source import read_source
from companion.umpire import Barred


@cache
def refusals() -> dict[str, tuple[str, str]]:
    """For each code, or `CODE/which`, the sentence and its rule."""
    data = read_source(Path(__file__).with_name("refusals.toml")).data["refusal"]
    return {code: (text, rule) for code, (text, rule) in data.items()}


def refuse(code: str, **words: object) -> Barred:
    """The refusal with its words filled in; after a stroke stands which sentence of a code."""
    text, rule = refusals()[code]
    return Barred(code.split("/")[0], text.format(**words), rule)
