"""The daemon: one process, one port, one data folder."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
from pathlib import Path

from companion import local
from companion.config import Config
from companion.wiring import Machine

STOP_WITHIN = 5


def serve(config: Config, folder: Path, *, version: str, demo: bool = False, faults: str = "") -> None:
    """Run until it is told to stop. With `demo`: a rehearsal tower and printer, and a table if there is none."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # the server raises it again once it has shut down
    rehearsal = None
    if demo or faults:
        from companion.rehearsal import Rehearsal

        rehearsal = Rehearsal(faults)
        config = rehearsal.adapt(config)
    machine = Machine(config, folder, version=version)
    machine.parts.rehearsal = rehearsal
    try:
        if demo and not machine.tables.listed():
            machine.tables.new("aod")
        asyncio.run(_run(machine))
    finally:
        machine.close()
        if rehearsal is not None:
            rehearsal.close()


async def _run(machine: Machine) -> None:
    import uvicorn

    from companion.web.app import create_app

    config = machine.config
    app = create_app(machine.parts)
    listener = _listener(config)
    server = uvicorn.Server(
        uvicorn.Config(
            app, log_level="warning", access_log=False, lifespan="on", server_header=False, http="h11",
            proxy_headers=False,  # the application itself believes the trusted ones, and keeps their sub-path
            timeout_graceful_shutdown=STOP_WITHIN, loop="asyncio",
        )
    )  # fmt: skip
    machine.start(asyncio.get_running_loop())
    _greet(machine)
    beat = asyncio.create_task(_beat(machine))
    door = await local.serve(machine.folder, lambda do, args: machine.parts.run(machine.do, do, args))
    try:
        await server.serve(sockets=[listener])
    finally:
        door.close()
        local.leave(machine.folder)
        beat.cancel()
        tell_systemd("STOPPING=1")


def _listener(config: Config) -> socket.socket:
    """The port, taken before anything is said about it."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((config.host, config.port))
    except OSError as error:
        listener.close()
        raise PortTaken(
            f"Port {config.port} cannot be used ({error.strerror}); stop the other program or set another port."
        ) from None
    return listener


class PortTaken(OSError):
    """Why the pages cannot be served."""


def _greet(machine: Machine) -> None:
    base = machine.base_url() or "no address for phones yet"
    print(f"Companion: http://localhost:{machine.config.port}   phones: {base}", file=sys.stderr, flush=True)
    for notice in machine.tables.journal.notices:
        print(notice, file=sys.stderr, flush=True)
    tell_systemd("READY=1")


async def _beat(machine: Machine) -> None:
    """The watchdog is fed only while the loop, the store and the print queue all answer."""
    every = int(os.environ.get("WATCHDOG_USEC", "0")) / 1_000_000 / 3
    seen = -1
    while every:
        await asyncio.sleep(every)
        with contextlib.suppress(Exception):
            await asyncio.wait_for(machine.parts.run(machine.tables.listed), every)
            tick = machine.printing.spool.tick if machine.printing.spool and machine.config.printers else seen + 1
            if tick != seen:
                tell_systemd("WATCHDOG=1")
            seen = tick


def tell_systemd(message: str) -> None:
    """`sd_notify` without a library; nothing where systemd did not start this process."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    path = "\0" + address[1:] if address.startswith("@") else address
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        notify.sendto(message.encode(), path)
