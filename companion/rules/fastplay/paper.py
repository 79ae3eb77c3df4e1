"""The pages and slips of Fast-Play WWII."""

from collections.abc import Mapping

from companion.umpire import Paper

PAPERS: Mapping[str, Paper] = {}
