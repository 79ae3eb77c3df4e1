"""Charts of the rulebook that no procedure reads: they can be looked up."""

from functools import cache
from pathlib import Path

from companion.packs import charts as packs
from companion.packs.source import read_source
from companion.umpire.charts import Chart


@cache
def charts() -> dict[str, Chart]:
    return packs.charts(read_source(Path(__file__).with_name("charts_more.toml")), "rotl")
