"""A file to send to whoever helps: what the machine says of itself, without anything that is nobody's business."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from companion.config import Config, shown
from companion.doctor.facts import Facts
from companion.doctor.finding import Finding

_FILES = (
    "/proc/device-tree/model", "/etc/os-release", "/proc/version", "/proc/cmdline", "/proc/meminfo", "/proc/mounts",
    "/etc/systemd/system/companion.service", "/etc/systemd/system/companion-kiosk.service",
    "/etc/udev/rules.d/72-companion.rules",
)  # fmt: skip
_COMMANDS = (
    ("journalctl", "-u", "companion", "-n", "400", "--no-pager", "-o", "short-monotonic", "--no-hostname"),
    ("systemctl", "show", "companion", "--property=ActiveState,SubState,NRestarts,Result,ExecMainStatus"),
    ("lsusb",),
    ("df", "-h"),
)
_MAC = re.compile(r"(?<![0-9A-Fa-f])(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}(?![0-9A-Fa-f])")
_V4 = re.compile(r"(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])")
_V6 = re.compile(r"(?<![\w:.])[0-9A-Fa-f:]{2,39}(?:%\w+)?(?![\w:])")
_QUERY = re.compile(r"(?<=[?&])(k|key|pin|token)=[^\s&\"'<>]+")
_BEARER = re.compile(
    r"((?:bearer|cookie|authorization|password|psk|secret)[\"']?\s*[:=]?\s+|psk=|seat_\w+=|host=)"
    r"(?!\"(?:not )?set\")\S+",
    re.IGNORECASE,
)
_TOKEN = re.compile(
    r"(?<![\w-])(?=[\w-]*[A-Z])[A-Za-z0-9_-]{20,}(?![\w-])|(?<![0-9A-Za-z])[0-9a-fA-F]{16,}(?![0-9A-Za-z])"
)
_HOME = re.compile(r"/home/[^/\s:\"']+")


def bundle(
    facts: Facts,
    config: Config,
    findings: Sequence[Finding],
    states: Iterable[Mapping[str, Any]] = (),
    version: str = "",
) -> str:
    """The text of the file, scrubbed."""
    parts = [("Companion", version or "unknown"), ("Findings", "\n".join(map(_line, findings)) or "none")]
    parts += [("Dice and printers", "\n".join(f"{s.get('name')}: {s.get('text')}" for s in states) or "not asked")]
    parts += [("Settings", shown(config)), ("Ports", "\n".join(_ports(facts)) or "none")]
    parts += [(path, facts.read(path)) for path in _FILES]
    parts += [(" ".join(command), facts.run(*command)) for command in _COMMANDS]
    text = "".join(f"== {title}\n{body.rstrip() or '(nothing)'}\n\n" for title, body in parts)
    return scrub(text, _private(facts, config))


def _ports(facts: Facts) -> Iterator[str]:
    """Each lasting name of a serial port, and what it leads to now."""
    for name in ("/dev/serial0", "/dev/companion-dice", *facts.glob("/dev/serial/by-*/*"), *facts.glob("/dev/usb/lp*")):
        if facts.exists(name):
            yield f"{name} -> {facts.real(name)}"


def _line(finding: Finding) -> str:
    return f"{finding.trap} {finding.rank}: {finding.cause} {finding.fix}"


def _private(facts: Facts, config: Config) -> dict[str, str]:
    """Words of this machine that are replaced wherever they stand."""
    host = facts.hostname
    words = {host: "HOST", host.split(".")[0]: "HOST", config.pin: "PIN", config.wifi_name: "WIFI"}
    words[config.wifi_password] = "PASSWORD"
    if found := re.search(r"://([^/:]+)", config.public_url):
        words[found[1]] = "HOST"
    words |= {named: "HOST" for p in config.printers for named in re.findall(r"tcp://([^:/]+)", p.address)}
    return {word: sign for word, sign in words.items() if len(word) > 1 and word != "localhost"}


def scrub(text: str, words: Mapping[str, str] | None = None) -> str:
    """Without keys, addresses of any kind, names of hosts and people, and the given words."""
    for word in sorted(words or {}, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", (words or {})[word], text, flags=re.IGNORECASE)
    text = _QUERY.sub(r"\1=KEY", text)
    text = _BEARER.sub(r"\1KEY", text)
    text = _MAC.sub("MAC", text)
    text = _V4.sub(_address, text)
    text = _V6.sub(_address, text)
    text = _HOME.sub("/home/USER", text)
    return _TOKEN.sub("KEY", text)


def _address(found: re.Match[str]) -> str:
    """Only what is one: not a time of day, and not this machine's own loop."""
    try:
        address = ipaddress.ip_address(found[0].split("%")[0])
    except ValueError:
        return found[0]
    return found[0] if address.is_loopback or address.is_unspecified else "ADDRESS"
