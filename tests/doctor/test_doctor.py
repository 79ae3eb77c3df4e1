"""Every trap that software can see, on machines that are made up here; and a bundle that tells nobody's secrets."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatch
from html import unescape
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from companion.config import Config, DiceConfig, PrinterConfig
from companion.doctor import BUILT_IN, TRAPS, Facts, bundle, examine
from companion.doctor.bundle import scrub
from companion.game.tables import Tables, seat_key
from tests.e2e.daemon import running

DATA = "/var/lib/companion"
PI4, PI5 = "Raspberry Pi 4 Model B Rev 1.4\0", "Raspberry Pi 5 Model B Rev 1.0\0"
UNIT, KIOSK = "/etc/systemd/system/companion.service", "/etc/systemd/system/companion-kiosk.service"
RULES = "/etc/udev/rules.d/72-companion.rules"
GOOD_LGPIO = "def gpio_claim_alert(): ..."


class Machine(Facts):
    """A healthy machine, but for what is said."""

    def __init__(self, files: Mapping[str, str | bytes] | None = None, **other: object) -> None:
        self.files = {"/proc/mounts": f"/dev/mmcblk0p2 / ext4 rw\n/dev/mmcblk0p3 {DATA} ext4 rw", **(files or {})}
        known = {"commands": {}, "variables": {}, "versions": {}, "modules": {"lgpio": GOOD_LGPIO}, "shut": set(),
                 "modes": {}, "links": {}, "sizes": {}, "programs": {"cage", "chromium"}}  # fmt: skip
        self.say = SimpleNamespace(**{**known, **other})

    env = property(lambda self: self.say.variables)  # type: ignore[assignment]
    bits = property(lambda self: getattr(self.say, "width", 64))  # type: ignore[assignment]
    hostname = property(lambda self: getattr(self.say, "host", "tablepi"))  # type: ignore[assignment]
    prefix = property(lambda self: getattr(self.say, "venv", ""))  # type: ignore[assignment]
    cwd = property(lambda self: getattr(self.say, "here", "/run/companion"))  # type: ignore[assignment]

    def raw(self, path: str) -> bytes:
        found = self.files.get(path, b"")
        return found if isinstance(found, bytes) else found.encode()

    def glob(self, pattern: str) -> Sequence[str]:
        return [path for path in [*self.files, *self.say.links] if fnmatch(path, pattern)]

    def exists(self, path: str) -> bool:
        return path in self.files

    def real(self, path: str) -> str:
        return str(self.say.links.get(path, path))

    def usable(self, path: str) -> bool:
        return path not in self.say.shut

    def mode(self, path: str) -> int | None:
        return self.say.modes.get(path)

    def group_of(self, path: str) -> str:
        return "plugdev"

    def which(self, program: str) -> bool:
        return program in self.say.programs

    def run(self, *command: str) -> str:
        return str(self.say.commands.get(" ".join(command), ""))

    def version(self, distribution: str) -> str:
        return str(self.say.versions.get(distribution, ""))

    def source_of(self, module: str) -> str | None:
        return self.say.modules.get(module)

    def folder_files(self, folder: str) -> Mapping[str, int]:
        return self.say.sizes


def dice(port: str) -> Config:
    return Config(dice=[DiceConfig("oak", port=port)])


def paper(address: str) -> Config:
    return Config(printers=[PrinterConfig("till", address)])


PINS = Config(dice=[DiceConfig("pins", "gpio", pins={"roll": 23})])
PLAIN = Config()
MODEL = "/proc/device-tree/model"
CARD = f"/dev/mmcblk0p2 / ext4 rw\n/dev/mmcblk0p3 {DATA} ext4 rw"
CASES: list[tuple[str, Config, Machine, str]] = [
    ("T1", PINS, Machine(modules={}), "apt install python3-lgpio"),
    ("T1", PINS, Machine(modules={"lgpio": ""}), "empty release"),
    ("T2", PINS, Machine({MODEL: PI4, "/opt/c/pyvenv.cfg": "include-system-site-packages = false"}, venv="/opt/c",
                         modules={}), "--system-site-packages"),
    ("T2", PINS, Machine(versions={"gpiozero": "1.6.2"}), "1.6.2 is too old"),
    ("T3", PINS, Machine(here="/", shut={"/"}), "working directory /"),
    ("T4", PINS, Machine({MODEL: PI5}, versions={"gpiozero": "2.0.1"}), "pins of a Pi 5"),
    ("T4", PINS, Machine({MODEL: PI5}, variables={"GPIOZERO_PIN_FACTORY": "rpigpio"}), "GPIOZERO_PIN_FACTORY=lgpio"),
    ("T7", dice("/dev/serial0"),
     Machine({"/proc/cmdline": "console=serial0,115200 root=x"}, links={"/dev/serial0": "/dev/ttyS0"}),
     "console of the system is on /dev/ttyS0"),
    ("T7", dice("/dev/ttyAMA0"), Machine(commands={"systemctl is-active serial-getty@ttyAMA0": "active\n"}),
     "console of the system is on /dev/ttyAMA0"),
    ("T7", dice("/dev/serial0"), Machine({MODEL: PI4}), "do_serial_hw 0"),
    ("T7", dice("/dev/serial0"), Machine({MODEL: PI4, "/dev/serial0": ""}, links={"/dev/serial0": "/dev/ttyS0"}),
     "dtoverlay=disable-bt"),
    ("T8", paper("serial:/dev/ttyAMA10@9600"), Machine({MODEL: PI5}), "debug plug"),
    ("T9", dice("/dev/serial/by-id/usb-1a86"),
     Machine({"/dev/ttyUSB0": "", "/dev/ttyUSB1": ""}, links={"/dev/serial/by-id/usb-1a86": "/dev/ttyUSB1"}),
     "/dev/serial/by-path"),
    ("T8", dice("/dev/serial0"), Machine({MODEL: PI5}), "dtparam=uart0=on"),
    ("T9", dice("/dev/ttyACM0"), Machine(links={"/dev/serial/by-id/usb-Oak": "/dev/ttyACM0"}),
     "Set /dev/serial/by-id/usb-Oak"),
    ("T10", dice("/dev/x"), Machine(commands={"systemctl is-active ModemManager": "active\n"}), "ModemManager"),
    ("T10", dice("/dev/x"), Machine(commands={"systemctl is-active brltty": "active\n"}), "brltty"),
    ("T11", PLAIN, Machine({f"{DATA}/companion.db": b"SQLite format 3\0\x10\0\x01\x01"}), "survives a power cut"),
    ("T12", PLAIN, Machine(sizes={"companion.db": 0}), "companion.db in the data folder is empty"),
    ("T13", PLAIN, Machine(), "without a limit"),
    ("T14", PLAIN, Machine({"/proc/mounts": "overlay / overlay rw"}), "lies in memory"),
    ("T15", PLAIN, Machine({MODEL: PI4}), "no clock"),
    ("T15", PLAIN, Machine({MODEL: PI5, "/sys/class/rtc/rtc0/since_epoch": "86400\n"}), "First evening"),
    ("T16", Config(public_url="http://pi.local:8080"), Machine(), ".local"),
    ("T17", PLAIN, Machine({KIOSK: ""}, programs={"cage"}), "no browser"),
    ("T17", PLAIN, Machine({KIOSK: ""}, programs={"chromium-browser"}), "no cage"),
    ("T18", PLAIN, Machine({"/home/pi/.config/labwc/autostart": "chromium --kiosk &"}), "under a desktop"),
    ("T18", PLAIN, Machine({"/etc/xdg/lxsession/LXDE-pi/autostart": "@chromium --kiosk"}), "under a desktop"),
    ("T20", PLAIN, Machine({UNIT: "After=network-online.target"}), "waits for a network"),
    ("T21", PLAIN, Machine({KIOSK: "ExecStartPre=/bin/sleep 8"}), "sleeps for luck"),
    ("T22", PLAIN, Machine({KIOSK: "", "/proc/meminfo": "MemTotal:  437000 kB"}), "426 MB"),
    ("T23", PLAIN, Machine(width=32), "32-bit"),
    ("T25", PLAIN, Machine({"/etc/udev/rules.d/99-lp.rules": 'SUBSYSTEM=="usb", MODE="0666"'}), "99-lp.rules opens"),
    ("T25", paper("usb:"), Machine({MODEL: PI4}), "rules of Companion are not installed"),
    ("T26", paper("usb:"), Machine(commands={"lpstat -v": "device for POS: usb://EPSON/TM"}), "CUPS has claimed"),
    ("T26", paper("usb:"), Machine({"/sys/bus/usb/devices/1-1:1.0/bInterfaceClass": "07\n"}), "modprobe usblp"),
    ("T27", paper("serial:/dev/ttyAMA0@19200"), Machine(), "level shifter"),
    ("T28", PLAIN, Machine(commands={"vcgencmd get_throttled": "throttled=0x50005\n"}), "at this moment"),
    ("T28", PLAIN, Machine(commands={"vcgencmd get_throttled": "throttled=0x50000\n"}), "since it was started"),
    ("T29", PLAIN, Machine({UNIT: "[Service]\nPrivateDevices=yes\n"}), "hides every device"),
    ("T29", dice("/dev/serial/by-id/usb-Oak"),
     Machine({"/dev/serial/by-id/usb-Oak": ""}, shut={"/dev/serial/by-id/usb-Oak"}), "usermod -aG plugdev"),
    ("T30", PLAIN, Machine(variables={"INVOCATION_ID": "1", "NOTIFY_SOCKET": "/run/x"}), "no watchdog"),
    ("T30", PLAIN, Machine({MODEL: PI4}), "RuntimeWatchdogSec=15"),
    ("T32", PLAIN, Machine(versions={"escpos": "1.9"}), "pip uninstall escpos"),
    ("T33", paper("usb:"), Machine({MODEL: PI4}), "ESCPOS_CAPABILITIES_PICKLE_DIR=/var/cache/companion"),
    ("T33", paper("usb:"),
     Machine(variables={"ESCPOS_CAPABILITIES_PICKLE_DIR": "/tmp/x"}, modes={"/tmp/x": 0o777}), "chmod 700 /tmp/x"),
    ("T34", PLAIN, Machine(modes={DATA: 0o755}), "may read the seats' keys"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "config", "machine", "words"), CASES, ids=[f"{c[0]}-{c[3][:20]}" for c in CASES])
def test_a_trap_is_seen_and_said_with_what_to_do(name: str, config: Config, machine: Machine, words: str) -> None:
    found = [f for f in examine(machine, config, DATA) if f.trap == name]
    assert [f for f in found if words in f"{f.cause} {f.fix}"], found
    assert all(f.cause.endswith(".") and f.fix for f in found)


def test_every_one_of_the_thirty_four_is_seen_or_built_around() -> None:
    assert sorted([*TRAPS, *BUILT_IN], key=lambda t: int(t[1:])) == [f"T{n}" for n in range(1, 35)]
    assert {case[0] for case in CASES} == set(TRAPS)


def test_a_healthy_machine_has_nothing_wrong_with_it() -> None:
    """A Pi as the notes set it up, with dice, pins and printers of every kind."""
    rules, unit = (Path(__file__).parents[2] / "systemd" / n for n in ("72-companion.rules", "companion.service"))
    healthy = Machine(
        {MODEL: PI5, "/sys/class/rtc/rtc0/since_epoch": "1760000000\n",
         RULES: rules.read_text(), UNIT: unit.read_text(), "/proc/cmdline": "root=x",
         KIOSK: "", "/proc/meminfo": "MemTotal: 4000000 kB", f"{DATA}/companion.db": b"SQLite format 3\0\x10\0\x02\x02",
         "/etc/systemd/journald.conf.d/companion.conf": "[Journal]\nStorage=volatile\n",
         "/opt/c/pyvenv.cfg": "include-system-site-packages = true",
         "/etc/systemd/system.conf": "[Manager]\nRuntimeWatchdogSec=15\n"},
        venv="/opt/c", versions={"gpiozero": "2.0.1.post3"}, modes={DATA: 0o700, "/var/cache/companion": 0o700},
        variables={"INVOCATION_ID": "1", "NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "60000000",
                   "ESCPOS_CAPABILITIES_PICKLE_DIR": "/var/cache/companion"},
        commands={"vcgencmd get_throttled": "throttled=0x0\n", "systemctl is-active ModemManager": "active\n"},
    )  # fmt: skip
    config = Config(
        dice=[DiceConfig("oak", port="/dev/companion-dice"), DiceConfig("pins", "gpio", pins={"roll": 23})],
        printers=[PrinterConfig("till", "usb:"), PrinterConfig("desk", "tcp://192.168.1.9:9100")],
    )
    assert examine(healthy, config, DATA) == []


def test_trouble_comes_first_and_a_check_that_stumbles_hides_nothing() -> None:
    class Strange(Machine):
        def folder_files(self, folder: str) -> Mapping[str, int]:
            raise RuntimeError("a strange card")

    found = examine(Strange(width=32), PLAIN, DATA)
    assert (found[0].trap, found[0].rank) == ("T23", "trouble")
    assert "a strange card" in next(f.cause for f in found if f.trap == "T12")


# --- the bundle

LOG = """
GET /e/abcd?k={key} HTTP/1.1
Authorization: Bearer {key}
cookie: seat_abcd={key}; theme=dark
host=tablepi peer 192.168.1.23 and fe80::1c2d:3eff:fe4f:5a6b at 12:34:56
wlan0 b8:27:eb:12:34:56 tablepi.lan TablePi
psk=spitfires over ClubNet
/home/marianne/companion pin 4711 root=PARTUUID=0123456789abcdef01
"""
SECRETS = ("192.168.1", "fe80", "b8:27", "tablepi", "spitfires", "ClubNet", "marianne", "4711", "0123456789abcdef")


def test_a_bundle_holds_no_key_address_or_name(tmp_path: Path) -> None:
    tables = Tables(tmp_path / "data")
    table = tables.new("aod")
    keys = [seat_key(table, seat) for seat in ("axis", "allied", "host")] + [table.secret]
    tables.close()
    log = "".join(LOG.format(key=key) for key in keys)
    machine = Machine(
        {"/proc/version": log, "/proc/cmdline": log},
        commands={"journalctl -u companion -n 400 --no-pager -o short-monotonic --no-hostname": log},
    )
    config = Config(
        pin="4711", wifi_name="ClubNet", wifi_password="spitfires", public_url="http://tablepi.lan:8080",
        printers=[PrinterConfig("till", "tcp://192.168.1.50:9100")],
    )  # fmt: skip
    text = bundle(machine, config, examine(machine, config, DATA), [{"name": "till", "text": log}], "1.0")
    for secret in (*keys, *SECRETS):
        assert secret.lower() not in text.lower()
    assert not re.search(r"(?:[0-9a-f]{2}:){5}[0-9a-f]{2}", text, re.IGNORECASE)
    assert text.count("12:34:56") > 3  # a time is no address
    assert "== Settings" in text
    assert '"port": 8080' in text
    assert '"pin": "set"' in text
    assert '"wifi_password": "set"' in text


@pytest.mark.parametrize(
    "text",
    ["http://localhost:8080", "127.0.0.1", "::1", "0.0.0.0", "systemd-networkd-wait-online.service", "12:34:56",
     "companion-damaged-2026-11-29.db", "version 2.0.1.post3", "a:b"],
)  # fmt: skip
def test_what_is_no_secret_stays_readable(text: str) -> None:
    assert scrub(text) == text


def test_the_command_writes_a_bundle_and_says_what_it_found(tmp_path: Path) -> None:
    from companion.cli.doctor import doctor

    settings, file = tmp_path / "companion.toml", tmp_path / "bundle.txt"
    settings.write_text('public_url = "http://pi.local:8080"\n')
    done = CliRunner().invoke(
        doctor, ["--config", str(settings), "--data", str(tmp_path / "data"), "--bundle", str(file)]
    )
    assert done.exception is None, done.output
    assert "holds a .local name" in done.output
    assert "T16 warning" in file.read_text()


def test_page_and_command_say_the_same_for_it_is_the_service_whose_rights_count(tmp_path: Path) -> None:
    from companion.cli.doctor import doctor

    port = '[[dice]]\nname = "oak"\nport = "/dev/ttyUSB7"\n'
    with running(tmp_path, port) as daemon:
        status, page = daemon.ask("GET", "/doctor")
        file = daemon.ask("GET", "/doctor/bundle.txt")[1]
        elsewhere = tmp_path / "other.toml"
        elsewhere.write_text('public_url = "http://pi.local:8080"\n')  # not what the service runs with
        done = CliRunner().invoke(doctor, ["--config", str(elsewhere), "--data", str(tmp_path / "data")])
    assert status == 200
    told = [line.split(": ", 1)[1] for line in done.output.splitlines() if re.match("(trouble|warning|note): ", line)]
    shown = re.findall(r'<strong class="mark">\w+</strong> (.*?)</p>', unescape(page.decode()))
    assert told == shown
    assert any("/dev/ttyUSB7 is a name that changes" in cause for cause in told)
    assert all(cause in file.decode() for cause in told if "/" not in cause)
    assert b"== Dice and printers\noak: " in file


def test_a_bundle_says_what_each_port_leads_to() -> None:
    machine = Machine({"/dev/serial0": "", "/dev/companion-dice": ""}, links={"/dev/serial0": "/dev/ttyAMA10"})
    text = bundle(machine, PLAIN, [])
    assert "/dev/serial0 -> /dev/ttyAMA10" in text
    assert "/dev/companion-dice -> /dev/companion-dice" in text
