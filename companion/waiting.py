"""While the data folder cannot be used at the start: the kiosk shows why, and the daemon goes on by itself."""

from __future__ import annotations

import contextlib
import html
import select
import socket
import sys
import time
from collections.abc import Callable
from typing import TypeVar

from companion.game.errors import StorageFailed
from companion.pulse import tell_systemd

T = TypeVar("T")

TRY_EVERY = 3.0
_PAGE = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="3"><title>Companion'
    '</title><body style="font:1.5em sans-serif;margin:2em"><h1>Companion waits</h1><p>{}</p><p>It goes on by itself.'
)


def until_ready(make: Callable[[], T], listen: Callable[[], socket.socket]) -> T:
    """Make it, as soon as the storage takes it; meanwhile the sentence is served on the port that `listen` opens."""
    try:
        return make()
    except StorageFailed as error:
        said = str(error)
    print(said, file=sys.stderr, flush=True)
    tell_systemd("READY=1\nSTATUS=waiting for the storage")
    with listen() as door:
        door.listen(16)
        while True:
            _answer_for(TRY_EVERY, door, said)
            try:
                return make()
            except StorageFailed as error:
                said = str(error)


def _answer_for(seconds: float, door: socket.socket, sentence: str) -> None:
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        tell_systemd("WATCHDOG=1")
        if select.select([door], [], [], left)[0]:
            with contextlib.suppress(OSError):
                _answer(door.accept()[0], sentence)


def _answer(line: socket.socket, sentence: str) -> None:
    """Whatever was asked: 503, so that no page and no program takes it for an answer."""
    body = _PAGE.format(html.escape(sentence)).encode()
    head = f"HTTP/1.1 503 Waiting\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
    with line:
        line.settimeout(0.5)
        line.recv(8192)
        line.sendall(f"{head}Retry-After: 3\r\nConnection: close\r\n\r\n".encode() + body)
