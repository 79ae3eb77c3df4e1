"""Finds the driver for a printer's description."""

from __future__ import annotations

from urllib.parse import urlsplit

from drivers.printers import Printer, UnknownPrinter

_KINDS = "tcp://HOST:9100, usb:, usb:/dev/usb/lp0, serial:PORT@BAUD, file:FOLDER, virtual:58 or virtual:80"


def locate(description: str, name: str) -> Printer:
    kind, colon, rest = description.partition(":")
    build = {"tcp": _tcp, "usb": _usb, "serial": _serial, "file": _file, "virtual": _virtual}.get(kind)
    if build is None or not colon:
        raise UnknownPrinter(f"{description!r} describes no printer; write {_KINDS}.")
    return build(rest, name)


def _tcp(rest: str, name: str) -> Printer:
    from drivers.printers.network import NetworkPrinter

    try:
        place = urlsplit("tcp:" + rest if rest.startswith("//") else "tcp://" + rest)
        host, port = place.hostname, place.port
    except ValueError:
        host, port = None, None
    if not host:
        raise UnknownPrinter(f"'tcp:{rest}' has no host or a wrong port; write tcp://192.168.1.50:9100.")
    return NetworkPrinter(host, port or 9100, name=name)


def _usb(rest: str, name: str) -> Printer:
    from drivers.printers.usb import ANY, UsbPrinter

    return UsbPrinter(rest or ANY, name=name)


def _serial(rest: str, name: str) -> Printer:
    from drivers.printers.serial import SerialPrinter

    line, *options = rest.split(",")
    port, _, baud = line.partition("@")
    if not port or not _is_baud(baud or "19200") or set(options) - {"rtscts", "xonxoff"}:
        raise UnknownPrinter(f"'serial:{rest}' is not right; write serial:/dev/ttyUSB0@19200,rtscts.")
    return SerialPrinter(port, int(baud or 19200), name=name, rtscts="rtscts" in options, xonxoff="xonxoff" in options)


def _is_baud(words: str) -> bool:
    return words.isdecimal() and len(words) < 8 and 300 <= int(words) <= 4_000_000


def _file(rest: str, name: str) -> Printer:
    from drivers.printers.file import FilePrinter

    if not rest:
        raise UnknownPrinter("'file:' needs a folder; write file:/var/lib/companion/slips.")
    return FilePrinter(rest, name=name)


def _virtual(rest: str, name: str) -> Printer:
    from drivers.printers.virtual import Faults, VirtualPrinter

    roll, _, faults = rest.partition(",")
    if not roll.isdecimal():
        raise UnknownPrinter(f"'virtual:{rest}' has no roll width; write virtual:58 or virtual:80.")
    return VirtualPrinter(int(roll), name=name, faults=Faults.parse(faults))
