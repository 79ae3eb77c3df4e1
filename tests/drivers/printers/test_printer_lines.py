"""The real drivers on the virtual printer: every byte once, and never a wait without an end."""

import errno
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from itertools import pairwise
from pathlib import Path

import pytest

from drivers import DriverError
from drivers.holders import holders
from drivers.printers import (
    PaperOut,
    Printer,
    PrinterBusy,
    PrinterCancelled,
    PrinterError,
    PrinterOff,
    PrinterRefused,
    PrinterStalled,
    StorageFull,
    UnknownPrinter,
    deadline_for,
    printer_from,
)
from drivers.printers.file import FilePrinter
from drivers.printers.offer import PtyOffer, TcpOffer
from drivers.printers.serial import SerialPrinter
from drivers.printers.usb import UsbPrinter
from drivers.printers.virtual import Faults, VirtualPrinter
from tests.spool.rig import until

LINES = ("tcp", "serial", "usb", "itself")
Connect = Callable[[VirtualPrinter], Printer]


@pytest.fixture
def connect(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Connect]:
    """Reach a virtual printer over the line that the test asks for."""
    with ExitStack() as offers:

        def reach(device: VirtualPrinter) -> Printer:
            if request.param == "tcp":
                return printer_from(offers.enter_context(TcpOffer(device)).description)
            if request.param == "itself":
                return device
            offers.enter_context(PtyOffer(device, tmp_path / "lp0"))
            kind = {"serial": f"serial:{tmp_path}/lp0@115200", "usb": f"usb:{tmp_path}/lp*"}
            return printer_from(kind[request.param])

        yield reach


every_line = pytest.mark.parametrize("connect", LINES, indirect=True)


@every_line
def test_bytes_arrive_once_and_in_order(connect: Connect) -> None:
    device = VirtualPrinter()
    printer = connect(device)
    told: list[int] = []
    data = "".join(f"line {n}\n" for n in range(2000)).encode()
    printer.open()
    printer.write(data, 20, told.append)
    printer.close()
    assert device.until(lambda: device.received == len(data))
    assert device.text.strip("\n") == data.decode().strip("\n")
    assert told == sorted(told)
    assert told[-1] == len(data)


@every_line
@pytest.mark.parametrize(
    ("faults", "paper", "cover", "online"),
    [
        ("", "ok", False, True),
        ("paper=low", "low", False, True),
        ("paper=out", "out", False, False),
        ("cover_open", "ok", True, False),
        ("silent", "unknown", None, None),
    ],
)
def test_status(connect: Connect, faults: str, paper: str, cover: bool | None, online: bool | None) -> None:
    printer = connect(VirtualPrinter(faults=Faults.parse(faults)))
    printer.open()
    status = printer.status(0.6 if faults == "silent" else 20)
    printer.close()
    assert (status.paper, status.cover_open, status.online) == (paper, cover, online)
    assert status.answered == (faults != "silent")


@every_line
def test_a_printer_that_takes_no_more_is_given_up_in_time(connect: Connect) -> None:
    printer = connect(VirtualPrinter(faults=Faults(stall_at=1024)))
    printer.open()
    began = time.monotonic()
    with pytest.raises(PrinterStalled) as caught:
        printer.write(bytes(200_000), 0.6)
    printer.close()
    assert 0.5 < time.monotonic() - began < 10
    assert 1024 <= caught.value.sent < 200_000


@every_line
def test_a_deadline_holds_though_bytes_trickle(connect: Connect) -> None:
    printer = connect(VirtualPrinter(faults=Faults(slow=2000)))
    printer.open()
    began = time.monotonic()
    with pytest.raises(PrinterStalled):
        printer.write(bytes(400_000), 1.0)
    printer.close()
    assert time.monotonic() - began < 10


def test_usb_without_paper_may_say_so_by_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with PtyOffer(VirtualPrinter(), tmp_path / "lp0"):
        printer = UsbPrinter(str(tmp_path / "lp0"))
        printer.open()
        error = printer._trouble(OSError(errno.ENOSPC, "No space left on device"), 7)
        printer.close()
    assert isinstance(error, PaperOut)
    assert error.sent == 7


