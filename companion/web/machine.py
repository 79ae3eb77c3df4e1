"""The machine itself, for its host: what is wrong with it, and what to do before the first evening."""

from __future__ import annotations

import asyncio
import shlex
import time
from collections.abc import Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from companion import dice, lan
from companion.config import Config, DiceConfig
from companion.game.errors import UsageError
from companion.papers import CALIBRATION
from companion.web.api import Api
from companion.web.screens import Row, Screens, form_of, to, whole

FRESH = 20.0
"""Seconds for which what the doctor has found is shown again without another look."""

NO_CLOCK = "T15"
"""The doctor's name for a Pi that does not know the time."""

KNOWN_FORMATS = ("reference", "cd1")
"""Towers that write these have nothing to be taught."""

HOSTS = "Only the kiosk or the host looks after the machine."


class MachinePages(Screens):
    """Only where the host stands: these pages tell of files, ports and networks."""

    def __init__(self, api: Api) -> None:
        super().__init__(api)
        self._found: Sequence[Mapping[str, Any]] = ()
        self._until = 0.0
        self._looking, self._counting = asyncio.Lock(), asyncio.Lock()
        self._tallies: dict[str, tuple[int, list[Any]]] = {}

    def rows(self) -> list[Row]:
        return [
            ("/doctor", self.doctor, "GET"),
            ("/first", self.first, "GET"),
            ("/first", self.calibrate, "POST"),
            ("/first/job", self.job, "POST"),
            ("/fairness", self.fairness, "GET"),
        ]

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

    async def fairness(self, request: Request) -> Response:
        """Whether the dice are fair, for everybody who throws them."""
        async with self._counting:
            tallies = await dice.tallied(self.parts, self._tallies)
        rows = [
            {**row, "who": dice.named(row), "said": dice.verdict(row), "faces": row["counts"].items()}
            for row in await asyncio.to_thread(lambda: list(dice.judged(tallies)))
        ]
        return self.render(request, "fairness.html", who=self.api.who(request, None), rows=rows)

    async def first(self, request: Request) -> Response:
        """Printers, dice, Wi-Fi and clock before the first evening, with the worst that the doctor says."""
        who = self.host_only(request, None, HOSTS)
        config, findings = self.parts.config, await self.findings()
        printers = await self.parts.run(self.parts.printing.states)
        jobs = await self.parts.run(self.parts.printing.jobs)
        found = await self.parts.run(self.parts.dice, "")
        return self.render(
            request, "first.html", who=who, printers=printers, dice=[{**d, "teach": _teach(config, d)} for d in found],
            held=[j for j in jobs if j["state"] == "held" and j.get("kind") == CALIBRATION],
            wifi=config.wifi_name, join=_join(config), base=self.parts.base_url(),
            worst=next((f for f in findings if f["trap"] != NO_CLOCK), None), more=len(findings) - 1,
            clock=next((f for f in findings if f["trap"] == NO_CLOCK), None), now=time.strftime("%d.%m.%Y %H:%M"),
        )  # fmt: skip

    async def calibrate(self, request: Request) -> Response:
        self.host_only(request, None, HOSTS)
        printer = (await form_of(request)).get("printer", "")
        await self.parts.run(self.parts.printing.paper, printer, CALIBRATION, {})
        return to("/first")

    async def job(self, request: Request) -> Response:
        """Whether a calibration slip that was cut off is on paper."""
        self.host_only(request, None, HOSTS)
        form = await form_of(request)
        if form.get("answer") not in ("yes", "no"):
            raise UsageError("Say yes or no.")
        await self.parts.run(self.parts.printing.settle, whole(form.get("job", "")), form["answer"])
        return to("/first")


def _teach(config: Config, state: Mapping[str, Any]) -> str:
    """The command that teaches this source, or '' where it has nothing to learn."""
    die = next((d for d in config.dice if d.name == state["name"]), None)
    return "" if die is None or die.kind != "serial" or die.format in KNOWN_FORMATS else _command(die)


def _command(die: DiceConfig) -> str:
    words = ["companion", "dice", "teach", die.port, "--name", die.name, "--baud", str(die.baud)]
    return shlex.join(words)


def _join(config: Config) -> str:
    """What the QR code holds that lets a phone join; '' while name or password are not set."""
    return lan.join_code(config.wifi_name, config.wifi_password) if config.wifi_name and config.wifi_password else ""
