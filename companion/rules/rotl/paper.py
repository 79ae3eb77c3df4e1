"""The game's own pages."""

from companion.umpire import Paper

PAPERS: tuple[Paper, ...] = ()