def test_a_line_with_late_answers_is_closed_without_a_reset() -> None:
    """Bytes that nobody reads would turn the close into a reset, and the printer would lose what it holds."""
    device = VirtualPrinter(faults=Faults(slow=4000))
    with TcpOffer(device) as offer:
        printer = printer_from(offer.description)
        printer.open()
        printer.write(b"\x10\x04\x01" * 20 + b"x\n" * 2000, 20)
        printer.close()
        assert device.until(lambda: device.text.count("x") == 2000, 10)
        assert device.hang_ups == 0


@every_line
def test_cancel_unblocks_a_stalled_write_at_once(connect: Connect) -> None:
    printer = connect(VirtualPrinter(faults=Faults(stall_at=100)))
    ended: list[float] = []

    def work() -> None:
        with pytest.raises(PrinterCancelled):
            printer.write(bytes(200_000), 60)
        ended.append(time.monotonic())

    printer.open()
    worker = threading.Thread(target=work)
    worker.start()
    began = time.monotonic()
    printer.cancel()
    worker.join(30)
    printer.close()
    assert ended
    assert ended[0] - began < 5


@every_line
def test_progress_is_told_though_nothing_moves(connect: Connect) -> None:
    printer = connect(VirtualPrinter(faults=Faults(stall_at=0)))
    told: list[float] = []
    printer.open()
    with pytest.raises(PrinterStalled):
        printer.write(bytes(200_000), 1.5, lambda _: told.append(time.monotonic()))
    printer.close()
    gaps = [later - sooner for sooner, later in pairwise(told)]
    assert len(told) >= 2
    assert max(gaps) < 1


@every_line
def test_a_power_cut_in_the_middle_says_how_far_it_came(connect: Connect) -> None:
    device = VirtualPrinter(faults=Faults(reset_at=5000))
    printer = connect(device)
    printer.open()
    with pytest.raises(PrinterOff) as caught:
        printer.write(bytes(500_000), 20)
    printer.close()
    assert 0 < caught.value.sent < 500_000
    assert device.hang_ups == 1


def trouble_of(printer: Printer) -> str:
    """What it says when it is looked at; empty where all is well."""
    try:
        printer.open()
        printer.status(0.3)
    except PrinterOff as error:
        return str(error)
    finally:
        printer.close()
    return ""


@every_line
def test_a_printer_that_is_off_says_so_and_comes_back(connect: Connect) -> None:
    device = VirtualPrinter()
    printer = connect(device)
    device.set(off=True)
    assert until(lambda: "switch it on" in trouble_of(printer))
    device.set(off=False)
    assert until(lambda: trouble_of(printer) == "")
    printer.open()
    printer.write(b"back\n", 5)
    printer.close()
    assert device.until(lambda: "back" in device.text)


def test_no_descriptor_is_left_behind(tmp_path: Path) -> None:
    with TcpOffer(VirtualPrinter()) as offer:
        printer = printer_from(offer.description)
        counts = []
        for _ in range(20):
            printer.open()
            printer.write(b"x\n", 5)
            printer.close()
            counts.append(len(os.listdir("/proc/self/fd")))
    assert max(counts[3:]) - min(counts[3:]) <= 2


def test_the_name_of_a_usb_printer_may_change(tmp_path: Path) -> None:
    device = VirtualPrinter()
    printer = UsbPrinter(str(tmp_path / "lp*"))
    for node in ("lp0", "lp1"):
        offer = PtyOffer(device, tmp_path / node)
        printer.open()
        printer.write(node.encode() + b"\n", 5)
        printer.close()
        assert device.until(lambda node=node: node in device.text)
        offer.close()


def test_a_wrong_usb_node_names_the_one_that_is_there(tmp_path: Path) -> None:
    (tmp_path / "lp0").touch()
    with pytest.raises(PrinterOff, match=r"but .*lp0 is there"):
        UsbPrinter(str(tmp_path / "lp7")).open()


@pytest.mark.parametrize("kind", [SerialPrinter, UsbPrinter])
def test_a_second_user_is_refused(tmp_path: Path, kind: type[SerialPrinter] | type[UsbPrinter]) -> None:
    with PtyOffer(VirtualPrinter(), tmp_path / "lp0"):
        first, second = kind(str(tmp_path / "lp0")), kind(str(tmp_path / "lp0"))
        first.open()
        with pytest.raises(PrinterBusy, match="in use"):
            second.open()
        first.close()
        second.open()
        second.close()


