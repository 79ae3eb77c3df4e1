"""Who is asking: the kiosk on the Pi itself, the host with the PIN, a seat by its key, or a spectator."""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from dataclasses import dataclass

from starlette.requests import Request

from companion.config import Config
from companion.game.errors import NotYours
from companion.game.table import HOST, Table
from companion.game.tables import seat_of
from companion.web.words import SAYS

TRIES = 5
"""Wrong PINs before only the kiosk can unlock."""

_LOCAL = ("127.0.0.1", "::1")
_LOCAL_NAMES = ("localhost", "127.0.0.1", "[::1]")


@dataclass(frozen=True, slots=True)
class Caller:
    """`seat` is what the caller may act for at this table; '' only watches.

    `sees` is the seat that has taken the kiosk in its hands: only then does the kiosk show what is hidden.
    """

    seat: str
    kiosk: bool = False
    sees: str = ""

    @property
    def eyes(self) -> str:
        return self.sees or self.seat

    @property
    def host(self) -> bool:
        return self.seat == HOST


def is_kiosk(request: Request, config: Config) -> bool:
    """A browser on the Pi itself, asked for by a local name and not through a proxy."""
    peer = request.client.host if request.client else ""
    forwarded = any(name in request.headers for name in ("forwarded", "x-forwarded-for", "x-forwarded-host"))
    name = request.headers.get("host", "").rsplit(":", 1)[0]
    return peer in _LOCAL and name in _LOCAL_NAMES and not forwarded and peer not in config.trusted_proxies


def caller(request: Request, config: Config, table: Table | None, host_key: str) -> Caller:
    """The seat by cookie or header; the kiosk and the host act for every seat."""
    if is_kiosk(request, config):
        return Caller(HOST, True, _holder(request, table) if table else "")
    given = _bearer(request) or request.cookies.get("host", "")
    if given and hmac.compare_digest(given.encode(), host_key.encode()):
        return Caller(HOST)
    if table is None:
        return Caller("")
    key = _bearer(request) or request.cookies.get(f"seat_{table.key}", "")
    return Caller(seat_of(table, key) if key else "")


def _holder(request: Request, table: Table) -> str:
    wanted = request.cookies.get(f"as_{table.key}", "")
    return wanted if wanted in {s.key for s in table.game.seats(table.state)} else ""


def _bearer(request: Request) -> str:
    header = request.headers.get("authorization", "")
    return header[7:].strip() if header.lower().startswith("bearer ") else request.headers.get("x-seat-key", "")


class Pin:
    """The host's PIN: five tries, then only the kiosk unlocks. The key that it buys is made anew at each start."""

    def __init__(self, pin: str) -> None:
        self.pin = pin
        self.host_key = secrets.token_urlsafe(24)
        self._left = TRIES
        self._mutex = threading.Lock()
        self.locked_at = 0.0

    def enter(self, given: str) -> str:
        """The host's key for the right PIN; raises with a sentence otherwise."""
        if not self.pin:
            raise NotYours(SAYS.no_pin)
        with self._mutex:
            if self._left <= 0:
                raise NotYours(SAYS.pin_locked_now)
            if hmac.compare_digest(given.encode(), self.pin.encode()):
                self._left = TRIES
                return self.host_key
            self._left -= 1
            self.locked_at = time.monotonic()
            tries = {0: SAYS.pin_unlock_there, 1: SAYS.pin_last_try}
            left = tries.get(self._left, SAYS.pin_tries.format(n=self._left))
            raise NotYours(SAYS.pin_wrong.format(left=left))

    @property
    def locked(self) -> bool:
        return self._left <= 0

    def renew(self, pin: str) -> None:
        """Another PIN: whoever was the host by the old one is so no longer."""
        with self._mutex:
            self.pin, self.host_key, self._left = pin, secrets.token_urlsafe(24), TRIES

    def unlock(self) -> None:
        """Give all tries back; only the kiosk may ask for it."""
        with self._mutex:
            self._left = TRIES
