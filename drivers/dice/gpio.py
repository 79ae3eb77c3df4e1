"""Buttons, a dial, a shock sensor, a lamp and a buzzer on the pins of a Pi."""

import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, fields
from typing import Any

from drivers import BadSetting
from drivers.dice import Event, EventKind, Face, Slot, Status
from drivers.dice.contacts import SETTLE_S, Change, Contact, Quadrature, Trigger
from drivers.dice.kinds import faces_of
from drivers.dice.software import Bytes, drawn
from drivers.dice.worker import Worker

TURN_S = 0.02
BEEP_S = 0.06
DIAL_FACES = range(1, 21)
HIGHEST_PIN = 27


@dataclass(frozen=True, slots=True)
class Pins:
    """Which pin (BCM number) does what; None where nothing is wired. Switches go from pin to ground."""

    faces: tuple[int, ...] = ()
    dial_a: int | None = None
    dial_b: int | None = None
    dial_push: int | None = None
    roll: int | None = None
    shock: int | None = None
    lamp: int | None = None
    buzzer: int | None = None

    def __post_init__(self) -> None:
        roles: dict[int, str] = {}
        for role, pin in self.named():
            if not 0 <= pin <= HIGHEST_PIN:
                raise BadSetting(f"There is no pin {pin} for {role}; BCM numbers go from 0 to {HIGHEST_PIN}.")
            if pin in roles:
                raise BadSetting(f"Pin {pin} is set for {roles[pin]} and for {role}; each needs its own.")
            roles[pin] = role

    @classmethod
    def of(cls, settings: Mapping[str, int]) -> "Pins":
        """From a config file, as {"face_1": 5, "face_2": 6, "roll": 23}; raises BadSetting."""
        count = sum(name.startswith("face_") for name in settings)
        faces = [f"face_{number}" for number in range(1, count + 1)]
        others = [one.name for one in fields(cls)[1:]]
        if strange := settings.keys() - {*faces, *others}:
            raise BadSetting(f"{min(strange)!r} is no part on a pin: face_1, face_2 and so on, {', '.join(others)}.")
        return cls(tuple(settings[face] for face in faces), **{o: settings[o] for o in others if o in settings})

    def named(self) -> Iterator[tuple[str, int]]:
        """Each wired part with its pin; face buttons are "face 1" and so on."""
        yield from ((f"face {number}", pin) for number, pin in enumerate(self.faces, 1))
        for one in fields(self)[1:]:
            pin = getattr(self, one.name)
            if pin is not None:
                yield one.name, pin


Factory = Callable[[], Any]
"""Makes the gpiozero pin factory; raises whatever it likes when there is none."""


def pi_factory() -> Any:
    """The pins of a real Pi. Named outright, because gpiozero would else fall back without a word."""
    from gpiozero.pins.lgpio import LGPIOFactory

    return LGPIOFactory()


