"""A printer on a serial line or a USB adapter for one."""

from __future__ import annotations

import errno
import termios

import serial

from drivers.printers.line import Line


class SerialPrinter(Line):
    """`/dev/serial/by-id/...` at a baud rate; pyserial sets the line up, `Line` gives it deadlines."""

    chunk = 256

    def __init__(
        self,
        port: str,
        baud: int = 19200,
        *,
        name: str = "",
        rtscts: bool = False,
        xonxoff: bool = False,
    ) -> None:
        super().__init__(name or port, bytes_per_second=max(1, baud // 10))
        self.port, self.baud, self.rtscts, self.xonxoff = port, baud, rtscts, xonxoff
        self._serial: serial.Serial | None = None

    def _open(self) -> int:
        try:
            self._serial = serial.Serial(
                self.port,
                self.baud,
                timeout=0,
                write_timeout=0,
                rtscts=self.rtscts,
                xonxoff=self.xonxoff,
                exclusive=True,
            )
        except serial.SerialException as error:
            code = error.errno or _code_in(error)
            raise OSError(code, str(error)) from error
        return int(self._serial.fileno())

    def _release(self, clean: bool) -> None:
        line, self._serial = self._serial, None
        if line is None:
            return
        try:
            if not clean or self._waiting_bytes():  # closing would wait thirty seconds for them
                termios.tcflush(line.fileno(), termios.TCOFLUSH)
        except termios.error:
            pass
        finally:
            line.close()

    def _place(self) -> str:
        return self.port


def _code_in(error: serial.SerialException) -> int:
    """pyserial hides the failed lock of an exclusive open in its text."""
    return errno.EBUSY if "lock" in str(error).lower() else errno.ENODEV
