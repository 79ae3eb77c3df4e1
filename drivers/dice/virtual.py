"""A tower without wood: speaks the reference line over a pseudo terminal, with faults to switch on.

It runs the very program of the real tower, so it rehearses both sides.
"""

import contextlib
import os
import secrets
import select
import threading
import time
import tty
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, get_args

from drivers import BadSetting
from drivers.dice.firmware.protocol import Protocol
from drivers.dice.software import draw_kind

Fault = Literal["drop", "double", "half", "noise", "reset-on-open", "cocked", "moving", "flood", "wrong-crc", "stuck"]
FAULTS: tuple[str, ...] = get_args(Fault)
SETTLE_MS = 640
TURN_S = 0.02


class VirtualTower:
    """Plug in by `start`, out by `stop`. `link` is kept as a link to the terminal, as under /dev/serial/by-id.

    `faults` may be changed at any time. "drop", "half" and "wrong-crc" spoil the next line only.
    With `throws_itself`, dice fall as soon as the host asks.
    """

    def __init__(
        self,
        link: Path | None = None,
        dice: tuple[tuple[str, str], ...] = (("w", "d6"), ("r", "d6")),
        *,
        tower_id: str = "VIRTUAL1",
        throws_itself: bool = False,
    ) -> None:
        self.faults: set[str] = set()
        self.path = ""
        self._link, self._dice, self._id = link, dice, tower_id
        self._throws_itself = throws_itself
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._master = -1
        self._program = self._booted()

    def start(self) -> None:
        """Plug it in and power it up."""
        self.replug()
        self._program = self._booted()

    def stop(self) -> None:
        self.unplug()

    def replug(self) -> None:
        """The plug goes back in under another name; the tower had its own power, so it goes on counting."""
        if self._thread:
            return
        self._master, slave = os.openpty()
        tty.setraw(slave)
        self.path = os.ttyname(slave)
        os.close(slave)
        os.set_blocking(self._master, False)
        self._relink()
        self._stopping.clear()
        self._thread = threading.Thread(target=self._run, name="virtual tower", daemon=True)
        self._thread.start()

    def unplug(self) -> None:
        thread, self._thread = self._thread, None
        if not thread:
            return
        self._stopping.set()
        thread.join()
        if self._link:
            self._link.unlink(missing_ok=True)
        master, self._master = self._master, -1
        os.close(master)

    def reset(self) -> None:
        """The power failed: another boot, and the count starts again."""
        with self._lock:
            self._program = self._booted()

    def throw(self, faces: Mapping[str, int] | None = None) -> int:
        """Throw these faces, or any; returns the throw's number."""
        with self._lock:
            if "moving" in self.faults:
                self._program.moving()
            if "cocked" in self.faults:
                return self._program.cocked(self._dice[0][0])
            chosen = dict(faces) if faces else {slot: draw_kind(kind) for slot, kind in self._dice}
            return self._program.throw(chosen, SETTLE_MS)

    def send_raw(self, data: bytes) -> None:
        """Anything at all, past the program; never waits for a host that does not read."""
        with contextlib.suppress(BlockingIOError, OSError):
            os.write(self._master, data)

    def switch(self, *faults: str) -> None:
        """Have these faults and no others; raises BadSetting for one that is not known."""
        if unknown := set(faults) - set(FAULTS):
            raise BadSetting(f"The virtual tower has no fault {min(unknown)!r}; it has {', '.join(FAULTS)}.")
        self.faults = set(faults)

    @property
    def is_armed(self) -> bool:
        return self._program.armed

    def _booted(self) -> Protocol:
        return Protocol(self._id, secrets.token_hex(2).upper(), self._dice)

    def _relink(self) -> None:
        if self._link:
            self._link.unlink(missing_ok=True)
            self._link.symlink_to(self.path)

    def _run(self) -> None:
        ears = select.poll()
        ears.register(self._master, select.POLLIN)
        was_open = False
        while not self._stopping.is_set():
            state = dict(ears.poll(TURN_S * 1000)).get(self._master, 0)
            is_open = not state & select.POLLHUP
            if is_open and not was_open and "reset-on-open" in self.faults:
                self.reset()
            was_open = is_open
            if not is_open:
                self._stopping.wait(TURN_S)  # a closed terminal is always "ready"
            elif "stuck" not in self.faults:
                self._turn(bool(state & select.POLLIN))

    def _turn(self, is_readable: bool) -> None:
        with self._lock:
            if is_readable:
                with contextlib.suppress(BlockingIOError, OSError):
                    self._program.receive(os.read(self._master, 4096))
            lines = self._program.due(int(time.monotonic() * 1000))
        for line in lines:
            self.send_raw(self._spoilt(line).encode("latin-1"))
        if self._throws_itself and self.is_armed:
            self.throw()

    def _spoilt(self, line: str) -> str:
        """The line with its end, after the faults have been at it."""
        spoil: dict[str, Callable[[str], str]] = {
            "noise": lambda text: "\x00\xff\xfe\x95rst:0x1 boot 12\r\n" + text,
            "wrong-crc": lambda text: text[:-4] + ("0" if text[-4] != "0" else "1") + text[-3:],
            "double": lambda text: text * 2,
            "flood": lambda text: "x" * 4000 + "\r\n" + text,
            "half": lambda text: text[: len(text) // 2],
            "drop": lambda _: "",
        }
        text = line + "\r\n"
        for fault in [fault for fault in spoil if fault in self.faults]:
            text = spoil[fault](text)
        self.faults -= {"drop", "half", "wrong-crc"}
        return text
