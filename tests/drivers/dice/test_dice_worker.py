"""The thread that every source has."""

import threading

import pytest

from drivers.dice import DiceSource, Event
from drivers.dice.software import SoftwareDice
from tests.drivers.dice.rig import Heard, descriptors, wait_until


class Broken(SoftwareDice):
    def _run(self) -> None:
        raise ZeroDivisionError("a bug")


def test_a_fault_of_its_own_is_said_in_the_status_and_leaves_nothing() -> None:
    threads, files = threading.active_count(), descriptors()
    source: DiceSource = Broken("odd dice")
    source.start(Heard())
    wait_until(lambda: "fault of its own (a bug)" in source.status().text, "the status")
    assert source.status().state == "off"
    source.stop()
    assert threading.active_count() <= threads
    assert descriptors() <= files


def test_a_source_may_be_started_twice_and_again_after_stopping() -> None:
    source, heard = SoftwareDice(at_once=True), Heard()
    for count in (1, 2):
        source.start(heard)
        source.start(Heard())
        source.arm([("white", "d6")])
        heard.wait("throw", count)
        source.stop()


def test_the_sink_may_stop_the_source() -> None:
    source, ended = SoftwareDice(at_once=True), threading.Event()

    def sink(event: Event) -> None:
        source.stop()
        ended.set()

    threads = threading.active_count()
    source.start(sink)
    source.arm([("white", "d6")])
    assert ended.wait(5)
    wait_until(lambda: threading.active_count() <= threads, "the thread to end")


@pytest.mark.parametrize("arm", [(), [("white", "d6")]])
def test_what_is_asked_of_a_source_that_is_off_is_no_error(arm: list[tuple[str, str]]) -> None:
    source = SoftwareDice()
    source.arm(arm)
    source.throw()
    source.acknowledge(1)
    source.stop()
