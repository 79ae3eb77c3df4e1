"""The charts of every chapter, in the order of the chapters."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from companion.packs import charts as packs
from companion.packs.source import read_source
from companion.umpire import Chart


@cache
def charts() -> Mapping[str, Chart]:
    files = sorted(Path(__file__).parent.glob("charts_*.toml"), key=lambda file: int(file.stem.split("_")[1]))
    return {key: chart for file in files for key, chart in packs.charts(read_source(file), "otr").items()}
