"""Which address phones can reach: the QR never holds one that leads nowhere."""

from __future__ import annotations

import fcntl
import ipaddress
import socket
import struct
from collections.abc import Callable, Iterable

Interfaces = Callable[[], list[tuple[str, str]]]
"""Names and IPv4 addresses of the machine, in any order."""

_SIOCGIFADDR = 0x8915
_UNREACHABLE = ("lo", "docker", "br-", "veth", "virbr", "tun", "tap", "wg", "tailscale", "zt", "cni", "flannel", "usb")
_PREFERRED = ("wlan", "wl", "eth", "en")


def interfaces() -> list[tuple[str, str]]:
    """Asked of the kernel each time, so that an address that comes later is seen."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            request = struct.pack("256s", name[:15].encode())
            try:
                answer = fcntl.ioctl(probe.fileno(), _SIOCGIFADDR, request)
            except OSError:
                continue
            found.append((name, socket.inet_ntoa(answer[20:24])))
    return found


def reachable(found: Iterable[tuple[str, str]]) -> str:
    """The address that a phone on the same Wi-Fi can reach, or ''."""
    usable = [(name, ip) for name, ip in found if _usable(name, ip)]
    usable.sort(key=lambda pair: _rank(pair[0]))
    return usable[0][1] if usable else ""


def _usable(name: str, ip: str) -> bool:
    address = ipaddress.ip_address(ip)
    if name.startswith(_UNREACHABLE) or address.is_loopback or address.is_link_local:
        return False
    return not address.is_unspecified


def _rank(name: str) -> int:
    return next((i for i, prefix in enumerate(_PREFERRED) if name.startswith(prefix)), len(_PREFERRED))


def base_url(public_url: str, port: int, found: Iterable[tuple[str, str]]) -> str:
    """What slips, pages and PDFs all show: the configured address, else the Wi-Fi address, else ''."""
    if public_url:
        return public_url.rstrip("/")
    ip = reachable(found)
    return f"http://{ip}:{port}" if ip else ""


def join_code(name: str, password: str) -> str:
    """What a QR code holds to let a phone join a Wi-Fi; signs with a meaning there are escaped."""

    def escaped(text: str) -> str:
        return "".join(f"\\{sign}" if sign in '\\;,:"' else sign for sign in text)

    kind = f"T:WPA;S:{escaped(name)};P:{escaped(password)}" if password else f"T:nopass;S:{escaped(name)}"
    return f"WIFI:{kind};;"


NO_ADDRESS = "No phone can reach this Pi yet: it has no Wi-Fi or network address. The kiosk works without one."
