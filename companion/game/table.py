"""A table: one game in progress. Commands check, write to the journal, and only then change what is seen."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from companion.game import own, registry
from companion.game.acting import DECK, HOST, KEPT
from companion.game.journal import Journal
from companion.game.ledger import BY_HAND, filled
from companion.game.mended import Mended, revealed
from companion.umpire import Context, UsageError


class Table(Mended):
    """Begun, put away, set: what is done to the table itself."""

    @classmethod
    def create(
        cls,
        journal: Journal,
        key: str,
        game_key: str,
        setup: Mapping[str, Any],
        *,
        name: str = "",
        switches: Mapping[str, Any] | None = None,
        house: str = "use",
        cells: Mapping[str, Any] | None = None,
        packs: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> Table:
        """Begin a game; a wrong set-up raises and writes nothing.

        `packs` are the players' own by name; figures in them and in `cells` go by `slot:key:key`.
        """
        game = registry.game(game_key)
        unknown = [s for s in switches or {} if s not in game.switches]
        if unknown:
            raise UsageError(f"{game.title} has no switch {unknown[0]!r}; it has {', '.join(game.switches)}.")
        chosen = {k: s.default for k, s in game.switches.items()} | dict(switches or {})
        figures = filled(game, packs or {}, cells or {})
        game.start(setup, Context(chosen, figures, house))  # type: ignore[arg-type]
        body = {
            "game": game_key,
            "version": game.version,
            "name": name or key,
            "setup": dict(setup),
            "switches": chosen,
            "house": house,
            "cells": dict(cells or {}),
            "packs": {pack: dict(figures) for pack, figures in (packs or {}).items()},
            "marks": [[pack, own.mark(figures)] for pack, figures in (packs or {}).items()],
            "secret": secrets.token_urlsafe(24),
        }
        journal.append(key, ("created", body))
        return cls(journal, key)

    def set_away(self, away: bool) -> None:
        """Put the table away, or take it out again."""
        with self.mutex:
            self._write(("away" if away else "back", {}))
            self._changed()

    def adjust(self, settings: Mapping[str, str], *, seat: str) -> None:
        """How this table is played beside the rules: odds shown or not, slips each or on asking, teaching."""
        with self.mutex:
            self._may(seat, "")
            self._write(("adjusted", {"settings": dict(settings), "seat": seat}))
            self._changed()

    def learn(self, cells: Mapping[str, Any], *, seat: str) -> None:
        """Cells of tables that the rulebook lacks, read from the players' own cards; `slot:key:key` to value."""
        with self.mutex:
            self._write(("learned", {"cells": dict(cells), "seat": seat}))
            self._go_on()
            self._changed()


__all__ = ["BY_HAND", "DECK", "HOST", "KEPT", "Table", "revealed"]
