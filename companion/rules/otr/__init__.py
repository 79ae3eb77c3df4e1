"""Over the Reich: its charts, to look up. Its procedures come later, so it is no game to play yet."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from companion.packs import charts as packs
from companion.packs.source import read_source
from companion.umpire import Chart

TITLE = "Over the Reich"


@cache
def charts() -> Mapping[str, Chart]:
    """Those of every chapter; the files are in the order of the chapters."""
    files = sorted(Path(__file__).parent.glob("charts_*.toml"), key=lambda file: int(file.stem.split("_")[1]))
    return {key: chart for file in files for key, chart in packs.charts(read_source(file), "otr").items()}
