"""The units as systemd reads them, and what a sandbox must leave open for dice, pins and printers."""

from __future__ import annotations

import configparser
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from companion import power
from tests.e2e.conftest import browser  # noqa: F401
from tests.e2e.daemon import free_port

SHIPPED = Path(__file__).parents[2] / "systemd"


@pytest.fixture
def rendered(tmp_path: Path) -> Path:
    """The units for an environment made here, with the programs that they start."""
    prefix = tmp_path / "opt"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(prefix)], check=True)
    (prefix / "share/companion").mkdir(parents=True)
    for name, text in (("bin/companion", "#!/bin/sh\n"), ("share/companion/kiosk", (SHIPPED / "kiosk").read_text())):
        (prefix / name).write_text(text)
        (prefix / name).chmod(0o755)
    render(tmp_path, "--prefix", str(prefix))
    return tmp_path


def render(to: Path, *args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SHIPPED / "render"), "--to", str(to), *args]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def read(unit: Path) -> dict[str, dict[str, list[str]]]:
    """Sections, keys, and each key's values in order: units may repeat a key."""
    found: dict[str, dict[str, list[str]]] = {}
    section: dict[str, list[str]] = {}
    for line in unit.read_text().splitlines():
        if line.startswith("["):
            section = found.setdefault(line.strip("[]"), {})
        elif "=" in line and not line.startswith("#"):
            key, value = line.split("=", 1)
            section.setdefault(key, []).append(value)
    return found


@pytest.mark.field(36)
def test_systemd_verifies_the_rendered_unit(rendered: Path) -> None:
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(rendered / "companion.service")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


def test_the_sandbox_exposes_at_most_two_and_a_half(rendered: Path) -> None:
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=25", str(rendered / "companion.service")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    level = re.search(r"Overall exposure level for companion.service: ([\d.]+)", done.stdout)
    assert level, done.stdout + done.stderr
    assert float(level[1]) <= 2.5
    assert done.returncode == 0


@pytest.mark.field(36)
def test_a_service_that_fails_again_and_again_is_never_given_up(rendered: Path) -> None:
    for name in ("companion.service", "companion-kiosk.service"):
        unit = read(rendered / name)
        assert unit["Unit"]["StartLimitIntervalSec"] == ["0"]
        assert unit["Service"]["Restart"] == ["always"]
        assert int(unit["Service"]["RestartSec"][0]) >= 5


@pytest.mark.field(36)
@pytest.mark.field(37)
def test_neither_network_nor_device_is_needed_to_start(rendered: Path) -> None:
    unit = read(rendered / "companion.service")["Unit"]
    assert unit["After"] == ["network.target"]
    assert not {"Requires", "BindsTo", "Requisite", "Wants", "ConditionPathExists"} & unit.keys()


@pytest.mark.field(37)
def test_the_sandbox_leaves_dice_pins_and_printers_open(rendered: Path) -> None:
    service = read(rendered / "companion.service")["Service"]
    assert service["DevicePolicy"] == ["closed"]
    assert "PrivateDevices" not in service
    assert {"char-gpiochip rw", "char-ttyACM rw", "char-ttyUSB rw", "char-usb rw"} <= set(service["DeviceAllow"])
    assert set(service["SupplementaryGroups"][0].split()) == {"dialout", "lp", "gpio", "plugdev"}
    families = service["RestrictAddressFamilies"][0].split()
    assert "AF_NETLINK" in families  # without it no interface has a name, and the QR code no address


def test_the_pin_library_finds_a_folder_to_write_in(rendered: Path) -> None:
    service = read(rendered / "companion.service")["Service"]
    assert service["RuntimeDirectory"] == ["companion"]
    assert service["WorkingDirectory"] == ["/run/companion"]
    assert service["Type"] == ["notify"]
    assert 0 < int(service["WatchdogSec"][0]) <= 60
    assert int(service["TimeoutStopSec"][0]) > 10  # ten seconds are the daemon's own


@pytest.mark.field(37)
def test_udev_gives_ports_and_printers_to_groups_of_the_service() -> None:
    rules = (SHIPPED / "72-companion.rules").read_text()
    groups = set(re.findall(r'GROUP="(\w+)"', rules))
    unit = read(SHIPPED / "companion.service")["Service"]["SupplementaryGroups"][0].split()
    assert groups == {"dialout", "lp", "gpio"} <= set(unit)
    assert set(re.findall(r'MODE="(\d+)"', rules)) == {"0660"}
    tty = next(line for line in rules.splitlines() if "ttyACM*|ttyUSB*" in line)
    assert 'ENV{ID_MM_DEVICE_IGNORE}="1"' in tty
    assert 'SYMLINK+="companion-dice"' in rules
    assert "0701" in rules  # the USB class of printers


def test_sysusers_puts_the_user_into_every_group_of_the_unit(tmp_path: Path) -> None:
    etc = tmp_path / "etc"
    etc.mkdir()
    (etc / "group").write_text("dialout:x:20:\nlp:x:7:\nvideo:x:44:\nrender:x:106:\ninput:x:107:\n")
    (etc / "passwd").write_text("root:x:0:0::/root:/bin/sh\n")
    subprocess.run(["systemd-sysusers", f"--root={tmp_path}", str(SHIPPED / "companion.sysusers")], check=True)
    members = {line.split(":")[0]: line.split(":")[3].split(",") for line in (etc / "group").read_text().splitlines()}
    for group in ("dialout", "lp", "gpio", "plugdev"):
        assert "companion" in members[group]


