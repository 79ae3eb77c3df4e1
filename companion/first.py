"""What the host does on the page of the first evening: reads off slips, teaches dice, sets clock and Wi-Fi."""

from __future__ import annotations

import glob
import os
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import dice, hotspot, touched
from companion.config import Config, DiceConfig
from companion.game.errors import StorageFailed, UsageError
from companion.lesson import KINDS, Lesson
from drivers import DriverError

if TYPE_CHECKING:
    from companion.clock import Wall
    from companion.printing import Printing

FORGOTTEN = 600.0
"""Seconds after which a lesson that nobody looks at gives its port back."""

SHOWN = 6
"""Lines from the die that are shown, the last ones."""


class FirstEvening:
    """Everything here is stored in the data folder and holds at once. Lessons may keep their caller waiting."""

    def __init__(
        self,
        base: Config,
        folder: Path,
        printing: Printing,
        wall: Wall,
        adopt: Callable[[Config], None],
        release: Callable[[str], Sequence[str]],
        restart: Callable[[Sequence[str]], None],
    ) -> None:
        """`base` is the settings file; `adopt` puts settings into effect. `release` lets a port go and names whose it
        was, `restart` gives it back to them.
        """
        self._base, self._folder, self._printing = base, folder, printing
        self._adopt, self._release, self._restart = adopt, release, restart
        self.wall = wall
        self._bench: _Bench | None = None
        self._mutex = threading.RLock()

    # --- settings

    def _keep(self, change: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> None:
        """Try it, write it down, put it into effect: nothing is half kept."""
        with self._mutex:
            after = change(touched.read(self._folder))
            config = touched.applied(self._base, after)
            try:
                touched.write(self._folder, after)
            except OSError as error:
                raise StorageFailed(
                    f"The settings cannot be stored ({error.strerror}); make room on the card."
                ) from None
            self._adopt(config)

    def keep_wifi(self, name: str, password: str) -> None:
        """For the code that lets phones join."""
        if not name.strip() or len(name.encode()) > 32 or not name.isprintable():
            raise UsageError("The name of a Wi-Fi has 1 to 32 letters.")
        if password and not (8 <= len(password) <= 63 and password.isascii() and password.isprintable()):
            raise UsageError("The password of a Wi-Fi has 8 to 63 plain letters; leave it empty for an open one.")
        self._keep(lambda known: {**known, "wifi_name": name.strip(), "wifi_password": password})

    def make_pin(self) -> str:
        """A new PIN for the host's phone: six digits, kept in place of the one before."""
        pin = f"{secrets.randbelow(10**6):06}"
        self._keep(lambda known: {**known, "pin": pin})
        return pin

    # --- printers

    def loose_printers(self) -> list[str]:
        known = [p.address for p in self._now().printers]
        nodes = sorted(glob.glob(USB_NODES))
        return [] if "usb:" in known else [node for node in nodes if f"usb:{node}" not in known]

    def keep_printer(self, address: str) -> None:
        """A USB printer that is there, or one on the network; any other kind is for the settings file."""
        from drivers.printers.locate import locate

        taken = [p.name for p in self._now().printers]
        kind = "USB printer" if address.startswith("usb:") else "network printer"
        loose = address.startswith("usb:") and address.removeprefix("usb:") in self.loose_printers()
        if not (loose or address.startswith("tcp://")):
            raise UsageError("Write the address of a network printer as tcp://192.168.1.50:9100.")
        try:
            locate(address, kind)
        except DriverError as error:
            raise UsageError(str(error)) from None
        name = next(n for n in (kind, *(f"{kind} {count}" for count in range(2, 100))) if n not in taken)
        self._keep(lambda known: touched.with_part(known, "printers", {"name": name, "address": address}))

    def slip_asks(self, printer: str) -> Mapping[str, Any]:
        return self._printing.slip_asks(printer)

    def read_off(self, printer: str, what: str, value: str) -> None:
        """One thing that the host has read on the calibration slip of a printer."""
        asks = self._printing.slip_asks(printer)
        own: dict[str, Any] = {"name": printer, **_read_off(asks, what, value)}
        self._keep(lambda known: touched.with_part(known, "printers", own))

    def keep_backs(self, right: float, down: float) -> None:
        """Where the test page showed the cross of the back, in millimetres from the middle."""
        from printouts import duplex

        if not all(-duplex.REACH <= value <= duplex.REACH for value in (right, down)):
            raise UsageError(f"The scales go {duplex.REACH:g} mm each way; say what stands there.")
        self._keep(lambda known: {**known, "back_offset_mm": duplex.offset(right, down)})

    # --- dice

    def ports(self) -> list[str]:
        """What is plugged in, by the names that stay the same, and what the settings name beside it."""
        from drivers.dice.ports import candidates

        found, named = candidates(), [die.port for die in self._now().dice if die.port]
        named += [port for port in PINS if os.path.exists(port)]
        real = {os.path.realpath(port) for port in found}
        return [*found, *dict.fromkeys(port for port in named if os.path.realpath(port) not in real)]

    def _now(self) -> Config:
        return touched.applied(self._base, touched.read(self._folder))

    def begin_lesson(self, port: str, name: str, baud: int) -> None:
        """Take the port from the source that has it, for as long as the lesson goes."""
        if port not in self.ports():
            raise UsageError("That port is not there any more; look at the cable.")
        if baud not in BAUDS:
            raise UsageError(f"The speed is one of {', '.join(map(str, BAUDS))}.")
        with self._mutex:
            self.end_lesson()
            lesson = Lesson(self._name_for(port, name), port, baud)
            self._bench = _Bench(lesson, self._release(port))
            try:
                self._bench.open()
            except DriverError as error:
                self.end_lesson()
                raise UsageError(str(error)) from None

    def _name_for(self, port: str, wanted: str) -> str:
        """That of the dice which have the port; another's is never taken from it."""
        known = self._now().dice
        if owner := next((die.name for die in known if die.port == port), ""):
            return owner
        name = "".join(letter for letter in wanted.strip()[:40] if letter.isprintable()) or "new dice"
        if any(die.name == name for die in known):
            raise UsageError(f"There are dice called {name} already, at another port; choose another name.")
        return name

    def lesson(self) -> Mapping[str, Any] | None:
        """How the lesson stands, with the last lines from the die; None where there is none."""
        with self._mutex:
            if self._bench is None:
                return None
            self._bench.listen(0.05)
            lesson = self._bench.lesson
            return {
                "name": lesson.name, "port": lesson.port, "kind": lesson.kind, "kinds": KINDS, "text": lesson.text,
                "faces": range(1, int(lesson.kind[1:]) + 1), "found": bool(lesson.form), "dice": lesson.dice,
                "more": bool(lesson.dice), "heard": self._bench.shown(),
            }  # fmt: skip

    def lesson_face(self, face: str) -> None:
        """This face lies there."""
        bench = self._on_bench()
        with self._mutex:
            if not face.isdecimal() or len(face) > 3:
                raise UsageError("Touch the face that lies there.")
            bench.listen(0.3)
            bench.take(int(face))

    def lesson_kind(self, kind: str) -> None:
        self._on_bench().lesson.other(kind)

    def keep_lesson(self) -> None:
        """Store what was learned, and let the dice play."""
        die = self._on_bench().lesson.learned()
        self._keep(lambda known: touched.with_part(known, "dice", _whole(die)))
        self.end_lesson()

    def end_lesson(self) -> None:
        """Give the port back, whatever was learned."""
        with self._mutex:
            bench, self._bench = self._bench, None
            if bench is not None:
                bench.close()
                self._restart(bench.owners)

    def tend(self) -> None:
        """Called now and then."""
        bench = self._bench
        if bench is not None and time.monotonic() - bench.looked_at > FORGOTTEN:
            self.end_lesson()

    def _on_bench(self) -> _Bench:
        if self._bench is None:
            raise UsageError("No lesson is going on; begin one.")
        return self._bench

    # --- clock and Wi-Fi

    def hotspot(self) -> str:
        return hotspot.state()

    def switch_hotspot_on(self) -> str:
        return hotspot.switch_on()


USB_NODES = "/dev/usb/lp*"

PINS = ("/dev/ttyAMA0",)
"""Serial lines that have no lasting name of their own."""

BAUDS = (9600, 19200, 38400, 57600, 115200)


class _Bench:
    """The port of a lesson, and what has come from it since the last face."""

    def __init__(self, lesson: Lesson, owners: Sequence[str]) -> None:
        self.lesson, self.owners = lesson, owners
        self._stack = ExitStack()
        self._listener: dice.Listener | None = None
        self.looked_at = time.monotonic()
        self._fresh: list[str] = []
        self._all: list[str] = []

    def open(self) -> None:
        self._listener = self._stack.enter_context(dice.listening(self.lesson.port, self.lesson.baud))

    def close(self) -> None:
        with suppress(OSError):
            self._stack.close()

    def listen(self, seconds: float) -> None:
        """A plug that was pulled brings nothing; the next face says so."""
        self.looked_at = time.monotonic()
        with suppress(OSError):
            fresh = self._listener.gather(seconds) if self._listener else []
            self._fresh += fresh
            self._all = [*self._all, *fresh][-SHOWN:]
        if not self.lesson.form and self._fresh:
            self.lesson.is_our_tower(self._fresh)

    def take(self, face: int) -> None:
        fresh, self._fresh = self._fresh, []
        self.lesson.take(face, fresh)

    def shown(self) -> list[str]:
        from drivers.dice import shown

        return [shown(line) for line in self._all]


def _whole(die: DiceConfig) -> Mapping[str, Any]:
    """All that a lesson says of a source: what the settings file says of its format must not shine through."""
    import msgspec

    plain: dict[str, Any] = msgspec.to_builtins(die)
    return {key: plain[key] for key in ("name", "kind", "port", "format", "baud", "pattern", "settings", "dice")}


def _read_off(asks: Mapping[str, Any], what: str, value: str) -> Mapping[str, Any]:
    """The setting that a touch means; raises UsageError for one that stands on no slip."""
    if what in ("columns", "dots") and value in (str(n) for n, _ in asks[what]):
        return {what: int(value)}
    if what == "page" and value in (codec for _, codec, _, _ in asks["pages"]):
        kept = [codec for _, codec, _, right in asks["pages"] if right != (codec == value)]
        if kept:
            return {"code_pages": kept}
        raise UsageError("One page must stay: touch the one whose letters are right first.")
    if what == "native_qr" and value in ("yes", "no"):
        return {"native_qr": value == "yes"}
    if what == "cut" and value == "none":
        return {"cutter": "none"}
    if what == "cut" and value in (str(mm) for mm, _ in asks["distances"]):
        return {"cutter": "partial", "head_to_cutter_mm": float(value)}
    raise UsageError("That does not stand on the calibration slip; print it again.")
