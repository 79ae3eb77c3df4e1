from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.dice.virtual import VirtualTower
from tests.drivers.dice.rig import Cable


@pytest.fixture
def cable(tmp_path: Path) -> Iterator[Cable]:
    cable = Cable(tmp_path / "usb-Acme_Dice_Tower-if00")
    cable.plug()
    yield cable
    cable.unplug()


@pytest.fixture
def tower(tmp_path: Path) -> Iterator[VirtualTower]:
    tower = VirtualTower(tmp_path / "usb-Companion_Tower-if02")
    tower.start()
    yield tower
    tower.stop()
