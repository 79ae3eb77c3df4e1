"""The phone's time and the Pi's own Wi-Fi, by what a sandboxed service may do and what it does where it may not."""

from __future__ import annotations

import stat
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion import hotspot
from companion.clock import Wall
from companion.game.errors import UsageError

PHONE = 1_760_000_000.0


class Pi:
    """A Pi whose clock stands where it stood at the last shutdown."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.wrong, self.up = folder, 1_700_000_100.0, 50.0
        self.boot, self.synced = folder / "boot_id", folder / "synchronized"
        self.boot.write_text("first\n")
        self.asked: list[Sequence[str]] = []
        self.refusal = "Interactive authentication required"

    def run(self, command: Sequence[str]) -> str:
        self.asked.append(command)
        if command[1] == "set-time" and not self.refusal:
            self.wrong = float(command[2].removeprefix("@"))
        return self.refusal

    def wall(self) -> Wall:
        return Wall(
            self.folder, system=lambda: self.wrong, steady=lambda: self.up, run=self.run, pause=lambda _: None,
            boot=self.boot, synced=self.synced,
        )  # fmt: skip


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path)


def test_a_service_that_may_sets_the_clock_of_the_pi(pi: Pi) -> None:
    pi.refusal = ""
    wall = pi.wall()
    assert wall.set(PHONE) == "The clock of the Pi is set."
    assert wall.now() == pi.wrong == PHONE
    assert [command[1] for command in pi.asked] == ["set-ntp", "set-time", "set-ntp"]
    assert not (pi.folder / "clock.json").exists()


def test_the_program_that_asks_the_network_is_given_a_moment_to_stop(pi: Pi) -> None:
    busy = ["Automatic time synchronization is enabled", "Automatic time synchronization is enabled", ""]
    pi.run = lambda command: busy.pop(0) if command[1] == "set-time" else ""  # type: ignore[method-assign]
    assert pi.wall().set(PHONE) == "The clock of the Pi is set."
    assert busy == []


def test_one_that_may_not_goes_by_the_phone_until_the_next_restart(pi: Pi) -> None:
    wall = pi.wall()
    said = wall.set(PHONE)
    assert "may not be set from here (Interactive authentication required)" in said
    assert "until the Pi is restarted" in said
    pi.up += 3600
    pi.wrong += 86400  # whatever is done to the system's clock meanwhile
    assert wall.now() == PHONE + 3600
    assert pi.wall().now() == PHONE + 3600  # the service alone was started again
    pi.boot.write_text("second\n")
    assert pi.wall().now() == pi.wrong


def test_a_clock_that_the_network_sets_is_believed(pi: Pi) -> None:
    wall = pi.wall()
    wall.set(PHONE)
    pi.synced.touch()
    assert wall.now() == pi.wrong
    assert wall.is_set
    assert "set this Pi's clock already" in wall.set(PHONE + 1)


@pytest.mark.parametrize("odd", [0.0, -1.0, 1e12, float("nan")])
def test_a_phone_without_a_time_is_not_believed(pi: Pi, odd: float) -> None:
    with pytest.raises(UsageError, match="look at its own clock"):
        pi.wall().set(odd)
    assert pi.asked == []


@pytest.mark.parametrize("text", ["", "{}", '{"boot": "first"}', '{"boot": "first", "ahead": "x"}', "[1]"])
def test_what_was_remembered_wrongly_is_not_used(pi: Pi, text: str) -> None:
    (pi.folder / "clock.json").write_text(text)
    assert pi.wall().now() == pi.wrong


def programs(folder: Path, monkeypatch: pytest.MonkeyPatch, **scripts: str) -> None:
    """Stand-ins for programs of the system, alone on the path."""
    for name, script in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", str(folder))


def test_the_program_of_systemd_is_asked_and_its_reason_said(
    pi: Pi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wall() -> Wall:
        return Wall(tmp_path, boot=pi.boot, synced=pi.synced)

    monkeypatch.delenv("INVOCATION_ID", raising=False)
    assert "does not run as a service here" in wall().set(PHONE)
    monkeypatch.setenv("INVOCATION_ID", "x")
    programs(tmp_path, monkeypatch, timedatectl='echo "Failed to set time: Access denied." >&2; exit 1')
    assert "(Failed to set time: Access denied)" in wall().set(PHONE)
    programs(tmp_path, monkeypatch, timedatectl=f"echo $* >> {tmp_path}/asked")
    assert wall().set(PHONE) == "The clock of the Pi is set."
    assert (tmp_path / "asked").read_text().splitlines()[1] == f"set-time @{int(PHONE)} --no-ask-password"


def test_the_journal_is_dated_by_the_lent_time(tmp_path: Path) -> None:
    from companion.config import Config
    from companion.wiring import Machine

    machine = Machine(Config(), tmp_path / "data")
    try:
        machine.wall._synced = tmp_path / "never"
        machine.wall.set(PHONE)
        table = machine.tables.new("aod")
        entry = next(iter(machine.tables.journal.entries(table.key)))
        assert PHONE <= entry.wall < PHONE + 600
    finally:
        machine.close()


# --- the Pi's own Wi-Fi


@pytest.mark.parametrize(
    ("said", "state"),
    [
        ((0, "Club:wlan0\nlo:lo\n"), "none"), ((0, "companion-hotspot:\nClub:wlan0\n"), "off"),
        ((0, "companion-hotspot:wlan0\n"), "on"), ((127, "nmcli is not installed"), "none"),
    ],
)  # fmt: skip
def test_how_the_own_wifi_is(said: tuple[int, str], state: str) -> None:
    assert hotspot.state(lambda _command: said) == state


def test_switching_it_on_says_what_happens_or_why_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert hotspot.state() == "none"
    with pytest.raises(UsageError, match="nmcli is not installed"):
        hotspot.switch_on()
    programs(tmp_path, monkeypatch, nmcli='echo "Error: Not authorized to control networking." >&2; exit 4')
    with pytest.raises(UsageError, match=r"Not authorized to control networking.*polkit"):
        hotspot.switch_on()
    programs(tmp_path, monkeypatch, nmcli='echo "$*"')
    assert "is on" in hotspot.switch_on()
