"""The machine itself, for its host: what is wrong with it, and what to do before the first evening."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import Response

from companion import dice, lan, papers
from companion.config import Config
from companion.first import BAUDS
from companion.game.errors import NotNow, UsageError
from companion.papers import CALIBRATION
from companion.web.api import Api
from companion.web.parts import Hosting
from companion.web.screens import Row, Screens, form_of, to, whole
from companion.web.words import SAYS

T = TypeVar("T")

FRESH = 20.0
"""Seconds for which what the doctor has found is shown again without another look."""

LONGEST = 300
"""Letters of a field; the lasting name of a port can be long."""

NO_CLOCK = "T15"
"""The doctor's name for a Pi that does not know the time."""

KNOWN_FORMATS = ("reference", "cd1")
"""Towers that write these have nothing to be taught."""

HOSTS = SAYS.only_host_machine


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
            ("/doctor/bundle.txt", self.bundle, "GET"),
            ("/first", self.first, "GET"),
            ("/first", self.calibrate, "POST"),
            ("/first/job", self.job, "POST"),
            ("/first/read", self.read_off, "POST"),
            ("/first/printer", self.use_printer, "POST"),
            ("/first/backs", self.backs, "POST"),
            ("/first/duplex.pdf", self.duplex, "GET"),
            ("/first/clock", self.clock, "POST"),
            ("/first/wifi", self.wifi, "POST"),
            ("/first/hotspot", self.hotspot, "POST"),
            ("/first/dice", self.teach, "GET"),
            ("/first/dice", self.begin_lesson, "POST"),
            ("/first/dice/face", self.lesson_face, "POST"),
            ("/first/dice/kind", self.lesson_kind, "POST"),
            ("/first/dice/end", self.end_lesson, "POST"),
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

    async def bundle(self, request: Request) -> Response:
        """The file for a helper, as `companion doctor --bundle` writes it."""
        self.host_only(request, None, HOSTS)
        text = await asyncio.to_thread(self.parts.bundle)
        headers = {"content-disposition": 'attachment; filename="companion-bundle.txt"'}
        return Response(text, media_type="text/plain; charset=utf-8", headers=headers)

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
        config, findings, host = self.parts.config, await self.findings(), self.host
        printers = await self.parts.run(lambda: [self._with_asks(p) for p in self.parts.printing.states()])
        jobs = await self.parts.run(self.parts.printing.jobs)
        found = await self.parts.run(self.parts.dice, "")
        return self.render(
            request, "first.html", who=who, printers=printers, dice=[{**d, "teach": _teach(config, d)} for d in found],
            held=[j for j in jobs if j["state"] == "held" and j.get("kind") == CALIBRATION],
            wifi=config.wifi_name, join=_join(config), base=self.parts.base_url(),
            millimetres=[n / 2 for n in range(-12, 13)], backs=(config.back_offset_mm[0], -config.back_offset_mm[1]),
            loose=await asyncio.to_thread(host.loose_printers),
            hotspot=await asyncio.to_thread(host.hotspot),
            worst=next((f for f in findings if f["trap"] != NO_CLOCK), None), more=len(findings) - 1,
            clock=next((f for f in findings if f["trap"] == NO_CLOCK), None), clock_is_set=host.wall.is_set,
            now=time.strftime("%d.%m.%Y %H:%M", time.localtime(host.wall.now())),
        )  # fmt: skip

    @property
    def host(self) -> Hosting:
        if self.parts.host is None:
            raise NotNow(SAYS.no_machine)
        return self.parts.host

    def _with_asks(self, state: Mapping[str, Any]) -> Mapping[str, Any]:
        """A printer that is off can say nothing of itself."""
        try:
            return {**state, "asks": self.host.slip_asks(state["name"])}
        except KeyError:
            return {**state, "asks": None}

    async def _touched(self, request: Request, do: Callable[..., T], *names: str) -> T:
        """Have it done with these fields of the form, beside the loop: ports and commands may take seconds."""
        self.host_only(request, None, HOSTS)
        form = await form_of(request)
        return await asyncio.to_thread(do, *(form.get(name, "")[:LONGEST] for name in names))

    async def read_off(self, request: Request) -> Response:
        await self._touched(request, self.host.read_off, "printer", "what", "value")
        return to("/first")

    async def use_printer(self, request: Request) -> Response:
        await self._touched(request, self.host.keep_printer, "address")
        return to("/first")

    async def backs(self, request: Request) -> Response:
        """Where the cross lies on the test page, in millimetres."""
        await self._touched(
            request, lambda r, d: self.host.keep_backs(_millimetres(r), _millimetres(d)), "right", "down"
        )
        return to("/first")

    async def duplex(self, request: Request) -> Response:
        self.host_only(request, None, HOSTS)
        sheet = request.query_params.get("paper", "")
        page = await asyncio.to_thread(papers.document, None, papers.DUPLEX, {})
        drawn = await self.parts.draw(papers.rendered, page, "pdf", sheet if sheet in ("a4", "letter") else "a4")
        return Response(drawn[0], media_type="application/pdf")

    async def wifi(self, request: Request) -> Response:
        await self._touched(request, self.host.keep_wifi, "name", "password")
        return to("/first")

    async def clock(self, request: Request) -> Response:
        """By the host's phone: its milliseconds."""
        text = await self._touched(request, lambda now: self.host.wall.set(_seconds(now)), "now")
        return self.render(request, "said.html", text=text, back="/first")

    async def hotspot(self, request: Request) -> Response:
        text = await self._touched(request, self.host.switch_hotspot_on)
        return self.render(request, "said.html", text=text, back="/first")

    async def teach(self, request: Request) -> Response:
        """The lesson that goes on, or where one could begin."""
        who = self.host_only(request, None, HOSTS)
        lesson = await asyncio.to_thread(self.host.lesson)
        ports = [] if lesson else await asyncio.to_thread(self.host.ports)
        return self.render(request, "teach.html", who=who, lesson=lesson, ports=ports, bauds=BAUDS)

    async def begin_lesson(self, request: Request) -> Response:
        await self._touched(request, lambda p, n, b: self.host.begin_lesson(p, n, whole(b)), "port", "name", "baud")
        return to("/first/dice")

    async def lesson_face(self, request: Request) -> Response:
        await self._touched(request, self.host.lesson_face, "face")
        return to("/first/dice")

    async def lesson_kind(self, request: Request) -> Response:
        await self._touched(request, self.host.lesson_kind, "kind")
        return to("/first/dice")

    async def end_lesson(self, request: Request) -> Response:
        keep = await self._touched(request, lambda keep: keep == "yes", "keep")
        await asyncio.to_thread(self.host.keep_lesson if keep else self.host.end_lesson)
        return to("/first")

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
            raise UsageError(SAYS.say_yes_no)
        await self.parts.run(self.parts.printing.settle, whole(form.get("job", "")), form["answer"])
        return to("/first")


def _teach(config: Config, state: Mapping[str, Any]) -> bool:
    """Whether this source has something to learn."""
    die = next((d for d in config.dice if d.name == state["name"]), None)
    return die is not None and die.kind == "serial" and die.format not in KNOWN_FORMATS


def _millimetres(told: str) -> float:
    try:
        return float(told[:8])
    except ValueError:
        raise UsageError(SAYS.say_millimetres) from None


def _seconds(told: str) -> float:
    """A phone says milliseconds; a browser without scripts says nothing."""
    if not (told.isascii() and told.isdecimal() and len(told) < 16):
        raise UsageError(SAYS.no_browser_time)
    return int(told) / 1000


def _join(config: Config) -> str:
    """What the QR code holds that lets a phone join; '' while name or password are not set."""
    return lan.join_code(config.wifi_name, config.wifi_password) if config.wifi_name and config.wifi_password else ""
