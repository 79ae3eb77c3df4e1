"""A data folder that is full, read-only or nearly full: said in words, and waited for."""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path

from companion.game.errors import StorageFailed
from companion.spool import SpoolStorage
from companion.umpire import CompanionError

log = logging.getLogger("companion")

Look = Callable[[Path], os.statvfs_result]
Deed = Callable[[], object]

WARN_BELOW = 0.10
MOST_WAITING = 200
"""Throws and slips that wait for room."""

_GOES_ON = "it goes on by itself"


class Storage:
    """What waits until the folder takes writes again, and the sentences about it for the pages.

    `guard` and `retry` belong to the thread that owns the tables: a lock here would be one lock too many.
    """

    def __init__(self, folder: Path, look: Look = os.statvfs) -> None:
        self._folder, self._look = folder, look
        self._waiting: deque[Deed] = deque(maxlen=MOST_WAITING)
        self._trouble = ""

    def guard(self, do: Deed) -> None:
        """Do it now, or when the storage takes it; what waits already goes first."""
        if self._waiting or not self._done(do):
            self._waiting.append(do)

    def retry(self) -> bool:
        """Do what waits, in its order; whether nothing waits any more. Call every few seconds."""
        while self._waiting:
            first = self._waiting.popleft()
            if not self._done(first):
                self._waiting.appendleft(first)
                return False
        self._trouble = ""
        return True

    def _done(self, do: Deed) -> bool:
        try:
            do()
        except (StorageFailed, SpoolStorage) as error:
            if not self._trouble:
                log.warning("%s", error)
            self._trouble = str(error)
            return False
        except CompanionError as error:  # it came too late to count; the sentence is for the log alone
            log.info("%s", error)
        except Exception:
            log.exception("Something that came by itself could not be taken; the rest goes on")
        return True

    def notices(self) -> list[str]:
        """Sentences for every page; none where all is well."""
        return list(self._sentences())

    def _sentences(self) -> Iterator[str]:
        waits = f" {_counted(len(self._waiting))} for it." if self._waiting else ""
        try:
            state = self._look(self._folder)
        except OSError as error:
            yield f"The data folder cannot be reached ({error.strerror}); check the card.{waits}"
            return
        share = state.f_bavail / state.f_blocks if state.f_blocks else 1.0
        if state.f_flag & os.ST_RDONLY:
            yield f"The storage is read-only: nothing is saved. Check the card; {_GOES_ON}.{waits}"
        elif state.f_bavail == 0 and state.f_blocks:
            yield f"The storage is full: nothing is saved. Free some space; {_GOES_ON}.{waits}"
        elif self._trouble:
            yield f"{self._trouble} When it works again {_GOES_ON}.{waits}"
        elif share < WARN_BELOW:
            left = state.f_bavail * state.f_frsize // 1_000_000
            yield f"The storage is nearly full: {100 * share:.0f} % ({left} MB) left. Free some space soon."


def _counted(waiting: int) -> str:
    return "1 result waits" if waiting == 1 else f"{waiting} results wait"
