"""The machine itself, for its host: what is wrong with it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from companion.web.api import Api
from companion.web.screens import Row, Screens

FRESH = 20.0
"""Seconds for which what the doctor has found is shown again without another look."""

HOSTS = "Only the kiosk or the host looks after the machine."


class MachinePages(Screens):
    """Only where the host stands: these pages tell of files, ports and networks."""

    def __init__(self, api: Api) -> None:
        super().__init__(api)
        self._found: Sequence[Mapping[str, Any]] = ()
        self._until = 0.0
        self._looking = asyncio.Lock()

    def rows(self) -> list[Row]:
        return [("/doctor", self.doctor, "GET")]

    async def findings(self) -> Sequence[Mapping[str, Any]]:
        """What the doctor says: it takes seconds, so in a thread of its own, one at a time."""
        async with self._looking:
            if time.monotonic() >= self._until:
                self._found = await asyncio.to_thread(self.parts.doctor)
                self._until = time.monotonic() + FRESH
            return self._found

    async def doctor(self, request: Request) -> Response:
        """Each finding with its cause and what to do, trouble first."""
        who = self.host_only(request, None, HOSTS)
        return self.render(request, "doctor.html", who=who, findings=await self.findings())
