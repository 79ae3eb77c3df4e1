"""What dice have to say beside their throws stands on every page, for as long as it is so."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from companion.config import Config, DiceConfig
from drivers.dice import Event, Face, Status
from drivers.dice.virtual import VirtualTower
from tests.e2e.daemon import until
from tests.wiring.rig import in_worker, working


def test_a_tower_that_is_unplugged_is_said_until_it_is_back(tmp_path: Path) -> None:
    tower = VirtualTower(tmp_path / "usb-tower")
    tower.start()
    told: list[bool] = []
    config = Config(dice=[DiceConfig("Oak", port=f"{tmp_path}/usb-tower"), DiceConfig("never", port="/dev/none")])
    with working(tmp_path / "data", config) as machine:
        machine.parts.news.append(lambda: told.append(True))
        until(lambda: machine.dice_states()[0]["state"] == "ready", what="the tower")
        assert machine.notices() == []  # nor is what was never there worth a line on every page
        tower.unplug()
        until(lambda: [n for n in machine.notices() if "Oak" in n and "unplugged" in n], what="the words")
        in_worker(machine, machine.tend)
        assert told
        tower.replug()
        until(lambda: machine.notices() == [], what="the tower to be back")
    tower.stop()


def test_dice_in_trouble_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with working(tmp_path / "data", Config(dice=[DiceConfig("pins", "gpio", pins={"face_1": 5})])) as machine:
        monkeypatch.setattr(
            machine.sources["pins"], "status", lambda: Status("trouble", "Pin 5 (face 1) is held down: it is stuck.")
        )
        assert machine.notices() == ["pins: Pin 5 (face 1) is held down: it is stuck."]


def test_a_dial_has_its_face_on_the_pages_at_once_and_until_it_is_pushed(tmp_path: Path) -> None:
    def says(kind: str, text: str) -> None:
        machine._heard(Event(kind, "dial", (Face("", 4),), None, time.monotonic(), "", text))  # type: ignore[arg-type]

    renewed = threading.Semaphore(0)
    config = Config(dice=[DiceConfig("dial", "gpio", pins={"dial_a": 5, "dial_b": 6}), DiceConfig("Oak")])
    with working(tmp_path / "data", config) as machine:
        machine.parts.news.append(renewed.release)
        for face in range(1, 5):
            says("moving", f"The dial shows {face}; push it to enter.")
        assert renewed.acquire(timeout=20)
        assert machine.notices() == ["The dial shows 4; push it to enter."]
        says("throw", "Typed on the buttons: 4.")
        assert machine.notices() == []
        assert renewed.acquire(timeout=20)
        assert not renewed.acquire(timeout=0.5)  # four clicks were one news
        machine._heard(Event("moving", "Oak", (), None, time.monotonic(), "", "Something moves in the tower."))
        assert machine.notices() == []
        says("moving", "The dial shows 5; push it to enter.")
        machine._said["dial"] = machine._said["dial"][0], time.monotonic() - 60
        assert machine.notices() == []