class GpioDice(Worker):
    """What is typed on buttons and dial, as throws; the roll button draws the dice that are asked for.

    Debouncing is done here on the time stamps, since each pin library does it in another way.
    """

    def __init__(
        self,
        name: str,
        pins: Pins,
        *,
        factory: Factory = pi_factory,
        settle_s: float = SETTLE_S,
        source: Bytes = os.urandom,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(name)
        self._pins, self._factory, self._source, self._clock = pins, factory, source, clock
        self._settle_s = settle_s
        self._edges: deque[tuple[str, bool, float]] = deque(maxlen=4096)
        self._contacts: dict[str, Contact] = {}
        self._dial, self._dial_at = Quadrature(), 0
        self._shock = Trigger()
        self._faults: dict[str, str] = {}  # of pins, in words; each is also said once
        self._slots: deque[Slot] = deque()
        self._lamp: Any = None
        self._buzzer: Any = None
        self.silent = False
        """Whether the buzzer keeps still; the lamp and the screen say the same."""

    def status(self) -> Status:
        """With what is wrong with a pin, for as long as it is."""
        status, faults = super().status(), list(self._faults.values())
        return Status("trouble", " ".join(faults)) if status.state == "ready" and faults else status

    def arm(self, slots: Sequence[Slot]) -> None:
        self._slots, self._dial_at = deque(slots), 0
        self._ring()

    def acknowledge(self, number: int) -> None:
        """Nothing is sent again, so there is nothing to acknowledge."""

    def _run(self) -> None:
        with ExitStack() as wires:
            try:
                self._wire(wires)
            except Exception as problem:  # pin libraries raise errors of every kind
                self._set_status("off", f"GPIO is off: {why_not(problem)}")
                return
            self._set_status("ready", f"{self._name} is ready on {len(list(self._pins.named()))} pins.")
            while not self._stopping.is_set():
                self._turn()
                self._wait(TURN_S if self._is_busy() else None)

    def _wire(self, wires: ExitStack) -> None:
        factory = self._factory()
        wires.callback(factory.close)
        for role, pin in self._pins.named():
            if role in ("lamp", "buzzer"):
                self._wire_out(role, pin, factory, wires)
            else:
                self._wire_in(role, pin, factory, wires)

    def _wire_out(self, role: str, pin: int, factory: Any, wires: ExitStack) -> None:
        from gpiozero import DigitalOutputDevice

        device = DigitalOutputDevice(pin, pin_factory=factory)
        wires.callback(device.close)
        setattr(self, f"_{role}", device)

    def _wire_in(self, role: str, pin: int, factory: Any, wires: ExitStack) -> None:
        from gpiozero import DigitalInputDevice  # a gpiozero Button would bring a thread of its own

        switch = DigitalInputDevice(pin, pull_up=True, bounce_time=None, pin_factory=factory)
        wires.callback(switch.close)
        switch.when_activated = lambda: self._note(role, True)
        switch.when_deactivated = lambda: self._note(role, False)
        if role not in ("dial_a", "dial_b", "shock"):
            self._contacts[role] = Contact(self._settle_s, bool(switch.is_active))
            if switch.is_active:
                self._tell_stuck(role, self._clock())

    def _note(self, role: str, level: bool) -> None:
        """Called in a thread of the pin library, so it only leaves a note."""
        self._edges.append((role, level, self._clock()))
        self._ring()

    def _turn(self) -> None:
        while self._edges:
            self._edge(*self._edges.popleft())
        now = self._clock()
        for role, contact in self._contacts.items():
            self._changed(role, contact.due(now))
            self._watch(role, contact, now)
        if self._lamp:
            self._lamp.value = bool(self._slots)

    def _is_busy(self) -> bool:
        return any(contact.pending or contact.pressed for contact in self._contacts.values())

    def _edge(self, role: str, level: bool, at: float) -> None:
        if role in self._contacts:
            self._changed(role, self._contacts[role].edge(level, at))
        elif role == "shock":
            if self._shock.edge(at):
                self._say("moving", at, "Something fell in; type what the dice show.")
        elif click := self._dial.edge(role[-1], level):
            self._turn_dial(click, at)

    def _changed(self, role: str, changes: list[Change]) -> None:
        for change in changes:
            self._forgive(role)
            if change.pressed:
                self._press(role, change.at)

    def _press(self, role: str, at: float) -> None:
        if role == "roll":
            self._roll(at)
        elif role == "dial_push":
            self._enter(self._dial_faces()[self._dial_at], at)
        else:
            self._enter(int(role.removeprefix("face ")), at)

    def _enter(self, value: int, at: float) -> None:
        slots = self._slots  # another thread may arm meanwhile, which puts a new queue in its place
        if slots:
            slots.popleft()
        self._dial_at = 0
        self._say("throw", at, f"Typed on the buttons: {value}.", (Face("", value),))
        if self._buzzer and not self.silent:
            self._buzzer.blink(on_time=BEEP_S, off_time=0, n=1)

    def _turn_dial(self, click: int, at: float) -> None:
        faces = self._dial_faces()
        self._dial_at = (self._dial_at + click) % len(faces)
        face = faces[self._dial_at]
        self._say("moving", at, f"The dial shows {face}; push it to enter.", (Face("", face),))

    def _dial_faces(self) -> range:
        slots = self._slots
        return (faces_of(slots[0][1]) if slots else None) or DIAL_FACES

    def _roll(self, at: float) -> None:
        slots = tuple(self._slots)
        if not slots:
            self._say("hint", at, "The roll button was pressed, but no dice are asked for.")
            return
        throw = drawn(self._name, slots, self._source, at)
        if throw.kind == "throw":
            self._slots = deque()
        self._emit(throw)

    def _watch(self, role: str, contact: Contact, now: float) -> None:
        if contact.is_stuck(now):
            self._tell_stuck(role, now)
        elif contact.floating:
            self._fault(role, now, f"Pin {self._pin(role)} flickers and is not used: its wire is loose or open.")
        elif not contact.pressed:
            self._forgive(role)

    def _tell_stuck(self, role: str, now: float) -> None:
        self._fault(role, now, f"Pin {self._pin(role)} is held down: the button is stuck or its wire shorted.")

    def _fault(self, role: str, now: float, text: str) -> None:
        if role not in self._faults:
            self._faults = {**self._faults, role: text}
            self._say("hint", now, text)

    def _forgive(self, role: str) -> None:
        """Another dict in its place, for other threads read it."""
        if role in self._faults:
            self._faults = {other: text for other, text in self._faults.items() if other != role}

    def _pin(self, role: str) -> str:
        return f"{dict(self._pins.named())[role]} ({role})"

    def _say(self, kind: EventKind, at: float, text: str, faces: tuple[Face, ...] = ()) -> None:
        self._emit(Event(kind, self._name, faces, None, at, "", text))


def why_not(problem: Exception) -> str:
    """Why the pins cannot be used and what to do, in one sentence."""
    told = f"{type(problem).__name__}: {problem}"
    if isinstance(problem, ImportError | AttributeError):
        return (
            f"the pin library is missing or an empty release ({told}); sudo apt install python3-lgpio python3-gpiozero"
        )
    if isinstance(problem, FileNotFoundError):
        return f"the pin library cannot write in the working directory ({told}); start it as the service does."
    if "InUse" in told or "busy" in told.lower():
        return f"a pin is taken ({told}); stop the other program that uses it or choose another pin."
    return f"no pins can be reached ({told}); on a Pi install python3-lgpio and put the user into the group gpio."
