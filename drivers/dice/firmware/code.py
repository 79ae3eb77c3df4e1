"""A dice tower on a Raspberry Pi Pico with CircuitPython: the half with the wires.

A reader (a camera module, magnets, buttons) sends lines such as `w=4,r=2` over UART; a shock switch tells that
something fell in; the lamp shows that dice are asked for; the LED blinks the faces, so it works without a host.
"""

import os
import time

import board  # type: ignore[import-not-found]
import busio  # type: ignore[import-not-found]
import digitalio  # type: ignore[import-not-found]
import microcontroller  # type: ignore[import-not-found]
import usb_cdc  # type: ignore[import-not-found]
from blinker import Blinker  # type: ignore[import-not-found]
from protocol import Protocol  # type: ignore[import-not-found]
from settling import Settling  # type: ignore[import-not-found]

DICE = (("w", "d6"), ("r", "d6"))

reader = busio.UART(board.GP0, board.GP1, baudrate=115200, timeout=0)
shock = digitalio.DigitalInOut(board.GP2)  # a vibration switch to ground
lamp = digitalio.DigitalInOut(board.GP15)
led = digitalio.DigitalInOut(board.LED)
shock.switch_to_input(pull=digitalio.Pull.UP)
lamp.switch_to_output()
led.switch_to_output()

host = usb_cdc.data  # the console is another port, so its chatter never mixes in
host.timeout = host.write_timeout = 0


def hexed(data: bytes) -> str:
    return "".join([f"{byte:02X}" for byte in data])


tower = Protocol(hexed(microcontroller.cpu.uid[-4:]), hexed(os.urandom(2)), DICE)
settling = Settling(DICE)
blinker = Blinker()

while True:
    now = time.monotonic_ns() // 1_000_000  # unlike supervisor.ticks_ms, this does not wrap
    if not shock.value and settling.shock(now):
        tower.moving()
    settling.receive(reader.read(64) or b"", now)
    faces, unread = settling.due(now)
    if faces:
        tower.throw(faces, settling.took_ms)
        blinker.show(list(faces.values()), now)
    for slot in unread:
        tower.cocked(slot)
    if host.in_waiting:
        tower.receive(host.read(host.in_waiting))
    for line in tower.due(now):
        host.write(line.encode() + b"\r\n")
    lamp.value = tower.armed
    led.value = blinker.is_on(now)
