"""Real-time status of ESC/POS printers: DLE EOT n, one byte asked for, one byte back.

The layout is that of Epson's command reference (0xx1xx10), which clones follow as far as they answer.
"""

from __future__ import annotations

from drivers.printers import Paper, Status

_FIXED_MASK, _FIXED = 0b1001_0011, 0b0001_0010
_OFF_LINE = 0x08  # n = 1
_COVER_OPEN, _PAPER_STOP, _ERROR = 0x04, 0x20, 0x40  # n = 2
_NEAR_END, _NOT_PRESENT = 0x0C, 0x60  # n = 4, either bit of a pair


def request(n: int) -> bytes:
    return bytes((0x10, 0x04, n))


def is_reply(byte: int) -> bool:
    """Whether a byte can be an answer: flow control and unasked status do not have its fixed bits."""
    return byte & _FIXED_MASK == _FIXED


def status_of(printer: int | None, offline: int | None, paper: int | None) -> Status:
    """The status from the answers to n = 1, 2 and 4, None for one that never came."""
    online = None if printer is None else not printer & _OFF_LINE
    cover = None if offline is None else bool(offline & _COVER_OPEN)
    roll = _paper(offline, paper)
    return Status(online, roll, cover, _words(online, roll, cover, bool(offline and offline & _ERROR)))


def _paper(offline: int | None, paper: int | None) -> Paper:
    if (paper or 0) & _NOT_PRESENT or (offline or 0) & _PAPER_STOP:
        return "out"
    if paper is None:
        return "unknown"
    return "low" if paper & _NEAR_END else "ok"


def _words(online: bool | None, paper: Paper, cover: bool | None, error: bool) -> str:
    if cover:
        return "cover open: close it"
    if paper == "out":
        return "no paper: put in a new roll"
    if error:
        return "error: look at the cutter, then switch the printer off and on"
    if online is False:
        return "off line: press its FEED or ON LINE button"
    if paper == "low":
        return "paper low"
    return "ready" if online or paper == "ok" else "unknown: the printer does not answer"
