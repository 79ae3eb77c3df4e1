"""The wall around every request: bounded bodies, same origin for changes, headers that forbid the rest."""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.web.words import SAYS

LARGEST = 256 * 1024
"""Bytes of one request body; an imported table may have more (see `IMPORT`)."""
IMPORT = 32 * 1024 * 1024

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # with none at all, the form of a page without scripts has no origin
    "cross-origin-opener-policy": "same-origin",
}


class TooMuch(Exception):
    """The body of a request is larger than it may be."""


class Guard:
    """ASGI middleware; refuses before the application sees a byte too much."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        if refusal:
            await refusal(scope, receive, _dressed(send, "no-store"))
            return
        named = scope["path"].startswith("/static/") and scope["query_string"]  # by its build, so it never changes
        keep = "max-age=31536000, immutable" if named else "no-store"
        await self.app(scope, _bounded(receive, _limit(scope)), _dressed(send, keep))

    def _refusal(self, scope: Scope, headers: Headers) -> JSONResponse | None:
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > _limit(scope):
            return JSONResponse({"error": SAYS.too_much}, 413)
        if scope["method"] in ("GET", "HEAD", "OPTIONS"):
            return None
        origin = headers.get("origin")
        if origin and origin.split("://", 1)[-1] != headers.get("host", ""):
            return JSONResponse({"error": SAYS.other_site}, 403)
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return JSONResponse({"error": SAYS.other_site}, 403)
        return None


def _limit(scope: Scope) -> int:
    return IMPORT if scope["path"] == "/api/import" else LARGEST


def _bounded(receive: Receive, limit: int) -> Receive:
    seen = 0

    async def bounded() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > limit:
            raise TooMuch(SAYS.too_much)
        return message

    return bounded


def _dressed(send: Send, keep: str) -> Send:
    async def dressed(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", keep)
        await send(message)

    return dressed
