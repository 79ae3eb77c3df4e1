"""The traps of a Raspberry Pi that software can see, each with its cause and what to do.

A check is pure: it looks at facts and settings, and says nothing where all is well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from companion.config import Config
from companion.doctor.facts import Facts
from companion.doctor.finding import Finding, Rank

Said = Iterator[tuple[Rank, str, str]]
Check = Callable[[Facts, Config, str], Said]

TRAPS: dict[str, Check] = {}

BUILT_IN: Mapping[str, str] = {
    "T5": "Buttons are debounced on time stamps here, never by the pin library.",
    "T6": "What a pin library calls back with is only noted down; the dice's own thread works on it.",
    "T19": "The pages bring their own keys; no keyboard on the screen is needed.",
    "T24": "Everything is kept in SQLite and exported as JSON, which any machine reads.",
    "T31": "What is sent leaves at once (TCP_NODELAY): no answer waits for an acknowledgement.",
}
"""Traps that Companion is built around: there is nothing to look for on the machine."""

UNIT, KIOSK = "/etc/systemd/system/companion.service", "/etc/systemd/system/companion-kiosk.service"
LONG_PAST = 1_700_000_000
"""Seconds since 1970; what says less has not been set."""
_DESKTOPS = (
    "/etc/xdg/labwc/autostart", "/home/*/.config/labwc/autostart", "/home/*/.config/wayfire.ini",
    "/etc/xdg/lxsession/*/autostart", "/home/*/.config/lxsession/*/autostart", "/home/*/.config/autostart/*.desktop",
)  # fmt: skip
_PINS_UART = ("/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0")


def trap(name: str) -> Callable[[Check], Check]:
    def keep(check: Check) -> Check:
        TRAPS[name] = check
        return check

    return keep


def examine(facts: Facts, config: Config, folder: str) -> list[Finding]:
    """Everything that the checks say of a machine and its settings, trouble first; `folder` is that of the data."""
    found = [
        Finding(name, rank, cause, fix)
        for name, check in sorted(TRAPS.items(), key=lambda item: int(item[0][1:]))
        for rank, cause, fix in _safe(check, facts, config, folder)
    ]
    return sorted(found, key=lambda finding: ("trouble", "warning", "note").index(finding.rank))


def _safe(check: Check, facts: Facts, config: Config, folder: str) -> list[tuple[Rank, str, str]]:
    """A strange machine must not silence the other checks."""
    try:
        return list(check(facts, config, folder))
    except Exception as error:
        return [("note", f"This could not be looked at ({type(error).__name__}: {error}).", "Nothing need be done.")]


# --- what several checks ask


def model(facts: Facts) -> str:
    """As the board calls itself; '' where it is no Pi."""
    found = facts.read("/proc/device-tree/model").strip()
    return found if "Raspberry Pi" in found else ""


def _uses_pins(config: Config) -> bool:
    return any(die.kind == "gpio" for die in config.dice)


def _ports(config: Config) -> list[str]:
    dice = [die.port for die in config.dice if die.kind == "serial" and die.port.startswith("/")]
    paper = [p.address.removeprefix("serial:").split("@")[0] for p in config.printers if "serial:/" in p.address]
    return dice + paper


def _memory_mb(facts: Facts) -> int:
    found = re.search(r"MemTotal: +(\d+) kB", facts.read("/proc/meminfo"))
    return int(found[1]) // 1024 if found else 0


def _older(version: str, than: tuple[int, ...]) -> bool:
    return tuple(int(part) for part in re.findall(r"\d+", version)) < than


def _rules(facts: Facts) -> dict[str, str]:
    found = [*facts.glob("/etc/udev/rules.d/*.rules"), *facts.glob("/usr/lib/udev/rules.d/*companion*.rules")]
    return {path: facts.read(path) for path in found}


def _on_card(facts: Facts) -> bool:
    return bool(re.search(r"^/dev/mmcblk\S* / ", facts.read("/proc/mounts"), re.MULTILINE))


# --- pins


@trap("T1")
def _pin_library(facts: Facts, config: Config, _folder: str) -> Said:
    if not _uses_pins(config):
        return
    source = facts.source_of("lgpio")
    if source is None:
        yield "trouble", "The pin library lgpio is not installed.", "sudo apt install python3-lgpio python3-gpiozero"
    elif "gpio_claim_alert" not in source:
        fix = "Take it out of the environment with pip uninstall lgpio, then sudo apt install python3-lgpio."
        yield "trouble", "The pin library lgpio is an empty release that pip found.", fix


@trap("T2")
def _closed_environment(facts: Facts, config: Config, _folder: str) -> Said:
    settings = facts.read(f"{facts.prefix}/pyvenv.cfg") if facts.prefix else ""
    closed = facts.prefix and not re.search(r"include-system-site-packages *= *true", settings)
    if model(facts) and closed and _uses_pins(config) and not facts.source_of("lgpio"):
        fix = "Make it again: python3 -m venv --system-site-packages /opt/companion, then install Companion in it."
        yield "trouble", "The environment of Companion cannot see the pin library of the system.", fix
    if _uses_pins(config) and (version := facts.version("gpiozero")) and _older(version, (2, 0, 1)):
        yield "warning", f"gpiozero {version} is too old.", "Run pip install 'gpiozero>=2.0.1' in the environment."


@trap("T3")
def _working_directory(facts: Facts, config: Config, _folder: str) -> Said:
    if _uses_pins(config) and not (facts.cwd and facts.usable(facts.cwd)):
        cause = f"The pin library must write in the working directory {facts.cwd or '(gone)'}, and may not."
        yield "trouble", cause, "Start Companion by its unit, which runs in /run/companion, or cd to a folder of yours."


@trap("T4")
def _pin_factory(facts: Facts, config: Config, _folder: str) -> Said:
    if not _uses_pins(config) or "Raspberry Pi 5" not in model(facts):
        return
    if facts.env.get("GPIOZERO_PIN_FACTORY", "lgpio") != "lgpio":
        yield (
            "warning",
            "Another pin library than lgpio is set, and a Pi 5 works with none.",
            ("Set GPIOZERO_PIN_FACTORY=lgpio."),
        )
    version = facts.version("gpiozero")
    if version and _older(version, (2, 0, 1, 3)):
        cause = f"gpiozero {version} does not know the pins of a Pi 5, which were numbered anew."
        yield "trouble", cause, "Run pip install -U gpiozero in the environment (2.0.1.post3 or newer)."


# --- serial lines


@trap("T7")
def _console_on_the_pins(facts: Facts, config: Config, _folder: str) -> Said:
    mine = {facts.real(port) for port in _ports(config)}
    named = re.findall(r"console=(tty(?:AMA|S)\d+|serial\d)", facts.read("/proc/cmdline"))
    consoles = {facts.real(f"/dev/{name}") for name in named}
    logins = {
        port for port in mine if facts.run("systemctl", "is-active", f"serial-getty@{port[5:]}").strip() == "active"
    }
    for port in sorted((consoles | logins) & mine):
        fix = "sudo raspi-config nonint do_serial_cons 1, then restart the Pi."
        yield "trouble", f"A login console of the system is on {port}, where dice or a printer are.", fix
    if not model(facts):
        return
    for port in _ports(config):
        if port in _PINS_UART and not facts.exists(port):
            fix = "sudo raspi-config nonint do_serial_hw 0, then restart the Pi."
            yield "trouble", f"{port} is not there: the serial line of the pins is switched off.", fix
        elif port in _PINS_UART and facts.real(port) == "/dev/ttyS0":
            cause = f"{port} is the small serial line, whose speed changes with that of the processor."
            yield "note", cause, "If lines come in garbled, add dtoverlay=disable-bt to /boot/firmware/config.txt."


@trap("T8")
def _debug_plug(facts: Facts, config: Config, _folder: str) -> Said:
    mine = {facts.real(port) for port in _ports(config)} | set(_ports(config))
    if "Raspberry Pi 5" in model(facts) and mine & {"/dev/serial0", "/dev/ttyAMA10"}:
        fix = "Set /dev/ttyAMA0, and dtparam=uart0=on in /boot/firmware/config.txt."
        yield "trouble", "On a Pi 5 /dev/serial0 is the debug plug, not the pins 14 and 15.", fix


@trap("T9")
def _names_that_change(facts: Facts, config: Config, _folder: str) -> Said:
    for port in _ports(config):
        if re.fullmatch(r"/dev/tty(USB|ACM)\d+", port):
            names = [n for n in facts.glob("/dev/serial/by-id/*") if facts.real(n) == port]
            fix = f"Set {names[0]}." if names else "Set the name that it has under /dev/serial/by-id or by-path."
            yield "warning", f"{port} is a name that changes when things are plugged in another order.", fix
    nodes = [*facts.glob("/dev/ttyUSB*"), *facts.glob("/dev/ttyACM*")]
    told_apart = {facts.real(name) for name in facts.glob("/dev/serial/by-id/*")}
    if any(port.startswith("/dev/serial/by-id/") for port in _ports(config)) and len(nodes) > len(told_apart):
        cause = "Two adapters have one name under /dev/serial/by-id, since they have no numbers of their own."
        yield "warning", cause, "Set their names under /dev/serial/by-path, and leave each in its socket."


@trap("T10")
def _grabbers(facts: Facts, config: Config, _folder: str) -> Said:
    ignored = any("ID_MM_DEVICE_IGNORE" in text for text in _rules(facts).values())
    if _ports(config) and facts.run("systemctl", "is-active", "ModemManager").strip() == "active" and not ignored:
        fix = "Install 72-companion.rules, or sudo systemctl disable --now ModemManager."
        yield "warning", "ModemManager talks to every serial device that is plugged in, dice too.", fix
    if _ports(config) and facts.run("systemctl", "is-active", "brltty").strip() == "active":
        yield (
            "warning",
            "brltty takes some serial adapters for Braille displays.",
            "sudo systemctl disable --now brltty",
        )


# --- data


@trap("T11")
def _journal_mode(facts: Facts, _config: Config, folder: str) -> Said:
    head = facts.raw(f"{folder}/companion.db")[:20]
    if head.startswith(b"SQLite format 3") and head[18:20] != b"\x02\x02":
        cause = "The journal is not in the mode that survives a power cut at the price of one sync a roll."
        yield "warning", cause, "Start Companion once with this folder; it sets the mode itself."


@trap("T12")
def _empty_files(facts: Facts, _config: Config, folder: str) -> Said:
    for name, size in facts.folder_files(folder).items():
        if size == 0 and name.endswith((".db", ".toml")):
            cause = f"{name} in the data folder is empty, as after a power cut with another program."
            yield "trouble", cause, "Delete it and take the last backup: companion restore FILE."


@trap("T13")
def _card_wear(facts: Facts, _config: Config, _folder: str) -> Said:
    confs = ["/etc/systemd/journald.conf", *facts.glob("/etc/systemd/journald.conf.d/*.conf")]
    text = "\n".join(facts.read(path) for path in [*confs, *facts.glob("/usr/lib/systemd/journald.conf.d/*.conf")])
    if _on_card(facts) and not re.search(r"^(Storage=(volatile|none)|SystemMaxUse=)", text, re.MULTILINE):
        fix = "Install journald.conf of Companion in /etc/systemd/journald.conf.d, then restart systemd-journald."
        yield "note", "The log of the system is written to the card without a limit.", fix


@trap("T14")
def _overlay(facts: Facts, _config: Config, folder: str) -> Said:
    mounts = [line.split() for line in facts.read("/proc/mounts").splitlines()]
    under = [m for m in mounts if len(m) > 2 and (folder == m[1] or folder.startswith(m[1].rstrip("/") + "/"))]
    if under and max(under, key=lambda mount: len(mount[1]))[2] in ("overlay", "tmpfs"):
        fix = "Switch the overlay off in raspi-config, or mount a partition that stays at the data folder."
        yield "trouble", f"The data folder {folder} lies in memory: every game is gone after a restart.", fix


@trap("T15")
def _no_clock(facts: Facts, _config: Config, _folder: str) -> Said:
    """A Pi 5 has a clock and seldom its battery: then it says a time long past."""
    told = facts.read("/sys/class/rtc/rtc0/since_epoch").strip()
    keeps_time = told.isdecimal() and int(told) > LONG_PAST
    if model(facts) and not keeps_time and not facts.exists("/run/systemd/timesync/synchronized"):
        cause = (
            "This Pi has no clock and no network to ask: the hours on slips and backups are wrong, the order is not."
        )
        fix = "Lend it the time of your phone on the page First evening, or join a network."
        yield "note", cause, fix


# --- network and pages


@trap("T16")
def _local_names(_facts: Facts, config: Config, _folder: str) -> Said:
    if re.search(r"://[^/:]+\.local(?=[:/]|$)", config.public_url):
        fix = "Take public_url out of the settings, so that the QR holds the address in numbers."
        yield "warning", "The QR code holds a .local name, which many phones cannot find.", fix


@trap("T17")
def _no_browser(facts: Facts, _config: Config, _folder: str) -> Said:
    if facts.exists(KIOSK) and not (facts.which("chromium") or facts.which("chromium-browser")):
        yield "trouble", "The kiosk has no browser.", "sudo apt install chromium"
    if facts.exists(KIOSK) and not facts.which("cage"):
        yield "trouble", "The kiosk has no cage to show its browser in.", "sudo apt install cage"


@trap("T18")
def _desktop_kiosk(facts: Facts, _config: Config, _folder: str) -> Said:
    for path in [path for pattern in _DESKTOPS for path in facts.glob(pattern)]:
        if "chromium" in facts.read(path):
            cause = f"{path} starts the browser under a desktop, where it is lost when the monitor is switched off."
            yield "warning", cause, "Take it out and use companion-kiosk.service."


@trap("T20")
def _waits_for_network(facts: Facts, _config: Config, _folder: str) -> Said:
    if "network-online.target" in facts.read(UNIT):
        fix = "Write the unit again with systemd/render, then sudo systemctl daemon-reload."
        yield "warning", "The unit waits for a network at every start, and for ever without one.", fix


@trap("T21")
def _sleeps(facts: Facts, _config: Config, _folder: str) -> Said:
    if re.search(r"\bsleep \d", facts.read(KIOSK)):
        cause = "The unit of the kiosk sleeps for luck before it starts."
        yield "note", cause, "Write it again with systemd/render: the page waits by itself."


@trap("T22")
def _little_memory(facts: Facts, _config: Config, _folder: str) -> Said:
    memory = _memory_mb(facts)
    if facts.exists(KIOSK) and 0 < memory < 1800:
        cause = f"This Pi has {memory} MB of memory; a browser on its own screen needs 2 GB."
        yield "warning", cause, "sudo systemctl disable --now companion-kiosk, and use phones or a tablet."


@trap("T23")
def _thirty_two_bits(facts: Facts, _config: Config, _folder: str) -> Said:
    if facts.bits < 64:
        yield (
            "trouble",
            "This is a 32-bit system, for which parts of Companion are not made.",
            ("Write the 64-bit image of Raspberry Pi OS to the card."),
        )


# --- printers


@trap("T25")
def _open_to_all(facts: Facts, config: Config, _folder: str) -> Said:
    for path, text in _rules(facts).items():
        if re.search(r'MODE="0?666"', text):
            yield (
                "warning",
                f"{path} opens a device to every program on this Pi.",
                ("Take it out and install 72-companion.rules."),
            )
    if model(facts) and (_ports(config) or config.printers) and not any("companion" in p for p in _rules(facts)):
        fix = "sudo install -m 644 systemd/72-companion.rules /etc/udev/rules.d/, then unplug and plug in again."
        yield "note", "The udev rules of Companion are not installed.", fix


@trap("T26")
def _cups(facts: Facts, config: Config, _folder: str) -> Said:
    if any(p.address.startswith("usb:") for p in config.printers) and "usb://" in facts.run("lpstat", "-v"):
        fix = "Take the printer out of CUPS (lpadmin -x NAME), or sudo systemctl disable --now cups."
        yield "warning", "CUPS has claimed a USB printer, so that slips and its jobs get into each other's way.", fix
    classes = {facts.read(path).strip() for path in facts.glob("/sys/bus/usb/devices/*/bInterfaceClass")}
    wanted = any(p.address.startswith("usb:") for p in config.printers)
    if wanted and "07" in classes and not facts.glob("/dev/usb/lp*"):
        cause = "A USB printer is plugged in, and the system's usblp does not have it: another program took it away."
        fix = "Stop that program, take usblp out of the lists in /etc/modprobe.d, then sudo modprobe usblp."
        yield "trouble", cause, fix


@trap("T27")
def _raw_rs232(_facts: Facts, config: Config, _folder: str) -> Said:
    for printer in config.printers:
        if printer.address.removeprefix("serial:").split("@")[0] in _PINS_UART:
            cause = f"The printer {printer.name} is on the Pi's own pins, which RS-232 (plus and minus 12 V) kills."
            yield "warning", cause, "Make sure that a level shifter is between them, or take a USB adapter."


@trap("T28")
def _undervoltage(facts: Facts, _config: Config, _folder: str) -> Said:
    said = facts.run("vcgencmd", "get_throttled") or facts.read("/sys/devices/platform/soc/soc:firmware/get_throttled")
    found = re.search(r"(?:0x)?([0-9a-fA-F]+)\s*$", said.strip())
    bits = int(found[1], 16) if found else 0
    fix = "Use the supply made for this Pi, and give the printer one of its own."
    if bits & 0x1:
        yield "trouble", "The Pi gets too little voltage at this moment.", fix
    elif bits & 0x10000:
        yield "warning", "The Pi has had too little voltage since it was started.", fix


# --- the service


@trap("T29")
def _shut_out(facts: Facts, config: Config, _folder: str) -> Said:
    if re.search(r"^PrivateDevices=(yes|true|1)", facts.read(UNIT), re.MULTILINE):
        yield "trouble", "The unit hides every device from Companion.", "Write it again with systemd/render."
    printers = [p.address.removeprefix("usb:") for p in config.printers if p.address.startswith("usb:/dev")]
    for path in [*_ports(config), *printers]:
        if facts.exists(path) and not facts.usable(path):
            group = facts.group_of(path) or "its group"
            fix = f"Install 72-companion.rules, or sudo usermod -aG {group} companion; then restart Companion."
            yield "trouble", f"{path} belongs to the group {group} and may not be opened by this user.", fix


@trap("T30")
def _no_watchdog(facts: Facts, _config: Config, _folder: str) -> Said:
    if facts.env.get("INVOCATION_ID") and facts.env.get("NOTIFY_SOCKET") and not facts.env.get("WATCHDOG_USEC"):
        fix = "Write the unit again with systemd/render (it has WatchdogSec=60)."
        yield "warning", "Nobody notices if Companion hangs: the unit has no watchdog.", fix
    confs = ["/etc/systemd/system.conf", *facts.glob("/etc/systemd/system.conf.d/*.conf")]
    set_up = re.search(r"^RuntimeWatchdogSec=(?!0|off)", "\n".join(map(facts.read, confs)), re.MULTILINE)
    if model(facts) and not set_up:
        fix = "Set RuntimeWatchdogSec=15 in /etc/systemd/system.conf, then restart the Pi."
        yield "note", "If the Pi itself hangs, nobody restarts it: the board's own watchdog is off.", fix


@trap("T32")
def _other_escpos(facts: Facts, _config: Config, _folder: str) -> Said:
    if facts.version("escpos"):
        fix = "Run pip uninstall escpos, then pip install --force-reinstall python-escpos in the environment."
        yield "trouble", "A package called escpos stands in the way of python-escpos.", fix


@trap("T33")
def _printer_cache(facts: Facts, config: Config, _folder: str) -> Said:
    if not config.printers:
        return
    place = facts.env.get("ESCPOS_CAPABILITIES_PICKLE_DIR", "")
    if not place:
        if model(facts):
            cause = "The table of printers is read anew at each start, which takes seconds on a small Pi."
            yield "note", cause, "Set ESCPOS_CAPABILITIES_PICKLE_DIR=/var/cache/companion, as the unit does."
    elif (facts.mode(place) or 0) & 0o022:
        cause = f"Others may write into {place}, from which programs are loaded."
        yield "trouble", cause, f"sudo chmod 700 {place}"


@trap("T34")
def _readable_secrets(facts: Facts, _config: Config, folder: str) -> Said:
    if Path(folder).is_absolute() and (facts.mode(folder) or 0) & 0o007:
        cause = f"Every user of this Pi may read the seats' keys in {folder}."
        yield "warning", cause, f"chmod 700 {folder}"
