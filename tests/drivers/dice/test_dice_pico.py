"""The half of the tower's program with the wires, run on pretend wires."""

import runpy
import sys
import time
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from drivers.dice import firmware
from drivers.dice.firmware import blinker, protocol, settling
from drivers.dice.formats import Reading, Reference

FOLDER = Path(firmware.__file__).parent


class PowerOff(Exception): ...


class Wire:
    """One pin; `history` is what was written to it."""

    def __init__(self, _pin: str) -> None:
        self.history: list[bool] = []
        self.level = True

    def switch_to_input(self, pull: str) -> None:
        assert pull == "up"

    def switch_to_output(self) -> None: ...

    @property
    def value(self) -> bool:
        return self.level

    @value.setter
    def value(self, level: bool) -> None:
        self.history.append(level)


class Line:
    """A serial line: bytes to read, bytes that were written."""

    def __init__(self) -> None:
        self.unread, self.written = b"", b""
        self.timeout = self.write_timeout = None

    @property
    def in_waiting(self) -> int:
        return len(self.unread)

    def read(self, count: int) -> bytes | None:
        data, self.unread = self.unread[:count], self.unread[count:]
        return data or None

    def write(self, data: bytes) -> int:
        self.written += data
        return len(data)


def module(name: str, **members: Any) -> ModuleType:
    made = ModuleType(name)
    made.__dict__.update(members)
    return made


def test_a_throw_goes_from_the_reader_to_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, host, wires = Line(), Line(), {pin: Wire(pin) for pin in ("GP2", "GP15", "LED")}
    pretend = [
        module("board", GP0="GP0", GP1="GP1", GP2="GP2", GP15="GP15", LED="LED"),
        module("busio", UART=lambda *_pins, **_settings: reader),
        module("digitalio", DigitalInOut=wires.__getitem__, Pull=SimpleNamespace(UP="up")),
        module("microcontroller", cpu=SimpleNamespace(uid=bytes.fromhex("0011E6614C31"))),
        module("usb_cdc", data=host),
    ]
    for one in pretend:
        monkeypatch.setitem(sys.modules, one.__name__, one)
    for part in (protocol, settling, blinker):
        monkeypatch.setitem(sys.modules, part.__name__.rpartition(".")[2], part)

    def happens(now_ms: int) -> None:
        wires["GP2"].level = not 100 <= now_ms < 140
        if now_ms == 50:
            host.unread = b"ARM 7\n"
        if now_ms == 400:
            reader.unread = b"w=4,r=?\r\n"
        if now_ms == 1500:
            host.unread = b"OK 7\nOK 8\n"
        if now_ms == 6000:
            raise PowerOff

    clock = iter(range(0, 10_000, 10))

    def tick() -> int:
        now = next(clock)
        happens(now)
        return now * 1_000_000

    monkeypatch.setattr(time, "monotonic_ns", tick)
    with pytest.raises(PowerOff):
        runpy.run_path(str(FOLDER / "code.py"))

    readings = [Reference().parse(line) for line in host.written.decode().splitlines()]
    assert [one.kind for one in readings if isinstance(one, Reading)] == ["hello", "moving", "throw", "cocked"]
    hello, _, throw, cocked = (one for one in readings if isinstance(one, Reading))
    assert hello.hello
    assert hello.hello.id == "E6614C31"
    assert (throw.number, [face.value for face in throw.faces]) == (7, [4])
    assert (cocked.number, cocked.faces[0].die) == (8, "r")
    assert any(wires["GP15"].history)
    assert not wires["GP15"].history[-1]
    assert any(wires["LED"].history)


def test_the_data_port_is_switched_on(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, bool] = {}
    monkeypatch.setitem(sys.modules, "usb_cdc", module("usb_cdc", enable=lambda **ports: asked.update(ports)))
    runpy.run_path(str(FOLDER / "boot.py"))
    assert asked == {"console": True, "data": True}