def test_the_kiosk_starts_clean_and_without_questions(tmp_path: Path) -> None:
    """Run with a browser of our own that tells what it was given, over a profile left by a power cut."""
    chromium = tmp_path / "chromium"
    chromium.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    chromium.chmod(0o755)
    profile = tmp_path / "profile"
    (profile / "Default").mkdir(parents=True)
    (profile / "Default/Preferences").write_text('{"profile": {"exit_type": "Crashed"}}')
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin", "KIOSK_PROFILE": str(profile), "KIOSK_URL": "http://localhost:9/"}
    done = subprocess.run([str(SHIPPED / "kiosk")], env=env, capture_output=True, text=True, check=True)
    given = done.stdout.splitlines()
    assert not profile.exists()
    for flag in ("--kiosk", "--ozone-platform=wayland", "--no-memcheck", "--password-store=basic", "--noerrdialogs",
                 "--disable-session-crashed-bubble", f"--user-data-dir={profile}"):  # fmt: skip
        assert flag in given
    assert given[-1] == f"file://{SHIPPED}/wait.html#http://localhost:9/"


def test_the_hotspot_has_one_address_and_a_secret_that_only_root_reads(tmp_path: Path) -> None:
    assert render(tmp_path, "--hotspot", "Club", "--password", "spitfires").returncode == 0
    profile = tmp_path / "companion-hotspot.nmconnection"
    assert stat.S_IMODE(profile.stat().st_mode) == 0o600
    found = configparser.ConfigParser()
    found.read(profile)
    assert found["ipv4"]["address1"] == "10.42.0.1/24"
    assert (found["wifi"]["ssid"], found["wifi-security"]["psk"]) == ("Club", "spitfires")


@pytest.mark.parametrize(
    ("name", "password"), [("Club", "short"), ("Club\nx=1", "long enough"), ("x" * 33, "12345678")]
)
def test_a_hotspot_that_no_phone_could_join_is_refused(tmp_path: Path, name: str, password: str) -> None:
    done = render(tmp_path, "--hotspot", name, "--password", password)
    assert done.returncode == 2
    assert "choose another" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_sample_settings_are_right() -> None:
    from companion.config import load

    assert load(SHIPPED / "companion.toml").port == 8080


@pytest.mark.field(33)
def test_the_kiosk_waits_for_the_daemon_by_itself(browser: Browser, tmp_path: Path) -> None:  # noqa: F811
    port = free_port()
    page = browser.new_page()
    page.goto(f"file://{SHIPPED}/wait.html#http://localhost:{port}/")
    assert page.get_by_text("Companion starts").is_visible()
    page.wait_for_timeout(1500)  # it has looked more than once and found nobody
    (tmp_path / "index.html").write_text("<h1>The table</h1>")
    command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory", str(tmp_path)]
    server = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        page.get_by_role("heading", name="The table").wait_for(timeout=15_000)
    finally:
        server.kill()
        server.wait()
        page.close()


@pytest.mark.parametrize(
    ("user", "action", "answer"),
    [
        ("companion", "org.freedesktop.login1.power-off", "yes"),
        ("companion", "org.freedesktop.login1.power-off-multiple-sessions", "yes"),
        ("companion", "org.freedesktop.login1.reboot", "not handled"),
        ("companion", "org.freedesktop.login1.power-off-ignore-inhibit", "not handled"),
        ("companion", "org.freedesktop.timedate1.set-time", "yes"),
        ("companion", "org.freedesktop.timedate1.set-ntp", "yes"),
        ("companion", "org.freedesktop.timedate1.set-timezone", "not handled"),
        ("companion", "org.freedesktop.NetworkManager.network-control", "yes"),
        ("companion", "org.freedesktop.NetworkManager.settings.modify.system", "not handled"),
        ("pi", "org.freedesktop.login1.power-off", "not handled"),
    ],
)
def test_the_polkit_rule_lets_our_user_switch_off_and_nothing_else(
    browser: Browser,  # noqa: F811
    user: str,
    action: str,
    answer: str,
) -> None:
    """polkit's rules are JavaScript, so they are run."""
    rule = (SHIPPED / "50-companion-power.rules").read_text()
    page = browser.new_page()
    said = page.evaluate(
        """([rule, action, user]) => {
            const rules = [];
            const polkit = {Result: {YES: "yes", NOT_HANDLED: "not handled"}, addRule: (f) => rules.push(f)};
            new Function("polkit", rule)(polkit);
            return rules[0]({id: action}, {user: user});
        }""",
        [rule, action, user],
    )
    page.close()
    assert said == answer


def test_switching_off_asks_systemd_and_says_why_it_may_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    systemctl = tmp_path / "systemctl"
    systemctl.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/asked\n')
    systemctl.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setenv("INVOCATION_ID", "1")
    hook = power.switch_off_hook()
    assert hook is not None
    assert "before you pull the plug" in hook()
    assert (tmp_path / "asked").read_text().split() == ["poweroff", "--no-ask-password"]
    systemctl.write_text("#!/bin/sh\necho 'Access denied' >&2\nexit 1\n")
    with pytest.raises(power.NotSwitchedOff, match=r"Access denied.*polkit rule"):
        hook()
    monkeypatch.delenv("INVOCATION_ID")
    assert power.switch_off_hook() is None  # a laptop is not ours to switch off
