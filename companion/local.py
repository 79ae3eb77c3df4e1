"""Commands to the daemon that owns the data folder: a socket in the folder, one JSON line there and one back.

What is followed, as the dice are, has many lines back, until one side hangs up.

Whoever may open the socket may do everything, so only the folder's owner can (mode 0600).
"""

from __future__ import annotations

import asyncio
import os
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from companion.game.errors import CompanionError
from companion.game.statuses import USAGE, status_of

NAME = "companion.sock"
LONGEST = 64 * 1024 * 1024
"""Bytes of a line: a whole table may be taken in."""

WAIT = 10.0
"""Seconds that the daemon gives a caller to say what it wants."""

ANSWER_WITHIN = 120.0

Handler = Callable[[str, Mapping[str, Any]], Awaitable[Any]]
Streams = Mapping[str, Callable[[Mapping[str, Any]], AsyncIterator[Any]]]
"""What can be followed: each gives what there is to say, and None now and then where there is nothing."""


class NotRunning(CompanionError, ConnectionError):
    """No daemon owns the folder."""


class Refused(CompanionError, RuntimeError):
    """What the daemon said to a command; `status` is the exit status that belongs to it."""

    def __init__(self, sentence: str, status: int) -> None:
        self.status = status
        super().__init__(sentence)


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    do: str
    args: dict[str, Any] = {}


@contextmanager
def _short(folder: Path) -> Iterator[str]:
    """The socket's path by an open folder: a path of a socket may have 107 bytes, that of a folder any number."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{handle}/{NAME}"
    finally:
        os.close(handle)


@contextmanager
def _said_to(folder: Path, do: str, args: Mapping[str, Any]) -> Iterator[socket.socket]:
    """The line on which the daemon answers; raises NotRunning."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        try:
            with _short(folder) as path:
                line.connect(path)
        except OSError:
            raise NotRunning(f"No Companion is running in {folder}.") from None
        try:
            line.settimeout(ANSWER_WITHIN)
            line.sendall(msgspec.json.encode({"do": do, "args": args}) + b"\n")
            yield line
        except (OSError, msgspec.MsgspecError):
            raise Refused(f"The Companion that runs in {folder} did not answer; try again.", USAGE) from None


def ask(folder: Path, do: str, args: Mapping[str, Any]) -> Any:
    """Have the daemon do it; raises NotRunning where there is none, Refused where it did not do it."""
    with _said_to(folder, do, args) as line, line.makefile("rb") as file:
        return _done(file.readline(LONGEST + 1))


def follow(folder: Path, do: str, args: Mapping[str, Any], seconds: float | None = None) -> Iterator[Any]:
    """What the daemon says, as it says it, until the time is up or it ends; raises as `ask` does."""
    until = None if seconds is None else time.monotonic() + seconds
    with _said_to(folder, do, args) as line, line.makefile("rb") as file:
        while raw := file.readline(LONGEST + 1):
            said = _done(raw)
            if until is not None and time.monotonic() >= until:
                return
            if said is not None:
                yield said


def _done(raw: bytes) -> Any:
    said = msgspec.json.decode(raw)
    if "error" in said:
        raise Refused(said["error"], said["status"])
    return said["done"]


async def serve(folder: Path, handle: Handler, streams: Streams | None = None) -> asyncio.Server:
    """Take commands; call only while the folder is owned, since what a dead daemon left there is removed."""
    door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    os.fchmod(door.fileno(), 0o600)  # before it has a name, so that it is never open to others
    with suppress(FileNotFoundError):
        (folder / NAME).unlink()
    with _short(folder) as path:
        door.bind(path)

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.TimeoutError):
            raw = await asyncio.wait_for(reader.readline(), WAIT)
            async for said in _answers(raw, handle, streams or {}):
                writer.write(msgspec.json.encode(said) + b"\n")
                await asyncio.wait_for(writer.drain(), WAIT)
        writer.close()

    return await asyncio.start_unix_server(talk, sock=door, limit=LONGEST)


async def _answers(raw: bytes, handle: Handler, streams: Streams) -> AsyncIterator[dict[str, Any]]:
    try:
        command = msgspec.json.decode(raw, type=Command)
        if command.do not in streams:
            yield {"done": await handle(command.do, command.args)}
            return
        async for said in streams[command.do](command.args):
            yield {"done": said}
    except msgspec.MsgspecError:
        yield {"error": "This is no command of Companion.", "status": USAGE}
    except Exception as error:
        status = status_of(error)
        said = f"A fault of Companion itself: {type(error).__name__}: {error}." if status is None else str(error)
        yield {"error": said, "status": 1 if status is None else status}


def leave(folder: Path) -> None:
    """Take the socket away at the end."""
    with suppress(OSError):
        (folder / NAME).unlink()
