"""The rehearsal: a virtual tower and printer in place of real ones, and every fault of theirs a switch."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from companion.config import Config, DiceConfig, PrinterConfig
from companion.rehearsal import PRINTER, TOWER, Rehearsal
from companion.umpire import UsageError
from drivers import BadSetting, DriverError
from drivers.dice import virtual as tower
from tests.e2e.daemon import until
from tests.wiring.rig import burst, working


@pytest.fixture
def rehearsal() -> Iterator[Rehearsal]:
    made = Rehearsal()
    yield made
    made.close()


def test_the_settings_keep_all_but_dice_and_printers(rehearsal: Rehearsal) -> None:
    mine = Config(
        port=8123, wifi_name="Club", dice=[DiceConfig("Oak")], printers=[PrinterConfig("till", "usb:")], hold=0.3
    )
    config = rehearsal.adapt(mine)
    assert (config.port, config.wifi_name, config.hold) == (8123, "Club", 0.3)
    assert [die.name for die in config.dice] == [TOWER]
    assert [printer.name for printer in config.printers] == [PRINTER]


@pytest.mark.parametrize(
    ("faults", "error", "words"),
    [
        ("noise", UsageError, "'noise' is no fault; write tower.NAME or printer.NAME"),
        ("tower.noise,fog", UsageError, "'fog' is no fault"),
        ("tower.fog", BadSetting, "has no fault 'fog'"),
        ("printer.fog=1", DriverError, "fog"),
    ],
)
def test_a_fault_that_is_not_known_is_said_before_anything_is_begun(
    faults: str, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        Rehearsal(faults).close()


def test_a_wrong_list_changes_no_switch(rehearsal: Rehearsal) -> None:
    rehearsal.switch("tower.moving,printer.paper=low")
    for wrong in ("tower.noise,fog", "tower.noise,printer.fog=1"):
        with pytest.raises((UsageError, DriverError)):
            rehearsal.switch(wrong)
    assert rehearsal.tower.faults == {"moving"}
    assert rehearsal.printer.faults.paper == "low"
    rehearsal.switch("")
    assert rehearsal.tower.faults == set()
    assert rehearsal.printer.faults.paper == "ok"


def test_as_many_dice_fall_as_are_asked_for(rehearsal: Rehearsal) -> None:
    for asked, dice in ((0, 1), (1, 1), (2, 2), (5, 2)):
        rehearsal.throw(asked=asked)
        assert rehearsal.tower._program._waiting[-1].line.count("=d6:") == dice
    rehearsal.throw({"r": 5})
    assert "r=d6:5" in rehearsal.tower._program._waiting[-1].line


def test_nothing_is_left_of_it(rehearsal: Rehearsal) -> None:
    port, folder = rehearsal.offer.port, rehearsal._link.parent
    rehearsal.close()
    assert not folder.exists()
    with pytest.raises(OSError), socket.create_connection(("127.0.0.1", port), 1):
        pass


@pytest.mark.parametrize("fault", tower.FAULTS)
def test_each_fault_of_the_tower_is_survived_or_said(tmp_path: object, fault: str) -> None:
    made = Rehearsal(f"tower.{fault}")
    try:
        with working(tmp_path / "data", made.adapt(Config(hold=0))) as machine:  # type: ignore[operator]
            table = burst(machine)
            if fault == "stuck":
                until(lambda: "does not answer" in machine.dice_states()[0]["text"], what="the words")
                made.switch("")
            until(lambda: made.tower.is_armed, what="the lamp")
            made.throw({"w": 1})
            if fault == "cocked":
                until(lambda: table.asides, what="the words")
                assert "Throw it again" in table.asides[-1]["text"]
                made.switch("")
                made.throw({"w": 1})
            until(lambda: table.asks == (), what="the miss")
            assert table.records[-1].answers["first/targeting"] == {"white": "1"}
            assert table.records[-1].sources["first/targeting"] == {"white": TOWER}
    finally:
        made.close()


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("paper=out", "no paper"), ("off", "off"), ("cover_open", "cover"), ("paper=low", ""), ("slow=2000", ""),
        ("silent", ""), ("without_qr", ""), ("forgets_page", ""),
    ],
)  # fmt: skip
def test_each_fault_of_the_printer_is_said_and_the_slip_comes_once_it_is_over(
    tmp_path: object, fault: str, words: str
) -> None:
    made = Rehearsal(f"printer.{fault}")
    try:
        with working(tmp_path / "data", made.adapt(Config(hold=0))) as machine:  # type: ignore[operator]
            table = burst(machine)
            until(lambda: made.tower.is_armed, what="the lamp")
            made.throw({"w": 1})
            until(lambda: table.asks == (), what="the miss")
            if words:
                until(lambda: words in machine.printing.states()[0]["text"].lower(), what=words)
                assert machine.printing.jobs()[0]["state"] == "queued"
                made.switch("")
            until(lambda: machine.printing.jobs()[0]["state"] == "printed", what="the slip")
            assert len(made.printer.slips) == 1
    finally:
        made.close()
