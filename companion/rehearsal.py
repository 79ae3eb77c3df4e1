"""The demonstration: a virtual tower over a real pty, a virtual printer over real TCP, every fault a switch."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

from companion.config import Config, DiceConfig, PrinterConfig
from companion.umpire import UsageError
from drivers.dice import virtual as tower
from drivers.dice.software import draw
from drivers.printers.offer import TcpOffer
from drivers.printers.virtual import Faults, VirtualPrinter

TOWER, PRINTER = "tower Oak", "printer Ash"


class Rehearsal:
    """`faults` is a list such as `tower.noise,printer.paper=out,printer.slow=960`."""

    def __init__(self, faults: str = "", *, throws_itself: bool = False) -> None:
        tower_faults, printer_faults = _split(faults)
        self._folder = tempfile.TemporaryDirectory(prefix="companion-demo-")
        self._link = Path(self._folder.name) / "usb-Companion_Tower_VIRTUAL1"
        dice = (("w", "d6"), ("r", "d6"))
        self.tower = tower.VirtualTower(self._link, dice, throws_itself=throws_itself)
        self.tower.switch(*tower_faults)
        self.printer = VirtualPrinter(58, faults=Faults.parse(",".join(printer_faults)))
        self.tower.start()
        self.offer = TcpOffer(self.printer)

    def adapt(self, config: Config) -> Config:
        """The settings with the rehearsal's tower and printer in place of real ones."""
        dice = [DiceConfig(TOWER, "serial", str(self._link), "cd1")]
        printers = [PrinterConfig(PRINTER, self.offer.description, paper=58, cutter="partial")]
        return Config(
            **{f: getattr(config, f) for f in config.__struct_fields__} | {"dice": dice, "printers": printers}
        )

    def throw(self, faces: Mapping[str, int] | None = None, *, asked: int = 2) -> None:
        """Throw the tower: these faces, or as many of its dice as are asked for."""
        dice = ("w", "r")[: max(1, min(asked, 2))]
        self.tower.throw(faces or {die: draw(6) for die in dice})

    def switch(self, faults: str) -> None:
        """Have these faults from now on and no others."""
        tower_faults, printer_faults = _split(faults)
        fresh = Faults.parse(",".join(printer_faults))
        self.tower.switch(*tower_faults)
        self.printer.set(**{f.name: getattr(fresh, f.name) for f in fields(Faults)})

    def close(self) -> None:
        self.tower.stop()
        self.offer.close()
        self._folder.cleanup()


def _split(faults: str) -> tuple[list[str], list[str]]:
    words = [w.strip() for w in faults.split(",") if w.strip()]
    for word in words:
        if not word.startswith(("tower.", "printer.")):
            raise UsageError(f"{word!r} is no fault; write tower.NAME or printer.NAME, for example tower.noise.")
    return (
        [w.removeprefix("tower.") for w in words if w.startswith("tower.")],
        [w.removeprefix("printer.") for w in words if w.startswith("printer.")],
    )
