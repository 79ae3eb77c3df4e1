"""The charts of the rulebook; the figures stand in charts.toml."""

from functools import cache
from pathlib import Path

from companion.packs import charts as packs
from companion.packs.source import read_source
from companion.umpire.charts import Chart


@cache
def charts() -> dict[str, Chart]:
    return packs.charts(read_source(Path(__file__).with_name("charts.toml")), "aod")
