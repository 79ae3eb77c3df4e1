"""Finds a serial port by what is plugged in, and opens it for this program alone."""

import contextlib
import errno
import fcntl
import grp
import os
import re
import termios
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Protocol

from drivers import BadSetting, DeviceBusy, DeviceDenied, DeviceMissing, DriverError
from drivers.holders import holders


class PortInfo(Protocol):
    """What pyserial tells of a port that is plugged in."""

    device: str
    vid: int | None
    pid: int | None
    serial_number: str | None
    interface: str | None


Lister = Callable[[], Iterable[PortInfo]]
_USB_ID = re.compile(r"([0-9a-fA-F]{4}):([0-9a-fA-F]{4})(?::(.{1,64}))?")


def check_port(port: str) -> str:
    """A path under /dev, best one of /dev/serial/by-id, or VID:PID or VID:PID:SERIAL; raises BadSetting."""
    if not port.startswith("/") and not _USB_ID.fullmatch(port):
        raise BadSetting(f"The dice port {port!r} is neither a path such as /dev/serial/by-id/... nor VID:PID:SERIAL.")
    return port


def find_port(port: str, lister: Lister | None = None) -> str:
    """The device node that the setting means just now, since nodes are renumbered; raises DeviceMissing."""
    usb = _USB_ID.fullmatch(port)
    if not usb:
        if not os.path.exists(port):
            raise DeviceMissing(f"Nothing is plugged in at {port}; plug the dice in or correct the port.")
        return os.path.realpath(port)
    wanted = (int(usb[1], 16), int(usb[2], 16))
    found = [one for one in (lister or _plugged_in)() if (one.vid, one.pid) == wanted]
    return _only_one(port, [one for one in found if usb[3] in (None, one.serial_number)])


def candidates(by_id: Path = Path("/dev/serial/by-id")) -> list[str]:
    """The serial ports that are plugged in, by the names that stay the same."""
    return sorted(str(link) for link in by_id.iterdir()) if by_id.is_dir() else []


def _only_one(port: str, found: list[PortInfo]) -> str:
    # A board with a console and a data port shows both under one number; only the data port speaks dice.
    data = [one for one in found if re.search("CDC2|data", one.interface or "", re.IGNORECASE)]
    choice = data if len(found) > 1 and data else found
    if not choice:
        raise DeviceMissing(f"No USB device {port} is plugged in; plug the dice in or correct the port.")
    if len(choice) > 1:
        nodes = ", ".join(sorted(one.device for one in choice))
        raise DeviceMissing(f"USB device {port} is there more than once ({nodes}); name it by /dev/serial/by-path.")
    return choice[0].device


def _plugged_in() -> Iterable[PortInfo]:
    from serial.tools.list_ports import comports

    ports: list[PortInfo] = comports()
    return ports


def open_port(path: str, baud: int) -> Any:
    """An open `serial.Serial` that never blocks, with the input thrown away; raises a DriverError."""
    import serial

    if others := holders(path):
        raise DeviceBusy(f"{path} is in use by {others[0]}; close that program or choose another port.")
    try:
        port = serial.Serial(path, baud, timeout=0, write_timeout=0, exclusive=True)
    except (serial.SerialException, OSError, ValueError, termios.error) as problem:
        raise _told(path, problem) from None
    with contextlib.suppress(OSError):  # a help against programs that do not ask for the lock
        fcntl.ioctl(port.fileno(), termios.TIOCEXCL)
    return port


def _told(path: str, problem: Exception) -> DriverError:
    number = getattr(problem, "errno", None)
    if number in (errno.EACCES, errno.EPERM):
        return DeviceDenied(f"{path} may not be opened by this user: {_permission_advice(path)}")
    if number in (errno.EAGAIN, errno.EBUSY):
        return DeviceBusy(f"{path} is in use by another program or a second copy of this one; close that one.")
    return DeviceMissing(f"{path} cannot be opened ({problem}); unplug it and plug it in again.")


def _permission_advice(path: str) -> str:
    try:
        group = grp.getgrgid(os.stat(path).st_gid).gr_name
    except (OSError, KeyError):
        group = "dialout"
    return f"install the udev rule that comes with Companion, or add the user to the group {group} and log in again."
