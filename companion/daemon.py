"""The daemon: one process, one port, one data folder."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from companion import local
from companion.config import Config
from companion.power import switch_off_hook
from companion.pulse import Pulse, tell_systemd, watchdog_seconds
from companion.waiting import until_ready
from companion.wiring import Machine

log = logging.getLogger("companion")

STOP_WITHIN = 3
"""Seconds that open pages get at the end; dice and printers have theirs after it, ten in all."""

TEND_EVERY = 2.0

TURN = 0.001
"""Seconds that one thread may compute while another waits: a slip passes through three of them."""


def serve(
    config: Config,
    folder: Path,
    *,
    version: str,
    demo: bool = False,
    faults: str = "",
    notices: Sequence[str] = (),
    settings: Path | None = None,
) -> None:
    """Run until it is told to stop. With `demo`: a rehearsal tower and printer, and a table if there is none.

    `settings` is the file that `config` was read from.
    """
    sys.setswitchinterval(TURN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # the server raises it again once it has shut down
    rehearsal = None
    if demo or faults:
        from companion.rehearsal import Rehearsal

        rehearsal = Rehearsal(faults)
        config = rehearsal.adapt(config)
    try:
        machine = until_ready(lambda: _machine(config, folder, version, notices, demo), lambda: _listener(config))
        machine.parts.rehearsal, machine.parts.settings = rehearsal, settings
        machine.parts.switch_off = switch_off_hook()
        try:
            asyncio.run(_run(machine))
        finally:
            machine.close()
    finally:
        if rehearsal is not None:
            rehearsal.close()


def _machine(config: Config, folder: Path, version: str, notices: Sequence[str], demo: bool) -> Machine:
    machine = Machine(config, folder, version=version, notices=notices)
    try:
        if demo and not machine.tables.listed():
            machine.tables.new("aod")
    except BaseException:
        machine.close()
        raise
    return machine


async def _run(machine: Machine) -> None:
    import uvicorn

    from companion.web.app import create_app

    config = machine.config
    app = create_app(machine.parts)
    listener = _listener(config)
    server = uvicorn.Server(
        uvicorn.Config(
            app, log_level="warning", access_log=False, lifespan="on", server_header=False, http="h11", ws="none",
            proxy_headers=False,  # the application itself believes the trusted ones, and keeps their sub-path
            timeout_graceful_shutdown=STOP_WITHIN, loop="asyncio",
        )
    )  # fmt: skip
    machine.start(asyncio.get_running_loop())
    _greet(machine)
    works = (_ready(server), _beat(machine), _tend(machine), _let_go(server, app.state.hub.end))
    tasks = [asyncio.create_task(work) for work in works]
    streams = {"dice.watch": machine.watch}
    door = await local.serve(machine.folder, machine.obey, streams)
    try:
        await server.serve(sockets=[listener])
    finally:
        door.close()
        local.leave(machine.folder)
        for task in tasks:
            task.cancel()
        tell_systemd("STOPPING=1")


async def _ready(server: Any) -> None:
    """Say so once the port answers, so that the kiosk's first page is a page."""
    while not server.started:
        await asyncio.sleep(0.02)
    tell_systemd("READY=1\nSTATUS=")


async def _let_go(server: Any, end: Callable[[], None]) -> None:
    """Open pages are told to come back later: else each stop waits for them in vain."""
    while not server.should_exit:
        await asyncio.sleep(0.1)
    end()


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
    for notice in machine.notices():
        print(notice, file=sys.stderr, flush=True)


async def _beat(machine: Machine, pulse: Pulse | None = None) -> None:
    """The watchdog is fed only while the loop, the store and every print worker move."""
    every, pulse = watchdog_seconds() / 3, pulse or Pulse()
    while every:
        await asyncio.sleep(every)
        with contextlib.suppress(Exception):
            await asyncio.wait_for(machine.parts.run(machine.tables.listed), every)
            spool = machine.printing.spool
            if spool is None or pulse.beats(spool.ticks):
                tell_systemd("WATCHDOG=1")


async def _tend(machine: Machine) -> None:
    """What has to be seen to every few seconds; nothing that goes wrong there ends it."""
    while True:
        await asyncio.sleep(TEND_EVERY)
        try:
            await machine.parts.run(machine.tend)
        except Exception:
            log.exception("The machine could not be looked after; it is tried again")
