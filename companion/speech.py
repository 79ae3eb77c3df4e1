"""Speech from the daemon, through espeak-ng: the Chromium of a Pi has no voices. Off unless a table wants it."""

from __future__ import annotations

import contextlib
import queue
import shutil
import subprocess
import threading
from weakref import WeakKeyDictionary

from companion.game.table import Table

PROGRAM = "espeak-ng"
MISSING = "Speech needs espeak-ng, which is not installed here. On the Pi's command line: sudo apt install espeak-ng"
LONGEST = 200
"""Letters of one sentence."""
PATIENCE = 20.0
"""Seconds after which a sentence is cut off."""


def installed() -> bool:
    return shutil.which(PROGRAM) is not None


class Voice:
    """Says one sentence at a time; a newer one takes the place of one that still waits."""

    def __init__(self) -> None:
        self._said: WeakKeyDictionary[Table, str] = WeakKeyDictionary()
        self._next: queue.Queue[str | None] = queue.Queue(1)
        self._thread: threading.Thread | None = None
        self._mutex = threading.Lock()

    def follow(self, table: Table) -> None:
        """Called after each change: say the dice that are asked for, or the result."""
        wanted = table.settings.get("speech") == "on" and table.settings.get("sound") != "silent"
        text = sentence(table)
        before = self._said.get(table)
        self._said[table] = text
        if wanted and text and text != before:
            self.say(text)

    def say(self, text: str) -> None:
        """Never waits, and says nothing where there is no espeak-ng."""
        if not installed():
            return
        with self._mutex:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="voice", daemon=True)
                self._thread.start()
            self._put(text[:LONGEST])

    def stop(self) -> None:
        with self._mutex:
            if self._thread is not None:
                self._put(None)

    def _put(self, text: str | None) -> None:
        with contextlib.suppress(queue.Empty):
            self._next.get_nowait()
        self._next.put(text)

    def _work(self) -> None:
        while (text := self._next.get()) is not None:
            with contextlib.suppress(OSError, subprocess.SubprocessError):  # no sound card, or it was taken away
                command = [PROGRAM, "--stdin"]
                subprocess.run(command, input=text.encode(), capture_output=True, timeout=PATIENCE, check=False)


def sentence(table: Table) -> str:
    """What everybody may hear now: the throw that is asked for, else the last result. Never what is hidden."""
    ask = table.asks[0] if table.asks else None
    if ask is not None:
        return ask.text if ask.dice is not None else ""
    last = table.played[-1] if table.played else None
    return f"{' '.join(last.summary['heading'])}: {last.summary['word']}." if last is not None and last.slip else ""


__all__ = ["MISSING", "Voice", "installed", "sentence"]
