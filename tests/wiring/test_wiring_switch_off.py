"""The button that switches the Pi off, from the page of the kiosk to what systemd is asked."""

from __future__ import annotations

import http.client
from pathlib import Path

import pytest

from tests.e2e.daemon import Daemon, running


def _post(daemon: Daemon, body: str, host: str = "localhost") -> tuple[int, str]:
    line = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=30)
    form = {"Content-Type": "application/x-www-form-urlencoded", "Host": f"{host}:{daemon.port}"}
    line.request("POST", "/off", body, form)
    answer = line.getresponse()
    text = answer.read().decode()
    line.close()
    return answer.status, text


def test_the_kiosk_of_a_service_switches_the_pi_off_once_it_is_sure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = tmp_path / "asked"
    systemctl = tmp_path / "systemctl"
    systemctl.write_text(f'#!/bin/sh\ncase "$1" in poweroff) echo "$@" >> {asked};; esac\n')
    systemctl.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setenv("INVOCATION_ID", "1")
    with running(tmp_path / "pi") as daemon:
        assert b"Switch off" in daemon.ask("GET", "/")[1]
        assert _post(daemon, "sure=yes", "phone.localhost")[0] == 403
        assert _post(daemon, "")[0] == 303
        assert not asked.exists()
        assert "before you pull the plug" in _post(daemon, "sure=yes")[1]
    assert asked.read_text() == "poweroff --no-ask-password\n"


def test_a_laptop_has_no_such_button(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("INVOCATION_ID", raising=False)
    with running(tmp_path / "laptop") as daemon:
        assert b"Switch off" not in daemon.ask("GET", "/")[1]
        assert _post(daemon, "sure=yes")[0] == 409