def test_a_holder_is_named(tmp_path: Path) -> None:
    process = tmp_path / "4711"
    (process / "fd").mkdir(parents=True)
    (process / "comm").write_text("cupsd\n")
    (tmp_path / "lp0").touch()
    (process / "fd" / "5").symlink_to(tmp_path / "lp0")
    assert holders(str(tmp_path / "lp0"), tmp_path) == ["cupsd (PID 4711)"]


def test_a_port_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(0)
        queue = [socket.socket() for _ in range(4)]
        for waiting in queue:
            waiting.setblocking(False)
            waiting.connect_ex(deaf.getsockname())
        printer = printer_from(f"tcp://127.0.0.1:{deaf.getsockname()[1]}")
        printer.connect_s = 0.5  # type: ignore[attr-defined]
        began = time.monotonic()
        with pytest.raises(PrinterOff, match="check that the printer is on"):
            printer.open()
        assert time.monotonic() - began < 10
        for waiting in queue:
            waiting.close()


def test_a_printer_that_never_stops_talking_is_not_listened_to_for_ever() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def talk() -> None:
            caller, _ = server.accept()
            with caller, suppress(OSError):
                while True:
                    caller.sendall(bytes(4096))

        talker = threading.Thread(target=talk, daemon=True)
        talker.start()
        printer = printer_from(f"tcp://127.0.0.1:{server.getsockname()[1]}")
        printer.open()
        began = time.monotonic()
        assert not printer.status(0.6).answered
        printer.close()
        assert time.monotonic() - began < 10
        talker.join(30)
        assert not talker.is_alive()


def test_an_unknown_host_is_said_in_one_sentence() -> None:
    with pytest.raises(PrinterOff, match="no such host"):
        printer_from("tcp://printer.invalid:9100").open()


def test_files_are_numbered_and_never_overwritten(tmp_path: Path) -> None:
    for data in (b"one", b"two"):
        printer = printer_from(f"file:{tmp_path}/slips")
        printer.open()
        printer.write(data, 5)
        printer.close()
    assert [path.read_bytes() for path in sorted((tmp_path / "slips").iterdir())] == [b"one", b"two"]


def test_a_full_disk_is_called_so(tmp_path: Path) -> None:
    printer = FilePrinter(tmp_path)
    printer.open()
    (tmp_path / "full").symlink_to("/dev/full")
    printer._save = lambda data: (tmp_path / "full").write_bytes(data) and None  # type: ignore[method-assign]
    with pytest.raises(StorageFull, match="make room"):
        printer.write(b"x", 5)


WRONG = """
lp0
tcp://
tcp://h:99999999
serial:
serial:/dev/x@fast
serial:/dev/x@9600,dance
serial:/dev/x@1
serial:/dev/x@99999999999999999999
file:
virtual:
virtual:62
virtual:58,loud
virtual:58,paper=wet
virtual:58,slow=x
"""


@pytest.mark.parametrize("wrong", ["", *WRONG.split()])
def test_wrong_descriptions(wrong: str) -> None:
    with pytest.raises(UnknownPrinter):
        printer_from(wrong)


def test_descriptions() -> None:
    usb, serial = printer_from("usb:"), printer_from("serial:/dev/ttyUSB0@9600,rtscts", name="till")
    assert isinstance(usb, UsbPrinter)
    assert usb.node == "/dev/usb/lp*"
    assert isinstance(serial, SerialPrinter)
    assert (serial.baud, serial.rtscts, serial.name, serial.bytes_per_second) == (9600, True, "till", 960)
    virtual = printer_from("virtual:80,slow=960,paper=low,silent")
    assert isinstance(virtual, VirtualPrinter)
    assert virtual.paper.columns == 48
    assert virtual.faults == Faults(slow=960, paper="low", silent=True)


def test_every_leaf_is_a_driver_error_a_builtin_and_has_a_count() -> None:
    for leaf in PrinterError.__subclasses__():
        error = leaf("What to do.", 7)
        assert isinstance(error, DriverError | OSError)
        assert isinstance(error, OSError | ValueError)
        assert (str(error), error.sent) == ("What to do.", 7)
    assert issubclass(PrinterRefused, PermissionError)


def test_deadlines_grow_with_size_and_slowness() -> None:
    assert deadline_for(18_432, 960) > 18_432 / 960 * 2
    assert deadline_for(10, 960) < deadline_for(18_432, 11_520) < deadline_for(18_432, 960)
