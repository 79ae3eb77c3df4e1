"""Pins of gpiozero's own mock factory, with a clock that only moves when told."""

from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin

from drivers.dice.gpio import GpioDice, Pins
from tests.drivers.dice.rig import is_ready, wait_until

PINS = Pins(faces=(5, 6, 13, 19, 26, 21), dial_a=17, dial_b=27, dial_push=22, roll=23, shock=24, lamp=18, buzzer=12)


class ShortedPin(MockPin):  # type: ignore[misc]
    """A pin whose wire is shorted to ground: the pull does not raise it."""

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        self._change_state(False)


class Board:
    """Drives the pins as fingers do."""

    def __init__(self, pin_class: Any = MockPin) -> None:
        self.now = 100.0
        self.factory = MockFactory(pin_class=pin_class)
        # what the pins did is looked at after the source has closed them
        self.factory.close = lambda: None

    def source(self, pins: Pins = PINS, **settings: Any) -> GpioDice:
        return GpioDice("buttons", pins, factory=lambda: self.factory, clock=lambda: self.now, **settings)

    def ready(self, source: GpioDice) -> None:
        wait_until(lambda: is_ready(source), "the pins")

    def down(self, pin: int, after_ms: float = 0) -> None:
        self.now += after_ms / 1000
        self.factory.pin(pin).drive_low()

    def up(self, pin: int, after_ms: float = 0) -> None:
        self.now += after_ms / 1000
        self.factory.pin(pin).drive_high()

    def tap(self, pin: int, ms: float = 100, after_ms: float = 250) -> None:
        self.down(pin, after_ms)
        self.up(pin, ms)
        self.now += 0.1

    def bounce(self, pin: int, edges: int, apart_ms: float, ends_low: bool) -> None:
        for left in range(edges, 0, -1):
            (self.down if (left % 2 == 1) == ends_low else self.up)(pin, apart_ms)
